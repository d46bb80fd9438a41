"""A green CI run means that every test ran, and that few were retried: tests/conftest.py checks both."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

# Examples of skips: each is written to its own file, and must fail there under this project's conftest.
SKIPPERS = {
    "in_the_test": "import pytest\n\ndef test_it():\n    pytest.skip('no Chromium')\n",
    "by_a_mark": "import pytest\n\n@pytest.mark.skip(reason='no Chromium')\ndef test_it():\n    pass\n",
    "in_a_fixture": (
        "import pytest\n\n@pytest.fixture\ndef browser():\n    pytest.skip('no Chromium')\n\n"
        "def test_it(browser):\n    pass\n"
    ),
    "of_the_module": "import pytest\n\npytest.skip('no Chromium', allow_module_level=True)\n",
}


def run_pytest(folder: Path, skips: str, retries: str = "0") -> str:
    """Return what pytest prints about the folder, under this project's conftest."""
    plugins = ["-p", "tests.conftest", "-p", "pytest_rerunfailures"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, "--rootdir", str(folder), str(folder)],
        env=os.environ
        | {
            "MERGE_BY_MERGE_SKIPS": skips,
            "MERGE_BY_MERGE_RETRIES": retries,
            "PYTHONPATH": str(ROOT),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_ADDOPTS": "",
        },
        capture_output=True,
        text=True,
        encoding="utf-8",
    ).stdout


@pytest.fixture
def skippers(tmp_path: Path) -> Path:
    for name, source in SKIPPERS.items():
        (tmp_path / f"test_{name}.py").write_text(source, encoding="utf-8")
    return tmp_path


def test_a_skip_of_any_kind_fails_where_skips_are_forbidden(skippers: Path) -> None:
    # Collection goes on to the end, so the module that skips itself does not hide the others.
    output = run_pytest(skippers, "forbidden")
    assert "of_the_module" in output
    assert " 1 error " in output
    (skippers / "test_of_the_module.py").unlink()
    output = run_pytest(skippers, "forbidden")
    assert "no Chromium" in output
    assert "1 failed, 2 errors " in output  # a skip before the test itself counts as an error


def test_a_skip_is_only_a_skip_elsewhere(skippers: Path) -> None:
    assert "4 skipped " in run_pytest(skippers, "")


def test_ci_retries_a_test_with_threads_and_no_other(tmp_path: Path) -> None:
    fails_once = "tries = []\n\ndef test_it():\n    tries.append(1)\n    assert len(tries) == 2\n"
    (tmp_path / "test_alone.py").write_text(fails_once, encoding="utf-8")
    (tmp_path / "test_with_threads.py").write_text(f"import threading\n\n{fails_once}", encoding="utf-8")
    assert "1 failed, 1 passed, 1 rerun " in run_pytest(tmp_path, "", retries="1")
    assert "2 failed " in run_pytest(tmp_path, "")
