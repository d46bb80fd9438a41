"""The browser's code: the tests of its pure functions, in node. `python -m tests.js.tools` checks types and style."""

from pathlib import Path

import pytest

from tests import ROOT
from tests.js.fixtures import write
from tests.js.tools import node, run
from tests.js.trainer_cases import write_cases

TESTS = sorted((ROOT / "tests/js").rglob("*.test.js"))


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the core's results to a folder and return it."""
    folder = tmp_path_factory.mktemp("js")
    write(folder)
    write_cases(folder / "trainer.json", 30)
    return folder


@pytest.mark.parametrize("path", TESTS, ids=[path.name.removesuffix(".test.js") for path in TESTS])
def test_the_browser_s_pure_functions_do_what_they_promise(path: Path, engine: Path) -> None:
    result = run([node(), "--test-reporter=spec", str(path)], FIXTURES=str(engine))
    assert result.returncode == 0, result.stdout


@pytest.mark.weekly
def test_the_page_s_trainer_makes_python_s_feeds_on_many_more_texts(tmp_path: Path) -> None:
    write_cases(tmp_path / "trainer.json", 1_500, seed=1)
    result = run(
        [node(), "--test-reporter=spec", str(ROOT / "tests/js/trainer.test.js")], FIXTURES=str(tmp_path)
    )
    assert result.returncode == 0, result.stdout


def test_a_test_that_cannot_read_what_the_engine_says_fails(tmp_path: Path) -> None:
    test = ROOT / "tests/js/segmentation.test.js"
    assert run([node(), str(test)], FIXTURES=str(tmp_path)).returncode != 0
