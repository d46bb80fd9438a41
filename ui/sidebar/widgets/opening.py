"""Openings: until the viewer chooses a text, each page begins with the sample that shows it best.

A link names the text, so an opening is for a page that is opened without parameters, or from the menu. As soon as the
viewer, a link or a lesson chooses a text or a setting, it stays on all pages.
"""

import streamlit as st

from ui.sidebar.links import link
from ui.sidebar.recipes.settings import SAMPLES, SOURCES
from ui.sidebar.widgets import corpus_controls
from ui.visit import OPENING_SAMPLES, Slot, nothing

# The sample that the last page began with, "" once a text or a setting is chosen; None before the first page
OPENED: Slot[str | None] = Slot("_opened_sample", nothing)
# The sample that a link to this page need not name; None if it names every one
UNNAMED_SAMPLE: Slot[str | None] = Slot("_unnamed_sample", nothing)


def begin(page: str) -> None:
    """Put the page's sample into the controls if nobody has chosen a text yet. Call it before they are drawn."""
    first = SAMPLES.slugs[0]
    sample = OPENING_SAMPLES.get(page, first)
    UNNAMED_SAMPLE.write(first if sample == first else None)
    before = OPENED.read()
    if before is None:
        chosen = bool(st.query_params.to_dict()) or link.names_any()
        before = "" if chosen else first
    elif before and not _is_untouched(before):
        before = ""
    if before and before != sample:
        corpus_controls.put_sample(sample)
        before = sample
    OPENED.write(before)


def end() -> None:
    """Keep the text on all pages from now on. Call it where something else than the controls chooses it."""
    OPENED.write("")


def unnamed_sample() -> str | None:
    """Return the sample that a link to the page need not name; None if it names every one."""
    return UNNAMED_SAMPLE.read()


def _is_untouched(sample: str) -> bool:
    """Return whether text and settings are still those of the page that began with this sample."""
    named = {"corpus_sample": sample} if sample != SAMPLES.slugs[0] else {}
    state = st.session_state
    return (
        link.current() == named
        and state.get("corpus_source", SOURCES.slugs[0]) == SOURCES.slugs[0]
        and state.get("corpus_sample", sample) == sample
    )
