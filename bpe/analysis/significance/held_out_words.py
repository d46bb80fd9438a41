"""Held-out words: the words of a held-out text under several lanes, unit by unit.

A word is a pre-token with a letter or a digit. If the lanes split text differently, or do not split it into words at
all, the words between white space are compared, by where their letters are split.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bpe.analysis.comparing.comparison import same_words
from bpe.analysis.comparing.word_comparison import WordUnderTraces, segment_after_spaces, segment_words
from bpe.checkpoints import checkpoint
from bpe.trace.trace import Trace


@dataclass(frozen=True, slots=True)
class HeldOutWords:
    """The distinct words of a held-out text, segmented by every trace, and how often each unit contains them."""

    words: tuple[WordUnderTraces, ...]
    by_unit: tuple[Counter[str], ...]
    are_pre_tokens: bool  # not words between white space


def held_out_words(
    traces: Sequence[Trace], units: Sequence[str], merges: Sequence[int] | None = None
) -> HeldOutWords:
    """Return the words of these units of text under each trace, after its last merge or after so many `merges`."""
    pre_tokens = _pre_tokens(traces, units) if same_words(traces) else None
    by_unit = _words_between_spaces(units) if pre_tokens is None else pre_tokens
    total: Counter[str] = Counter()
    for words in by_unit:
        total.update(words)
    segment = segment_after_spaces if pre_tokens is None else segment_words
    return HeldOutWords(tuple(segment(traces, total, merges)), by_unit, pre_tokens is not None)


def _pre_tokens(traces: Sequence[Trace], units: Sequence[str]) -> tuple[Counter[str], ...] | None:
    """Return the words of each unit; None if a pre-token holds several words, as in a variant that does not split."""
    request, variant = traces[0].request, traces[0].variant
    by_unit: list[Counter[str]] = []
    for unit in units:
        checkpoint()
        parts = Counter(pre_token for part in request.documents(unit) for pre_token in variant.split(part))
        if any(len(pre_token.split()) > 1 for pre_token in parts):
            return None
        by_unit.append(Counter({word: count for word, count in parts.items() if _is_word(word)}))
    return tuple(by_unit)


def _words_between_spaces(units: Sequence[str]) -> tuple[Counter[str], ...]:
    return tuple(Counter(filter(_is_word, unit.split())) for unit in units)


def _is_word(text: str) -> bool:
    return any(map(str.isalnum, text))
