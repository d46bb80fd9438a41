"""Training: learn merges from counted words, the pair of the highest count first, one step at a time.

Every merge mints a new symbol, so a pair gains occurrences only in the step that creates it; from then on its count
only falls. That makes lazy bookkeeping exact: see `bpe.levels` for the counts and `bpe.tie_breaking` for the order.

The same merges come from recounting all pairs at every step (`tests/naive.py`), some hundred times slower.
"""

from array import array
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import Self, Unpack

from bpe.layout import INSIDE, WALL, Layout, Places, lay_out, spell_words
from bpe.levels import Levels
from bpe.log import Log
from bpe.pieces import any_piece
from bpe.recipe import Recipe, Settings, Text, read_recipe
from bpe.steps import Step, Steps
from bpe.symbols import BPEError, Pair, Symbol
from bpe.tie_breaking import MASK, SHIFT, Candidates, PairKey, TieBreak
from bpe.trace import Trace
from bpe.variants import Variant

Boundaries = MutableSequence[int]  # places of a pair, ascending, including some where it no longer stands
MANY = 64  # In a large corpus a longer list of places is kept as an array: a fourth of the memory, a little slower.


def train(
    text: Text,
    variant: str | Variant = "char-eow",
    tie_break: str | TieBreak = "first",
    **settings: Unpack[Settings],
) -> Trace:
    """The trace of training on a text, on documents, or on words already counted.

    `bpe.recipe.Settings` lists the settings; raises BPEError for what cannot be trained on.

    >>> train("low lower lowest", merges=2).merges
    [(b'l', b'o'), (b'lo', b'w')]
    """
    return train_steps(text, variant, tie_break, **settings).finish().trace()


def train_steps(
    text: Text,
    variant: str | Variant = "char-eow",
    tie_break: str | TieBreak = "first",
    **settings: Unpack[Settings],
) -> "Training":
    """The same, yielding each Step as it is decided; `.trace()` is what has been learned so far.

    Settings are read and words counted before this returns.
    """
    recipe = read_recipe(variant, tie_break, **settings)
    return Training(recipe, recipe.count(text))


