"""Parity-aware BPE: each merge is chosen by the language that is compressed worst.

Negar Foroutan, Clara Meister et al., Parity-Aware Byte-Pair Encoding, ACL 2026 (arXiv 2508.04796). Their code, by Rico
Sennrich and Negar Foroutan, is the oracle of the tests. Plain BPE merges the pair with the highest count in all
documents together. Here the document with the highest cost merges the pair with the highest count in its own text. Both
choices can be ties: of documents the first wins, as in their code, and of pairs a tie-breaking rule decides.
"""

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self

from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.checks import shortened_repr
from bpe.pair_ids import INSIDE, MASK, SHIFT, WALL, PairKey
from bpe.settings.pieces import any_piece
from bpe.settings.request import Text, TrainingRequest, read_settings
from bpe.settings.tie_breaking import Candidates, Queue
from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.counting import Counts
from bpe.trace.merge_log import MergeLog
from bpe.trace.trace import Trace
from bpe.trace.vocabulary import Replayed, TrainedVocabulary
from bpe.training.count_queue import CountQueue
from bpe.training.pair_index import PairIndex, rivals_of
from bpe.training.word_layout import build_layout, is_doubled, shortened, spell_words, without_overlaps

# The training of parity-aware BPE. It works as `bpe.training.merge_loop` does, with separate counts for each
# document.
#
# A merge never makes an old pair more frequent in any document. So each document has its own `CountQueue`.


@dataclass(frozen=True, slots=True)
class ParityStep:
    """One merge, the document that chose it, and the two ties."""

    rank: int  # from 0
    pair: Pair
    document: str  # name of the document that was compressed worst
    count: int  # of the pair in this document
    tied: int  # pairs that had this count in this document, itself included
    tied_documents: int  # documents that were compressed just as badly, itself included


@dataclass(frozen=True, slots=True)
class ParityResult:
    """What a parity-aware training learned.

    The trace is that of a replay: its counts are those of all documents together, and these chose none of the merges.
    """

    trace: Trace
    steps: tuple[ParityStep, ...]


