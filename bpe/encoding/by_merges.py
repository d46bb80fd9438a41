"""Encoding by merges: apply the merge of lowest rank until none applies, or apply every merge once, in training order.

Both give the same tokens if the merges are in the order in which they were learned. They differ if a list was edited or
imported with a merge before the merges that make its parts. Libraries differ for such a list too. Here, as in
subword-nmt and minbpe, a merge is applied at all its positions before the next merge is chosen; Hugging Face and
tiktoken choose again after each position.
"""

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import pairwise, repeat
from operator import gt

from bpe.encoding.encoder_input import EncoderInput, WordEncoder, WordStep, apply_steps
from bpe.symbols import Pair, Symbol, Word

# In initial symbols. For a word up to this length, reading all ranks after each merge costs less than a heap.
SHORT_WORD = 200

# (rank of a pair that a merge created, rank of that merge) -> whether the pair may still be merged
MayFollow = Callable[[int, int], bool]


@dataclass(frozen=True, slots=True)
class MergeTable:
    """The merges in the form of look-up tables."""

    merges: Sequence[Pair]
    rank_of: Mapping[Pair, int]
    symbols: Sequence[Symbol]  # rank -> the symbol that the merge makes
    no_rank: int  # greater than any rank
    ordered: bool  # every merge comes after the merges that make its parts


def by_rank(known: EncoderInput) -> WordEncoder:
    """Return the encoder `rank`."""
    return _word_encoder(_merge_table(known), _always)


def by_rules(known: EncoderInput) -> WordEncoder:
    """Return the encoder `rules`."""
    return _word_encoder(_merge_table(known), gt)


def encode_by_rank(table: MergeTable, word: Word) -> list[Symbol]:
    """Return the word's tokens: apply the merge of lowest rank everywhere, and repeat until no merge applies."""
    return _encode(table, _always, word)


def _merge_table(known: EncoderInput) -> MergeTable:
    merges = known.merges
    symbols = [left + right for left, right in merges]
    last_rank = {symbol: rank for rank, symbol in enumerate(symbols)}
    ordered = all(
        max(last_rank.get(left, -1), last_rank.get(right, -1)) < rank
        for rank, (left, right) in enumerate(merges)
    )
    return MergeTable(merges, {pair: rank for rank, pair in enumerate(merges)}, symbols, len(merges), ordered)


def _word_encoder(table: MergeTable, may_follow: MayFollow) -> WordEncoder:
    return WordEncoder(partial(_encode, table, may_follow), partial(_steps, table, may_follow))


def _always(rank: int, applied: int) -> bool:
    return True


def _encode(table: MergeTable, may_follow: MayFollow, word: Word) -> list[Symbol]:
    if table.ordered and len(word) <= SHORT_WORD:
        return _encode_short(table, word)
    return apply_steps(word, _steps(table, may_follow, word))


def _encode_short(table: MergeTable, word: Word) -> list[Symbol]:
    """Apply the merge of lowest rank, leftmost first, one position at a time, until none applies.

    For ordered merges this gives the same tokens as applying each merge everywhere, and as the encoder `rules`.
    """
    rank_of, no_rank = table.rank_of.get, table.no_rank
    symbols = list(word)
    ranks = list(
        map(rank_of, pairwise(symbols), repeat(no_rank))
    )  # ranks[i]: rank of the pair at i and i + 1
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


def _steps(table: MergeTable, may_follow: MayFollow, word: Word) -> Iterator[WordStep]:
    """Yield every merge that applies, with all its positions. Linear in the word's length, except for sorting.

    Positions are filed under the rank of the pair that starts there. When a rank is processed, a position may be stale:
    one of the pair's two symbols was merged with another neighbour. Such a position is dropped, since symbols only grow
    and the pair cannot come back.
    """
    rank_of = table.rank_of.get
    symbols = list(word)  # symbols[i]: the token that starts at i; b"" inside a token
    end = len(word)
    following, preceding = array("i", range(1, end + 1)), array("i", range(-1, end - 1))
    positions: dict[int, list[int]] = {}  # rank -> where its pair starts
    for i, rank_here in enumerate(map(rank_of, pairwise(word))):
        if rank_here is not None:
            positions.setdefault(rank_here, []).append(i)
    queue = list(positions)
    heapify(queue)

    def file_position(pair: Pair, start: int, applied: int) -> None:
        rank = rank_of(pair)
        if rank is None or not may_follow(rank, applied):
            return
        if rank in positions:
            positions[rank].append(start)
        else:
            positions[rank] = [start]
            heappush(queue, rank)

    while queue:
        rank = heappop(queue)
        left, right = table.merges[rank]
        token = table.symbols[rank]
        starts: list[int] = []
        closes: list[int] = []
        for start in sorted(positions.pop(rank)):
            middle = following[start]
            if symbols[start] != left or middle == end or symbols[middle] != right:
                continue
            after = following[middle]
            symbols[start], symbols[middle] = token, b""
            following[start] = after
            starts.append(start)
            closes.append(middle - 1)
            if after < end:
                preceding[after] = start
                file_position((token, symbols[after]), start, rank)
            before = preceding[start]
            if before >= 0:
                file_position((symbols[before], token), before, rank)
        if starts:
            yield WordStep(token, rank, starts, closes, (rank,))
