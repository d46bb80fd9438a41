"""Offsets: which characters of a text each of its tokens covers."""

from collections.abc import Iterable, Iterator, Sequence

from bpe.symbols import START_OF_WORD, Symbol
from bpe.text.before_splitting.alignment import Aligned, Span, composed, same
from bpe.text.before_splitting.normalizations import NORMALIZATIONS, Normalization
from bpe.text.before_splitting.normalizer import Normalizer
from bpe.text.variants import Variant

_CONTINUATION = bytes(range(0x80, 0xC0))  # UTF-8's bytes of a character after its first byte


def aligned(text: str, normalizer: Normalizer | None, normalization: Normalization | None) -> Aligned:
    """Return a text as it is before splitting, and where each character of it comes from."""
    text, origins = normalizer.aligned(text, True) if normalizer else (text, same(text))
    if normalization is None:
        return text, origins
    changed, then = NORMALIZATIONS[normalization].align(text)
    return changed, composed(origins, then)


def pre_token_starts(text: str, pre_tokens: Sequence[str], variant: Variant) -> Iterator[int]:
    """Yield where each pre-token starts in the text; -1 for one that begins with a space added in front of the text.

    >>> from bpe import VARIANTS
    >>> list(pre_token_starts("a  bc", ["a", "bc"], VARIANTS["char-eow"]))
    [0, 3]
    >>> list(pre_token_starts("low  lower", [" low", " ", " lower"], VARIANTS["char-metaspace"]))
    [-1, 3, 4]
    """
    space_added = variant.marker == START_OF_WORD and not text.startswith(" ")
    end = -1 if space_added else 0
    for pre_token in pre_tokens:
        # With start-of-word markers there are no gaps.
        start = end if space_added else text.find(pre_token, end)
        yield start
        end = start + len(pre_token)


def token_spans(tokens: Iterable[Symbol], start: int, variant: Variant) -> Iterator[Span]:
    r"""Yield the span of each token of a pre-token that starts at `start`.

    A part of a character spans the whole character; a marker that is no space of the text spans nothing. A
    start-of-word marker that is put in front of the text spans its first character, as in Hugging Face's tokenizers.

    >>> from bpe import VARIANTS
    >>> list(token_spans([b"a\xc3", b"\xa9b"], 0, VARIANTS["bytes"]))
    [(0, 2), (1, 3)]
    """
    started = start  # number of characters that have started so far
    for token in tokens:
        if variant.marker and variant.marker != START_OF_WORD:
            token = token.replace(variant.marker, b"")
        continues = 0x80 <= (token or b"a")[0] < 0xC0
        end = started + len(token.translate(None, _CONTINUATION))
        yield max(started - continues, 0), max(end, 1) if started < 0 else end
        started = end
