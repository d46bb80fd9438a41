"""Word comparison: how several trainings on one corpus segment its words.

If all variants split and spell text in the same way, pre-tokens are compared as they are. If not, the words between
white space are compared, by the positions at which their letters are split.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bpe.analysis.comparison import same_words
from bpe.symbols import Word
from bpe.trace.trace import Trace

METASPACE = "▁".encode()


@dataclass(frozen=True, slots=True)
class WordUnderTraces:
    """One word, segmented by every trace."""

    word: str
    frequency: int
    tokens: tuple[Word, ...]  # for each trace
    differs: bool


def words_of(traces: Sequence[Trace], texts: Iterable[str]) -> dict[str, int]:
    """Return the words of the texts to compare, with their frequency, in order of first appearance."""
    if not same_words(traces):
        return dict(Counter(word for text in texts for word in text.split()))
    return dict(
        Counter(
            word
            for text in texts
            for part in traces[0].request.documents(text)
            for word in traces[0].variant.split(part)
        )
    )


def segment_words(
    traces: Sequence[Trace], words: Mapping[str, int], k: int | None = None
) -> list[WordUnderTraces]:
    """Return the words, as `words_of` gives them, segmented by each trace after `k` merges (by default after all).

    If variants differ, each word is segmented as it is after a space, and its tokens are without markers and
    without that space.
    """
    segment_functions = [
        (_pre_token_segmenter if same_words(traces) else _letter_segmenter)(t, k) for t in traces
    ]
    segmented: list[WordUnderTraces] = []
    for word, frequency in words.items():
        tokens = tuple(segment(word) for segment in segment_functions)
        segmented.append(WordUnderTraces(word, frequency, tokens, _differ(tokens)))
    return segmented


def _differ(segmentations: Sequence[Word]) -> bool:
    """Return whether a word is split differently. A tokenizer of a file may also change its letters."""
    if len({b"".join(tokens) for tokens in segmentations}) == 1:
        return len(set(segmentations)) > 1
    return len({tuple(len(token.decode("utf-8", "replace")) for token in row) for row in segmentations}) > 1


def _pre_token_segmenter(trace: Trace, k: int | None) -> Callable[[str], Word]:
    k = len(trace.steps) if k is None else min(k, len(trace.steps))
    words = (word for word, _ in trace.words_at(k))
    word_of = dict(zip(trace.pre_tokens, words, strict=True))
    tokenizer = trace.tokenizer(k)

    def segment(pre_token: str) -> Word:
        return word_of.get(pre_token) or tuple(tokenizer.word_tokens(pre_token))

    return segment


def _letter_segmenter(trace: Trace, k: int | None) -> Callable[[str], Word]:
    tokenizer = trace.tokenizer(None if k is None else min(k, len(trace.steps)))
    marker = trace.variant.marker
    # A tokenizer of a file may spell a space as ▁, which is no marker there.
    written = b"".join(tokenizer.tokens(" a"))
    space = METASPACE if written.startswith(METASPACE) else b" "

    def segment(word: str) -> Word:
        tokens = tokenizer.tokens(" " + word)
        if marker is not None:
            tokens = [token.replace(marker, b"") for token in tokens]
        tokens[:1] = [token.removeprefix(space) for token in tokens[:1]]
        return tuple(filter(None, tokens))

    return segment
