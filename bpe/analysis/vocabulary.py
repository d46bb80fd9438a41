"""Vocabulary: every token after k merges with its figures, a search for tokens, and merge trees."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from types import MappingProxyType
from typing import Literal
from weakref import ReferenceType, WeakKeyDictionary, ref

import regex

from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.patterns import call_with_time_limit, compile_typed
from bpe.text.variants import Variant
from bpe.trace.trace import Trace

_State = Literal["in use", "stepping stone", "used up", "never seen", "special"]

# (entry, seconds that it may take) -> whether it matches; may raise TimeoutError
_Match = Callable[["Entry", float], bool]
_SEARCH_SECONDS = 2.0  # that a search through the whole vocabulary may take
LONGEST_SHOWN = 200  # bytes of a token; if a whole text is one word, tokens can grow as long as chapters
_UNSEEN: "WeakKeyDictionary[Tokenizer, ReferenceType[_Unseen]]" = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Entry:
    """One token of the vocabulary after k merges."""

    id: int
    symbol: Symbol  # special tokens as UTF-8
    # For a token longer than LONGEST_SHOWN, label and text hold only its two ends; `readings` yields all of it.
    label: str  # as shown
    text: str  # as spelled: white space as it is, markers written out, broken UTF-8 as U+FFFD
    length: int  # in the variant's unit
    pair: Pair | None  # that is merged into it; None for an initial symbol and a special token
    count: int  # occurrences in the corpus after k merges
    words: int  # distinct words that contain it after k merges
    place: (
        int  # among the tokens in use, in the order in which they first occur in the words; 0 for the others
    )
    state: _State
    variant: Variant

    @property
    def in_use(self) -> bool:
        """Whether it occurs in the corpus after k merges."""
        return self.count > 0

    def readings(self) -> Iterator[str]:
        """Yield the whole token as spelled, then as shown. For a long token both are computed at each call."""
        whole = len(self.symbol) <= LONGEST_SHOWN or self.state == "special"
        yield self.text if whole else _spelled(self.symbol, self.variant)
        yield self.label if whole else self.variant.label(self.symbol)


class _Unseen(list[Entry | None]):
    """By id, the entries of a tokenizer's tokens that a text does not have, shared by all replays: MBs, and seconds."""


class _Entries(list[Entry]):
    """All entries of a trace. As long as somebody has such a list, the entries that replays share stay, too."""

    unseen: _Unseen


def entries(trace: Trace, k: int) -> list[Entry]:
    """Return every token after `k` merges, in id order.

    A merged token that no longer occurs is a stepping stone: later merges took all its occurrences. An initial symbol
    that does not occur is used up, or was never seen in the corpus.

    >>> import bpe
    >>> [
    ...     (entry.label, entry.state)
    ...     for entry in entries(bpe.train("ab ab", "bytes-whitespace", merges=1), 1)[97:99]
    ... ]
    [('a', 'used up'), ('b', 'used up')]
    """
    variant = trace.variant
    counts, before = trace.token_counts(k), trace.token_counts(0)
    words: Counter[Symbol] = Counter()
    for word, _ in trace.words_at(k):
        words.update(dict.fromkeys(word).keys())  # a Counter keeps the order in which it meets its keys
    places = {symbol: place for place, symbol in enumerate(words)}
    tokenizer = trace.tokenizer(k)
    specials = set(tokenizer.special_ids)
    occurred = frozenset(trace.symbols)
    listed = _Entries()
    listed.unseen = _unseen(trace) if trace.replayed else _Unseen()
    for number, symbol in enumerate(tokenizer.vocabulary):
        if number in tokenizer.gaps:
            continue
        if number in specials:
            text = symbol.decode()
            listed.append(Entry(number, symbol, text, text, len(text), None, 0, 0, 0, "special", variant))
            continue
        # A replay can have tokens whose merge never applies to its text.
        is_shared = trace.replayed is not None and symbol not in occurred
        entry = listed.unseen[number] if is_shared else None
        if entry is None:
            count, pair = counts.get(symbol, 0), trace.parents(symbol)
            entry = Entry(
                number,
                symbol,
                in_short(symbol, variant.label),
                in_short(symbol, partial(_spelled, variant=variant)),
                variant.length(symbol),
                pair,
                count,
                words[symbol],
                places.get(symbol, 0),
                _state(count, before.get(symbol, 0), pair is not None and not is_shared),
                variant,
            )
        if is_shared:
            listed.unseen[number] = entry
        listed.append(entry)
    return listed


