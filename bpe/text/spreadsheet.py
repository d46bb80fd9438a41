"""Spreadsheets: CSV files whose texts no spreadsheet runs as formulas."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

# What a spreadsheet may run, even behind apostrophes: otherwise a reader cannot tell which ones `in_cell` has added.
FORMULA_START = re.compile(r"'*(\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])")


def in_cell(value: object) -> object:
    """Put an apostrophe before a text that a spreadsheet would run as a formula, such as `=1+1`.

    OWASP advises this against CSV injection. Numbers stay numbers. `from_cell` gives the text back.

    >>> in_cell("=1+1"), in_cell("'=1+1"), in_cell(-3)
    ("'=1+1", "''=1+1", -3)
    """
    return "'" + value if isinstance(value, str) and FORMULA_START.match(value) else value


def from_cell(text: str) -> str:
    """Return the text that `in_cell` wrote, as docs/hosting.md says how.

    >>> from_cell("'=1+1"), from_cell("''tis")
    ('=1+1', "''tis")
    """
    return text[1:] if text.startswith("'") and FORMULA_START.match(text) else text


def csv_file(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    r"""Return a CSV file in UTF-8 with a byte-order mark, which Excel needs. Texts are quoted, formulas disarmed.

    >>> csv_file(["token", "count"], [["=a", 2]]).decode("utf-8-sig")
    '"token","count"\r\n"\'=a",2\r\n'
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(header)
    writer.writerows([in_cell(value) for value in row] for row in rows)
    return file.getvalue().encode("utf-8-sig", "backslashreplace")  # a file's name may hold lone surrogates
