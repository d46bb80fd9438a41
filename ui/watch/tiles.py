"""The tiles of Watch: five numbers."""

import streamlit as st

from bpe import Trace
from bpe.analysis.compression import why_below_one
from bpe.text.display import counted
from ui.show import tables
from ui.show.overview import overview_of


def draw(trace: Trace, step: int) -> None:
    """Draw the numbers after `step` merges, each with its meaning and its change by the last merge."""
    now, start = tables.numbers(trace, step), tables.numbers(trace, 0)
    by = "by the last merge" if step else "no merges yet"
    rows = (
        (
            "Tokens in the text",
            f"{now.tokens:,}",
            _signed(now.tokens_change),
            by,
            "How many tokens the text needs now. A word that occurs 5 times needs its tokens 5 times.",
        ),
        (
            "Vocabulary",
            f"{now.vocabulary:,}",
            _signed(now.vocabulary_change),
            by,
            "How many of the tokenizer's tokens exist after this merge of its list. It never shrinks."
            if trace.replayed
            else "Special tokens, initial symbols, and one token for each merge. It never shrinks.",
        ),
        (
            "Tokens in use",
            f"{now.in_use:,}",
            _signed(now.in_use_change),
            by,
            "How many different tokens appear in the text now. A merge adds one and can make its parts disappear.",
        ),
        (
            "Characters per token",
            f"{now.characters_per_token:.2f}",
            f"{start.characters_per_token:.2f}",
            "at the start",
            f"How many characters a token has on average. {why_below_one(trace.variant)}".strip(),
        ),
        _replay_row(trace) if trace.replayed else _tie_row(trace, now),
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
                help=meaning,
            )


def _tie_row(trace: Trace, now: tables.Numbers) -> tuple[str, str, str, str, str]:
    most = max(overview_of(trace).tied, default=1)
    return (
        "Merges that broke a tie",
        f"{now.tied_steps:,} of {now.steps:,}",
        counted(most, "pair") if most > 1 else "no tie",
        "largest tie" if most > 1 else "",
        "At these merges several pairs shared the highest count, so the tie-breaking rule had to choose.",
    )


def _replay_row(trace: Trace) -> tuple[str, str, str, str, str]:
    assert trace.replayed
    steps = len(trace.replayed.replayed_ranks)
    chosen = sum(tied > 0 for tied in overview_of(trace).tied[:steps])
    return (
        "Chosen by the counts too",
        f"{chosen:,} of {steps:,}",
        f"{steps - chosen:,}",
        "have a rarer pair",
        "Merges of the tokenizer whose pair has the highest count in this text, alone or tied. For the others, a "
        "training on this text would choose another pair.",
    )


def _signed(change: int) -> str:
    return f"{change:+,}".replace("-", "−") if change else "±0"
