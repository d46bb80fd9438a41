"""Evidence: what a held-out text says about the difference between lanes.

A lane is a training (its trace). For each lane: tokens, compression and fertility. For each pair of lanes: words that
are split the same way, differences of those measures, and the agreement of their vocabularies. Every figure that could
be chance has a bootstrap interval. Lanes of unequal merges are also measured after equal numbers of them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from bpe.comparison.held_out import HeldOut, HeldOutWords, TextOverlap, held_out, held_out_words, text_overlap
from bpe.comparison.intervals import (
    CHARACTERS,
    COMPARED,
    CONFIDENCE,
    LANES,
    RESAMPLES,
    SAME,
    WORDS,
    Estimate,
    Figures,
    difference,
    pairs_of,
    resampled_sums,
    rows_of,
    share,
)
from bpe.comparison.learned import METASPACE, VocabularyAgreement, first_difference, vocabulary_agreement
from bpe.comparison.random_draws import Luck, Ways, enough_draws, every_way, random_draws
from bpe.comparison.verdict import BesideLuck, Verdict, beside_draws, beside_ways, decide
from bpe.comparison.words import EncodedText, WordUnderTraces, encoded_texts, reads_lines, split_differently
from bpe.encoding.tokenizer import Tokenizer
from bpe.settings.request import Text
from bpe.symbols import START_OF_WORD, BPEError
from bpe.trace.trace import Trace

FEWEST_DRAWS, LOOKS = 40, 20  # draws before, and between, two looks at whether they are enough
OFTEN = 0.1  # share of the pairs of draws that differ as much as two lanes: more draws would not make it rare

# A trainer that stops earlier needs more tokens for that alone. After as many merges of each lane as the shortest
# has, what remains is the difference in what they learned.
TOLERATED = 200  # a difference of one merge in so many, or of a single one, changes next to nothing


@dataclass(frozen=True, slots=True)
class PairEvidence:
    """Two lanes on the held-out text; differences are the second's figure minus the first's.

    The intervals of one kind hold for all pairs together (Bonferroni): otherwise, among many pairs, some
    would seem to differ by chance.
    """

    first: int  # index of a lane
    second: int
    same_splits: Estimate  # share of the word occurrences that both split the same way
    differing_words: int  # distinct words that they split differently
    more_tokens: Estimate  # as a share of the first's tokens: 0.01 for 1% more
    compression: Estimate  # difference in characters per token
    fertility: Estimate  # difference in tokens per word
    vocabulary: VocabularyAgreement


@dataclass(frozen=True, slots=True)
class _EqualMerges:
    """All lanes after the same number of merges, on the same held-out text."""

    merges: int
    tokens: tuple[int, ...]  # for each lane
    differing_words: int  # occurrences of words that lanes split differently
    same_splits: Estimate  # share of the word occurrences that all lanes split the same way
    splits_of_pairs: tuple[Estimate, ...]  # the same for each pair of lanes
    more_tokens: tuple[Estimate, ...]  # for each pair of lanes, in the second, as a share of the first's


@dataclass(frozen=True, slots=True)
class _LaneEvidence:
    """One lane on the held-out text. The interval of each estimate holds for itself alone."""

    merges: int  # that apply to the corpus
    listed: int  # that the tokenizer has: of a file, also those that do not apply to the corpus
    is_stopped: bool  # by hand, before the end of its training
    replayed: bool  # the merges come from a tokenizer's file
    tokens: int
    unknown: int  # of these tokens: the vocabulary lacks them
    reads_lines: bool  # or has no token for the line ends; then every lane is measured line by line
    holds_white_space: bool  # or a marker in its place: some token of a text does
    compression: Estimate  # characters per token
    fertility: Estimate  # tokens per word between white space


@dataclass(frozen=True)
class Evidence:
    """Everything that is measured about several lanes on a held-out text."""

    held_out: HeldOut
    characters: int
    words: int  # between white space
    compared_words: int  # occurrences of the words that are compared
    distinct_words: int
    # Share of those occurrences whose word is in the corpus; None if no lane has learned anything from the corpus.
    known_words: float | None
    whole_words: float  # share of those occurrences whose word is a single token in every lane
    lanes: tuple[_LaneEvidence, ...]
    pairs: tuple[PairEvidence, ...]  # every two lanes: 0 and 1, 0 and 2, …
    same_splits: Estimate  # share of the word occurrences that all lanes split the same way
    # Words that lanes split differently, the most frequent first. One that is split in several ways is there for each.
    differing: tuple[WordUnderTraces, ...]
    identical: bool  # all lanes learned the same tokens in the same order
    merges: int  # of the longest training
    # None for a corpus of counted words, and if no lane has learned anything from the corpus
    overlap: TextOverlap | None
    resamples: int
    seed: int
    luck: Luck | None = None  # random draws on the same held-out text
    ways: Ways | None = None  # in their place, if there are few enough ways to break the ties
    words_are_pre_tokens: bool = True  # those that are compared; otherwise they are words between white space
    equal: _EqualMerges | None = None  # of lanes with different numbers of merges

    @property
    def differing_words(self) -> int:
        """Number of word occurrences that lanes split differently."""
        return sum(word.frequency for word in self.differing)

    @property
    def splits_of_pairs(self) -> list[Estimate]:
        """Share of the word occurrences that both lanes split the same way, for each pair."""
        return [pair.same_splits for pair in self.pairs] if len(self.pairs) > 1 else [self.same_splits]

    @property
    def distinct_differing_words(self) -> int:
        """Number of distinct words that lanes split differently."""
        return len({word.word for word in self.differing})

    @cached_property  # each sentence asks for it, and it counts among thousands of pairs of draws
    def verdict(self) -> Verdict:
        """Whether the choice between the lanes matters."""
        return decide(
            has_tokens=self.merges > 0,
            identical=self.identical,
            overlap=self.overlap,
            known_words=self.known_words,
            whole_words=self.whole_words,
            same_splits=self.same_splits,
            same_splits_of_pairs=self.splits_of_pairs,
            more_tokens=[pair.more_tokens for pair in self.pairs],
            beside_luck=self._beside_luck(),
        )

    def _beside_luck(self) -> tuple[BesideLuck, ...] | None:
        if self.ways is not None:
            return beside_ways(self.ways)
        if self.luck is None or not self.luck.pairs:
            return None
        same = [estimate.value for estimate in self.splits_of_pairs]
        return beside_draws(self.luck, same, list(map(self._tokens_apart, self.pairs)))

    def _tokens_apart(self, pair: PairEvidence) -> float:
        """Return how many more tokens one of two lanes needs, as a share of the other's."""
        least, most = sorted((self.lanes[pair.first].tokens, self.lanes[pair.second].tokens))
        return share(most - least, least)

    @property
    def has_enough_luck(self) -> bool:
        """Whether more random draws would not change what luck explains: many pairs of them differ as the lanes do."""
        beside = self.verdict.beside_luck
        if beside is None or self.luck is None or self.luck.draws < FEWEST_DRAWS:
            return False
        if self.equal is not None:  # they differ for another reason
            return True
        return all(min(pair.words, pair.tokens) >= OFTEN for pair in beside)


