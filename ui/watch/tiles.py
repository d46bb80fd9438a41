"""The tiles of Watch: five numbers."""

import streamlit as st

from bpe import Trace
from ui.show import tables


def draw(trace: Trace, step: int) -> None:
    """Draw the numbers after `step` merges, each with its meaning and its change by the last merge."""
    now, start = tables.numbers(trace, step), tables.numbers(trace, 0)
    most = max((step.tied for step in trace.steps), default=1)
    by = "by the last merge" if step else "no merge yet"
    rows = (
        (
            "Tokens in the corpus",
            f"{now.tokens:,}",
            _signed(now.tokens_change),
            by,
            "Tokens in all words, each word as often as it occurs.",
        ),
        (
            "Vocabulary",
            f"{now.vocabulary:,}",
            _signed(1 if step else 0),
            by,
            "Special tokens, initial symbols and one token for each merge. It never shrinks.",
        ),
        (
            "Tokens in use",
            f"{now.in_use:,}",
            _signed(now.in_use_change),
            by,
            "Different tokens the corpus holds now. A merge adds one and may use up its parts.",
        ),
        (
            "Characters per token",
            f"{now.characters_per_token:.2f}",
            f"{start.characters_per_token:.2f}",
            "at the start",
            "Characters of all words, markers not counted, divided by the tokens in the corpus.",
        ),
        (
            "Merges decided by a tie",
            f"{now.tied_steps:,} of {now.steps:,}",
            f"{most:,}",
            "pairs at most",
            "Merges for which several pairs shared the highest count, so that the tie-breaking rule chose.",
        ),
    )
    with st.container(key="tiles"):
        for label, value, change, of_what, meaning in rows:
            st.metric(
                label,
                value,
                change,
                delta_color="off",
                delta_arrow="off",
                delta_description=of_what,
                border=True,
                height="stretch",
                help=meaning,
            )


def _signed(change: int) -> str:
    return f"{change:+,}".replace("-", "−") if change else "±0"
