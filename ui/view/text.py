"""Prepare text for the screen: escape user text for Markdown and plotly. Spreadsheets have a module in the core."""

import html
import re
from collections.abc import Iterable

from bpe.text.display import FORMULA_START as FORMULA_START
from bpe.text.display import SURROGATES as SURROGATES
from bpe.text.display import character_name
from bpe.text.display import csv_file as csv_file
from bpe.text.display import from_cell as from_cell
from bpe.text.display import in_cell as in_cell
from bpe.text.display import well_formed as well_formed

_MARKDOWN_ACTIVE = re.compile(
    r"[\\`*_\[\]<>~$&|]"
    r"|^[#+\-=]"  # headings, lists, rules
    r"|(?<=\d)[.)](?=\s)"  # numbered lists
    r"|:(?=\w|$)"  # directives
)
# Streamlit replaces these after Markdown has read the text, so that no backslash helps. Matches are positions inside.
_REPLACED_LATER = re.compile(
    r"(?<=:)(?=//|[\w+/-]+:)|(?<=www)(?=\.)|(?=@)"  # addresses, emoji, icons
    r"|(?<=-)(?=[->])|(?<=[<>~=])(?=[-=>])",  # dashes, arrows and signs such as ≥
    re.IGNORECASE,
)
_NOTHING = ":gray[]"  # an empty piece of text, across which Streamlit replaces nothing
_LINE_BREAKS = re.compile(r"[\r\n\u2028\u2029\x0b\x0c\x85]+")
# Control characters, and those that change the direction of what comes after them: the rest of our sentence.
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def shortened(text: str, most: int = 60) -> str:
    r"""Return the text on one line, well-formed. Leaves out the middle if it has more than `most` characters.

    Characters that would reverse the sentence around it, and control characters, have their names.

    >>> shortened("abcdefgh", most=5), shortened("low\u202e")
    ('ab…gh', 'low<RLO>')
    """
    line = _CONTROLS.sub(
        lambda control: f"<{character_name(control[0])}>", _LINE_BREAKS.sub(" ", well_formed(text))
    )
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
    return _NOTHING.join(_MARKDOWN_ACTIVE.sub(r"\\\g<0>", part) for part in _REPLACED_LATER.split(line))


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