def evidence(
    traces: Sequence[Trace],
    documents: Sequence[str],
    corpus: Text,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    executor: Executor | None = None,
    on_progress: Callable[[float], object] | None = None,
) -> Evidence:
    """Return what the documents, on which no trace was trained, say about the traces, each after its last merge.

    `with_random_draws` adds what luck explains. `corpus` is the text that they were trained on; the overlap of both is
    in the result. `executor`: any `concurrent.futures.Executor`, whose workers resample; the result is the same.
    `on_progress` is called with the share of the work that is done. Raises BPEError if there are fewer than two traces
    or no text.

    >>> import bpe
    >>> words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    >>> traces = [bpe.train(words, tie_break=rule, merges=12) for rule in ("first", "pair-max")]
    >>> [word.word for word in evidence(traces, ["the newest towers are lower"], words).differing]
    ['towers']
    """
    if len(traces) < 2:
        raise BPEError(f"Evidence needs at least two traces, got {len(traces)}.")
    text = held_out(documents)
    if not text.documents:
        raise BPEError("The held-out text must hold more than white space.")
    progress = on_progress or (lambda share: None)
    tokenizers = [trace.tokenizer() for trace in traces]
    of_lines = [reads_lines(trace, text.texts) for trace in traces]
    by_line = any(of_lines)
    encoded = [encoded_texts(tokenizer, text.texts, by_line) for tokenizer in tokenizers]
    progress(0.25)
    words = held_out_words(traces, text, encoded, by_line=by_line)
    rows = rows_of(text, encoded, words, by_line)
    progress(0.5)
    totals = tuple(map(sum, zip(*rows, strict=True)))
    sums: list[tuple[int, ...]] = []
    if text.has_enough:
        sums = resampled_sums(rows, resamples, seed, executor, lambda share: progress(0.5 + 0.2 * share))
    identical = first_difference(traces) is None
    # If the lanes are equal, nothing is left to chance.
    figures = Figures(len(traces), totals, sums, () if identical else rows, text.copies)
    listed = [len(tokenizer.merges) for tokenizer in tokenizers]
    equal = _equal_merges(
        traces, listed, text, by_line, resamples, seed, executor, lambda share: progress(0.7 + 0.2 * share)
    )
    differing = _most_frequent_first([word for word in words.words if word.differs])
    return Evidence(
        held_out=text,
        characters=totals[CHARACTERS],
        words=totals[WORDS],
        compared_words=totals[COMPARED],
        distinct_words=len({word.word for word in words.words}),
        known_words=_known_words(traces, words, corpus) if learned_here(traces) else None,
        whole_words=_share_of_words(words, lambda word: all(len(tokens) == 1 for tokens in word.tokens)),
        lanes=tuple(
            _of_lane(figures, lane, trace, tokenizer, of_lines[lane], encoded[lane])
            for lane, (trace, tokenizer) in enumerate(zip(traces, tokenizers, strict=True))
        ),
        pairs=tuple(_of_pairs(figures, traces, differing)),
        same_splits=figures.same_splits(),
        differing=tuple(differing),
        identical=identical,
        merges=max(len(trace.steps) for trace in traces),
        overlap=text_overlap(text.texts, corpus) if learned_here(traces) else None,
        resamples=len(sums),
        seed=seed,
        words_are_pre_tokens=words.are_pre_tokens,
        equal=equal,
    )


