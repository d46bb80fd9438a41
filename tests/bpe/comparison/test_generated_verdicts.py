"""Every sentence of a verdict on generated texts is true: its figures are computed again, word by word."""

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import pytest

import bpe
from bpe import Trace, Word, merge_pair
from bpe.comparison import verdict_text
from bpe.comparison.evidence import Evidence, evidence, with_random_draws
from bpe.comparison.evidence_text import percent, share_of_draws
from bpe.text.display import counted
from tests.bpe.comparison.story_evidence import expect_said_once

NAMES = ["one", "two", "three"]
DRAWS = 36  # the fewest whose pairs can tell what luck explains
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

    @property
    def total(self) -> int:
        return self.words.total()

    @property
    def differing(self) -> int:
        """Occurrences of words that two lanes split differently."""
        return sum(
            number
            for word, number in self.words.items()
            if len({applied(trace, word) for trace in self.traces}) > 1
        )

    @property
    def fewest_merges(self) -> int:
        return min(len(trace.merges) for trace in self.traces)

    @property
    def most_merges(self) -> int:
        return max(len(trace.merges) for trace in self.traces)

    def is_then(self, share: str, equal: "Facts", now: str) -> bool:
        """Return whether this is the share of words that the two most different lanes split differently then."""
        pairs = list(combinations(range(len(self.traces)), 2))
        most = max(self.differing_in(NAMES[one], NAMES[other]) for one, other in pairs)
        then = {
            percent(number / self.total) if number else "none"
            for one, other in pairs
            if self.differing_in(NAMES[one], NAMES[other]) == most
            for number in [equal.differing_in(NAMES[one], NAMES[other])]
        }
        return (now if share == "as many" else share) in then

    @property
    def most_differing(self) -> int:
        """Occurrences of words that the two lanes split differently which do so most."""
        names = NAMES[: len(self.traces)]
        return max(self.differing_in(one, other) for one, other in combinations(names, 2))

    def differing_in(self, one: str, other: str) -> int:
        """Return the occurrences of words that two lanes split differently."""
        first, second = (self.traces[NAMES.index(name)] for name in (one, other))
        return sum(
            number for word, number in self.words.items() if applied(first, word) != applied(second, word)
        )

    def is_differing(self, number: str, total: str, pairs: str | None) -> bool:
        """Return whether so many words are split differently, which a sentence on many lanes says of all pairs."""
        named = None if len(self.traces) == 2 else str(len(list(combinations(self.traces, 2))))
        return (number, total, pairs) == (f"{self.differing:,}", f"{self.total:,}", named)

    @property
    def tokens(self) -> list[int]:
        """Number of tokens in each lane."""
        return [
            sum(len(applied(trace, word)) for word in trace.variant.split(self.text)) for trace in self.traces
        ]

    @property
    def unknown(self) -> list[str]:
        """Number of tokens that are no symbols of a lane, with that of its tokens and its name."""
        numbers = [
            sum(
                symbol not in trace.symbols
                for word in trace.variant.split(self.text)
                for symbol in applied(trace, word)
            )
            for trace in self.traces
        ]
        return [
            f"{number:,} of the {counted(tokens, 'token')} under “{name}”"
            for number, tokens, name in zip(numbers, self.tokens, NAMES, strict=False)
            if number
        ]

    @property
    def whole(self) -> int:
        """Occurrences of words that are one token in every lane."""
        return sum(
            number
            for word, number in self.words.items()
            if all(len(applied(trace, word)) == 1 for trace in self.traces)
        )

    @property
    def known(self) -> float:
        known = set(self.traces[0].variant.split(self.corpus))
        return sum(number for word, number in self.words.items() if word in known) / self.total

    def more(self, lane: str, other: str) -> float:
        """Return how many more tokens a lane needs than another, as a share."""
        tokens = dict(zip(NAMES, self.tokens, strict=False))
        return tokens[lane] / tokens[other] - 1

    @property
    def most_more(self) -> float:
        return max(self.tokens) / min(self.tokens) - 1

    def at_equal(self, merges: str) -> "Facts":
        """Return the facts of the lanes after so many merges, which are those of the shortest."""
        number = int(merges.replace(",", ""))
        assert number == min(len(trace.merges) for trace in self.traces)
        traces = [
            bpe.train(self.corpus, trace.variant, trace.tie_break, merges=number) for trace in self.traces
        ]
        return Facts(traces, self.text, self.corpus)

    def chance(self, *, of_words: bool) -> float:
        """Return the share of the pairs of draws that differ as much as the two lanes, by their words or tokens."""
        words, pieces = Counter(self.words), Counter(self.traces[0].variant.split(self.text))
        splits = {trace: [applied(trace, word) for word in words] for trace in (*self.draws, *self.traces)}
        tokens = {
            trace: sum(number * len(applied(trace, piece)) for piece, number in pieces.items())
            for trace in splits
        }

        def apart(one: Trace, other: Trace) -> float:
            if of_words:
                alike = zip(words.values(), splits[one], splits[other], strict=True)
                return sum(number for number, first, second in alike if first != second)
            return max(tokens[one], tokens[other]) / min(tokens[one], tokens[other])

        pairs = list(combinations(self.draws, 2))
        return sum(apart(*pair) >= apart(*self.traces) for pair in pairs) / len(pairs)

    def is_beside_chance(self, tail: str, *, of_words: bool) -> bool:
        """Return whether the second half of a headline says how often two random draws differ as much."""
        chance = self.chance(of_words=of_words) if self.draws else None
        if not tail:
            return chance is None or len(self.traces) > 2
        assert chance is not None
        if "more than random" in tail:
            return chance < 0.01
        if "every pair" in tail or "most pairs" in tail:
            return chance == 1 if "every pair" in tail else 0.5 < chance < 1
        return chance <= 0.5 and tail.startswith(f", but {share_of_draws(chance)} pairs")

    @property
    def shared(self) -> float:
        """The lowest share of the learned tokens that two lanes have in common."""
        learned = [{left + right for left, right in trace.merges} for trace in self.traces]
        return min(
            len(one & other) / max(len(one), len(other))
            for number, one in enumerate(learned)
            for other in learned[:number]
        )


