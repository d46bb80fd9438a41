"""Reachability: which tokens of a tokenizer some text leads to, tried with the whole tokenizer.

A text passes the normalizer, the pattern that splits it, and the merges. A token that one of them never lets through is
in no text's tokens, so a model never saw it. Sander Land and Max Bartolo (2024, Fishing for Magikarp: Automatically
Detecting Under-trained Tokens in Large Language Models) decode each token and encode its text again. Some tokens appear
only beside other characters: GPT-4o encodes " I'" as two tokens, and " I'S" as that token and S. So each text is also
tried beside others.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product
from types import MappingProxyType

from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import START_OF_WORD, Symbol
from bpe.text.variants import initial_symbols

METASPACE = "▁"
_PIECE_OF_BYTE = re.compile(
    rb"<0x([0-7][0-9A-F])>"
)  # as a model of SentencePiece calls one that no text needs
TOGETHER = 1 << 9  # tokens whose texts are tried in one text, one per line
BATCH = 1 << 4  # texts that are tried in one text, for one token
MOST_TEXTS = 1 << 12  # of a token that holds parts of characters

_FIRST_BYTES = {
    2: range(0xC2, 0xE0),
    3: range(0xE0, 0xF0),
    4: range(0xF0, 0xF5),
}  # of characters, by their size

# A character of each general category, and line ends. Letters, digits and marks of rare scripts are hardly merged with
# their neighbours. Those of ASCII stand in patterns by themselves, as the letters after an apostrophe do.
_OFTEN = ("a", "A", " ", ".", "1", "\n", "'", "中", "\u0301", "-", "\ue000", "𐀀")
_ONCE = (
    *("s", "S", "t", "T", "m", "M", "d", "D", "rE", "Ve", "lL", "ſ", "e", "é", "É", "ا", "ก", "あ", "가", "𐐀", "𐐨"),
    *("ǅ", "ʰ", "𐒠", "²", "Ⅻ", "ा", "𝅥", "҈", "\t", "  ", "\r\n", "\x00", "\u00a0", "\u3000", "\u2028"),
    *("\u2029", "\u200d", "_", "‿", "/", "\\", "(", ")", "«", "»", '"', "#", "@", "~", "𐄀", "$", "+", "^", "😀"),
)  # fmt: skip
# What stands before and behind the text of a token
NEIGHBOURS: tuple[tuple[str, str], ...] = (
    *((one, "") for one in (*_OFTEN, *_ONCE)),
    *(("", one) for one in (*_OFTEN, *_ONCE)),
    *product(_OFTEN, _OFTEN),
)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What keeps a text from leading to a token."""

    slug: str
    why: str  # a sentence without its full stop


_ROWS = (
    Obstacle("bytes", "its bytes are part of no text"),
    Obstacle("character", "its byte is a character that has a token of its own"),
    Obstacle("normalizer", "the normalizer changes its text"),
    Obstacle("pattern", "the pattern never leaves it whole"),
    Obstacle("merges", "the merges make others"),
)
OBSTACLES: Mapping[str, Obstacle] = MappingProxyType({row.slug: row for row in _ROWS})


@dataclass(frozen=True, slots=True)
class Unreached:
    """A token to which none of the tried texts led."""

    obstacle: Obstacle
    instead: tuple[Symbol, ...]  # the tokens that its own text gives


Tokens = Collection[tuple[int, Symbol]]  # id and symbol


def unreached_steps(tokenizer: Tokenizer, tokens: Tokens) -> Iterator[tuple[float, dict[int, Unreached]]]:
    """Yield the share of the work that is done, and by id the tokens to which no text was found.

    The latter grow until the last pair. The tokens are learned ones: neither special nor initial symbols.
    """
    search = _Search(tokenizer)
    remaining = dict(tokens)
    numbers = list(remaining)
    for start in range(0, len(numbers), TOGETHER):
        chunk = [remaining[number] for number in numbers[start : start + TOGETHER] if number in remaining]
        firsts = [text for symbol in chunk for text in islice(search.texts(symbol), 1)]
        for symbol in search.reached("\n".join(firsts)):
            remaining.pop(tokenizer.ids.get(symbol, -1), None)
        yield 0.5 * start / len(numbers), {}
    found: dict[int, Unreached] = {}
    for done, (number, symbol) in enumerate(with_checkpoints(list(remaining.items()), BATCH)):
        unreached = search.tried(symbol)
        if unreached:
            found[number] = unreached
        if done % BATCH == 0:
            yield 0.5 + 0.5 * done / len(remaining), found
    yield 1.0, found


