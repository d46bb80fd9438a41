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
        [
            *(sys.executable, "-m", "pytest", *plugins, "--continue-on-collection-errors"),
            *("--rootdir", str(folder), str(folder)),
        ],
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
def examples(tmp_path: Path) -> Path:
    """Write the skippers, and two tests that fail once: one alone, one in a file with threads."""
    fails_once = "tries = []\n\ndef test_it():\n    tries.append(1)\n    assert len(tries) == 2\n"
    for name, source in SKIPPERS.items():
        (tmp_path / f"test_{name}.py").write_text(source, encoding="utf-8")
    (tmp_path / "test_alone.py").write_text(fails_once, encoding="utf-8")
    (tmp_path / "test_with_threads.py").write_text(f"import threading\n\n{fails_once}", encoding="utf-8")
    return tmp_path


def test_a_skip_of_any_kind_fails_where_skips_are_forbidden(examples: Path) -> None:
    output = run_pytest(examples, "forbidden")
    assert all(f"test_{name}.py" in output for name in SKIPPERS)
    assert "no Chromium" in output
    # A skip before the test itself counts as an error. Nobody asked to retry the two that fail once.
    assert "3 failed, 3 errors " in output


def test_ci_retries_a_test_with_threads_and_no_other_and_a_skip_is_only_a_skip_elsewhere(
    examples: Path,
) -> None:
    assert "1 failed, 1 passed, 4 skipped, 1 rerun " in run_pytest(examples, "", retries="1")
