"""Encode steps: the words of a text encoded step by step, with the segmentation after every step.

As in a trace, a boundary between two initial symbols closes at one step at most. So one number per boundary is all that
needs to be stored, and the segmentation after any step is derived from it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import accumulate

from bpe.encoding.encoders import OrderKey
from bpe.encoding.merging import WordEncoder, WordStep
from bpe.symbols import START_OF_WORD, Pair, Symbol, Word
from bpe.text.normalizing import NORMALIZATIONS, Aligned, Normalization, Normalizer, Span, composed, same
from bpe.text.variants import Variant

_CONTINUATION = bytes(range(0x80, 0xC0))  # UTF-8's bytes of a character after its first byte


@dataclass(frozen=True, slots=True)
class EncodingTimeline:
    """The words of a text and, for each boundary between its initial symbols, the step that closes it, or -1."""

    words: Sequence[Word]  # one per pre-token, spelled in initial symbols
    starts: Sequence[int]  # position of each word's first initial symbol in the text
    closing_steps: list[int]  # by boundary; filled in as the steps are consumed

    def words_at(self, step: int) -> list[Word]:
        """Return the words' segmentations after `step` steps."""
        return [
            self._segmented(word, start, step) for word, start in zip(self.words, self.starts, strict=True)
        ]

    def _segmented(self, word: Word, start: int, step: int) -> Word:
        tokens: list[Symbol] = []
        closing_steps = [-1, *self.closing_steps[start : start + len(word) - 1]]
        for symbol, closing_step in zip(word, closing_steps, strict=True):
            if 0 <= closing_step < step:
                tokens[-1] += symbol
            else:
                tokens.append(symbol)
        return tuple(tokens)


@dataclass(frozen=True, slots=True)
class EncodeStep:
    """One step: a merge or a token looked up, and where. Positions count the text's initial symbols from 0."""

    number: int  # from 0
    token: Symbol  # made by the merge, or looked up in the vocabulary
    rank: int | None  # of the merge applied; None if the token was looked up in the vocabulary
    pair: Pair | None  # that was merged
    words: Sequence[int]  # numbers of the words (pre-tokens) that change, ascending
    places: Sequence[int]  # positions at which the token starts, ascending
    closes: Sequence[int]  # boundaries that close, ascending; boundary b is the one after initial symbol b
    timeline: EncodingTimeline = field(repr=False, compare=False)

    @property
    def segmentation(self) -> list[Word]:
        """The text's words after this step, each as its tokens."""
        return self.timeline.words_at(self.number + 1)


def encoding_timeline(
    words: Sequence[Word], encoder: WordEncoder, order_key: OrderKey, merges: Sequence[Pair]
) -> tuple[EncodingTimeline, Iterator[EncodeStep]]:
    """Return a timeline without closed boundaries, and the steps that fill it in as they are consumed.

    Each word has its own next step. All those with the least order key are made together, as one step. Equal words
    therefore always change together.
    """
    starts = list(accumulate(map(len, words), initial=0))
    timeline = EncodingTimeline(words, starts[:-1], [-1] * max(starts[-1] - 1, 0))
    return timeline, _steps(timeline, encoder, order_key, merges)


def aligned(text: str, normalizer: Normalizer | None, normalization: Normalization | None) -> Aligned:
    """Return a text as it is before splitting, and where each character of it comes from."""
    text, origins = normalizer.aligned(text, True) if normalizer else (text, same(text))
    if normalization is None:
        return text, origins
    changed, then = NORMALIZATIONS[normalization].align(text)
    return changed, composed(origins, then)


def pre_token_starts(text: str, pre_tokens: Sequence[str], variant: Variant) -> Iterator[int]:
    """Yield where each pre-token starts in the text; -1 for one that begins with a space added in front of the text.

    >>> from bpe import VARIANTS
    >>> list(pre_token_starts("a  bc", ["a", "bc"], VARIANTS["char-eow"]))
    [0, 3]
    >>> list(pre_token_starts("low  lower", [" low", " ", " lower"], VARIANTS["char-metaspace"]))
    [-1, 3, 4]
    """
    if variant.partial_bytes:
        yield from (at for at, _ in byte_starts(text, pre_tokens, variant.partial_bytes))
        return
    space_added = variant.marker == START_OF_WORD and not text.startswith(" ")
    end = -1 if space_added else 0
    for pre_token in pre_tokens:
        # With start-of-word markers there are no gaps.
        start = end if space_added else text.find(pre_token, end)
        yield start
        end = start + len(pre_token)


