"""The verdict: whether the choice between lanes matters, as far as a held-out text can tell. `decide` has the rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bpe.comparison.held_out import KNOWN, TRAINED, TextOverlap
from bpe.comparison.intervals import Estimate
from bpe.comparison.random_draws import Luck, Ways

# nothing to merge  no lane has a merge
# no                all lanes made the same merges in the same order, and split every held-out word the same way
# hardly            nearly all held-out words are split the same way, and no lane needs noticeably more tokens
# yes               too many words are split differently, or some lane needs noticeably more tokens
# perhaps           the intervals allow both answers
# not held out      half of the held-out text, or more, occurs in the corpus
# unlike text       too few words of the held-out text occur in the corpus
# too little text   there are too few units of held-out text for an interval
Answer = Literal[
    "nothing to merge", "no", "hardly", "yes", "perhaps", "too little text", "unlike text", "not held out"
]

SAME = 0.95  # share of the word occurrences: "hardly" needs more that are split the same way
TOKENS = 0.01  # difference in tokens as a share: "hardly" needs less
CHANCE = (
    0.01  # share of the pairs of random draws: if fewer differ as much as two lanes, that is more than luck
)
MEASURES = 2  # words and tokens, by each of which two lanes may seem to differ by more than luck
# Pairs of draws are not independent: each draw is in many of them. With a third of the share, random lanes are called
# different in clearly less than 2% of comparisons (benchmarks/luck.py); with half of it, in up to 2%.
CAUTION = 3
WHOLE = SAME  # share of the word occurrences: if as many are one token in every lane, "hardly" is trivial


@dataclass(frozen=True, slots=True)
class BesideLuck:
    """Two lanes beside all pairs of random draws."""

    words: float  # share of the pairs of draws that split as many words differently
    tokens: float  # share of those whose token counts are as far apart
    words_beyond: bool  # the lanes' words differ by more than luck
    tokens_beyond: bool


def beside_draws(
    luck: Luck, same_splits: Sequence[float], tokens_apart: Sequence[float]
) -> tuple[BesideLuck, ...]:
    """Return the pairs of lanes beside the pairs of draws.

    `same_splits` is the share of the words that a pair of lanes splits the same way, `tokens_apart` how many more
    tokens one of them needs, as a share of the other's.
    """
    most = most_by_luck(luck.pairs, len(same_splits))
    found = []
    for same, apart in zip(same_splits, tokens_apart, strict=True):
        words, tokens = luck.words_apart(same), luck.tokens_apart(apart)
        found.append(BesideLuck(words / luck.pairs, tokens / luck.pairs, words <= most, tokens <= most))
    return tuple(found)


def beside_ways(ways: Ways) -> tuple[BesideLuck, ...]:
    """Return the pairs of lanes beside every way to break the ties. The shares are exact, so they need no caution."""
    most = CHANCE / (MEASURES * len(ways.words))
    return tuple(
        BesideLuck(words, tokens, words < most, tokens < most)
        for words, tokens in zip(ways.words, ways.tokens, strict=True)
    )


def most_by_luck(pairs_of_draws: int, pairs_of_lanes: int) -> int:
    """Return how many pairs of draws may differ as much as two lanes that differ by more than luck.

    The share is corrected for the number of comparisons (Bonferroni), and the lanes count as a pair that luck made (so
    the share is never 0). -1 if there are too few draws to tell.

    >>> most_by_luck(1_770, 1), most_by_luck(45, 1)
    (1, -1)
    """
    return int(CHANCE * (pairs_of_draws + 1) / (CAUTION * MEASURES * pairs_of_lanes) + 1e-9) - 1


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer, with the figures that decide it."""

    answer: Answer
    # "hardly", since (almost) every held-out word is one token, which cannot be split differently
    is_trivial: bool
    same_splits: Estimate  # share of the held-out word occurrences that all lanes split the same way
    widest: int  # number of the pair of lanes whose tokens differ most
    more: tuple[int, ...]  # numbers of the pairs in which one lane needs more tokens: the interval excludes 0
    beside_luck: tuple[BesideLuck, ...] | None  # for each pair of lanes; None without draws

    @property
    def beyond_luck(self) -> tuple[int, ...] | None:
        """Numbers of the pairs whose words or tokens differ by more than luck; None without draws."""
        if self.beside_luck is None:
            return None
        return tuple(
            number for number, pair in enumerate(self.beside_luck) if pair.words_beyond or pair.tokens_beyond
        )


def decide(
    *,
    has_tokens: bool,
    identical: bool,
    overlap: TextOverlap | None,
    known_words: float | None,
    whole_words: float,
    same_splits: Estimate,
    same_splits_of_pairs: Sequence[Estimate],
    more_tokens: Sequence[Estimate],
    beside_luck: tuple[BesideLuck, ...] | None,
) -> Verdict:
    """Return the verdict of these figures. `has_tokens`: some lane has merges, or pieces instead.

    `identical`: all lanes made the same merges in the same order. `known_words`: None if no lane has learned anything
    from the corpus, so that it does not matter what of it a held-out text has.

    Lanes are compared two by two, since the share that all lanes split the same way falls with each lane: the answer is
    "hardly" if, for every pair, the interval of the words split the same way lies above SAME and the interval of the
    difference in tokens lies within TOKENS; "yes" if one of these intervals lies wholly on the other side. The
    intervals of one kind hold for all pairs together.
    """
    widest = max(range(len(more_tokens)), key=lambda pair: abs(more_tokens[pair].value))
    answer: Answer
    if not has_tokens:
        answer = "nothing to merge"
    elif identical and same_splits.value == 1:
        answer = "no"
    elif overlap is not None and overlap.share >= TRAINED:
        answer = "not held out"
    elif known_words is not None and known_words < KNOWN:
        answer = "unlike text"
    else:
        answer = _answer(same_splits_of_pairs, more_tokens)
    return Verdict(
        answer,
        answer == "hardly" and whole_words >= WHOLE,
        same_splits,
        widest,
        tuple(pair for pair, more in enumerate(more_tokens) if more.is_positive or more.is_negative),
        beside_luck,
    )


def _answer(same_splits: Sequence[Estimate], more_tokens: Sequence[Estimate]) -> Answer:
    same = [estimate.interval for estimate in same_splits if estimate.interval]
    if not same:
        return "too little text"
    intervals = [more.interval for more in more_tokens if more.interval]
    if any(high < SAME for _, high in same) or any(low > TOKENS or high < -TOKENS for low, high in intervals):
        return "yes"
    if all(low >= SAME for low, _ in same) and all(
        low >= -TOKENS and high <= TOKENS for low, high in intervals
    ):
        return "hardly"
    return "perhaps"
