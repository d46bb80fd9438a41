"""Audit: tokens of a finished tokenizer that some texts never use, or that we find no text for.

A model that was hardly trained on a token may do anything with it. Sander Land and Max Bartolo (2024, Fishing for
Magikarp: Automatically Detecting Under-trained Tokens in Large Language Models) look for such tokens in many models.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from types import MappingProxyType

from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.checks import shortened_repr
from bpe.encoding.encoders import parts_of
from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import START_OF_WORD, UNSPELLED, BPEError, Symbol
from bpe.text.counting import count_documents
from bpe.text.display import counted
from bpe.text.sentence_label import spaced
from bpe.text.variants import initial_symbols
from bpe.trace.trace import Trace

# A text passes the normalizer, the pattern that splits it, and the merges. A token that one of them never lets
# through is in no text's tokens, so a model never saw it. Sander Land and Max Bartolo (2024, Fishing for Magikarp:
# Automatically Detecting Under-trained Tokens in Large Language Models) decode each token and encode its text again.
# Some tokens appear only beside other characters: GPT-4o encodes " I'" as two tokens, and " I'S" as that token and S.
# So each text is also tried beside others.
METASPACE = "▁"

# As a model of SentencePiece calls one that no text needs.
_PIECE_OF_BYTE = re.compile(rb"<0x([0-7][0-9A-F])>")
TOGETHER = 1 << 9  # tokens whose texts are tried in one text, one per line
BATCH = 1 << 4  # texts that are tried in one text, for one token
MOST_TEXTS = 1 << 12  # of a token that holds parts of characters

# The first bytes of characters, by their size.
_FIRST_BYTES = {
    2: range(0xC2, 0xE0),
    3: range(0xE0, 0xF0),
    4: range(0xF0, 0xF5),
}

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
Tokens = Collection[tuple[int, Symbol]]  # id and symbol

# Bytes that complete most characters which lack so many: U+04xx, U+3xxx, U+1Fxxx
_FIRST_OF = (b"", b"\xd0", b"\xe3", b"\xf0")
_LAST_OF = (b"", b"\x80", b"\x90\x80", b"\x9f\x80\x80")
ITEMS = 1 << 9  # words or tokens between two reports
FEWEST_LETTERS = 3  # of a candidate for a glitch token: shorter ones are parts of words
SPACE = "▁".encode()
NONE = "There are none."
Learned = Sequence[tuple[int, Symbol]]  # id and symbol of each token that is neither special nor initial
Texts = Iterable[str] | Mapping[str, int]  # documents, or pre-tokens with their frequencies
TOKENS = 1 << 10  # between two checkpoints


def audit(tokenizer: Tokenizer, texts: Texts) -> Findings:
    r"""Return the findings of each kind. Special tokens in the texts are read as text.

    >>> from merge_by_merge import bpe
    >>> tokenizer = bpe.train("low low lower lowest lowest", merges=8).tokenizer()
    >>> findings = audit(tokenizer, ["low lower"])
    >>> [finding.symbol for finding in findings["never"]], [finding.symbol for finding in findings["inside"]]
    ([b'lowes', b'lowest', b'lowest\xff'], [b'lo', b'low', b'lowe'])
    """
    *_, (_, findings) = audit_steps(tokenizer, texts)
    return findings


def audit_steps(tokenizer: Tokenizer, texts: Texts) -> Iterator[tuple[float, Findings]]:
    """Yield the share of the work that is done, and the findings, which are empty until all of it is."""
    words = (
        texts
        if isinstance(texts, Mapping)
        else count_documents((tokenizer.normalise(text).text for text in texts), tokenizer.variant)
    )
    usage = _Usage(tokenizer, _learned_tokens(tokenizer))
    work = len(words) + len(usage.learned)
    for done, (word, frequency) in enumerate(with_checkpoints(list(words.items()), ITEMS)):
        usage.add_word(word, frequency)
        if done % ITEMS == 0:
            yield done / work, {}
    rest = [(number, symbol) for number, symbol in usage.learned if not usage.counts[number]]
    for share, unreached in _unreached_steps(tokenizer, rest):
        usage.unreached = unreached
        yield (len(words) + share * len(rest)) / (len(words) + len(rest)), {}
    yield (
        1.0,
        {slug: sorted(kind.find(usage), key=lambda finding: finding.id) for slug, kind in KINDS.items()},
    )


@dataclass(frozen=True, slots=True)
class Finding:
    """One token, and why it is listed."""

    id: int
    symbol: Symbol
    why: str = ""  # in a few words, what the kind does not say
    tokens: tuple[Symbol, ...] = ()  # in place of `why`
    because: str = ""  # what decided it, in a sentence without its full stop

    def reason(self, label: Callable[[Symbol], str]) -> str:
        """Return why it is listed, its tokens written by `label`."""
        return spaced(map(label, self.tokens)) if self.tokens else self.why


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of finding."""

    slug: str
    title: str
    about: str  # one sentence: what holds for these tokens
    find: Callable[[_Usage], Iterator[Finding]]
    why: str = ""  # what a finding's `why` is, as the head of a column; "" if it has none
    because: str = ""  # the same for `because`
    none: str = NONE  # said if there are no such tokens
    may_remove: bool = True  # removing such tokens changes no token of the texts


