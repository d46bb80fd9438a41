"""Random draws: trainings that break every tie at random, and how much they differ from each other.

The difference between two draws is luck. So the difference between two rules means something only if few pairs of draws
differ as much.
"""

import json
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import fsum, prod
from typing import Any

from bpe.analysis.tie_graph import tie_graph
from bpe.analysis.ties import RandomTieStudy
from bpe.checkpoints import checkpoint
from bpe.comparison.held_out import HeldOut, held_out, held_out_spans, held_out_words, pre_tokens_by_unit
from bpe.comparison.intervals import share
from bpe.comparison.words import EncodedText, encoded_texts, reads_lines
from bpe.settings.request import Text, TrainingRequest, read_request
from bpe.settings.tie_breaking import TIE_BREAKS
from bpe.symbols import BPEError, Symbol, Word
from bpe.text.variants import Variant
from bpe.trace.trace import Trace
from bpe.training.trainer import Training

DRAWS_OF_A_LANE = 30  # enough for a tail of a few pairs of draws (benchmarks/luck.py)
MOST_WAYS = 500  # to break the ties; if there are more, some are drawn

# Limits of the listing that counts the ways; it seldom takes half a second.
LISTED_SPLITS, LISTED_WORK = 50, 20_000_000
Split = Word | Sequence[int]  # the tokens of a pre-token, or the boundaries inside a word between white space
MOST_FUTURES = 4  # draws submitted to an executor and not yet collected; bounds the memory
_Outcome = tuple[int, tuple[Split, ...]]  # tokens of the held-out text, its words


@dataclass(frozen=True, slots=True)
class Luck:
    """What random draws have in common, and what differs between two of them.

    Values of pairs of draws are in the order 0 and 1, 0 and 2, 1 and 2, 0 and 3, … .
    """

    study: RandomTieStudy  # which tokens how many draws learned
    variant: str  # slug
    tokens: tuple[int, ...]  # of the held-out text, for each draw
    # For each pair of draws: the larger number of tokens minus the smaller, as its share.
    more_tokens: tuple[float, ...]
    # For each pair: share of the word occurrences that both split the same way.
    same_splits: tuple[float, ...]
    # For each pair: tokens that both learned, as a share of the larger vocabulary.
    shared: tuple[float, ...]

    @property
    def draws(self) -> int:
        """Number of draws."""
        return self.study.draws

    @property
    def pairs(self) -> int:
        """Number of pairs of draws."""
        return len(self.same_splits)

    def words_apart(self, same_splits: float) -> int:
        """Return how many pairs of draws split at most this share of the word occurrences the same way."""
        return sum(same <= same_splits for same in self.same_splits)

    def tokens_apart(self, more_tokens: float) -> int:
        """Return in how many pairs of draws one needs at least so many more tokens, as a share of the other's."""
        return sum(more >= more_tokens for more in self.more_tokens)


def random_draws(
    text: Text,
    documents: Sequence[str],
    draws: int = DRAWS_OF_A_LANE * 2,
    variant: str | Variant = "char-eow",
    *,
    by_line: bool | None = None,
    between_spaces: bool = False,
    executor: Executor | None = None,
    **settings: Any,
) -> Iterator[Luck]:
    """Train with random tie-breaking, with seeds 0 to `draws` - 1; yield what they have in common after each draw.

    `documents` are held-out texts. `by_line`: each of their lines is encoded by itself; by default if the trainer reads
    lines. `between_spaces`: the words between white space are compared, not pre-tokens. `settings` are those of
    `bpe.train` except tie_break and seed. `executor`: any `concurrent.futures.Executor`, whose workers train; the
    results are the same, and in the same order. Raises BPEError as `bpe.train` does.
    """
    request = read_request(variant, TIE_BREAKS["random"], **settings)
    frequencies = request.count(text)  # here, not in the iterator, so that errors are raised at once
    return _luck(
        request, frequencies, _Measured(held_out(documents), by_line, between_spaces), draws, executor
    )


def enough_draws(lanes: int) -> int:
    """Return how many draws tell whether lanes differ by more than luck. More lanes have more pairs that may.

    >>> enough_draws(2), enough_draws(6)
    (60, 180)
    """
    return DRAWS_OF_A_LANE * lanes


@dataclass(frozen=True, slots=True)
class _Draw:
    """One training with random tie-breaking."""

    seed: int
    learned: tuple[Symbol, ...]  # by rank
    corpus_tokens: int  # after the last merge
    tokens: int  # of the held-out text
    words: tuple[Split, ...]  # the words of the held-out text, segmented
    tied: tuple[int, ...]  # for each merge: number of pairs that shared the highest count


