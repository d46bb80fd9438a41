"""The page Glossary: a card for every term with its picture and a lesson about it, and a field that finds a term."""

from typing import Any

import streamlit as st

from ui.page_parts.lessons import choosing
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.glossary import TOPICS, Term, terms
from ui.page_parts.lessons.glossary_pictures import moving_picture, picture_of
from ui.shown import navigation
from ui.view import component as message
from ui.view.component import COMPONENTS, component
from ui.view.menus import segments
from ui.view.visit import Slot, nothing

# The text to find at the next run
_NEXT_TERM: Slot[str | None] = Slot("_glossary_term", nothing)

_FIND = "glossary_find"
_KEY = "glossary_terms"

_COMPONENT = component("term_list", COMPONENTS / "term_list")


def open_at(slug: str) -> None:
    """Go to the page with this term in the field. A slug that is no term's opens the whole page."""
    term = terms().get(slug)
    _NEXT_TERM.write(term.term if term else "")
    st.switch_page(navigation.file_of("glossary"))


def draw() -> None:
    """Draw the field and the terms whose name or meaning contains its text; without text, those of a topic."""
    wanted = _NEXT_TERM.read()
    if wanted is not None:
        st.session_state[_FIND] = wanted
        _NEXT_TERM.forget()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_input(
            "Find a term",
            key=_FIND,
            max_chars=60,
            placeholder="such as tie, or byte",
            persist_state="session",
            width=360,
        )
        is_off = bool(typed.strip())
        topic = segments("Topic", TOPICS, "glossary_topic", label_visibility="collapsed", disabled=is_off)
    listed = _matching(typed) if typed.strip() else [term for term in terms().values() if term.topic == topic]
    if not listed:
        st.info("No term contains this text. Try another word, or clear the field and choose a topic.")
    opened = _COMPONENT(
        key=_KEY,
        data={"terms": [_listed(term) for term in listed]},
        on_opened_change=lambda: None,
        height="content",
    )
    slug = message.read(opened, "opened", message.one_of(terms().keys()))
    if slug is not None:
        choosing.ask_for(terms()[slug].see)
        st.switch_page(navigation.file_of("lessons"))


def _matching(typed: str) -> list[Term]:
    """Return the terms whose name contains the text; without such a name, those whose meaning does."""
    text = typed.strip().lower()
    named = [term for term in terms().values() if text in term.term.lower()]
    return named or [term for term in terms().values() if text in term.means.lower()]


def _listed(term: Term) -> dict[str, Any]:
    lesson = lessons()[term.see]
    prefix = f"Lesson {lesson.number}" if lesson.number else "Lesson"
    return {
        "slug": term.slug,
        "term": term.term,
        "means": term.means,
        "picture": picture_of(term),
        "moving": moving_picture(term),
        "see": prefix,
        "lesson": lesson.title,
    }
