"""Random draws: trainings that break every tie at random, and how much they differ from each other.

The difference between draws is luck. So the difference between rules means something only if few draws, as many as
there are rules, differ as much.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Any

from bpe.analysis.ties import RandomTieStudy
from bpe.checkpoints import checkpoint
from bpe.comparison.held_out import HeldOut, held_out, held_out_spans, held_out_words, pre_tokens_of
from bpe.comparison.words import EncodedText, encoded_texts, reads_lines
from bpe.settings.request import Text, TrainingRequest, read_request
from bpe.settings.tie_breaking import TIE_BREAKS
from bpe.symbols import Symbol, Word
from bpe.text.variants import Variant
from bpe.trace.trace import Trace
from bpe.training.trainer import Training

_DRAWS_OF_A_LANE = 30  # enough for a tail of a few groups of draws (benchmarks/luck.py)
FEWEST_DRAWS, _LOOKS = 40, 20  # draws before, and between, two looks at how far they are apart
_GROUPS = 1_770  # of three draws or more; of two draws, all pairs
_Split = (
    Word | Sequence[int]
)  # the tokens of a pre-token, or the boundaries inside a word between white space


@dataclass(frozen=True, slots=True)
class Luck:
    """What random draws have in common, and what differs between them."""

    study: RandomTieStudy  # which tokens how many draws learned
    tokens: tuple[int, ...]  # of the held-out text, for each draw
    # For each group of draws: share of the word occurrences that these do not all split the same way. It is computed
    # after FEWEST_DRAWS, after every LOOKS more, and after the last one; else it is empty.
    apart: tuple[float, ...]

    @property
    def draws(self) -> int:
        """Number of draws."""
        return self.study.draws


def random_draws(
    text: Text,
    documents: Sequence[str],
    draws: int = 2 * _DRAWS_OF_A_LANE,
    variant: str | Variant = "char-eow",
    *,
    lanes: int = 2,
    by_line: bool | None = None,
    between_spaces: bool = False,
    **settings: Any,
) -> Iterator[Luck]:
    """Train with random tie-breaking, with seeds 0 to `draws` - 1; yield what they have in common after each draw.

    `documents` are held-out texts. `lanes`: how many draws are in a group. `by_line`: each of their lines is encoded by
    itself; by default if the trainer reads lines. `between_spaces`: the words between white space are compared, not
    pre-tokens. `settings` are those of `bpe.train` except tie_break and seed. Raises BPEError as `bpe.train` does.
    """
    request = read_request(variant, TIE_BREAKS["random"], **settings)
    frequencies = request.count(text)  # here, not in the iterator, so that errors are raised at once
    measured = _Measured(held_out(documents), by_line, between_spaces)
    return _luck(request, frequencies, measured, draws, lanes)


def enough_draws(lanes: int) -> int:
    """Return how many draws tell whether lanes differ by more than luck. More lanes have larger groups of draws.

    >>> enough_draws(2), enough_draws(6)
    (60, 180)
    """
    return _DRAWS_OF_A_LANE * lanes


def groups_of(draws: int, lanes: int) -> list[tuple[int, ...]]:
    """Return the groups of draws that stand beside so many lanes, the same ones each time.

    >>> groups_of(3, 2), len(groups_of(60, 2)), len(groups_of(60, 5))
    ([(0, 1), (0, 2), (1, 2)], 1770, 1770)
    """
    if lanes == 2:
        return list(combinations(range(draws), 2))
    random = Random(lanes)
    return [tuple(random.sample(range(draws), lanes)) for _ in range(_GROUPS if draws > lanes else 1)]


def _luck(
    request: TrainingRequest,
    frequencies: Mapping[str, int],
    measured: "_Measured",
    draws: int,
    lanes: int,
) -> Iterator[Luck]:
    tokens: list[int] = []
    totals: list[int] = []
    learned: Counter[Symbol] = Counter()
    first: Sequence[_Split] = ()
    unusual: list[
        dict[int, _Split]
    ] = []  # number of a word -> its split, if the first draw splits it in another way
    for seed in range(draws):
        draw, counts = _draw(replace(request, seed=seed), frequencies, measured)
        first = first or draw.words
        pairs = enumerate(zip(draw.words, first, strict=True))
        unusual.append({number: split for number, (split, usual) in pairs if split != usual})
        tokens.append(draw.tokens)
        totals.append(draw.corpus_tokens)
        learned.update(draw.learned)
        number = seed + 1
        apart: list[float] = []
        if number >= FEWEST_DRAWS and (number % _LOOKS == 0 or number == draws):
            for group in groups_of(number, lanes):
                checkpoint()
                apart.append(_apart([unusual[one] for one in group], counts))
        yield Luck(RandomTieStudy(number, learned.copy(), tuple(totals)), tuple(tokens), tuple(apart))


def _apart(unusual: Sequence[Mapping[int, _Split]], counts: Sequence[int]) -> float:
    """Return the share of the word occurrences that these draws do not all split the same way."""
    numbers = {number for one in unusual for number in one}
    differing = sum(
        counts[number]
        for number in numbers
        if any(one.get(number) != unusual[0].get(number) for one in unusual[1:])
    )
    return differing / sum(counts) if counts else 0.0


@dataclass(frozen=True, slots=True)
class _Draw:
    """One training with random tie-breaking."""

    learned: tuple[Symbol, ...]  # by rank
    corpus_tokens: int  # after the last merge
    tokens: int  # of the held-out text
    words: tuple[_Split, ...]  # the words of the held-out text, segmented


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
    return _Draw(learned, trace.tokens_by_step()[-1], tokens, tuple(words)), counts


def _words(
    trace: Trace, held: HeldOut, encoded: Sequence[EncodedText], by_line: bool, between_spaces: bool
) -> tuple[list[_Split], list[int]]:
    """Return how the held-out words are split, and how often each occurs: in the same order for every draw."""
    if not between_spaces and pre_tokens_of([trace], held, by_line) is not None:
        words = held_out_words([trace], held, [encoded], by_line=by_line).words
        return [word.tokens[0] for word in words], [word.frequency for word in words]
    splits: list[_Split] = []
    for units, document in zip(held.units_of, encoded, strict=True):
        splits += document.splits([span for unit in held_out_spans(units) for span in unit])
    return splits, [1] * len(splits)
