"""The answer of Compare: an introduction while lanes are missing, the verdict, and the tokens that lanes learned."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe.comparison.evidence import Evidence
from bpe.comparison.lanes import FEWEST
from bpe.comparison.verdict import ANSWERS
from ui.page_parts.compare import parts, verdict
from ui.page_parts.compare.comparison import PageComparison, draw_state, evidence_of, measure
from ui.page_parts.compare.lanes import put_lanes
from ui.page_parts.compare.parts import Disputed, disputed, draw_disputed
from ui.page_parts.lessons.choosing import ask_for
from ui.shown.navigation import file_of
from ui.trainings.corpus import sample_of
from ui.trainings.recipe import Recipe
from ui.view.text import in_markdown
from ui.view.visit import COMPARED_RULES

_BELOW = "All figures are below the lanes, under Evidence."
# What the study of ties found, and the beat of a lesson that draws it.
_MODELS = (
    "All of this is about tokens. In the loss of 81 small language models, no difference between nine ways to break "
    "ties was found."
)
_MODELS_LESSON, _MODELS_BEAT = "does-a-model-notice", 2


def introduction() -> None:
    """Draw an explanation of lanes, and a button that compares two of them."""
    st.header("Does the tie-break matter here?", anchor=False)
    st.info(
        f"Choose at least {FEWEST} lanes: rules, trainers, or a branch of your own.",
        icon=":material/balance:",
    )
    st.markdown(
        "When several pairs share the highest count, they tie, and a rule decides which one is merged. The smaller the "
        "text and the more merges, the more ties there are, and trainers differ in their rules. Compare them side by "
        "side to see whether that matters."
    )
    st.button("Compare two rules", on_click=put_lanes, args=(COMPARED_RULES,))


def place(comparison: PageComparison) -> DeltaGenerator:
    """Return the place of the answer. It is as high as what comes, so that the lanes below it stay where they are."""
    container = st.container(key=f"verdict_place_{verdict.lanes_drawn(comparison)}")
    container.empty()  # an element, so that the place is there before the answer
    return container


def verdict_section(comparison: PageComparison, shared: Recipe) -> None:
    """Draw the answer and what it is about. `shared` is the chosen recipe, whose ties are drawn at random."""
    measured = measure(comparison, shared)
    evidence = evidence_of(comparison)
    below = disputed(comparison, evidence) if evidence else None
    with st.container(key="verdict", gap="xxsmall"):  # the lanes and their transport fit below
        with st.container(key="answer_above_words" if below else None, gap="xxsmall"):
            _answer(comparison, evidence, below)
        with st.container(key="measuring"):
            draw_state(measured)
    if evidence:
        parts.answer_on_stage(comparison, evidence)


def _answer(comparison: PageComparison, evidence: Evidence | None, below: Disputed | None) -> None:
    first = verdict.answer(comparison, evidence) or "Does it matter?"
    st.header(in_markdown(first, most=1000), anchor=False)
    if evidence is None:
        return
    with st.container(key="new_text", gap="xxsmall"):
        if second := verdict.new_text(comparison, evidence):
            st.markdown(in_markdown(second, most=1000))
        with st.container(horizontal=True, vertical_alignment="center", key="how_decided"):
            st.caption(in_markdown(verdict.tested_on(comparison, evidence), most=400), width="content")
            _how_decided(comparison, evidence)
    if below:
        draw_disputed(comparison, below)


def _lanes_and_text(comparison: PageComparison) -> str:
    """Return what a lane is, on which text the lanes are tested, and what to know of the text they were trained on."""
    sample = sample_of(comparison.corpus)
    caution = f" {sample.caution}" if sample and sample.caution else ""
    title, held_out = comparison.corpus.title, comparison.held_out.title
    corpus = f"{title[0].lower()}{title[1:]}" if comparison.corpus.is_typed else f"“{title}”"
    opened = [trace.origin.replays for trace in comparison.traces]
    lane = f"one training on {corpus}"
    if any(opened):
        lane = f"{lane}, or a finished tokenizer replayed there"
    if all(opened):
        return f"Each lane is a finished tokenizer, replayed on {corpus} and tested on {held_out}.{caution}"
    return f"Each lane is {lane}, tested on {held_out}.{caution}"


def _how_decided(comparison: PageComparison, evidence: Evidence) -> None:
    """Draw a popover with the sentences that continue the answer, and with what the answers mean."""
    with st.popover("How we decide", key="how_we_decide"):
        paragraphs = (verdict.brief(comparison, evidence), [ANSWERS])
        for sentences in (*paragraphs, [_lanes_and_text(comparison), _BELOW, _MODELS]):
            st.caption(in_markdown(" ".join(sentences), most=2500))
        if st.button("See how that was measured", key="to_models", type="tertiary"):
            ask_for(_MODELS_LESSON, _MODELS_BEAT)
            st.switch_page(file_of("lessons"))


def named_texts(comparison: PageComparison) -> None:
    """Draw a hint to the page that compares several named texts one by one."""
    if len(comparison.corpus.named) > 1:
        st.caption(
            f"Which of your {len(comparison.corpus.named):,} texts needs the most tokens? The page Tokenizers compares "
            "them one by one."
        )


def learned_tokens(comparison: PageComparison) -> None:
    """Draw the tokens that only one lane learned, and those that all learned."""
    moved = len(comparison.moved)
    note = f" {moved:,} shared ones came in a different order." if moved else ""
    st.caption(f"The learned tokens, after the last merge.{note}")
    parts.learned_tokens(comparison)