@dataclass(frozen=True, slots=True)
class Removal:
    """A tokenizer after a removal.

    All that another token is made of stays.
    """

    tokenizer: Tokenizer
    removed: tuple[Symbol, ...]
    needed: tuple[Symbol, ...]  # were to be removed, but others are made of them


def remove_tokens(
    tokenizer: Tokenizer, ids: Collection[int], unreachable: Collection[Symbol] | None = None
) -> Removal:
    r"""Return the tokenizer without the tokens of these ids. All other tokens keep their ids.

    Texts in which a removed token does not occur, not even on the way to another, are encoded as before. Raises
    BPEError for an id that is no learned token's. `unreachable` are the tokens that an audit calls so, if one was made:
    to find them again takes as long as the audit.

    >>> from merge_by_merge import bpe
    >>> tokenizer = bpe.train("low low lower lowest lowest", merges=8).tokenizer()
    >>> removal = remove_tokens(tokenizer, [tokenizer.ids[b"lowes"], tokenizer.ids[b"lowest\xff"]])
    >>> removal.removed, removal.needed
    ((b'lowest\xff',), (b'lowes',))
    >>> removal.tokenizer.tokens("lowest")
    [b'lowest', b'\xff']
    """
    symbol_of = {number: symbol for symbol, number in tokenizer.ids.items()}
    asked = set()
    for number in ids:
        symbol = symbol_of.get(number, b"")
        if len(initial_symbols(symbol, tokenizer.variant)) < 2:
            raise BPEError(f"Only learned tokens can be removed, got the id {shortened_repr(number)}.")
        asked.add(symbol)

    def is_made(symbol: Symbol) -> bool:
        return _is_made(tokenizer, symbol) if unreachable is None else symbol not in unreachable

    needed = asked & _parts_of_others(tokenizer, asked, is_made)
    removed = asked - needed
    gone = frozenset(number for symbol, number in tokenizer.ids.items() if symbol in removed)
    smaller = replace(
        tokenizer,
        vocabulary=[b"" if number in gone else symbol for number, symbol in enumerate(tokenizer.vocabulary)],
        merges=[
            (left, right)
            for left, right in tokenizer.merges
            if removed.isdisjoint((left, right, left + right))
        ],
        gaps=frozenset(tokenizer.gaps) | gone,
        frequencies={
            symbol: count for symbol, count in tokenizer.frequencies.items() if symbol not in removed
        },
    )
    return Removal(smaller, _in_id_order(tokenizer, removed), _in_id_order(tokenizer, needed))