class ParityTraining(Iterator[ParityStep]):
    """A training in progress: an iterator of its remaining steps."""

    def __init__(
        self,
        request: TrainingRequest,
        names: Sequence[str],
        counts: Sequence[Counts],
        cost: Callable[[int, int], float],
    ) -> None:
        """Count the pairs of each document, whose counted words are `counts`."""
        self._request, self._names, self._cost = request, names, cost
        total: dict[str, int] = {}
        for own in counts:
            for word, frequency in own.items():
                total[word] = total.get(word, 0) + frequency
        if request.word_order is not None:
            total = dict(sorted(total.items(), key=request.word_order))
        self._pre_tokens, self._frequencies = tuple(total), array("q", total.values())
        words, symbols = spell_words(self._pre_tokens, request.variant)
        self._alphabet = request.order_alphabet(symbols)
        self._layout = build_layout(words, self._frequencies, self._alphabet)
        self._symbols: list[Symbol] = list(self._alphabet)
        self._log = MergeLog(len(self._alphabet), request.overlaps)
        self._index = PairIndex(self._layout, request.overlaps)
        self._log.begin(self._index.count, self._index.unpaired)
        # (document, frequency) of each word, by position. The last document is all of them together.
        self._all = len(names)
        self._shares_at = _shares_at(words, self._pre_tokens, counts, self._frequencies)
        self._counts: list[dict[PairKey, int]] = [{} for _ in range(self._all + 1)]
        for pair, positions in with_checkpoints(self._index.occurrences.items(), 1 << 10):
            for document, number in self._totals(self._counted(pair, positions)).items():
                self._counts[document][pair] = number
        self._tokens = [
            sum(len(words[number]) * own.get(word, 0) for number, word in enumerate(self._pre_tokens))
            for own in counts
        ]
        self._initial = list(self._tokens)
        may_merge = None if request.may_merge is any_piece else self._may_merge
        self._queues = [CountQueue(count, may_merge, self._rule_queue) for count in self._counts]
        self._is_merging = False  # True in the middle of a merge
        self._steps: list[ParityStep] = []
        self._stopped = ""
        self._learning = self._learn()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> ParityStep:
        return next(self._learning)

    def _may_merge(self, pair: PairKey) -> bool:
        return self._request.may_merge(*self._spell(pair))

    def _rule_queue(self, tied: set[PairKey]) -> Queue:
        candidates = Candidates(
            tied=tied,
            symbols=self._symbols,
            alphabet_size=len(self._alphabet),
            variant=self._request.variant,
            first_position=self._index.first_position,
            last_position=self._index.last_position,
            seed=self._request.seed,
        )
        return self._request.tie_break.queue(candidates)

    def _totals(self, positions: Sequence[int]) -> dict[int, int]:
        """Return {document: how often the words at these positions occur in it}."""
        totals: dict[int, int] = {}
        for position in positions:
            for document, frequency in self._shares_at[position]:
                totals[document] = totals.get(document, 0) + frequency
        return totals

    def _counted(self, pair: PairKey, positions: Sequence[int]) -> Sequence[int]:
        """Return the positions of a pair that count: all of them, unless overlaps do not count."""
        if self._request.overlaps or not is_doubled(pair):
            return positions
        return without_overlaps(positions, self._layout.length[pair & MASK])

    def _worst(self) -> tuple[int, int]:
        """Return the document that is compressed worst, and how many are compressed just as badly, itself included."""
        costs = list(map(self._cost, self._tokens, self._initial))
        worst = max(costs)
        return costs.index(worst), costs.count(worst)

    def _learn(self) -> Iterator[ParityStep]:
        most = self._request.most_merges(len(self._alphabet))
        for rank in range(most):
            checkpoint()
            document, tied_documents = self._worst()
            queue, every = self._queues[document], self._queues[self._all]
            if not queue.advance():
                self._stopped = "no pairs"
                return
            if queue.top_count < self._request.min_count:
                self._stopped = "min_count"
                return
            pair, tied = queue.best(rank), len(queue.tied)
            every.advance()
            tied_in_all = set(every.tied) if pair in every.tied else set[PairKey]()
            step = ParityStep(
                rank, self._spell(pair), self._names[document], queue.top_count, tied, tied_documents
            )
            self._merge(pair, tied_in_all)
            self._steps.append(step)
            yield step
        self._stopped = "merges" if most == self._request.merges else "vocab_size"

    def _merge(self, pair: PairKey, tied: Set[PairKey]) -> None:
        left, right, new = pair >> SHIFT, pair & MASK, len(self._symbols)
        self._is_merging = True
        self._symbols.append(self._symbols[left] + self._symbols[right])
        count = self._counts[self._all][pair]
        for counts, queue in zip(self._counts, self._queues, strict=True):
            if counts.pop(pair, None):
                queue.remove_tied(pair)
        before, after = self._layout.merge(self._index.occurrences.pop(pair), left, right, new)
        replaced: dict[int, int] = {}
        for positions in before.values():
            for document, number in self._totals(positions).items():
                replaced[document] = replaced.get(document, 0) + number
        for document in range(self._all):
            self._tokens[document] -= replaced.get(document, 0)
        before.pop(WALL, None)
        after.pop(WALL, None)
        # Those after come first: in a run of the pair they make (new, left), and those before turn it into (new, new).
        moved = [
            self._move(right << SHIFT | other, new << SHIFT | other, ends, at_start=True)
            for other, ends in after.items()
        ]
        moved += [
            self._move(other << SHIFT | left, other << SHIFT | new, starts, at_start=False)
            for other, starts in before.items()
        ]
        lost, gained = zip(*moved, strict=True) if moved else ((), ())
        changed = {right << SHIFT | other for other in after} | {other << SHIFT | left for other in before}
        occurrences = self._index.occurrences
        overlapped = {old: occurrences[old] for old in changed & tied - {pair}}
        rivals = rivals_of(pair, overlapped, tied - {pair}, occurrences, self._layout)
        self._log.add(pair, count, len(tied), replaced[self._all], after, before, lost, gained, rivals)
        self._is_merging = False

    def _move(
        self, old: PairKey, gaining: PairKey, positions: list[int], *, at_start: bool
    ) -> tuple[int, int]:
        """Move the count at these positions from one pair to another, in every document.

        `at_start`: whether the merge took the left symbol of the old pair. Return the counts lost and gained.
        """
        self._index.occurrences[gaining] = positions
        lost = gained = self._totals(positions)
        if not self._request.overlaps and is_doubled(old):
            lost = self._totals(shortened(self._layout, old, positions, at_start=at_start))
        if not self._request.overlaps and is_doubled(gaining):
            gained = self._totals(self._counted(gaining, positions))
        for document, number in lost.items():
            counts, queue = self._counts[document], self._queues[document]
            old_count = counts.get(old)
            if old_count is not None:  # None: in a run, the old pair is the merged pair itself
                remaining = old_count - number
                if remaining:
                    counts[old] = remaining
                else:
                    del counts[old]
                if old_count == queue.top_count:
                    queue.remove_tied(old, remaining)
        for document, number in gained.items():
            counts, queue = self._counts[document], self._queues[document]
            counts[gaining] = number
            if number == queue.top_count:
                queue.add_tied(gaining)
            else:
                queue.buckets[number].append(gaining)
        return lost.get(self._all, 0), gained[self._all]

    def _spell(self, pair: PairKey) -> Pair:
        return self._symbols[pair >> SHIFT], self._symbols[pair & MASK]

    def result(self) -> ParityResult:
        """Return what has been learned so far. Raises BPEError after an interruption in the middle of a merge."""
        if self._is_merging:
            raise BPEError("The training was interrupted in the middle of a merge. Train again.")
        steps = tuple(self._steps)
        merges = [step.pair for step in steps]
        symbols = tuple(self._symbols[: len(self._alphabet) + len(merges)])
        tokenizer = TrainedVocabulary(self._request, symbols, merges).tokenizer(len(merges), {})
        trace = Trace(
            request=self._request,
            alphabet=tuple(self._alphabet),
            pre_tokens=self._pre_tokens,
            frequencies=self._frequencies,
            final_tokens=array("i", (token for token in self._layout.starting_at if token != INSIDE)),
            log=self._log.compacted(),
            stopped=self._stopped or "cancelled",
            replayed=Replayed(tokenizer, range(len(merges))),
        )
        return ParityResult(trace, steps)