@dataclass(frozen=True, slots=True)
class _Measured:
    """A held-out text, and how it is measured."""

    text: HeldOut
    by_line: bool | None
    between_spaces: bool


def _draw(
    request: TrainingRequest, frequencies: Mapping[str, int], measured: _Measured
) -> tuple[_Draw, list[int]]:
    """Train once and measure the held-out text; return the result and the frequencies of the held-out words."""
    training = Training(request, frequencies)
    for _ in training:
        checkpoint()
    trace = training.trace()
    held = measured.text
    by_line = reads_lines(trace, held.texts) if measured.by_line is None else measured.by_line
    encoded = encoded_texts(trace.tokenizer(), held.texts, by_line)
    learned = tuple(left + right for left, right in trace.merges)
    tokens = sum(len(document.starts) for document in encoded)
    words, counts = _words(trace, held, encoded, by_line, measured.between_spaces)
    tied = tuple(step.tied for step in trace.steps)
    return _Draw(request.seed, learned, trace.tokens_by_step()[-1], tokens, tuple(words), tied), counts


@dataclass(frozen=True, slots=True)
class Ways:
    """Every way to break the ties of a training, beside lanes. Nothing is drawn: the shares are exact."""

    number: int
    alike: tuple[int, ...]  # for each lane: how many of the ways split every held-out word as it does
    # For each pair of lanes: share of the pairs of random draws that split as many words differently.
    words: tuple[float, ...]
    tokens: tuple[float, ...]  # the same for the token counts


def every_way(
    traces: Sequence[Trace],
    text: Text,
    documents: Sequence[str],
    variant: str | Variant = "char-eow",
    *,
    by_line: bool = False,
    between_spaces: bool = False,
    **settings: Any,
) -> Ways | None:
    """Return every way to break the ties of a training on this text beside lanes; None if there are too many ways.

    The arguments are those of `random_draws`. A random draw takes each of the tied pairs equally often, so some ways
    are more likely than others.
    """
    request = read_request(variant, TIE_BREAKS["first"], **settings)
    limits = {"most_splits": LISTED_SPLITS, "most_seconds": None, "most_work": LISTED_WORK}
    try:
        orders = tie_graph(text, variant, **(settings | limits)).orders
    except BPEError:  # of a second stage or of picks, no ways are listed
        return None
    if orders is None or not 1 < orders <= MOST_WAYS:
        return None
    measured = _Measured(held_out(documents), by_line, between_spaces)
    ways: Counter[_Outcome] = Counter()
    chances: defaultdict[_Outcome, float] = defaultdict(float)
    for way in _ways(request, request.count(text), measured):
        outcome = way.tokens, way.words
        ways[outcome] += 1
        chances[outcome] += 1 / prod(way.tied)
    lanes, counts = zip(*(_outcome_of(trace, measured) for trace in traces), strict=True)
    apart = _Apart((*ways, *lanes), counts[0])
    of_draws = [
        (chance * then, *apart.between(one, other))
        for (one, chance), (other, then) in product(chances.items(), repeat=2)
    ]
    words, tokens = [], []
    for pair in combinations(lanes, 2):
        differing, more = apart.between(*pair)
        words.append(_rounded(chance for chance, as_many, _ in of_draws if as_many >= differing))
        tokens.append(_rounded(chance for chance, _, as_far in of_draws if as_far >= more))
    alike = tuple(sum(times for (_, split), times in ways.items() if split == lane[1]) for lane in lanes)
    return Ways(ways.total(), alike, tuple(words), tuple(tokens))


