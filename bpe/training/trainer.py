"""Training: learn merges from counted words, the pair of the highest count first, one step at a time.

Every merge mints a new symbol, so a pair gains occurrences only in the step that creates it; from then on its count
only falls. That makes lazy bookkeeping exact: see `bpe.places` for the counts, `bpe.levels` for the highest of them
and `bpe.tie_breaking` for the order.

The same merges come from recounting all pairs at every step (`tests/naive.py`), some hundred times slower.
"""

from array import array
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Self, Unpack

from bpe.pair_ids import INSIDE, MASK, SHIFT, WALL, PairKey
from bpe.settings.piece_rules import any_piece
from bpe.settings.request import Settings, Text, TrainingRequest, read_request
from bpe.settings.tie_breaking import Candidates, TieBreak
from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.variants import Variant
from bpe.trace.merge_log import MergeLog
from bpe.trace.steps import Step, Steps
from bpe.trace.trace import Trace
from bpe.training.count_queue import CountQueue
from bpe.training.pair_index import MANY, PairIndex, estimate_threshold
from bpe.training.word_layout import build_layout, spell_words


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
    recipe = read_request(variant, tie_break, **settings)
    return Training(recipe, recipe.count(text))


class Training(Iterator[Step]):
    """A training under way: an iterator of the steps to come."""

    def __init__(self, recipe: TrainingRequest, frequencies: Mapping[str, int]) -> None:
        self.recipe = recipe
        self._pre_tokens = tuple(frequencies)
        self._frequencies = array("q", frequencies.values())
        words, symbols = spell_words(self._pre_tokens, recipe.variant)
        self._alphabet = recipe.order_alphabet(symbols)
        self._layout = build_layout(words, self._frequencies, self._alphabet)
        self._symbols: list[Symbol] = list(self._alphabet)
        self._log = MergeLog(len(self._alphabet))
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
        weigh = layout.weigh
        length = [1] * len(symbols)  # symbol -> how many initial symbols it spans
        places = PairIndex(layout, length)
        count, where = places.count, places.where
        log.begin(count, places.starts)
        yield

        def spell(pair: PairKey) -> Pair:
            return symbols[pair >> SHIFT], symbols[pair & MASK]

        may_merge = None if recipe.may_merge is any_piece else lambda pair: recipe.may_merge(*spell(pair))
        floor = estimate_threshold(self._frequencies, len(layout.head), self._most)
        places.drop_below(floor)
        levels = CountQueue(count, may_merge)
        waiting = levels.waiting
        queue = recipe.tie_break.queue(
            Candidates(
                levels.tied,
                symbols,
                len(symbols),
                recipe.variant,
                places.first_place,
                places.last_place,
                recipe.seed,
            )
        )

        def pass_on(old: PairKey, gaining: PairKey, boundaries: list[int]) -> int:
            """What a neighbour's old pair loses at these places, its new pair gains: so many, which is returned."""
            change = weigh(boundaries)
            was, height = count.get(old), levels.height
            if was is not None:  # None: too rare to be kept or, in a run, the merged pair itself
                remaining = was - change
                if remaining >= floor:
                    count[old] = remaining
                else:
                    del count[old], where[old]
                if was == height:
                    levels.leave(old, queue, count.get(old, 0))
            if change >= floor:
                count[gaining] = change
                where[gaining] = boundaries if len(boundaries) < MANY else array("i", boundaries)
                if change == height:
                    levels.join(gaining, queue)
                else:
                    waiting[change].append(gaining)
            return change

        for rank in range(self._most):
            # Choose.
            if not levels.find_highest() and floor > 1:
                floor = 1
                places.count_anew()
                levels.wait()
                levels.find_highest()
            if not levels.tied:
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
            replaced = height if left != right else sum(map(weigh, before.values()))
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