class _Search:
    """Texts for the tokens of one tokenizer, and what it makes of them."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        variant = tokenizer.variant
        spell = variant.spell
        self._spelled: Callable[[str], bytes] = variant.spell_bytes or (lambda word: b"".join(spell(word)))
        # Tokens that begin or end inside a character: they take its part away from the token beside them.
        self._begin_inside: list[Symbol] = []
        self._end_inside: list[Symbol] = []
        if variant.unit == "bytes":
            for symbol in tokenizer.ids:
                bare = self._bare(symbol)
                if len(bare) > 1 and _inner(bare):
                    self._begin_inside.append(bare)
                if len(bare) > 1 and _missing(bare):
                    self._end_inside.append(bare)

    def reached(self, text: str) -> set[Symbol]:
        """Return the tokens of a text."""
        tokenizer = self.tokenizer
        words = dict.fromkeys(tokenizer.variant.split(tokenizer.normalise(text)))
        return {token for word in words for token in tokenizer.word_tokens(word)}

    def tried(self, symbol: Symbol) -> Unreached | None:
        """Return why no text leads to a token; None if one does."""
        tokenizer = self.tokenizer
        first = next(self.texts(symbol), None)
        if first is None:
            return Unreached(OBSTACLES["bytes"], ())
        spelled = tokenizer.spelled_word_tokens(initial_symbols(symbol, tokenizer.variant))
        byte = _PIECE_OF_BYTE.fullmatch(symbol) if tokenizer.variant.lone_bytes else None
        if byte and len(spelled) > 1:
            return Unreached(OBSTACLES["character"], (bytes((int(byte[1], 16),)),))
        # What is beside a token does not change this: it is merged from its own symbols alone.
        if list(spelled) != [symbol]:
            return Unreached(OBSTACLES["merges"], tuple(spelled))
        furthest = "normalizer"
        for own, texts in self._batches(symbol):
            checkpoint()
            text = tokenizer.normalise("\n".join(texts))
            words = [
                word for word in dict.fromkeys(tokenizer.variant.split(text)) if symbol in self._spelled(word)
            ]
            if any(symbol in tokenizer.word_tokens(word) for word in words):
                return None
            if words:
                furthest = "merges"
            elif furthest == "normalizer" and any(one in text for one in own):
                furthest = "pattern"
        return Unreached(OBSTACLES[furthest], tuple(tokenizer.tokens(first)))

    def texts(self, symbol: Symbol) -> Iterator[str]:
        """Yield the text of a token; of one that holds parts of characters, its texts with each of some characters."""
        bare = self._bare(symbol)
        if not _inner(bare) and not _missing(bare):
            text = bare.decode("utf-8", "replace")
            if METASPACE in text and self.tokenizer.variant.unit == "characters":
                yield text.replace(METASPACE, " ")
            yield text
            return
        for before, behind in islice(_completions(bare), MOST_TEXTS):
            text = _valid(before + bare + behind)
            if text:
                yield text

    def _bare(self, symbol: Symbol) -> Symbol:
        marker = self.tokenizer.variant.marker
        if marker is None or len(symbol) < 2:
            return symbol
        return symbol.replace(marker, b" " if marker == START_OF_WORD else b"")

    def _batches(self, symbol: Symbol) -> Iterator[tuple[list[str], list[str]]]:
        """Yield texts of a token, and what to try with them in one text: each alone, then beside others."""
        texts = self.texts(symbol)
        yield from (([text], [text]) for text in islice(texts, 2))
        while own := list(islice(texts, BATCH)):
            yield own, own
        own = list(self.texts(symbol))
        for text in own[:: 1 + len(own) // BATCH]:
            yield [text], [before + text + behind for before, behind in NEIGHBOURS]
        beside = self._beside_parts(self._bare(symbol))
        while own := list(islice(beside, BATCH)):
            yield own, own

    def _beside_parts(self, bare: Symbol) -> Iterator[str]:
        """Yield texts in which tokens beside a token hold the other parts of its characters."""
        inner, missing = _inner(bare), _missing(bare)
        befores = [one for one in self._end_inside if _missing(one) == inner] if inner else [b""]
        behinds = [one for one in self._begin_inside if _inner(one) == missing] if missing else [b""]
        for before, behind in islice(product(befores, behinds), MOST_TEXTS):
            whole = before + bare + behind
            first, last = _FIRST_OF[_inner(whole)], _LAST_OF[_missing(whole)]
            text = _valid(first + whole + last)
            if text:
                yield text


def _inner(bare: Symbol) -> int:
    """Return with how many inner bytes of a character a symbol begins."""
    return next((at for at, byte in enumerate(bare[:3]) if not 0x80 <= byte < 0xC0), min(3, len(bare)))


def _missing(bare: Symbol) -> int:
    """Return how many bytes the last character of a symbol lacks."""
    for back, byte in enumerate(bare[:-5:-1], start=1):
        if byte >= 0xC0:
            return max(0, (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4) - back)
        if byte < 0x80:
            return 0
    return 0


# Bytes that complete most characters which lack so many: U+04xx, U+3xxx, U+1Fxxx
_FIRST_OF = (b"", b"\xd0", b"\xe3", b"\xf0")
_LAST_OF = (b"", b"\x80", b"\x90\x80", b"\x9f\x80\x80")


def _completions(bare: Symbol) -> Iterator[tuple[bytes, bytes]]:
    """Yield bytes before and behind a symbol that may complete its first and its last character."""
    inner, missing = _inner(bare), _missing(bare)
    if not inner:
        yield from ((b"", behind) for behind in _inner_bytes(missing))
        return
    for size, firsts in _FIRST_BYTES.items():
        # The symbol stands at the end of a character, or, if it is nothing but inner bytes, anywhere in one.
        for behind in range(size - inner if inner == len(bare) else 1):
            before = size - inner - behind - 1
            if before >= 0:
                for first, rest in product(firsts, _inner_bytes(before)):
                    for last in _inner_bytes(behind + missing):
                        yield bytes((first,)) + rest, last


def _inner_bytes(size: int) -> Iterator[bytes]:
    """Yield inner bytes of characters: all if it is one, of two and more a sample over their whole range."""
    return map(bytes, product(range(0x80, 0xC0, (1, 1, 3, 9)[size]), repeat=size))


def _valid(content: bytes) -> str:
    """Return the text of bytes; "" if they are no text."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return ""
