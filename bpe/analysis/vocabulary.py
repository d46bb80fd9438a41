"""Vocabulary: every token at a step with what is known of it, the search through it, and merge trees."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from types import MappingProxyType
from typing import Literal

import regex

from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.patterns import call_with_time_limit
from bpe.text.variants import Variant
from bpe.trace.trace import Trace

State = Literal["in use", "stepping stone", "used up", "never seen", "special"]
Match = Callable[["Entry"], bool]

SEARCH_SECONDS = 2.0  # a search may take this long over the whole vocabulary
LONGEST_SHOWN = 200  # bytes of a token; where whole texts are one word, tokens grow to the length of chapters


@dataclass(frozen=True, slots=True)
class Entry:
    """One token of the vocabulary after k merges."""

    id: int
    symbol: Symbol  # special tokens as UTF-8
    label: str  # as shown; the middle of one longer than LONGEST_SHOWN is cut out, here and in the text: see `readings`
    text: str  # as spelled: white space as it is, markers written out, broken UTF-8 as U+FFFD
    length: int  # in the variant's unit
    born: int | None  # rank of the merge that made it; None for an initial symbol and a special token
    pair: Pair | None  # what was merged
    count: int  # occurrences in the corpus now
    words: int  # distinct words that hold it now
    state: State
    variant: Variant

    @property
    def in_use(self) -> bool:
        """Whether the corpus holds it now."""
        return self.count > 0

    def readings(self) -> Iterator[str]:
        """The whole token as spelled, then as shown. Of a long one they are made anew each time: kept are its ends."""
        whole = len(self.symbol) <= LONGEST_SHOWN or self.state == "special"
        yield self.text if whole else _spelled(self.symbol, self.variant)
        yield self.label if whole else self.variant.label(self.symbol)


def _spelled(symbol: Symbol, variant: Variant) -> str:
    return variant.spelled(symbol).decode("utf-8", "replace")


def entries(trace: Trace, k: int) -> list[Entry]:
    """Every token after `k` merges, in id order.

    A merged token without an occurrence is a stepping stone: later merges took all of them. An initial symbol without
    one is used up, or was never seen in the corpus.

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
        words.update(set(word))
    specials, size = len(trace.special_tokens), len(trace.alphabet)
    merges = trace.merges
    found: list[Entry] = []
    for number, symbol in enumerate(trace.vocabulary(k)):
        if number < specials:
            text = symbol.decode()
            found.append(Entry(number, symbol, text, text, len(text), None, None, 0, 0, "special", variant))
            continue
        rank = number - specials - size
        born = rank if rank >= 0 else None
        count = counts.get(symbol, 0)
        state: State = "in use" if count else "stepping stone"
        if not count and born is None:
            state = "used up" if before.get(symbol) else "never seen"
        found.append(
            Entry(
                number,
                symbol,
                in_short(symbol, variant.label),
                in_short(symbol, partial(_spelled, variant=variant)),
                variant.length(symbol),
                born,
                None if born is None else merges[born],
                count,
                words[symbol],
                state,
                variant,
            )
        )
    return found


def in_short(symbol: Symbol, show: Callable[[Symbol], str], longest: int = LONGEST_SHOWN) -> str:
    """The symbol as `show` shows it; of one that is longer than so many bytes its beginning and its end.

    >>> in_short(b"abcdefgh", bytes.decode, longest=4)
    'ab…gh'
    """
    if len(symbol) <= longest:
        return show(symbol)
    half = longest // 2
    head, tail = _character_at(symbol, half), _character_at(symbol, len(symbol) - half)
    return f"{show(symbol[:head])}…{show(symbol[tail:])}"


def _character_at(symbol: Symbol, place: int) -> int:
    """Where the character that this byte belongs to begins; the place itself where bytes begin none."""
    first = next((back for back in range(4) if symbol[place - back] & 0xC0 != 0x80), 0)
    return place - first


# Search


def _contains(wanted: str) -> Match:
    return lambda entry: any(wanted in text for text in entry.readings())


def _starts_with(wanted: str) -> Match:
    return lambda entry: any(text.startswith(wanted) for text in entry.readings())


def _ends_with(wanted: str) -> Match:
    return lambda entry: any(text.endswith(wanted) for text in entry.readings())


