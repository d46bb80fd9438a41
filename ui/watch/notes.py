"""The notes below Watch: why training ended, what the variant drops, and a warning if words are whole sentences."""

import re
from collections.abc import Sequence

import streamlit as st

import bpe
from bpe import Trace
from bpe.text.display import counted
from ui.show.text import in_markdown, shortened
from ui.sidebar.sidebar import Choice

ENDINGS = {
    "merges": "as many as were asked for",
    "vocab_size": "the vocabulary has the size asked for",
    "no pairs": "no pair is left to merge",
    "min_count": "no pair counts as much as the minimum",
    "end of list": "no other merge of the tokenizer applies to this text",
    "cancelled": "training was stopped",
}
# Japanese, Chinese, Thai and Lao, Burmese, Khmer
UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
MOST_LOOKED_AT = 2_000  # distinct words read to recognise the script


def draw_notes(trace: Trace, choice: Choice) -> None:
    """Draw the sentences that apply to this training, in one caption."""
    steps = len(trace.steps)
    notes = [f"Training ended after {counted(steps, 'merge')}: {ENDINGS[trace.stopped]}."]
    if trace.variant.loses:
        notes.append(f"The grid shows the text as this variant keeps it; lost is {trace.variant.loses}.")
    if trace.variant.pattern:
        notes.append(_coverage(trace, choice.corpus.documents))
    if trace.variant.words_between_spaces and _mostly_unspaced(trace):
        notes.append(
            "White space does not separate words in this text, so a “word” here is a whole phrase: "
            "a variant in bytes shows it better."
        )
    st.caption(in_markdown("  ".join(notes), most=2000))


def _coverage(trace: Trace, documents: Sequence[str]) -> str:
    """Return a sentence on how much of the text the pattern does not match."""
    gaps = [gap for document in documents for gap in bpe.uncovered(trace.variant, document)]
    if not gaps:
        return "The pattern covers the whole text."
    characters = sum(len(text) for _, text in gaps)
    return (
        f"The pattern leaves out {characters:,} characters, the first of them “{shortened(gaps[0][1], 20)}”."
    )


def _mostly_unspaced(trace: Trace) -> bool:
    """Return whether most of the text's beginning is in a script that puts no space between words."""
    beginning = "".join(trace.pre_tokens[:MOST_LOOKED_AT])
    return 2 * len(UNSPACED.findall(beginning)) > len(beginning)
