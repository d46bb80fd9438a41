"""Comparison: several lanes on one text, and what they differ in. A measure is computed when it is first read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from bpe.analysis.ties import TieMap, tie_map
from bpe.comparison.held_out import HeldOut, HeldOutText, held_out
from bpe.comparison.lanes import Lane
from bpe.comparison.learned import (
    Choices,
    Divergence,
    LearnedBy,
    comparison_keys,
    differing,
    first_divergence,
    learned_by,
    moved,
    same_markers,
    same_words,
    steps_side_by_side,
)
from bpe.comparison.words import WordUnderTraces, segment_texts, segment_words
from bpe.settings.request import Text
from bpe.symbols import Symbol
from bpe.trace.trace import Trace


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several lanes on one text, and a text that none of them was trained on. Immutable."""

    lanes: tuple[Lane, ...]
    traces: tuple[Trace, ...]  # one for each lane
    text: Text  # that the lanes were trained on, or replayed over
    held_out: HeldOutText

    @property
    def test_text(self) -> str:
        """The held-out documents, one below the other."""
        return self.held_out.text

    @cached_property
    def units(self) -> HeldOut:
        """The held-out text in units."""
        return held_out(self.held_out.documents)

    @property
    def titles(self) -> list[str]:
        """Titles of the lanes."""
        return [lane.title for lane in self.lanes]

    @property
    def merges(self) -> int:
        """Number of merges of the longest training."""
        return max(len(trace.steps) for trace in self.traces)

    @cached_property
    def same_markers(self) -> bool:
        """Whether the tokens of all lanes can be compared byte by byte."""
        return same_markers(self.traces)

    @cached_property
    def same_words(self) -> bool:
        """Whether all lanes split the text into the same words."""
        return same_words(self.traces)

    @cached_property
    def comparison_keys(self) -> list[Callable[[Symbol], bytes]]:
        """Function of each lane from a symbol to the bytes by which it is compared with those of other lanes."""
        return comparison_keys(self.traces)

    @cached_property
    def choices(self) -> list[Choices]:
        """The step of each lane, by merge."""
        return steps_side_by_side(self.traces)

    @cached_property
    def differing(self) -> list[bool]:
        """Whether the lanes made different tokens, by merge."""
        return differing(self.traces)

    @cached_property
    def divergence(self) -> Divergence | None:
        """The first merge at which the lanes differ; None if they never do."""
        return first_divergence(self.traces)

    @cached_property
    def learned_by(self) -> list[LearnedBy]:
        """Every token that some lane learned, with the lanes that learned it."""
        return learned_by(self.traces)

    @cached_property
    def tokens_in_use(self) -> frozenset[bytes]:
        """The tokens, as `learned_by` names them, that some lane uses after its last merge; all others are stepping
        stones.
        """
        return frozenset(
            name(symbol)
            for name, trace in zip(self.comparison_keys, self.traces, strict=True)
            for symbol in trace.token_counts(len(trace.steps))
        )

    @cached_property
    def moved(self) -> frozenset[bytes]:
        """The tokens that two lanes learned in a different order; none if there are more lanes."""
        return frozenset(moved(*self.traces) if len(self.lanes) == 2 else ())

    @cached_property
    def corpus_tokens(self) -> list[list[int]]:
        """Number of tokens in the corpus, by step, for each lane."""
        return [trace.tokens_by_step() for trace in self.traces]

    @cached_property
    def corpus_words(self) -> list[WordUnderTraces]:
        """Every distinct word of the corpus with its final tokens under each lane."""
        if self.same_words:
            first = self.traces[0]
            return segment_words(self.traces, dict(zip(first.pre_tokens, first.frequencies, strict=True)))
        if isinstance(self.text, Mapping):
            return segment_words(self.traces, self.text)
        return segment_texts(self.traces, [self.text] if isinstance(self.text, str) else self.text)

    @cached_property
    def test_words(self) -> list[WordUnderTraces]:
        """Every distinct word of the held-out text with its final tokens under each lane."""
        texts = self.units.units_without_ends if self.same_words else self.units.texts
        return segment_texts(self.traces, texts)

    @cached_property
    def tie_maps(self) -> list[TieMap]:
        """Tie map of each lane."""
        return [tie_map(trace) for trace in self.traces]
