"""How many? Questions about the sizes of a training at one step, such as the vocabulary and the tokens in use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from bpe.checks import shortened_repr
from bpe.exercises.verdict import Piece, Verdict
from bpe.symbols import BPEError
from bpe.text.display import counted
from bpe.trace.trace import Trace


@dataclass(frozen=True)
class Quantity:
    """The question how large a quantity is after `step` merges."""

    trace: Trace
    step: int
    of: str  # one of QUANTITIES

    def __post_init__(self) -> None:
        if self.of not in QUANTITIES:
            raise BPEError(
                f"A quantity must be one of {', '.join(QUANTITIES)}, got {shortened_repr(self.of)}."
            )

    @cached_property
    def right(self) -> int:
        """The right answer."""
        return QUANTITIES[self.of].count(self.trace, self.step)

    @cached_property
    def misconceptions(self) -> Mapping[str, frozenset[int]]:
        """The numbers that each misconception gives, without the right one."""
        gives = {
            name: count(self.trace, self.step) for name, (count, _) in QUANTITIES[self.of].instead.items()
        }
        return {
            name: frozenset(() if number is None or number == self.right else (number,))
            for name, number in gives.items()
        }

    def judge(self, number: int) -> Verdict:
        """Return the verdict on a number."""
        if number == self.right:
            return Verdict(True, ("Right! ", *self.solution()))
        mistakes = tuple(name for name, numbers in self.misconceptions.items() if number in numbers)
        if mistakes:
            return Verdict(False, (QUANTITIES[self.of].instead[mistakes[0]][1],), mistakes)
        near = "Very close. " if abs(number - self.right) == 1 else ""
        more = "more" if number < self.right else "fewer"
        return Verdict(False, (f"{near}Not {number:,}: there are {more}.",))

    def solution(self) -> tuple[Piece, ...]:
        """Return the answer as a sentence."""
        row = QUANTITIES[self.of]
        return (row.sentence.format(counted(self.right, row.name)),)


@dataclass(frozen=True, slots=True)
class _QuantityRow:
    """One quantity. Each reason of `instead` belongs to what a misconception gives at a step; None for nothing."""

    count: Callable[[Trace, int], int]
    name: str  # what is counted, in the singular
    sentence: str  # the answer, with {} for the counted name
    instead: Mapping[str, tuple[Callable[[Trace, int], int | None], str]]


def _before(count: Callable[[Trace, int], int]) -> Callable[[Trace, int], int | None]:
    return lambda trace, step: count(trace, step - 1) if step else None


def _without_the_parts(trace: Trace, step: int) -> int:
    """Return the tokens in use if the last merge had used up both of its parts."""
    return trace.in_use(step - 1) + 1 - len(set(trace.steps[step - 1].pair))


def _letters(trace: Trace, step: int) -> int:
    return trace.tokens_total(0)


QUANTITIES: Mapping[str, _QuantityRow] = {
    "vocabulary": _QuantityRow(
        lambda trace, step: trace.vocabulary_size(step),
        "token",
        "The vocabulary has {}.",
        {
            "only_merges": (
                lambda trace, step: step or None,
                "That is the number of merges. The symbols that spell the text are in the vocabulary too.",
            ),
            "without_special_tokens": (
                lambda trace, step: trace.vocabulary_size(step) - len(trace.special_tokens),
                "The special tokens are in the vocabulary too.",
            ),
            "without_merges": (
                lambda trace, step: trace.vocabulary_size(0),
                "That is the vocabulary before the first merge. Each merge adds one token.",
            ),
            "in_use": (
                lambda trace, step: trace.in_use(step),
                "That is the number of tokens in use. Tokens that do not occur in the text are in the vocabulary too.",
            ),
        },
    ),
    "alphabet": _QuantityRow(
        lambda trace, step: len(trace.alphabet),
        "symbol",
        "The alphabet has {}.",
        {
            "with_special_tokens": (
                lambda trace, step: trace.vocabulary_size(0),
                "That includes special tokens. How many symbols spell the text before any merge?",
            ),
            "with_merges": (
                lambda trace, step: trace.vocabulary_size(step),
                "That includes tokens made by merging. How many symbols spell the text before any merge?",
            ),
        },
    ),
    "in_use": _QuantityRow(
        lambda trace, step: trace.in_use(step),
        "different token",
        "In use: {}.",
        {
            "one_more": (
                lambda trace, step: trace.in_use(step - 1) + 1 if step else None,
                "The new token is in use, but look at its two parts: do both still occur somewhere?",
            ),
            "without_the_parts": (
                lambda trace, step: _without_the_parts(trace, step) if step else None,
                "The new token replaces its two parts only where they are side by side. Do they occur elsewhere?",
            ),
            "vocabulary": (
                lambda trace, step: trace.vocabulary_size(step),
                "That is the whole vocabulary. Some of its tokens do not occur in the text.",
            ),
            "before_the_last_merge": (
                _before(Trace.in_use),
                "That was the number before the last merge. Look at the new token and at its two parts.",
            ),
        },
    ),
    "tokens": _QuantityRow(
        lambda trace, step: trace.tokens_total(step),
        "token",
        "The whole text needs {}.",
        {
            "letters": (_letters, "That is the number before any merge."),
            "without_frequencies": (
                lambda trace, step: sum(len(word) for word, _ in trace.words_at(step)),
                "That is the number if each different word is counted once. A word that occurs 10 times needs "
                "10 times its tokens.",
            ),
            "before_the_last_merge": (
                _before(Trace.tokens_total),
                "That was the number before the last merge. Each merged occurrence needs one token fewer.",
            ),
        },
    ),
    "tied": _QuantityRow(
        lambda trace, step: len(trace.tied_pairs(step)),
        "pair",
        "The highest count belongs to {}.",
        {
            "highest_count": (
                lambda trace, step: trace.steps[step].count if step < len(trace.steps) else None,
                "That is how often each of them occurs. How many pairs have this count?",
            ),
            "without_the_winner": (
                lambda trace, step: len(trace.tied_pairs(step)) - 1,
                "One more: the pair that is merged is one of the tied pairs.",
            ),
        },
    ),
}
