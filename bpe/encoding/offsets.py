"""Offsets: which characters of a text its tokens cover."""

from collections.abc import Iterable, Iterator, Sequence

from bpe.symbols import END_OF_WORD, START_OF_WORD, Symbol
from bpe.text.variants import Variant

_CONTINUATION = bytes(range(0x80, 0xC0))  # of UTF-8: the bytes of a character after its first

Span = tuple[int, int]  # (start, end) in characters


def pre_token_starts(text: str, pre_tokens: Sequence[str], variant: Variant) -> Iterator[int]:
    """Where each pre-token starts in the text; -1 for one that begins with a space put in front of the text.

    >>> from bpe.text.variants import VARIANTS
    >>> list(pre_token_starts("a  bc", ["a", "bc"], VARIANTS["char-eow"]))
    [0, 3]
    >>> list(pre_token_starts("low  lower", [" low", " ", " lower"], VARIANTS["char-metaspace"]))
    [-1, 3, 4]
    """
    put_in_front = variant.marker == START_OF_WORD and not text.startswith(" ")
    end = -1 if put_in_front else 0
    for pre_token in pre_tokens:
        start = end if put_in_front else text.find(pre_token, end)  # those pre-tokens leave no gap
        yield start
        end = start + len(pre_token)


def token_spans(tokens: Iterable[Symbol], start: int, variant: Variant) -> Iterator[Span]:
    r"""The span of each token of a pre-token that starts at `start`.

    A part of a character spans the whole character; the end-of-word marker spans nothing.

    >>> from bpe.text.variants import VARIANTS
    >>> list(token_spans([b"a\xc3", b"\xa9b"], 0, VARIANTS["bytes"]))
    [(0, 2), (1, 3)]
    """
    begun = start  # characters begun so far
    for token in tokens:
        if variant.marker == END_OF_WORD:
            token = token.replace(END_OF_WORD, b"")
        goes_on = 0x80 <= (token or b"a")[0] < 0xC0
        end = begun + len(token.translate(None, _CONTINUATION))
        yield max(begun - goes_on, 0), max(end, 0)
        begun = end
