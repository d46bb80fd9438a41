"""Tie-breaking rules: which of the pairs that share the highest count is merged.

A rule is a row with a `queue`. The trainer adds a pair to the queue when it ties and drops it when it no longer does,
and asks the queue for the best pair. All rules except the seeded draw order the pairs by a key, in a heap with lazy
deletion: a pair's key can only get worse while training goes on (its first occurrence moves right, its last one left),
so a stored key is a lower bound, and it is enough to correct the entry at the top.

Inside training a pair is one integer, a pair key (`bpe.pair_ids`).
"""

from bisect import bisect_left, insort
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partialmethod
from heapq import heapify, heappop, heappush, heapreplace
from types import MappingProxyType
from typing import Any, Protocol

from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.remake import by_slug
from bpe.symbols import Symbol
from bpe.text.variants import Variant


@dataclass(frozen=True, slots=True)
class Candidates:
    """The data that a rule may read: the pairs tied now, the symbols so far, and the positions of pairs."""

    tied: set[PairKey]  # changes while training goes on
    symbols: list[Symbol]  # by internal id; grows
    alphabet_size: int
    variant: Variant
    first_position: Callable[[PairKey], int]  # leftmost start, words in order of first appearance
    last_position: Callable[[PairKey], int]
    seed: int

    def spell(self, pair: PairKey) -> tuple[Symbol, Symbol]:
        """Return the two symbols of a pair."""
        return self.symbols[pair >> SHIFT], self.symbols[pair & MASK]


class Queue(Protocol):
    """The tied pairs in the order of a rule."""

    def open(self) -> None:
        """Start with the pairs tied now."""

    def add(self, pair: PairKey) -> None:
        """Add a pair that ties with the others from now on."""

    def drop(self, pair: PairKey) -> None:
        """Remove a pair that no longer ties. Called at most once for each pair."""

    def best(self, rank: int) -> PairKey:
        """Return the pair to merge at this rank."""


class OrderedQueue:
    """A heap with the least key on top. Dropped pairs are deleted when they reach the top."""

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
    """The tied pairs sorted by (left, right). SHA-256 of seed and rank draws one, the same on every machine."""

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
        import hashlib  # Only here: it loads OpenSSL, 4 MB of memory that no other rule needs.

        digest = hashlib.sha256(f"{self._candidates.seed}:{rank}".encode()).digest()
        return self._sorted[int.from_bytes(digest, "big") % len(self._sorted)][1]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a pair won: the words for one term of an order. `bpe.analysis.ties.why_won` fills the gaps.

    If the term before it did not decide, the words go on with `of_all` of that term, or with `of_some` if only some of
    the tied pairs were equal in it.
    """

    words: str  # after "it wins since"
    of_all: str = ""
    of_some: str = ""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One tie-breaking rule. `who` names the trainers that use it."""

    slug: str
    title: str
    about: str  # one or two sentences: which pair is merged
    who: str
    queue: Callable[[Candidates], Queue]
    # What `queue` compares, term after term, for a trainer that is not written in Python: the least wins, or with "-"
    # the greatest; () if the rule is no order of pairs. `film/browser/trainer/tie_orders.js` knows the terms.
    order: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()  # for each term of `order`; the one reason of a rule that is no order
    menu: bool = True  # False: only a preset uses it
    seeded: bool = False  # the setting `seed` decides
    by_hand: bool = False  # the viewer picks pairs; the rule decides where none is picked
    brief: str = ""  # `about` in one short line
    __reduce__ = partialmethod(by_slug, __name__, "TIE_BREAKS")


def in_order(key_of: Callable[[Candidates], Callable[[PairKey], Any]]) -> Callable[[Candidates], Queue]:
    """Return the `queue` of a rule that merges the pair with the least key. `key_of(candidates)` makes the key."""
    return lambda candidates: OrderedQueue(candidates, key_of(candidates))


_INVERTED = bytes(range(255, -1, -1))


def inverted(text: bytes) -> str:
    """Return a key that sorts in reverse: inverted(a) < inverted(b) exactly if a > b.

    >>> sorted([b"a", b"ab", b"b"], key=inverted)
    [b'b', b'ab', b'a']
    """
    return text.translate(_INVERTED).decode("latin-1") + "\u0100"  # The end sorts after every byte.


def _first(candidates: Candidates) -> Callable[[PairKey], int]:
    return candidates.first_position


def _last(candidates: Candidates) -> Callable[[PairKey], int]:
    return lambda pair: -candidates.last_position(pair)


def _ids(candidates: Candidates) -> Callable[[PairKey], int]:
    return lambda pair: pair  # A pair key compares the left ids first, in the order of the vocabulary.


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
        return candidates.symbols[internal]  # A byte is called chr(byte): in latin-1 the byte itself.

    return lambda pair: (inverted(name(pair >> SHIFT)), inverted(name(pair & MASK)))


def _dictionary(end: str) -> tuple[Reason, ...]:
    """Return the reasons of the order by left, then right token. Tokens that are written alike differ in bytes."""
    return (
        Reason(
            f"{{left}} comes {end} in dictionary order",
            " among the {n}, which begin with {left}",
            " among the {n} that begin with {left}",
        ),
        Reason(
            f"its right token, {{right}}, comes {end} in dictionary order",
            " among the {n}, which are written alike",
            " among the {n} that are written alike",
        ),
        Reason(
            f"the bytes of its left token come {end}",
            " among the {n}, which have the same left token",
            " among the {n} with this left token",
        ),
        Reason(f"the bytes of its right token come {end}"),
    )


