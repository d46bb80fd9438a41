"""The controls of the page Languages: tokenizers, texts, the measure and the base text. The link holds them."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from bpe.analysis.language_metrics import METRICS, Metric
from published.rows import PUBLISHED
from ui import visit
from ui.languages import own_files
from ui.languages.tokenizers import FIRST, TRAINED, offered
from ui.sidebar.corpus import from_sample, samples
from ui.sidebar.sidebar import Choice

TOKENIZERS, TEXTS, MEASURE, BASE = "measured_by", "measured_texts", "measured", "measured_base"
SAMPLE = "languages"
SOURCES = {"sample": "Fourteen languages", "own": "The text in the sidebar"}
FIRST_MEASURE = "premium"
MOST_CHARACTERS = 200_000  # of all texts


@dataclass(frozen=True, slots=True)
class Choices:
    """What the controls say."""

    tokenizers: tuple[str, ...]  # as `offered` names them
    texts: Mapping[str, str]
    measure: Metric
    base: str  # name of a text
    left_out: int  # characters of the texts that are not measured


def _linked_tokenizers(text: str) -> list[str] | None:
    """Return the tokenizers of a link; None if it names an unknown one."""
    chosen = list(dict.fromkeys(text.split("~")))
    return chosen if set(chosen) <= {*PUBLISHED, TRAINED} else None


LINK = {
    "by": (TOKENIZERS, _linked_tokenizers),
    "measure": (MEASURE, visit.slug(*METRICS)),
    "texts": (TEXTS, visit.slug(*SOURCES)),
}


def draw(choice: Choice | None) -> Choices:
    """Draw the controls and return what they say."""
    area = st.container()
    new = own_files.draw()
    with area:
        chosen = _choose_tokenizers(new)
    left, middle, right = st.columns([1.6, 1, 1], gap="medium")
    with left:
        source = _choose_source(choice)
    texts = named_texts(choice if source == "own" else None)
    with middle:
        measure = _choose_measure()
    base = next(iter(texts))
    if measure.takes_base:
        with right:
            base = str(
                st.selectbox("Base text", list(texts), key=f"{BASE}_{source}", persist_state="session")
            )
    visit.write(
        {
            "by": "~".join(one for one in chosen if one in PUBLISHED or one == TRAINED)
            if chosen != FIRST
            else None,
            "measure": measure.slug if measure.slug != FIRST_MEASURE else None,
            "texts": source if source != "sample" else None,
        }
    )
    most = MOST_CHARACTERS // len(texts)
    left_out = sum(max(0, len(text) - most) for text in texts.values())
    return Choices(chosen, {name: text[:most] for name, text in texts.items()}, measure, base, left_out)


def named_texts(choice: Choice | None) -> dict[str, str]:
    """Return the texts by name: the sidebar's files, or its text as one; without a choice the sample's languages."""
    if choice is None:
        return dict(from_sample(SAMPLE).named)
    corpus = choice.corpus
    return dict(corpus.named) or {corpus.title: corpus.reading_text}


def _choose_tokenizers(new: str | None) -> tuple[str, ...]:
    """Draw the choice, in which a new tokenizer is chosen, and return it."""
    names = offered()
    chosen = st.session_state.get(TOKENIZERS)
    if not isinstance(chosen, list) or not all(one in list(names) for one in chosen):
        chosen = st.session_state[TOKENIZERS] = list(FIRST)
    if new is not None and new not in chosen:
        st.session_state[TOKENIZERS] = [*chosen, new]
    st.pills(
        "Tokenizers",
        list(names),
        selection_mode="multi",
        key=TOKENIZERS,
        format_func=names.__getitem__,
        persist_state="session",
    )
    return tuple(one for one in names if one in st.session_state[TOKENIZERS])


def _choose_source(choice: Choice | None) -> str:
    if st.session_state.get(TEXTS) not in SOURCES:
        st.session_state[TEXTS] = "own" if choice and len(choice.corpus.named) > 1 else "sample"
    source = st.segmented_control(
        "Texts",
        tuple(SOURCES),
        key=TEXTS,
        format_func=SOURCES.__getitem__,
        required=True,
        persist_state="session",
        help=f"“{samples()[SAMPLE].title}” says the same in every line. For texts of your own, upload several files.",
    )
    return "sample" if choice is None else str(source)


def _choose_measure() -> Metric:
    if st.session_state.get(MEASURE) not in METRICS:
        st.session_state[MEASURE] = FIRST_MEASURE
    slug = st.selectbox(
        "Measure",
        tuple(METRICS),
        key=MEASURE,
        format_func=lambda one: METRICS[one].title,
        persist_state="session",
    )
    return METRICS[str(slug)]
