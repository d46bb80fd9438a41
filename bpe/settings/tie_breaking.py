"""Tie-breaking rules: which of the pairs that share the highest count is merged.

A rule is a row: an order of the pairs, written as names of TERMS. Its queue follows from the order. The trainer adds
a pair to the queue when it ties, drops it when it no longer does, and asks the queue for the best pair. Only the seeded
draw is no order, and brings a queue of its own.

Inside training a pair is one integer, a pair key (`bpe.pair_ids`).
"""

from bisect import bisect_left, insort
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush, heapreplace
from operator import neg
from types import MappingProxyType
from typing import Any, Literal, Protocol

from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.symbols import Symbol
from bpe.text.variants import Variant

_BYTES_DOWN = bytes(range(255, -1, -1))


@dataclass(frozen=True, slots=True)
class Candidates:
    """The data that a rule may read: the pairs tied now, the symbols so far, and the positions of pairs."""

    tied: set[PairKey]  # changes while training goes on
    symbols: Sequence[Symbol]  # by internal id; grows
    alphabet_size: int
    variant: Variant
    first_position: Callable[[PairKey], int]  # leftmost start, words in order of first appearance
    last_position: Callable[[PairKey], int]
    seed: int

    def spell(self, pair: PairKey) -> tuple[Symbol, Symbol]:
        """Return the two symbols of a pair."""
        return self.symbols[pair >> SHIFT], self.symbols[pair & MASK]

    def merged(self, pair: PairKey) -> Symbol:
        """Return the symbol that merging a pair would make."""
        return self.symbols[pair >> SHIFT] + self.symbols[pair & MASK]


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


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a pair won: the words for one term of an order. `bpe.analysis.ties.why_won` fills the gaps.

    If the term before it did not decide, the words go on with `of_all` of that term, or with `of_some` if only some of
    the tied pairs were equal in it.
    """

    words: str  # after "it wins since"
    of_all: str = ""
    of_some: str = ""
    sorted_words: str = ""  # where the words are sorted, and not in the order of the text; "" for the same


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One tie-breaking rule. `who` names the trainers that use it."""

    slug: str
    title: str
    about: str  # one or two sentences: which pair is merged
    who: str
    # Names of TERMS, compared one after another: the least value wins or, with "-", the greatest. () if the rule is no
    # order of pairs.
    order: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()  # for each term of `order`; the one reason of a rule that is no order
    menu: bool = True  # False: only a preset uses it
    for_contrast: bool = False  # no trainer that we know of uses it; menus name it last
    seeded: bool = False  # the setting `seed` decides
    by_hand: bool = False  # the viewer picks pairs; the rule decides where none is picked
    brief: str = ""  # `about` in one short line
    # The choice as lines of Python, the last of which says what `best` is. They may use `counts`, `words`, `merges`,
    # `ids`, `alphabet` and `SEED` of a script (`bpe.training.script`), where a symbol is a string or bytes.
    code: tuple[str, ...] = ()
    text_code: tuple[str, ...] = ()  # the same where a symbol is a string; () if that makes no difference
    # The same where strings have a marker, which `spelled` of the script writes out; () if that makes no difference
    marked_code: tuple[str, ...] = ()
    unordered_queue: Callable[[Candidates], Queue] | None = None  # of a rule that is no order of pairs

    def code_for(self, variant: Variant) -> tuple[str, ...]:
        """Return the lines that choose a pair of this variant's symbols."""
        marked = () if variant.marker is None else self.marked_code
        return marked or (self.text_code if variant.unit == "characters" else ()) or self.code

    def queue(self, candidates: Candidates) -> Queue:
        """Return an empty queue of the tied pairs."""
        if self.unordered_queue is not None:
            return self.unordered_queue(candidates)
        key = _key_in_order(self.order, candidates)
        if any(_can_improve(name) for name in self.order):
            return _AskingQueue(candidates, key)
        return _OrderedQueue(candidates, key, moves=any(map(_moves, self.order)))


@dataclass(frozen=True, slots=True)
class Term:
    """Something that an order of pairs can compare: a number of each pair, or bytes."""

    reader: Callable[
        [Candidates], Callable[[PairKey], Any]
    ]  # the candidates -> the function from a pair to its value
    # How the value can change while the pair ties. A position moves where overlaps are skipped: see `bpe.symbols`.
    moves: Literal["not at all", "up", "down", "both ways"] = "not at all"
    reverse: Callable[[Any], Any] = neg  # value -> a value that sorts the other way round


def _inverted(text: bytes) -> str:
    """Return a key that sorts in reverse: _inverted(a) < _inverted(b) exactly if a > b.

    >>> sorted([b"a", b"ab", b"b"], key=_inverted)
    [b'b', b'ab', b'a']
    """
    return text.translate(_BYTES_DOWN).decode("latin-1") + "\u0100"  # The end sorts after every byte.


def _name(candidates: Candidates, token: int) -> bytes:
    """Return the internal name of the CS336 study notes. A byte is called chr(byte): in latin-1 the byte itself."""
    merge = token - candidates.alphabet_size
    return candidates.symbols[token] if merge < 0 else f"merge_{257 + merge}".encode()


