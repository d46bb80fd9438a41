"""Encoding by merges: the one of lowest rank wherever it applies, again and again; or each once, in training order.

Both give the same tokens for merges in the order they were learned. They differ for a list that was edited or imported
with a merge before those that make its parts. With such a list libraries differ too: here, as in subword-nmt and
minbpe, a merge is made at all its places before the next is chosen; Hugging Face and tiktoken choose after each place.
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

SHORT_WORD = (
    200  # initial symbols; up to here looking at all ranks again costs less than keeping them in a heap
)

Admits = Callable[
    [int, int], bool
]  # (rank of a pair that came to be, rank being applied) -> may it still be merged?


@dataclass(frozen=True, slots=True)
class Ranks:
    """The merges, ready to be looked up."""

    merges: Sequence[Pair]
    rank_of: Mapping[Pair, int]
    made: Sequence[Symbol]  # rank -> the symbol that merge makes
    never: int  # greater than any rank
    ordered: bool  # every merge stands after those that make its parts


def _read(lexicon: EncoderInput) -> Ranks:
    merges = lexicon.merges
    made = [left + right for left, right in merges]
    last_made = {symbol: rank for rank, symbol in enumerate(made)}
    ordered = all(
        max(last_made.get(left, -1), last_made.get(right, -1)) < rank
        for rank, (left, right) in enumerate(merges)
    )
    return Ranks(merges, {pair: rank for rank, pair in enumerate(merges)}, made, len(merges), ordered)


def by_rank(lexicon: EncoderInput) -> WordEncoder:
    """The encoder `rank`."""
    return _merging(_read(lexicon), _always)


def by_rules(lexicon: EncoderInput) -> WordEncoder:
    """The encoder `rules`."""
    return _merging(_read(lexicon), gt)


def _merging(ranks: Ranks, admits: Admits) -> WordEncoder:
    return WordEncoder(partial(_cut, ranks, admits), partial(_takes, ranks, admits))


def cut_by_rank(ranks: Ranks, word: Word) -> list[Symbol]:
    """The word cut by the merge of lowest rank, everywhere, until none applies."""
    return _cut(ranks, _always, word)


def _always(rank: int, current: int) -> bool:
    return True


def _cut(ranks: Ranks, admits: Admits, word: Word) -> list[Symbol]:
    if ranks.ordered and len(word) <= SHORT_WORD:
        return _cut_short(ranks, word)
    return apply_steps(word, _takes(ranks, admits, word))


def _cut_short(ranks: Ranks, word: Word) -> list[Symbol]:
    """The leftmost merge of lowest rank, one at a time: with ordered merges that is everywhere, and `rules` alike."""
    rank_of, never = ranks.rank_of.get, ranks.never
    symbols = list(word)
    waiting = list(map(rank_of, pairwise(symbols), repeat(never)))
    while waiting and (rank := min(waiting)) < never:
        place = waiting.index(rank)
        token = ranks.made[rank]
        symbols[place : place + 2] = (token,)
        del waiting[place]
        if place < len(waiting):
            waiting[place] = rank_of((token, symbols[place + 1]), never)
        if place:
            waiting[place - 1] = rank_of((symbols[place - 1], token), never)
    return symbols


def _takes(ranks: Ranks, admits: Admits, word: Word) -> Iterator[WordStep]:
    """Every merge that applies, with all its places, for words of any length: linear but for a sort of the places.

    A place waits under its pair's rank and is looked at once. By then a neighbour may have taken one of the two
    symbols: a symbol only grows, so the pair is gone for good.
    """
    rank_of = ranks.rank_of.get
    symbols = list(word)  # at the place where a token starts; b"" inside it
    end = len(word)
    following, preceding = array("i", range(1, end + 1)), array("i", range(-1, end - 1))
    waiting: dict[int, list[int]] = {}
    for place, initial in enumerate(map(rank_of, pairwise(word))):
        if initial is not None:
            waiting.setdefault(initial, []).append(place)
    queue = list(waiting)
    heapify(queue)

    def wait(pair: Pair, place: int, current: int) -> None:
        rank = rank_of(pair)
        if rank is None or not admits(rank, current):
            return
        if rank in waiting:
            waiting[rank].append(place)
        else:
            waiting[rank] = [place]
            heappush(queue, rank)

    while queue:
        rank = heappop(queue)
        left, right = ranks.merges[rank]
        token = ranks.made[rank]
        starts: list[int] = []
        closes: list[int] = []
        for place in sorted(waiting.pop(rank)):
            middle = following[place]
            if symbols[place] != left or middle == end or symbols[middle] != right:
                continue
            after = following[middle]
            symbols[place], symbols[middle] = token, b""
            following[place] = after
            starts.append(place)
            closes.append(middle - 1)
            if after < end:
                preceding[after] = place
                wait((token, symbols[after]), place, rank)
            before = preceding[place]
            if before >= 0:
                wait((symbols[before], token), before, rank)
        if starts:
            yield WordStep(token, rank, starts, closes, (rank,))
