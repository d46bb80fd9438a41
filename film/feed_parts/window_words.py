"""The distinct words of a window: their initial symbols, and the merge that closes the boundary after each of them."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from bpe import Symbol, Trace, Variant, Word
from bpe.encoding.encode_steps import pre_token_starts, token_spans
from film.feed import Words
from film.feed_parts.packing import packed
from film.feed_parts.windows import PreTokenSlice


def window_words(trace: Trace, slices: Iterable[PreTokenSlice], position_of: dict[Symbol, int]) -> Words:
    """Return the words of the slices. Adds new symbols to `position_of`, in order of appearance."""
    lengths: list[int] = []
    symbols: list[int] = []
    closes: list[int] = []
    frequencies: list[int] = []
    for piece in slices:
        word, ranks = _word(trace, piece)
        lengths.append(len(word))
        symbols += [position_of.setdefault(symbol, len(position_of)) for symbol in word]
        closes += [rank + 1 for rank in ranks]
        frequencies.append(trace.frequency(piece.pre_token))
    return {
        "lengths": packed(lengths),
        "symbols": packed(symbols),
        "closes": packed(closes),
        "frequencies": packed(frequencies),
    }


def _word(trace: Trace, piece: PreTokenSlice) -> tuple[Word, list[int]]:
    """Return the slice's initial symbols, and for each the rank that closes the boundary after it, or -1."""
    ranks = trace.closing_ranks(piece.pre_token)
    whole = trace.variant.spell(piece.pre_token)
    if len(ranks) < len(whole):  # a replay takes the word whole: no merge makes it
        return (b"".join(whole),), ranks
    if piece.whole:
        return whole, ranks
    inside = positions_in(trace.variant, piece)
    return whole[inside.start : inside.stop], [*ranks[inside.start : inside.stop - 1], -1]


def positions_in(variant: Variant, piece: PreTokenSlice) -> range:
    r"""Return which initial symbols of the pre-token are in the slice.

    >>> from bpe import VARIANTS
    >>> from bpe.text.superwords import superword_variant
    >>> long = superword_variant(VARIANTS["char-eow"], "lines")
    >>> positions_in(long, PreTokenSlice("so low", 1, 4)), long.spell("so low")[1:4]
    (range(1, 4), (b'o', b'\xff', b'l'))
    """
    if piece.whole:
        return range(len(variant.spell(piece.pre_token)))
    if variant.first and not variant.lossless:
        starts = list(_starts(variant.first, piece.pre_token))
        end = len(starts) if piece.end == len(piece.pre_token) else bisect_left(starts, piece.end)
        return range(bisect_left(starts, piece.start), end)
    first = symbols_of(variant, piece.pre_token[: piece.start])
    return range(first, first + len(spell_slice(variant, piece)))


def _starts(first: Variant, pre_token: str) -> Iterator[int]:
    """Yield where each initial symbol of a long pre-token starts, in characters; a marker at the end of its word."""
    words = first.split(pre_token)
    for word, start in zip(words, pre_token_starts(pre_token, words, first), strict=True):
        yield from (
            begin if begin < end else max(end - 1, 0)
            for begin, end in token_spans(first.spell(word), max(start, 0), first)
        )


def spell_slice(variant: Variant, piece: PreTokenSlice) -> Word:
    r"""Return the initial symbols of a slice. It has a marker only if it holds the pre-token's marked end.

    >>> from bpe import VARIANTS
    >>> (
    ...     spell_slice(VARIANTS["char-eow"], PreTokenSlice("low", 1, 2)),
    ...     spell_slice(VARIANTS["char-eow"], PreTokenSlice("low", 1, 3)),
    ... )
    ((b'o',), (b'o', b'w', b'\xff'))
    """
    inside = piece.pre_token[piece.start : piece.end]
    if piece.end == len(piece.pre_token):
        return variant.spell(inside)
    # Spell one more character, so that the end-of-word marker goes to that one.
    return variant.spell(piece.pre_token[piece.start : piece.end + 1])[: symbols_of(variant, inside)]


def symbols_of(variant: Variant, text: str) -> int:
    """Return the number of initial symbols in a part of a pre-token, an end-of-word marker left out.

    >>> from bpe import VARIANTS
    >>> symbols_of(VARIANTS["bytes"], "é"), symbols_of(VARIANTS["char-eow"], "é")
    (2, 1)
    """
    return len(text.encode()) if variant.unit == "bytes" else len(text)
