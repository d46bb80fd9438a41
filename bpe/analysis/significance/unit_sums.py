"""Unit sums: what each unit of a held-out text adds to the figures of all lanes, and the figures of such sums."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from bpe.analysis.comparing.encoded_text import EncodedText
from bpe.analysis.comparing.word_comparison import split_differently
from bpe.analysis.significance.held_out import HeldOut
from bpe.analysis.significance.held_out_words import HeldOutWords
from bpe.analysis.significance.intervals.bootstrap import CONFIDENCE, Estimate, percentile_interval
from bpe.analysis.significance.intervals.exact_bound import widened
from bpe.checkpoints import checkpoint

# Columns of a row. After them: the tokens of each lane, then for each pair of lanes the occurrences of words that both
# split the same way.
CHARACTERS, WORDS, COMPARED, SAME = range(4)
LANES = 4

Sums = Sequence[int]
Figure = Callable[[Sums], float]


def pairs_of(lanes: int) -> list[tuple[int, int]]:
    """Return the indices of every two lanes."""
    return list(combinations(range(lanes), 2))


def rows_of(
    text: HeldOut, encoded: Sequence[Sequence[EncodedText]], words: HeldOutWords, by_line: bool
) -> list[tuple[int, ...]]:
    """Return the row of each unit. `encoded` holds the documents under each lane, and `words` are segmented by them.

    `by_line`: each line is encoded by itself, so line ends are no characters of the text.
    """
    tokens = [
        [
            number
            for units, document in zip(text.units_of, documents, strict=True)
            for number in document.tokens_in(units)
        ]
        for documents in encoded
    ]
    pairs = pairs_of(len(encoded))
    differing = {  # position of a word -> the numbers of the pairs of lanes that split it differently
        position: [
            number
            for number, (first, second) in enumerate(pairs)
            if split_differently((word.tokens[first], word.tokens[second]))
        ]
        for position, word in enumerate(words.words)
        if word.differs
    }
    rows = []
    for number, (unit, counts) in enumerate(zip(text.units, words.by_unit, strict=True)):
        compared = counts.total()
        same, same_of_pair = compared, [compared] * len(pairs)
        for word in counts.keys() & differing.keys():
            same -= counts[word]
            for pair in differing[word]:
                same_of_pair[pair] -= counts[word]
        of_lanes = [lane[number] for lane in tokens]
        characters = len(unit) - (unit.count("\n") + unit.count("\r") if by_line else 0)
        rows.append((characters, len(unit.split()), compared, same, *of_lanes, *same_of_pair))
    return rows


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a held-out text: of all its units, and of each resample of them, if there are resamples."""

    lanes: int
    totals: Sums
    resampled: Sequence[Sums]
    rows: Sequence[Sums]  # one for each unit
    copies: frozenset[int]  # numbers of the units that are copies of others

    def estimate(self, figure: Figure, confidence: float = CONFIDENCE) -> Estimate:
        """Return a figure of the whole text with its interval."""
        value = figure(self.totals)
        if not self.resampled:
            return Estimate(value)
        checkpoint()
        return Estimate(value, percentile_interval(list(map(figure, self.resampled)), confidence))

    def same_splits(self) -> Estimate:
        """Return the share of the word occurrences that all lanes split the same way."""
        return self._same(SAME, CONFIDENCE)

    def same_splits_of(self, pair: int, confidence: float) -> Estimate:
        """Return the share of the word occurrences that a pair of lanes splits the same way."""
        return self._same(LANES + self.lanes + pair, confidence)

    def _same(self, column: int, confidence: float) -> Estimate:
        estimate = self.estimate(lambda sums: share(sums[column], sums[COMPARED]), confidence)
        rows = [row for number, row in enumerate(self.rows) if number not in self.copies]
        differing = [row[COMPARED] - row[column] for row in rows]
        return widened(estimate, differing, sum(row[COMPARED] for row in rows), confidence)

    def compression(self, lane: int) -> Figure:
        """Return the function that gives a lane's characters per token."""
        return lambda sums: share(sums[CHARACTERS], sums[LANES + lane])

    def fertility(self, lane: int) -> Figure:
        """Return the function that gives a lane's tokens per word."""
        return lambda sums: share(sums[LANES + lane], sums[WORDS])

    def more_tokens(self, first: int, second: int) -> Figure:
        """Return the function that gives how many more tokens the second lane needs, as a share of the first's."""
        one, other = LANES + first, LANES + second
        return lambda sums: share(sums[other] - sums[one], sums[one])


def difference(first: Figure, second: Figure) -> Figure:
    """Return the function that gives the second figure minus the first."""
    return lambda sums: second(sums) - first(sums)


def share(part: int, whole: int) -> float:
    """Return the quotient; 0 if there is nothing to divide by."""
    return part / whole if whole else 0.0
