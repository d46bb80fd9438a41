"""A page, or a part of it, that needs more memory than the app may use says so in one sentence."""

import pytest
from streamlit.testing.v1 import AppTest

from tests import ROOT
from tests.app import choose_source, open_app, run
from ui.sidebar.held_out_choice import NEEDED
from ui.work import memory_budget, process_memory
from ui.work.memory_budget import Budget


def page() -> None:
    """Draw a part that needs too much, and what is below it."""
    import streamlit as st

    from ui.work import memory_budget
    from ui.work.memory_budget import fragment

    @fragment
    def part() -> None:
        st.caption("before")
        memory_budget.refuse(10**15)

    part()
    st.caption("below")


def test_a_part_of_a_page_says_what_it_needs_and_the_rest_is_drawn() -> None:
    at = AppTest.from_function(page).run()
    (error,) = at.error
    assert error.value.startswith("This needs about 1,000,000,000 MB of memory. The app may use ")
    assert not at.exception
    assert [caption.value for caption in at.caption] == ["before", "below"]


def page_of_a_pattern() -> None:
    """Draw a part whose pattern takes too long, and what is below it."""
    import streamlit as st

    from bpe import BPEError
    from ui.work.memory_budget import fragment

    @fragment
    def part() -> None:
        raise BPEError("the pattern '(?=a*b)*' takes too long")

    part()
    st.caption("below")


def test_a_part_of_a_page_quotes_the_pattern_that_it_cannot_search_with() -> None:
    at = AppTest.from_function(page_of_a_pattern).run()
    assert [error.value for error in at.error] == ["This cannot be drawn for this text."]
    assert [text.value for text in at.text] == ["the pattern '(?=a*b)*' takes too long"]
    assert not at.exception
    assert [caption.value for caption in at.caption] == ["below"]


def test_every_part_of_every_page_does_so() -> None:
    own = ROOT / "ui" / "work" / "memory_budget.py"
    scripts = [*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    assert "st.fragment" in own.read_text("utf-8")
    assert [path.name for path in scripts if path != own and "st.fragment" in path.read_text("utf-8")] == []


@pytest.mark.skipif(
    not process_memory.held(), reason="this system does not say how much memory a process holds"
)
def test_an_upload_that_cannot_be_read_in_what_is_left_is_refused() -> None:
    app = choose_source(open_app(), "upload")
    process_memory._return_free_memory()
    size = 15_000_000
    memory_budget.keep_to(Budget(process_memory.held() + (NEEDED - 1) * size))
    app.file_uploader(key="corpus_upload").upload("a.txt", b"low " * (size // 4))
    try:
        run(app)
    finally:
        memory_budget.keep_to(Budget())
    assert app.error[0].value.startswith("This needs about 60 MB of memory. The app may use ")
