"""A private value of the session, besides those of its widgets. The module that reads and writes it defines it.

Other modules call that module's functions. The keys of widgets are public and are defined beside the widgets.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

from ui.view.text import SURROGATES

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Slot(Generic[_T]):
    """One private value of the session. `begin` makes its first value."""

    key: str
    begin: Callable[[], _T]

    def read(self) -> _T:
        """Return the value. A dict or list may be changed in place."""
        if self.key not in st.session_state:
            st.session_state[self.key] = self.begin()
        value: _T = st.session_state[self.key]
        return value

    def write(self, value: _T) -> None:
        """Replace the value."""
        st.session_state[self.key] = value

    def forget(self) -> None:
        """Reset the value to its first value."""
        st.session_state.pop(self.key, None)


LARGE: list[Slot[Any]] = []  # what counts as a visitor's memory


def large(slot: Slot[_T]) -> Slot[_T]:
    """Return the slot, and count what it holds as the visitor's memory."""
    LARGE.append(slot)
    return slot


def nothing() -> None:
    """Begin with None."""


# The link parameters of a page: slugs and bounded numbers, read once and written on every change. Short texts are in
# the link's fragment, which browsers send to no server: `ui.choices.text_link` writes them.

# Pages whose parameters were read
_PAGES_READ: Slot[set[str]] = Slot("_pages_read", set)
# {page: the parameters that it has refused}, until the run after: the page asks for that itself, for its first frame
_REFUSED: Slot[dict[str, list[str]]] = Slot("_refused_parameters", dict)

# {parameter: text} of the link's fragment, until their page has read them
_LINKED_TEXTS: Slot[dict[str, str]] = Slot("_linked_texts", dict)

MOST_LINKED = 300  # characters of a text in the link; enough for six names of branches

# Text of a parameter -> the session's value, or None if the parameter cannot hold it.
Read = Callable[[str], Any]


def slug(*slugs: str) -> Read:
    """Return a reader that accepts one of these slugs."""
    return lambda text: text if text in slugs else None


def whole_number(low: int, high: int) -> Read:
    """Return a reader that accepts a whole number within bounds.

    >>> whole_number(0, 9)("7"), whole_number(0, 9)("70")
    (7, None)
    """
    return lambda text: int(text) if re.fullmatch(r"[0-9]{1,9}", text) and low <= int(text) <= high else None


def decimal(low: float, high: float) -> Read:
    """Return a reader that accepts a number within bounds, with at most two digits after the point.

    >>> decimal(0, 1)("0.15"), decimal(0, 1)("1.5"), decimal(0, 1)("nan")
    (0.15, None, None)
    """
    return lambda text: (
        float(text)
        if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,2})?", text) and low <= float(text) <= high
        else None
    )


def short_text(text: str) -> str | None:
    """Accept a text of at most MOST_LINKED characters."""
    return None if len(text) > MOST_LINKED or SURROGATES.search(text) else text


def read(page: str, parameters: Mapping[str, tuple[str, Read]]) -> None:
    """Copy the link's {parameter: (session key, reader)} into the session, once per session and page.

    Call it before the widgets are drawn. A value that its reader does not accept is left out, with a warning. A text of
    the link's fragment is read whenever it arrives, since the browser sends it during the visit.
    """
    for name, (key, reader) in parameters.items():
        if reader is short_text and (linked := linked_text(name)) is not None:
            st.session_state[key] = linked
    if page in _PAGES_READ.read():
        _warn(_REFUSED.read().pop(page, []))
        return
    _PAGES_READ.read().add(page)
    refused: list[str] = []
    for name, (key, reader) in parameters.items():
        text = st.query_params.get(name)
        if text is None:
            continue
        if reader is short_text:  # a link of an older release
            del st.query_params[name]
        value = reader(text)
        if value is None:
            refused.append(name)
        else:
            st.session_state[key] = value
    _REFUSED.read()[page] = refused
    _warn(refused)


def open_texts(texts: Mapping[str, str]) -> None:
    """Take {parameter: text} of the link's fragment, for the page to read."""
    _LINKED_TEXTS.write(dict(texts))


def linked_text(name: str) -> str | None:
    """Return a text of the link's fragment, once; None without one."""
    text = _LINKED_TEXTS.read().pop(name, None)
    return None if text is None else short_text(text)


def _warn(names: Sequence[str]) -> None:
    for name in names:
        st.warning(f"The link contains an unknown value for “{name}”, which was ignored.")


def write(values: Mapping[str, str | int | None]) -> None:
    """Put these parameters into the link's query, which is sent to the server. None removes a parameter."""
    for name, value in values.items():
        text = None if value is None else str(value)
        if st.query_params.get(name) == text:
            continue
        if text is None:
            del st.query_params[name]
        else:
            st.query_params[name] = text


# The registry rows that pages begin with at a first visit. No other module of the app names a row.
COMPARED_RULES = ("first", "pair-max")  # the rule of most listings, and that of subword-nmt
COMPARED_TRAINERS = (
    "hf-bytelevel",
    "subword-nmt",
    "minbpe-regex",
    "tiktoken-educational",
    "sentencepiece",
    "cs336",
)
COMPARED_TOKENIZERS = ("gpt-4o", "qwen")  # they split many words differently
TYPED_VARIANT = "char-eow"  # of a vocabulary typed by hand
# The sample that a page opens with; other pages open with the first one. Compare: its rules split every third word of
# another text differently, and the words are among the most frequent ones of English. Random tie-breaks seldom differ
# as much; the page says how seldom, and that the text was written so that many pairs tie.
OPENING_SAMPLES = {"compare": "ties"}
# The published tokenizer that a page opens with, until the viewer chooses one; other pages open with a training, whose
# tokens say little of a text that is not the training text.
OPENING_TOKENIZERS = {"bytes": "gpt-4o"}
