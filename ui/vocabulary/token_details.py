"""The details of one token: a sentence, its merge tree, the tokens built from it, and words that contain it."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import partial

import streamlit as st

from bpe import Symbol, Trace
from bpe.analysis.merge_ranks import merge_rank
from bpe.analysis.vocabulary import Entry, depth_of, in_short, merge_tree
from bpe.text.display import counted, merge_name
from bpe.text.sentence_label import sentence_label
from film.labels import chip_label
from ui.components.chip_table import Chips, Column, chip_table
from ui.components.merge_tree import merge_tree as draw_tree
from ui.show.tables import bytes_text
from ui.show.text import in_markdown
from ui.vocabulary.token_search import TOKEN, look_at, suggest_token

MOST_BUILT = 60
MOST_WORDS = 100
WORD_COLUMNS = (
    Column("word"),
    Column("tokens now", "tokens"),
    Column("frequency", "number"),
    Column("times in the word", "number"),
)


def token_details(trace: Trace, vocabulary: Sequence[Entry], step: int) -> None:
    """Draw the details of the token whose id was typed, or chosen in the table or the tree."""
    last = vocabulary[-1].id
    suggest_token(suggested(vocabulary), last)
    st.header("One token")
    left, right = st.columns([1, 3], gap="medium", vertical_alignment="bottom")
    with left:
        number = int(st.number_input("Id", 0, last, key=TOKEN, step=1, persist_state="session"))
    entry = entry_of(vocabulary, number)
    if entry is None:
        st.caption(f"No token has the id {number:,}.")
        return
    with right:
        st.markdown(in_markdown(sentence(trace, entry, step), 600))
    if entry.state == "special":
        return
    tree = merge_tree(trace, entry.symbol)
    ranks = [rank for rank in trace.built_from(entry.symbol) if rank < step]
    built: list[Symbol] = [
        left + right for left, right in (trace.steps[rank].pair for rank in ranks[:MOST_BUILT])
    ]
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown(f"**Its merge tree**, {_levels(depth_of(trace, entry.symbol))}")
        draw_tree(trace, tree, built, len(ranks) - len(built), key="merge_tree", choose=look_at)
    with right:
        _words(trace, entry, step)


def entry_of(vocabulary: Sequence[Entry], number: int) -> Entry | None:
    """Return the token with this id; None if no token has it, as happens in tokenizers from files."""
    position = bisect_left(vocabulary, number, key=lambda entry: entry.id)
    entry = vocabulary[position] if position < len(vocabulary) else None
    return entry if entry is not None and entry.id == number else None


def _levels(depth: int) -> str:
    return "one level: it is in the alphabet" if depth == 1 else f"{depth:,} levels deep"


def suggested(vocabulary: Sequence[Entry]) -> int:
    """Return the id to begin with: the first of the longest tokens in use, which have the largest trees."""
    used = [entry for entry in vocabulary if entry.in_use] or list(vocabulary)
    return max(used, key=lambda entry: (entry.length, -entry.id)).id


def sentence(trace: Trace, entry: Entry, step: int) -> str:
    """Describe the token in one or two sentences: how it was made, and where it occurs now."""
    if entry.state == "special":
        return f"{entry.label} is a special token: it has an id and is never merged."
    label = sentence_label(trace.variant)
    origin = "is in the alphabet"
    if entry.born is not None and entry.pair is not None:
        left, right = (in_short(part, label) for part in entry.pair)
        rank = merge_rank(trace)(entry.symbol)
        listed = len(trace.replayed.tokenizer.merges) - trace.replayed.learned if trace.replayed else 0
        merge = merge_name(rank) + (" of the tokenizer" if rank < listed else "")
        origin = f"was created by {merge}, from {left} + {right}"
    times = "once" if entry.count == 1 else f"{entry.count:,} times"
    words = counted(entry.words, "distinct word")
    where = f"It occurs {times} now, in {words}."
    if not entry.count:
        where = {
            "never seen": "It never occurred in the text.",
            "used up": "It no longer occurs: merges used up every copy.",
        }.get(
            entry.state,
            "It is a stepping stone: every copy was merged into something longer.",
        )
    in_bytes = in_short(entry.symbol, partial(bytes_text, trace.variant))
    name = in_short(entry.symbol, label)
    subject = f"The byte token {name}" if name == in_bytes else f"{name} ({in_bytes})"
    return f"{subject} {origin}. {where}"


def _words(trace: Trace, entry: Entry, step: int) -> None:
    st.markdown("**Words that contain it**")
    if not entry.count:
        st.caption("None after these merges. Move the slider back to see it in use.")
        return
    label = sentence_label(trace.variant)
    chips = Chips(partial(chip_label, trace.variant), trace.id_of)
    uses = sorted(trace.uses(entry.symbol, step), key=lambda use: -use[1])
    rows = []
    for word, frequency, times in uses[:MOST_WORDS]:
        segmentation = chips(*trace.segment(word, step)) if len(word) <= 200 else "…"
        title = label(word.encode())
        rows.append((title if len(title) <= 80 else title[:79] + "…", segmentation, frequency, times))
    chip_table(
        WORD_COLUMNS, rows, chips, key="vocabulary_words", label="Words that contain the token", height=328
    )
    if len(uses) > len(rows):
        st.caption(f"The {len(rows):,} most frequent of {len(uses):,} words.")
