"""The stage of Encode: what it shows, as data for one component."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from bpe.analysis.languages import ON_TOP
from film.encoding_feed import EncodingWindow, encoding_feed, encoding_window, staged_rail
from film.feed import EncodingFeed
from film.textbook_code import encoder_lines
from ui.choices.choices import Choice
from ui.page_parts.encode.controls import Setting
from ui.page_parts.encode.encoded_text import Encoded, encoded_at_once, key_of, losses
from ui.shown.token_count import TokenCount, count_line
from ui.trainings.memory_budget import fragment
from ui.view.component import COMPONENTS, component
from ui.view.listing import listing_data
from ui.view.text import shortened
from ui.view.token_grid import Around, token_grid, window_start
from ui.view.visit import Slot, nothing

_KEY = "encode"
_COMPONENT = component("encoding_stage", COMPONENTS / "encoding_stage")
_NO_CODE = "There is no code to show: this tokenizer does not encode as the textbook does."


@dataclass(frozen=True, slots=True)
class Answer:
    """What the stage says of a text that is encoded: its number of tokens, and sentences on it."""

    count: TokenCount | None  # None if the encoding was stopped before its end
    about: tuple[str, ...]


# The answer to the last long text, with what it is the answer to
_LAST: Slot[tuple[object, Answer] | None] = Slot("_encode_answer", nothing)


def answer_so_far(choice: Choice, setting: Setting) -> Answer | None:
    """Return the answer if the text is short, or was encoded before; None until it is."""
    if encoded := encoded_at_once(setting):
        return _answer(choice, setting, encoded)
    last = _LAST.read()
    return last[1] if last and last[0] == key_of(setting) else None


def answer_of(choice: Choice, setting: Setting, encoded: Encoded, shown: Answer | None) -> Answer:
    """Return the answer for an encoded text. If the stage shows another one, draw the page anew."""
    answer = _answer(choice, setting, encoded)
    if answer != shown:
        _LAST.write((key_of(setting), answer))
        st.rerun()
    return answer


def _answer(choice: Choice, setting: Setting, encoded: Encoded) -> Answer:
    file = None if setting.typed else choice.finished
    is_whole = encoded.typed == setting.text
    about = [ON_TOP] if file and is_whole else []
    if not encoded.returns:
        lost = shortened(losses(setting.tokenizer, encoded), 500)
        about.append(f"These ids do not decode to the same text. Lost: {lost}. “Decode” shows where.")
    name = "your tokens" if setting.typed else file.short_name if file else choice.recipe.title
    count = TokenCount(
        name,
        len(encoded.tokens),
        len(setting.text),
        (setting.text,),
        encoded.unknown,
    )
    return Answer(count if is_whole else None, tuple(about))


@fragment
def draw(setting: Setting, answer: Answer | None, *, ends: bool) -> None:
    """Draw the stage.

    ends: whether it begins at its end, with the tokens of the text and their ids; a stop of a talk plays to it.
    """
    window = encoding_window(setting.text, setting.tokenizer, window_start(_KEY))
    feed, rail = _feed(
        (setting.cache_key, window.digest, window.window.start, window.window.end), setting, window
    )
    lines = encoder_lines(setting.tokenizer.textbook(setting.encoder))
    around = {
        "count": count_line(answer.count) if answer and answer.count else None,
        "about": list(answer.about) if answer else [],
        "listing": listing_data(lines, "encoding", _KEY, none="" if lines else _NO_CODE),
    }
    token_grid(
        feed,
        key=_KEY,
        step=feed["last"] if ends else 0,
        options={"view": "text"},
        rail=rail,
        subject=feed["family"],
        around=Around(_COMPONENT, around),
    )


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _feed(
    key: object, _setting: Setting, _window: EncodingWindow
) -> tuple[EncodingFeed, Mapping[str, Any] | None]:
    """Return the feed, and for the presenter view what has been learned, if there is room for it."""
    feed, steps = encoding_feed(_setting.tokenizer, _window, _setting.encoder)
    return feed, staged_rail(_setting.tokenizer, steps)
