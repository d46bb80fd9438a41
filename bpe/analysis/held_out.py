"""Held-out text: text that no training has read, in the units over which measures are resampled.

The units are its documents. If there are too few of them, they are split further: into paragraphs, into lines, or into
blocks of consecutive words. Each unit is encoded on its own.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from bpe.checkpoints import with_checkpoints
from bpe.symbols import BPEError

Kind = Literal["documents", "paragraphs", "lines", "blocks of words"]

FEWEST = 20  # units; percentile intervals over fewer of them are too narrow
WORDS_PER_BLOCK = 20
WORD = re.compile(r"\s*\S+")
LINE_ENDS = "\r\n"
EVERY = 10  # one unit of so many is set aside


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A held-out text in units, without the line ends around each."""

    documents: int  # number of documents with text
    kind: Kind  # what the units are
    units: tuple[str, ...]

    @property
    def has_enough(self) -> bool:
        """Whether there are enough units to resample."""
        return len(self.units) >= FEWEST


def held_out(documents: Sequence[str]) -> HeldOut:
    r"""Return the documents in units: the largest kind of which there are at least FEWEST.

    If there are too few of every kind, the units are of the kind that gives the most. Documents of white space alone
    are left out.

    >>> held_out(["one line\n" * 30]).kind
    'lines'
    >>> held_out(["word " * 100]).units[0]
    'word word word word word word word word word word word word word word word word word word word word'
    """
    kind, pieces = _pieces_of([text for text in documents if text.strip()])
    units = [piece if kind == "documents" else piece.strip(LINE_ENDS) for text in pieces for piece in text]
    return HeldOut(len(pieces), kind, tuple(units))


def set_aside(documents: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return (the documents to train on, the held-out text): every tenth unit of the documents is set aside.

    Raises BPEError if there are fewer than FEWEST units.

    >>> train, aside = set_aside([f"document {number}" for number in range(20)])
    >>> len(train), aside
    (18, ['document 9', 'document 19'])
    """
    _, pieces = _pieces_of([text for text in documents if text.strip()])
    if sum(map(len, pieces)) < FEWEST:
        raise BPEError(
            f"To set a part of the text aside, it must have at least {FEWEST} lines, or {FEWEST * WORDS_PER_BLOCK} "
            "words."
        )
    rest: list[str] = []
    aside: list[str] = []
    number = 0
    for text in pieces:
        remaining: list[str] = []
        for piece in text:
            number += 1
            (remaining if number % EVERY else aside).append(piece)
        if remaining:
            rest.append("".join(remaining))
    return rest, aside


def _pieces_of(texts: Sequence[str]) -> tuple[Kind, list[list[str]]]:
    """Return the kind of the units, and those of each document."""
    best: tuple[Kind, list[list[str]]] = ("documents", [[text] for text in texts])
    for kind, split in _SPLITS.items():
        most = sum(map(len, best[1]))
        if most >= FEWEST:
            return best
        pieces = [list(split(text)) for text in texts]
        if sum(map(len, pieces)) > most:
            best = (kind, pieces)
    return best


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the text in pieces, each of which begins after an empty line."""
    return _pieces(text, lambda before: not before.strip())


def _lines(text: str) -> Iterator[str]:
    return _pieces(text, lambda before: True)


def _pieces(text: str, ends: Callable[[str], bool]) -> Iterator[str]:
    """Yield groups of lines. A group ends at a line for which `ends` is true, if the next line is not empty."""
    piece: list[str] = []
    has_text = False
    for line in with_checkpoints(text.splitlines(keepends=True)):
        is_text = bool(line.strip())
        if has_text and is_text and ends(piece[-1]):
            yield "".join(piece)
            piece = []
        piece.append(line)
        has_text = has_text or is_text
    yield "".join(piece)


def _blocks(text: str) -> Iterator[str]:
    words = WORD.findall(text.rstrip())
    for start in range(0, len(words), WORDS_PER_BLOCK):
        yield "".join(words[start : start + WORDS_PER_BLOCK])


_SPLITS: dict[Kind, Callable[[str], Iterator[str]]] = {
    "paragraphs": _paragraphs,
    "lines": _lines,
    "blocks of words": _blocks,
}