# What an order of pairs can compare; `film/browser/shared/tie_terms.js` has the same names. An internal id is the place
# in the vocabulary, without special tokens.
TERMS: Mapping[str, Term] = MappingProxyType(
    {
        "first position": Term(lambda tied: tied.first_position, "up"),
        "last position": Term(lambda tied: tied.last_position, "down"),
        "left id": Term(lambda _: lambda pair: pair >> SHIFT),
        "right id": Term(lambda _: lambda pair: pair & MASK),
        "left": Term(lambda tied: lambda pair: tied.symbols[pair >> SHIFT], reverse=_inverted),
        "right": Term(lambda tied: lambda pair: tied.symbols[pair & MASK], reverse=_inverted),
        "left spelled": Term(
            lambda tied: lambda pair: tied.variant.spelled(tied.symbols[pair >> SHIFT]), reverse=_inverted
        ),
        "right spelled": Term(
            lambda tied: lambda pair: tied.variant.spelled(tied.symbols[pair & MASK]), reverse=_inverted
        ),
        "merged spelled": Term(
            lambda tied: lambda pair: tied.variant.spelled(tied.merged(pair)), reverse=_inverted
        ),
        "length": Term(lambda tied: lambda pair: tied.variant.length(tied.merged(pair))),
        "left name": Term(lambda tied: lambda pair: _name(tied, pair >> SHIFT), reverse=_inverted),
        "right name": Term(lambda tied: lambda pair: _name(tied, pair & MASK), reverse=_inverted),
    }
)


def _moves(name: str) -> bool:
    """Return whether a pair's value can change at all while the pair ties."""
    return TERMS[name.removeprefix("-")].moves != "not at all"


def _can_improve(name: str) -> bool:
    """Return whether a pair's key can get less while training goes on. With "-" it does when the value rises."""
    return TERMS[name.removeprefix("-")].moves in ("both ways", "up" if name.startswith("-") else "down")


def _key_in_order(order: Sequence[str], candidates: Candidates) -> Callable[[PairKey], Any]:
    """Return the function from a pair to its key. The pair with the least key wins, or the least pair among equal keys.

    A pair is an integer with the left id above the right one, so an order by both ids needs no key.
    """
    if tuple(order[-2:]) == ("left id", "right id"):
        order = order[:-2]
    readers: list[Callable[[PairKey], Any]] = []
    for name in order:
        term = TERMS[name.removeprefix("-")]
        read = term.reader(candidates)
        readers.append(_in_reverse(term, read) if name.startswith("-") else read)
    return _joined(*readers)


def _joined(
    first: Callable[[PairKey], Any] = lambda pair: None,
    second: Callable[[PairKey], Any] | None = None,
    *others: Callable[[PairKey], Any],
) -> Callable[[PairKey], Any]:
    """Return the function from a pair to what all the readers say: (first, second, (third, fourth, …)).

    Two calls written out are twice as fast as a loop over the readers, and a training asks for keys all the time.
    """
    if second is None:
        return first
    if not others:
        return lambda pair: (first(pair), second(pair))
    rest = _joined(*others)
    return lambda pair: (first(pair), second(pair), rest(pair))


def _in_reverse(term: Term, read: Callable[[PairKey], Any]) -> Callable[[PairKey], Any]:
    reverse = term.reverse
    return lambda pair: reverse(read(pair))


class _OrderedQueue:
    """A heap with the least key on top, for keys that never get less while training goes on.

    A stored key is then a lower bound, and it is enough to correct the entry at the top, if keys move at all. Dropped
    pairs are deleted when they reach the top (lazy deletion).
    """

    def __init__(self, candidates: Candidates, key: Callable[[PairKey], Any], *, moves: bool = True) -> None:
        self._tied = candidates.tied
        self._key = key
        self._moves = moves
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
            elif not self._moves or (now := self._key(pair)) == stored:
                return pair
            else:
                assert now > stored, "a key must not get less: TERMS says how a term moves"
                heapreplace(heap, (now, pair))


class _AskingQueue:
    """The tied pairs without any order stored, for keys that can also get less. It asks for every key each time."""

    def __init__(self, candidates: Candidates, key: Callable[[PairKey], Any]) -> None:
        self._tied = candidates.tied
        self._key = key

    def open(self) -> None:
        pass

    def add(self, pair: PairKey) -> None:
        pass

    def drop(self, pair: PairKey) -> None:
        pass

    def best(self, rank: int) -> PairKey:
        return min((self._key(pair), pair) for pair in self._tied)[1]


