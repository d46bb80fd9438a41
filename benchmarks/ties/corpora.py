"""The corpora of the study: texts in pieces, some held out, the others in nested parts of several sizes."""

import hashlib
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import texts

LEAST_CHARACTERS = 3_000  # of a sample that takes part
PIECES = 400  # of a long text
SHORTEST_PIECE = 60  # characters
PYTHON_CHARACTERS = 1_000_000


@dataclass(frozen=True, slots=True)
class Corpus:
    """A text with a title."""

    title: str
    text: str

    @property
    def sha256(self) -> str:
        """Hash of the text in UTF-8."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Split:
    """The pieces of a corpus, some of which no training sees."""

    pieces: tuple[str, ...]
    held_out: tuple[int, ...]  # numbers of pieces, in a drawn order
    training: tuple[int, ...]  # the other numbers, in a drawn order

    def documents(self, numbers: Sequence[int]) -> list[str]:
        """Return the text of these pieces in the order of the corpus. Neighbours are one document."""
        documents: list[str] = []
        before = -2
        for number in sorted(numbers):
            if number == before + 1:
                documents[-1] += self.pieces[number]
            else:
                documents.append(self.pieces[number])
            before = number
        return documents


def samples() -> list[Corpus]:
    """Return the sample corpora of a few thousand characters or more."""
    rows = tomllib.loads((texts.SAMPLES / "samples.toml").read_text("utf-8"))["samples"]
    corpora = [
        Corpus(row["title"], _read(texts.SAMPLES / row["file"])) for row in rows if row["kind"] == "text"
    ]
    return [corpus for corpus in corpora if len(corpus.text) >= LEAST_CHARACTERS]


def python_source() -> Corpus:
    """Return a part of the standard library of the Python that runs."""
    return Corpus("Python's standard library", texts.source(PYTHON_CHARACTERS))


def from_file(name: str) -> Corpus:
    """Return the corpus of a file, named as FILE or TITLE=FILE."""
    title, _, file = name.rpartition("=")
    return Corpus(title or Path(file).name, _read(Path(file)))


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig")


def split(text: str, share: float, seed: int) -> Split:
    """Return the text in pieces, of which a share is held out. The same seed draws the same pieces everywhere."""
    pieces = cut(text)
    drawn = sorted(
        range(len(pieces)), key=lambda number: hashlib.sha256(f"{seed}:{number}".encode()).digest()
    )
    most = round(share * len(pieces))
    return Split(pieces, tuple(drawn[:most]), tuple(drawn[most:]))


def cut(text: str, most: int = PIECES) -> tuple[str, ...]:
    r"""Return the text in pieces of similar length, cut after a line end or before a space where one is near.

    >>> cut("low lower lowest " * 6)
    ('low lower lowest low lower lowest low lower lowest low lower', ' lowest low lower lowest low lower lowest ')
    """
    length = max(SHORTEST_PIECE, len(text) // most)
    pieces: list[str] = []
    begin = 0
    while len(text) - begin > length * 3 // 2:
        low, middle, high = begin + length // 2, begin + length, begin + length * 3 // 2
        line = text.rfind("\n", low, high) + 1
        space = text.rfind(" ", low, middle + 1)
        end = line or (space if space > 0 else middle)
        pieces.append(text[begin:end])
        begin = end
    return (*pieces, text[begin:])


def sizes(split: Split, least: int) -> list[tuple[int, ...]]:
    """Return parts of the training pieces, each within the next: …, a quarter, all; none below `least` bytes."""
    parts: list[tuple[int, ...]] = []
    numbers = split.training
    while numbers and sum(len(split.pieces[number].encode()) for number in numbers) >= least:
        parts.append(numbers)
        numbers = numbers[: len(numbers) // 4]
    return parts[::-1]
