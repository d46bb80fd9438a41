"""What holds for every test: browser tests come last, and where skips are forbidden a skip is a failure."""

import os
from collections.abc import Generator
from pathlib import Path

import pytest

BROWSER_TESTS = Path(__file__).parent / "browser"
SKIPS_FORBIDDEN = os.environ.get("MERGE_BY_MERGE_SKIPS") == "forbidden"  # set by .ci/run
FAILED = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the browser tests and put them behind the others.

    The fast tests then speak first, and Playwright's event loop, which it keeps running in the main thread,
    disturbs no test that wants its own.
    """
    for item in items:
        if item.path.is_relative_to(BROWSER_TESTS):
            item.add_marker("browser")
    items.sort(key=lambda item: item.path.is_relative_to(BROWSER_TESTS))  # stable


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember a failure for the fixtures that are torn down after it; turn a forbidden skip into one."""
    report = yield
    if SKIPS_FORBIDDEN and report.skipped and not hasattr(report, "wasxfail"):
        _forbid(report)
    for node in (item, item.getparent(pytest.Module)):
        if node is not None:
            node.stash[FAILED] = node.stash.get(FAILED, False) or report.failed
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn the skip of a whole module into a failure where skips are forbidden."""
    report = yield
    if SKIPS_FORBIDDEN and report.skipped:
        _forbid(report)
    return report


def _forbid(report: pytest.TestReport | pytest.CollectReport) -> None:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"{reason}\nMERGE_BY_MERGE_SKIPS=forbidden: every test must run here."
