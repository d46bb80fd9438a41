"""Parts: a long text cut where no pre-token is cut, so that it can be counted or encoded piece by piece."""

from collections.abc import Iterator

from bpe.text.variants import Variant


def split_into_chunks(text: str, variant: Variant, size: int) -> Iterator[str]:
    """The text in stretches of `size` characters or somewhat more; the pre-tokens are those of the whole text.

    A variant that has no such places (`bytes`, `custom`) gives the text as one part.

    >>> from bpe.text.variants import VARIANTS
    >>> list(split_into_chunks("one two three four", VARIANTS["bytes-gpt2"], 4))
    ['one two', ' three', ' four']
    """
    start = 0
    while start < len(text):
        end = next_safe_cut(text, variant, start + size)
        yield text[start:end]
        start = end


def next_safe_cut(text: str, variant: Variant, place: int) -> int:
    """The first place from `place` on where the text may be cut; its end where there is none.

    >>> from bpe.text.variants import VARIANTS
    >>> next_safe_cut("one two", VARIANTS["char-eow"], 1)
    3
    """
    if variant.safe_cut is None or place >= len(text):
        return len(text)
    match = variant.safe_cut.search(text, place)
    return match.start() if match else len(text)
