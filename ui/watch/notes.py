"""The notes below Watch: why training ended, what the variant drops, and a warning if words are whole sentences."""

import re
from collections.abc import Sequence

import streamlit as st

import bpe
from bpe import Trace
from bpe.analysis.ending import ending
from bpe.text.display import counted, merge_name
from bpe.text.normalizing import NORMALIZATIONS
from ui.show.text import in_markdown, shortened
from ui.sidebar.sidebar import Choice
from ui.watch.replay_notes import spanning

# Japanese, Chinese, Thai and Lao, Burmese, Khmer
UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
MOST_LOOKED_AT = 2_000  # distinct words read to recognise the script


def draw_nothing_to_watch(trace: Trace) -> None:
    """Say what to change if no merge was asked for. Nothing if there are merges, or no pair to merge."""
    if not trace.steps and trace.stopped == "merges":
        st.info("You asked for 0 merges, so nothing moves. Set Merges in the sidebar to 1 or more.")


def draw_notes(trace: Trace, choice: Choice) -> None:
    """Draw the sentences that apply to this training, in one caption."""
    work = "The replay" if trace.replayed else "This training"
    notes = [f"{work} has {counted(len(trace.steps), 'merge')}: {_ending(trace)}."]
    if trace.log.second_after is not None:
        after = trace.log.second_after
        notes.append(f"The second stage begins at {merge_name(after)}. {spanning(trace, after)}")
    if lost := losses(trace):
        notes.append(f"From these tokens, decoding cannot restore everything. Lost: {lost}.")
    if choice.corpus.frequencies is not None:
        notes.append(_whole_words(trace))
    elif (trace.variant.first or trace.variant).pattern:
        notes.append(_coverage(trace, choice.corpus.documents))
    if trace.variant.words_between_spaces and trace.variant.first is None and _mostly_unspaced(trace):
        notes.append(
            "White space does not separate words in this text, so a “word” here can be a whole phrase. "
            "Only a variant that reads the whole text as one word avoids this."
        )
    st.caption(in_markdown(" ".join(filter(None, notes)), most=2000))


def losses(trace: Trace) -> str:
    """Return what decoding cannot restore, in words; "" if it restores every text."""
    form = trace.request.normalization
    changed = f"what {NORMALIZATIONS[form].name} changed" if form else ""
    return "; and ".join(filter(None, [trace.variant.loses, changed]))


def _whole_words(trace: Trace) -> str:
    """Return a sentence on the words of a word list that encoding splits, though each was trained whole; or ""."""
    split = trace.variant.split
    words = trace.pre_tokens[:MOST_LOOKED_AT]
    divided = [word for word in words if split(word) not in ([word], [f" {word}"])]
    if not divided:
        return ""
    return (
        f"A word list is trained word by word. Encoding splits {counted(len(divided), 'word')} of it further, "
        f"starting with “{shortened(divided[0], 20)}”."
    )


def _ending(trace: Trace) -> str:
    if trace.replayed and trace.stopped == "cancelled":
        return "it was stopped"
    return ending(trace)


def _coverage(trace: Trace, documents: Sequence[str]) -> str:
    """Return a sentence on how much of the text the pattern does not match."""
    variant = trace.variant.first or trace.variant
    gaps = [gap for document in documents for gap in bpe.uncovered(variant, document)]
    if not gaps:
        return "The pattern covers the whole text."
    characters = sum(len(text) for _, text in gaps)
    return f"The pattern leaves out {counted(characters, 'character')}, starting with “{shortened(gaps[0][1], 20)}”."


def _mostly_unspaced(trace: Trace) -> bool:
    """Return whether most of the text's beginning is in a script that puts no space between words."""
    beginning = "".join(trace.pre_tokens[:MOST_LOOKED_AT])
    return 2 * len(UNSPACED.findall(beginning)) > len(beginning)
