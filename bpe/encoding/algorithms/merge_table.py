"""Merge table: the merges in the form of look-up tables, and the encoding of short words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, repeat

from bpe.symbols import Pair, Symbol, Word

# In initial symbols. For a word up to this length, reading all ranks after each merge costs less than a heap.
SHORT_WORD = 200


@dataclass(frozen=True, slots=True)
class MergeTable:
    """The merges in the form of look-up tables."""

    merges: Sequence[Pair]
    rank_of: Mapping[Pair, int]
    symbols: Sequence[Symbol]  # rank -> the symbol that the merge makes
    no_rank: int  # greater than any rank
    ordered: bool  # every merge comes after the merges that make its parts


def merge_table(merges: Sequence[Pair]) -> MergeTable:
    """Return the table of a merge list."""
    symbols = [left + right for left, right in merges]
    ordered = out_of_order(enumerate(merges)) is None
    return MergeTable(merges, {pair: rank for rank, pair in enumerate(merges)}, symbols, len(merges), ordered)


def out_of_order(merges: Iterable[tuple[int, Pair]]) -> tuple[int, int] | None:
    """Return (rank of a merge, rank of a later merge that makes one of its parts), or None if there are no such two.

    `merges` are (rank, pair), by rank.

    >>> out_of_order([(0, (b"ab", b"c")), (1, (b"a", b"b"))])
    (0, 1)
    """
    ranked = list(merges)
    last_rank = {left + right: rank for rank, (left, right) in ranked}
    for rank, pair in ranked:
        latest = max(last_rank.get(part, -1) for part in pair)
        if latest >= rank:
            return rank, latest
    return None


def encode_short(table: MergeTable, word: Word) -> list[Symbol]:
    """Apply the merge of lowest rank, leftmost first, one position at a time, until none applies.

    For ordered merges this gives the same tokens as applying each merge everywhere, and as the encoder `rules`.
    """
    rank_of, no_rank = table.rank_of.get, table.no_rank
    symbols = list(word)
    ranks = list(map(rank_of, pairwise(symbols), repeat(no_rank)))  # ranks[i]: of the pair at i and i + 1
    while ranks and (rank := min(ranks)) < no_rank:
        i = ranks.index(rank)
        token = table.symbols[rank]
        symbols[i : i + 2] = (token,)
        del ranks[i]
        if i < len(ranks):
            ranks[i] = rank_of((token, symbols[i + 1]), no_rank)
        if i:
            ranks[i - 1] = rank_of((symbols[i - 1], token), no_rank)
    return symbols