@dataclass(frozen=True, slots=True)
class Trimming:
    """A vocabulary without the tokens that occur fewer than `threshold` times in the corpus."""

    threshold: int
    removed: Sequence[_Trimmed]  # in id order
    vocabulary_before: int
    tokens_before: int  # of the corpus

    @property
    def vocabulary_after(self) -> int:
        """Number of tokens that remain, special tokens and the alphabet included."""
        return self.vocabulary_before - len(self.removed)

    @property
    def free(self) -> int:
        """Number of removed tokens that occur in the corpus only inside longer tokens, or not at all."""
        return sum(not trimmed.count for trimmed in self.removed)

    @property
    def tokens_after(self) -> int:
        """Number of tokens of the corpus without the removed ones."""
        return self.tokens_before + sum(trimmed.cost for trimmed in self.removed)

    @property
    def price(self) -> float:
        """How many more tokens the corpus needs, as a share."""
        return self.tokens_after / self.tokens_before - 1 if self.tokens_before else 0.0


def trimming(trace: Trace, k: int, threshold: int) -> Trimming:
    """Return what is left of the vocabulary after `k` merges if rare tokens are undone, as the encoder `trimmed` does.

    >>> from merge_by_merge import bpe
    >>> trace = bpe.train("low low low lower lowest", merges=6)
    >>> trimming(trace, 6, 2).vocabulary_before, trimming(trace, 6, 2).vocabulary_after
    (14, 9)
    """
    tokenizer = trace.tokenizer(k)
    counts = trace.token_counts(k)
    parts = parts_of(tokenizer.merges, counts, threshold)
    removed = [
        _Trimmed(symbol, counts.get(symbol, 0), parts[symbol]) for symbol in tokenizer.ids if symbol in parts
    ]
    return Trimming(threshold, removed, trace.vocabulary_size(k), sum(counts.values()))


def unreachable_tokens(trace: Trace, k: int) -> list[Symbol]:
    """Return the merged tokens that encoding by rank never gives after `k` merges, in id order.

    The merges encode the token's own text as other tokens. A training learns no such tokens from its own corpus, but
    a vocabulary from a file can hold some.
    """
    tokenizer = trace.tokenizer(k)
    merged = dict.fromkeys(left + right for left, right in tokenizer.merges)
    return [
        symbol
        for symbol in with_checkpoints(merged, TOKENS)
        if list(tokenizer.spelled_word_tokens(initial_symbols(symbol, trace.variant))) != [symbol]
    ]


@dataclass(frozen=True, slots=True)
class _Obstacle:
    """What keeps a text from leading to a token."""

    slug: str
    why: str  # a sentence without its full stop


_OBSTACLES = (
    _Obstacle("bytes", "its bytes occur in no text"),
    _Obstacle("spelling", "the file spells it with characters that stand for no byte"),
    _Obstacle("character", "its byte is a character that has a token of its own"),
    _Obstacle("normalizer", "the normalizer changes its text"),
    _Obstacle("pattern", "the pattern never leaves it whole"),
    _Obstacle("merges", "the merges make other tokens"),
)
OBSTACLES: Mapping[str, _Obstacle] = MappingProxyType({row.slug: row for row in _OBSTACLES})


@dataclass(frozen=True, slots=True)
class _Unreached:
    """A token to which none of the tried texts led."""

    obstacle: _Obstacle
    instead: tuple[Symbol, ...]  # the tokens that its own text gives


@dataclass(slots=True)
class _Usage:
    """A tokenizer, and what some texts make of its tokens."""

    tokenizer: Tokenizer
    learned: Learned
    counts: Counter[int] = field(default_factory=Counter)  # id -> occurrences of the token in the texts
    # Symbol -> occurrences that a later merge made part of another token
    passing: Counter[Symbol] = field(default_factory=Counter)
    unreached: dict[int, _Unreached] = field(default_factory=dict)  # by id, tokens to which we found no text

    def add_word(self, word: str, frequency: int) -> None:
        """Count the tokens of a pre-token, and those on the way to them."""
        ids, last = self.tokenizer.ids, self.tokenizer.word_tokens(word)
        for token in last:
            if token in ids:
                self.counts[ids[token]] += frequency
        inner = Counter[Symbol]()
        for step in self.tokenizer.word_steps(word):
            inner[step.token] += len(step.starts)
        inner.subtract(last)
        for token, times in inner.items():
            if times > 0:
                self.passing[token] += times * frequency


