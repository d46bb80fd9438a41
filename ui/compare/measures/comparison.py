"""A comparison of several lanes: their traces, and the measures that the page shows."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from bpe import Symbol, Trace
from bpe.analysis.compression import tokens_needed
from bpe.analysis.ties import TieMap, tie_map
from bpe.comparison.comparison import (
    Agreement,
    Choices,
    Divergence,
    LearnedBy,
    agreement,
    comparison_keys,
    differing,
    first_divergence,
    learned_by,
    same_markers,
    same_words,
    shared_by_step,
    steps_side_by_side,
)
from bpe.comparison.held_out import HeldOut, HeldOutText, held_out
from bpe.comparison.words import LINE, WordUnderTraces, reads_lines, segment_texts, segment_words
from ui.compare.choice.lanes import Lane
from ui.sidebar.recipes.recipe import signature
from ui.sidebar.texts.corpus import Corpus
from ui.work.byte_cache import ByteCache


@dataclass(frozen=True)
class Comparison:
    """The traces of several lanes on one corpus. Immutable; a measure is computed when it is first read."""

    name: str  # cache key: equal for equal lanes, traces and held-out text
    corpus: Corpus
    lanes: tuple[Lane, ...]
    traces: tuple[Trace, ...]
    held_out: HeldOutText

    @property
    def test_text(self) -> str:
        """The held-out documents, one below the other."""
        return self.held_out.text

    @cached_property
    def units(self) -> HeldOut:
        """The held-out text in the units over which its figures are resampled."""
        return held_out(self.held_out.documents)

    @property
    def titles(self) -> list[str]:
        """Titles of the lanes."""
        return [lane.title for lane in self.lanes]

    @property
    def merges(self) -> int:
        """Number of merges of the longest training."""
        return max(len(trace.steps) for trace in self.traces)

    @property
    def has_files(self) -> bool:
        """Whether a lane is a tokenizer from a file."""
        return any(lane.recipe.file for lane in self.lanes)

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
        return frozenset(self.agreements[0].moved if len(self.lanes) == 2 else ())

    @cached_property
    def agreements(self) -> list[Agreement]:
        """Agreement of each later lane with the first."""
        return [agreement(self.traces[0], trace) for trace in self.traces[1:]]

    @cached_property
    def shared(self) -> list[list[int]]:
        """Number of tokens shared with the first lane, by step, for each later lane."""
        return [shared_by_step(self.traces[0], trace) for trace in self.traces[1:]]

    @cached_property
    def corpus_tokens(self) -> list[list[int]]:
        """Number of tokens in the corpus, by step, for each lane."""
        return [trace.tokens_by_step() for trace in self.traces]

    @cached_property
    def test_tokens(self) -> list[list[int]]:
        """Number of tokens in the held-out text, by step, for each lane."""
        texts = self.units.texts
        if any(reads_lines(trace, texts) for trace in self.traces):
            texts = [line for text in texts for line in LINE.findall(text)]
        return [tokens_needed(trace, *texts) for trace in self.traces]

    @cached_property
    def in_use(self) -> list[list[int]]:
        """Number of different tokens in the corpus, by step, for each lane."""
        return [trace.in_use_by_step() for trace in self.traces]

    @cached_property
    def corpus_words(self) -> list[WordUnderTraces]:
        """Every distinct word of the corpus with its final tokens under each lane."""
        if self.same_words:
            first = self.traces[0]
            return segment_words(self.traces, dict(zip(first.pre_tokens, first.frequencies, strict=True)))
        if self.corpus.frequencies:
            return segment_words(self.traces, self.corpus.frequencies)
        return segment_texts(self.traces, self.corpus.documents)

    @cached_property
    def test_words(self) -> list[WordUnderTraces]:
        """Every distinct word of the held-out text with its final tokens under each lane."""
        texts = self.units.units_without_ends if self.same_words else self.units.texts
        return segment_texts(self.traces, texts)

    @cached_property
    def tie_maps(self) -> list[TieMap]:
        """Tie map of each lane."""
        return [tie_map(trace) for trace in self.traces]


def comparison_of(
    corpus: Corpus, lanes: list[Lane], traces: list[Trace], held_out: HeldOutText
) -> Comparison:
    """Return the comparison of these lanes. While nothing changes, it is the same object with its computed measures."""
    parts = [f"{signature(corpus, lane.recipe)} {lane.slug} {lane.title}" for lane in lanes]
    parts += [f"{len(trace.steps)} {trace.stopped}" for trace in traces] + [corpus.title, *corpus.named]
    parts += [held_out.title, *map(str, map(len, held_out.documents)), *held_out.documents]
    name = hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    comparison = Comparison(name, corpus, tuple(lanes), tuple(traces), held_out)
    if not any(lane.recipe.file for lane in lanes):
        comparison = _COMPARISONS.get(name, lambda: comparison)
    return _cached_for_session(name, comparison)


# The names hash texts, their titles and slugs, so only a session that has the texts can get a comparison.
_COMPARISONS: ByteCache[Comparison] = ByteCache(8_000_000)


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _cached_for_session(name: str, _comparison: Comparison) -> Comparison:
    """Return the session's comparison. One that holds tokenizers from files is for this session alone."""
    return _comparison
