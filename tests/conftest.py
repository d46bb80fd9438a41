"""Rules for every test: browser tests run first or last, skips can be forbidden, hypothesis measures no time, and CI
tries a failed test once more if it depends on a browser, a server, threads or other processes.
"""

import gc
import os
import sys
from collections.abc import Generator
from socket import IPPROTO_TCP, TCP_NODELAY, socket
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from bpe import checkpoints
from bpe.text.patterns import search_here, search_with
from tests.bpe.text.random_texts import TIMES

if TYPE_CHECKING:
    from harness.app_server import AppServer

# Beginnings of the names of tests. There are thousands of tests, so paths would take a second.
BROWSER_TESTS = "tests/browser/"
# The pages train in threads, and node is another process.
WITH_THREADS = (BROWSER_TESTS, "tests/ui/", "tests/js/")
# Elsewhere, a test file that imports one of these works with threads or other processes.
THREADS = {"ProcessPoolExecutor", "install", "subprocess", "threading"}
SKIPS_FORBIDDEN = os.environ.get("MERGE_BY_MERGE_SKIPS") == "forbidden"  # set by .ci/run
# How often such a test is retried after a failure. `.ci/run` sets it, and its summary names every retried test.
RETRIES = int(os.environ.get("MERGE_BY_MERGE_RETRIES", "0"))
MOST_OF_A_FAILURE = 4000  # characters; the end says what was wrong
FAILED = pytest.StashKey[bool]()
# A script that changes the registries: test_registries.py runs it in a process of its own.
collect_ignore = ["house/made_up_rows.py"]
# On a busy machine, any example may take long. So hypothesis measures no time.
settings.register_profile(
    "no time measured",
    settings.get_profile(settings.get_current_profile_name()),
    deadline=None,
    max_examples=40 * TIMES,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("no time measured")


@pytest.fixture(autouse=True)
def limits_of_tests() -> None:
    """Let the app hold much memory in this process, which holds that of all tests, and search in it."""
    if budget := sys.modules.get(
        "ui.trainings.memory_budget"
    ):  # importing it would load Streamlit for tests of the core
        budget._keep_to(budget._Budget(most=10**12))
    search_with(search_here)
    checkpoints._everywhere.clear()


@pytest.fixture(autouse=True)
def own_main() -> Generator[None]:
    """Put the main module back: a page that ran took its place, and a spawned process would run that page."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture(scope="session")
def app_server() -> Generator["AppServer"]:
    """Start the app, in one process for all tests that are content with a server that others use, too."""
    from harness.app_server import serve  # which tests of the core do without

    with serve() as app:
        yield app


def pytest_sessionstart(session: pytest.Session) -> None:
    """Send at once what pytest-rerunfailures asks the main process before each test that may be retried.

    It sends two short messages a test. TCP holds the second back until the first is acknowledged: up to 40 ms, so a
    quarter of the time of the tests of pages in CI.
    """
    failures = getattr(session.config, "failures_db", None)
    if isinstance(connection := getattr(failures, "sock", None), socket):
        connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while thousands of tests are found, a quarter of the time that this takes.

    Later collections pass over all modules and tests, which stay until the end: 1.5 s of CPU a process. And they come
    more seldom, which saves a twentieth of the CPU of all tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(20_000)  # new objects; Python 3.11 looks for cycles among every 700


@pytest.hookimpl(tryfirst=True)  # before the tests are chosen by their markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the browser tests, and move them to the start or the end. All are slow but the quick and the weekly ones.

    If two processes share the work (`-n 2 --dist worksteal`), each begins with a half of the tests, and then takes
    some from the end of the other's. So in a run without slow tests, browser tests come first:
    one process starts the servers and browsers, and the other computes while they are waited for. Where slow tests
    run, they come last: Playwright's event loop, which keeps running in the main thread, disturbs no test that needs
    its own. Tests of one server are adjacent, so that each process mostly needs one of the two servers. A fast test
    behind them may not call asyncio.run, since that loop still runs.
    """
    for item in items:
        if item.nodeid.startswith(BROWSER_TESTS):
            item.add_marker("browser")
            if not any(item.iter_markers("quick")) and not any(item.iter_markers("weekly")):
                item.add_marker("slow")
        if RETRIES and _depends_on_others(item):
            item.add_marker(pytest.mark.flaky(reruns=RETRIES))
    first = "not slow" in config.getoption("markexpr")
    items.sort(key=lambda item: -_part(item) if first else _part(item))  # stable


def _depends_on_others(item: pytest.Item) -> bool:
    """Return whether a busy machine may delay what a test waits for: a browser, a server, a thread or a process."""
    if item.nodeid.startswith(WITH_THREADS):
        return True
    return isinstance(item, pytest.Function) and not THREADS.isdisjoint(vars(item.module))


def _part(item: pytest.Item) -> int:
    """Return the part of the run: 0 without a browser, 1 with the app in a browser, 2 with the page of grids."""
    if not item.nodeid.startswith(BROWSER_TESTS):
        return 0
    return 2 if isinstance(item, pytest.Function) and "grids" in item.fixturenames else 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print why a test that was tried twice failed the first time."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.write_sep("_", f"first try of {report.nodeid}")
        terminalreporter.write_line(report.longreprtext[-MOST_OF_A_FAILURE:])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Record a failure for the fixtures that are torn down after it. Turn a forbidden skip into a failure."""
    report = yield
    if report.when == "setup":  # the first report of a try
        item.stash[FAILED] = False
    if SKIPS_FORBIDDEN and report.skipped and not hasattr(report, "wasxfail"):
        _forbid(report)
    for node in (item, item.getparent(pytest.Module)):
        if node is not None:
            node.stash[FAILED] = node.stash.get(FAILED, False) or report.failed
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn the skip of a whole module into a failure if skips are forbidden."""
    report = yield
    if SKIPS_FORBIDDEN and report.skipped:
        _forbid(report)
    return report


def _forbid(report: pytest.TestReport | pytest.CollectReport) -> None:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"{reason}\nMERGE_BY_MERGE_SKIPS=forbidden: every test must run here."
