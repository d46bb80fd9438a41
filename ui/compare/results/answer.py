"""The answer of Compare: an introduction while lanes are missing, the verdict, and the tokens that lanes learned."""

import streamlit as st

from ui.compare.choice.lane_state import put_lanes
from ui.compare.choice.lanes import FEWEST
from ui.compare.grids import parts
from ui.compare.measures import measuring, verdict
from ui.compare.measures.comparison import Comparison
from ui.languages import tab as languages
from ui.show.text import in_markdown
from ui.sidebar.recipes.recipe import Recipe
from ui.streamlit_gaps.to_tabs import to_tabs
from ui.visit.first_visit import COMPARED_RULES

TABS = "compare_details"  # key of the tabs with the details


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
    st.button(
        "Compare two rules",
        on_click=put_lanes,
        args=(COMPARED_RULES,),
    )


def verdict_section(comparison: Comparison, shared: Recipe) -> None:
    """Draw the answer and the evidence behind it. `shared` is the sidebar's recipe, whose ties are drawn at random."""
    measuring.measure(comparison, shared)
    evidence = measuring.evidence_of(comparison)
    with st.container(key="verdict", gap="xxsmall"):  # the lanes and their transport fit below
        if evidence is None:
            st.header("Does it matter?", anchor=False)
        else:
            # One more row would push the lanes down.
            with st.container(horizontal=True, vertical_alignment="center"):
                answer = in_markdown(verdict.answer(comparison, evidence), most=1000)
                st.header(answer, anchor=False, width="content")
                to_tabs("See the evidence", TABS, key="to_evidence")
            st.caption(in_markdown(" ".join(verdict.brief(comparison, evidence)), most=1700))
        measuring.draw_state(comparison)


def first_divergence(comparison: Comparison) -> None:
    """Draw how lanes that split the text differently are compared, and the first merge at which lanes differ."""
    if sentences := verdict.how_compared(comparison):
        st.caption(in_markdown(sentences, most=1000))
    if not comparison.has_files:  # whose lists did not choose among the pairs of this text
        parts.divergence(comparison)


def named_texts(comparison: Comparison) -> None:
    """Draw a hint to the tab that compares several named texts one by one and trains parity-aware BPE."""
    if len(comparison.corpus.named) >= languages.FEWEST:
        st.caption(
            f"Which of your {len(comparison.corpus.named):,} texts needs the most tokens? The tab “Languages” below "
            "compares them one by one. There you can also train parity-aware BPE, which lets the text that is "
            "compressed worst choose each merge."
        )


def learned_tokens(comparison: Comparison) -> None:
    """Draw the tokens that only one lane learned, and those that all learned."""
    st.header("Which tokens each lane ended up with", anchor=False)
    moved = len(comparison.agreements[0].moved) if len(comparison.lanes) == 2 else 0
    note = f" {moved:,} of the shared tokens came in a different order." if moved else ""
    st.caption(f"The tokens created by merges, after the last merge of each lane.{note}")
    parts.learned_tokens(comparison)
