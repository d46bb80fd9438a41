"""The fast merge loop: choose, merge and count as the textbook does, without counting the whole corpus again.

Every merge makes a new symbol, so a pair gains occurrences only in the step that creates it; after that its count only
decreases. Stale entries in `pair_index`, `count_queue` and `bpe.settings.tie_breaking` can therefore be corrected when
they come up, and the result is exact.
"""

from array import array
from collections.abc import Generator, Sequence

from bpe.pair_ids import MASK, SHIFT, WALL, PairKey
from bpe.settings.pieces import MergeFilter, any_piece, both
from bpe.settings.request import TrainingRequest
from bpe.settings.tie_breaking import Candidates, Queue
from bpe.symbols import BPEError, Pair, Symbol
from bpe.trace.merge_log import MergeLog
from bpe.training.count_queue import CountQueue
from bpe.training.merge_list import ListQueue
from bpe.training.pair_index import PairIndex, rivals_of
from bpe.training.word_layout import Neighbours, WordLayout, apart_changes


class MergeLoop:
    """The working state of one training. Every merge changes `layout`, `symbols` and `log`, which the caller reads."""

    def __init__(
        self,
        request: TrainingRequest,
        layout: WordLayout,
        symbols: list[Symbol],
        log: MergeLog,
        threshold: int,
        filtered: bool = False,
        second: bool = False,
    ) -> None:
        """Count the pairs of the layout. `threshold` is that of the pair index.

        A `filtered` loop may be restricted later. A `second` loop goes on with the symbols and the log of a first one,
        over the layout of longer words.
        """
        self._request = request
        self._layout = layout
        self._symbols = symbols
        self._alphabet_size = log.alphabet_size
        self._log = log
        # True in the middle of a merge, when layout, symbols and log do not fit together.
        self.is_merging = False
        self._index = PairIndex(layout, request.overlaps)
        begin = log.begin_second if second else log.begin
        begin(self._index.count, self._index.unpaired)
        self._index.prune(threshold)
        self._may_make: MergeFilter = request.may_merge_in(second=second)
        may_merge = None if self._may_make is any_piece and not filtered else self._may_merge
        self._queue = CountQueue(self._index.count, may_merge, self._rule_queue)

    def _may_merge(self, pair: PairKey) -> bool:
        return self._may_make(*self._spell(pair))

    def restrict(self, may_make: MergeFilter) -> None:
        """From now on, merge a pair only if `may_make` allows it too. The loop must have been made `filtered`."""
        self._may_make = both(self._may_make, may_make)
        self._queue.drop_forbidden()

    def _rule_queue(self, tied: set[PairKey]) -> Queue:
        candidates = Candidates(
            tied=tied,
            symbols=self._symbols,
            alphabet_size=self._alphabet_size,
            variant=self._request.variant,
            first_position=self._index.first_position,
            last_position=self._index.last_position,
            seed=self._request.seed,
        )
        return self._request.tie_break.queue(candidates)

    def merge_steps(self, most: int) -> Generator[None, None, str]:
        """Learn at most `most` merges and yield after each. Return why it stopped, as a value of `Trace.stopped`."""
        queue = self._queue
        for rank in range(len(self._log), len(self._log) + most):
            if not self._advance():
                return "no pairs"
            if queue.top_count < self._request.min_count:
                return "min_count"
            count, tied = queue.top_count, len(queue.tied)
            pair = self._choose(rank)
            self._step(pair, count, tied)
            yield
        return "merges" if most == self._request.merges else "vocab_size"

    def replay_steps(self, listed: ListQueue) -> Generator[None, None, str]:
        """Make the merges of a list that apply, one after the other, and yield after each.

        Raises BPEError if a merge makes a symbol that there is already, but for one that is a whole word: then a token
        would not tell which merges made it. No list that was learned does that.
        """
        for present in self._index.count:
            listed.add(present)
        # An initial symbol that is a whole word has no neighbours, so a merge may make it elsewhere.
        existing = {
            self._symbols[part] for pair in self._index.count for part in (pair >> SHIFT, pair & MASK)
        }
        while (merge := listed.pop(self._index.count)) is not None:
            pair, positions = merge
            self._advance()
            count = self._index.count[pair]
            tied = len(self._queue.tied) if pair in self._queue.tied else 0
            before, after = self._step(pair, count, tied, positions)
            new = len(self._symbols) - 1
            symbol = self._symbols[new]
            if symbol in existing:
                label = self._request.variant.label(symbol)
                raise BPEError(
                    f"These merges cannot be replayed over this text: they make {label} in two ways."
                )
            existing.add(symbol)
            for other in after:
                listed.add(new << SHIFT | other)
            for other in before:
                listed.add(other << SHIFT | new)
            yield
        return "end of list"

    def _advance(self) -> bool:
        """Find the pairs of the highest count. Return False if no pair is left that may be merged."""
        if not self._queue.advance() and self._index.threshold > 1:
            # Every stored pair is used up; the next one may have been pruned.
            self._index.recount()
            self._queue.refill()
            self._queue.advance()
        return bool(self._queue.tied)

    def _choose(self, rank: int) -> PairKey:
        """Return the pair picked by hand for this rank, or the pair that the rule chooses."""
        if rank not in self._request.picks:
            return self._queue.best(rank)
        by_first_occurrence = sorted(self._queue.tied, key=self._index.first_position)
        tied = {self._spell(pair): pair for pair in by_first_occurrence}
        return self._request.picked(rank, tied, self._queue.top_count)

    def _step(
        self, pair: PairKey, count: int, tied: int, positions: Sequence[int] | None = None
    ) -> tuple[Neighbours, Neighbours]:
        """Merge the pair, everywhere or at some positions, count and log. Return the neighbours before and after it."""
        self.is_merging = True
        occurrences = self._index.occurrences[pair]
        before, after, replaced = self._merge(pair, positions)
        lost, gained, rivals = self._update_neighbours(pair, before, after)
        unmerged = 0 if positions is None else self._index.keep(pair, occurrences)
        if unmerged:
            self._queue.buckets[unmerged].append(pair)
        self._log.add(
            pair, count, tied, replaced, after, before, lost, gained, rivals if tied > 1 else (), unmerged
        )
        self.is_merging = False
        return before, after

    def _merge(self, pair: PairKey, positions: Sequence[int] | None) -> tuple[Neighbours, Neighbours, int]:
        """Merge the pair, everywhere if there are no positions.

        Return the neighbours before and after it, and the number of replacements.
        """
        left, right, new = pair >> SHIFT, pair & MASK, len(self._symbols)
        self._symbols.append(self._symbols[left] + self._symbols[right])
        self._queue.remove_tied(pair)
        count = self._index.count.pop(pair)
        occurrences = self._index.occurrences.pop(pair)
        before, after = self._layout.merge(occurrences if positions is None else positions, left, right, new)
        # Overlapping occurrences are usually counted but cannot all be replaced: aaa holds (a, a) twice.
        is_everywhere = left != right and positions is None
        replaced = count if is_everywhere else sum(map(self._layout.total_frequency, before.values()))
        before.pop(WALL, None)
        after.pop(WALL, None)
        return before, after, replaced

    def _update_neighbours(
        self, pair: PairKey, before: Neighbours, after: Neighbours
    ) -> tuple[list[int], list[int], list[PairKey]]:
        """Move the count of each neighbour's old pair to its new pair.

        Return the counts lost, those gained, and the pairs of the highest count that lost some or overlap the merge.

        Merging (b, c) in "a b c d" turns the pair (a, b) into (a, bc), and (c, d) into (bc, d). The neighbours `after`
        the pair come first.
        """
        left, right, new = pair >> SHIFT, pair & MASK, len(self._symbols) - 1
        # Those after come first: in a run of the pair they make (new, left), and those before turn it into (new, new).
        pairs = [(right << SHIFT | other, new << SHIFT | other, ends) for other, ends in after.items()]
        pairs += [(other << SHIFT | left, other << SHIFT | new, starts) for other, starts in before.items()]
        # The innermost loop of training: local names, and no call of index or queue unless a tie changes.
        total_frequency, queue, buckets = self._layout.total_frequency, self._queue, self._queue.buckets
        count, occurrences, threshold = self._index.count, self._index.occurrences, self._index.threshold
        top_count, long_list = queue.top_count, self._layout.sizes.long_list
        losses = gains = [total_frequency(positions) for _, _, positions in pairs]
        if not self._request.overlaps:
            losses, gains = apart_changes(self._layout, pairs, gains, after)
        overlapped: dict[PairKey, Sequence[int]] = {}
        for (old, gaining, positions), lost, gained in zip(pairs, losses, gains, strict=True):
            old_count = count.get(old)
            if old_count is not None:  # None: the pair was pruned or, in a run, is the merged pair itself.
                if old_count == top_count and old in queue.tied:
                    overlapped[old] = occurrences[old]
                remaining = old_count - lost
                if remaining >= threshold:
                    count[old] = remaining
                else:
                    remaining = 0
                    del count[old], occurrences[old]
                if old_count == top_count != remaining:
                    queue.remove_tied(old, remaining)
            if gained >= threshold:
                count[gaining] = gained
                occurrences[gaining] = positions if len(positions) < long_list else array("i", positions)
                if gained == top_count:
                    queue.add_tied(gaining)
                else:
                    buckets[gained].append(gaining)
        if not overlapped and left != right:
            return losses, gains, []
        return losses, gains, rivals_of(pair, overlapped, queue.tied, occurrences, self._layout)

    def _spell(self, pair: PairKey) -> Pair:
        return self._symbols[pair >> SHIFT], self._symbols[pair & MASK]
