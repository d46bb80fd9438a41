"""The window: which part of a long text the grid is fed with, as pre-tokens, and where in the text it stands."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

WINDOW = 10_000  # characters; as many tokens at most in character variants, and 60 KB of feed in all
LONG = (
    200  # characters; a longer pre-token is cut at the window's edges, a shorter one is in or out as a whole
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One pre-token in the window, or characters [start, end) of a long one."""

    pre_token: str
    start: int
    end: int
    breaks: bool  # a line ended before it, in white space that no pre-token holds

    @property
    def whole(self) -> bool:
        """Whether nothing of the pre-token is cut off."""
        return self.end - self.start == len(self.pre_token)


@dataclass(frozen=True, slots=True)
class Window:
    """The pieces that stand in characters [start, end) of a text of `total` characters."""

    pieces: tuple[Piece, ...]
    start: int
    end: int
    total: int
    letters: int  # bytes before the first piece, white space not counted


def cut_window(
    documents: Iterable[str], split: Callable[[str], Sequence[str]], start: int = 0, size: int = WINDOW
) -> Window:
    """The pieces of the documents that begin in [start, start + size), long ones cut at its edges.

    Positions count characters over all documents, one after the other; a document's end is a line's end.

    >>> window = cut_window(["low lower"], str.split, 0, 5)
    >>> [piece.pre_token for piece in window.pieces], window.end, window.total
    (['low', 'lower'], 9, 9)
    """
    texts = list(documents)
    total = sum(map(len, texts))
    start = max(0, min(start, total - 1))
    end = min(start + size, total)
    pieces: list[Piece] = []
    first = reached = end
    for place, pre_token, breaks in _placed(texts, split):
        if place >= end:
            break
        past = place + len(pre_token)
        if not pieces:
            first = max(start, place)
        if len(pre_token) > LONG and past > start:
            pieces.append(Piece(pre_token, max(0, start - place), min(len(pre_token), end - place), breaks))
        elif place >= start:
            pieces.append(Piece(pre_token, 0, len(pre_token), breaks))
            reached = max(reached, min(past, total))
    return Window(tuple(pieces), start, reached, total, _letters("".join(texts)[:first]))


def _letters(text: str) -> int:
    return len("".join(text.split()).encode("utf-8", "surrogatepass"))


def _placed(texts: Iterable[str], split: Callable[[str], Sequence[str]]) -> Iterator[tuple[int, str, bool]]:
    """(character at which it begins, pre-token, whether a line ended before it) for every pre-token."""
    before = 0
    for number, text in enumerate(texts):
        end = 0
        new_document = number > 0
        for pre_token in split(text):
            added = end == 0 and _space_added(text, pre_token)
            place = 0 if added else max(end, text.find(pre_token, end))
            yield before + place, pre_token, new_document or "\n" in text[end:place]
            new_document = False
            end = place + len(pre_token) - added
        before += len(text)


def _space_added(text: str, pre_token: str) -> bool:
    """Whether the variant put a space in front of the text, as `char-metaspace` does where there is none."""
    return pre_token.startswith(" ") and not text.startswith(" ") and text.startswith(pre_token[1:])
