"""Collect examples from the modules that have some. A module without `>>>` is then not imported for its examples alone.

A plugin of pytest, named in pyproject.toml. It saves each process of a test run the import of some hundred modules.
"""

from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Leave out the examples of a module that has none."""
    collectors = yield
    if not any(isinstance(one, DoctestModule) for one in collectors) or b">>>" in file_path.read_bytes():
        return collectors
    return [one for one in collectors if not isinstance(one, DoctestModule)]
