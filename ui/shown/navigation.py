"""The pages of the app, and their registration with Streamlit."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route
from streamlit.delta_generator import DeltaGenerator

from ui.choices import choices, link, recipe_controls
from ui.gaps.allowed_hosts import checks_of_hosts
from ui.gaps.first_frame import later, wait_once_drawn
from ui.gaps.held_address import write_held
from ui.gaps.listeners import add_listeners
from ui.gaps.own_address import OwnPages
from ui.gaps.page_addresses import PageAbove, moved_pages, page_routes
from ui.gaps.upload_limits import UploadLimits
from ui.trainings.memory_budget import OF_ALL, OF_VISITOR, says_when_full
from ui.view import downloads, served
from ui.view.visit import Slot

_FOLDER = Path(__file__).parents[2] / "pages"
START = "watch"  # the page at the app's own address
_WITH_GRID = ("", START, "lessons", "compare", "encode")  # pages whose first screen has a grid
_MOVED = {"languages": "tokenizers"}  # the name of a page in old links: its name now
_ASKED_PAGE: Slot[str] = Slot("_asked_page", str)  # to switch to; "" for none
# Of the page that runs: its head, and what draws the line above it
_HEAD: ContextVar[_Head | None] = ContextVar("head", default=None)
_ABOVE: ContextVar[Callable[[], None] | None] = ContextVar("above", default=None)


def navigation() -> st.Page:
    """Register all pages and return the requested one. START has the address `/`; its name works too."""
    alias = _page(START, visibility="hidden")
    start = _page(START, default=True, url_path="start")  # never seen: the default page is at `/`
    page = st.navigation(
        [*(start if name == START else _page(name) for name in PAGES), alias], position="top"
    )
    write_held()
    downloads.begin_run()
    return page


@says_when_full
def run(page: st.Page, above: Callable[[str], None]) -> None:
    """Run a page, and end it with the next step.

    above: called with the page's name, draws what is above the page. It runs within the page, since what app.py draws
        stays in the browser while the next page is drawn.
    """
    _ABOVE.set(partial(above, page.url_path or START))
    try:
        page.run()
        _draw_next(page.url_path)
        wait_once_drawn(page.url_path)
        downloads.end_run()
    finally:
        _HEAD.set(None)
        _ABOVE.set(None)


def routes(firsts: Mapping[str, Callable[[Mapping[str, str]], str]]) -> list[Route]:
    """Return what the server answers at the addresses of pages, such as /compare, of files to save, and of scripts.

    firsts: by the name of a page, what its body begins with at an address with these parameters.
    """
    scripts = {name: _first_scripts(name) for name in ("", *PAGES)}
    pages = [*page_routes(scripts, firsts), *moved_pages(_MOVED)]
    return [*pages, *downloads.file_routes(), *served.routes()]


def middleware() -> list[Middleware]:
    """Return what every request passes first. Ends the program if no host can have a name that it is to allow."""
    return [
        *checks_of_hosts(),
        Middleware(OwnPages),
        Middleware(UploadLimits, of_visitor=OF_VISITOR, of_all=OF_ALL),
        Middleware(PageAbove, PAGES),
    ]


def file_of(name: str) -> Path:
    """Return the script of a page, to switch or link to it. It is absolute, since another script may start the app."""
    return _FOLDER / f"{name}.py"


def draw_head(name: str) -> None:
    """Draw what every page begins with: its title, a sentence, the choices, and what was wrong in the link.

    The listeners draw nothing.

    name: of the page in its address.
    """
    row = PAGES.get(name, PAGES[START])
    with st.container(horizontal=True, vertical_alignment="center", key="page_head"):
        st.title(row.title, anchor=False, width="content")
        sentence = st.container(key="page_sentence")
        if row.sentence is not None:
            sentence.markdown(row.sentence)
        share = st.container(key="page_share")
        with st.container(key="listeners_place"), later():
            add_listeners()
    field = st.container(key="page_field") if row.line else sentence
    head = _Head(share, sentence, field)
    _HEAD.set(head)
    if not row.uses_choices:
        choices.keep()
    else:
        recipe_controls.begin(name)
        if row.line:
            choices.draw_line(row.line)
        else:
            menu = choices.draw(plays=row.plays, has_menu=row.has_menu)
            _HEAD.set(replace(head, menu=menu))
    link.show_warnings()


def own_menu() -> DeltaGenerator:
    """Return the container for the page's own menu, the first in the row of choices."""
    head = _HEAD.get()
    return head.menu if head and head.menu else st.container()


def share_place() -> DeltaGenerator:
    """Return the container for Share, at the end of the title's line."""
    head = _HEAD.get()
    return head.share if head else st.container()


def page_field() -> DeltaGenerator:
    """Return the container for the page's own field, below the title where others have that of the training text."""
    head = _HEAD.get()
    return head.field if head else st.container()


def below_title() -> DeltaGenerator:
    """Return the container for the page's sentence, if the page draws it itself."""
    head = _HEAD.get()
    return head.below if head else st.container()


def go_to(page: str) -> None:
    """Switch to this page in the run that follows. A callback."""
    _ASKED_PAGE.write(page)


