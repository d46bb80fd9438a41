"""The window: the part of a long text that a training feed holds. The text before it need not be split."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from bpe import Variant
from bpe.encoding.encode_steps import pre_token_starts
from bpe.text.counting import next_safe_cut

# Characters. A variant of characters shows at most as many tokens; its feed then takes 60 KB.
WINDOW = 10_000
# Characters. A film holds a whole text more often.
FILM_WINDOW = 20_000
# Characters. A longer pre-token is cut at the edges of the window; a shorter one is inside as a whole or not at all.
LONG = 200
# Characters before the window in which a safe cut is looked for first.
NEAR = 256


class PreTokenSlice(NamedTuple):
    """Characters [start, end) of one pre-token in the window; all of them unless it is a long one."""

    pre_token: str
    start: int
    end: int

    @property
    def whole(self) -> bool:
        """Whether the slice is the whole pre-token."""
        return self.end - self.start == len(self.pre_token)


@dataclass(frozen=True, slots=True)
class Window:
    """The slices that begin in characters [start, end) of a text of `total` characters."""

    slices: tuple[PreTokenSlice, ...]
    # Positions of the slices that begin a line, if no pre-token holds the line end before.
    breaks: tuple[int, ...]
    start: int
    end: int
    total: int
    letters: int  # UTF-8 bytes from `start` to the first slice, white space left out


class _Placed(NamedTuple):
    """A pre-token that covers characters [start, end), without a space that the variant put in front of the text."""

    pre_token: str
    start: int
    end: int
    begins_line: bool


def cut_window(
    documents: Iterable[str], variant: Variant, start: int = 0, size: int = WINDOW, long: int = LONG
) -> Window:
    """Return the pre-tokens that begin in characters [start, start + size) of the documents.

    Positions count the characters of all documents, one after the other. A pre-token of more than `long` characters is
    cut at the edges. A window that starts where another one ends continues it: such windows hold
    every pre-token exactly once.

    >>> from bpe import VARIANTS
    >>> window = cut_window(["low lower lowest"], VARIANTS["char-eow"], 4, 3)
    >>> [piece.pre_token for piece in window.slices], window.start, window.end, window.total
    (['lower'], 4, 9, 16)
    """
    texts = list(documents)
    total = sum(map(len, texts))
    start = max(0, min(start, total - 1))
    end = min(start + size, total)
    slices: list[PreTokenSlice] = []
    breaks: list[int] = []
    first = reached = end
    for placed in _pre_tokens_in(texts, variant, start, end):
        length = len(placed.pre_token)
        is_long = length > long
        if placed.start < start and not is_long:
            continue
        if not slices:
            first = max(start, placed.start)
        if placed.begins_line and placed.start >= start:
            breaks.append(len(slices))
        cut_start, cut_end = 0, length
        if is_long:  # counted from its end: in front there may be a space that the text does not hold
            cut_start = length - (placed.end - start) if placed.start < start else 0
            cut_end = length - max(0, placed.end - end)
        else:
            reached = max(reached, placed.end)
        slices.append(PreTokenSlice(placed.pre_token, cut_start, cut_end))
    return Window(tuple(slices), tuple(breaks), start, reached, total, _letters(texts, start, first))


def _pre_tokens_in(texts: Iterable[str], variant: Variant, start: int, end: int) -> Iterator[_Placed]:
    """Yield the pre-tokens that overlap characters [start, end) of all texts."""
    before = 0
    for number, text in enumerate(texts):
        if before >= end:
            return
        if before + len(text) > start:
            for placed in _pre_tokens_of(text, variant, max(0, start - before), end - before, number > 0):
                yield placed._replace(start=before + placed.start, end=before + placed.end)
        before += len(text)


def _pre_tokens_of(
    text: str, variant: Variant, start: int, end: int, follows_another: bool
) -> Iterator[_Placed]:
    """Yield the pre-tokens that overlap characters [start, end) of one document."""
    chunk_start = _safe_cut_before(text, variant, start)
    chunk = text[chunk_start : next_safe_cut(text, variant, end)]
    first, last = start - chunk_start, end - chunk_start
    pre_tokens = variant.split(chunk)
    begins_line = follows_another and chunk_start == 0
    past = 0
    for pre_token, position in zip(pre_tokens, pre_token_starts(chunk, pre_tokens, variant), strict=True):
        if position >= last:
            return
        before, past = past, position + len(pre_token)
        if past > first:
            begins_line = begins_line or "\n" in chunk[before : max(before, position)]
            yield _Placed(pre_token, chunk_start + max(position, 0), chunk_start + past, begins_line)
        begins_line = False


def _safe_cut_before(text: str, variant: Variant, position: int) -> int:
    """Return a safe cut at or before `position`, if possible a near one; 0 if there is none."""
    distance = NEAR
    while distance < position:
        nearby = text[position - distance : position + 1]
        cut = next_safe_cut(nearby, variant, 1)
        if cut < len(nearby):
            return position - distance + cut
        distance *= 8
    return 0


def _letters(texts: Iterable[str], start: int, end: int) -> int:
    """Return the UTF-8 bytes of characters [start, end) of all texts, white space left out."""
    letters = before = 0
    for text in texts:
        if before >= end:
            break
        if before + len(text) > start:
            part = text[max(0, start - before) : end - before]
            letters += len("".join(part.split()).encode("utf-8", "surrogatepass"))
        before += len(text)
    return letters
