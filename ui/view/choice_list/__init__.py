"""Choice list: a Components v2 component, the list of a menu in which each row shows what it leads to, as chips.

A closed menu costs nothing: what the rows show is asked for when the list appears, and is the answer to that question.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from film.feed import ChipLabel
from ui.view import component as message
from ui.view.component import component
from ui.view.visit import Slot

MOST_ASKED = 10**9  # a number that the browser gives to a question
MOST_STEP = 1 << 31
MOST_SLUG = 100  # characters

_COMPONENT = component("choice_list", Path(__file__).parent)

# Number of the last question of a list
_HEARD: Slot[int] = Slot("_question_heard", int)


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row: what is chosen, its title, and in small letters what is known about it."""

    slug: str
    title: str
    about: str = ""
    more: str = ""  # in its tooltip
    section: str = ""  # what stands above it and the rows that follow


@dataclass(frozen=True, slots=True)
class Contents:
    """What the rows of an open list show."""

    headline: tuple[str, str] = ("", "")  # the first part is bold
    # Slugs of rows that agree, which then stand together; the others follow as they come.
    groups: Sequence[Sequence[str]] = ()
    # The two tokens, and the one made of them.
    pairs: Mapping[str, Sequence[int]] = field(default_factory=dict)
    words: Mapping[str, Sequence[Sequence[int]]] = field(default_factory=dict)  # the tokens of words
    figures: Mapping[str, str] = field(default_factory=dict)
    # To which pairs and words refer by position.
    tokens: Sequence[ChipLabel] = ()
    foot: str = ""
    action: str = ""  # the title of a button beside the foot
    curve: "Curve | None" = None  # in place of the rows


@dataclass(frozen=True, slots=True)
class Curve:
    """A slider of numbers, below curves that have a value for every `stride` of them, as far as they are known."""

    stride: int
    top: int  # the end of the slider
    chosen: int
    curves: Mapping[str, Sequence[int]]  # by name
    now: Mapping[str, int]  # the value of each curve at the chosen number; {} if it is not known
    ends: int | None = None  # the number after which nothing changes


def choice_list(
    rows: Sequence[ListRow],
    chosen: str,
    *,
    key: str,
    label: str,
    names: str,
    contents: Callable[[int], Contents | None],
    choose: Callable[[str], None],
    act: Callable[[], None] | None = None,
    takes: Callable[[str], bool] = lambda slug: False,
) -> Literal["taken", "acted", ""]:
    """Draw the list. Return whether the viewer has just taken a row, or pressed the button.

    Call it inside a fragment, and run the page again if a row was taken.

    names: what the data-testid of a row begins with, before its slug.
    contents: what the rows show, for the step at which the grid on the page is; None if that is not known now.
    choose: is called with the slug of the row that the viewer takes.
    act: is called when the viewer presses the button.
    takes: returns whether the viewer may take something else than a row: a place on the slider.
    """
    asked = message.read(st.session_state.get(key), "asked", _read_question)
    shown = contents(asked[1]) if asked else None

    def hear() -> None:
        if question := message.read(st.session_state.get(key), "asked", _read_question):
            _HEARD.write(question[0])

    def taken() -> None:
        slug = message.read(st.session_state.get(key), "taken", message.text(MOST_SLUG))
        if slug is not None and (slug in {row.slug for row in rows} or takes(slug)):
            choose(slug)

    result = _COMPONENT(
        key=key,
        data={
            "label": label,
            "names": names,
            "rows": [[row.slug, row.title, row.about, row.more, row.section] for row in rows],
            "chosen": chosen,
            "heard": _HEARD.read(),  # so the browser asks again if the run that would have answered was stopped
            "answers": asked[0] if asked and shown else 0,
            "contents": _sent(shown) if shown else None,
        },
        on_asked_change=hear,
        on_taken_change=taken,
        on_acted_change=(act or (lambda: None)),
        height="content",
    )
    if message.read(result, "taken", _given):
        return "taken"
    return "acted" if message.read(result, "acted", _given) else ""


def _sent(contents: Contents) -> dict[str, Any]:
    return {
        "headline": list(contents.headline),
        "groups": [list(group) for group in contents.groups],
        "pairs": {slug: list(pair) for slug, pair in contents.pairs.items()},
        "words": {slug: [list(word) for word in words] for slug, words in contents.words.items()},
        "figures": dict(contents.figures),
        "tokens": list(contents.tokens),
        "foot": contents.foot,
        "action": contents.action,
        "curve": _sent_curve(contents.curve) if contents.curve else None,
    }


def _sent_curve(curve: Curve) -> dict[str, Any]:
    curves = [[name, list(values), curve.now.get(name)] for name, values in curve.curves.items()]
    return {
        "stride": curve.stride,
        "top": curve.top,
        "chosen": curve.chosen,
        "curves": curves,
        "ends": curve.ends,
    }


def _read_question(value: object) -> tuple[int, int] | None:
    """Return (its number, the step at which the grid is) of a question; None for anything else.

    >>> _read_question({"number": 3, "step": 0}), _read_question({"number": 3})
    ((3, 0), None)
    """
    number = message.read(value, "number", message.whole_number(1, MOST_ASKED))
    step = message.read(value, "step", message.whole_number(0, MOST_STEP))
    return None if number is None or step is None else (number, step)


def _given(value: object) -> bool | None:
    return None if value is None else True
