"""Merge list: the merges of a tokenizer, prepared for a replay over one corpus."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import chain

from bpe.checkpoints import with_checkpoints
from bpe.encoding.merging import out_of_order
from bpe.encoding.tokenizer import Tokenizer
from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.symbols import Pair, Symbol

_WORDS = 1 << 8  # encoded between two checkpoints


@dataclass(frozen=True, slots=True)
class MergeList:
    """The merges that a replay may make."""

    tokenizer: Tokenizer
    place_of: Mapping[Pair, int]  # pair -> its place in the order of the replay
    ranks: Sequence[int]  # by place: the merge's rank in the tokenizer's list
    whole: frozenset[str]  # pre-tokens that the tokenizer takes whole, though no merges make them
    # By place: the positions in the layout of the words where the tokenizer merges the pair. None: wherever it occurs.
    positions: Sequence[Sequence[int]] | None = None

    def words(self, pre_tokens: Sequence[str]) -> tuple[Sequence[Sequence[Symbol | int]], list[Symbol]]:
        """Return the words that a corpus begins with, and their symbols: by id, then the unknown ones."""
        spell = self.tokenizer.variant.spell
        words = [
            (b"".join(spell(pre_token)),) if pre_token in self.whole else spell(pre_token)
            for pre_token in pre_tokens
        ]
        ids, last = self.tokenizer.ids, len(self.tokenizer.vocabulary)
        symbols = set(chain.from_iterable(words))
        return words, sorted(symbols, key=lambda symbol: (ids.get(symbol, last), symbol))


def merge_list(tokenizer: Tokenizer, pre_tokens: Sequence[str]) -> MergeList:
    """Return the merges of a tokenizer, for a corpus with these pre-tokens.

    In an ordered list every merge comes after those that make its parts. Then applying the merges one after the other
    over the corpus segments each word as the tokenizer does. A list that was converted from a vocabulary is seldom
    ordered, but the merges in it that ever apply mostly are: they are found by encoding the words.

    If those are not ordered either, a rank is a priority and not a date: the tokenizer makes the pair of least rank
    that is there, and may come back to a merge. In Gemma's list `▁▁` + `▁` comes before `▁` + `▁`, so that a run of
    spaces grows from its left end. Merges of equal rank take turns likewise. Such merges take place in the order in
    which they can happen, each once, and only at the positions where the tokenizer makes it.
    """
    merges = tokenizer.merges
    whole: set[str] = set()
    # Asked first, since the whole list takes long to read.
    by_list = not tokenizer.whole_words and not tokenizer.equal_ranks
    if by_list and out_of_order(enumerate(merges)) is None:
        return MergeList(tokenizer, _places(merges), range(len(merges)), frozenset())
    positions: defaultdict[int, array[int]] = defaultdict(partial(array, "i"))
    start = 1  # of the word in the layout, which begins with a wall
    for pre_token in with_checkpoints(pre_tokens, _WORDS):
        length = len(tokenizer.variant.spell(pre_token))
        for step in tokenizer.word_steps(pre_token):
            if step.rank is None:
                whole.add(pre_token)
                length = 1
            else:
                positions[step.rank].extend(start + boundary + 1 for boundary in step.closes)
        start += length + 1
    used = sorted(positions)
    if not tokenizer.equal_ranks and out_of_order((rank, merges[rank]) for rank in used) is None:
        return MergeList(
            tokenizer, {merges[rank]: rank for rank in used}, range(len(merges)), frozenset(whole)
        )
    ranks = _possible_order({rank: merges[rank] for rank in used})
    return MergeList(
        tokenizer,
        _places(merges[rank] for rank in ranks),
        ranks,
        frozenset(whole),
        [sorted(positions[rank]) for rank in ranks],
    )


def _places(merges: Iterable[Pair]) -> dict[Pair, int]:
    return {pair: place for place, pair in enumerate(merges)}


def _possible_order(merges: Mapping[int, Pair]) -> list[int]:
    """Return the ranks of these merges, each after those that make its parts, and otherwise the least first.

    >>> _possible_order({0: (b"ab", b"c"), 1: (b"c", b"d"), 2: (b"a", b"b")})
    [1, 2, 0]
    """
    makers: defaultdict[Symbol, list[int]] = defaultdict(list)
    for rank, (left, right) in merges.items():
        makers[left + right].append(rank)
    missing = {
        rank: len({maker for part in pair for maker in makers.get(part, ())}) for rank, pair in merges.items()
    }
    users: defaultdict[int, list[int]] = defaultdict(list)
    for rank, pair in merges.items():
        for maker in {maker for part in pair for maker in makers.get(part, ())}:
            users[maker].append(rank)
    possible = [rank for rank in merges if not missing[rank]]
    heapify(possible)
    order: list[int] = []
    while possible:
        order.append(heappop(possible))
        for rank in users[order[-1]]:
            missing[rank] -= 1
            if not missing[rank]:
                heappush(possible, rank)
    return order


@dataclass(slots=True)
class ListQueue:
    """The pairs of the corpus that a merge list merges, by their place."""

    merges: MergeList
    symbols: Sequence[Symbol]  # by internal id; grows
    list_ranks: MutableSequence[int]  # of the merges made so far; grows
    _pairs: dict[int, PairKey] = field(default_factory=dict)  # place -> its pair in internal ids
    _places: list[int] = field(default_factory=list)  # a heap

    def add(self, pair: PairKey) -> None:
        """Add a new pair, if the list merges it."""
        place = self.merges.place_of.get((self.symbols[pair >> SHIFT], self.symbols[pair & MASK]))
        if place is not None:
            self._pairs[place] = pair
            heappush(self._places, place)

    def pop(self, count: Mapping[PairKey, int]) -> tuple[PairKey, Sequence[int] | None] | None:
        """Remove and return the first pair that still occurs, and its positions in the list; None if there is none."""
        while self._places:
            place = heappop(self._places)
            pair = self._pairs.pop(place)
            if pair in count:
                self.list_ranks.append(self.merges.ranks[place])
                return pair, None if self.merges.positions is None else self.merges.positions[place]
        return None
