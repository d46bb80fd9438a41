"""Tables of a trace at a step, and the training as a log to read: pure functions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from weakref import WeakKeyDictionary

import streamlit as st

from bpe import Pair, Step, Symbol, Trace, Variant
from bpe.analysis.best_pairs import best_pairs
from bpe.analysis.ties import choice_text, why_won
from bpe.sentences import BY_HAND
from bpe.text.display import counted, merge_name, merge_number
from bpe.text.sentence_label import sentence_label, spaced
from ui.view.text import in_markdown

__all__ = ["overview_of"]

# The log shows the words after each merge if the corpus has at most so many distinct words.
_MOST_LOGGED_WORDS = 12
_REPLAY_COLUMNS = ("rank in the file", "highest count")
_MERGE_COLUMNS = ("rank", "ids", "left", "right", "token", "count", "replaced", "tied", "decided by")
MOST_ROWS = 500  # of a table on a page; the CSV file has all
_FIRST_CONTINUATION, _PAST_CONTINUATION = 0x80, 0xC0  # UTF-8 bytes from 0x80 to 0xBF begin no character
_LEAST_MARKER = 0xFE
_OVERVIEWS: "WeakKeyDictionary[Trace, _Overview]" = WeakKeyDictionary()


def pair_text(trace: Trace, pair: Pair) -> str:
    """Return the two tokens of a pair, joined by a plus.

    >>> import bpe
    >>> pair_text(bpe.train("aa", merges=1), (b"a", b"a"))
    'a + a'
    """
    return " + ".join(map(sentence_label(trace.variant), pair))


def bytes_text(variant: Variant, token: Symbol) -> str:
    """Return a token's bytes in hexadecimal; a marker, which is no byte of the text, is spelled.

    >>> import bpe
    >>> bytes_text(bpe.VARIANTS["char-eow"], b"t" + bpe.END_OF_WORD)
    '74 </w>'
    """
    if variant.marker is None:
        return token.hex(" ").upper()
    parts = [part.hex(" ").upper() for part in token.split(variant.marker)]
    return f" {variant.marker_text} ".join(parts).strip()


def merge_rows(
    trace: Trace, ranks: Sequence[int], cell: Callable[[Symbol], object] | None = None
) -> Iterator[tuple[object, ...]]:
    """Yield one row of _MERGE_COLUMNS for each rank. cell: what a token's cell holds; its label, if not given."""
    label = cell or trace.variant.label
    for rank in ranks:
        step = trace.steps[rank]
        left, right = step.pair
        yield (
            rank,
            _ids_text(trace, step),
            label(left),
            label(right),
            label(left + right),
            step.count,
            step.replaced,
            step.tied,
            _decision(trace, step),
            *_replay_cells(trace, rank),
        )


