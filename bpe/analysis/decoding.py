"""Decoding, id by id: read typed ids, list the text that each id adds, and show what a round trip loses."""

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from bpe.analysis.alignment import Cell, Row, character_name, text_label
from bpe.encoding.tokenizer import UNKNOWN_ID, Tokenizer
from bpe.symbols import END_OF_WORD, START_OF_WORD, BPEError, Symbol
from bpe.text.variants import VARIANTS

_MOST_IDS = 100_000
_ID = re.compile(r"[^\s,;\[\](){}]+")
_ONE_LINE = re.compile(r"\s?\S{1,12}|\s")  # parts short enough to be drawn on one line
_NUMBER = re.compile(r"[-−]?[0-9]{1,9}")


def read_ids(text: str) -> list[str]:
    """Split typed ids at white space, commas, semicolons and brackets, and return them as strings.

    Raises BPEError for more than _MOST_IDS of them.

    >>> read_ids("[264, 32, 98]")
    ['264', '32', '98']
    """
    ids: list[str] = _ID.findall(text)
    if len(ids) > _MOST_IDS:
        raise BPEError(f"At most {_MOST_IDS:,} ids can be decoded at once, got {len(ids):,}.")
    return ids


@dataclass(frozen=True, slots=True)
class DecodeStep:
    """One id of a sequence, and what it adds to the text."""

    position: int  # in the sequence, from 0
    given: str  # as typed
    number: int | None  # the id; None for anything but a whole number
    token: Symbol | None  # None for an id that the vocabulary lacks
    text: str  # the characters that this token completes
    pending: bytes  # the bytes of a character that is not complete yet
    problem: str  # one sentence; empty for an id of the vocabulary


def decode_steps(tokenizer: Tokenizer, ids: Sequence[str]) -> Iterator[DecodeStep]:
    """Yield what each id adds, in order. An id that the vocabulary lacks adds nothing and has a `problem`.

    A marker adds the space that it represents, even the last one, which `Tokenizer.decode` leaves out.
    """
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    specials = set(tokenizer.special_ids) - {tokenizer.unknown}
    started = False
    for position, given in enumerate(ids):
        number = int(given.replace("−", "-")) if _NUMBER.fullmatch(given) else None
        token, problem = _look_up_id(tokenizer, given, number, position)
        if token is None:
            yield DecodeStep(position, given, number, None, "", decoder.getstate()[0], problem)
            continue
        if number in specials:
            text = decoder.decode(b"", final=True) + tokenizer.decode([number])
            decoder.reset()
        else:
            marker = tokenizer.variant.marker
            text = decoder.decode(
                token.replace(marker, b" ") if marker in (END_OF_WORD, START_OF_WORD) else token
            )
            if marker == START_OF_WORD and not started:
                text = text.removeprefix(" ")
        started = True
        yield DecodeStep(position, given, number, token, text, decoder.getstate()[0], "")


@dataclass(frozen=True, slots=True)
class _Change:
    """One part of a round trip, before encoding and after decoding. Both are equal if `kind` is "kept"."""

    kind: Literal["kept", "lost", "added", "changed"]
    before: str
    after: str


def _round_trip(before: str, after: str) -> list[_Change]:
    """Return what a round trip through ids changes in a text. Quadratic in the worst case, so meant for a short text.

    >>> [(change.kind, change.before, change.after) for change in _round_trip("a  b", "a b")]
    [('kept', 'a ', 'a '), ('lost', ' ', ''), ('kept', 'b', 'b')]
    """
    kinds: dict[str, Literal["kept", "lost", "added", "changed"]] = {
        "equal": "kept",
        "delete": "lost",
        "insert": "added",
        "replace": "changed",
    }
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [
        _Change(kinds[tag], before[start:end], after[start_after:end_after])
        for tag, start, end, start_after, end_after in matcher.get_opcodes()
    ]


def round_trip_rows(before: str, after: str) -> list[Row]:
    """Return the two texts as aligned rows. A lost part and the part added in its place have the same columns."""
    rows: tuple[list[Cell], list[Cell]] = ([], [])
    column = 0
    for change in _round_trip(before, after):
        size = max(len(change.before), len(change.after))
        if change.kind == "kept":
            for match in _ONE_LINE.finditer(change.before):
                start, end = column + match.start(), column + match.end()
                for cells in rows:
                    cells.append(Cell(start, end, text_label(match.group()), "comes back as it was", "kept"))
        else:
            rows[0].extend(_changed_cells(column, change.before, "lost"))
            rows[1].extend(_changed_cells(column, change.after, "added"))
        column += size
    return [Row("before", "Typed", tuple(rows[0])), Row("after", "Comes back", tuple(rows[1]))]


def _look_up_id(
    tokenizer: Tokenizer, given: str, number: int | None, position: int
) -> tuple[Symbol | None, str]:
    last = len(tokenizer.vocabulary) - 1
    if number is None:
        return None, f"“{given[:40]}” at position {position} is not a whole number."
    if number == UNKNOWN_ID:
        return "\ufffd".encode(), ""
    if not 0 <= number <= last:
        return None, f"{number} at position {position} is not an id: ids go from 0 to {last}."
    return tokenizer.vocabulary[number], ""


def _changed_cells(column: int, text: str, kind: Literal["lost", "added"]) -> Iterator[Cell]:
    about = "does not come back" if kind == "lost" else "was not typed like this"
    for start, character in enumerate(text, start=column):
        label = VARIANTS["bytes"].label(character.encode("utf-8", "replace"))
        yield Cell(start, start + 1, label, f"{character_name(character)}: {about}", kind)
