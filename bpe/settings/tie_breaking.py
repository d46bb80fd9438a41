"""Tie-breaking rules: which of the pairs that share the highest count is merged.

A rule is a row with a `queue`: given the tied pairs of one count level, as they come and go, it names the best one.
All rules but the seeded draw are an order of pairs, taken from a heap. A pair's order key may only get worse while
training goes on (a first occurrence moves right, a last one left), so a key that was stored is a bound and looking
again at the top of the heap is exact.

Inside training a pair is one integer, `left << SHIFT | right`, of internal ids: the alphabet's, then the merges'.
"""

from bisect import bisect_left, insort
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush, heapreplace
from types import MappingProxyType
from typing import Any, Protocol

from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.symbols import Symbol
from bpe.text.variants import Variant


@dataclass(frozen=True, slots=True)
class Candidates:
    """What a rule may look at: the pairs tied now, the symbols so far, and where pairs stand."""

    tied: set[PairKey]  # changes as training goes on
    symbols: list[Symbol]  # by internal id; grows
    alphabet_size: int
    variant: Variant
    first_position: Callable[[PairKey], int]  # leftmost start, words in order of first appearance
    last_position: Callable[[PairKey], int]
    seed: int

    def spell(self, pair: PairKey) -> tuple[Symbol, Symbol]:
        """The pair's two symbols."""
        return self.symbols[pair >> SHIFT], self.symbols[pair & MASK]


class Queue(Protocol):
    """The tied pairs in a rule's order, told of every pair that comes to be tied and every one that no longer is."""

    def open(self) -> None:
        """Begin with the pairs tied now."""

    def add(self, pair: PairKey) -> None:
        """A pair has come to be tied with the others."""

    def drop(self, pair: PairKey) -> None:
        """A pair is no longer tied; never called twice for one."""

    def best(self, rank: int) -> PairKey:
        """The pair to take for the merge of this rank."""


class OrderedQueue:
    """Least key first; pairs that left are passed over when they come up."""

    def __init__(self, candidates: Candidates, key: Callable[[PairKey], Any]) -> None:
        self._tied = candidates.tied
        self._key = key
        self._heap: list[tuple[Any, PairKey]] = []

    def open(self) -> None:
        key = self._key
        self._heap = [(key(pair), pair) for pair in self._tied]
        heapify(self._heap)

    def add(self, pair: PairKey) -> None:
        heappush(self._heap, (self._key(pair), pair))

    def drop(self, pair: PairKey) -> None:
        pass

    def best(self, rank: int) -> PairKey:
        heap = self._heap
        while True:
            stored, pair = heap[0]
            if pair not in self._tied:
                heappop(heap)
            elif (now := self._key(pair)) == stored:
                return pair
            else:
                heapreplace(heap, (now, pair))