def _unreachable(usage: _Usage) -> Iterator[Finding]:
    symbols = dict(usage.learned)
    for number, unreached in usage.unreached.items():
        yield Finding(number, symbols[number], tokens=unreached.instead, because=unreached.obstacle.why)


def _never(usage: _Usage) -> Iterator[Finding]:
    for number, symbol in usage.learned:
        if not usage.counts[number] and not usage.passing[symbol] and number not in usage.unreached:
            yield Finding(number, symbol)


def _inside(usage: _Usage) -> Iterator[Finding]:
    for number, symbol in usage.learned:
        times = usage.passing[symbol]
        if times and not usage.counts[number]:
            yield Finding(number, symbol, counted(times, "time"))


def _broken(usage: _Usage) -> Iterator[Finding]:
    for number, symbol in usage.learned:
        if usage.tokenizer.variant.unit == "bytes" and _is_broken(_bare(usage.tokenizer, symbol)):
            yield Finding(number, symbol)


def _is_broken(symbol: Symbol) -> bool:
    try:
        symbol.decode()
    except UnicodeDecodeError:
        return True
    return False


def _bare(tokenizer: Tokenizer, symbol: Symbol) -> Symbol:
    if symbol.startswith(UNSPELLED):
        return symbol.removeprefix(UNSPELLED)
    marker = tokenizer.variant.marker
    return symbol.replace(marker, b"") if marker and len(symbol) > 1 else symbol


def _alike(usage: _Usage) -> Iterator[Finding]:
    groups: dict[str, list[tuple[int, Symbol]]] = {}
    for number, symbol in usage.learned:
        bare = _bare(usage.tokenizer, symbol)
        if not _is_broken(bare):
            text = bare.removeprefix(SPACE).decode().strip().casefold()
            groups.setdefault(text, []).append((number, symbol))
    for text, group in groups.items():
        if text and len(group) > 1:
            for number, symbol in group:
                yield Finding(number, symbol, tokens=tuple(one for _, one in group if one != symbol))


