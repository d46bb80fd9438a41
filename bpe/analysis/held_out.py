"""Held-out text: text that no training has read, in the units over which measures are resampled.

The units are its documents. If there are too few of them, they are split further: into paragraphs, into lines, or into
blocks of consecutive words. Each unit is encoded on its own.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from bpe.checkpoints import with_checkpoints

Kind = Literal["documents", "paragraphs", "lines", "blocks of words"]

FEWEST = 20  # units; percentile intervals over fewer of them are too narrow
WORDS_PER_BLOCK = 20
WORD = re.compile(r"\s*\S+")


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A held-out text in units. No character is lost but white space at the end of a text that is split into blocks."""

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
    texts = [text for text in documents if text.strip()]
    best = HeldOut(len(texts), "documents", tuple(texts))
    for kind, split in _SPLITS.items():
        if best.has_enough:
            return best
        units = tuple(unit for text in texts for unit in split(text))
        if len(units) > len(best.units):
            best = HeldOut(len(texts), kind, units)
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