def _unseen(trace: Trace) -> _Unseen:
    """Return the entries that all replays of the trace's tokenizer share, as far as they are made."""
    assert trace.replayed
    known = _UNSEEN.get(trace.replayed.tokenizer)
    unseen = known() if known else None
    if unseen is None:
        unseen = _Unseen([None] * len(trace.replayed.tokenizer.vocabulary))
        _UNSEEN[trace.replayed.tokenizer] = ref(unseen)
    return unseen


def search(
    among: Iterable[Entry], how: str, wanted: str, only_unused: bool = False, seconds: float = _SEARCH_SECONDS
) -> list[Entry]:
    """Return the entries that match; all of them for an empty `wanted`.

    `how` is a slug of SEARCHES. `contains` also finds a token by its id: #7 finds the one with the id 7. An unused
    entry is a token that does not occur in the corpus. Raises BPEError for a search that cannot be read, or that takes
    more than this many seconds.

    >>> import bpe
    >>> low = entries(bpe.train("low low lower", merges=3), 3)
    >>> [entry.label for entry in search(low, "regex", "^lo")]
    ['lo', 'low', 'low</w>']
    """
    match = SEARCHES[how].match(wanted) if wanted else None
    deadline = monotonic() + seconds
    matching: list[Entry] = []
    for entry in among:
        if only_unused and (entry.in_use or entry.state == "special"):
            continue
        try:
            if match is None or match(entry, max(deadline - monotonic(), 0.001)):
                matching.append(entry)
        except TimeoutError:
            raise BPEError(
                f"The pattern took more than {seconds:g} seconds: nested repeats such as (a+)+ are slow."
            ) from None
        if match is not None and monotonic() > deadline:
            raise BPEError(
                f"The search took more than {seconds:g} seconds, because the tokens are long: "
                "search by length, or use fewer merges."
            )
    return matching


@dataclass(frozen=True, slots=True)
class Node:
    """A token in a merge tree, with its parts below it."""

    symbol: Symbol
    rank: int | None  # of the merge that made it
    parts: Sequence["Node"]  # two; none for an initial symbol and at the depth limit


def merge_tree(trace: Trace, symbol: Symbol, depth: int = 24) -> Node:
    """Return the tree of merges that made the token, at most `depth` levels. Raises BPEError for an unknown token.

    >>> import bpe
    >>> tree = merge_tree(bpe.train("low low lower", merges=2), b"low")
    >>> [part.symbol for part in tree.parts]
    [b'lo', b'w']
    """
    rank = trace.born(symbol)
    if rank < 0 or depth <= 1:
        return Node(symbol, None if rank < 0 else rank, ())
    parts = tuple(merge_tree(trace, part, depth - 1) for part in trace.steps[rank].pair)
    return Node(symbol, rank, parts)


def in_short(symbol: Symbol, show: Callable[[Symbol], str], longest: int = LONGEST_SHOWN) -> str:
    """Return the symbol as `show` writes it; only its two ends if it has more than `longest` bytes.

    >>> in_short(b"abcdefgh", bytes.decode, longest=4)
    'ab…gh'
    """
    if len(symbol) <= longest:
        return show(symbol)
    head, tail = ends_of(symbol, longest)
    return f"{show(head)}…{show(tail)}"


def ends_of(symbol: Symbol, longest: int) -> tuple[Symbol, Symbol]:
    """Return the first and the last bytes of a symbol that has more than `longest`, cut between characters."""
    half = longest // 2
    head, tail = _character_start(symbol, half), _character_start(symbol, len(symbol) - half)
    return symbol[:head], symbol[tail:]


