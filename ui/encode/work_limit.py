"""The work limit. A word can be too long for encoders that look up tokens of every length at every position."""

from bpe.encoding.encoders import Encoder
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.counting import split_into_chunks
from bpe.text.display import counted
from bpe.text.variants import Variant

PART = 40_000  # characters that are split at a time
# Positions of one word times lengths of tokens: ten seconds of work, which slow all other visitors down.
MOST_LOOKUPS = 20_000_000


def refusal(tokenizer: Tokenizer, encoder: Encoder, text: str, most: int = MOST_LOOKUPS) -> str | None:
    """Return why the text is too much work for an encoder; None if it is not.

    Only the longest word counts, since the work can be stopped between two words.
    """
    if encoder.needs_merges:
        return None
    sizes = set(map(len, tokenizer.ids))
    if len(text.encode()) * len(sizes) <= most:
        return None
    positions = longest_word(text, tokenizer.variant)
    lengths = sum(size <= positions for size in sizes)
    if positions * lengths <= most:
        return None
    other = "choose “Lowest rank first”, shorter words" if tokenizer.merges else "choose shorter words"
    return (
        f"This takes too long: the longest word has {positions:,} {tokenizer.variant.unit}, and this encoder tries "
        f"{counted(lengths, 'token length')} at each of them. Try this: {other}, or a variant that splits into words."
    )


def longest_word(text: str, variant: Variant) -> int:
    """Return the length of the longest pre-token, in the variant's unit: bytes or characters.

    >>> from bpe.text.variants import VARIANTS
    >>> longest_word("né lower", VARIANTS["bytes"]), longest_word("né lower", VARIANTS["char-eow"])
    (9, 5)
    """
    words = (word for part in split_into_chunks(text, variant, PART) for word in variant.split(part))
    return max((len(word.encode() if variant.unit == "bytes" else word) for word in words), default=0)
