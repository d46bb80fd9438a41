"""The page Glossary: every term with its meaning and the lesson about it, and a field that finds a term."""

import streamlit as st

from ui import navigation
from ui.lessons import CURIOUS, choosing, lessons
from ui.lessons.glossary import Term, terms
from ui.show.text import in_markdown
from ui.visit import Slot, nothing

# The text to find at the next run
NEXT_TERM: Slot[str | None] = Slot("_glossary_term", nothing)

FIND = "glossary_find"
MOST_TYPED = 60


def open_at(slug: str) -> None:
    """Go to the page with this term in the field. A slug that is no term's opens the whole page."""
    term = terms().get(slug)
    NEXT_TERM.write(term.term if term else "")
    st.switch_page(navigation.file_of("glossary"))


def draw() -> None:
    """Draw the field and the terms that contain its text, in their name or in their meaning."""
    wanted = NEXT_TERM.read()
    if wanted is not None:
        st.session_state[FIND] = wanted
        NEXT_TERM.forget()
    typed = st.text_input(
        "Find a term",
        key=FIND,
        max_chars=MOST_TYPED,
        placeholder="such as tie, or byte",
        persist_state="session",
    )
    listed = matching(typed)
    if not listed:
        st.info("No term contains this text. Try another word, or clear the field to see all terms.")
    for term in listed:
        _draw_term(term)


def matching(typed: str) -> list[Term]:
    """Return the terms whose name contains the text; without such a name, those whose meaning does."""
    text = typed.strip().lower()
    named = [term for term in terms().values() if text in term.term.lower()]
    return named or [term for term in terms().values() if text in term.means.lower()]


def _draw_term(term: Term) -> None:
    lesson = lessons()[term.see]
    prefix = f"See lesson {lesson.number}" if lesson.number else f"See a lesson {CURIOUS.lower()}"
    with st.container(key=f"term_{term.slug}", gap=None):
        st.markdown(f"**{in_markdown(term.term)}**  \n{in_markdown(term.means, most=300)}")
        label = f"{prefix}: {in_markdown(lesson.title)}"
        if st.button(
            label,
            key=f"term_lesson_{term.slug}",
            type="tertiary",
            on_click=choosing.ask_for,
            args=(term.see,),
        ):
            st.switch_page(navigation.file_of("lessons"))
