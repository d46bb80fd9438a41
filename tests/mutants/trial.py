"""Try mutants in children of one process, which has imported all that is not of this repository.

`python -m tests.mutants.trial` runs in a copy of the repository, whose files it changes: `tests.mutants` starts it.
"""

import argparse
import importlib
import os
import resource
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from tests import ROOT
from tests.mutants.changes import Mutant, every_mutant, sample
from tests.mutants.reach import Reach, Recorder, read

# {package: the tests that must notice a change of it}
TESTS = {
    "bpe/training": [
        "tests/bpe/training",
        "tests/bpe/test_trace.py",
        "tests/bpe/test_worked_examples.py",
        "tests/bpe/test_checkpoints.py",
        "tests/command_line/test_measure_command.py",
        "bpe/training",
    ],
    "bpe/encoding": [
        "tests/bpe/encoding",
        "tests/bpe/formats/test_tokenizer_json.py",
        "tests/bpe/training/test_continue.py",
        "tests/bpe/test_worked_examples.py",
        "bpe/encoding",
    ],
    "bpe/formats": ["tests/bpe/formats", "bpe/formats"],
    "film": ["tests/film", "film"],
}
# A test with a mutant that needs more than this loops, which counts as noticed.
SECONDS, TIMES = 3, 10  # of CPU: so many, and so many times what it needs without
WAITING = 120  # seconds for a test that waits for another process
MEMORY = 6 << 30  # bytes
OUTPUT = ROOT / ".output.txt"  # of the last child
FAILING = "The tests must pass without a mutant.\n"


class Chosen:
    """A plugin of pytest that runs some of the tests, in their order, and ends the process if one of them loops."""

    def __init__(self, tests: list[str], seconds: dict[str, float]) -> None:
        self._order = {test: number for number, test in enumerate(tests)}
        self._seconds = seconds

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self._order]
        items[:] = sorted(chosen, key=lambda item: self._order[item.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        signal.setitimer(signal.ITIMER_PROF, SECONDS + TIMES * self._seconds[nodeid])
        signal.alarm(WAITING)


def in_child(run: Callable[[], int]) -> int:
    """Return what a function returns in a child of this process, or minus the signal that ended it."""
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        output = os.open(OUTPUT, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        for stream in (0, 1, 2):
            os.dup2(output, stream)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        try:
            os._exit(run())
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what it has started
    return os.waitstatus_to_exitcode(status)


def run_tests(plugin: object, paths: list[str]) -> int:
    """Run tests in this process until one fails, and return pytest's exit code."""
    imported_before = "ignore::pytest.PytestAssertRewriteWarning"  # plugins of pytest, by `main`
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", imported_before]
    return pytest.main([*options, *paths], [plugin])


@contextmanager
def changed(mutant: Mutant) -> Iterator[None]:
    """Put a mutant in place of its module."""
    file = ROOT / mutant.path
    original, before = file.read_bytes(), file.stat()
    file.write_text(mutant.source, "utf-8")
    try:
        yield
    finally:
        file.write_bytes(original)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))  # its bytecode stays valid


def pass_in_child(tests: list[str], seconds: dict[str, float]) -> bool:
    """Return whether all these tests pass in a child of this process."""
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    return in_child(lambda: run_tests(Chosen(tests, seconds), files)) == 0


def survives(mutant: Mutant, reach: Reach) -> bool:
    """Return whether all tests pass that run the changed line."""
    tests = reach.of(mutant)
    with changed(mutant):
        return not tests or pass_in_child(tests, reach.seconds)


def main() -> None:
    """Make the mutants that the command asks for, and print those that survive."""
    parser = argparse.ArgumentParser("python -m tests.mutants", description="Change code in small ways.")
    parser.add_argument("package", choices=TESTS)
    parser.add_argument("number", nargs="?", type=int, default=20)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--at", nargs="+", metavar="FILE:LINE", help="all mutants of these lines instead")
    options = parser.parse_args()
    file = ROOT / ".reach.json"
    in_child(lambda: run_tests(Recorder(options.package, file), TESTS[options.package]))
    if not file.exists():
        sys.exit(FAILING + OUTPUT.read_text("utf-8"))
    reach = read(file)
    sys.dont_write_bytecode = True  # a mutant's would outlive it
    warnings.simplefilter("ignore")
    for name in reach.imported:
        with suppress(Exception):  # a part of a module that only the module itself can import
            importlib.import_module(name)
    if not pass_in_child(sorted(reach.seconds, key=reach.seconds.__getitem__), reach.seconds):
        sys.exit(FAILING + OUTPUT.read_text("utf-8"))
    mutants = sample(options.package, options.number, options.seed)
    if options.at:
        mutants = [
            mutant for mutant in every_mutant(options.package) if f"{mutant.path}:{mutant.line}" in options.at
        ]
    survivors = 0
    for number, mutant in enumerate(mutants, 1):
        if survives(mutant, reach):
            survivors += 1
            why = "" if reach.of(mutant) else "  (no test runs it)"
            print(f"{number} survives: {mutant}{why}", flush=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{len(mutants) - survivors} of {len(mutants)} mutants of {options.package} fail a test; "
        f"{used.ru_utime + used.ru_stime:.0f} s of CPU."
    )


if __name__ == "__main__":
    main()
