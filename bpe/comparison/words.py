"""Words: where the tokens of a text begin, and how its words are split under several trainings.

Positions are those of the text before it was normalized, in eighths of a character: 8 * n is the start of character n,
the next ones are inside it, at the start of its second byte and so on, and 8 * n - 1 is the end of the character before
it, where a marker stands that spans nothing. So the tokens of any two tokenizers can be compared, whatever they
put in front of a text, and whatever they write for a space.

If all traces change, split and spell text in the same way, pre-tokens are compared as they are. If not, the words
between white space are compared, by the boundaries inside them, in their context: a marker, or the space before a
word, decides nothing.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.comparison.learned import same_words
from bpe.encoding.encode_steps import byte_starts, pre_token_starts
from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import START_OF_WORD, Symbol, Word
from bpe.text.normalizing import Span
from bpe.text.variants import Variant
from bpe.trace.trace import Trace

_PRE_TOKENS = 1 << 12  # between two checkpoints
_LINES = 1 << 8  # the same
LINE = re.compile(r"[^\r\n]+")
_PER_CHARACTER = 8
_END = _PER_CHARACTER - 1  # of a character, in its eighths
_SPACES = " \u2581"  # what normalizers put in front of a text, and write for a space
_Within = tuple[list[int], int]  # where the tokens of a pre-token begin, and how many the vocabulary lacks
_Segmenter = Callable[[str], Word]

# The boundaries inside a word under each trace, as EncodedText.splits has them.
Splits = tuple[Sequence[int], ...]
_WORDS_AT_ONCE = 1 << 9  # between two checkpoints
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class EncodedText:
    """One text under one tokenizer."""

    starts: Sequence[int]  # position of each token, ascending; a marker that spans nothing stands at an END
    has_ends: bool  # whether a token stands at an END
    unknown: int  # number of tokens that the vocabulary lacks

    def splits(self, words: Sequence[Span]) -> list[Sequence[int]]:
        """Return the boundaries inside each word: their positions from the start of the word."""
        starts = self.starts
        if self.has_ends:
            starts = [start for start in starts if start % _PER_CHARACTER != _END]
        found: list[Sequence[int]] = []
        at = 0
        for begin, end in with_checkpoints(words, _PRE_TOKENS):
            begin *= _PER_CHARACTER
            at = bisect_right(starts, begin, at)
            to = bisect_left(starts, _PER_CHARACTER * end, at)
            found.append(tuple([start - begin for start in starts[at:to]]) if to > at else ())
            at = to
        return found


def encoded_texts(tokenizer: Tokenizer, texts: Iterable[str], by_line: bool = False) -> list[EncodedText]:
    """Return where the tokens of each text begin."""
    cached: dict[str, _Within] = {}
    return [_encoded_text(tokenizer, text, by_line, cached) for text in texts]


def reads_lines(trace: Trace, texts: Iterable[str]) -> bool:
    """Return whether a trace reads text line by line, or has no token for the line ends of these texts.

    Then a line end cannot be compared with that of another trace.
    """
    split = "".join(trace.variant.split("a\tb\nc"))
    if trace.request.lines == "bare" or ("\t" in split and "\n" not in split):
        return True
    tokenizer = trace.tokenizer()
    return any(
        end.encode() in token and token not in tokenizer.ids
        for end in "\n\r"
        if any(end in text for text in texts)
        for token in tokenizer.tokens(f"a{end}a")
    )


@dataclass(frozen=True, slots=True)
class WordUnderTraces:
    """One word, segmented by every trace. A word between white space is a row for each way in which it is split."""

    word: str
    frequency: int
    tokens: tuple[Word, ...]  # for each trace
    differs: bool


def is_word(pre_token: str) -> bool:
    r"""Return whether a pre-token counts as a word: it has a letter or a digit.

    >>> [text for text in (" low", "1,000", " =", "\n", "—", "é") if is_word(text)]
    [' low', '1,000', 'é']
    """
    return any(map(str.isalnum, pre_token))


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
        return list(_segmented(segmenters, words, traces[0].variant))
    tokenizers = [trace.tokenizer(at) for trace, at in _at(traces, k)]
    found: Counter[tuple[str, Splits]] = Counter()
    for word, frequency in with_checkpoints(words.items(), _WORDS_AT_ONCE):
        text = f" {word}"
        encoded = [_encoded_text(tokenizer, text) for tokenizer in tokenizers]
        (split,) = split_words(text, [(1, len(text))], encoded)
        found[split] += frequency
    return under_traces(found)


def words_between_spaces(text: str) -> list[Span]:
    """Return where the words between white space begin and end."""
    return [match.span() for match in _WORD.finditer(text)]


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
    for (word, splits), frequency in with_checkpoints(found.items(), _WORDS_AT_ONCE):
        tokens = tuple(_pieces_of(word, split) for split in splits)
        words.append(WordUnderTraces(word, frequency, tokens, split_differently(tokens)))
    return words


def split_differently(segmentations: Sequence[Word]) -> bool:
    """Return whether these segmentations of a word differ."""
    return len(set(segmentations)) > 1


def _encoded_text(
    tokenizer: Tokenizer, text: str, by_line: bool = False, cached: dict[str, _Within] | None = None
) -> EncodedText:
    """Return where the tokens of a text begin. `by_line`: each line is encoded by itself, without its end.

    `cached` keeps what is known of the pre-tokens for the next text.
    """
    cached = {} if cached is None else cached
    if not by_line:
        starts, unknown = _starts(tokenizer, text, cached)
    else:
        starts, unknown = [], 0
        for line in with_checkpoints(LINE.finditer(text), _LINES):
            in_line, unknown_in_line = _starts(tokenizer, line.group(), cached)
            offset = _PER_CHARACTER * line.start()
            starts += [offset + start for start in in_line]
            unknown += unknown_in_line
    has_ends = any(start % _PER_CHARACTER == _END for start in starts) if tokenizer.variant.marker else False
    return EncodedText(starts, has_ends, unknown)


def _starts(tokenizer: Tokenizer, text: str, cached: dict[str, _Within]) -> tuple[list[int], int]:
    """Return where the tokens begin, and how many the vocabulary lacks."""
    variant, known = tokenizer.variant, tokenizer.ids
    normalized = tokenizer.normalise(text).text
    pre_tokens = variant.split(normalized)
    starts: list[int] = []
    unknown = 0
    positions = _positions(normalized, pre_tokens, variant)
    for pre_token, position in with_checkpoints(zip(pre_tokens, positions, strict=True), _PRE_TOKENS):
        within = cached.get(pre_token)
        if within is None:
            tokens = tokenizer.word_tokens(pre_token)
            unknown_within = sum(token not in known for token in tokens)
            within = cached[pre_token] = list(_starts_within(tokens, variant)), unknown_within
        begins, unknown_here = within
        character = position - position % _PER_CHARACTER
        if len(begins) == 1:
            starts.append(position + begins[0])
        elif position == character:
            starts += [position + start for start in begins]
        else:  # it begins inside a character: what begins in later ones does not begin as much further behind
            starts += [
                min(position + start, character + _END - 1) if start < _PER_CHARACTER else character + start
                for start in begins
            ]
        unknown += unknown_here
    if normalized != text:
        starts = _before_normalization(starts, tokenizer, text, normalized)
    for number, start in enumerate(starts):
        if start >= 0:
            break
        starts[number] = 0  # a marker in front of the text
    return starts, unknown


def _positions(text: str, pre_tokens: Sequence[str], variant: Variant) -> Iterator[int]:
    """Yield where each pre-token begins."""
    if variant.partial_bytes is None:
        yield from (_PER_CHARACTER * at for at in pre_token_starts(text, pre_tokens, variant))
        return
    for at, byte in byte_starts(text, pre_tokens, variant.partial_bytes):
        yield _PER_CHARACTER * at + byte


def _starts_within(tokens: Sequence[Symbol], variant: Variant) -> Iterator[int]:
    """Yield where each token of a pre-token begins."""
    characters = byte = 0  # those that have begun, and how many bytes of the last one
    if variant.partial_bytes and tokens and 0x80 <= tokens[0][0] < 0xC0:
        characters = 1  # the pre-token begins inside a character
    for token in tokens:
        if variant.marker and variant.marker != START_OF_WORD:
            token = token.replace(variant.marker, b"")
        if not token:
            yield _PER_CHARACTER * characters - 1
            continue
        continues = 0x80 <= token[0] < 0xC0
        yield (
            _PER_CHARACTER * (characters - 1) + min(byte, _END - 1)
            if continues
            else _PER_CHARACTER * characters
        )
        for value in token:
            if 0x80 <= value < 0xC0:
                byte += 1
            else:
                characters, byte = characters + 1, 1


def _before_normalization(starts: list[int], tokenizer: Tokenizer, text: str, normalized: str) -> list[int]:
    """Return positions in a normalized text as positions in the text before."""
    added = len(normalized) - len(text)
    if added in (0, 1) and normalized.replace(_SPACES[1], _SPACES[0])[added:] == text:
        shift = added * _PER_CHARACTER
        return [start - shift for start in starts]
    checkpoint()
    _, origins = tokenizer.aligned(text)
    at: list[int] = []  # position of each character
    inside = before = -1
    for number, (start, end) in enumerate(origins):
        if start != before:
            inside, before = 0, start
        elif normalized[number - 1] in _SPACES and text[start : start + 1] not in _SPACES:
            pass  # what is put in front of a character is no part of it
        else:
            inside = min(inside + 1, _END - 1)
        is_put_behind = inside and normalized[number] in _SPACES and text[start : start + 1] not in _SPACES
        at.append(_PER_CHARACTER * end if is_put_behind else _PER_CHARACTER * start + inside)
    at.append(_PER_CHARACTER * len(text))
    moved: list[int] = []
    for start in starts:
        number, byte = divmod(start, _PER_CHARACTER)
        if byte == _END:
            moved.append(_PER_CHARACTER * origins[number][1] - 1)
        else:
            position = at[max(number, 0)]
            moved.append(min(position + byte, position - position % _PER_CHARACTER + _END - 1))
    return sorted(moved)


def _pieces_of(word: str, split: Sequence[int]) -> Word:
    r"""Return a word as its boundaries split it.

    >>> _pieces_of("café", (8, 25))
    (b'c', b'af\xc3', b'\xa9')
    """
    if not split:
        return (word.encode(),)
    whole = word.encode()
    ends: list[int] = []
    for position in split:
        number, byte = divmod(position, _PER_CHARACTER)
        end = len(word[:number].encode()) + min(byte, len(word[number].encode()) - 1)
        if end > (ends[-1] if ends else 0):
            ends.append(end)
    return tuple(whole[start:end] for start, end in zip([0, *ends], [*ends, len(whole)], strict=True))


def _at(traces: Sequence[Trace], k: int | Sequence[int] | None) -> Iterator[tuple[Trace, int]]:
    """Yield each trace with its number of merges: all of them if `k` is None or more than it has."""
    for trace, most in zip(traces, k if isinstance(k, Sequence) else [k] * len(traces), strict=True):
        steps = len(trace.steps)
        yield trace, steps if most is None else min(most, steps)


def _segmented(
    segmenters: Sequence[_Segmenter], words: Mapping[str, int], variant: Variant
) -> Iterator[WordUnderTraces]:
    for word, frequency in with_checkpoints(words.items(), _WORDS_AT_ONCE):
        tokens = tuple(segment(word) for segment in segmenters)
        yield WordUnderTraces(variant.text_of(word), frequency, tokens, split_differently(tokens))


def _pre_token_segmenter(trace: Trace, tokenizer: Tokenizer, k: int) -> _Segmenter:
    """Return the function from a pre-token to its tokens. `tokenizer` is that of the trace's first `k` merges."""
    words = (word for word, _ in trace.words_at(k))
    word_of = dict(zip(trace.pre_tokens, words, strict=True))

    def segment(pre_token: str) -> Word:
        return word_of.get(pre_token) or tuple(tokenizer.word_tokens(pre_token))

    return segment
