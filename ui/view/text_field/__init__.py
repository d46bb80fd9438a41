"""Text field: a Components v2 component, a field for a text of one's own.

It keeps what is typed: in the page, in the tab's storage for a reload, and on the server under the field's key, as the
value of a widget would be. The browser numbers its texts, and the server says which one has arrived: until it has the
last one, the field shows what is typed, whatever a run that began before says. The page sends no text back that has
come from the browser. A field may give a session the tab's other texts, too, and those of a link.
"""

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from bpe.text.display import counted
from ui.view import component as message
from ui.view.component import component
from ui.view.text import shortened
from ui.view.told import tell
from ui.view.visit import Slot, large, nothing

_HELP = "The text stays in this browser tab and on the computer that runs the app."
_PLAYS = "Press Esc, then Space, to play it."
_MOST_NUMBER = 1 << 53  # of a text, as JavaScript counts
_COMPONENT = component("text_field", Path(__file__).parent)


@dataclass(frozen=True, slots=True)
class _Arrived:
    """What has come from the browser last: its number, and the text, or None once another was put in its place."""

    number: int = 0
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Beside:
    """What a field gives a session beside its own text: the tab's other texts when it begins, and those of a link."""

    kept: Sequence[str] = ()  # names of stored texts
    restore: Callable[[dict[str, str]], None] | None = None  # called with {name: text}
    parts: Sequence[str] = ()  # names with which a link's fragment begins, as in #text=…
    longest: int = 0  # characters of a fragment; of a longer one comes one more
    open_link: Callable[[str], None] | None = None  # called with the fragment


# {key: what has arrived}
_ARRIVED: Slot[dict[str, _Arrived]] = Slot("_arrived_texts", dict)
# Names the session to the browser
_VISIT: Slot[str] = Slot("_visit_of_texts", lambda: secrets.token_hex(4))
# Names in the tab's storage of fields whose empty or suggested text is what the viewer has chosen
_CHOSEN: Slot[set[str]] = Slot("_chosen_texts", set)
# {key: the text that was put into the field last without anybody having typed it there}
_SUGGESTED: Slot[dict[str, str]] = large(Slot("_suggested_texts", dict))
# The page's own field, which gets what is pasted or dropped: (key of its text, the most characters that it takes).
# None on a page whose field is the training text
_PAGE_TEXT: Slot[tuple[str, int] | None] = Slot("_page_text", nothing)
# The key of its text, or of that of an earlier page, as far as it was drawn before; "" for none
_PAGE_TEXT_BEFORE: Slot[str] = Slot("_page_text_before", str)


