"""The figure of the headline: a share of words that are split differently, or of tokens that one lane needs more.

The headline says it, and a page draws it as a bar, so both read it here.
"""

from dataclasses import dataclass

from bpe.analysis.sentences.evidence_text import positive
from bpe.analysis.significance.evidence import Evidence, PairEvidence
from bpe.analysis.significance.intervals.bootstrap import Estimate
from bpe.analysis.significance.verdict import SAME, TOKENS


@dataclass(frozen=True, slots=True)
class HeadlinedFigure:
    """A share of the held-out words or tokens that decides the answer."""

    is_of_words: (
        bool  # share of the words that are split differently; if not, of the tokens that one lane needs more
    )
    value: float
    interval: tuple[float, float] | None
    limit: float  # from here on, it matters
    chance: tuple[float, float] | None  # what two random tie-breaks differ by, at least and at most


def headlined_figure(evidence: Evidence) -> HeadlinedFigure:
    """Return the figure that decides the answer, or leaves it open."""
    if is_about_words(evidence):
        same = evidence.splits_of_pairs[most_different_pair(evidence)]
        interval = None if same.interval is None else (1 - same.interval[1], 1 - same.interval[0])
        return HeadlinedFigure(True, 1 - same.value, interval, 1 - SAME, _chance(evidence, of_words=True))
    more = positive(widest_pair(evidence).more_tokens)
    return HeadlinedFigure(False, more.value, more.interval, TOKENS, _chance(evidence, of_words=False))


def is_about_words(evidence: Evidence) -> bool:
    """Return whether the words decide the answer, or leave it open; if not, the numbers of tokens do."""
    interval = evidence.splits_of_pairs[most_different_pair(evidence)].interval
    answer = evidence.verdict.answer
    if interval is None or answer not in ("yes", "perhaps"):
        return True
    return interval[1] < SAME if answer == "yes" else interval[0] < SAME


def most_different_pair(evidence: Evidence) -> int:
    """Return the number of the pair of lanes that the headline compares by their words."""
    end = 1 if evidence.verdict.answer == "yes" else 0

    def least(pair: int) -> tuple[float, float]:
        same = evidence.splits_of_pairs[pair]
        return (same.interval[end] if same.interval else same.value), same.value

    return min(range(len(evidence.splits_of_pairs)), key=least)


def widest_pair(evidence: Evidence) -> PairEvidence:
    """Return the pair of lanes that the headline compares by their tokens."""
    if evidence.verdict.answer == "perhaps":
        return max(evidence.pairs, key=lambda pair: most_more(pair.more_tokens.interval or (0, 0)))
    pairs = [evidence.pairs[pair] for pair in evidence.verdict.more or (evidence.verdict.widest,)]
    return max(pairs, key=lambda pair: abs(pair.more_tokens.value))


def most_more(interval: tuple[float, float]) -> float:
    """Return how many more tokens one of two lanes needs at most, as a share of the other's."""
    return max(positive(Estimate(end)).value for end in interval)


def _chance(evidence: Evidence, *, of_words: bool) -> tuple[float, float] | None:
    """Return how much two random tie-breaks differ. None without draws, and for what is no difference of two rules.

    Lanes with different numbers of merges differ for another reason, and the share of three lanes is not one of two.
    """
    luck = evidence.luck
    if luck is None or not luck.more_tokens or evidence.equal is not None or len(evidence.pairs) > 1:
        return None
    if of_words:
        return 1 - max(luck.same_splits), 1 - min(luck.same_splits)
    return min(luck.more_tokens), max(luck.more_tokens)
