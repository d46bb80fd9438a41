"""Numbers about all steps of a trace, computed once for each trace: every step that is shown needs them."""

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from bpe import Symbol, Trace

__all__ = ["Overview", "overview_of"]

FIRST_CONTINUATION, PAST_CONTINUATION = 0x80, 0xC0  # UTF-8 bytes from 0x80 to 0xBF begin no character
LEAST_MARKER = 0xFE


@dataclass(frozen=True, slots=True)
class Overview:
    """Numbers about all steps of one trace."""

    tokens: Sequence[int]  # in the corpus after 0, 1, 2, … merges, each word weighted by its frequency
    in_use: Sequence[int]  # different tokens in the corpus after 0, 1, 2, … merges
    counts: Sequence[int]  # of the pair that each step merges
    characters: int  # in the corpus, each word weighted by its frequency, without markers
    tied: Sequence[int]  # pairs that tied at each step
    tied_steps: int  # steps at which several pairs tied


_OVERVIEWS: "WeakKeyDictionary[Trace, Overview]" = WeakKeyDictionary()


def overview_of(trace: Trace) -> Overview:
    """Return the numbers about all steps of a trace."""
    overview = _OVERVIEWS.get(trace)
    if overview is None:
        tied = [step.tied for step in trace.steps]
        overview = _OVERVIEWS[trace] = Overview(
            tokens=trace.tokens_by_step(),
            in_use=trace.in_use_by_step(),
            counts=[step.count for step in trace.steps],
            characters=characters(trace),
            tied=tied,
            tied_steps=sum(number > 1 for number in tied),
        )
    return overview


def characters(trace: Trace) -> int:
    """Return the number of characters in the corpus, each word weighted by its frequency, without markers."""
    return sum(count * _first_bytes(symbol) for symbol, count in trace.token_counts(0).items())


def _first_bytes(symbol: Symbol) -> int:
    return sum(byte < FIRST_CONTINUATION or PAST_CONTINUATION <= byte < LEAST_MARKER for byte in symbol)
