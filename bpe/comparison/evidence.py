"""Evidence: what a held-out text says about the difference between lanes.

A lane is a training (its trace). There is one yardstick: the words of the held-out text that the lanes split
differently, beside those that as many trainings split differently which break every tie at random.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

from bpe.comparison.held_out import HeldOut, HeldOutWords, held_out, held_out_words
from bpe.comparison.learned import METASPACE, VocabularyAgreement, first_difference, vocabulary_agreement
from bpe.comparison.random_draws import Luck, enough_draws, random_draws
from bpe.comparison.words import WordUnderTraces, encoded_texts, reads_lines, split_differently
from bpe.encoding.tokenizer import Tokenizer
from bpe.settings.request import Text
from bpe.symbols import START_OF_WORD, BPEError
from bpe.trace.trace import Trace

# nothing to merge  no lane has a merge
# no                all lanes made the same merges in the same order, and split every held-out word the same way
# no words          the held-out text has no word with a letter or a digit
# same              they split every held-out word the same way, with other merges
# luck              they split words differently, as trainings do that break ties at random
# yes               they split more words differently than such trainings do
# open              they split words differently, and there are too few random draws, or none, to say more
Answer = Literal["nothing to merge", "no", "no words", "same", "luck", "yes", "open"]

# Share of the groups of random draws: if no more of them differ as much, the lanes differ by more than luck. Lanes that
# are random draws themselves are then said to differ in less than 2% of comparisons (benchmarks/luck.py).
RARE = 0.003


@dataclass(frozen=True, slots=True)
class _PairEvidence:
    """Two lanes on the held-out text."""

    first: int  # index of a lane
    second: int
    same_splits: float  # share of the word occurrences that both split the same way
    differing_words: int  # distinct words that they split differently
    more_tokens: float  # of the second, as a share of the first's tokens: 0.01 for 1% more
    vocabulary: VocabularyAgreement


@dataclass(frozen=True, slots=True)
class _LaneEvidence:
    """One lane on the held-out text."""

    merges: int  # that apply to the corpus
    listed: int  # that the tokenizer has: of a file, also those that do not apply to the corpus
    replayed: bool  # the merges come from a tokenizer's file
    tokens: int
    unknown: int  # of these tokens: the vocabulary lacks them
    reads_lines: bool  # or has no token for the line ends; then every lane is measured line by line
    holds_white_space: bool  # or a marker in its place: some token of a text does
    compression: float  # characters per token
    fertility: float  # tokens per word between white space


@dataclass(frozen=True)
class Evidence:
    """Everything that is measured about several lanes on a held-out text."""

    held_out: HeldOut
    characters: int
    compared_words: int  # occurrences of the words that are compared
    # share of these occurrences whose word is in the corpus; None if no lane learned there
    known_words: float | None
    lanes: tuple[_LaneEvidence, ...]
    pairs: tuple[_PairEvidence, ...]  # every two lanes: 0 and 1, 0 and 2, …
    # Words that lanes split differently, the most frequent first. One that is split in several ways is there for each.
    differing: tuple[WordUnderTraces, ...]
    identical: bool  # all lanes learned the same tokens in the same order
    words_are_pre_tokens: bool  # those that are compared; otherwise they are words between white space
    luck: Luck | None = None  # random draws on the same held-out text

    @property
    def differing_words(self) -> int:
        """Number of word occurrences that lanes split differently."""
        return sum(word.frequency for word in self.differing)

    @property
    def apart(self) -> float:
        """Share of the word occurrences that lanes split differently."""
        return _share(self.differing_words, self.compared_words)

    @property
    def draws_as_far_apart(self) -> int | None:
        """Number of groups of draws that split as many words differently; None if there are too few draws."""
        if self.luck is None or not self.luck.apart:
            return None
        return sum(apart >= self.apart for apart in self.luck.apart)

    @property
    def answer(self) -> Answer:
        """Whether the choice between the lanes matters."""
        if not any(lane.merges for lane in self.lanes):
            return "nothing to merge"
        if not self.differing:
            return "no" if self.identical else "same" if self.compared_words else "no words"
        as_far = self.draws_as_far_apart
        if as_far is None or self.luck is None:
            return "open"
        return "yes" if as_far <= int(RARE * len(self.luck.apart)) else "luck"


def evidence(
    traces: Sequence[Trace],
    documents: Sequence[str],
    corpus: Text,
    *,
    on_progress: Callable[[float], object] | None = None,
) -> Evidence:
    """Return what the documents, on which no trace was trained, say about the traces, each after its last merge.

    `with_random_draws` adds the yardstick. `corpus` is the text that they were trained on. `on_progress` is called with
    the share of the work that is done. Raises BPEError if there are fewer than two traces or no text.

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
    progress(0.5)
    words = held_out_words(traces, text, encoded, by_line=by_line)
    progress(0.8)
    characters = sum(len(one) - by_line * (one.count("\n") + one.count("\r")) for one in text.texts)
    between_spaces = sum(len(one.split()) for one in text.texts)
    compared = sum(word.frequency for word in words.words)
    differing = _most_frequent_first([word for word in words.words if word.differs])
    lanes = []
    for trace, tokenizer, is_of_lines, documents_of_lane in zip(
        traces, tokenizers, of_lines, encoded, strict=True
    ):
        tokens = sum(len(document.starts) for document in documents_of_lane)
        lanes.append(
            _LaneEvidence(
                merges=len(trace.steps),
                listed=len(tokenizer.merges),
                replayed=trace.origin.replays,
                tokens=tokens,
                unknown=sum(document.unknown for document in documents_of_lane),
                reads_lines=is_of_lines,
                holds_white_space=_holds_white_space(tokenizer),
                compression=_share(characters, tokens),
                fertility=_share(tokens, between_spaces),
            )
        )
    return Evidence(
        held_out=text,
        characters=characters,
        compared_words=compared,
        known_words=_known_words(traces, words, corpus) if learned_here(traces) else None,
        lanes=tuple(lanes),
        pairs=tuple(_of_pairs(traces, lanes, differing, compared)),
        differing=tuple(differing),
        identical=first_difference(traces) is None,
        words_are_pre_tokens=words.are_pre_tokens,
    )


