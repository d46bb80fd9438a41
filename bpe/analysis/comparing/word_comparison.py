"""Word comparison: how several trainings on one corpus segment its words.

If all traces change, split and spell text in the same way, pre-tokens are compared as they are. If not, the words
between white space are compared, by the positions at which their letters are split.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bpe.analysis.comparing.comparison import METASPACE, same_words
from bpe.checkpoints import with_checkpoints
from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import Symbol, Word
from bpe.trace.trace import Trace

Segmenter = Callable[[str], Word]
WORDS_AT_ONCE = 1 << 9  # between two checkpoints
FEW = 10  # fewer words than one in so many of the corpus are encoded: that is faster than to look all of them up


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
    traces: Sequence[Trace], words: Mapping[str, int], k: int | Sequence[int] | None = None
) -> list[WordUnderTraces]:
    """Return the words, as `words_of` gives them, segmented by each trace after `k` merges (by default after all).

    `k` may have a number for each trace.

    If variants differ, each word is segmented as it is after a space, and its tokens are without markers and
    without that space.
    """
    if same_words(traces):
        return _segmented(
            [_pre_token_segmenter(trace, trace.tokenizer(at), at) for trace, at in _at(traces, k)], words
        )
    return segment_after_spaces(traces, words, k)


def segment_after_spaces(
    traces: Sequence[Trace], words: Mapping[str, int], k: int | Sequence[int] | None = None
) -> list[WordUnderTraces]:
    """Return words without white space, segmented by each trace as if after a space; `k` as in `segment_words`."""
    return _segmented([_letter_segmenter(trace, at, len(words)) for trace, at in _at(traces, k)], words)


def _at(traces: Sequence[Trace], k: int | Sequence[int] | None) -> Iterator[tuple[Trace, int]]:
    """Yield each trace with its number of merges: all of them if `k` is None or more than it has."""
    for trace, most in zip(traces, k if isinstance(k, Sequence) else [k] * len(traces), strict=True):
        steps = len(trace.steps)
        yield trace, steps if most is None else min(most, steps)


def _segmented(segmenters: Sequence[Segmenter], words: Mapping[str, int]) -> list[WordUnderTraces]:
    segmented: list[WordUnderTraces] = []
    for word, frequency in with_checkpoints(words.items(), WORDS_AT_ONCE):
        tokens = tuple(segment(word) for segment in segmenters)
        segmented.append(WordUnderTraces(word, frequency, tokens, split_differently(tokens)))
    return segmented


def split_differently(segmentations: Sequence[Word]) -> bool:
    """Return whether these segmentations of a word differ. A normalization may also change its letters."""
    if len({b"".join(tokens) for tokens in segmentations}) == 1:
        return len(set(segmentations)) > 1
    if all(len(tokens) == 1 for tokens in segmentations):
        return False
    return len({tuple(len(token.decode("utf-8", "replace")) for token in row) for row in segmentations}) > 1


def _pre_token_segmenter(trace: Trace, tokenizer: Tokenizer, k: int) -> Segmenter:
    """Return the function from a pre-token to its tokens. `tokenizer` is that of the trace's first `k` merges."""
    words = (word for word, _ in trace.words_at(k))
    word_of = dict(zip(trace.pre_tokens, words, strict=True))

    def segment(pre_token: str) -> Word:
        return word_of.get(pre_token) or tuple(tokenizer.word_tokens(pre_token))

    return segment


def _text_segmenter(trace: Trace, tokenizer: Tokenizer, k: int, number: int) -> Callable[[str], list[Symbol]]:
    """Return a function that returns the tokens of a text. `number` is how many texts it will get.

    If it will get many, it looks up the pre-tokens of the corpus instead of encoding them again.
    """
    # A tokenizer of a file may encode its pre-tokens in another way.
    if trace.replayed or number < len(trace.pre_tokens) // FEW:
        return tokenizer.tokens
    segment, split = _pre_token_segmenter(trace, tokenizer, k), trace.variant.split
    return lambda text: [token for part in split(tokenizer.normalise(text)) for token in segment(part)]


def _letter_segmenter(trace: Trace, k: int, number: int) -> Segmenter:
    tokenizer = trace.tokenizer(k)
    tokens_of = _text_segmenter(trace, tokenizer, k, number)
    marker = trace.variant.marker
    # A tokenizer of a file may spell a space as ▁, which is no marker there.
    written = b"".join(tokenizer.tokens(" a"))
    space = METASPACE if written.startswith(METASPACE) else b" "

    def segment(word: str) -> Word:
        tokens = tokens_of(" " + word)
        if marker is not None:
            tokens = [token.replace(marker, b"") for token in tokens]
        tokens[:1] = [token.removeprefix(space) for token in tokens[:1]]
        return tuple(filter(None, tokens))

    return segment
