"""The file that the app was started with, by `merge-by-merge FILE`: every session begins with it.

The command stores it here, in the memory of the server's own process. No request and no address can name a file.
"""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from ui.choices import link
from ui.trainings.corpus import Corpus
from ui.view.visit import Slot

# Whether the session was given the file that the app was started with
_STARTED: Slot[bool] = Slot("_started", bool)


@dataclass(frozen=True, slots=True)
class StartFile:
    """A file that has been read, as a text, a share file or a tokenizer."""

    put: Callable[[], None]  # puts it into the session, before the controls are drawn
    corpus: Corpus | None = None  # its text, if it is shown as an uploaded file


_START: list[StartFile] = []  # at most one


def start_with(file: StartFile | None) -> None:
    """Begin every new session with this file; None: with the first sample."""
    _START[:] = [] if file is None else [file]


def begin() -> None:
    """Put the file into the session, once, unless the link that opened it names another text."""
    if _STARTED.read():
        return
    _STARTED.write(True)
    if _START and not _link_names_text():
        _START[0].put()


def _link_names_text() -> bool:
    # A page that is loaded again has the source of the file in its address.
    if link.names_setting("corpus_source"):
        return st.session_state.get("corpus_source") != "upload"
    return link.names_setting("corpus_sample")


def is_text_of(corpus: Corpus) -> bool:
    """Return whether this is the text that the app was started with."""
    return bool(_START) and _START[0].corpus is corpus
