"""Export tokenizer: all merges at first, and those of the page's step on demand."""

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe.formats import FORMATS
from tests.app import LONGEST_RUN
from ui.saving import left_out


def _popover_at(step: int) -> None:
    import bpe
    from ui import saving

    saving.export_tokenizer(bpe.train("low low lower", merges=3), step)


def opened_at(step: int) -> AppTest:
    """Return the page with the popover open at a step of three."""
    app = AppTest.from_function(_popover_at, args=(step,), default_timeout=LONGEST_RUN)
    app.session_state["export_tokenizer"] = True
    return app.run()


@pytest.mark.parametrize(
    ("step", "choice"), [(0, "No merge"), (1, "The first merge"), (2, "The first 2 merges")]
)
def test_all_merges_are_exported_unless_the_step_is_chosen(step: int, choice: str) -> None:
    app = opened_at(step)
    assert not app.exception
    assert app.button_group(key="export_merges").options == ["All 3 merges", choice]
    assert app.markdown[0].value == "The tokenizer after 3 merges, as a file."
    app.session_state["export_merges"] = "step"
    app.run()
    assert app.markdown[0].value.startswith(f"The tokenizer after {step} merge")


def test_the_last_step_leaves_no_choice() -> None:
    app = opened_at(3)
    assert app.markdown[0].value == "The tokenizer after 3 merges, as a file."
    assert not app.get("button_group")


def test_a_file_without_the_normalization_says_so() -> None:
    lower = bpe.train("Low low", "bytes", merges=1, normalization="lower")
    plain = bpe.train("Low low", "bytes", merges=1)
    silent = {slug for slug, row in FORMATS.items() if left_out(row, lower)}
    assert silent == FORMATS.keys() - {"tokenizer-json", "trace-json"}
    assert left_out(FORMATS["tiktoken"], lower) == " It does not say that lower-casing comes first."
    assert not any(left_out(row, plain) for row in FORMATS.values())
