"""Word comparison: how several trainings on one corpus segment its words.

If all traces change, split and spell text in the same way, pre-tokens are compared as they are. If not, the words
between white space are compared, by the boundaries inside them, in their context: a marker, or the space before a
word, decides nothing.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bpe.analysis.comparing.comparison import same_words
from bpe.analysis.comparing.encoded_text import (
    EncodedText,
    encoded_text,
    encoded_texts,
    pieces_of,
    reads_lines,
)
from bpe.checkpoints import with_checkpoints
from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import Word
from bpe.text.normalizing import Span
from bpe.trace.trace import Trace

Segmenter = Callable[[str], Word]
Splits = tuple[
    Sequence[int], ...
]  # the boundaries inside a word under each trace, as EncodedText.splits has them
WORDS_AT_ONCE = 1 << 9  # between two checkpoints
WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class WordUnderTraces:
    """One word, segmented by every trace. A word between white space is a row for each way in which it is split."""

    word: str
    frequency: int
    tokens: tuple[Word, ...]  # for each trace
    differs: bool


def words_of(traces: Sequence[Trace], texts: Iterable[str]) -> dict[str, int]:
    """Return the pre-tokens of the texts, with their frequency, in order of first appearance.

    The traces must split text in the same way.
    """
    return dict(
        Counter(
            word
            for text in texts
            for part in traces[0].request.documents(text)
            for word in traces[0].variant.split(part)
        )
    )


def segment_texts(
    traces: Sequence[Trace], texts: Iterable[str], k: int | Sequence[int] | None = None
) -> list[WordUnderTraces]:
    """Return the words of the texts, each segmented by each trace after `k` merges (by default after all).

    The words come in order of first appearance. `k` may have a number for each trace.
    """
    if same_words(traces):
        return segment_words(traces, words_of(traces, texts), k)
    texts = list(texts)
    by_line = any(reads_lines(trace, texts) for trace in traces)
    encoded = [encoded_texts(trace.tokenizer(at), texts, by_line) for trace, at in _at(traces, k)]
    found: Counter[tuple[str, Splits]] = Counter()
    for text, *of_traces in zip(texts, *encoded, strict=True):
        found.update(split_words(text, words_between_spaces(text), of_traces))
    return under_traces(found)


def segment_words(
    traces: Sequence[Trace], words: Mapping[str, int], k: int | Sequence[int] | None = None
) -> list[WordUnderTraces]:
    """Return words that were counted, segmented by each trace after `k` merges; `k` as in `segment_texts`.

    They are pre-tokens, or, if the traces read text in different ways, words between white space. These are segmented
    as they are after a space.
    """
    if same_words(traces):
        segmenters = [_pre_token_segmenter(trace, trace.tokenizer(at), at) for trace, at in _at(traces, k)]
        return list(_segmented(segmenters, words))
    tokenizers = [trace.tokenizer(at) for trace, at in _at(traces, k)]
    found: Counter[tuple[str, Splits]] = Counter()
    for word, frequency in with_checkpoints(words.items(), WORDS_AT_ONCE):
        text = f" {word}"
        encoded = [encoded_text(tokenizer, text) for tokenizer in tokenizers]
        (split,) = split_words(text, [(1, len(text))], encoded)
        found[split] += frequency
    return under_traces(found)


def words_between_spaces(text: str) -> list[Span]:
    """Return where the words between white space begin and end."""
    return [match.span() for match in WORD.finditer(text)]


def split_words(
    text: str, words: Sequence[Span], encoded: Sequence[EncodedText]
) -> Iterator[tuple[str, Splits]]:
    """Yield each of these words of a text with the boundaries inside it under each trace."""
    splits = [one.splits(words) for one in encoded]
    return (
        (text[start:end], split) for (start, end), split in zip(words, zip(*splits, strict=True), strict=True)
    )


def under_traces(found: Mapping[tuple[str, Splits], int]) -> list[WordUnderTraces]:
    """Return words with the boundaries inside them, and how often they were found."""
    words: list[WordUnderTraces] = []
    for (word, splits), frequency in with_checkpoints(found.items(), WORDS_AT_ONCE):
        tokens = tuple(pieces_of(word, split) for split in splits)
        words.append(WordUnderTraces(word, frequency, tokens, split_differently(tokens)))
    return words


def _at(traces: Sequence[Trace], k: int | Sequence[int] | None) -> Iterator[tuple[Trace, int]]:
    """Yield each trace with its number of merges: all of them if `k` is None or more than it has."""
    for trace, most in zip(traces, k if isinstance(k, Sequence) else [k] * len(traces), strict=True):
        steps = len(trace.steps)
        yield trace, steps if most is None else min(most, steps)


def _segmented(segmenters: Sequence[Segmenter], words: Mapping[str, int]) -> Iterator[WordUnderTraces]:
    for word, frequency in with_checkpoints(words.items(), WORDS_AT_ONCE):
        tokens = tuple(segment(word) for segment in segmenters)
        yield WordUnderTraces(word, frequency, tokens, split_differently(tokens))


def split_differently(segmentations: Sequence[Word]) -> bool:
    """Return whether these segmentations of a word differ."""
    return len(set(segmentations)) > 1


def _pre_token_segmenter(trace: Trace, tokenizer: Tokenizer, k: int) -> Segmenter:
    """Return the function from a pre-token to its tokens. `tokenizer` is that of the trace's first `k` merges."""
    words = (word for word, _ in trace.words_at(k))
    word_of = dict(zip(trace.pre_tokens, words, strict=True))

    def segment(pre_token: str) -> Word:
        return word_of.get(pre_token) or tuple(tokenizer.word_tokens(pre_token))

    return segment
