"""Token cache: the tokens of words that one encoder has already encoded. Most words of natural text recur."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from bpe.checkpoints import with_checkpoints
from bpe.encoding.algorithms.encoder_input import WordEncoder
from bpe.symbols import Symbol
from bpe.text.regexes.patterns import LAST_SPACE
from bpe.text.variants import Variant

MOST_CACHED = 1 << 16  # words, and as many chunks
MOST_CACHED_CHARACTERS = 64  # of one word or chunk; a longer one rarely recurs

CHUNKS = 1 << 8  # encoded between two checkpoints


class TokenCache:
    """One encoder, with a bounded cache of the tokens of short words and chunks."""

    def __init__(self, encoder: WordEncoder, variant: Variant, most: int = MOST_CACHED) -> None:
        """Begin with an empty cache, which will hold at most so many words and as many chunks."""
        self._variant, self._most = variant, most
        self._words = _WordCache(encoder, variant, most)
        self._chunks: dict[str, tuple[Symbol, ...]] = {}

    def tokens(self, text: str) -> Iterator[Symbol]:
        """Return the tokens of a normalised text. Each distinct chunk is encoded once."""
        chunks, split = _split_into_chunks(text, self._variant)
        cached, words = self._chunks, self._words
        tokens_of: dict[str, Sequence[Symbol]] = {}
        for chunk in with_checkpoints(dict.fromkeys(chunks), CHUNKS):
            tokens = cached.get(chunk)
            if tokens is None:
                tokens = tuple(chain.from_iterable(map(words.__getitem__, split(chunk))))
                if len(chunk) <= MOST_CACHED_CHARACTERS and len(cached) < self._most:
                    cached[chunk] = tokens
            tokens_of[chunk] = tokens
        return chain.from_iterable(map(tokens_of.__getitem__, chunks))


class _WordCache(dict[str, Sequence[Symbol]]):
    """Pre-token -> its tokens. A missing one is encoded when it is looked up, and stored if it is short."""

    def __init__(self, encoder: WordEncoder, variant: Variant, most: int) -> None:
        self._encode, self._spell, self._most = encoder.encode, variant.spell, most

    def __missing__(self, pre_token: str) -> Sequence[Symbol]:
        tokens = self._encode(self._spell(pre_token))
        if len(pre_token) <= MOST_CACHED_CHARACTERS and len(self) < self._most:
            self[pre_token] = tokens
        return tokens


def _split_into_chunks(text: str, variant: Variant) -> tuple[list[str], Callable[[str], list[str]]]:
    """Return chunks of the text that can be encoded one by one, and the function that splits a chunk into pre-tokens.

    If the variant can be cut before spaces, a chunk begins with a space, as " end." does. A chunk found in the cache
    is not split at all, which saves the time of the variant's pattern.
    """
    if variant.cut_before_spaces:
        first, *others = LAST_SPACE.split(text)
        return [first, *(" " + other for other in others)], variant.split
    return variant.split(text), lambda pre_token: [pre_token]