def _glitches(usage: _Usage) -> Iterator[Finding]:
    """Yield tokens that were learned early, so they were frequent then, and that the texts never use."""
    rank_of = {left + right: rank for rank, (left, right) in reversed([*enumerate(usage.tokenizer.merges)])}
    occurring = sorted(
        rank_of[symbol]
        for symbol, number in usage.tokenizer.ids.items()
        if usage.counts[number] and symbol in rank_of
    )
    if not occurring:
        return
    middle = occurring[len(occurring) // 2]
    for finding in _never(usage):
        rank = rank_of.get(finding.symbol)
        text = _bare(usage.tokenizer, finding.symbol).decode("utf-8", "replace")
        if rank is not None and rank < middle and sum(map(str.isalnum, text)) >= FEWEST_LETTERS:
            yield Finding(finding.id, finding.symbol, f"merge {rank + 1:,}")


_ROWS = (
    Kind(
        "unreachable",
        "Unreachable",
        "We found no text that gives these tokens: we tried each token's own text, alone and beside other characters.",
        _unreachable,
        "its text gives",
        because="because",
        none="There are none: for every learned token, we found a text that gives it.",
    ),
    Kind(
        "never",
        "Never used",
        "These tokens do not occur in the texts, not even on the way to others.",
        _never,
    ),
    Kind(
        "inside",
        "Only inside others",
        "In the texts, these tokens are always merged into longer ones.",
        _inside,
        "merged away",
        may_remove=False,
    ),
    Kind(
        "broken",
        "Parts of characters",
        "These tokens are not whole characters: their bytes alone are not valid UTF-8.",
        _broken,
        may_remove=False,
    ),
    Kind(
        "alike",
        "Alike but for case or a space",
        "These tokens differ from another only by upper and lower case, by a space in front, or by a word's marker.",
        _alike,
        "resembles",
        may_remove=False,
    ),
    Kind(
        "glitch",
        "Candidates for glitch tokens",
        "These were learned earlier than half of the tokens that occur in the texts, and never occur themselves. The "
        "longer the text, the more that says.",
        _glitches,
        "made by",
    ),
)
KINDS: Mapping[str, Kind] = MappingProxyType({row.slug: row for row in _ROWS})
Findings = dict[str, list[Finding]]  # of each kind, by its slug, in id order


def _unreached_steps(tokenizer: Tokenizer, tokens: Tokens) -> Iterator[tuple[float, dict[int, _Unreached]]]:
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
    found: dict[int, _Unreached] = {}
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
        words = dict.fromkeys(tokenizer.variant.split(tokenizer.normalise(text).text))
        return {token for word in words for token in tokenizer.word_tokens(word)}

    def tried(self, symbol: Symbol) -> _Unreached | None:
        """Return why no text leads to a token; None if one does."""
        tokenizer = self.tokenizer
        first = next(self.texts(symbol), None)
        if first is None:
            return _Unreached(OBSTACLES["bytes"], ())
        spelled = tokenizer.spelled_word_tokens(initial_symbols(symbol, tokenizer.variant))
        if symbol.startswith(UNSPELLED):
            return _Unreached(OBSTACLES["spelling"], tuple(tokenizer.tokens(first)))
        byte = _PIECE_OF_BYTE.fullmatch(symbol) if tokenizer.variant.lone_bytes else None
        if byte and len(spelled) > 1:
            return _Unreached(OBSTACLES["character"], (bytes((int(byte[1], 16),)),))
        # What is beside a token does not change this: it is merged from its own symbols alone.
        if list(spelled) != [symbol]:
            return _Unreached(OBSTACLES["merges"], tuple(spelled))
        furthest = "normalizer"
        for own, texts in self._batches(symbol):
            checkpoint()
            text = tokenizer.normalise("\n".join(texts)).text
            words = [
                word for word in dict.fromkeys(tokenizer.variant.split(text)) if symbol in self._spelled(word)
            ]
            if any(symbol in tokenizer.word_tokens(word) for word in words):
                return None
            if words:
                furthest = "merges"
            elif furthest == "normalizer" and any(one in text for one in own):
                furthest = "pattern"
        return _Unreached(OBSTACLES[furthest], tuple(tokenizer.tokens(first)))

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
        if symbol.startswith(UNSPELLED):
            return symbol.removeprefix(UNSPELLED)
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


def _learned_tokens(tokenizer: Tokenizer) -> Learned:
    """Return the tokens that are neither special nor initial symbols, in id order."""
    return [
        (number, symbol)
        for symbol, number in tokenizer.ids.items()
        if len(initial_symbols(symbol, tokenizer.variant)) > 1
    ]


def _parts_of_others(
    tokenizer: Tokenizer, asked: Collection[Symbol], is_made: Callable[[Symbol], bool]
) -> set[Symbol]:
    """Return what tokens that stay are made of, and what those parts are made of.

    A merge that no text leads to needs nothing: the merges make other tokens of its letters.
    """
    pairs_of: dict[Symbol, list[tuple[Symbol, Symbol]]] = {}
    for left, right in tokenizer.merges:
        pairs_of.setdefault(left + right, []).append((left, right))
    stays = [symbol for symbol in pairs_of if symbol not in asked and is_made(symbol)]
    needed: set[Symbol] = set()
    while stays:
        for part in (part for pair in pairs_of.get(stays.pop(), ()) for part in pair):
            if part not in needed:
                needed.add(part)
                stays.append(part)
    return needed


def _is_made(tokenizer: Tokenizer, symbol: Symbol) -> bool:
    word = initial_symbols(symbol, tokenizer.variant)
    return list(tokenizer.spelled_word_tokens(word)) == [symbol]


def _in_id_order(tokenizer: Tokenizer, symbols: Collection[Symbol]) -> tuple[Symbol, ...]:
    listed: Sequence[Symbol] = [symbol for symbol in tokenizer.ids if symbol in symbols]
    return tuple(listed)


@dataclass(frozen=True, slots=True)
class _Trimmed:
    """One token that is removed."""

    symbol: Symbol
    count: int  # occurrences in the corpus before
    parts: tuple[Symbol, ...]  # the tokens that replace it

    @property
    def cost(self) -> int:
        """How many more tokens the corpus needs without it."""
        return self.count * (len(self.parts) - 1)