def enter() -> None:
    """Draw what is above the page, or switch to app.py if that did not run the page. Every page calls this first.

    Until `st.navigation` has run once in a server's life, Streamlit takes every file in pages/ for a page of its
    own and runs it alone: the first visitor of a fresh server who opens `/compare` would see an error.
    """
    if not choices.was_drawn():
        navigation()
        st.rerun()
    if page := _ASKED_PAGE.read():
        _ASKED_PAGE.forget()
        st.switch_page(file_of(page))
    if draw := _ABOVE.get():
        draw()


@dataclass(frozen=True, slots=True)
class _PageRow:
    """What a page has around it. Its title and its purpose, for the menu, are the first line of its script.

    plays: whether Space plays what it shows of the text.
    has_menu: whether it has a menu of its own in the row of choices.
    """

    title: str = ""
    purpose: str = ""
    # What one does here, as Markdown; "" for its purpose, None if the page draws it. What is grey is left out where
    # there is little room.
    sentence: str | None = ""
    uses_choices: bool = True
    # Key of the line that says what the merges are learned from, on a page about another text than the training text;
    # "" where the field of the training text and the menus stand in its place
    line: str = ""
    plays: bool = False
    has_menu: bool = False
    # The page to go on to, and what one does there: the last line of the page.
    next: tuple[str, str] = (START, "Watch a training on your own text")


# In the order of the menu
_ROWS = {
    "lessons": _PageRow(
        sentence=None,
        uses_choices=False,
        next=("watch", "Watch a training on your own text"),
    ),
    "tokenizers": _PageRow(
        sentence=None,
        line=choices.LINE_IF_TRAINED,
        next=("watch", "Watch a tokenizer learn from your words"),
    ),
    "watch": _PageRow(
        sentence="Press Play. [Lesson 1](./lessons) explains it.",
        plays=True,
        next=("compare", "Compare two rules for ties on this text"),
    ),
    "compare": _PageRow(
        sentence=(
            "See what the rule for ties, or the trainer, changes. "
            ":gray[Under Lanes: how GPT-4o and Qwen split your text.]"
        ),
        plays=True,
        has_menu=True,
        next=("encode", "Encode a new text with the learned merges"),
    ),
    "encode": _PageRow(
        sentence="See how the learned merges split a new text, step by step.",
        line=choices.LINE,
        plays=True,
        next=("vocabulary", "See where each token comes from"),
    ),
    "vocabulary": _PageRow(
        sentence="See where each token comes from, and where it is used.",
        line=choices.LINE,
        next=("bytes", "See what is below the characters: bytes"),
    ),
    "bytes": _PageRow(
        sentence="See what lies between a character and its tokens: code points and bytes.",
        line=choices.LINE,
        next=("tokenizers", "See how every published tokenizer reads your words"),
    ),
    "glossary": _PageRow(
        sentence=(
            "Look up every term of the app, in two sentences. "
            ":gray[In a lesson, press a word with a dotted line to read its meaning there.]"
        ),
        uses_choices=False,
        next=("lessons", "Take a lesson: worked examples, one idea at a time"),
    ),
    "talk": _PageRow(
        sentence="Choose how much time you have. Begin fills the screen with the first stop.",
        uses_choices=False,
        next=("lessons", "Take a lesson: worked examples, one idea at a time"),
    ),
}


def _pages() -> Iterator[tuple[str, _PageRow]]:
    """Yield name and row of every script: first those of _ROWS, in their order."""
    scripts = {path.stem: path for path in sorted(_FOLDER.glob("*.py"))}
    for name in [name for name in _ROWS if name in scripts] + [name for name in scripts if name not in _ROWS]:
        said = str(ast.get_docstring(ast.parse(scripts[name].read_text("utf-8"))))
        title, _, purpose = said.partition("\n")[0].partition(": ")
        purpose = f"{purpose[:1].upper()}{purpose[1:]}"
        row = _ROWS.get(name, _PageRow())
        sentence = purpose if row.sentence == "" else row.sentence
        yield name, replace(row, title=title, purpose=purpose, sentence=sentence)


PAGES = dict(_pages())  # by the name in its address


@dataclass(frozen=True, slots=True)
class _Head:
    """Where a page draws Share, at the end of the title's line, its sentence, its own field and its own menu."""

    share: DeltaGenerator
    below: DeltaGenerator
    field: DeltaGenerator
    menu: DeltaGenerator | None = None


def _first_scripts(name: str) -> list[str]:
    """Return the files that the first screen of a page needs; "" is the first page."""
    own = {
        "": "stage",
        START: "stage",
        "lessons": "lesson_card",
        "compare": "comparison",
        "encode": "encoding_stage",
    }
    field = ("text_field",) if PAGES.get(name, PAGES[START]).uses_choices else ()
    needed = ("shared", own.get(name, "token_grid"), *field) if name in _WITH_GRID else ("shared", *field)
    return [*map(served.file_of, needed)]


def _page(name: str, **how: Any) -> st.Page:
    row = PAGES[name]
    return st.Page(_FOLDER / f"{name}.py", title=row.title, help=row.purpose, **{"url_path": name} | how)


def _draw_next(name: str) -> None:
    """Draw the last line of a page: the page to go on to."""
    following, what = PAGES.get(name, PAGES[START]).next
    with st.container(key="next_step"):
        st.page_link(file_of(following), label=f"**Next:** {what} →")
