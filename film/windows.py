"""The window: the part of a long text that a training feed holds. The text before it need not be split."""

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from bpe import Symbol, Trace, Variant, Word
from bpe.encoding.encode_steps import pre_token_spans, pre_token_starts, token_spans
from bpe.text.counting import next_safe_cut
from bpe.text.display import INVISIBLE, SELECTORS, SPELLED
from film.feed import Characters

# Characters. A variant of characters shows at most as many tokens; its feed then takes 60 KB.
WINDOW = 10_000

# Characters. A film holds a whole text more often.
FILM_WINDOW = 20_000

# Characters. A longer pre-token is cut at the edges of the window; a shorter one is inside as a whole or not at all.
LONG = 200

# Characters before the window in which a safe cut is looked for first.
_NEAR = 256

# `bpe.text.display.visible_text` uses Python's Unicode tables; a browser may have those of another version. So Python
# lists the special characters of a feed, and both sides show the same labels.
# Shown as glyphs by a rule that both sides implement: `bpe/text/display.py` and `spelling.js` of the token grid.
GLYPHS = " \n\t\r"


class PreTokenSlice(NamedTuple):
    """Characters [start, end) of one pre-token in the window; all of them unless it is a long one."""

    pre_token: str
    start: int
    end: int

    @property
    def whole(self) -> bool:
        """Whether the slice is the whole pre-token."""
        return self.end - self.start == len(self.pre_token)


@dataclass(frozen=True, slots=True)
class Window:
    """The slices that begin in characters [start, end) of a text of `total` characters."""

    slices: tuple[PreTokenSlice, ...]
    # Positions of the slices that begin a line, if no pre-token holds the line end before.
    breaks: tuple[int, ...]
    start: int
    end: int
    total: int
    letters: int  # UTF-8 bytes from `start` to the first slice, white space left out


def cut_window(
    documents: Iterable[str], variant: Variant, start: int = 0, size: int = WINDOW, long: int = LONG
) -> Window:
    """Return the pre-tokens that begin in characters [start, start + size) of the documents.

    Positions count the characters of all documents, one after the other. A pre-token of more than `long` characters is
    cut at the edges. A window that starts where another one ends continues it: such windows hold
    every pre-token exactly once.

    >>> from bpe import VARIANTS
    >>> window = cut_window(["low lower lowest"], VARIANTS["char-eow"], 4, 3)
    >>> [piece.pre_token for piece in window.slices], window.start, window.end, window.total
    (['lower'], 4, 9, 16)
    """
    texts = list(documents)
    total = sum(map(len, texts))
    start = max(0, min(start, total - 1))
    end = min(start + size, total)
    slices: list[PreTokenSlice] = []
    breaks: list[int] = []
    first = reached = end
    for placed in _pre_tokens_in(texts, variant, start, end):
        length = len(placed.pre_token)
        is_long = length > long
        if placed.start < start and not is_long:
            continue
        if not slices:
            first = max(start, placed.start)
        if placed.begins_line and placed.start >= start:
            breaks.append(len(slices))
        cut_start, cut_end = 0, length
        if is_long and variant.partial_bytes:
            cut_start = _index(placed.pre_token, variant.partial_bytes, start - placed.start)
            cut_end = _index(placed.pre_token, variant.partial_bytes, end - placed.start)
        elif is_long:  # counted from its end: in front there may be a space that the text does not hold
            cut_start = length - (placed.end - start) if placed.start < start else 0
            cut_end = length - max(0, placed.end - end)
        else:
            reached = max(reached, placed.end)
        slices.append(PreTokenSlice(placed.pre_token, cut_start, cut_end))
    return Window(tuple(slices), tuple(breaks), start, reached, total, _letters(texts, start, first))


class _WindowWords(NamedTuple):
    """The words of some slices. `film.feed.Words` says what the lists hold."""

    lengths: list[int]
    symbols: list[int]
    closes: list[int]
    frequencies: list[int]
    initial: list[
        Symbol
    ]  # the distinct initial symbols, in order of appearance; `symbols` are positions in it


def window_words(trace: Trace, slices: Iterable[PreTokenSlice]) -> _WindowWords:
    """Return the words of the slices."""
    position_of: dict[Symbol, int] = {}
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
    return _WindowWords(lengths, symbols, closes, frequencies, list(position_of))


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
    first = _symbols_of(variant, piece.pre_token[: piece.start])
    return range(first, first + len(spell_slice(variant, piece)))


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
    return variant.spell(piece.pre_token[piece.start : piece.end + 1])[: _symbols_of(variant, inside)]