def _shares_at(
    words: Sequence[Sequence[Symbol | int]],
    pre_tokens: Sequence[str],
    counts: Sequence[Counts],
    frequencies: Sequence[int],
) -> list[tuple[tuple[int, int], ...]]:
    """Return for each position of the layout how often each document contains its word: (document, frequency).

    The last pair is the total.
    """
    shares: list[tuple[tuple[int, int], ...]] = [()]
    for word, pre_token, total in zip(words, pre_tokens, frequencies, strict=True):
        own = tuple((number, count[pre_token]) for number, count in enumerate(counts) if pre_token in count)
        shares += [(*own, (len(counts), total))] * (len(word) + 1)
    return shares


__all__ = [
    "COSTS",
    "Cost",
    "ParityResult",
    "ParityStep",
    "ParityTraining",
    "parity_aware",
    "parity_aware_steps",
]


@dataclass(frozen=True, slots=True)
class Cost:
    """What decides which document is compressed worst."""

    slug: str
    title: str
    about: str
    of: Callable[[int, int], float]  # (tokens now, initial symbols) -> the higher, the worse


COSTS: Mapping[str, Cost] = MappingProxyType(
    {
        row.slug: row
        for row in (
            Cost(
                "tokens",
                "The text with the most tokens",
                "This suits texts that say the same thing, such as translations.",
                lambda tokens, initial: tokens,
            ),
            Cost(
                "compression",
                "The least compressed text",
                "It has the most tokens per byte or character. This suits texts that say different things.",
                lambda tokens, initial: tokens / initial if initial else 0.0,
            ),
        )
    }
)


def parity_aware(documents: Mapping[str, Text], cost: str = "tokens", **settings: Any) -> ParityResult:
    """Train on named documents: at each step the one with the highest cost chooses its most frequent pair.

    `documents` are texts, or words that are counted already. `cost` is a slug of COSTS. `settings` are those of
    `train`; the authors' code has `tie_break="pair-max", min_count=2`. As there, the training ends when the document
    with the highest cost has no pair left, even if others have.

    >>> result = parity_aware({"en": "low low low", "de": "tief tief tief"}, merges=3)
    >>> [(step.document, step.pair, step.count) for step in result.steps]
    [('de', (b't', b'i'), 3), ('en', (b'l', b'o'), 3), ('de', (b'ti', b'e'), 3)]

    Raises BPEError for an invalid setting, for picks, for a second stage, for a limit of characters,
    and without documents.
    """
    training = parity_aware_steps(documents, cost, **settings)
    for _ in training:
        pass
    return training.result()


def parity_aware_steps(
    documents: Mapping[str, Text], cost: str = "tokens", **settings: Any
) -> ParityTraining:
    """Train one step at a time: return an iterator that yields each ParityStep as it is decided."""
    if cost not in COSTS:
        raise BPEError(f"The cost must be one of {', '.join(COSTS)}, got {shortened_repr(cost)}.")
    if not documents:
        raise BPEError("Parity-aware BPE needs at least one document.")
    request = read_settings(settings)
    if request.picks:
        raise BPEError("Parity-aware BPE allows no picks: the documents choose the pairs.")
    if request.second:
        raise BPEError("Parity-aware BPE learns no superwords: train without a second stage.")
    if request.limit_alphabet is not None or request.character_coverage < 1:
        raise BPEError(
            "Parity-aware BPE uses every character of its texts: leave the limit of characters out."
        )
    counts = [request.count(text) for text in documents.values()]
    return ParityTraining(request, tuple(documents), counts, COSTS[cost].of)
