"""Guard: which words are too long for the encoders that look for tokens of every length at every place."""

from bpe.encoding.encoders import ENCODERS
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.safe_cuts import split_into_chunks
from bpe.text.variants import Variant

PART = 40_000  # characters that are split at a time
MOST_LOOKS = (
    20_000_000  # places of one word times lengths of tokens: ten seconds, which nothing can interrupt
)


def refusal(tokenizer: Tokenizer, encoder: str, text: str, most: int = MOST_LOOKS) -> str | None:
    """The sentence that says why this encoder is not to cut this text; None where it may.

    Only single words are looked at: between two words the work can be stopped.
    """
    if ENCODERS[encoder].needs_merges:
        return None
    sizes = set(map(len, tokenizer.ids))
    if len(text.encode()) * len(sizes) <= most:
        return None
    places = longest_word(text, tokenizer.variant)
    lengths = sum(size <= places for size in sizes)
    if places * lengths <= most:
        return None
    other = "choose “Lowest rank first”, shorter words" if tokenizer.merges else "choose shorter words"
    return (
        f"The longest word of this text has {places:,} {tokenizer.variant.unit}, and this encoder looks at each of its "
        f"places for tokens of {lengths:,} lengths, which takes too long: {other}, or a variant that cuts words."
    )


def longest_word(text: str, variant: Variant) -> int:
    """Bytes or characters, as the variant counts, of the longest pre-token.

    >>> from bpe.text.variants import VARIANTS
    >>> longest_word("né lower", VARIANTS["bytes"]), longest_word("né lower", VARIANTS["char-eow"])
    (9, 5)
    """
    words = (word for part in split_into_chunks(text, variant, PART) for word in variant.split(part))
    return max((len(word.encode() if variant.unit == "bytes" else word) for word in words), default=0)