def with_random_draws(
    measured: Evidence,
    traces: Sequence[Trace],
    text: Text,
    draws: int | None = None,
    *,
    executor: Executor | None = None,
    **settings: Any,
) -> Iterator[Evidence]:
    """Break the ties of a training on this text at random, and yield the evidence with the draws, after each of them.

    The draws are measured as the lanes are; `traces` are theirs. `draws`: how many; by default as many as it takes to
    tell whether the lanes differ by more than luck, or every way to break the ties instead, if there are few enough.
    `settings` are those of `bpe.train` except tie_break and seed.
    """
    documents = measured.held_out.texts
    how: dict[str, Any] = {
        "by_line": any(lane.reads_lines for lane in measured.lanes),
        "between_spaces": not measured.words_are_pre_tokens,
    }
    if draws is None and measured.equal is None:
        ways = every_way(traces, text, documents, **how, **settings)
        if ways is not None:
            yield replace(measured, ways=ways)
            return
    most = enough_draws(len(traces)) if draws is None else draws
    for luck in random_draws(text, documents, most, executor=executor, **how, **settings):
        with_luck = replace(measured, luck=luck)
        yield with_luck
        if draws is None and luck.draws % LOOKS == 0 and with_luck.has_enough_luck:
            return


def _are_unequal(merges: Sequence[int]) -> bool:
    """Return whether these numbers of merges differ by enough to matter.

    >>> _are_unequal([1743, 1744]), _are_unequal([750, 1000])
    (False, True)
    """
    return max(merges) - min(merges) > max(1, max(merges) // TOLERATED)


def _equal_merges(
    traces: Sequence[Trace],
    listed: Sequence[int],
    text: HeldOut,
    by_line: bool,
    resamples: int,
    seed: int,
    executor: Executor | None = None,
    on_progress: Callable[[float], object] | None = None,
) -> _EqualMerges | None:
    """Return the lanes after as many merges as the shortest has; None if all have about as many.

    `listed` are the numbers of merges of the lanes' tokenizers. `by_line`: each line is encoded by itself.
    """
    if not _are_unequal(listed):
        return None
    least = min(listed)
    ends = [_steps_of(trace, least) for trace in traces]
    encoded = [
        encoded_texts(trace.tokenizer(end), text.texts, by_line)
        for trace, end in zip(traces, ends, strict=True)
    ]
    words = held_out_words(traces, text, encoded, ends, by_line=by_line)
    rows = rows_of(text, encoded, words, by_line)
    totals = tuple(map(sum, zip(*rows, strict=True)))
    sums = resampled_sums(rows, resamples, seed, executor, on_progress) if text.has_enough else []
    figures = Figures(len(traces), totals, sums, rows, text.copies)
    pairs = pairs_of(len(traces))
    confidence = 1 - (1 - CONFIDENCE) / len(pairs)
    return _EqualMerges(
        least,
        totals[LANES : LANES + len(traces)],
        totals[COMPARED] - totals[SAME],
        figures.same_splits(),
        tuple(figures.same_splits_of(number, confidence) for number in range(len(pairs))),
        tuple(figures.estimate(figures.more_tokens(*pair), confidence) for pair in pairs),
    )


def _steps_of(trace: Trace, merges: int) -> int:
    """Return after how many steps a trace has made so many merges of its list."""
    return trace.replayed.steps_before(merges) if trace.replayed else merges


def _most_frequent_first(words: Sequence[WordUnderTraces]) -> list[WordUnderTraces]:
    """Return the words in the order of their frequency, the rows of one word together."""
    total: Counter[str] = Counter()
    for word in words:
        total[word.word] += word.frequency
    appeared = {word: number for number, word in enumerate(total)}
    return sorted(words, key=lambda word: (-total[word.word], appeared[word.word], -word.frequency))


def _of_lane(
    figures: Figures,
    lane: int,
    trace: Trace,
    tokenizer: Tokenizer,
    is_of_lines: bool,
    encoded: Sequence[EncodedText],
) -> _LaneEvidence:
    example = b"".join(tokenizer.tokens("a b\nc d"))
    return _LaneEvidence(
        merges=len(trace.steps),
        listed=len(tokenizer.merges),
        is_stopped=trace.stopped == "cancelled",
        replayed=trace.replayed is not None,
        tokens=figures.totals[LANES + lane],
        unknown=sum(document.unknown for document in encoded),
        reads_lines=is_of_lines,
        holds_white_space=any(space in example for space in (b" ", b"\n", METASPACE, START_OF_WORD)),
        compression=figures.estimate(figures.compression(lane)),
        fertility=figures.estimate(figures.fertility(lane)),
    )


def _of_pairs(
    figures: Figures, traces: Sequence[Trace], differing: Sequence[WordUnderTraces]
) -> Iterator[PairEvidence]:
    pairs = pairs_of(len(traces))
    confidence = 1 - (1 - CONFIDENCE) / len(pairs)
    for number, (first, second) in enumerate(pairs):
        compression = difference(figures.compression(first), figures.compression(second))
        fertility = difference(figures.fertility(first), figures.fertility(second))
        yield PairEvidence(
            first,
            second,
            same_splits=figures.same_splits_of(number, confidence),
            differing_words=len(
                {
                    word.word
                    for word in differing
                    if split_differently((word.tokens[first], word.tokens[second]))
                }
            ),
            more_tokens=figures.estimate(figures.more_tokens(first, second), confidence),
            compression=figures.estimate(compression, confidence),
            fertility=figures.estimate(fertility, confidence),
            vocabulary=vocabulary_agreement(traces[first], traces[second]),
        )


def learned_here(traces: Sequence[Trace]) -> bool:
    """Return whether any of the merges were learned from the corpus, and not all of them replayed."""
    return any(trace.replayed is None or trace.replayed.learned for trace in traces)


def _known_words(traces: Sequence[Trace], words: HeldOutWords, corpus: Text) -> float:
    """Return the share of the word occurrences whose word occurs in the corpus."""
    if words.are_pre_tokens:
        known = set(traces[0].pre_tokens)
    else:
        texts = [corpus] if isinstance(corpus, str) else corpus
        known = {word for text in texts for word in text.split()}
    return _share_of_words(words, lambda word: word.word in known)


def _share_of_words(words: HeldOutWords, holds: Callable[[WordUnderTraces], bool]) -> float:
    """Return the share of the word occurrences for whose word something holds."""
    total = sum(word.frequency for word in words.words)
    return share(sum(word.frequency for word in words.words if holds(word)), total)