def merge_columns(trace: Trace) -> tuple[str, ...]:
    """Return the titles of the cells of `merge_rows`. A replay has some more than a training."""
    return (*_MERGE_COLUMNS, *_REPLAY_COLUMNS) if trace.origin.replays else _MERGE_COLUMNS


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return the names, with a number added to each repeated one, since a table needs distinct columns.

    >>> distinct_names(["mine", "mine", "mine (2)"])
    ['mine', 'mine (3)', 'mine (2)']
    """
    distinct: list[str] = []
    for name in names:
        numbered = (f"{name} ({number})" for number in count(2))
        free = (other for other in numbered if other not in names and other not in distinct)
        distinct.append(next(free) if name in distinct else name)
    return distinct


def log_lines(trace: Trace, ranks: Sequence[int]) -> Iterator[str]:
    r"""Yield one line for each merge, followed by the words at that step if they are few.

    >>> import bpe
    >>> print(*log_lines(bpe.train("low low", merges=1), [0]), sep="\n")
    merge 1: l + o -> lo   ids (0, 1) -> 4   2 times, tied with 2 others (first occurrence)   vocabulary 5
             it comes first in the text; a real choice: o + w drops from 2 to 0
             2 × lo w </w>
    """
    label = sentence_label(trace.variant)
    few_words = len(trace.pre_tokens) <= _MOST_LOGGED_WORDS
    vocabulary = len(trace.vocabulary(0))
    for rank in ranks:
        step = trace.steps[rank]
        head = f"{merge_name(rank)}: "
        line = f"{head}{pair_text(trace, step.pair)} -> {label(step.pair[0] + step.pair[1])}"
        line += f"   ids {_ids_text(trace, step)}   {counted(step.count, 'time')}"
        if step.replaced != step.count:
            why = "" if step.list_rank is not None else ": some overlap"
            line += f" ({step.replaced:,} merged{why})"
        if step.list_rank is not None:
            line += f", merge {merge_number(step.list_rank)} in the file"
        elif step.tied > 1:
            line += f", tied with {counted(step.tied - 1, 'other')} ({_decision(trace, step)})"
        yield f"{line}   vocabulary {vocabulary + rank + 1:,}"
        # For a long text, only the last merge: all of them would cost as much as the training.
        why = why_won(trace, rank) if few_words or rank == ranks[-1] else ""
        why = "" if why == BY_HAND else why  # said in the line above
        if reasons := "; ".join(filter(None, (why, choice_text(trace, rank)))):
            yield f"{' ' * len(head)}{reasons}"
        if few_words:
            for word, frequency in trace.words_at(rank + 1):
                yield f"{' ' * len(head)}{frequency:,} × {spaced(map(label, word))}"


def table_caption(rows: int, singular: str, plural: str) -> None:
    """Draw how many rows a table has, and how many of them the page shows."""
    caption = counted(rows, singular, plural)
    if rows > MOST_ROWS:
        caption += f"; {MOST_ROWS} are shown, the file has all"
    st.caption(in_markdown(caption, 200) + ".")


@dataclass(frozen=True, slots=True)
class _Overview:
    """Numbers about all steps of one trace."""

    tokens: Sequence[int]  # in the corpus after 0, 1, 2, … merges, each word weighted by its frequency
    in_use: Sequence[int]  # different tokens in the corpus after 0, 1, 2, … merges
    characters: int  # in the corpus, each word weighted by its frequency, without markers
    tied: Sequence[int]  # pairs that tied at each step


def overview_of(trace: Trace) -> _Overview:
    """Return the numbers about all steps of a trace."""
    overview = _OVERVIEWS.get(trace)
    if overview is None:
        overview = _OVERVIEWS[trace] = _Overview(
            tokens=trace.tokens_by_step(),
            in_use=trace.in_use_by_step(),
            characters=_characters(trace),
            tied=[step.tied for step in trace.steps],
        )
    return overview


def _characters(trace: Trace) -> int:
    """Return the number of characters in the corpus, each word weighted by its frequency, without markers."""
    return sum(count * _first_bytes(symbol) for symbol, count in trace.token_counts(0).items())


def _ids_text(trace: Trace, step: Step) -> str:
    """Return the merge in ids, as in `(116, 104) -> 256`."""
    left, right = map(trace.id_of, step.pair)
    return f"({left}, {right}) -> {trace.id_of(step.pair[0] + step.pair[1])}"


def _decision(trace: Trace, step: Step) -> str:
    """Return what decided the step: the file, the highest count, the rule (by its title), or a pick by hand."""
    if step.list_rank is not None:
        return "the file"
    if step.rank in trace.request.picks:
        return BY_HAND
    return trace.tie_break.title.lower() if step.tied > 1 else "highest count"


def _replay_cells(trace: Trace, rank: int) -> tuple[object, ...]:
    if not trace.origin.replays:
        return ()
    return trace.steps[rank].list_rank, best_pairs(trace)[rank].count


def _first_bytes(symbol: Symbol) -> int:
    return sum(byte < _FIRST_CONTINUATION or _PAST_CONTINUATION <= byte < _LEAST_MARKER for byte in symbol)