def depth_of(trace: Trace, symbol: Symbol) -> int:
    """Return the number of levels of the whole merge tree; 1 for an initial symbol."""
    levels, row = 0, {symbol}
    while row:
        levels += 1
        row = {part for token in row for part in trace.parents(token) or ()}
    return levels


def _spelled(symbol: Symbol, variant: Variant) -> str:
    return variant.spelled(symbol).decode("utf-8", "replace")


def _contains(wanted: str) -> _Match:
    number = int(wanted[1:]) if regex.fullmatch("#[0-9]{1,9}", wanted) else None
    return lambda entry, _: entry.id == number or any(wanted in text for text in entry.readings())


def _starts_with(wanted: str) -> _Match:
    return lambda entry, _: any(text.startswith(wanted) for text in entry.readings())


def _ends_with(wanted: str) -> _Match:
    return lambda entry, _: any(text.endswith(wanted) for text in entry.readings())


def _matches(wanted: str) -> _Match:
    pattern = compile_typed(wanted)

    def match(entry: Entry, seconds: float) -> bool:
        readings = dict.fromkeys(entry.readings())
        return any(call_with_time_limit(partial(pattern.search, text), seconds) for text in readings)

    return match


def _has_length(wanted: str) -> _Match:
    bounds = regex.fullmatch(r"\s*([0-9]{1,6})?\s*(?:(-|–|to)\s*([0-9]{1,6})?)?\s*", wanted)
    if bounds is None or not (bounds[1] or bounds[3]):
        raise BPEError(f"A length must be a number or a range, such as 5, 3-5 or 8-, got {wanted[:40]!r}.")
    low = int(bounds[1] or 0)
    high = int(bounds[3]) if bounds[3] else (10**6 if bounds[2] else low)
    return lambda entry, _: low <= entry.length <= high


@dataclass(frozen=True, slots=True)
class _Search:
    """One way to search for tokens. `match` raises BPEError for a query that it cannot read."""

    slug: str
    title: str
    example: str
    match: Callable[[str], _Match]  # query -> function that tells whether an entry matches
    is_text: bool = False  # whether the query is a text that a token may have


_ROWS = (
    _Search("contains", "Contain", "est", _contains, is_text=True),
    _Search("starts", "Start with", "lo", _starts_with, is_text=True),
    _Search("ends", "End with", "t</w>", _ends_with, is_text=True),
    _Search("regex", "Match a pattern", "^[aeiou]+$", _matches),
    _Search("length", "Have the length", "3-5", _has_length),
)
SEARCHES: Mapping[str, _Search] = MappingProxyType({row.slug: row for row in _ROWS})


def _in_text(entry: Entry) -> tuple[int, ...]:
    """Put first what occurs in the text, then what merges used up on the way, the newest first, then the rest."""
    if entry.in_use:
        return 0, entry.place
    return (1, -entry.id) if entry.state == "stepping stone" else (2, entry.id)


# slug -> (title, sort key)
ORDERS: Mapping[str, tuple[str, Callable[[Entry], tuple[int | bytes, ...]]]] = MappingProxyType(
    {
        "newest": ("Newest first", lambda entry: (-entry.id,)),
        "id": ("By id", lambda entry: (entry.id,)),
        "count": ("Most frequent first", lambda entry: (-entry.count, entry.id)),
        "words": ("In the most words first", lambda entry: (-entry.words, entry.id)),
        "token": ("By bytes", lambda entry: (entry.symbol,)),
        "text": ("In the text first", _in_text),
        "length": ("Longest first", lambda entry: (-entry.length, -entry.count, entry.id)),
    }
)


def _state(count: int, count_at_start: int, was_made: bool) -> _State:
    """Return the state of a token with this count. `was_made` says whether a merge made it in the corpus."""
    if count:
        return "in use"
    if was_made:
        return "stepping stone"
    return "used up" if count_at_start else "never seen"


def _character_start(symbol: Symbol, position: int) -> int:
    """Return where the character that covers this byte starts; `position` itself in broken UTF-8."""
    back = next((back for back in range(4) if symbol[position - back] & 0xC0 != 0x80), 0)
    return position - back