class _DrawnQueue:
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
        order=("first position",),
        code=("best = max(counts, key=counts.get)",),
        reasons=(Reason("it comes first in the text{at}", sorted_words="it comes first{at}"),),
    ),
    TieBreak(
        slug="last",
        title="Last occurrence",
        brief="The one whose last occurrence is latest wins.",
        about="Picks the tied pair whose last occurrence comes latest, with each different word read once, in order.",
        who="no trainer that we know of; here for contrast",
        for_contrast=True,
        order=("-last position",),
        code=(
            "seen = [pair for word in words for pair in zip(word, word[1:])]",
            "best = max(reversed(seen), key=counts.get)",
        ),
        reasons=(Reason("its last occurrence comes latest{at}, with each different word read once"),),
    ),
    TieBreak(
        slug="ids-min",
        title="Smallest ids first",
        brief="The pair with the smallest ids wins.",
        about="Picks the tied pair with the smallest left id, then the smallest right id: early tokens go first.",
        who="Hugging Face tokenizers (ids of remapped bytes or code points), rustbpe (raw bytes)",
        order=("left id", "right id"),
        code=("best = min(counts, key=lambda pair: (-counts[pair], ids[pair[0]], ids[pair[1]]))",),
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
        order=("-left spelled", "-right spelled", "-left", "-right"),
        code=("best = max(counts, key=lambda pair: (counts[pair], pair))",),
        marked_code=(
            "best = max(counts, key=lambda pair: (counts[pair], spelled(pair[0]), spelled(pair[1]), pair))",
        ),
        reasons=_dictionary("last"),
    ),
    TieBreak(
        slug="pair-min",
        title="First in dictionary order",
        brief="The first one in dictionary order wins.",
        about="Picks the tied pair that comes first in dictionary order: left token first, then right token.",
        who="the published trainers of BoundlessBPE",
        order=("left spelled", "right spelled", "left", "right"),
        code=("best = min(counts, key=lambda pair: (-counts[pair], pair))",),
        marked_code=(
            "best = min(counts, key=lambda pair: (-counts[pair], spelled(pair[0]), spelled(pair[1]), pair))",
        ),
        reasons=_dictionary("first"),
    ),
    TieBreak(
        slug="shortest",
        title="Shortest token",
        brief="The pair that makes the shortest token wins.",
        about="Picks the tied pair that makes the shortest token; among those, the first in dictionary order.",
        who="SentencePiece",
        order=("length", "merged spelled", "left", "right"),
        code=(
            "size = {pair: len(pair[0] + pair[1]) for pair in counts}",
            "best = min(counts, key=lambda pair: (-counts[pair], size[pair], pair[0] + pair[1], pair))",
        ),
        marked_code=(
            "size = {pair: len(pair[0] + pair[1]) for pair in counts}",
            "best = min(counts, key=lambda pair: (-counts[pair], size[pair], spelled(pair[0] + pair[1]), pair))",
        ),
        reasons=_by_size("shortest", "short"),
    ),
    TieBreak(
        slug="longest",
        title="Longest token",
        brief="The pair that makes the longest token wins.",
        about="Picks the tied pair that makes the longest token; among those, the first in dictionary order.",
        who="no trainer that we know of; here for contrast",
        for_contrast=True,
        order=("-length", "merged spelled", "left", "right"),
        code=(
            "size = {pair: len(pair[0] + pair[1]) for pair in counts}",
            "best = min(counts, key=lambda pair: (-counts[pair], -size[pair], pair[0] + pair[1], pair))",
        ),
        marked_code=(
            "size = {pair: len(pair[0] + pair[1]) for pair in counts}",
            "best = min(counts, key=lambda pair: (-counts[pair], -size[pair], spelled(pair[0] + pair[1]), pair))",
        ),
        reasons=_by_size("longest", "long"),
    ),
    TieBreak(
        slug="random",
        title="Random draw",
        brief="A random draw decides; its seed repeats it.",
        about="Draws one of the tied pairs at random. The same seed draws the same pairs on every machine.",
        who="no trainer on purpose; in fastBPE ties depend on a hash map, in YouTokenToMe on a stack",
        code=(
            "tied = sorted(pair for pair in counts if counts[pair] == max(counts.values()))",
            'draw = hashlib.sha256(f"{SEED}:{len(merges)}".encode()).digest()',
            'best = tied[int.from_bytes(draw, "big") % len(tied)]',
        ),
        unordered_queue=_DrawnQueue,
        reasons=(Reason("draw {merge} with seed {seed} picked it"),),
        seeded=True,
    ),
    TieBreak(
        slug="manual",
        title="Chosen by hand",
        brief="You choose; if you do not, the first wins.",
        about="You pick the pair. Where you do not, the first occurrence is merged.",
        who="lectures",
        order=("first position",),
        code=("best = max(counts, key=counts.get)",),
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
        order=("-left name", "-right name"),
        code=(
            'names = {symbol: symbol.decode("latin-1") for symbol in alphabet}',
            'names |= {left + right: f"merge_{257 + rank}" for rank, (left, right) in enumerate(merges)}',
            "best = max(counts, key=lambda pair: (counts[pair], names[pair[0]], names[pair[1]]))",
        ),
        text_code=(
            "names = {symbol: symbol for symbol in alphabet}",
            'names |= {left + right: f"merge_{257 + rank}" for rank, (left, right) in enumerate(merges)}',
            "best = max(counts, key=lambda pair: (counts[pair], names[pair[0]], names[pair[1]]))",
        ),
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