class DrawnQueue:
    """Tied pairs kept sorted by (left, right); SHA-256 of seed and rank says which, on every machine alike."""

    def __init__(self, candidates: Candidates) -> None:
        self._candidates = candidates
        self._sorted: list[tuple[tuple[Symbol, Symbol], PairKey]] = []

    def _entry(self, pair: PairKey) -> tuple[tuple[Symbol, Symbol], PairKey]:
        return self._candidates.spell(pair), pair

    def open(self) -> None:
        self._sorted = sorted(map(self._entry, self._candidates.tied))

    def add(self, pair: PairKey) -> None:
        insort(self._sorted, self._entry(pair))

    def drop(self, pair: PairKey) -> None:
        del self._sorted[bisect_left(self._sorted, self._entry(pair))]

    def best(self, rank: int) -> PairKey:
        import hashlib  # here alone: it brings OpenSSL, 4 MB of memory that no other rule needs

        digest = hashlib.sha256(f"{self._candidates.seed}:{rank}".encode()).digest()
        return self._sorted[int.from_bytes(digest, "big") % len(self._sorted)][1]


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One rule. `who` names the trainers that break ties so; `menu` is False for a rule that belongs to a preset."""

    slug: str
    title: str
    about: str  # one sentence: the pair taken
    who: str
    queue: Callable[[Candidates], Queue]
    menu: bool = True
    seeded: bool = False  # draws by lot, so the setting `seed` decides
    by_hand: bool = False  # the viewer takes the pairs; the rule decides only where none was taken


def in_order(key_of: Callable[[Candidates], Callable[[PairKey], Any]]) -> Callable[[Candidates], Queue]:
    """The queue of a rule that is an order: `key_of(candidates)` is the key, the least pair is taken."""
    return lambda candidates: OrderedQueue(candidates, key_of(candidates))


_INVERTED = bytes(range(255, -1, -1))


def inverted(text: bytes) -> str:
    """A key that sorts in reverse: inverted(a) < inverted(b) exactly if a > b.

    >>> sorted([b"a", b"ab", b"b"], key=inverted)
    [b'b', b'ab', b'a']
    """
    return text.translate(_INVERTED).decode("latin-1") + "\u0100"  # the end sorts after every byte


def _first(candidates: Candidates) -> Callable[[PairKey], int]:
    return candidates.first_position


def _last(candidates: Candidates) -> Callable[[PairKey], int]:
    return lambda pair: -candidates.last_position(pair)


def _ids(candidates: Candidates) -> Callable[[PairKey], int]:
    return lambda pair: pair  # internal ids are vocabulary ids less the special tokens, left above right


def _pair_max(candidates: Candidates) -> Callable[[PairKey], Any]:
    def key(pair: PairKey) -> tuple[str, str, str, str]:
        left, right = candidates.spell(pair)
        spelled = candidates.variant.spelled
        return inverted(spelled(left)), inverted(spelled(right)), inverted(left), inverted(right)

    return key


def _pair_min(candidates: Candidates) -> Callable[[PairKey], Any]:
    def key(pair: PairKey) -> tuple[bytes, bytes, Symbol, Symbol]:
        left, right = candidates.spell(pair)
        return candidates.variant.spelled(left), candidates.variant.spelled(right), left, right

    return key


def _by_length(sign: int) -> Callable[[Candidates], Callable[[PairKey], Any]]:
    def key_of(candidates: Candidates) -> Callable[[PairKey], Any]:
        def key(pair: PairKey) -> tuple[int, bytes, Symbol, Symbol]:
            left, right = candidates.spell(pair)
            merged = left + right
            return sign * candidates.variant.length(merged), candidates.variant.spelled(merged), left, right

        return key

    return key_of


def _names_max(candidates: Candidates) -> Callable[[PairKey], Any]:
    def name(internal: int) -> bytes:
        merge = internal - candidates.alphabet_size
        if merge >= 0:
            return f"merge_{257 + merge}".encode()
        return candidates.symbols[internal]  # the name of a byte is chr(byte): the byte itself, in latin-1

    return lambda pair: (inverted(name(pair >> SHIFT)), inverted(name(pair & MASK)))


_ROWS = (
    TieBreak(
        slug="first",
        title="First occurrence",
        about="The tied pair that occurs first in the text, as it is cut now, is merged.",
        who="minbpe, tiktoken's educational code, the listing of Sennrich et al. 2016",
        queue=in_order(_first),
    ),
    TieBreak(
        slug="last",
        title="Last occurrence",
        about="The tied pair whose last place comes last is merged (words in order of first appearance).",
        who="no trainer we know; it is here for contrast",
        queue=in_order(_last),
    ),
    TieBreak(
        slug="ids-min",
        title="Oldest tokens first",
        about="The tied pair with the smallest left id is merged, then the smallest right id: early tokens go first.",
        who="Hugging Face tokenizers (ids of remapped bytes or code points), rustbpe (raw bytes)",
        queue=in_order(_ids),
    ),
    TieBreak(
        slug="pair-max",
        title="Greatest pair",
        about="The tied pair that comes last in dictionary order (left token, then right token) is merged.",
        who="subword-nmt, Stanford CS336",
        queue=in_order(_pair_max),
    ),
    TieBreak(
        slug="pair-min",
        title="Smallest pair",
        about="The tied pair that comes first in dictionary order (left token, then right token) is merged.",
        who="no trainer we know; it mirrors the greatest pair",
        queue=in_order(_pair_min),
    ),
    TieBreak(
        slug="shortest",
        title="Shortest token",
        about="The tied pair that makes the shortest token is merged; among equals, the smallest in dictionary order.",
        who="SentencePiece",
        queue=in_order(_by_length(1)),
    ),
    TieBreak(
        slug="longest",
        title="Longest token",
        about="The tied pair that makes the longest token is merged; among equals, the smallest in dictionary order.",
        who="no trainer we know; it is here for contrast",
        queue=in_order(_by_length(-1)),
    ),
    TieBreak(
        slug="random",
        title="Seeded draw",
        about="One of the tied pairs is drawn; the same seed draws the same pairs on every machine.",
        who="no trainer on purpose; fastBPE and YouTokenToMe leave it to the order of a hash map",
        queue=DrawnQueue,
        seeded=True,
    ),
    TieBreak(
        slug="manual",
        title="Chosen by hand",
        about="You take the pair you want; where you took none, the first occurrence is merged.",
        who="lectures",
        queue=in_order(_first),
        by_hand=True,
    ),
    TieBreak(
        slug="names-max",
        title="Greatest internal name",
        about=(
            "Pairs are compared by the code's own names: a byte is its character, the k-th merge the "
            "word merge_257+k."
        ),
        who="the listing of the CS336 study notes, which calls it lexicographic",
        queue=in_order(_names_max),
        menu=False,
    ),
)

TIE_BREAKS: Mapping[str, TieBreak] = MappingProxyType({row.slug: row for row in _ROWS})
