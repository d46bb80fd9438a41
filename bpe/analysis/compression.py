"""Compression: how many tokens a text takes per character, byte and word."""

from collections import Counter
from dataclasses import dataclass
from itertools import accumulate

from bpe.text.display import ENDINGS
from bpe.text.variant import Variant
from bpe.trace.trace import Trace

_ALL_USED = "all merges of the tokenizer are used"


@dataclass(frozen=True, slots=True)
class Measure:
    """The size of a text in tokens, characters, bytes and words. White space separates words."""

    tokens: int
    characters: int
    bytes: int
    words: int

    @property
    def characters_per_token(self) -> float:
        """Characters per token; higher means fewer tokens."""
        return self.characters / self.tokens if self.tokens else 0.0

    @property
    def bytes_per_token(self) -> float:
        """UTF-8 bytes per token. It ranks scripts wrongly, since some need more bytes for the same content."""
        return self.bytes / self.tokens if self.tokens else 0.0

    @property
    def fertility(self) -> float:
        """Tokens per word; 1 if every word is one token."""
        return self.tokens / self.words if self.words else 0.0


def measure(text: str, tokens: int) -> Measure:
    """Return the measures of a text that was split into `tokens` tokens.

    >>> measure("low lower", 3).fertility
    1.5
    """
    return Measure(tokens, len(text), len(text.encode("utf-8", "surrogatepass")), len(text.split()))


def why_below_one(variant: Variant) -> str:
    """Return why a text can have fewer characters than tokens, in one sentence; "" if it cannot."""
    if variant.marker in variant.spell(" a"):  # as a symbol of its own
        return f"{variant.marker_text} is not a character but can be a token, so this can be below 1."
    if variant.unit == "bytes":
        return "A character of several bytes can be several tokens, so this can be below 1."
    return ""


def tokens_needed(trace: Trace, *texts: str) -> list[int]:
    """Return how many tokens the texts need after 0, 1, 2, … merges, each on its own. They may be new texts.

    >>> import bpe
    >>> tokens_needed(bpe.train("low low lower", merges=3), "lows")
    [5, 4, 3, 3]
    """
    closed: Counter[int] = Counter()
    initial = 0
    for text in texts:
        closed.update(trace.boundaries(text))
        initial += len(trace.segment(text, 0))
    return list(accumulate((-closed[rank] for rank in range(len(trace.steps))), initial=initial))


def ending(trace: Trace) -> str:
    """Return why the trace ended; "" if nothing is known. A replay that used its whole list has no other merge."""
    replayed = trace.replayed
    if (
        trace.stopped == "end of list"
        and replayed
        and len(replayed.list_ranks) == len(replayed.tokenizer.merges)
    ):
        return _ALL_USED
    return ENDINGS.get(trace.stopped, "")
