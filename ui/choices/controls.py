"""Controls for the kinds of shared setting: a menu of slugs shown by their titles, a bounded number, a line of text."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

import bpe
from ui.choices import merges_menu, tie_menu, tokenizer_menu
from ui.choices.lists import Listing, draw_list
from ui.trainings.settings import FREE, Line, Menu, Number, Setting, Share, Value, Values, preset_value
from ui.view.menus import segments
from ui.view.text import in_markdown
from ui.view.text_field import text_field
from ui.view.visit import Slot

# The preset that was switched off when the viewer chose another variant or rule; "" for none
_PRESET_BEFORE: Slot[str] = Slot("_preset_before", str)


def draw_note(preset: str, key: str = "preset_back") -> None:
    """Say that the preset is off, with a button that switches it on again, until the viewer chooses a preset.

    Draw it below the controls, so that none of them moves when it comes.
    """
    if preset != FREE:
        _PRESET_BEFORE.forget()
    before = bpe.PRESETS.get(_PRESET_BEFORE.read())
    if before is None:
        return
    st.caption("You changed what the preset sets, so it is off.")
    st.button(
        in_markdown(f"Back to {before.title}"),
        key=key,
        type="tertiary",
        icon=":material/undo:",
        on_click=_switch_on,
        args=(before.slug,),
    )


def _switch_off() -> None:
    """Set the preset to FREE, since the viewer has changed what it decides. A callback of those controls."""
    preset = st.session_state["preset"]
    if preset != FREE:
        _PRESET_BEFORE.write(preset)
        st.session_state["preset"] = FREE


def _switch_on(preset: str) -> None:
    st.session_state["preset"] = preset


def draw(row: Setting, values: Values) -> Value:
    """Draw a setting's control and, below it, the explanation of its value. Return the value.

    `values` are those of the rows before it.
    """
    value: Value
    match row.kind:
        case Menu():
            draw_menu = _setting_list if row.key in _LISTS else _setting_menu
            value = draw_menu(row, row.kind, values)
        case Number():
            value = _number(row, row.kind, values)
        case Share():
            value = _share(row, row.kind, values)
        case Line():
            value = _line(row, row.kind, values)
    about = row.about({**values, row.key: value})
    if about and not isinstance(row.kind, Line):
        st.caption(about)
    return value


def segmented(key: str, label: str, menu: Menu) -> str:
    """Draw a menu with all choices visible and return the chosen slug. The label is for screen readers."""
    return segments(label, menu.titles, key, label_visibility="collapsed", width="stretch")


def _setting_menu(row: Setting, menu: Menu, values: Values) -> str | None:
    optional = not row.required and row.default is None
    slugs = _valid_options(row.key, _with_value_of_preset(row, menu, values), optional=optional)
    slug = st.selectbox(
        row.label,
        slugs,
        index=None if optional else 0,
        key=row.key,
        format_func=menu.titles.__getitem__,
        placeholder=row.placeholder(values) or None,
        help=_tooltip(row, values),
        on_change=_switch_off if row.decided_by_preset else None,
        persist_state="session",
    )
    return None if slug is None else str(slug)


# Menus that show what they choose: the rows of a list, and what each of them leads to.
_LISTS: Mapping[str, Listing] = {
    "tie_break": Listing("tie-", tie_menu.rows, tie_menu.contents, tie_menu.compare),
    "preset": Listing("preset-", tokenizer_menu.preset_rows, tokenizer_menu.presets),
    "further_tie_break": Listing("further-tie-", tie_menu.rows, tie_menu.further_contents),
    "published": Listing("published-", tokenizer_menu.published_rows, tokenizer_menu.published),
}


def _setting_list(row: Setting, menu: Menu, values: Values) -> str:
    """Draw the list of a setting and return the chosen slug."""
    slugs = _valid_options(row.key, _with_value_of_preset(row, menu, values))
    if row.decided_by_preset:
        draw_list(_LISTS[row.key], slugs, row.key, row.label, _switch_off)
    else:
        draw_list(_LISTS[row.key], slugs, row.key, row.label)
    return str(st.session_state[row.key])


_MERGES_LIST = Listing("merges-", merges_menu.rows, merges_menu.contents, takes=merges_menu.is_number)


def draw_merges(chosen: int) -> None:
    """Draw a slider of numbers of merges below what the text becomes; without a training, a list of such numbers."""
    slugs = [str(number) for number in merges_menu.numbers(chosen)]
    draw_list(_MERGES_LIST, slugs, "merges", "Merges, and what the text has become after them", read=int)


def _with_value_of_preset(row: Setting, menu: Menu, values: Values) -> Menu:
    """Return the menu, which also offers a hidden value while the preset sets it."""
    value = preset_value(str(values["preset"]), row.key) if row.decided_by_preset else None
    return Menu(menu.titles, menu.hidden - {str(value)})


def _tooltip(row: Setting, values: Values) -> str | None:
    return row.more({**values, row.key: st.session_state.get(row.key)}) or None


def _valid_options(key: str, menu: Menu, *, optional: bool = False) -> tuple[str, ...]:
    """Return the slugs to offer. Makes the session's value one of them, since the browser may send any value."""
    slugs = menu.slugs
    value = st.session_state.get(key)
    if value not in slugs and not (optional and value is None):
        st.session_state[key] = None if optional else slugs[0]
    return slugs


def _number(row: Setting, bounds: Number, values: Values) -> int | None:
    start: Any = "min" if row.required else row.default  # a union, which no overload of number_input takes
    number: int | None = st.number_input(
        row.label,
        bounds.low,
        bounds.high,
        start,
        key=row.key,
        step=1,
        placeholder=row.placeholder(values) or None,
        help=_tooltip(row, values),
        persist_state="session",
    )
    return None if number is None else min(bounds.high, max(bounds.low, int(number)))


def _share(row: Setting, bounds: Share, values: Values) -> float | None:
    start: Any = row.default
    share: float | None = st.number_input(
        row.label,
        bounds.low,
        1.0,
        start,
        key=row.key,
        step=0.0001,
        format="%.4f",
        placeholder=row.placeholder(values) or None,
        help=_tooltip(row, values),
        persist_state="session",
    )
    return None if share is None else min(1.0, max(bounds.low, round(float(share), 4)))


def _line(row: Setting, line: Line, values: Values) -> str:
    first = str(row.first or row.default or "")
    st.session_state.setdefault(row.key, first)
    return text_field(
        row.label,
        key=row.key,
        most=line.most,
        placeholder=row.placeholder(values),
        says=row.about(values),
        is_line=True,
        suggestion=first,
    )
