"""The pages of the app, and their registration with Streamlit."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from ui.sidebar import recipe_controls, sidebar
from ui.streamlit_gaps.first_frame import later
from ui.streamlit_gaps.listeners import add_listeners
from ui.work.memory_budget import says_when_full

FOLDER = Path(__file__).parents[1] / "pages"
START = "watch"  # the page at the app's own address


@dataclass(frozen=True, slots=True)
class PageRow:
    """One page: its title and purpose in the menu, and what is below the menu."""

    title: str
    purpose: str
    draw_sidebar: Callable[[], None] = sidebar.draw


# {file: page}, in the order of the menu; a page without a file is left out
PAGES = {
    "lessons": PageRow(
        "Lessons",
        "Start here: worked examples, one idea at a time.",
        partial(
            sidebar.draw_without_controls,
            "Each lesson brings its own text and settings. Yours are on the other pages.",
        ),
    ),
    "watch": PageRow("Watch", "Train on a text and watch every merge, forwards and backwards."),
    "compare": PageRow("Compare", "Tie-breaking rules and real trainers side by side on the same text."),
    "encode": PageRow("Encode", "Encode new text with the learned merges, step by step."),
    "vocabulary": PageRow("Vocabulary", "Every token: where it comes from and where it is used."),
    "bytes": PageRow("Bytes", "From characters to code points, bytes and tokens."),
    "languages": PageRow(
        "Languages", "What the same text costs in many languages, under GPT-4o, Qwen and your own tokenizer."
    ),
    "glossary": PageRow(
        "Glossary",
        "Every term of the app, in two sentences.",
        partial(sidebar.draw_without_controls, "Your text and settings are on the other pages."),
    ),
}


def navigation() -> st.Page:
    """Register all pages and return the requested one. START has the address `/`; its name works too."""
    names = [name for name in PAGES if (FOLDER / f"{name}.py").exists()]
    alias = _page(START, visibility="hidden")
    return st.navigation([*(_start() if name == START else _page(name) for name in names), alias])


def _start() -> st.Page:
    return _page(START, default=True, url_path="start")  # never seen: the default page is at `/`


def _page(name: str, **how: Any) -> st.Page:
    row = PAGES[name]
    return st.Page(FOLDER / f"{name}.py", title=row.title, help=row.purpose, **{"url_path": name} | how)


@says_when_full
def run(page: st.Page) -> None:
    """Run a page."""
    page.run()


def file_of(name: str) -> Path:
    """Return the script of a page, to switch or link to it. It is absolute, since another script may start the app."""
    return FOLDER / f"{name}.py"


def draw_sidebar(page: st.Page) -> None:
    """Draw what this page has below the menu, and the listeners, which draw nothing."""
    row = PAGES.get(page.url_path, PAGES[START])
    with st.sidebar.container(), later():
        add_listeners()
        if row.draw_sidebar is sidebar.draw:
            recipe_controls.begin(page.url_path)
        row.draw_sidebar()


def enter() -> None:
    """Switch to app.py if Streamlit ran the page without it. Every page calls this first.

    Until `st.navigation` has run once in a server's life, Streamlit takes every file in pages/ for a page of its
    own and runs it alone: the first visitor of a fresh server who opens `/compare` would see an error.
    """
    if not sidebar.was_drawn():
        navigation()
        st.rerun()
