"""Which variant and which rule need fewer tokens? A training is scored on a text that it has not read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from bpe.checks import look_up
from bpe.exercises.verdict import Piece, Verdict
from bpe.settings.tie_breaking import TIE_BREAKS, TieBreak
from bpe.symbols import BPEError
from bpe.text.display import counted
from bpe.text.variants import VARIANTS, Variant
from bpe.trace.trace import Trace
from bpe.training.trainer import train


@dataclass(frozen=True)
class BetterTraining:
    """The task to need fewer tokens than a training for a held-out text, after as many merges of the same text."""

    trace: Trace
    text: str
    held_out: str
    example: str  # the slugs of a variant and of a rule that solve it

    def __post_init__(self) -> None:
        variant, _, rule = self.example.partition(" ")
        if not self.held_out or not self.judge(variant, rule).right:
            raise BPEError(
                f"The example must be a variant and a rule that need fewer tokens, got {self.example!r}."
            )

    @cached_property
    def variants(self) -> Mapping[str, Variant]:
        """The variants to choose from, by slug: those that need no pattern."""
        return {slug: row for slug, row in VARIANTS.items() if row.configure is None}

    @cached_property
    def rules(self) -> Mapping[str, TieBreak]:
        """The rules to choose from, by slug: those that need no picks."""
        return {slug: row for slug, row in TIE_BREAKS.items() if row.menu and not row.by_hand}

    @property
    def given(self) -> tuple[str, str]:
        """The variant and the rule of the training, by slug."""
        return self.trace.variant.slug, self.trace.tie_break.slug

    def score(self, variant: str, rule: str) -> _Score:
        """Return what the tokenizer of a variant and a rule needs. It trains, so texts should be short."""
        look_up("variant", self.variants, variant)
        look_up("rule", self.rules, rule)
        return _scored(self.text, self.held_out, len(self.trace.steps), variant, rule)

    def judge(self, variant: str, rule: str) -> Verdict:
        """Return the verdict on a variant and a rule, with what each of them does alone."""
        before, now = self.score(*self.given), self.score(variant, rule)
        if (variant, rule) == self.given:
            return Verdict(
                False,
                (f"This is the preset itself: {before.tokens:,} tokens. Change something.",),
                ("the_same",),
            )
        difference = now.tokens - before.tokens
        compared = f"{now.tokens:,} tokens, {_than(difference)} the preset's {before.tokens:,}."
        beats = difference < 0
        sentence = f"{'Right!' if beats else 'Not yet:'} {compared} {self._parts(variant, rule)}"
        return Verdict(beats, (sentence + self._small_print(before, now),))

    def _parts(self, variant: str, rule: str) -> str:
        """Return what variant and rule change, each by itself and together, in sentences."""
        (own_variant, own_rule), before = self.given, self.score(*self.given).tokens
        if variant == own_variant:
            return "Only the rule is different, so only the ties were decided differently."
        if rule == own_rule:
            return "The rule is the preset's, so the whole difference comes from how the text is split and spelled."
        alone = [self.score(variant, own_rule).tokens - before, self.score(own_variant, rule).tokens - before]
        of_variant, of_rule = (
            f"{counted(abs(number), 'token')} {'fewer' if number < 0 else 'more'}"
            if number
            else "no difference"
            for number in alone
        )
        return f"The variant alone makes {of_variant}, the rule alone {of_rule}."

    def _small_print(self, before: _Score, now: _Score) -> str:
        """Return what the counts leave out, in sentences."""
        told = ""
        if now.size != before.size:
            merges = counted(len(self.trace.steps), "merge")
            sizes = f"{now.size:,} tokens in its vocabulary, the preset {before.size:,}"
            told += f" Both learned {merges}; yours has {sizes}."
        if now.unknown != before.unknown:
            told += f" Unknown characters: {now.unknown:,} with yours, {before.unknown:,} with the preset."
        return told

    def solution(self) -> tuple[Piece, ...]:
        """Return the answer as a sentence."""
        variant, _, rule = self.example.partition(" ")
        titles = f"“{self.variants[variant].title}” with “{self.rules[rule].title}”"
        tokens, before = self.score(variant, rule).tokens, self.score(*self.given).tokens
        return (f"For example, {titles}: {tokens:,} tokens instead of {before:,}.",)


@dataclass(frozen=True, slots=True)
class _Score:
    """What a tokenizer needs for the held-out text."""

    tokens: int
    unknown: int  # of the tokens: characters that are not in the vocabulary
    size: int  # of the vocabulary


@lru_cache(maxsize=128)  # pages ask again whenever they are drawn
def _scored(text: str, held_out: str, merges: int, variant: str, rule: str) -> _Score:
    tokenizer = train(text, variant=variant, tie_break=rule, merges=merges).tokenizer()
    tokens, ids = tokenizer.tokens(held_out), tokenizer.ids
    return _Score(len(tokens), sum(token not in ids for token in tokens), len(ids))


def _than(difference: int) -> str:
    """Return how a number of tokens compares with another one.

    >>> _than(-3), _than(1), _than(0)
    ('3 fewer than', '1 more than', 'as many as')
    """
    if not difference:
        return "as many as"
    return f"{abs(difference):,} {'fewer' if difference < 0 else 'more'} than"
