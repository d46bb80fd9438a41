"""BPE-dropout: encoding by merges, in which every step drops some of the merges that fit, at random.

Ivan Provilkov, Dmitrii Emelianenko, Elena Voita, 2020: BPE-Dropout: Simple and Effective Subword Regularization. A
model that is trained on many segmentations of the same word learns more about its parts. Only training uses it.

Before each step, every position at which a merge fits is dropped with probability p. Of those that remain, the merge of
lowest rank is applied at all its positions, as subword-nmt does. A word is complete when a draw drops every position.
"""

from array import array
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from random import Random

from bpe.checkpoints import checkpoint
from bpe.encoding.algorithms.by_merges import by_rank, positions_by_rank
from bpe.encoding.algorithms.encoder_input import EncoderInput, WordEncoder, WordStep, apply_steps
from bpe.encoding.algorithms.merge_table import MergeTable, merge_table
from bpe.symbols import Word


def by_dropout(known: EncoderInput, p: float, seed: int) -> WordEncoder:
    """Return the encoder `dropout`. With p = 0 it is `rank`, and with p = 1 no merge is ever applied.

    The draws of a word depend on the seed and on the word alone, so equal words get equal tokens under one seed.
    """
    if p == 0:
        return by_rank(known)
    table = merge_table(known.merges)

    def steps(word: Word) -> Iterator[WordStep]:
        return _steps(table, p, draws(seed, word), word)

    return WordEncoder(lambda word: apply_steps(word, steps(word)), steps)


def draws(seed: int, word: Word) -> Random:
    """Return the random numbers of a word, the same in every version of Python."""
    return Random(b"%d:" % seed + b"".join(word))


def _steps(table: MergeTable, p: float, draw: Random, word: Word) -> Iterator[WordStep]:
    """Yield the merges in order, each with the positions that were not dropped.

    Ranks are drawn from the lowest on, and only until a position remains: what is drawn after that changes nothing.
    Positions are filed under their rank, as in `by_merges`, and stay there when they are dropped.
    """
    rank_of = table.rank_of.get
    symbols = list(word)  # symbols[i]: the token that starts at i; b"" inside a token
    end = len(word)
    following, preceding = array("i", range(1, end + 1)), array("i", range(-1, end - 1))
    positions = positions_by_rank(table, word)
    queue = list(positions)
    heapify(queue)
    dropped: list[int] = []  # ranks of which this step has dropped every position

    def fits(rank: int, start: int) -> bool:
        left, right = table.merges[rank]
        return symbols[start] == left and following[start] < end and symbols[following[start]] == right

    def file_position(start: int) -> None:
        rank = rank_of((symbols[start], symbols[following[start]]))
        if rank is None:
            return
        if rank in positions:
            positions[rank].append(start)
        else:
            positions[rank] = [start]
            heappush(queue, rank)

    while queue:
        checkpoint()
        rank = heappop(queue)
        starts = [start for start in sorted(positions.pop(rank)) if fits(rank, start)]
        if not starts:
            continue
        remaining = [start for start in starts if draw.random() >= p]
        positions[rank] = starts
        if not remaining:
            dropped.append(rank)
            continue
        merged: list[int] = []
        closes: list[int] = []
        for start in remaining:
            if not fits(rank, start):
                continue  # overlaps the token before it
            middle = following[start]
            after = following[middle]
            symbols[start], symbols[middle] = table.symbols[rank], b""
            following[start] = after
            merged.append(start)
            closes.append(middle - 1)
            if after < end:
                preceding[after] = start
                file_position(start)
            if preceding[start] >= 0:
                file_position(preceding[start])
        for waiting in (rank, *dropped):
            heappush(queue, waiting)
        dropped.clear()
        yield WordStep(table.symbols[rank], rank, merged, closes, (rank,))