def pre_token_spans(text: str, pre_tokens: Sequence[str], variant: Variant) -> Iterator[Span]:
    """Yield the characters [start, end) of the text that begin in each pre-token.

    A start is -1 for a space added in front of the text. The span is empty if the pre-token lies inside a character.
    """
    if variant.partial_bytes is None:
        starts = pre_token_starts(text, pre_tokens, variant)
        yield from ((at, at + len(one)) for one, at in zip(pre_tokens, starts, strict=True))
        return
    places = byte_starts(text, pre_tokens, variant.partial_bytes)
    for pre_token, (at, byte) in zip(pre_tokens, places, strict=True):
        start = at + (byte > 0)
        yield start, start + len(variant.partial_bytes(pre_token).translate(None, _CONTINUATION))


def byte_starts(
    text: str, pre_tokens: Iterable[str], bytes_of: Callable[[str], bytes]
) -> Iterator[tuple[int, int]]:
    """Yield the character in which each pre-token begins, and at which of its bytes, where it may be inside one."""
    encoded = text.encode()
    end = begun = 0  # the bytes up to the last pre-token's start, and the characters that begin in them
    after = 0
    for pre_token in pre_tokens:
        bare = bytes_of(pre_token)
        start = encoded.find(bare, after)
        begun += len(encoded[end:start].translate(None, _CONTINUATION))
        end, after = start, start + len(bare)
        lead = start
        while lead < len(encoded) and encoded[lead] in _CONTINUATION:
            lead -= 1
        yield begun - (lead < start), start - lead


def token_spans(tokens: Iterable[Symbol], start: int, variant: Variant) -> Iterator[Span]:
    r"""Yield the span of each token of a pre-token that starts at `start`.

    A part of a character spans the whole character; a marker that is no space of the text spans nothing. A
    start-of-word marker that is put in front of the text spans its first character, as in Hugging Face's tokenizers.

    >>> from bpe import VARIANTS
    >>> list(token_spans([b"a\xc3", b"\xa9b"], 0, VARIANTS["bytes"]))
    [(0, 2), (1, 3)]
    """
    started = start  # number of characters that have started so far
    for number, token in enumerate(tokens):
        if variant.partial_bytes and not number:
            started += 0x80 <= token[0] < 0xC0  # the pre-token begins inside a character
        if variant.marker and variant.marker != START_OF_WORD:
            token = token.replace(variant.marker, b"")
        continues = 0x80 <= (token or b"a")[0] < 0xC0
        end = started + len(token.translate(None, _CONTINUATION))
        yield max(started - continues, 0), max(end, 1) if started < 0 else end
        started = end


def _steps(
    timeline: EncodingTimeline, encoder: WordEncoder, order_key: OrderKey, merges: Sequence[Pair]
) -> Iterator[EncodeStep]:
    numbers_of: dict[Word, list[int]] = {}
    for number, word in enumerate(timeline.words):
        numbers_of.setdefault(word, []).append(number)
    # Equal words are encoded once, under the number of the first of them.
    occurrences = {numbers[0]: numbers for numbers in numbers_of.values()}
    word_steps = {numbers[0]: encoder.steps(word) for word, numbers in numbers_of.items()}
    queue: list[tuple[tuple[int, ...], int, WordStep]] = []  # (order key, number of the word, its next step)

    def push_next(number: int) -> None:
        step = next(word_steps[number], None)
        if step is not None:
            heappush(queue, (order_key(number, step), number, step))

    for number in word_steps:
        push_next(number)
    step_number = 0
    while queue:
        key = queue[0][0]
        together: list[tuple[int, WordStep]] = []
        while queue and queue[0][0] == key:
            together.append(heappop(queue)[1:])
        yield _combined_step(step_number, together, timeline, occurrences, merges)
        for number, _ in together:
            push_next(number)
        step_number += 1


def _combined_step(
    step_number: int,
    together: Sequence[tuple[int, WordStep]],
    timeline: EncodingTimeline,
    occurrences: dict[int, list[int]],
    merges: Sequence[Pair],
) -> EncodeStep:
    words: list[int] = []
    starts: list[int] = []
    closes: list[int] = []
    for number, word_step in together:
        for occurrence in occurrences[number]:
            start = timeline.starts[occurrence]
            words.append(occurrence)
            starts += (start + position for position in word_step.starts)
            closes += (start + boundary for boundary in word_step.closes)
    for boundary in closes:
        timeline.closing_steps[boundary] = step_number
    token, rank = together[0][1].token, together[0][1].rank
    pair = None if rank is None else merges[rank]
    return EncodeStep(step_number, token, rank, pair, sorted(words), sorted(starts), sorted(closes), timeline)
