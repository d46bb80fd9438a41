"""How many tokens a finished tokenizer makes of a text: the line of a stage, and the way to the rows of all of them.

Watch shows it of a tokenizer whose merges it replays, and Encode of the one that encodes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from bpe.text.display import counted
from published.rows import PUBLISHED
from ui.shown import same_text
from ui.trainings.corpus import MOST_PASTED
from ui.view.text import shortened

_LONGEST_NAME = 40  # characters of a tokenizer's name


@dataclass(frozen=True, slots=True)
class TokenCount:
    """How many tokens a tokenizer makes of some texts, each on its own."""

    name: str  # of the tokenizer
    tokens: int
    characters: int
    texts: Sequence[str] = ()  # none of a word list: no other tokenizer counts its words as they are
    unknown: int = 0  # tokens of characters that the vocabulary lacks


def draw_way_to_rows(count: TokenCount, place: str) -> None:
    """Draw a button that shows how all published tokenizers split the texts. A stage above it shows the line.

    place: names the place on a page, and ends the key.
    """
    text = "\n".join(count.texts)
    if not count.texts or len(text) > MOST_PASTED:
        return
    if st.button(
        f"See it under all {len(PUBLISHED)} published tokenizers →",
        key=f"token_count_all_{place}",
        type="tertiary",
        on_click=same_text.open_page,
        args=("tokenizers", text),
    ):
        st.rerun()  # on Watch only the fragment around the stage runs, and the page opens another one


def count_line(count: TokenCount) -> dict[str, str]:
    """Return the line as film/browser/stage/parts.js writes it."""
    number, noun = counted(count.tokens, "token").split(" ")
    return {"number": number, "noun": noun, "rest": _rest(count)}


def _rest(count: TokenCount) -> str:
    """Return what follows the number of tokens.

    >>> _rest(TokenCount("GPT-4o", 2, 7)), _rest(TokenCount("a.json", 1, 1, unknown=1))
    (' · 7 characters · 3.5 characters per token · GPT-4o', ', 1 of them unknown · 1 character · a.json')
    """
    parts = [
        f", {count.unknown:,} of them unknown" if count.unknown else "",
        counted(count.characters, "character"),
        f"{count.characters / count.tokens:.1f} characters per token" if count.tokens > 1 else "",
        shortened(count.name, _LONGEST_NAME),
    ]
    return " · ".join(part for at, part in enumerate(parts) if part or not at)
