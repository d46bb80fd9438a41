"""Encoding by merges: apply the merge of lowest rank until none applies, or apply every merge once, in training order.

Both give the same tokens if the merges are in the order in which they were learned. They differ if a list was edited or
imported with a merge before the merges that make its parts. Libraries differ for such a list too. Here, as in
subword-nmt and minbpe, a merge is applied at all its positions before the next merge is chosen; `one_by_one` chooses
again after each position, as Hugging Face and tiktoken do.
"""

from array import array
from collections.abc import Callable, Iterator
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import pairwise
from operator import gt

from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.encoding.algorithms.encoder_input import EncoderInput, WordEncoder, WordStep, apply_steps
from bpe.encoding.algorithms.merge_table import SHORT_WORD, MergeTable, encode_short, merge_table
from bpe.encoding.algorithms.one_by_one import one_by_one
from bpe.encoding.algorithms.whole_words import whole_words_first
from bpe.symbols import Pair, Symbol, Word

# (rank of a pair that a merge created, rank of that merge) -> whether the pair may still be merged
MayFollow = Callable[[int, int], bool]


def by_rank(known: EncoderInput) -> WordEncoder:
    """Return the encoder `rank`."""
    table = merge_table(known.merges)
    # For an ordered list both give the same tokens, and the steps of the former are fewer.
    encoder = one_by_one(table) if known.one_by_one and not table.ordered else _word_encoder(table, _always)
    return whole_words_first(encoder, known.ids) if known.whole_words else encoder


def by_rules(known: EncoderInput) -> WordEncoder:
    """Return the encoder `rules`."""
    return _word_encoder(merge_table(known.merges), gt)


def encode_by_rank(table: MergeTable, word: Word) -> list[Symbol]:
    """Return the word's tokens: apply the merge of lowest rank everywhere, and repeat until no merge applies."""
    return _encode(table, _always, word)


def _word_encoder(table: MergeTable, may_follow: MayFollow) -> WordEncoder:
    return WordEncoder(partial(_encode, table, may_follow), partial(_steps, table, may_follow))


def _always(rank: int, applied: int) -> bool:
    return True


def _encode(table: MergeTable, may_follow: MayFollow, word: Word) -> list[Symbol]:
    if table.ordered and len(word) <= SHORT_WORD:
        return encode_short(table, word)
    return apply_steps(word, _steps(table, may_follow, word))


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
    positions = positions_by_rank(table, word)
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
        checkpoint()
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


def positions_by_rank(table: MergeTable, word: Word) -> dict[int, list[int]]:
    """Return, for each merge that fits in the word, its rank and the positions where its pair starts."""
    positions: dict[int, list[int]] = {}
    for start, rank in enumerate(map(table.rank_of.get, pairwise(with_checkpoints(word)))):
        if rank is not None:
            positions.setdefault(rank, []).append(start)
    return positions