def with_random_draws(
    measured: Evidence, text: Text, draws: int | None = None, **settings: Any
) -> Iterator[Evidence]:
    """Break the ties of a training on this text at random, and yield the evidence with the draws, after each of them.

    The draws are measured as the lanes are. `draws`: how many; by default as many as it takes to tell whether the lanes
    differ by more than luck. `settings` are those of `bpe.train` except tie_break and seed.
    """
    how: dict[str, Any] = {
        "by_line": any(lane.reads_lines for lane in measured.lanes),
        "between_spaces": not measured.words_are_pre_tokens,
    }
    most = enough_draws(len(measured.lanes)) if draws is None else draws
    documents = measured.held_out.texts
    for luck in random_draws(text, documents, most, lanes=len(measured.lanes), **how, **settings):
        with_luck = replace(measured, luck=luck)
        yield with_luck
        as_far = with_luck.draws_as_far_apart
        # If a tenth differs as much, more draws would not make it rare.
        if draws is None and as_far is not None and as_far >= 0.1 * len(luck.apart):
            return


def learned_here(traces: Sequence[Trace]) -> bool:
    """Return whether any of the merges were learned from the corpus, and not all of them replayed."""
    return any(trace.origin.counts for trace in traces)


def _holds_white_space(tokenizer: Tokenizer) -> bool:
    example = b"".join(tokenizer.tokens("a b\nc d"))
    return any(space in example for space in (b" ", b"\n", METASPACE, START_OF_WORD))


def _most_frequent_first(words: Sequence[WordUnderTraces]) -> list[WordUnderTraces]:
    """Return the words in the order of their frequency, the rows of one word together."""
    total: Counter[str] = Counter()
    for word in words:
        total[word.word] += word.frequency
    appeared = {word: number for number, word in enumerate(total)}
    return sorted(words, key=lambda word: (-total[word.word], appeared[word.word], -word.frequency))


def _of_pairs(
    traces: Sequence[Trace],
    lanes: Sequence[_LaneEvidence],
    differing: Sequence[WordUnderTraces],
    compared: int,
) -> Iterator[_PairEvidence]:
    for first, second in combinations(range(len(traces)), 2):
        apart = [word for word in differing if split_differently((word.tokens[first], word.tokens[second]))]
        tokens, others = lanes[first].tokens, lanes[second].tokens
        yield _PairEvidence(
            first,
            second,
            same_splits=_share(compared - sum(word.frequency for word in apart), compared),
            differing_words=len({word.word for word in apart}),
            more_tokens=_share(others - tokens, tokens),
            vocabulary=vocabulary_agreement(traces[first], traces[second]),
        )


def _known_words(traces: Sequence[Trace], words: HeldOutWords, corpus: Text) -> float:
    """Return the share of the word occurrences whose word occurs in the corpus."""
    if words.are_pre_tokens:
        known = set(traces[0].pre_tokens)
    else:
        texts = [corpus] if isinstance(corpus, str) else corpus
        known = {word for text in texts for word in text.split()}
    total = sum(word.frequency for word in words.words)
    return _share(sum(word.frequency for word in words.words if word.word in known), total)


def _share(part: int, whole: int) -> float:
    """Return the quotient; 0 if there is nothing to divide by."""
    return part / whole if whole else 0.0
