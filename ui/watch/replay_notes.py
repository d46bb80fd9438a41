"""The line of Watch on a replay: whose merges apply to this text, and how many its counts would have chosen."""

import streamlit as st

from bpe import Trace
from bpe.text.display import counted
from ui.show.text import in_markdown
from ui.sidebar.tokenizer_files import TokenizerFile


def draw(trace: Trace, file: TokenizerFile) -> None:
    """Draw the line."""
    st.caption(f"**{in_markdown(file.name, 80)}**: {in_markdown(sentence(trace), 600)}")


def sentence(trace: Trace) -> str:
    """Return how many merges of the tokenizer apply to the text, and how many the counts would have chosen too."""
    assert trace.replayed
    listed, steps = len(trace.replayed.tokenizer.merges), len(trace.steps)
    if not steps:
        return f"none of the file's {counted(listed, 'merge')} applies to this text."
    apply = "applies" if steps == 1 else "apply"
    text = f"{steps:,} of the file's {counted(listed, 'merge')} {apply} to this text."
    if trace.stopped == "cancelled":
        text = f"{steps:,} of the file's {counted(listed, 'merge')} {apply} to this text so far."
    elif steps < listed:
        text += " The others stay in its vocabulary and encode other texts."
    chosen = sum(step.tied > 0 for step in trace.steps)
    return f"{text} A training on this text could have chosen {chosen:,} of these {steps:,} too."
