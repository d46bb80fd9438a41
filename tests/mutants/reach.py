"""Record which tests run which lines of a package, so that a mutant needs only the tests that run its line."""

import functools
import gc
import importlib
import json
import sys
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import coverage
import pytest

from tests import ROOT
from tests.mutants.changes import Mutant

OURS = ("bpe", "film", "published", "tests")


@dataclass(frozen=True, slots=True)
class Reach:
    """What the tests of a package run."""

    seconds: dict[str, float]  # each test, by its node id
    # File -> line -> the tests that run it; "" runs it when it is imported.
    tests: dict[str, dict[int, set[str]]]
    imported: list[str]  # modules that are not of this repository

    def of(self, mutant: Mutant) -> list[str]:
        """Return the tests that may notice a mutant: those that run its line, quickest first, then their neighbours.

        The tests of one file share fixtures, and what these remember: perhaps only the first of them runs the line. A
        line that runs when it is imported concerns all tests.
        """
        of_file = self.tests.get(mutant.path, {})
        running = set().union(*(of_file.get(line, ()) for line in mutant.lines))
        files = {test.partition("::")[0] for test in running}
        if "" in running:
            running, files = (
                set().union(*of_file.values()),
                {test.partition("::")[0] for test in self.seconds},
            )
        noticing = [test for test in self.seconds if test.partition("::")[0] in files]
        return sorted(noticing, key=lambda test: (test not in running, self.seconds[test]))


def read(file: Path) -> Reach:
    """Return what `Recorder` has written."""
    seconds, lines, imported = json.loads(file.read_text("utf-8"))
    tests = {
        path: {int(line): set(names) for line, names in of_file.items()} for path, of_file in lines.items()
    }
    return Reach(seconds, tests, imported)


class Recorder:
    """A plugin of pytest that writes a `Reach` to a file when all tests have passed."""

    def __init__(self, package: str, file: Path) -> None:
        self._file = file
        self._seconds: dict[str, float] = {}
        self._caches: list[functools._lru_cache_wrapper[object]] = []
        self._coverage = coverage.Coverage(data_file=None, include=[f"{ROOT}/{package}/*"], config_file=False)
        self._coverage.start()
        for module in sorted((ROOT / package).rglob("*.py")):
            importlib.import_module(".".join(module.relative_to(ROOT).with_suffix("").parts))

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Record what a file of tests runs when it is imported."""
        self._coverage.switch_context(collector.nodeid if isinstance(collector, pytest.File) else "")
        report = yield
        self._coverage.switch_context("")
        return report

    def pytest_collection_modifyitems(self) -> None:
        """List the functions that remember what they return."""
        self._caches = [
            one
            for one in gc.get_objects()
            if isinstance(one, functools._lru_cache_wrapper) and one.__module__.partition(".")[0] in OURS
        ]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Let every test run all lines that it needs, which another one may have run for it."""
        for cache in self._caches:
            cache.cache_clear()
        self._coverage.switch_context(item.nodeid)
        begin = time.process_time()
        result = yield
        self._seconds[item.nodeid] = time.process_time() - begin
        self._coverage.switch_context("")
        return result

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        self._coverage.stop()
        if exitstatus != pytest.ExitCode.OK:
            return
        recorded = self._coverage.get_data()
        lines = {
            Path(file).relative_to(ROOT).as_posix(): recorded.contexts_by_lineno(file)
            for file in recorded.measured_files()
        }
        imported = [
            name
            for name, module in sys.modules.items()
            if not (getattr(module, "__file__", None) or "").startswith(str(ROOT))
        ]
        self._file.write_text(json.dumps([self._seconds, lines, imported]), "utf-8")