def special_characters(texts: Iterable[str], tokens: Iterable[Symbol]) -> Characters:
    r"""Return the special characters that occur in texts and tokens, in order of code points.

    >>> special = special_characters(["a\u0301\u200d b\x00"], [b"\xc2\x80"])
    >>> special["hidden"], special["joining"], special["marks"], special["names"]
    ('\x00\x80', '\u200d', '\u0301', {'\u200d': ['ZWJ', 'zero-width joiner']})
    """
    # A space between tokens keeps bytes of two tokens from forming a character.
    spelled = b" ".join(tokens).decode("utf-8", "ignore")
    everything = sorted(set(spelled).union(*texts))
    of_class: dict[str, list[str]] = {"hidden": [], "joining": [], "marks": [], "selectors": []}
    for character in everything:
        if name := class_of(character):
            of_class[name].append(character)
    return {
        "hidden": "".join(of_class["hidden"]),
        "joining": "".join(of_class["joining"]),
        "marks": "".join(of_class["marks"]),
        "selectors": "".join(of_class["selectors"]),
        "names": {c: list(INVISIBLE[c]) for c in everything if c in INVISIBLE},
    }


def class_of(character: str) -> str:
    """Return the class of a character; "" if labels show it unchanged, or as a glyph."""
    category = unicodedata.category(character)
    if character in GLYPHS:
        return ""
    if character in SELECTORS:
        return "selectors"
    if category.startswith("M"):
        return "marks"
    if category == "Cf" and character not in SPELLED:
        return "joining"
    return "" if character.isprintable() else "hidden"


class _Placed(NamedTuple):
    """A pre-token that covers characters [start, end), without a space that the variant put in front of the text."""

    pre_token: str
    start: int
    end: int
    begins_line: bool


def _index(pre_token: str, bytes_of: Callable[[str], bytes], characters: int) -> int:
    """Return where in a pre-token so many characters of the text have begun and end; it may begin inside another."""
    begun = 0
    for at, letter in enumerate(pre_token):
        begins = not 0x80 <= bytes_of(letter)[0] < 0xC0
        if begins and begun >= characters:
            return at if characters > 0 else 0
        begun += begins
    return len(pre_token)


def _pre_tokens_in(texts: Iterable[str], variant: Variant, start: int, end: int) -> Iterator[_Placed]:
    """Yield the pre-tokens that overlap characters [start, end) of all texts."""
    before = 0
    for number, text in enumerate(texts):
        if before >= end:
            return
        if before + len(text) > start:
            for placed in _pre_tokens_of(text, variant, max(0, start - before), end - before, number > 0):
                yield placed._replace(start=before + placed.start, end=before + placed.end)
        before += len(text)


def _pre_tokens_of(
    text: str, variant: Variant, start: int, end: int, follows_another: bool
) -> Iterator[_Placed]:
    """Yield the pre-tokens that overlap characters [start, end) of one document."""
    chunk_start = _safe_cut_before(text, variant, start)
    chunk = text[chunk_start : next_safe_cut(text, variant, end)]
    first, last = start - chunk_start, end - chunk_start
    pre_tokens = variant.split(chunk)
    begins_line = follows_another and chunk_start == 0
    past = 0
    spans = pre_token_spans(chunk, pre_tokens, variant)
    for pre_token, (position, pre_token_end) in zip(pre_tokens, spans, strict=True):
        if position >= last < len(chunk):  # one that lies inside the last character begins at its end
            return
        before, past = past, pre_token_end
        if past > first or position >= first:
            begins_line = begins_line or "\n" in chunk[before : max(before, position)]
            yield _Placed(pre_token, chunk_start + max(position, 0), chunk_start + past, begins_line)
        begins_line = False


def _safe_cut_before(text: str, variant: Variant, position: int) -> int:
    """Return a safe cut at or before `position`, if possible a near one; 0 if there is none."""
    distance = _NEAR
    while distance < position:
        nearby = text[position - distance : position + 1]
        cut = next_safe_cut(nearby, variant, 1)
        if cut < len(nearby):
            return position - distance + cut
        distance *= 8
    return 0


def _letters(texts: Iterable[str], start: int, end: int) -> int:
    """Return the UTF-8 bytes of characters [start, end) of all texts, white space left out."""
    letters = before = 0
    for text in texts:
        if before >= end:
            break
        if before + len(text) > start:
            part = text[max(0, start - before) : end - before]
            letters += len("".join(part.split()).encode("utf-8", "surrogatepass"))
        before += len(text)
    return letters


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


def _starts(first: Variant, pre_token: str) -> Iterator[int]:
    """Yield where each initial symbol of a long pre-token starts, in characters; a marker at the end of its word."""
    words = first.split(pre_token)
    for word, start in zip(words, pre_token_starts(pre_token, words, first), strict=True):
        yield from (
            begin if begin < end else max(end - 1, 0)
            for begin, end in token_spans(first.spell(word), max(start, 0), first)
        )


def _symbols_of(variant: Variant, text: str) -> int:
    """Return the number of initial symbols in a part of a pre-token, an end-of-word marker left out.

    >>> from bpe import VARIANTS
    >>> _symbols_of(VARIANTS["bytes"], "é"), _symbols_of(VARIANTS["char-eow"], "é")
    (2, 1)
    """
    if variant.unit == "bytes":
        return len(variant.bytes_of(text))
    return len(text)
