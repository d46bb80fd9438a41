"""Held-out text: text that no training has read, in units that are counted and set aside.

The units are its documents. If there are too few different ones, they are split further: into paragraphs, into lines,
or into blocks of consecutive words. Joined in order, the units of a document are the document. Copies of a unit add no
information, so only different units are counted to decide whether there are enough.

Its words are the pre-tokens with a letter or a digit. If the lanes split text differently, or do not split it into
words at all, the words between white space are compared, by the boundaries inside them, in their context.

If nobody names a text, it is every tenth part of the training text if that is enough for an answer: no other text is as
similar. If the text is too short or repeats itself, the lanes train on all of it. Then the held-out text is the sample
that shares most words with it, or an example sentence.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, chain, islice
from pathlib import Path
from typing import Literal

from bpe.checkpoints import checkpoint, in_parts, with_checkpoints
from bpe.comparison.learned import same_words
from bpe.comparison.words import (
    LINE,
    EncodedText,
    Splits,
    WordUnderTraces,
    is_word,
    segment_words,
    split_words,
    under_traces,
    words_between_spaces,
)
from bpe.settings.request import Text
from bpe.symbols import BPEError
from bpe.text.normalizing import Span
from bpe.trace.trace import Trace

_Kind = Literal["documents", "paragraphs", "lines", "blocks of words"]
FEWEST = 20  # different units of a text that can be held out
_WORDS_PER_BLOCK = 20
_WORD = re.compile(r"\s*\S+")
EVERY = 10  # one of this many different units is set aside
_WORDS = 8  # of a word sequence
_TRAINED = 0.5  # share of the held-out text's word sequences that may not occur in the corpus
KNOWN = 0.1  # share of the held-out word occurrences whose word must be in the corpus
EXAMPLE = "the newest towers are lower than the widest and highest hills, and the lowest is the oldest"
_READ = 1_000_000  # characters of the training text that are read to choose a held-out text
_SIMILAR = 2 / 3  # of the largest share of known words: samples with more are similar enough
MOST_OVERLAP = 0.05  # share of a sample's word sequences that may occur in the training text
TOO_SHORT = "your text is too short to keep a part of it for testing"
_REPEATED = "your text repeats itself too much to set a part of it aside"
_SAMPLES = Path(__file__).parents[2] / "sample_corpora"


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A held-out text in units."""

    kind: _Kind  # what the units are
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
        return [unit.strip("\r\n") for unit in self.units]

    @property
    def different_units(self) -> int:
        """Number of different units: copies count once."""
        return _different(self.units_of)

    @property
    def has_enough(self) -> bool:
        """Whether there are enough different units for an answer."""
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
            f"{FEWEST * _WORDS_PER_BLOCK} words."
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


@dataclass(frozen=True, slots=True)
class HeldOutWords:
    """The words of a held-out text, segmented by every trace."""

    words: tuple[WordUnderTraces, ...]
    are_pre_tokens: bool  # not words between white space


def held_out_words(
    traces: Sequence[Trace],
    text: HeldOut,
    encoded: Sequence[Sequence[EncodedText]],
    *,
    by_line: bool = False,
) -> HeldOutWords:
    """Return the words of a held-out text under each trace, after its last merge.

    `encoded` holds the documents of the text under each trace. `by_line`: each line is encoded by itself.
    """
    total = pre_tokens_of(traces, text, by_line)
    if total is not None:
        return HeldOutWords(tuple(segment_words(traces, total)), True)
    found: Counter[tuple[str, Splits]] = Counter()
    for units, *of_traces in zip(text.units_of, *encoded, strict=True):
        checkpoint()
        spans = [span for unit in held_out_spans(units) for span in unit]
        found.update(split_words("".join(units), spans, of_traces))
    return HeldOutWords(tuple(under_traces(found)), False)


def pre_tokens_of(traces: Sequence[Trace], text: HeldOut, by_line: bool) -> Counter[str] | None:
    """Return the pre-tokens of a text that are words, with their frequencies.

    Return None if the traces split text differently, or if a pre-token holds several words, as in a variant that does
    not split.
    """
    if not same_words(traces):
        return None
    request, variant = traces[0].request, traces[0].variant
    total: Counter[str] = Counter()
    for unit in text.units_without_ends:
        checkpoint()
        texts = LINE.findall(unit) if by_line else [unit]
        parts = Counter(pre_token for part in request.documents(texts) for pre_token in variant.split(part))
        if any(len(pre_token.split()) > 1 for pre_token in parts):
            return None
        total.update({word: count for word, count in parts.items() if is_word(word)})
    return total


def held_out_spans(units: Sequence[str]) -> list[list[Span]]:
    """Return where the words between white space are in each unit, in characters of the document that they join to."""
    starts = accumulate(map(len, units), initial=0)
    return [list(_spans(unit, start)) for unit, start in zip(units, starts, strict=False)]


def text_overlap(units: Sequence[str], corpus: Iterable[str]) -> float:
    """Return which share of the word sequences of these units of text occurs in the corpus.

    Sequences of 8 words are compared, as Radford et al. 2019 (Language models are unsupervised multitask learners,
    section 4) do. White space between words is ignored.

    >>> text_overlap(["a b c d e f g h i"], ["x a b c d e f g h y"])
    0.5
    """
    sequences = [sequence for unit in units for sequence in _sequences(unit.split())]
    wanted = set(sequences)
    present = {
        sequence
        for document in corpus
        for sequence in chain.from_iterable(in_parts(_sequences(document.split())))
        if sequence in wanted
    }
    return sum(sequence in present for sequence in sequences) / len(sequences) if sequences else 0.0


