"""Records: the texts of one field of JSON Lines, or of one column of CSV, in place of keys, quotes and commas."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from bpe.checks import shortened_repr
from bpe.symbols import BPEError
from bpe.text.display import counted, listed

_TABLES = {".csv": ",", ".tsv": "\t"}  # what separates the columns
_LOOKED_AT = 100  # records, to find the fields
_MOST_LISTED = 12  # fields in a sentence

csv.field_size_limit(1 << 24)  # characters


def is_records(name: str) -> bool:
    """Return whether a file's name says that it holds JSON Lines, whose keys and quotes are no text."""
    return Path(name).suffix.lower() in (".jsonl", ".ndjson")


def is_table(name: str) -> bool:
    """Return whether a file's name says that it holds a table, which is also read as one text."""
    return Path(name).suffix.lower() in _TABLES


def text_fields(lines: Iterable[str], name: str) -> dict[str, str]:
    r"""Return the fields of a file that hold text, each with the first text there, in the order of the file.

    The first records are looked at. Raises BPEError, with the line, for what is no such file.

    >>> text_fields(['{"id": 1, "text": "low"}\n', '{"id": 2, "text": "lower", "by": "me"}\n'], "a.jsonl")
    {'text': 'low', 'by': 'me'}
    """
    found: dict[str, str] = {}
    for _, record in islice(_records(lines, name), _LOOKED_AT):
        for field, value in record.items():
            if isinstance(value, str) and value.strip():
                found.setdefault(field, value)
    return found


def texts_of(lines: Iterable[str], field: str, name: str) -> Iterator[str]:
    r"""Yield the text of a field in each record, in order. Records without it are left out.

    Raises BPEError, with the line, for a record whose field is no text, and if no record has the field.

    >>> list(texts_of(["id,text\n", '1,"low, lower"\n', "2,\n"], "text", "a.csv"))
    ['low, lower']
    """
    others: dict[str, None] = {}
    found = False
    for number, record in _records(lines, name):
        value = record.get(field)
        if value is not None and not isinstance(value, str):
            raise BPEError(
                f"{name}, line {number}: the field {field!r} must hold text, got {shortened_repr(value)}."
            )
        if value:
            found = True
            yield value
        elif not found:
            others |= dict.fromkeys(record) if len(others) < _MOST_LISTED else {}
    if not found:
        names = [one for one in others if one != field][:_MOST_LISTED]
        fields = f": the fields are {listed(names)}" if names else ""
        raise BPEError(f"{name}: no record has a text in the field {shortened_repr(field)}{fields}.")


def only_field(fields: Mapping[str, str], name: str) -> str:
    """Return the only field that holds text. Raises BPEError, with the names of the fields, if there are several."""
    if len(fields) == 1:
        return next(iter(fields))
    if not fields:
        raise BPEError(f"{name}: expected JSON Lines, one object on each line, with a field that holds text.")
    names = listed([*islice(fields, _MOST_LISTED)], "or")
    raise BPEError(
        f"{name}: its records have {counted(len(fields), 'field')} of text; choose one with --field: {names}."
    )


def _records(lines: Iterable[str], name: str) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the number of the line and the fields of each record."""
    separator = _TABLES.get(Path(name).suffix.lower())
    if separator is None:
        yield from _json_lines(lines, name)
        return
    table = csv.reader(lines, delimiter=separator)
    try:
        columns = next(table, [])
        for row in table:
            yield table.line_num, dict(zip(columns, row, strict=False))
    except csv.Error as error:
        raise BPEError(f"{name}, line {table.line_num}: expected a table: {error}.") from None


def _json_lines(lines: Iterable[str], name: str) -> Iterator[tuple[int, dict[str, object]]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            why = error.msg if isinstance(error, json.JSONDecodeError) else "it cannot be read"
            raise BPEError(f"{name}, line {number}: expected a JSON object on the line: {why}.") from None
        if not isinstance(record, dict):
            raise BPEError(f"{name}, line {number}: expected a JSON object, got {shortened_repr(record)}.")
        yield number, record
