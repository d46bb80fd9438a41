"""A comparison: lanes and their traces, with the measures the page shows, each worked out once."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from bpe import Symbol, Trace
from bpe.analysis.comparison import (
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
from bpe.analysis.compression import tokens_needed
from bpe.analysis.ties import TieMap, tie_map
from bpe.analysis.word_comparison import WordUnderTraces, segment_words, words_of
from ui.compare.lanes import Lane
from ui.sidebar.corpus import Corpus
from ui.sidebar.recipe import signature


@dataclass(frozen=True)
class Comparison:
    """What several trainings made of one corpus. Immutable; measures are kept once asked for."""

    name: str
    corpus: Corpus
    lanes: tuple[Lane, ...]
    traces: tuple[Trace, ...]
    test_text: str

    @property
    def titles(self) -> list[str]:
        """The lanes' names."""
        return [lane.title for lane in self.lanes]

    @property
    def merges(self) -> int:
        """Of the longest training."""
        return max(len(trace.steps) for trace in self.traces)

    @cached_property
    def same_markers(self) -> bool:
        """Tokens are compared as they are."""
        return same_markers(self.traces)

    @cached_property
    def same_words(self) -> bool:
        """Words are compared as they are."""
        return same_words(self.traces)

    @cached_property
    def names(self) -> list[Callable[[Symbol], bytes]]:
        """For each lane: symbol -> the name it is compared by."""
        return comparison_keys(self.traces)

    @cached_property
    def choices(self) -> list[Choices]:
        """What each lane took, by merge."""
        return steps_side_by_side(self.traces)

    @cached_property
    def differing(self) -> list[bool]:
        """Whether lanes made different tokens, by merge."""
        return differing(self.traces)

    @cached_property
    def divergence(self) -> Divergence | None:
        """Where the lanes part."""
        return first_divergence(self.traces)

    @cached_property
    def fates(self) -> list[LearnedBy]:
        """What became of every token."""
        return learned_by(self.traces)

    @cached_property
    def agreements(self) -> list[Agreement]:
        """Of each lane but the first with the first."""
        return [agreement(self.traces[0], trace) for trace in self.traces[1:]]

    @cached_property
    def shared(self) -> list[list[int]]:
        """Tokens shared with the first lane by step, for each lane but the first."""
        return [shared_by_step(self.traces[0], trace) for trace in self.traces[1:]]

    @cached_property
    def corpus_tokens(self) -> list[list[int]]:
        """Tokens the corpus takes by step, for each lane."""
        return [trace.tokens_by_step() for trace in self.traces]

    @cached_property
    def test_tokens(self) -> list[list[int]]:
        """Tokens the held-out text takes by step, for each lane."""
        return [tokens_needed(trace, self.test_text) for trace in self.traces]

    @cached_property
    def in_use(self) -> list[list[int]]:
        """Different tokens the corpus holds by step, for each lane."""
        return [trace.in_use_by_step() for trace in self.traces]

    @cached_property
    def corpus_cuts(self) -> list[WordUnderTraces]:
        """Every distinct word of the corpus as each lane cuts it in the end."""
        return segment_words(self.traces, self._corpus_words)

    @property
    def _corpus_words(self) -> Mapping[str, int]:
        if self.same_words:
            return dict(zip(self.traces[0].pre_tokens, self.traces[0].frequencies, strict=True))
        return self.corpus.frequencies or words_of(self.traces, self.corpus.documents)

    @cached_property
    def test_cuts(self) -> list[WordUnderTraces]:
        """Every distinct word of the held-out text as each lane cuts it in the end."""
        return segment_words(self.traces, words_of(self.traces, [self.test_text]))

    @cached_property
    def tie_maps(self) -> list[TieMap]:
        """What each lane's ties came to."""
        return [tie_map(trace) for trace in self.traces]


def compared(corpus: Corpus, lanes: list[Lane], traces: list[Trace], test_text: str) -> Comparison:
    """The comparison of these lanes, the same one as long as nothing changes."""
    parts = [f"{signature(corpus, lane.recipe)} {lane.slug} {lane.title}" for lane in lanes]
    parts += [f"{len(trace.steps)} {trace.stopped}" for trace in traces]
    name = hashlib.sha256("\n".join((*parts, test_text)).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return _compared(name, Comparison(name, corpus, tuple(lanes), tuple(traces), test_text))


@st.cache_resource(max_entries=8, show_spinner=False)
def _compared(name: str, _comparison: Comparison) -> Comparison:
    """Kept by a hash of all texts and slugs: none is seen by who did not bring them."""
    return _comparison
