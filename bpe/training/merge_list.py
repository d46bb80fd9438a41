"""Merge list: the merges of a tokenizer, prepared for a replay over one corpus."""

from collections.abc import Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import chain

from bpe.checkpoints import with_checkpoints
from bpe.encoding.merging import out_of_order
from bpe.encoding.tokenizer import Tokenizer
from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.display import merge_name

WORDS = 1 << 8  # encoded between two checkpoints


@dataclass(frozen=True, slots=True)
class MergeList:
    """The merges that a replay may make."""

    tokenizer: Tokenizer
    rank_of: Mapping[Pair, int]  # pair -> its rank in the tokenizer's list
    whole: frozenset[str]  # pre-tokens that the tokenizer takes whole, though no merges make them

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
    ordered, but the merges in it that ever apply are: they are found by encoding the words.

    Raises BPEError if the merges that apply to the corpus are not ordered.
    """
    merges = tokenizer.merges
    ordered = out_of_order(enumerate(merges)) is None
    whole: set[str] = set()
    if ordered and not tokenizer.whole_words:
        return MergeList(tokenizer, {pair: rank for rank, pair in enumerate(merges)}, frozenset())
    used: set[int] = set()
    for pre_token in with_checkpoints(pre_tokens, WORDS):
        for step in tokenizer.word_steps(pre_token):
            if step.rank is None:
                whole.add(pre_token)
            else:
                used.add(step.rank)
    wrong = out_of_order((rank, merges[rank]) for rank in sorted(used))
    if wrong is not None:
        early, late = (" + ".join(map(tokenizer.variant.label, merges[rank])) for rank in wrong)
        raise BPEError(
            f"These merges cannot be replayed over this text in the order of their list: "
            f"{early} ({merge_name(wrong[0])}) needs what {late} ({merge_name(wrong[1])}) makes, which comes later."
        )
    return MergeList(tokenizer, {merges[rank]: rank for rank in used}, frozenset(whole))


@dataclass(slots=True)
class RankQueue:
    """The pairs of the corpus that a merge list merges, least rank first."""

    rank_of: Mapping[Pair, int]
    symbols: Sequence[Symbol]  # by internal id; grows
    list_ranks: MutableSequence[int]  # of the merges made so far; grows
    _pairs: dict[int, PairKey] = field(default_factory=dict)  # rank -> its pair in internal ids
    _ranks: list[int] = field(default_factory=list)  # a heap

    def add(self, pair: PairKey) -> None:
        """Add a new pair, if the list merges it."""
        rank = self.rank_of.get((self.symbols[pair >> SHIFT], self.symbols[pair & MASK]))
        if rank is not None:
            self._pairs[rank] = pair
            heappush(self._ranks, rank)

    def pop(self, count: Mapping[PairKey, int]) -> PairKey | None:
        """Remove and return the pair of least rank that still occurs; None if there is none."""
        while self._ranks:
            rank = heappop(self._ranks)
            pair = self._pairs.pop(rank)
            if pair in count:
                self.list_ranks.append(rank)
                return pair
        return None
