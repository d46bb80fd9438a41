"""Safe cuts: where a long text can be cut without changing a pre-token, so that it can be processed in chunks."""

from collections.abc import Iterator

from bpe.checkpoints import checkpoint
from bpe.text.variants import Variant

WINDOW = 1 << 20  # characters that are searched for a cut at once
LOOKAHEAD = 2  # characters that the patterns read after a cut


def split_into_chunks(text: str, variant: Variant, size: int) -> Iterator[str]:
    """Yield the text in chunks of at least `size` characters. Their pre-tokens are those of the whole text.

    Yields the whole text at once for a variant without safe cuts (`bytes`, `custom`).

    >>> from bpe import VARIANTS
    >>> list(split_into_chunks("one two three four", VARIANTS["bytes-gpt2"], 4))
    ['one two', ' three', ' four']
    """
    if variant.safe_cut is None:
        if text:
            yield text  # not a slice of it, which would not know its parts: bpe/text/before_splitting/added_tokens.py
        return
    start = 0
    while start < len(text):
        end = next_safe_cut(text, variant, start + size)
        yield text[start:end]
        start = end


def next_safe_cut(text: str, variant: Variant, position: int) -> int:
    """Return the first safe cut at or after a position; the end of the text if there is none.

    >>> from bpe import VARIANTS
    >>> next_safe_cut("one two", VARIANTS["char-eow"], 1)
    3
    """
    if variant.safe_cut is None or position >= len(text):
        return len(text)
    while position < len(text):
        checkpoint()
        match = variant.safe_cut.search(text, position, position + WINDOW)
        if match:
            return match.start()
        position += WINDOW - LOOKAHEAD
    return len(text)
