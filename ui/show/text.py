"""Prepare text for the screen and for files: escape user text for Markdown, plotly and spreadsheets."""

import csv
import html
import io
import re
from collections.abc import Iterable, Sequence

MARKDOWN_ACTIVE = re.compile(
    r"[\\`*_\[\]<>~$&|]"
    r"|^[#+\-=]"  # headings, lists, rules
    r"|(?<=\d)[.)](?=\s)"  # numbered lists
    r"|:(?=\w|$)"  # directives
)
# Streamlit replaces these after Markdown has read the text, so that no backslash helps. Matches are positions inside.
REPLACED_LATER = re.compile(
    r"(?<=:)(?=//|[\w+/-]+:)|(?<=www)(?=\.)|(?=@)"  # addresses, emoji, icons
    r"|(?<=-)(?=[->])|(?<=[<>~=])(?=[-=>])",  # dashes, arrows and signs such as ≥
    re.IGNORECASE,
)
NOTHING = ":gray[]"  # an empty piece of text, across which Streamlit replaces nothing
SURROGATES = re.compile("[\ud800-\udfff]")
LINE_BREAKS = re.compile(r"[\r\n\u2028\u2029\x0b\x0c\x85]+")
# What a spreadsheet may run, also behind apostrophes: only so can a reader tell which ones `in_cell` has put there.
FORMULA_START = re.compile(r"'*(\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])")


def well_formed(text: str) -> str:
    r"""Return the text with U+FFFD for every lone surrogate: half a character, which nothing can show or send.

    >>> well_formed("a\ud83d")
    'a\ufffd'
    """
    return SURROGATES.sub("\ufffd", text)


def shortened(text: str, most: int = 60) -> str:
    """Return the text on one line, well-formed. Leaves out the middle if it has more than `most` characters.

    >>> shortened("abcdefgh", most=5)
    'ab…gh'
    """
    line = LINE_BREAKS.sub(" ", well_formed(text))
    if len(line) <= most:
        return line
    half = (most - 1) // 2
    return f"{line[:half]}…{line[len(line) - half :]}"


def in_markdown(text: str, most: int = 60) -> str:
    r"""Escape the text for Markdown, including Streamlit's own `:red[…]`, `:smile:` and `$…$`.

    >>> in_markdown("*a* $b$"), in_markdown("a -> b")
    ('\\*a\\* \\$b\\$', 'a -:gray[]\\> b')
    """
    return _escaped(shortened(text, most).strip())


def _escaped(line: str) -> str:
    return NOTHING.join(MARKDOWN_ACTIVE.sub(r"\\\g<0>", part) for part in REPLACED_LATER.split(line))


def tokens_in_markdown(pieces: Iterable[tuple[str, bool]]) -> str:
    r"""Return a sentence of ours with its tokens as code, from (text, whether it is a token).

    >>> tokens_in_markdown([("Pick ", False), ("</w>", True), (" *now*.", False)])
    'Pick `</w>` \\*now\\*.'
    """
    return "".join(f"`{text}`" if is_token else _escaped(text) for text, is_token in pieces)


def in_chart(text: str, most: int = 40) -> str:
    """Escape the text for plotly, which reads `<b>` and entities in every label.

    >>> in_chart("<b>&")
    '&lt;b&gt;&amp;'
    """
    return html.escape(shortened(text, most), quote=False)


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
    return file.getvalue().encode("utf-8-sig")