@dataclass(frozen=True, slots=True)
class HeldOutText:
    """Documents that no lane is trained on."""

    title: str  # what they are, for the middle of a sentence
    documents: tuple[str, ...]
    is_part: bool = False  # of the training text
    # why it is not part of the training text, for the end of a sentence; "" if it is, or was chosen
    reason: str = ""

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
    least = FEWEST * EVERY
    lines = sum(bool(line.strip()) for text in documents for line in text.split("\n"))
    if lines < least and sum(len(text.split()) for text in documents) < least * _WORDS_PER_BLOCK:
        return TOO_SHORT
    whole = held_out(documents)
    if not whole.has_enough:
        return _REPEATED
    rest, aside = set_aside(documents)
    part = held_out(aside)
    if part.has_enough:
        overlap = text_overlap(_beginning(part.texts), _beginning(rest))
        return _REPEATED if overlap >= _TRAINED else ""
    # With its copies, would a part of the same size have enough units?
    with_copies = held_out(whole.units[EVERY - 1 :: EVERY])
    return TOO_SHORT if len(with_copies.units) < FEWEST else _REPEATED


def with_part_aside(documents: Sequence[str]) -> tuple[list[str], HeldOutText]:
    """Return (the rest of the documents, the part that `set_aside` takes). Raises the same BPEError."""
    rest, aside = set_aside(documents)
    return rest, HeldOutText("every tenth part of your text, which is set aside", tuple(aside), is_part=True)


def other_text(text: Text) -> HeldOutText:
    """Return the sample that shares most words with the text and is not part of it; else an example sentence."""
    reading = _reading(text)[:_READ]
    words = set(reading.split())

    def known(sample: str) -> float:
        own = sample.split()
        return sum(word in words for word in own) / len(own)

    def overlaps(sample: str) -> bool:
        return text_overlap([sample], [reading]) > MOST_OVERLAP

    share_of = {
        title: share
        for title, sample in _samples().items()
        if (share := known(sample)) >= KNOWN and held_out([sample]).has_enough and not overlaps(sample)
    }
    if not share_of:
        return HeldOutText("an example sentence", (EXAMPLE,))
    most = max(share_of.values())
    similar = [title for title, share in share_of.items() if share >= max(KNOWN, most * _SIMILAR)]
    title = max(similar, key=lambda title: len(_samples()[title]))
    return HeldOutText(f"the sample “{title}”", (_samples()[title],))


@cache
def _samples() -> Mapping[str, str]:
    """Return the sample texts that come with the app, by title; none where they are not installed."""
    file = _SAMPLES / "samples.toml"
    if not file.is_file():
        return {}
    rows = tomllib.loads(file.read_text("utf-8"))["samples"]
    # Bytes, since reading text would turn CRLF into LF.
    return {
        row["title"]: (_SAMPLES / row["file"]).read_bytes().decode() for row in rows if row["kind"] == "text"
    }


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the text in pieces, each of which begins after an empty line."""
    return _pieces(text, lambda before: not before.strip())


def _lines(text: str) -> Iterator[str]:
    return _pieces(text, lambda before: True)


def _blocks(text: str) -> Iterator[str]:
    words = _WORD.findall(text)
    words[-1] += text[len(text.rstrip()) :]
    for start in range(0, len(words), _WORDS_PER_BLOCK):
        yield "".join(words[start : start + _WORDS_PER_BLOCK])


_SPLITS: dict[_Kind, Callable[[str], Iterator[str]]] = {
    "paragraphs": _paragraphs,
    "lines": _lines,
    "blocks of words": _blocks,
}


def _content(unit: str) -> str:
    """Return what two units must share to be copies: the last line of a text may have no end."""
    return unit.strip()


def _different(pieces: Sequence[Sequence[str]]) -> int:
    """Return the number of different units."""
    return len(set(map(_content, chain.from_iterable(pieces))))


def _pieces_of(texts: Sequence[str]) -> tuple[_Kind, list[list[str]]]:
    """Return the kind of the units, and those of each document."""
    best: tuple[_Kind, list[list[str]]] = ("documents", [[text] for text in texts])
    most = _different(best[1])
    for kind, split in _SPLITS.items():
        if most >= FEWEST:
            return best
        pieces = [list(split(text)) for text in texts]
        if (different := _different(pieces)) > most:
            best, most = (kind, pieces), different
    return best


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


def _spans(unit: str, offset: int) -> Iterator[Span]:
    return (
        (offset + start, offset + end)
        for start, end in words_between_spaces(unit)
        if is_word(unit[start:end])
    )


def _sequences(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(islice(words, start, None) for start in range(_WORDS)), strict=False)


def _beginning(texts: Sequence[str]) -> list[str]:
    """Return the first READ characters of the texts."""
    starts = accumulate(map(len, texts), initial=0)
    return [text[: _READ - start] for text, start in zip(texts, starts, strict=False) if start < _READ]


def _reading(text: Text) -> str:
    if isinstance(text, str):
        return text
    return " ".join(text) if isinstance(text, Mapping) else "\n".join(text)
