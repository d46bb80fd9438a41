"""TokenGrid, the widget, without a notebook: its traits, its script, and what it says without anywidget."""

import subprocess
import sys
from typing import Any

import pytest

import bpe
from tests import ROOT

TEXT = "low lower newest widest"
TRACE = bpe.train(TEXT, variant="char-eow", merges=9)


def token_grid(*arguments: Any, **options: Any) -> Any:
    """Return a widget. Its packages are imported for these tests only: it takes a third of a second."""
    from merge_by_merge.notebook import TokenGrid

    return TokenGrid(*arguments, **options)


@pytest.mark.parametrize(("asked", "step"), [(0, 0), (9, 9), (10, 9), (10**30, 9), (-1, 0)])
def test_a_step_stays_within_the_training(asked: int, step: int) -> None:
    assert token_grid(TRACE, TEXT, step=asked).step == step
    grid = token_grid(TRACE, TEXT, step=4)
    grid.step = asked
    assert grid.step == step


def test_a_step_that_is_no_number_is_refused_and_changes_nothing() -> None:
    grid = token_grid(TRACE, TEXT, step=4)
    with pytest.raises(Exception, match="'step' trait of a TokenGrid instance expected an int"):
        grid.step = "5"
    assert grid.step == 4


def test_whoever_observes_the_step_learns_of_each_change() -> None:
    grid = token_grid(TRACE, TEXT)
    steps: list[int] = []
    grid.observe(lambda change: steps.append(change["new"]), "step")
    grid.step = 3
    grid.set_state({"step": 5})  # as a message from the page does
    assert steps == [3, 5]


def test_without_a_text_the_grid_shows_the_words() -> None:
    assert token_grid(TRACE, TEXT).feed["text"]["total"] == len(TEXT)
    words = token_grid(TRACE).feed
    assert words["text"]["total"] == 0
    assert words["whole"]


def test_the_script_is_one_module_without_imports() -> None:
    script = str(token_grid(TRACE)._esm)
    assert script.count("export ") == 1
    assert "export default { render };" in script
    assert "import " not in [line[:7] for line in script.splitlines()]


def test_without_anywidget_the_error_says_what_to_install() -> None:
    program = "import sys; sys.modules['anywidget'] = None; import merge_by_merge.notebook"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: TokenGrid needs the package anywidget: pip install 'merge-by-merge[notebook]'"
    )