@cache
def applied(trace: Trace, pre_token: str) -> Word:
    """Return the pre-token after every merge, one after another."""
    word = tuple(trace.variant.spell(pre_token))
    for pair in trace.merges:
        word = merge_pair(word, pair)
    return word


PAIRS = r"(?: in at least one of the (\S+) pairs of lanes)?"
INTERVAL = r"(?: \([^)]*\))?"
TAIL = r"(?:, (?:and|but) the text is too short to be sure)?"
LUCK = (
    r"((?:, more than random tie-breaks would explain"
    r"|, but (?:every pair|most pairs|.* pairs) of random draws differs? at least as much)?)"
)
TOO_LITTLE = r"Not enough held-out text to say whether it matters: "
Check = Callable[[Facts, re.Match[str]], object]
# Every sentence fits exactly one of these patterns; the function says whether it is true.
SENTENCES: dict[str, Check] = {
    r"It does not matter: (?:both|all 3) lanes make the same .*": lambda facts, _: (
        len({tuple(trace.merges) for trace in facts.traces}) == 1
    ),
    r"It hardly matters: all (\S+) held-out words are split the same way\.": lambda facts, match: (
        match[1] == f"{facts.total:,}" and not facts.differing
    ),
    rf"It (?:hardly matters|may matter): (.*%) of the held-out words are split the same way{TAIL}\.": (
        lambda facts, match: match[1] == percent(1 - facts.differing / facts.total)
    ),
    r"It hardly matters here: in every lane, (?:almost )?every held-out word is a single token\.": (
        lambda facts, match: (
            facts.whole == facts.total or ("almost" in match[0] and facts.whole >= 0.95 * facts.total)
        )
    ),
    rf"It matters: (.*%) of the held-out words are split differently( by two of the lanes)?{LUCK}\.": (
        lambda facts, match: (
            match[1] == percent(facts.most_differing / facts.total)
            and bool(match[2]) == (len(facts.traces) > 2)
            and facts.is_beside_chance(match[3], of_words=True)
        )
    ),
    r"(.*%) of the held-out words are split differently( by two of the lanes)?; after (\S+) merges? each, (.*) are\.": (
        lambda facts, match: (
            match[1] == percent(facts.most_differing / facts.total)
            and bool(match[2]) == (len(facts.traces) > 2)
            and facts.is_then(match[4], facts.at_equal(match[3]), match[1])
        )
    ),
    r"One lane needs (.*%) more tokens than another; after (\S+) merges? each, (.*) more(?:, and then .*)?\.": (
        lambda facts, match: (
            match[1] == percent(facts.most_more)
            and match[3] in ("as many", "no", percent(facts.at_equal(match[2]).most_more))
        )
    ),
    r"The lanes have different numbers of merges \((\S+) to (\S+)\), so the comparison is unequal\."
    r"(?: After equal numbers of merges, the held-out text needs (.*) tokens\.)?": lambda facts, match: (
        (match[1], match[2]) == (f"{facts.fewest_merges:,}", f"{facts.most_merges:,}")
        and re.split(", | and ", match[3] or "")
        == ([f"{tokens:,}" for tokens in facts.at_equal(match[1]).tokens] if match[3] else [""])
    ),
    r"Of the (\S+) pairs of (\S+) trainings that break ties at random, (.*) splits? as many words differently, and "
    r"(.*) ha(?:s|ve) token counts as far apart\. So random tie-breaks .*": lambda facts, match: (
        match[2] == str(len(facts.draws))
        and match[3] == share_of_draws(facts.chance(of_words=True))
        and match[4] == share_of_draws(facts.chance(of_words=False))
    ),
    rf"These two are “(.*)” and “(.*)”{INTERVAL}\.": lambda facts, match: (
        facts.most_differing == facts.differing_in(match[1], match[2])
    ),
    rf"It (?:hardly|may) matters?: any two lanes split at least (.*%) of the held-out words the same way{TAIL}\.": (
        lambda facts, match: 0 <= 1 - facts.most_differing / facts.total - float(match[1][:-1]) / 100 < 0.01
    ),
    rf"It (?:matters|may matter): one lane (?:needs|seems to need) (.*%) more tokens than another{TAIL}{LUCK}\.": (
        lambda facts, match: (
            match[1] == percent(facts.most_more)
            and (not match[2] or facts.is_beside_chance(match[2], of_words=False))
        )
    ),
    rf"It may matter: one lane may need up to .* more tokens than another{TAIL}\.": lambda facts, _: (
        True
    ),  # an interval's end
    rf"(?:{TOO_LITTLE})?(\S+) of (\S+) words? (?:is|are) split differently{PAIRS}(?:, “.*”)?\.": lambda facts, match: (
        facts.is_differing(match[1], match[2], match[3])
    ),
    rf"{TOO_LITTLE}(\S+) of (\S+) words? (?:is|are) split differently{PAIRS}; after (\S+) merges? each, (\S+)\.": (
        lambda facts, match: (
            facts.is_differing(match[1], match[2], match[3])
            and match[5] == f"{facts.at_equal(match[4]).differing:,}"
        )
    ),
    rf"(?:{TOO_LITTLE}all|All) (\S+) (?:held-out )?words are split the same way\.": lambda facts, match: (
        match[1] == f"{facts.total:,}" and not facts.differing
    ),
    r"The held-out text is too different: (.*) of its words occur in the training text\.": lambda facts, match: (
        match[1].removeprefix("only ") == ("none" if not facts.known else percent(facts.known))
    ),
    rf"(?:That is|Only )?\s*(\S+) of (\S+) (?:held-out )?words?{INTERVAL}(?: (?:is|are) split differently)?{PAIRS}"
    r"(?:, most often .*|: “.*”)?\.": lambda facts, match: facts.is_differing(match[1], match[2], match[3]),
    rf"The held-out text needs (.*%) more tokens under “(.*)” than under “(.*)”{INTERVAL}\.": lambda facts, match: (
        match[1] == percent(facts.more(match[2], match[3]))
    ),
    r"The held-out text needs (.* tokens?) in every lane\.": lambda facts, match: (
        {counted(tokens, "token") for tokens in facts.tokens} == {match[1]}
    ),
    r"The held-out text needs (\S+) to (\S+) tokens, depending on the lane\.?"
    r"(?:, and another text could turn that around\.)?": lambda facts, match: (
        (match[1], match[2]) == (f"{min(facts.tokens):,}", f"{max(facts.tokens):,}")
    ),
    rf"The lane “(.*)” needs more tokens than “(.*)”{INTERVAL}\.": lambda facts, match: (
        facts.more(match[1], match[2]) > 0
    ),
    r"These lanes are “.*” and “.*”\. Either may need more\.": lambda facts, _: True,
    r"(.*) of the words are single tokens(?: in every lane)?\. They cannot be split differently, so use .*": (
        lambda facts, match: (
            match[1] == ("All" if facts.whole == facts.total else percent(facts.whole / facts.total))
        )
    ),
    r"Single tokens cannot be split differently, so use .*": lambda facts, _: facts.whole == facts.total,
    r"The two vocabularies share (.*%) of the learned tokens\. Tokens in both .*": (
        lambda facts, match: match[1] == percent(facts.shared) or (match[1] == "0%" and facts.shared < 0.001)
    ),
    r"Any two vocabularies share at least (.*%) of the learned tokens\. Tokens in both .*": (
        lambda facts, match: 0 <= facts.shared - float(match[1][:-1]) / 100 < 0.01
    ),
    r"(?:The two|Some) vocabularies share none of the learned tokens\.": lambda facts, _: facts.shared == 0,
    r"Held-out text: 1 document, (\S+) characters?.*": lambda facts, match: (
        match[1] == f"{len(facts.text):,}"
    ),
    r"(.*) of the held-out words occur in the training text(?:, .*)?\.": lambda facts, match: (
        match[1].lower().removeprefix("only ")
        == {0.0: "none", 1.0: "all"}.get(facts.known, percent(facts.known))
    ),
    r"(?:These words are|This word is|The most frequent of them:|One of them is) .*": lambda facts, _: (
        facts.differing > 0
    ),
    r"Unknown characters: (.*) (?:stands|stand) for text outside the vocabulary\.": lambda facts, match: (
        re.split(", | and ", match[1]) == facts.unknown
    ),
    r"To get an answer.*": lambda facts, _: True,  # advice
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
    expect_true(Facts(traces, held_out, corpus), evidence(traces, [held_out], corpus, resamples=60))


@pytest.mark.parametrize("seed", range(30, 42))
def test_every_sentence_on_lanes_of_different_lengths_is_true(seed: int) -> None:
    traces, corpus, held_out = generated(seed)
    traces[0] = bpe.train(
        corpus, traces[0].variant, traces[0].tie_break, merges=max(1, len(traces[0].merges) // 3)
    )
    expect_true(Facts(traces, held_out, corpus), evidence(traces, [held_out], corpus, resamples=60))


@pytest.mark.parametrize("seed", [3, 5, 10, 12, 14, 19, 20, 24])
def test_every_sentence_beside_random_draws_is_true(seed: int) -> None:
    traces, corpus, held_out = generated(seed)
    how: dict[str, Any] = {"variant": traces[0].variant, "merges": len(traces[0].merges)}
    draws = [bpe.train(corpus, tie_break="random", seed=number, **how) for number in range(DRAWS)]
    measured = evidence(traces[:2], [held_out], corpus, resamples=60)
    *_, beside = with_random_draws(measured, traces[:2], corpus, DRAWS, **how)
    expect_true(Facts(traces[:2], held_out, corpus, draws), beside)


def expect_true(facts: Facts, result: Evidence) -> None:
    """Expect that every sentence on the evidence fits the facts, and that nothing is read twice."""
    names = NAMES[: len(facts.traces)]
    expect_said_once(result, names)
    for sentence in [verdict_text.headline(result, names), *verdict_text.sentences(result, names)]:
        fitting = [
            (check, match)
            for pattern, check in SENTENCES.items()
            if (match := re.fullmatch(pattern, sentence))
        ]
        assert fitting, sentence
        assert all(check(facts, match) for check, match in fitting), sentence
