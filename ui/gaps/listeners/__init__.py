"""Listeners: what the browser does on every page beside Streamlit. They draw nothing.

Streamlit lacks what the table says of each. It can go with the last of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import streamlit as st

from ui.gaps.held_address import is_history_kept, keep_history
from ui.view.component import component
from ui.view.downloads import files_address
from ui.view.visit import OPENING_SAMPLES

_COMPONENT = component("listeners", Path(__file__).parent)


def add_listeners() -> None:
    """Add them where the page is drawn now. Call it once on every page. `downloads.js` is of `ui/view/downloads.py`.

    Besides, `page_history.js`: Streamlit adds an entry to the history for each change of a parameter, so Back seems to
    do nothing. No issue is known. It can go when tests/browser/test_history.py passes without it.
    """
    names = [
        name for name in LISTENERS if name != "noteCookies" or st.get_option("server.enableXsrfProtection")
    ]
    data = {
        "names": names,
        "naming": list(OPENING_SAMPLES),
        "asks": not is_history_kept(),
        "files": files_address(),
    }
    _COMPONENT(key="listeners", data=data, on_kept_change=keep_history, height=1)


class _Listener(NamedTuple):
    """Why a listener is there."""

    gap: str  # what Streamlit does or lacks, and which issue is about it
    ends: str  # when the listener can go


# By the name of its function in the scripts
LISTENERS = {
    "notePointer": _Listener(
        "Streamlit's main part takes the focus at a click on empty ground, and shows it at any key. No issue is known.",
        "when ui/view/styles/page.css needs no data-merges-pointer",
    ),
    "closeMenu": _Listener(
        "Streamlit lacks a way to close the menu of pages, which covers a phone: "
        "https://github.com/streamlit/streamlit/issues/4483",
        "when code can close it",
    ),
    "followPopovers": _Listener(
        "Streamlit puts a popover's contents at the end of the document, tens of presses of Tab from its button. "
        "No issue is known.",
        "when tests/browser/test_focus.py passes without it",
    ),
    "holdUploads": _Listener(
        "Streamlit forgets a file that is on its way when its popover is closed: the upload ends, and nobody hears of "
        "it. No issue is known.",
        "when tests/browser/test_choices.py passes without it",
    ),
    "fitOnPaper": _Listener(
        "Streamlit lacks styles for paper and cuts wide tables and charts off: "
        "https://github.com/streamlit/streamlit/issues/10852",
        "when they are laid out anew for printing",
    ),
    "nameNoPage": _Listener(
        "Streamlit sends no Referrer-Policy, so each request of a page names its address. No issue is known.",
        "when its server can send headers",
    ),
    "colourMenus": _Listener(
        "Streamlit sets the colour scheme on a part of the document that does not hold its menus, so scroll bars and "
        "light-dark() in a dark menu are light. No issue is known.",
        "when the document itself has the scheme",
    ),
    "noteCookies": _Listener(
        "Streamlit refuses files from a browser that blocks its cookie, and says only “status code 403”. No issue is "
        "known.",
        "when it says why",
    ),
    "directTexts": _Listener(
        "Streamlit's fields for text run from left to right, Arabic and Hebrew too. No issue is known.",
        "when they have dir=auto",
    ),
    "typedFirst": _Listener(
        "Streamlit sends a text when its field is left, but first the tap that leaves it; and a text with half a "
        "character becomes a message that its server cannot read. No issue is known.",
        "when tests/browser/test_text_field.py passes without it",
    ),
    "answerTyping": _Listener(
        "Streamlit's fields of one line wait for Enter; the Glossary's should answer as you type. No issue is known.",
        "when such a field can send what is typed by itself",
    ),
    "openPages": _Listener(
        "Streamlit opens each link of a text in a new tab, also one to a page of the app: "
        "https://github.com/streamlit/streamlit/issues/4332",
        "when such a link stays in its tab",
    ),
}
