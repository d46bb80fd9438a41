"""Encoded text: where the tokens of a text begin, and how its words are split there, in their context.

Positions are those of the text before it was normalized, in eighths of a character: 8 * n is the start of character n,
the next ones are inside it, at the start of its second byte and so on, and 8 * n - 1 is the end of the character before
it, where a marker stands that spans nothing. So the tokens of any two tokenizers can be compared, whatever they
put in front of a text, and whatever they write for a space.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.encoding.encode_steps import aligned, pre_token_starts
from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import START_OF_WORD, Symbol, Word
from bpe.text.normalizing import Span
from bpe.text.variants import Variant
from bpe.trace.trace import Trace

PRE_TOKENS = 1 << 12  # between two checkpoints
LINES = 1 << 8  # the same
LINE = re.compile(r"[^\r\n]+")
PER_CHARACTER = 8
END = PER_CHARACTER - 1  # of a character, in its eighths
SPACES = " \u2581"  # what normalizers put in front of a text, and write for a space


Within = tuple[list[int], int]  # where the tokens of a pre-token begin, and how many the vocabulary lacks


@dataclass(frozen=True, slots=True)
class EncodedText:
    """One text under one tokenizer."""

    starts: Sequence[int]  # position of each token, ascending; a marker that spans nothing stands at an END
    has_ends: bool  # whether a token stands at an END
    unknown: int  # number of tokens that the vocabulary lacks

    def tokens_in(self, units: Sequence[str]) -> list[int]:
        r"""Return how many tokens begin in each unit of the text; the units join to it.

        >>> import bpe
        >>> tokenizer = bpe.train("one two", "bytes-gpt2", merges=0).tokenizer()
        >>> encoded_text(tokenizer, "one\ntwo").tokens_in(["one\n", "two"])
        [4, 3]
        """
        ends = [bisect_left(self.starts, PER_CHARACTER * end) for end in accumulate(map(len, units))]
        ends[-1:] = [len(self.starts)]
        return [end - start for start, end in zip([0, *ends], ends, strict=False)]

    def splits(self, words: Sequence[Span]) -> list[Sequence[int]]:
        """Return the boundaries inside each word: their positions from the start of the word."""
        starts = self.starts
        if self.has_ends:
            starts = [start for start in starts if start % PER_CHARACTER != END]
        found: list[Sequence[int]] = []
        at = 0
        for begin, end in with_checkpoints(words, PRE_TOKENS):
            begin *= PER_CHARACTER
            at = bisect_right(starts, begin, at)
            to = bisect_left(starts, PER_CHARACTER * end, at)
            found.append(tuple([start - begin for start in starts[at:to]]) if to > at else ())
            at = to
        return found


def encoded_text(
    tokenizer: Tokenizer, text: str, by_line: bool = False, cached: dict[str, Within] | None = None
) -> EncodedText:
    """Return where the tokens of a text begin. `by_line`: each line is encoded by itself, without its end.

    `cached` keeps what is known of the pre-tokens for the next text.
    """
    cached = {} if cached is None else cached
    if not by_line:
        starts, unknown = _starts(tokenizer, text, cached)
    else:
        starts, unknown = [], 0
        for line in with_checkpoints(LINE.finditer(text), LINES):
            in_line, unknown_in_line = _starts(tokenizer, line.group(), cached)
            offset = PER_CHARACTER * line.start()
            starts += [offset + start for start in in_line]
            unknown += unknown_in_line
    has_ends = any(start % PER_CHARACTER == END for start in starts) if tokenizer.variant.marker else False
    return EncodedText(starts, has_ends, unknown)


def encoded_texts(tokenizer: Tokenizer, texts: Iterable[str], by_line: bool = False) -> list[EncodedText]:
    """Return where the tokens of each text begin."""
    cached: dict[str, Within] = {}
    return [encoded_text(tokenizer, text, by_line, cached) for text in texts]


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


def _starts(tokenizer: Tokenizer, text: str, cached: dict[str, Within]) -> tuple[list[int], int]:
    """Return where the tokens begin, and how many the vocabulary lacks."""
    variant, known = tokenizer.variant, tokenizer.ids
    normalized = tokenizer.normalise(text)
    pre_tokens = variant.split(normalized)
    starts: list[int] = []
    unknown = 0
    positions = pre_token_starts(normalized, pre_tokens, variant)
    for pre_token, position in with_checkpoints(zip(pre_tokens, positions, strict=True), PRE_TOKENS):
        within = cached.get(pre_token)
        if within is None:
            tokens = tokenizer.word_tokens(pre_token)
            unknown_within = sum(token not in known for token in tokens)
            within = cached[pre_token] = list(_starts_within(tokens, variant)), unknown_within
        begins, unknown_here = within
        position *= PER_CHARACTER
        if len(begins) == 1:
            starts.append(position + begins[0])
        else:
            starts += [position + start for start in begins]
        unknown += unknown_here
    if normalized != text:
        starts = _before_normalization(starts, tokenizer, text, normalized)
    for number, start in enumerate(starts):
        if start >= 0:
            break
        starts[number] = 0  # a marker in front of the text
    return starts, unknown


def _starts_within(tokens: Sequence[Symbol], variant: Variant) -> Iterator[int]:
    """Yield where each token of a pre-token begins."""
    characters = byte = 0  # those that have begun, and how many bytes of the last one
    for token in tokens:
        if variant.marker and variant.marker != START_OF_WORD:
            token = token.replace(variant.marker, b"")
        if not token:
            yield PER_CHARACTER * characters - 1
            continue
        continues = 0x80 <= token[0] < 0xC0
        yield (
            PER_CHARACTER * (characters - 1) + min(byte, END - 1) if continues else PER_CHARACTER * characters
        )
        for value in token:
            if 0x80 <= value < 0xC0:
                byte += 1
            else:
                characters, byte = characters + 1, 1


def _before_normalization(starts: list[int], tokenizer: Tokenizer, text: str, normalized: str) -> list[int]:
    """Return positions in a normalized text as positions in the text before."""
    added = len(normalized) - len(text)
    if added in (0, 1) and normalized.replace(SPACES[1], SPACES[0])[added:] == text:
        shift = added * PER_CHARACTER
        return [start - shift for start in starts]
    checkpoint()
    normalized, origins = aligned(text, tokenizer.normalizer, tokenizer.normalization)
    at: list[int] = []  # position of each character
    inside = before = -1
    for number, (start, end) in enumerate(origins):
        if start != before:
            inside, before = 0, start
        elif normalized[number - 1] in SPACES and text[start : start + 1] not in SPACES:
            pass  # what is put in front of a character is no part of it
        else:
            inside = min(inside + 1, END - 1)
        is_put_behind = inside and normalized[number] in SPACES and text[start : start + 1] not in SPACES
        at.append(PER_CHARACTER * end if is_put_behind else PER_CHARACTER * start + inside)
    at.append(PER_CHARACTER * len(text))
    moved: list[int] = []
    for start in starts:
        number, byte = divmod(start, PER_CHARACTER)
        if byte == END:
            moved.append(PER_CHARACTER * origins[number][1] - 1)
        else:
            position = at[max(number, 0)]
            moved.append(min(position + byte, position - position % PER_CHARACTER + END - 1))
    return sorted(moved)


def pieces_of(word: str, split: Sequence[int]) -> Word:
    r"""Return a word as its boundaries split it.

    >>> pieces_of("café", (8, 25))
    (b'c', b'af\xc3', b'\xa9')
    """
    if not split:
        return (word.encode(),)
    whole = word.encode()
    ends: list[int] = []
    for position in split:
        number, byte = divmod(position, PER_CHARACTER)
        end = len(word[:number].encode()) + min(byte, len(word[number].encode()) - 1)
        if end > (ends[-1] if ends else 0):
            ends.append(end)
    return tuple(whole[start:end] for start, end in zip([0, *ends], [*ends, len(whole)], strict=True))
