"""The text of an audit, which shows what tokens are used: that of the sidebar, a sample, or one of the viewer's own."""

from dataclasses import dataclass

import streamlit as st

from bpe.analysis.audit import Texts
from ui import visit
from ui.show.text import well_formed
from ui.sidebar.sidebar import Choice
from ui.sidebar.texts.corpus import from_sample, samples
from ui.vocabulary.own_text import own_text
from ui.work.byte_cache import digest_of

KEY, OWN_TEXT = "audit_by", "audit_own_text"
SIDEBAR, OWN = "sidebar", "own"
MOST_CHARACTERS = 1_000_000  # of a text of one's own
SHORT_TEXT = 200_000  # characters
LINK = {"audit": (KEY, visit.slug(*samples(), OWN))}


@dataclass(frozen=True, slots=True)
class Reference:
    """A text by which tokens are judged."""

    digest: str  # hash of the text
    texts: Texts
    is_short: bool  # an audit by it takes seconds


def choose_reference(choice: Choice) -> Reference | None:
    """Draw the choice and return the text; None while the viewer's own is empty."""
    titles = {SIDEBAR: "The text in the sidebar"}
    titles |= {slug: sample.title for slug, sample in samples().items() if sample.kind == "text"}
    titles[OWN] = "A text of my own"
    if st.session_state.get(KEY) not in titles:
        st.session_state[KEY] = SIDEBAR
    slug = str(
        st.selectbox(
            "Which text shows what tokens are used?",
            tuple(titles),
            key=KEY,
            format_func=titles.__getitem__,
            persist_state="session",
        )
    )
    if slug == OWN:
        return _own_text()
    corpus = choice.corpus if slug == SIDEBAR else from_sample(slug)
    texts = corpus.documents if corpus.frequencies is None else corpus.frequencies
    return Reference(corpus.digest, texts, corpus.characters <= SHORT_TEXT)


def _own_text() -> Reference | None:
    text = own_text("Text that shows what tokens are used", OWN_TEXT, MOST_CHARACTERS)
    if not text.strip():
        st.info("Paste or type a text, then press Ctrl+Enter or leave the field.")
        return None
    return Reference(digest_of(text), [well_formed(text)], len(text) <= SHORT_TEXT)


def linked() -> dict[str, str | int | None]:
    """Return the link parameter of the text; empty for the one in the sidebar."""
    slug = st.session_state.get(KEY)
    return {"audit": None if slug in (None, SIDEBAR) else str(slug)}