def _matches(wanted: str) -> Match:
    try:
        pattern = regex.compile(wanted)
    except (regex.error, OverflowError, RecursionError) as error:
        raise BPEError(f"The pattern does not compile: {error}.") from None

    until = monotonic() + SEARCH_SECONDS

    def match(entry: Entry) -> bool:
        try:
            return any(
                call_with_time_limit(partial(pattern.search, text), max(until - monotonic(), 0.001))
                for text in dict.fromkeys(entry.readings())
            )
        except TimeoutError:
            raise BPEError(
                f"The pattern took more than {SEARCH_SECONDS:g} seconds on this vocabulary: "
                "nested repeats such as (a+)+ are slow."
            ) from None

    return match


def _long(wanted: str) -> Match:
    found = regex.fullmatch(r"\s*([0-9]{1,6})?\s*(?:(-|–|to)\s*([0-9]{1,6})?)?\s*", wanted)
    if found is None or not (found[1] or found[3]):
        raise BPEError(f"A length must be a number or a range, such as 5, 3-5 or 8-, got {wanted[:40]!r}.")
    low = int(found[1] or 0)
    high = int(found[3]) if found[3] else (10**6 if found[2] else low)
    return lambda entry: low <= entry.length <= high


@dataclass(frozen=True, slots=True)
class Search:
    """A way to look for tokens. `match` reads what is wanted and raises BPEError where it cannot."""

    slug: str
    title: str
    example: str
    match: Callable[[str], Match]


_ROWS = (
    Search("contains", "Contains", "est", _contains),
    Search("starts", "Starts with", "lo", _starts_with),
    Search("ends", "Ends with", "t</w>", _ends_with),
    Search("regex", "Matches a pattern", "^[aeiou]+$", _matches),
    Search("length", "Is so long", "3-5", _long),
)
SEARCHES: Mapping[str, Search] = MappingProxyType({row.slug: row for row in _ROWS})


ORDERS: Mapping[str, tuple[str, Callable[[Entry], tuple[int | bytes, ...]]]] = MappingProxyType(
    {
        "newest": ("Newest first", lambda entry: (-entry.id,)),
        "id": ("By id", lambda entry: (entry.id,)),
        "count": ("Most frequent first", lambda entry: (-entry.count, entry.id)),
        "words": ("In most words first", lambda entry: (-entry.words, entry.id)),
        "token": ("By its bytes", lambda entry: (entry.symbol,)),
        "length": ("Longest first", lambda entry: (-entry.length, -entry.count, entry.id)),
    }
)  # slug -> (title, sort key)


def search(found: Iterable[Entry], how: str, wanted: str, only_unused: bool = False) -> list[Entry]:
    """The entries that match; all of them where nothing is wanted. Unused are those that the corpus does not hold now.

    Raises BPEError for a search that cannot be read, and for one that takes longer than SEARCH_SECONDS.

    >>> import bpe
    >>> low = entries(bpe.train("low low lower", merges=3), 3)
    >>> [entry.label for entry in search(low, "regex", "^lo")]
    ['lo', 'low', 'low</w>']
    """
    match = SEARCHES[how].match(wanted) if wanted else None
    until = monotonic() + SEARCH_SECONDS
    matching: list[Entry] = []
    for entry in found:
        if only_unused and (entry.in_use or entry.state == "special"):
            continue
        if match is None or match(entry):
            matching.append(entry)
        if match is not None and monotonic() > until:
            raise BPEError(
                f"The search took more than {SEARCH_SECONDS:g} seconds on this vocabulary, whose tokens are long: "
                "search by length, or at an earlier step."
            )
    return matching


# Trees


@dataclass(frozen=True, slots=True)
class Node:
    """A token in a merge tree, its parts below it."""

    symbol: Symbol
    rank: int | None  # of the merge that made it
    parts: Sequence["Node"]  # two, or none for an initial symbol and where the tree is cut


def merge_tree(trace: Trace, symbol: Symbol, depth: int = 24) -> Node:
    """How the token was merged, down to the alphabet or `depth` levels. Raises BPEError for no token of the trace.

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


def depth_of(trace: Trace, symbol: Symbol) -> int:
    """Levels of the whole merge tree; 1 for an initial symbol."""
    levels, row = 0, {symbol}
    while row:
        levels += 1
        row = {part for token in row for part in trace.parents(token) or ()}
    return levels
