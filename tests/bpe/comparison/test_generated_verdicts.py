"""Every sentence of a verdict on generated texts is true: its figures are computed again, word by word."""

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

import bpe
from bpe import Trace, Word, merge_pair
from bpe.comparison import verdict
from bpe.comparison.evidence import RARE, Evidence, evidence, with_random_draws
from bpe.comparison.random_draws import FEWEST_DRAWS, groups_of
from bpe.comparison.verdict import percent, percent_range
from bpe.text.display import counted

NAMES = ["one", "two", "three"]
LETTERS = ("abcdefgh", "абвгде", "語水木火", "😀😃é1")
RULES = ("first", "last", "pair-max", "shortest")


@dataclass(frozen=True)
class Facts:
    """What naive counting finds in a held-out text."""

    traces: Sequence[Trace]
    text: str
    corpus: str
    draws: Sequence[Trace] = ()  # trainings that break ties at random

    @property
    def words(self) -> Counter[str]:
        """The words with a letter or a digit."""
        split = self.traces[0].variant.split
        return Counter(
            word
            for line in self.text.splitlines()
            for word in split(line)
            if any(character.isalnum() for character in word)
        )

    def differing(self, traces: Sequence[Trace]) -> int:
        """Return the occurrences of words that these trainings do not all split the same way."""
        return sum(
            number
            for word, number in self.words.items()
            if len({applied(trace, word) for trace in traces}) > 1
        )

    @property
    def apart(self) -> list[int]:
        """The same for each group of random draws."""
        groups = groups_of(len(self.draws), len(self.traces))
        return [self.differing([self.draws[one] for one in group]) for group in groups]

    def is_answer(self, answer: str, number: str, total: str) -> bool:
        """Return whether so many words are split differently, and draws do that as seldom as the answer says."""
        differing = self.differing(self.traces)
        if (number, total) != (f"{differing:,}", counted(self.words.total(), "word")):
            return False
        if len(self.draws) < FEWEST_DRAWS:
            return not answer
        as_far = sum(apart >= differing for apart in self.apart)
        return answer == (
            "It matters: " if as_far <= RARE * len(self.apart) else "It matters no more than luck: "
        )

    def is_evidence(self, groups: str, as_far: str, share: str, ends: str) -> bool:
        total, differing, apart = self.words.total(), self.differing(self.traces), self.apart
        times = sum(one >= differing for one in apart)
        return (groups, as_far, share, ends) == (
            f"{len(apart):,}",
            str(times or "none"),
            percent(differing / total),
            percent_range(min(apart) / total, max(apart) / total),
        )

    @property
    def tokens(self) -> list[int]:
        """Number of tokens in each lane."""
        return [
            sum(len(applied(trace, word)) for word in trace.variant.split(self.text)) for trace in self.traces
        ]

    @property
    def unknown(self) -> list[str]:
        """Number of tokens that are no symbols of a lane, with its name."""
        numbers = [
            sum(
                symbol not in trace.symbols
                for word in trace.variant.split(self.text)
                for symbol in applied(trace, word)
            )
            for trace in self.traces
        ]
        named = zip(numbers, NAMES, strict=False)
        return [f"{counted(number, 'token')} under “{name}”" for number, name in named if number]

    @property
    def known(self) -> float:
        known = set(self.traces[0].variant.split(self.corpus))
        return sum(number for word, number in self.words.items() if word in known) / self.words.total()


@cache
def applied(trace: Trace, pre_token: str) -> Word:
    """Return the pre-token after every merge, one after another."""
    word = tuple(trace.variant.spell(pre_token))
    for pair in trace.merges:
        word = merge_pair(word, pair)
    return word


