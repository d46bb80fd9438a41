"""The pages that browser tests share stay as they were opened."""

from tests import ROOT

# What opens pages, and what keeps its page for itself.
MAY = {"chromium.py", "conftest.py", "stage_walk.py"}


def test_a_test_that_adds_a_script_to_its_page_says_so() -> None:
    # A script stays in the page. `run_first` of tests/browser/chromium.py keeps the page from other tests.
    files = [path for path in (ROOT / "tests" / "browser").rglob("*.py") if path.name not in MAY]
    assert [path.name for path in files if ".add_init_script(" in path.read_text("utf-8")] == []
    assert files
