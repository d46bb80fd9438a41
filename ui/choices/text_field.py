"""The field that a page is about: labelled, one line, and while one types as many lines as the text needs."""

from collections.abc import Callable

import streamlit as st

from bpe.text.display import counted
from ui.show.text import in_markdown, shortened
from ui.streamlit_gaps.kept_text import take_as_chosen, warning
from ui.visit import Slot, nothing

_HELP = "The text stays in this browser tab and on the computer that runs the app."


def text_field(
    label: str,
    *,
    key: str,
    box: str,
    most: int,
    placeholder: str,
    says: str,
    plays: bool = False,
    note: str = "",
    on_change: Callable[[str], None] | None = None,
    args: tuple[str, ...] = (),
) -> str:
    """Draw the field in a box of its own, and return its text.

    key: of the text's widget. box: key of the container, which has the look.
    says: what happens to the text, shown while one types. plays: whether Space then plays it.
    note: a few words about the text that is there, beside the label.
    """
    with st.container(key=box):
        typed = st.text_area(
            label,
            key=key,
            height="content",
            max_chars=most,
            placeholder=placeholder,
            persist_state="session",
            on_change=on_change,
            args=args,
        )
        keys = " :gray[Press Esc, then Space, to play it.]" if plays else ""
        st.caption(f"{warning() or says}{keys}", help=_HELP)
        if note:
            with st.container(key="text_note"):
                st.caption(in_markdown(note, 400))
    return str(typed or "")


# The page's own field, which gets what is pasted or dropped: (key of its widget, the most characters that it takes).
# None on a page whose field is the training text
_PAGE_TEXT: Slot[tuple[str, int] | None] = Slot("_page_text", nothing)
_BOX = "page_text"


def begin() -> None:
    """Let the page that is drawn now have no field of its own, until it draws one."""
    _PAGE_TEXT.forget()


def page_field(
    label: str, *, key: str, most: int, placeholder: str, says: str, plays: bool = False, note: str = ""
) -> str:
    """Draw the page's own field, and return its text."""
    _PAGE_TEXT.write((key, most))
    return text_field(
        label, key=key, box=_BOX, most=most, placeholder=placeholder, says=says, plays=plays, note=note
    )


def takes_texts() -> bool:
    """Return whether the page that was drawn last has a field of its own for a text."""
    return _PAGE_TEXT.read() is not None


def put_dropped(name: str, text: str) -> str:
    """Put a file's text into the page's own field. Return what is wrong with it, "" for nothing. A callback."""
    field = _PAGE_TEXT.read()
    assert field
    key, most = field
    if len(text) > most:
        return (
            f"{shortened(name, 60)} has {counted(len(text), 'character')}. This field takes at most {most:,}."
        )
    st.session_state[key] = text
    take_as_chosen([key])
    return ""
