"""Compression: what a segmentation costs, in tokens for its characters, bytes and words."""

from collections import Counter
from dataclasses import dataclass
from itertools import accumulate

from bpe.trace.trace import Trace


@dataclass(frozen=True, slots=True)
class Measure:
    """How a text was cut. A word is what stands between white space."""

    tokens: int
    characters: int
    bytes: int
    words: int

    @property
    def characters_per_token(self) -> float:
        """The larger, the fewer tokens the text takes."""
        return self.characters / self.tokens if self.tokens else 0.0

    @property
    def bytes_per_token(self) -> float:
        """Compression: the same in UTF-8 bytes, which is fair between scripts."""
        return self.bytes / self.tokens if self.tokens else 0.0

    @property
    def fertility(self) -> float:
        """Tokens per word; 1 where every word is one token."""
        return self.tokens / self.words if self.words else 0.0


def measure(text: str, tokens: int) -> Measure:
    """The measures of a text that was cut into so many tokens.

    >>> measure("low lower", 3).fertility
    1.5
    """
    return Measure(tokens, len(text), len(text.encode("utf-8", "surrogatepass")), len(text.split()))


def tokens_needed(trace: Trace, text: str) -> list[int]:
    """How many tokens the text takes after 0, 1, 2, … merges; it need not have been trained on.

    >>> import bpe
    >>> tokens_needed(bpe.train("low low lower", merges=3), "lows")
    [5, 4, 3, 3]
    """
    closed = Counter(trace.boundaries(text))
    start = len(trace.segment(text, 0))
    fewer = (closed[rank] for rank in range(len(trace.steps)))
    return list(accumulate(fewer, lambda tokens, gone: tokens - gone, initial=start))


# Several traces: which tokens