Check = Callable[[Facts, re.Match[str]], object]
# Every sentence fits exactly one of these patterns; the function says whether it is true.
SENTENCES: dict[str, Check] = {
    r"It does not matter: (?:both|all 3) lanes make the same .*": lambda facts, _: (
        len({tuple(trace.merges) for trace in facts.traces}) == 1
    ),
    r"It does not matter here: all (.*) in the held-out text are split the same way\.": lambda facts, match: (
        match[1] == counted(facts.words.total(), "word") and not facts.differing(facts.traces)
    ),
    r"(It matters: |It matters no more than luck: |)(\S+) of (\S+ words?) in the held-out text (?:is|are) "
    r"(?:split differently|not split the same way by all 3 lanes)"
    r"(?:, more than random tie-breaks would explain|, and random tie-breaks do as much)?\.": lambda facts, match: (
        facts.is_answer(match[1], match[2], match[3])
    ),
    r"Of (\S+) (?:pairs|groups of three) of trainings that break ties at random, (\S+) differs? in at least as many "
    r"words \((.*)\)\. The (?:pairs|groups of three) differ in (.*) of the words\.": lambda facts, match: (
        facts.is_evidence(*match.groups())
    ),
    r"There are too few random draws to say more: (\d+), and 40 are needed\.": lambda facts, match: (
        match[1] == str(len(facts.draws))
    ),
    r"The held-out text needs (\S+) to (\S+) tokens, depending on the lane\.": lambda facts, match: (
        (match[1], match[2]) == (f"{min(facts.tokens):,}", f"{max(facts.tokens):,}")
    ),
    r"The lanes have different numbers of merges: (\S+) to (\S+)\.": lambda facts, match: (
        {int(match[1]), int(match[2])}
        == {end(len(trace.merges) for trace in facts.traces) for end in (min, max)}
    ),
    r"The vocabulary lacks characters of the text: (.*) stand for them\.": lambda facts, match: (
        re.split(", | and ", match[1]) == facts.unknown
    ),
    r"Only (.*) of the held-out words occur in the training text\.": lambda facts, match: (
        match[1] == percent(facts.known) and facts.known < 0.1
    ),
}


def generated(seed: int) -> tuple[list[Trace], str, str]:
    """Return lanes, the corpus they were trained on, and a held-out text."""
    draw = random.Random(seed)
    letters = draw.choice(LETTERS) + draw.choice(LETTERS)
    words = ["".join(draw.choices(letters, k=draw.randint(1, 6))) for _ in range(draw.choice((5, 40, 200)))]
    fresh = ["".join(draw.choices(letters, k=draw.randint(1, 6))) for _ in range(draw.choice((0, 20, 200)))]

    def text(lines: int, vocabulary: Sequence[str]) -> str:
        return "\n".join(" ".join(draw.choices(vocabulary, k=draw.randint(1, 9))) for _ in range(lines))

    corpus, held_out = text(60, words), text(draw.choice((3, 30, 120)), words + fresh)
    variant = draw.choice(("char-eow", "bytes-whitespace"))
    rules = draw.sample(RULES, draw.choice((2, 3)))
    merges = draw.choice((1, 5, 30, 90))
    return [bpe.train(corpus, variant, rule, merges=merges) for rule in rules], corpus, held_out


@pytest.mark.parametrize("seed", range(30))
def test_every_sentence_of_a_verdict_is_true(seed: int) -> None:
    traces, corpus, held_out = generated(seed)
    expect_true(Facts(traces, held_out, corpus), evidence(traces, [held_out], corpus))


@pytest.mark.parametrize("seed", range(30, 36))
def test_every_sentence_on_lanes_of_different_lengths_is_true(seed: int) -> None:
    traces, corpus, held_out = generated(seed)
    merges = max(1, len(traces[0].merges) // 3)
    traces[0] = bpe.train(corpus, traces[0].variant, traces[0].tie_break, merges=merges)
    expect_true(Facts(traces, held_out, corpus), evidence(traces, [held_out], corpus))


# Short texts; the last has three lanes.
@pytest.mark.parametrize(("seed", "number"), [(10, 3), (14, FEWEST_DRAWS), (20, 3), (45, FEWEST_DRAWS)])
def test_every_sentence_beside_random_draws_is_true(seed: int, number: int) -> None:
    traces, corpus, held_out = generated(seed)
    how: dict[str, Any] = {"variant": traces[0].variant, "merges": len(traces[0].merges)}
    draws = [bpe.train(corpus, tie_break="random", seed=one, **how) for one in range(number)]
    *_, beside = with_random_draws(evidence(traces, [held_out], corpus), corpus, number, **how)
    expect_true(Facts(traces, held_out, corpus, draws), beside)


def expect_true(facts: Facts, result: Evidence) -> None:
    """Expect that every sentence on the evidence fits the facts."""
    names = NAMES[: len(facts.traces)]
    told = [verdict.headline(result, names), verdict.evidence_line(result), *verdict.notes(result, names)]
    for sentence in filter(None, told):
        fitting = [
            (check, match)
            for pattern, check in SENTENCES.items()
            if (match := re.fullmatch(pattern, sentence))
        ]
        assert len(fitting) == 1, sentence
        assert all(check(facts, match) for check, match in fitting), sentence
