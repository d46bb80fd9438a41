"""Parity-aware BPE: each merge is chosen by the language that is compressed worst.

Negar Foroutan, Clara Meister et al., Parity-Aware Byte-Pair Encoding, ACL 2026 (arXiv 2508.04796). Their code, by Rico
Sennrich and Negar Foroutan, is the oracle of the tests. Plain BPE merges the pair with the highest count in all
documents together. Here the document with the highest cost merges the pair with the highest count in its own text. Both
choices can be ties: of documents the first wins, as in their code, and of pairs a tie-breaking rule decides.

For each word that a merge changes, its pairs before and after are compared, as in the first implementations of BPE.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, pairwise
from types import MappingProxyType
from typing import Any, Self

from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.checks import shortened_repr
from bpe.pair_ids import SHIFT
from bpe.settings.pieces import any_piece
from bpe.settings.request import Text, TrainingRequest, read_settings
from bpe.settings.tie_breaking import Candidates
from bpe.symbols import BPEError, Pair, Symbol, Word, count_pairs, merge_pair
from bpe.text.counting import Counts
from bpe.trace.trace import Trace
from bpe.trace.vocabulary import TrainedVocabulary
from bpe.training.merge_list import merge_list
from bpe.training.trainer import Training

__all__ = ["COSTS", "ParityResult", "ParityStep", "ParityTraining", "parity_aware", "parity_aware_steps"]


@dataclass(frozen=True, slots=True)
class ParityStep:
    """One merge, and the document that chose it."""

    rank: int  # from 0
    pair: Pair
    document: str  # name of the document that was compressed worst
    count: int  # of the pair in this document
    tied: int  # pairs that had this count in this document, itself included


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
        total: Counter[str] = Counter()
        for own in counts:
            total.update(own)
        self._total = dict(total)
        if request.word_order is not None:
            self._total = dict(sorted(total.items(), key=request.word_order))
        words = [tuple(request.variant.spell(word)) for word in with_checkpoints(self._total)]
        # For each word: {document: frequency}, and where it begins in all words one after the other
        self._shares = [
            {number: own[word] for number, own in enumerate(counts) if word in own} for word in self._total
        ]
        self._begin = [*accumulate((len(b"".join(word)) for word in words), initial=0)]
        self._alphabet = request.order_alphabet(list(dict.fromkeys(chain.from_iterable(words))))
        self._symbols: list[Symbol] = list(self._alphabet)
        self._ids = {symbol: number for number, symbol in enumerate(self._symbols)}
        self._counts: list[Counter[Pair]] = [Counter() for _ in names]  # of pairs, in each document
        self._tokens = [0] * len(names)  # of each document
        self._words_with: defaultdict[Pair, set[int]] = defaultdict(set)  # pair -> numbers of words
        self._words: list[Word] = [()] * len(words)
        for number, word in with_checkpoints(enumerate(words)):
            self._spell(number, word)
        self._initial = list(self._tokens)
        self._steps: list[ParityStep] = []
        self._stopped = ""
        self._learning = self._learn()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> ParityStep:
        return next(self._learning)

    def _spell(self, number: int, word: Word) -> None:
        """Spell a word in other symbols, and change the counts of its documents where they differ."""
        before, self._words[number] = self._words[number], word
        shares = self._shares[number].items()
        for document, frequency in shares:
            self._tokens[document] += frequency * (len(word) - len(before))
        pairs = set(pairwise(word))
        changes = count_pairs([(word, 1), (before, -1)], overlaps=self._request.overlaps)
        for pair, times in changes.items():
            if not times:
                continue
            for document, frequency in shares:
                counts = self._counts[document]
                counts[pair] += times * frequency
                if not counts[pair]:
                    del counts[pair]
            (self._words_with[pair].add if pair in pairs else self._words_with[pair].discard)(number)

    def _learn(self) -> Iterator[ParityStep]:
        most = self._request.most_merges(len(self._alphabet))
        for rank in range(most):
            checkpoint()
            costs = list(map(self._cost, self._tokens, self._initial))
            document = costs.index(max(costs))
            counts: Mapping[Pair, int] = self._counts[document]
            if self._request.may_merge is not any_piece:
                counts = {pair: count for pair, count in counts.items() if self._request.may_merge(*pair)}
            top = max(counts.values(), default=0)
            if top < self._request.min_count:
                self._stopped = "min_count" if top else "no pairs"
                return
            tied = [pair for pair, count in counts.items() if count == top]
            pair = self._choose(rank, tied) if len(tied) > 1 else tied[0]
            step = ParityStep(rank, pair, self._names[document], top, len(tied))
            for number in with_checkpoints(sorted(self._words_with[pair])):
                self._spell(number, merge_pair(self._words[number], pair))
            self._ids[pair[0] + pair[1]] = len(self._symbols)
            self._symbols.append(pair[0] + pair[1])
            self._steps.append(step)
            yield step
        self._stopped = "merges" if most == self._request.merges else "vocab_size"

    def _choose(self, rank: int, tied: Sequence[Pair]) -> Pair:
        """Return the tied pair that the rule chooses."""
        keys = {self._ids[left] << SHIFT | self._ids[right]: (left, right) for left, right in tied}
        candidates = Candidates(
            tied=set(keys),
            symbols=self._symbols,
            alphabet_size=len(self._alphabet),
            variant=self._request.variant,
            first_position=lambda key: min(self._positions(min(self._words_with[keys[key]]), keys[key])),
            last_position=lambda key: max(self._positions(max(self._words_with[keys[key]]), keys[key])),
            seed=self._request.seed,
        )
        queue = self._request.tie_break.queue(candidates)
        queue.open()
        return keys[queue.best(rank)]

    def _positions(self, number: int, pair: Pair) -> Iterator[int]:
        """Yield where a pair begins in a word."""
        word = self._words[number]
        begins = accumulate(map(len, word), initial=self._begin[number])
        return (
            begin for begin, neighbours in zip(begins, pairwise(word), strict=False) if neighbours == pair
        )

    def result(self) -> ParityResult:
        """Return what has been learned so far."""
        merges = [step.pair for step in self._steps]
        symbols = self._symbols[: len(self._alphabet) + len(merges)]
        tokenizer = TrainedVocabulary(self._request, symbols, merges).tokenizer(len(merges), {})
        listed = merge_list(tokenizer, tuple(self._total))
        trace = Training(self._request, self._total, merge_list=listed).finish().trace()
        return ParityResult(replace(trace, stopped=self._stopped or "cancelled"), tuple(self._steps))


# What decides which document is compressed worst: (tokens now, initial symbols) -> the higher, the worse. The number of
# tokens suits texts that say the same thing, such as translations; tokens per byte or character suit all others.
COSTS: Mapping[str, Callable[[int, int], float]] = MappingProxyType(
    {
        "tokens": lambda tokens, initial: tokens,
        "compression": lambda tokens, initial: tokens / initial if initial else 0.0,
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
    return ParityTraining(request, tuple(documents), counts, COSTS[cost])
