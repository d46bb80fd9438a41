"""A comparison to report: its lanes, its texts, and the evidence."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from bpe import Trace
from bpe.comparison.evidence import Evidence
from film.page import FilmLane


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text that was read: its name, its size and its hash, for the manifest."""

    name: str
    characters: int
    size: int  # in bytes
    sha256: str

    @classmethod
    def of_text(cls, name: str, text: str) -> "SourceText":
        """Return the description of a text, as it is in UTF-8."""
        return cls.of_bytes(name, text.encode("utf-8", "surrogatepass"), len(text))

    @classmethod
    def of_bytes(cls, name: str, content: bytes, characters: int) -> "SourceText":
        """Return the description of a file's content."""
        return cls(name, characters, len(content), hashlib.sha256(content).hexdigest())


@dataclass(frozen=True, slots=True)
class ComparedLane:
    """One training, or one replay of a tokenizer from a file."""

    title: str
    about: str  # who uses the rule, or which trainer was imitated and how that was checked
    trace: Trace
    files: tuple[SourceText, ...] = ()  # that the tokenizer comes from, if it was not trained


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Comparison:
    """All that a report is made from."""

    title: str
    lanes: tuple[ComparedLane, ...]
    training: tuple[SourceText, ...]
    held_out: tuple[SourceText, ...]
    evidence: Evidence
    film: Sequence[FilmLane]  # the lanes, drawn
    trained_characters: int | None = None  # of the training texts, if a part of them is the held-out text
    note: str = ""  # a sentence on how the lanes were trained

    @property
    def names(self) -> list[str]:
        """Titles of the lanes."""
        return [lane.title for lane in self.lanes]
