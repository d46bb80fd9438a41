"""Encoding one position at a time: the merge of lowest rank at its leftmost position, then the ranks are read again.

Hugging Face's tokenizers and tiktoken encode like this. The tokens differ from those of `by_merges` only if a merge
comes before a merge that makes one of its parts, as in lists that were converted from a vocabulary.
"""

from array import array
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from itertools import pairwise

from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.encoding.algorithms.encoder_input import WordEncoder, WordStep, apply_steps
from bpe.encoding.algorithms.merge_table import SHORT_WORD, MergeTable, encode_short
from bpe.symbols import Symbol, Word


def one_by_one(table: MergeTable) -> WordEncoder:
    """Return the encoder `rank` as these libraries implement it."""

    def encode(word: Word) -> list[Symbol]:
        if len(word) <= SHORT_WORD:
            return encode_short(table, word)
        return apply_steps(word, _steps(table, word))

    return WordEncoder(encode, lambda word: _steps(table, word))


def _steps(table: MergeTable, word: Word) -> Iterator[WordStep]:
    """Yield the merges in order. Consecutive positions of the same rank form one step."""
    starts: list[int] = []
    closes: list[int] = []
    last_rank = -1
    for rank, start, boundary in _merged_positions(table, word):
        if rank != last_rank and starts:
            yield WordStep(table.symbols[last_rank], last_rank, sorted(starts), sorted(closes), (last_rank,))
            starts, closes = [], []
        last_rank = rank
        starts.append(start)
        closes.append(boundary)
    if starts:
        yield WordStep(table.symbols[last_rank], last_rank, sorted(starts), sorted(closes), (last_rank,))


def _merged_positions(table: MergeTable, word: Word) -> Iterator[tuple[int, int, int]]:
    """Yield (rank, start of the new token, boundary that closes) for every position that is merged, in order."""
    rank_of = table.rank_of.get
    symbols = list(word)  # symbols[i]: the token that starts at i; b"" inside a token
    end = len(word)
    following, preceding = array("i", range(1, end + 1)), array("i", range(-1, end - 1))
    pairs = enumerate(pairwise(with_checkpoints(word)))
    queue = [(rank, i) for i, pair in pairs if (rank := rank_of(pair)) is not None]
    heapify(queue)
    while queue:
        checkpoint()
        rank, start = heappop(queue)
        left, right = table.merges[rank]
        middle = following[start]
        if symbols[start] != left or middle == end or symbols[middle] != right:
            continue  # a neighbour was merged with one of the two symbols
        after = following[middle]
        symbols[start], symbols[middle] = table.symbols[rank], b""
        following[start] = after
        yield rank, start, middle - 1
        if after < end:
            preceding[after] = start
            if (next_rank := rank_of((symbols[start], symbols[after]))) is not None:
                heappush(queue, (next_rank, start))
        before = preceding[start]
        if before >= 0 and (next_rank := rank_of((symbols[before], symbols[start]))) is not None:
            heappush(queue, (next_rank, before))