class Training(Iterator[Step]):
    """A training under way: an iterator of the steps to come."""

    def __init__(self, recipe: Recipe, frequencies: Mapping[str, int]) -> None:
        self.recipe = recipe
        self._pre_tokens = tuple(frequencies)
        self._frequencies = array("q", frequencies.values())
        words, symbols = spell_words(self._pre_tokens, recipe.variant)
        self._alphabet = recipe.order_alphabet(symbols)
        self._layout = lay_out(words, self._frequencies, self._alphabet)
        self._symbols: list[Symbol] = list(self._alphabet)
        self._log = Log(len(self._alphabet))
        self._steps = Steps(self._log, self._symbols)
        self._stopped = ""
        self._most = recipe.most_merges(len(self._alphabet))
        self._learning = self._learn()
        self._interrupted = False
        next(self._learning)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Step:
        with self._whole_steps():
            next(self._learning)
        return self._steps[-1]

    def finish(self) -> Self:
        """Learn all the merges to come at once, which spares a Step for each."""
        with self._whole_steps():
            deque(self._learning, maxlen=0)
        return self

    @contextmanager
    def _whole_steps(self) -> Iterator[None]:
        try:
            yield
        except (BPEError, StopIteration):
            raise
        except BaseException:  # Ctrl-C, no memory: inside a step
            self._interrupted = True
            raise

    def trace(self, stopped: str = "cancelled") -> Trace:
        """All learned so far. `stopped`: what to call it if the training has not ended by itself.

        Raises BPEError after an interruption inside a step, which leaves half a merge behind.
        """
        if self._interrupted:
            raise BPEError("The training was interrupted in the middle of a merge. Train again.")
        return Trace(
            recipe=self.recipe,
            alphabet=tuple(self._alphabet),
            pre_tokens=self._pre_tokens,
            frequencies=self._frequencies,
            final_tokens=array("i", [token for token in self._layout.head if token != INSIDE]),
            log=self._log.compacted(),
            stopped=self._stopped or stopped,
        )

    def _learn(self) -> Iterator[None]:
        """Stops once before the first merge, then after each."""
        recipe, log, layout, symbols = self.recipe, self._log, self._layout, self._symbols
        weight_at = layout.weight.__getitem__
        length = [1] * len(symbols)  # symbol -> how many initial symbols it spans
        where = _boundaries_by_pair(layout.head)  # pair -> places of its right symbol
        count = {pair: sum(map(weight_at, boundaries)) for pair, boundaries in where.items()}
        log.begin(count, layout.head, layout.weight)
        yield

        def spell(pair: PairKey) -> Pair:
            return symbols[pair >> SHIFT], symbols[pair & MASK]

        may_merge = None if recipe.may_merge is any_piece else lambda pair: recipe.may_merge(*spell(pair))
        levels = Levels(count, may_merge)
        waiting = levels.waiting
        first_place, last_place = _places(where, layout, length)
        queue = recipe.tie_break.queue(
            Candidates(
                levels.tied, symbols, len(symbols), recipe.variant, first_place, last_place, recipe.seed
            )
        )

        def pass_on(old: PairKey, gaining: PairKey, boundaries: list[int]) -> int:
            """What a neighbour's old pair loses at these places, its new pair gains: so many, which is returned."""
            change = weight_at(boundaries[0]) if len(boundaries) == 1 else sum(map(weight_at, boundaries))
            was, height = count.get(old), levels.height
            if was is not None:  # None in a run: the old pair is the merged one
                if was > change:
                    count[old] = was - change
                else:
                    del count[old], where[old]
                if was == height:
                    levels.leave(old, queue, was - change)
            count[gaining] = change
            where[gaining] = boundaries if len(boundaries) < MANY else array("i", boundaries)
            if change == height:
                levels.join(gaining, queue)
            else:
                waiting[change].append(gaining)
            return change

        for rank in range(self._most):
            # Choose.
            if not levels.find_highest():
                self._stopped = "no pairs"
                return
            height, tied = levels.height, len(levels.tied)
            if height < recipe.min_count:
                self._stopped = "min_count"
                return
            if rank in recipe.picks:
                pair = recipe.picked(rank, {spell(pair): pair for pair in levels.tied}, height)
            else:
                pair = levels.best(queue, rank)

            # Merge.
            left, right, new = pair >> SHIFT, pair & MASK, len(symbols)
            symbols.append(symbols[left] + symbols[right])
            length.append(length[left] + length[right])
            levels.leave(pair, queue)
            del count[pair]
            before, after = layout.merge(where.pop(pair), left, right, length[left], length[right], new)
            replaced = (
                height if left != right else sum(sum(map(weight_at, starts)) for starts in before.values())
            )
            before.pop(WALL, None)
            after.pop(WALL, None)

            # Count again, but only what changed. Right neighbours come first: in a run of the pair they gain
            # (new, left), from which the left neighbour `new` then takes.
            changes = [
                pass_on(right << SHIFT | other, new << SHIFT | other, ends) for other, ends in after.items()
            ]
            changes += [
                pass_on(other << SHIFT | left, other << SHIFT | new, starts)
                for other, starts in before.items()
            ]
            log.add(pair, height, tied, replaced, after, before, changes)
            yield
        self._stopped = recipe.why_most(len(self._alphabet))


def _boundaries_by_pair(head: Places) -> dict[PairKey, Boundaries]:
    """Where each pair of neighbours stands: the places of its right symbol, ascending."""
    found: defaultdict[PairKey, array[int]] = defaultdict(partial(array, "i"))
    for boundary, (left, right) in enumerate(pairwise(head), start=1):
        found[left << SHIFT | right].append(boundary)
    return {pair: places for pair, places in found.items() if pair >= 0}  # a wall's -1 makes it negative


def _places(
    where: Mapping[PairKey, Boundaries], layout: Layout, length: Sequence[int]
) -> tuple[Callable[[PairKey], int], Callable[[PairKey], int]]:
    """What finds a pair's first start, and its last. Both are asked for pairs that stand somewhere."""
    head, tail = layout.head, layout.tail
    fronts: dict[PairKey, int] = {}  # how many of where[pair], from the front, are known to have gone

    def first_place(pair: PairKey) -> int:
        boundaries, index = where[pair], fronts.get(pair, 0)
        left, right = pair >> SHIFT, pair & MASK
        while head[boundaries[index]] != right or tail[boundaries[index]] != left:
            index += 1
        fronts[pair] = index
        return boundaries[index] - length[left]

    def last_place(pair: PairKey) -> int:
        boundaries = where[pair]
        left, right = pair >> SHIFT, pair & MASK
        while head[boundaries[-1]] != right or tail[boundaries[-1]] != left:
            boundaries.pop()
        return boundaries[-1] - length[left]

    return first_place, last_place
