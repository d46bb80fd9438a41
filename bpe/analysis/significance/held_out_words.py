"""Held-out words: the words of a held-out text under several lanes, unit by unit.

A word is a pre-token with a letter or a digit. If the lanes split text differently, or do not split it into words at
all, the words between white space are compared, by the boundaries inside them, in their context.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from bpe.analysis.comparing.comparison import same_words
from bpe.analysis.comparing.encoded_text import LINE, EncodedText
from bpe.analysis.comparing.word_comparison import (
    Splits,
    WordUnderTraces,
    segment_words,
    split_words,
    under_traces,
    words_between_spaces,
)
from bpe.analysis.significance.held_out import HeldOut
from bpe.checkpoints import checkpoint
from bpe.text.normalizing import Span
from bpe.trace.trace import Trace


@dataclass(frozen=True, slots=True)
class HeldOutWords:
    """The words of a held-out text, segmented by every trace, and how often each unit contains them."""

    words: tuple[WordUnderTraces, ...]
    by_unit: tuple[Counter[int], ...]  # position among `words` -> occurrences
    are_pre_tokens: bool  # not words between white space


def held_out_words(
    traces: Sequence[Trace],
    text: HeldOut,
    encoded: Sequence[Sequence[EncodedText]],
    merges: Sequence[int] | None = None,
    *,
    by_line: bool = False,
) -> HeldOutWords:
    """Return the words of a held-out text under each trace, after its last merge or after so many `merges`.

    `encoded` holds the documents of the text under each trace, after as many merges. `by_line`: each line is encoded by
    itself.
    """
    by_unit = pre_tokens_by_unit(traces, text, by_line)
    if by_unit is not None:
        total: Counter[str] = Counter()
        for words in by_unit:
            total.update(words)
        number_of = {word: number for number, word in enumerate(total)}
        numbers = tuple(
            Counter({number_of[word]: count for word, count in words.items()}) for words in by_unit
        )
        return HeldOutWords(tuple(segment_words(traces, total, merges)), numbers, True)
    found: Counter[tuple[str, Splits]] = Counter()
    position_of: dict[tuple[str, Splits], int] = {}
    in_units: list[Counter[int]] = []
    for units, *of_traces in zip(text.units_of, *encoded, strict=True):
        document, spans = "".join(units), held_out_spans(units)
        splits = split_words(document, [span for unit in spans for span in unit], of_traces)
        for unit in spans:
            checkpoint()
            words_here = [word for _, word in zip(unit, splits, strict=False)]
            found.update(words_here)
            in_units.append(Counter(position_of.setdefault(word, len(position_of)) for word in words_here))
    return HeldOutWords(tuple(under_traces(found)), tuple(in_units), False)


def pre_tokens_by_unit(
    traces: Sequence[Trace], text: HeldOut, by_line: bool
) -> tuple[Counter[str], ...] | None:
    """Return the pre-tokens of each unit that are words.

    Return None if the traces split text differently, or if a pre-token holds several words, as in a variant that does
    not split.
    """
    if not same_words(traces):
        return None
    request, variant = traces[0].request, traces[0].variant
    by_unit: list[Counter[str]] = []
    for unit in text.units_without_ends:
        checkpoint()
        texts = LINE.findall(unit) if by_line else [unit]
        parts = Counter(pre_token for part in request.documents(texts) for pre_token in variant.split(part))
        if any(len(pre_token.split()) > 1 for pre_token in parts):
            return None
        by_unit.append(Counter({word: count for word, count in parts.items() if _is_word(word)}))
    return tuple(by_unit)


def held_out_spans(units: Sequence[str]) -> list[list[Span]]:
    """Return where the words between white space are in each unit, in characters of the document that they join to."""
    starts = accumulate(map(len, units), initial=0)
    return [list(_spans(unit, start)) for unit, start in zip(units, starts, strict=False)]


def _spans(unit: str, offset: int) -> Iterator[Span]:
    return (
        (offset + start, offset + end)
        for start, end in words_between_spaces(unit)
        if _is_word(unit[start:end])
    )


def _is_word(text: str) -> bool:
    return any(map(str.isalnum, text))
