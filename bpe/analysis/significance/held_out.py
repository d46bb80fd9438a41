"""Held-out text: text that no training has read, in the units over which measures are resampled.

The units are its documents. If there are too few different ones, they are split further: into paragraphs, into lines,
or into blocks of consecutive words. Joined in order, the units of a document are the document. Copies of a unit add no
information, so only different units are counted to decide whether there are enough.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from bpe.checkpoints import with_checkpoints
from bpe.symbols import BPEError

Kind = Literal["documents", "paragraphs", "lines", "blocks of words"]

FEWEST = 20  # different units; percentile intervals over fewer of them are too narrow
WORDS_PER_BLOCK = 20
WORD = re.compile(r"\s*\S+")
LINE_ENDS = "\r\n"
EVERY = 10  # one of this many different units is set aside


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A held-out text in units."""

    kind: Kind  # what the units are
    units_of: tuple[tuple[str, ...], ...]  # of each document with text; joined, they are the document

    @property
    def documents(self) -> int:
        """Number of documents with text."""
        return len(self.units_of)

    @property
    def texts(self) -> list[str]:
        """The documents with text."""
        return list(map("".join, self.units_of))

    @property
    def units(self) -> list[str]:
        """The units of all documents."""
        return list(chain.from_iterable(self.units_of))

    @property
    def units_without_ends(self) -> list[str]:
        """The units without the line ends around each, for measures of words."""
        return [unit.strip(LINE_ENDS) for unit in self.units]

    @property
    def copies(self) -> frozenset[int]:
        """Numbers of the units that are copies of earlier ones."""
        first: dict[str, int] = {}
        return frozenset(
            number
            for number, unit in enumerate(self.units)
            if first.setdefault(_content(unit), number) != number
        )

    @property
    def different_units(self) -> int:
        """Number of different units: copies count once."""
        return _different(self.units_of)

    @property
    def has_enough(self) -> bool:
        """Whether there are enough different units to resample."""
        return self.different_units >= FEWEST


def held_out(documents: Sequence[str]) -> HeldOut:
    r"""Return the documents in units: the largest kind of which there are at least FEWEST different ones.

    If there are too few of every kind, the units are of the kind that gives the most. Documents of white space alone
    are left out.

    >>> held_out(["".join(f"line {number}\n" for number in range(30))]).kind
    'lines'
    >>> held_out([" ".join(map(str, range(100)))]).units[0]
    '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19'
    """
    kind, pieces = _pieces_of([text for text in documents if text.strip()])
    return HeldOut(kind, tuple(map(tuple, pieces)))


def set_aside(documents: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return (the documents to train on, the held-out text): every tenth different unit is set aside with its copies.

    So no unit is in both. The units are sorted by their number of copies, the highest first, then by appearance: so at
    most a tenth of the units is set aside, copies included. What is set aside of one document is one document
    again. Raises BPEError if there are fewer than FEWEST different units.

    >>> train, aside = set_aside([f"document {number}" for number in range(20)])
    >>> len(train), aside
    (18, ['document 9', 'document 19'])
    >>> train, aside = set_aside(["often"] * 9 + [f"document {number}" for number in range(19)])
    >>> len(train), aside
    (26, ['document 8', 'document 18'])
    """
    _, pieces = _pieces_of([text for text in documents if text.strip()])
    copies = Counter(map(_content, chain.from_iterable(pieces)))
    if len(copies) < FEWEST:
        raise BPEError(
            f"To set a part of the text aside, it must have at least {FEWEST} different lines, or "
            f"{FEWEST * WORDS_PER_BLOCK} words."
        )
    chosen = {unit for unit, _ in copies.most_common()[EVERY - 1 :: EVERY]}
    rest: list[str] = []
    aside: list[str] = []
    for text in pieces:
        parts: tuple[list[str], list[str]] = [], []
        for piece in text:
            parts[_content(piece) in chosen].append(piece)
        for part, to in zip(parts, (rest, aside), strict=True):
            if part:
                to.append("".join(part))
    return rest, aside


def _content(unit: str) -> str:
    """Return what two units must share to be copies: the last line of a text may have no end."""
    return unit.strip()


def _different(pieces: Sequence[Sequence[str]]) -> int:
    """Return the number of different units."""
    return len(set(map(_content, chain.from_iterable(pieces))))


def _pieces_of(texts: Sequence[str]) -> tuple[Kind, list[list[str]]]:
    """Return the kind of the units, and those of each document."""
    best: tuple[Kind, list[list[str]]] = ("documents", [[text] for text in texts])
    most = _different(best[1])
    for kind, split in _SPLITS.items():
        if most >= FEWEST:
            return best
        pieces = [list(split(text)) for text in texts]
        if (different := _different(pieces)) > most:
            best, most = (kind, pieces), different
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
    words = WORD.findall(text)
    words[-1] += text[len(text.rstrip()) :]
    for start in range(0, len(words), WORDS_PER_BLOCK):
        yield "".join(words[start : start + WORDS_PER_BLOCK])


_SPLITS: dict[Kind, Callable[[str], Iterator[str]]] = {
    "paragraphs": _paragraphs,
    "lines": _lines,
    "blocks of words": _blocks,
}