def _by_size(most: str, size: str) -> tuple[Reason, ...]:
    """Return the reasons of the order by length, then by dictionary; one token can be made of several pairs."""
    return (
        Reason(
            f"{{merged}} is the {most}",
            f" among the {{n}}, which are equally {size}",
            f" among the {{n}} {most}",
        ),
        Reason(
            "{merged} comes first in dictionary order",
            " among the {n}, which make {merged}",
            " among the {n} that make {merged}",
        ),
        Reason(
            "its left token, {left}, comes first in dictionary order",
            " among the {n}, which begin with {left}",
            " among the {n} that begin with {left}",
        ),
        Reason("its right token, {right}, comes first in dictionary order"),
    )


_ROWS = (
    TieBreak(
        slug="first",
        title="First occurrence",
        brief="The one that comes first in the text wins.",
        about="Picks the tied pair that appears earliest in the text.",
        who="minbpe, tiktoken's educational code, the listing of Sennrich et al. 2016 (since Python 3.7)",
        queue=in_order(_first),
        order=("first position",),
        reasons=(Reason("it comes first in the text{at}"),),
    ),
    TieBreak(
        slug="last",
        title="Last occurrence",
        brief="The one whose last occurrence is latest wins.",
        about="Picks the tied pair whose last occurrence comes latest, with each different word read once, in order.",
        who="no trainer that we know; here for contrast",
        queue=in_order(_last),
        order=("-last position",),
        reasons=(Reason("its last occurrence comes latest{at}, with each different word read once"),),
    ),
    TieBreak(
        slug="ids-min",
        title="Smallest ids first",
        brief="The pair with the smallest ids wins.",
        about="Picks the tied pair with the smallest left id, then the smallest right id: early tokens go first.",
        who="Hugging Face tokenizers (ids of remapped bytes or code points), rustbpe (raw bytes)",
        queue=in_order(_ids),
        order=("left id", "right id"),
        reasons=(
            Reason(
                "its left id, {left_id}, is the smallest",
                " of the {n}, which have left id {left_id}",
                " of the {n} with left id {left_id}",
            ),
            Reason("its right id, {right_id}, is the smallest"),
        ),
    ),
    TieBreak(
        slug="pair-max",
        title="Last in dictionary order",
        brief="The last one in dictionary order wins.",
        about="Picks the tied pair that comes last in dictionary order: left token first, then right token.",
        who="subword-nmt, Stanford CS336",
        queue=in_order(_pair_max),
        order=("-left spelled", "-right spelled", "-left", "-right"),
        reasons=_dictionary("last"),
    ),
    TieBreak(
        slug="pair-min",
        title="First in dictionary order",
        brief="The first one in dictionary order wins.",
        about="Picks the tied pair that comes first in dictionary order: left token first, then right token.",
        who="the published trainers of BoundlessBPE",
        queue=in_order(_pair_min),
        order=("left spelled", "right spelled", "left", "right"),
        reasons=_dictionary("first"),
    ),
    TieBreak(
        slug="shortest",
        title="Shortest token",
        brief="The pair that makes the shortest token wins.",
        about="Picks the tied pair that makes the shortest token; among those, the first in dictionary order.",
        who="SentencePiece",
        queue=in_order(_by_length(1)),
        order=("length", "merged spelled", "left", "right"),
        reasons=_by_size("shortest", "short"),
    ),
    TieBreak(
        slug="longest",
        title="Longest token",
        brief="The pair that makes the longest token wins.",
        about="Picks the tied pair that makes the longest token; among those, the first in dictionary order.",
        who="no trainer that we know; here for contrast",
        queue=in_order(_by_length(-1)),
        order=("-length", "merged spelled", "left", "right"),
        reasons=_by_size("longest", "long"),
    ),
    TieBreak(
        slug="random",
        title="Random draw",
        brief="A random draw decides; its seed repeats it.",
        about="Draws one of the tied pairs at random. The same seed draws the same pairs on every machine.",
        who="no trainer on purpose; in fastBPE ties depend on a hash map, in YouTokenToMe on a stack",
        queue=DrawnQueue,
        reasons=(Reason("draw {merge} with seed {seed} picked it"),),
        seeded=True,
    ),
    TieBreak(
        slug="manual",
        title="Chosen by hand",
        brief="You choose; if you do not, the first wins.",
        about="You pick the pair. Where you do not, the first occurrence is merged.",
        who="lectures",
        queue=in_order(_first),
        order=("first position",),
        reasons=(Reason("no pick, so the first occurrence wins{at}"),),
        by_hand=True,
    ),
    TieBreak(
        slug="names-max",
        title="Greatest internal name",
        brief="The greatest of the code's own names wins.",
        about=(
            "Compares the names that the code uses internally: a byte is called by its character, the first merge "
            "merge_257, the next merge_258. Picks the greatest pair of names."
        ),
        who="the listing of the CS336 study notes, which calls this order lexicographic",
        queue=in_order(_names_max),
        order=("-left name", "-right name"),
        reasons=(
            Reason(
                "the internal name of its left token, {left_name}, is the greatest",
                " of the {n}, which have the left name {left_name}",
                " of the {n} with the left name {left_name}",
            ),
            Reason("the internal name of its right token, {right_name}, is the greatest"),
        ),
        menu=False,
    ),
)

TIE_BREAKS: Mapping[str, TieBreak] = MappingProxyType({row.slug: row for row in _ROWS})
