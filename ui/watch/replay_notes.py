"""The line of Watch on a replay: whose merges apply to this text, and how many its counts would have chosen."""

import streamlit as st

from bpe import Trace
from bpe.text.display import counted, merge_name
from bpe.text.superwords import spans_words
from ui.show.text import in_markdown
from ui.sidebar.tokenizers.tokenizer_files import TokenizerFile


def draw(trace: Trace, file: TokenizerFile) -> None:
    """Draw the line."""
    st.caption(f"**{in_markdown(file.name, 80)}**: {in_markdown(sentence(trace), 600)}")


def sentence(trace: Trace) -> str:
    """Return how many merges come from the tokenizer, how many of them the counts would choose, and what is learned."""
    assert trace.replayed
    learned = trace.replayed.learned
    listed, steps = len(trace.replayed.tokenizer.merges) - learned, len(trace.replayed.replayed_ranks)
    return " ".join(filter(None, (_from_file(trace, listed, steps), _learned(trace, steps, learned))))


def _learned(trace: Trace, steps: int, learned: int) -> str:
    if not learned:
        return ""
    what = f"{counted(learned, 'further merge')} {'is' if learned == 1 else 'are'} learned from this text"
    text = f"From {merge_name(steps)} on, {what}."
    return text if trace.variant.first is None else f"{text} {spanning(trace, steps)}"


def spanning(trace: Trace, after: int) -> str:
    """Return how many merges of the second stage, from step `after` on, make a token that spans several words."""
    first = trace.variant.first
    assert first
    tokens = [left + right for left, right in trace.merges[after:]]
    across = sum(spans_words(token, first) for token in tokens)
    return f"{across:,} of {counted(len(tokens), 'new token')} {'spans' if across == 1 else 'span'} several words."


def _from_file(trace: Trace, listed: int, steps: int) -> str:
    if not steps:
        return f"none of its {counted(listed, 'merge')} applies to this text."
    apply = "applies" if steps == 1 else "apply"
    text = f"{steps:,} of its {counted(listed, 'merge')} {apply} to this text."
    if not trace.replayed or not trace.replayed.complete:
        text = f"{steps:,} of its {counted(listed, 'merge')} {apply} to this text so far."
    elif steps < listed:
        text += " The others stay in its vocabulary and encode other texts."
    chosen = sum(step.tied > 0 for step in trace.steps[:steps])
    return f"{text} A training on this text could have chosen {chosen:,} of these {steps:,} too."