def text_field(
    label: str,
    *,
    key: str,
    most: int,
    placeholder: str,
    says: str,
    name: str = "",
    test_id: str = "",
    is_pages: bool = False,
    folds: bool = False,
    is_line: bool = False,
    is_large: bool = False,
    plays: bool = False,
    note: str = "",
    suggestion: str | None = None,
    aside: bool = False,
    on_change: Callable[[], None] | None = None,
    beside: Beside = Beside(),
) -> str:
    """Draw the field, and return its text, which is also the session's value of `key`.

    A text in the tab's storage takes the place of an empty or suggested one when a session begins.

    most: characters that it takes; of a longer text, the beginning.
    says: what happens to the text, below the field.
    name: of the text in the tab's storage; "" for the key.
    test_id: data-testid of the field.
    is_pages: whether the page is about this text.
    folds: whether it is one line while nobody types. plays: whether Space then plays it.
    is_line: whether its text has one line, and Enter sends it.
    is_large: whether its text is larger than the page's, and sent sooner: the answer to it takes no training.
    note: a few words about the text that is there, beside the label.
    suggestion: the text that we put there until the viewer types.
    aside: whether it is empty only because something else is shown; the stored text then stays stored.
    """
    name = name or key
    state = f"field_{key}"

    def received() -> None:
        sent = message.read(st.session_state.get(state), "typed", lambda value: value)
        number = message.read(sent, "number", message.whole_number(1, _MOST_NUMBER))
        before = _ARRIVED.read().get(key, _Arrived())
        if number is None or number <= before.number:
            return  # forged, or sent again before the answer came
        text = message.read(sent, "text", message.text(most))
        texts = message.read(sent, "kept", message.texts(beside.kept, most))
        link = message.read(sent, "link", message.text(beside.longest + 1))
        since = message.read(sent, "since", message.whole_number(1, number)) or number
        _ARRIVED.read()[key] = _Arrived(number, before.text)
        if texts and beside.restore:
            beside.restore(texts)
        if link and beside.open_link and since > before.number:  # else it has arrived with an earlier message
            beside.open_link(link)
        if text is not None:
            _ARRIVED.read()[key] = _Arrived(number, text)
            st.session_state[key] = text
            if on_change:
                on_change()

    text = str(st.session_state.get(key) or "")
    arrived = _ARRIVED.read().setdefault(key, _Arrived())
    if arrived.text is not None and arrived.text != text:
        arrived = _ARRIVED.read()[key] = _Arrived(arrived.number)
    chosen = is_chosen(name, text, suggestion)
    is_ours = text in ("", suggestion) and not chosen
    _COMPONENT(
        key=state,
        data={
            "key": key,
            "name": name,
            "visit": _VISIT.read(),
            "text": None if arrived.text is not None else text,
            "received": arrived.number,
            "ours": is_ours and not aside,
            "aside": aside and not text and not chosen,
            "kept": list(beside.kept),
            "parts": list(beside.parts),
            "mostLinked": beside.longest,
            "label": label,
            "testId": test_id,
            "pages": is_pages,
            "folds": folds,
            "line": is_line,
            "large": is_large,
            "most": most,
            "placeholder": placeholder,
            "says": says,
            "keys": _PLAYS if plays else "",
            "help": _HELP,
            "note": note,
        },
        on_typed_change=received,
        height="content",
    )
    return text


def suggest(key: str, text: str) -> None:
    """Put a text into this field until the viewer types one there. Call it before the field is drawn."""
    before = suggested(key)
    if st.session_state.get(key, before) == before:
        st.session_state[key] = text
    _SUGGESTED.read()[key] = text


def suggested(key: str) -> str | None:
    """Return the text that was put into this field last; None before the first one."""
    return _SUGGESTED.read().get(key)


def take_as_chosen(names: Iterable[str]) -> None:
    """Let the texts that code has put into these fields replace the stored ones, also empty and suggested texts."""
    _CHOSEN.read().update(names)


def is_chosen(name: str, text: str, suggestion: str | None) -> bool:
    """Return whether the viewer has chosen an empty or suggested text. Another text ends this."""
    if text not in ("", suggestion):
        _CHOSEN.read().discard(name)
    return name in _CHOSEN.read()


def write_link(fragment: str, page: str) -> None:
    """Let the page's address end with this fragment; "" removes the former one. page: its name in the address."""
    tell("address", "typed", {"fragment": fragment, "page": page})


def begin_page() -> None:
    """Let the page that is drawn now have no field of its own, until it draws one."""
    if field := _PAGE_TEXT.read():  # a run may have ended before it
        _PAGE_TEXT_BEFORE.write(field[0])
    _PAGE_TEXT.forget()


def page_field(label: str, *, key: str, most: int, **how: Any) -> str:
    """Draw the page's own field, and return its text."""
    _PAGE_TEXT.write((key, most))
    return text_field(label, key=key, most=most, test_id="page-text", is_pages=True, folds=True, **how)


def put(key: str, text: str) -> None:
    """Put a text into this field as if the viewer had typed it there. Call it before the field is drawn."""
    st.session_state[key] = text
    take_as_chosen([key])


def typed(key: str) -> str:
    """Return the text of this field if the viewer has put it there; "" if we have."""
    text = str(st.session_state.get(key) or "")
    return "" if text == suggested(key) else text


def page_text() -> str:
    """Return the text of the page's own field before it is drawn, as far as it was drawn before; "" without one."""
    key = _PAGE_TEXT_BEFORE.read()
    return str(st.session_state.get(key) or "") if key else ""


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
    put(key, text)
    return ""
