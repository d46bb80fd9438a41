"""The default held-out text: what no lane is trained on if nobody names a text.

It is every tenth part of the training text if that is enough for an answer: no other text is as similar. If the text is
too short or repeats itself, the lanes train on all of it. Then the held-out text is the sample that shares most words
with it, or an example sentence.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from pathlib import Path

from bpe.analysis.significance.held_out import EVERY, FEWEST, WORDS_PER_BLOCK, HeldOut, held_out, set_aside
from bpe.analysis.significance.text_overlap import text_overlap
from bpe.analysis.significance.verdict import KNOWN, TRAINED
from bpe.settings.request import Text

EXAMPLE = "the newest towers are lower than the widest and highest hills, and the lowest is the oldest"
READ = 1_000_000  # characters of the training text that are read to choose a held-out text
SIMILAR = 2 / 3  # of the largest share of known words: samples with more are similar enough
MOST_OVERLAP = 0.05  # share of a sample's word sequences that may occur in the training text
TOO_SHORT = "your text is too short to keep a part of it for testing"
REPEATED = "your text repeats itself too much to set a part of it aside"
SAMPLES = Path(__file__).parents[3] / "sample_corpora"


@dataclass(frozen=True, slots=True)
class HeldOutText:
    """Documents that no lane is trained on."""

    title: str  # what they are, for the middle of a sentence
    documents: tuple[str, ...]
    is_part: bool = False  # of the training text
    reason: str = (
        ""  # why it is not part of the training text, for the end of a sentence; "" if it is, or was chosen
    )

    @property
    def about(self) -> str:
        """The title, and why it is not part of the training text."""
        return f"{self.title}, because {self.reason}" if self.reason else self.title

    @property
    def text(self) -> str:
        """All documents, one below the other."""
        return "\n".join(self.documents)


def default_held_out(text: Text) -> tuple[Text, HeldOutText]:
    """Return (the text to train on, the held-out text).

    >>> default_held_out("low lower lowest")[1].title
    'an example sentence'
    >>> rest, aside = default_held_out([f"line {number} of the text" for number in range(200)])
    >>> len(rest), len(aside.documents), aside.is_part
    (180, 20, True)
    """
    if isinstance(text, Mapping):
        return text, other_text(text)
    documents = [text] if isinstance(text, str) else list(text)
    reason = why_no_part(documents)
    if not reason:
        return with_part_aside(documents)
    return documents, replace(other_text(documents), reason=reason)


def why_no_part(documents: Sequence[str]) -> str:
    """Return why no part of these documents is a good held-out text, for the end of a sentence; "" if one is.

    A part is good if it has enough different units for an answer, and most of it does not occur in the rest.
    """
    if _is_short(documents):
        return TOO_SHORT
    whole = held_out(documents)
    if not whole.has_enough:
        return REPEATED
    rest, aside = set_aside(documents)
    part = held_out(aside)
    if part.has_enough:
        return REPEATED if _occurs(part, rest) else ""
    # With its copies, would a part of the same size have enough units?
    with_copies = held_out(whole.units[EVERY - 1 :: EVERY])
    return TOO_SHORT if len(with_copies.units) < FEWEST else REPEATED


def _is_short(documents: Sequence[str]) -> bool:
    """Return whether the text has too few units of every kind to take a large enough part from it."""
    least = FEWEST * EVERY
    lines = sum(bool(line.strip()) for text in documents for line in text.split("\n"))
    return lines < least and sum(len(text.split()) for text in documents) < least * WORDS_PER_BLOCK


def _occurs(part: HeldOut, rest: Sequence[str]) -> bool:
    """Return whether at least half of a part's word sequences occur in the rest. Reads READ characters of each."""
    overlap = text_overlap(_beginning(part.texts), _beginning(rest))
    return overlap is not None and overlap.share >= TRAINED


def _beginning(texts: Sequence[str]) -> list[str]:
    """Return the first READ characters of the texts."""
    starts = accumulate(map(len, texts), initial=0)
    return [text[: READ - start] for text, start in zip(texts, starts, strict=False) if start < READ]


def with_part_aside(documents: Sequence[str]) -> tuple[list[str], HeldOutText]:
    """Return (the rest of the documents, the part that `set_aside` takes). Raises the same BPEError."""
    rest, aside = set_aside(documents)
    return rest, HeldOutText("every tenth part of your text, which is set aside", tuple(aside), is_part=True)


def other_text(text: Text) -> HeldOutText:
    """Return the sample that shares most words with the text and is not part of it; else an example sentence."""
    reading = _reading(text)[:READ]
    words = set(reading.split())

    def known(sample: str) -> float:
        own = sample.split()
        return sum(word in words for word in own) / len(own)

    def overlaps(sample: str) -> bool:
        overlap = text_overlap([sample], reading)
        return overlap is not None and overlap.share > MOST_OVERLAP

    share_of = {
        title: share
        for title, sample in samples().items()
        if (share := known(sample)) >= KNOWN and held_out([sample]).has_enough and not overlaps(sample)
    }
    if not share_of:
        return HeldOutText("an example sentence", (EXAMPLE,))
    most = max(share_of.values())
    similar = [title for title, share in share_of.items() if share >= max(KNOWN, most * SIMILAR)]
    title = max(similar, key=lambda title: len(samples()[title]))
    return HeldOutText(f"the sample “{title}”", (samples()[title],))


def _reading(text: Text) -> str:
    if isinstance(text, str):
        return text
    return " ".join(text) if isinstance(text, Mapping) else "\n".join(text)


@cache
def samples() -> Mapping[str, str]:
    """Return the sample texts that come with the app, by title; none where they are not installed."""
    file = SAMPLES / "samples.toml"
    if not file.is_file():
        return {}
    rows = tomllib.loads(file.read_text("utf-8"))["samples"]
    # Bytes, since reading text would turn CRLF into LF.
    return {
        row["title"]: (SAMPLES / row["file"]).read_bytes().decode() for row in rows if row["kind"] == "text"
    }
