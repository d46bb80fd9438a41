"""What one tokenizer makes of one text: counts of its tokens, and what they do to numbers and words."""

import math
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate

import regex

from bpe.analysis.compression import Measure
from bpe.analysis.languages import ALPHA
from bpe.analysis.text_rows.typed_text import written_bytes
from bpe.checkpoints import with_checkpoints
from bpe.checks import check_text
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.piece_tokenizers import PieceTokenizer

_DIGIT = regex.compile(rb"[0-9]")
_WORD = regex.compile(r"[\p{L}\p{M}]+")


@dataclass(frozen=True, slots=True)
class Measured:
    """One text under one tokenizer."""

    tokenizer: str  # its name
    text: str  # its name
    size: Measure
    different: int  # different tokens; unknown ones are one
    powers: float  # sum of the tokens' counts, each to the power ALPHA
    unknown: int  # tokens for characters that the vocabulary lacks
    # None if the tokens do not spell the text, as after lower-casing.
    digits: int | None = None
    digit_tokens: int | None = None  # tokens with at least one digit
    word_ends: int | None = None  # ends of runs of letters, but for the end of the text
    word_ends_inside: int | None = None  # those that are inside a token

    @property
    def renyi_efficiency(self) -> float | None:
        """Rényi entropy of the tokens' shares, divided by that of equal shares; None for fewer than two tokens."""
        if self.different < 2:
            return None
        entropy = (math.log2(self.powers) - ALPHA * math.log2(self.size.tokens)) / (1 - ALPHA)
        return entropy / math.log2(self.different)


def measured(
    tokenizer: Tokenizer | PieceTokenizer, tokenizer_name: str, text_name: str, text: str
) -> Measured:
    """Return the counts of a text. Raises BPEError for a text with a lone surrogate.

    >>> from bpe import train
    >>> one = measured(train("low low", "bytes", merges=2).tokenizer(), "mine", "a text", "low 42")
    >>> one.size.tokens, one.digits, one.digit_tokens, one.word_ends, one.word_ends_inside
    (4, 2, 2, 1, 0)
    """
    check_text(text)
    symbols = tokenizer.tokens(text)
    known = tokenizer.ids
    counts = Counter(symbol if symbol in known else None for symbol in symbols)  # unknown ones share an id
    size = Measure(len(symbols), len(text), len(text.encode()), len(text.split()))
    powers = math.fsum(count**ALPHA for count in counts.values())
    unknown = counts[None]
    written = written_bytes(text, symbols)
    if written is None:
        return Measured(tokenizer_name, text_name, size, len(counts), powers, unknown)
    in_tokens = [len(_DIGIT.findall(part)) for part in with_checkpoints(written)]
    ends = set(accumulate(map(len, written)))
    byte_at = list(accumulate((len(character.encode()) for character in text), initial=0))
    words = [byte_at[match.end()] for match in _WORD.finditer(text) if match.end() < len(text)]
    return Measured(
        tokenizer_name,
        text_name,
        size,
        len(counts),
        powers,
        unknown,
        digits=sum(in_tokens),
        digit_tokens=sum(map(bool, in_tokens)),
        word_ends=len(words),
        word_ends_inside=sum(end not in ends for end in words),
    )
