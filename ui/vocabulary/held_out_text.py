"""The held-out text of Vocabulary: a sample other than the corpus, or a text of the viewer's own."""

import streamlit as st

from ui import visit
from ui.choices import corpus as corpora
from ui.choices.choices import Choice
from ui.choices.corpus import samples
from ui.show.menus import menu
from ui.streamlit_gaps.kept_text import kept_text


def own_text(label: str, key: str, most: int) -> str:
    """Draw the field of this widget key, whose text survives a reload, and return the text.

    It has at most `most` characters.
    """
    text = st.text_area(label, key=key, height=96, max_chars=most, persist_state="session")
    kept_text({key: key}, (key,), key=f"_kept_{key}", restore=st.session_state.update)
    return text or ""


KEY, OWN_TEXT = "vocabulary_held_out", "vocabulary_own_text"
OWN = "own"
PREFERRED = ("story", "ties")  # samples of sufficient length in plain English
MOST_CHARACTERS = 100_000
LINK = {"held_out": (KEY, visit.slug(*samples(), OWN))}


def choose_held_out_text(choice: Choice) -> tuple[str, str]:
    """Draw the choice and return (title, text)."""
    trained = st.session_state.get("corpus_sample") if choice.source == "sample" else None
    slugs = [slug for slug, sample in samples().items() if sample.kind == "text" and slug != trained]
    titles = {slug: samples()[slug].title for slug in slugs} | {OWN: "A text of my own"}
    first = next((slug for slug in PREFERRED if slug in slugs), "")
    slug = menu("Held-out text", titles, KEY, first)
    if slug != OWN:
        return titles[slug], "\n".join(corpora.from_sample(slug).documents)[:MOST_CHARACTERS]
    return "my text", own_text("Text that was not trained on", OWN_TEXT, MOST_CHARACTERS)


def linked() -> dict[str, str | int | None]:
    """Return the link parameter of the text; empty for the first suggestion."""
    slug = st.session_state.get(KEY)
    return {"held_out": None if slug in (None, PREFERRED[0]) else str(slug)}
