"""Spreadsheets: CSV files whose texts no spreadsheet runs as formulas."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

# What a spreadsheet may run, even behind apostrophes: otherwise a reader cannot tell which ones `in_cell` has added.
SIGNS = r"=+\-@\uff1d\uff0b\uff0d\uff20"
FORMULA_START = re.compile(rf"'*([\s\0]*[{SIGNS}]|[\t\r\n])")  # LibreOffice leaves NUL out
# Where a spreadsheet that separates cells by another sign than a comma begins one within a text; the quotation marks
# around the text then count for nothing.
_BEGIN, _FORMULA = r"(?<=[;|\t\r\n])", rf"(?=(?:[^\S\t\r\n]|[\"'\0])*[{SIGNS}])"
CELL_START = re.compile(_BEGIN + _FORMULA)
CELL_MARK = re.compile(f"{_BEGIN}'{_FORMULA}")


def in_cell(value: object) -> object:
    """Put an apostrophe before a text that a spreadsheet would run as a formula, such as `=1+1`.

    OWASP advises this against CSV injection. Another apostrophe goes behind each `;`, `|`, tab or line end that a
    formula follows, since a spreadsheet may begin a new cell there. Numbers stay numbers. `from_cell` gives the text
    back.

    >>> in_cell("=1+1"), in_cell("'=1+1"), in_cell("a;=1"), in_cell(-3)
    ("'=1+1", "''=1+1", "a;'=1", -3)
    """
    if not isinstance(value, str):
        return value
    return ("'" if FORMULA_START.match(value) else "") + CELL_START.sub("'", value)


def from_cell(text: str) -> str:
    """Return the text that `in_cell` wrote, as docs/hosting.md says how.

    >>> from_cell("'=1+1"), from_cell("''tis")
    ('=1+1', "''tis")
    """
    text = CELL_MARK.sub("", text)
    return text[1:] if text.startswith("'") and FORMULA_START.match(text) else text


def csv_file(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    r"""Return a CSV file in UTF-8 with a byte-order mark, which Excel needs. Texts are quoted, formulas disarmed.

    >>> csv_file(["token", "count"], [["=a", 2]]).decode("utf-8-sig")
    '"token","count"\r\n"\'=a",2\r\n'
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([in_cell(name) for name in header])
    writer.writerows([in_cell(value) for value in row] for row in rows)
    return file.getvalue().encode("utf-8-sig", "backslashreplace")  # a file's name may hold lone surrogates