def _luck(
    request: TrainingRequest,
    frequencies: Mapping[str, int],
    measured: _Measured,
    draws: int,
    executor: Executor | None,
) -> Iterator[Luck]:
    so_far: list[_Kept] = []
    learned: Counter[Symbol] = Counter()
    first: Sequence[Split] = ()
    of_pairs: list[tuple[float, float, float]] = []
    for draw, counts in _draws(request, frequencies, measured, draws, executor):
        first = first or draw.words
        unusual = {
            number: split
            for number, (split, usual) in enumerate(zip(draw.words, first, strict=True))
            if split != usual
        }
        kept = _Kept(draw.tokens, draw.corpus_tokens, frozenset(draw.learned), unusual)
        total = sum(counts)
        for before in so_far:
            checkpoint()
            of_pairs.append(_differences(before, kept, counts, total))
        so_far.append(kept)
        learned.update(draw.learned)
        study = RandomTieStudy(len(so_far), learned.copy(), tuple(one.corpus_tokens for one in so_far))
        more, same, shared = zip(*of_pairs, strict=True) if of_pairs else ((), (), ())
        yield Luck(study, request.variant.slug, tuple(one.tokens for one in so_far), more, same, shared)


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is kept of a draw: few words are split differently from draw to draw."""

    tokens: int
    corpus_tokens: int
    learned: frozenset[Symbol]
    unusual: Mapping[int, Split]  # number of a word -> its split, if the first draw splits it in another way


def _differences(one: _Kept, other: _Kept, counts: Sequence[int], total: int) -> tuple[float, float, float]:
    least, most = sorted((one.tokens, other.tokens))
    differing = sum(
        counts[number]
        for number in one.unusual.keys() | other.unusual.keys()
        if one.unusual.get(number) != other.unusual.get(number)
    )
    shared = len(one.learned & other.learned)
    return (
        share(most - least, least),
        share(total - differing, total),
        share(shared, max(len(one.learned), len(other.learned))),
    )


def _draws(
    request: TrainingRequest,
    frequencies: Mapping[str, int],
    measured: _Measured,
    draws: int,
    executor: Executor | None,
) -> Iterator[tuple[_Draw, list[int]]]:
    """Yield each draw with the frequencies of the held-out words, in the order of the seeds."""
    if executor is None:
        for seed in range(draws):
            yield _draw(replace(request, seed=seed), frequencies, measured)
        return
    text = measured.text
    flags = (measured.by_line, measured.between_spaces)
    task = json.dumps([frequencies, text.kind, text.units_of, *flags]).encode()
    settings = dict(request.given) | {"tie_break": "random"}
    pending: deque[Future[tuple[_Draw, list[int]]]] = deque()
    try:
        for seed in range(draws):
            pending.append(executor.submit(_draw_in_worker, settings | {"seed": seed}, task))
            if len(pending) >= MOST_FUTURES:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:  # the caller may have enough of them
        for future in pending:
            future.cancel()


def _draw_in_worker(settings: Mapping[str, Any], task: bytes) -> tuple[_Draw, list[int]]:
    """Return the draw of these settings. Task: JSON of pre-token -> frequency and the fields of `_Measured`."""
    frequencies, kind, units_of, by_line, between_spaces = json.loads(task)
    return _draw(
        read_request(**settings), frequencies, _Measured(HeldOut(kind, units_of), by_line, between_spaces)
    )


def _words(
    trace: Trace, held: HeldOut, encoded: Sequence[EncodedText], by_line: bool, between_spaces: bool
) -> tuple[list[Split], list[int]]:
    """Return how the held-out words are split, and how often each occurs: in the same order for every draw."""
    if not between_spaces and pre_tokens_by_unit([trace], held, by_line) is not None:
        words = held_out_words([trace], held, [encoded], by_line=by_line).words
        return [word.tokens[0] for word in words], [word.frequency for word in words]
    splits: list[Split] = []
    for units, document in zip(held.units_of, encoded, strict=True):
        splits += document.splits([span for unit in held_out_spans(units) for span in unit])
    return splits, [1] * len(splits)


def _ways(request: TrainingRequest, frequencies: Mapping[str, int], measured: _Measured) -> Iterator[_Draw]:
    """Yield the result of each way: the training in which some tied pairs are picked, and else the first ones."""
    waiting: list[dict[int, int]] = [{}]
    while waiting:
        picks = waiting.pop()
        way, _ = _draw(replace(request, picks=picks), frequencies, measured)
        yield way
        for rank in range(max(picks, default=-1) + 1, len(way.tied)):
            waiting += [{**picks, rank: number} for number in range(1, way.tied[rank])]


def _outcome_of(trace: Trace, measured: _Measured) -> tuple[_Outcome, list[int]]:
    """Return the outcome of a lane, and the frequencies of the words."""
    held, by_line = measured.text, bool(measured.by_line)
    encoded = encoded_texts(trace.tokenizer(), held.texts, by_line)
    words, counts = _words(trace, held, encoded, by_line, measured.between_spaces)
    return (sum(len(document.starts) for document in encoded), tuple(words)), counts


class _Apart:
    """How far outcomes are apart."""

    def __init__(self, outcomes: Sequence[_Outcome], counts: Sequence[int]) -> None:
        """Find the few words that are not split the same way in all outcomes."""
        of_words = zip(*(words for _, words in outcomes), strict=True)
        self._disputed = [
            (number, counts[number]) for number, splits in enumerate(of_words) if len(set(splits)) > 1
        ]

    def between(self, one: _Outcome, other: _Outcome) -> tuple[int, float]:
        """Return how many words are split differently, and how many more tokens one has, as a share of the other's."""
        differing = sum(count for number, count in self._disputed if one[1][number] != other[1][number])
        least, most = sorted((one[0], other[0]))
        return differing, share(most - least, least)


def _rounded(chances: Iterable[float]) -> float:
    """Return the sum of chances, without the error of adding many of them."""
    return round(fsum(chances), 12)
