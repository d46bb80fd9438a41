"""Watch: where it begins, what the grid is fed with, pairs taken by hand, and what a reader must know."""

import re
from collections.abc import Sequence

import streamlit as st

import bpe
from bpe import Trace
from film.training_feed import Feed, Text, training_feed
from ui.components.token_grid import Pick
from ui.show.tables import pair_text
from ui.show.text import counted, in_markdown, shortened
from ui.sidebar import share_file, sidebar
from ui.sidebar.recipe import Recipe, signature
from ui.sidebar.sidebar import Choice

MOST_OFFERED = 12  # tied pairs offered as buttons
ENDINGS = {
    "merges": "as many as were asked for",
    "vocab_size": "the vocabulary has the size asked for",
    "no pairs": "no pair is left to merge",
    "min_count": "no pair counts as much as the minimum",
    "cancelled": "training was stopped",
}
# Japanese, Chinese, Thai and Lao, Burmese, Khmer
UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
MOST_LOOKED_AT = 2_000  # distinct words, for telling the script


def step_to_begin_with(trace: Trace, choice: Choice) -> int:
    """Where it was last seen; else where the link says; else a sample mid-way before a tie, an own text untouched.

    Whoever opens a sample comes to see something, whoever brings a text comes to see it from the start.
    """
    ties = (step.rank for step in trace.steps if step.tied > 1 and step.rank >= 1)
    alive = next(ties, len(trace.steps) // 3) if choice.source == "sample" else 0
    step = st.session_state.get("_steps", {}).get(choice.base, alive if choice.step is None else choice.step)
    return min(int(step), len(trace.steps))


def remember(choice: Choice, step: int) -> None:
    """The step, for this corpus, variant and rule: another number of merges or a pick by hand does not move it."""
    st.session_state.setdefault("_steps", {})[choice.base] = step


def feed(trace: Trace, choice: Choice, start: int) -> Feed:
    """What the grid is fed with, from this character of the text on."""
    assert choice.corpus is not None
    name = f"{signature(choice.corpus, choice.recipe)} {len(trace.steps)} {trace.stopped}"
    return _feed(name, start, trace, choice.corpus.training_text)


@st.cache_resource(max_entries=24, show_spinner=False)
def _feed(name: str, start: int, _trace: Trace, _text: Text) -> Feed:
    return training_feed(_trace, _text, start=start, picks=True)


def notes(trace: Trace, choice: Choice) -> None:
    """What a reader must know: why training ended, what the variant loses, words that are whole sentences."""
    steps = len(trace.steps)
    said = [f"Training ended after {counted(steps, 'merge')}: {ENDINGS[trace.stopped]}."]
    if trace.variant.loses:
        said.append(f"The grid shows the text as this variant keeps it; lost is {trace.variant.loses}.")
    if trace.variant.configure and choice.corpus is not None:
        said += _left_out(trace, choice.corpus.documents)
    if trace.variant.words_between_spaces and _unspaced(trace):
        said.append(
            "White space does not separate words in this text, so a “word” here is a whole phrase: "
            "a variant in bytes shows it better."
        )
    st.caption(in_markdown("  ".join(said), most=2000))


def _left_out(trace: Trace, documents: Sequence[str]) -> list[str]:
    """How much of the text the pattern does not match, if any of it."""
    gaps = [gap for document in documents for gap in bpe.uncovered(trace.variant, document)]
    if not gaps:
        return ["The pattern covers the whole text."]
    characters = sum(len(stretch) for _, stretch in gaps)
    return [
        f"The pattern leaves out {characters:,} characters, the first of them “{shortened(gaps[0][1], 20)}”."
    ]


def address(choice: Choice, step: int) -> None:
    """A link to this very step, or why there is none."""
    with st.popover("Link to this step", icon="🔗"):
        share_file.link(choice.source == "sample", step)


def _unspaced(trace: Trace) -> bool:
    """Most of the text's beginning is in a script that puts no space between words."""
    beginning = "".join(trace.pre_tokens[:MOST_LOOKED_AT])
    return 2 * len(UNSPACED.findall(beginning)) > len(beginning)


def take(trace: Trace, pick: Pick | None) -> None:
    """Train again with the tied pair that the viewer took in the grid or the pair table."""
    if pick is None or pick.rank >= len(trace.steps):
        return
    tied, pair = trace.tied_pairs(pick.rank), (pick.left, pick.right)
    if pair in tied and pair != trace.steps[pick.rank].pair:
        sidebar.pick(pick.rank, tied.index(pair))
        st.rerun()


def picked(trace: Trace, recipe: Recipe) -> None:
    """The merges taken by hand, each with its way back."""
    if not recipe.picks:
        return
    row = st.container(horizontal=True, vertical_alignment="center", key="picks")
    row.caption("Taken by hand:", width="content")
    for rank, _ in recipe.picks:
        if rank < len(trace.steps):
            text = in_markdown(pair_text(trace, trace.steps[rank].pair))
            row.button(
                f"Undo merge {rank}: {text}",
                key=f"undo_{rank}",
                on_click=_undo,
                args=(rank,),
                icon="↩️",
                help="Gives this merge back to the rule; picks after it fall away with it.",
            )


def what_if(trace: Trace, step: int) -> None:
    """The other tied pairs of the next merge, each a button that takes it instead."""
    if step >= len(trace.steps) or trace.steps[step].tied < 2:
        return
    chosen, tied = trace.steps[step].pair, trace.tied_pairs(step)
    row = st.container(horizontal=True, vertical_alignment="center", key="what_if")
    row.caption(f"What if merge {step} took another of the {len(tied):,} tied pairs?", width="content")
    for number, pair in enumerate(tied[:MOST_OFFERED]):
        if pair != chosen:
            text = in_markdown(pair_text(trace, pair))
            row.button(text, key=f"take_{step}_{number}", on_click=_take, args=(step, number))
    if len(tied) > MOST_OFFERED:
        row.caption(f"and {len(tied) - MOST_OFFERED:,} more", width="content")


def _take(rank: int, number: int) -> None:
    sidebar.pick(rank, number)
    st.rerun()  # of the whole page: the button stands in a fragment, the training does not


def _undo(rank: int) -> None:
    sidebar.undo_pick(rank)
    st.rerun()


def teach(problem: str) -> None:
    """In place of a result: what is missing, what will happen then, and a way on."""
    st.info(in_markdown(problem, most=500), icon="✍️")
    st.markdown(
        "1. Every word is spelled in its smallest pieces: characters or bytes.\n"
        "2. All pairs of neighbours are counted, and the most frequent pair becomes one token, everywhere.\n"
        "3. Again, until a stop rule holds. When several pairs share the highest count, a rule decides: a tie."
    )
    st.button("Show me a sample instead", on_click=lambda: st.session_state.update(corpus_source="sample"))
