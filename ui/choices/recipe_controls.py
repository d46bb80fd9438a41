"""The controls that make a recipe: one for each row of SETTINGS. At first they show a recipe that suits the corpus."""

from collections.abc import Mapping
from contextlib import nullcontext
from itertools import groupby

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe import BPEError
from ui.choices import controls, corpus_controls, link
from ui.trainings import tokenizer_files
from ui.trainings.corpus import samples
from ui.trainings.recipe import Recipe
from ui.trainings.settings import (
    FREE,
    REPLAY,
    SAMPLES,
    SETTINGS,
    SOURCES,
    TRAIN,
    Choice,
    Line,
    Part,
    Setting,
    Value,
    Values,
    decided_by,
    of_part,
)
from ui.view.text_field import take_as_chosen
from ui.view.visit import OPENING_SAMPLES, OPENING_TOKENIZERS, Slot, nothing

# Openings: until the viewer chooses a text, each page begins with the sample that shows it best, and until they choose
# a tokenizer, with the one that does.
#
# A link names the text, so an opening is for a page that is opened without parameters, or from the menu. As
# soon as the viewer, a link or a lesson chooses a text or a setting, it stays on all pages.

# The sample that the last page began with, "" once a text or a setting is chosen; None before the first page
_OPENED: Slot[str | None] = Slot("_opened_sample", nothing)
# The sample that a link to this page need not name; None if it names every one
_UNNAMED_SAMPLE: Slot[str | None] = Slot("_unnamed_sample", nothing)
# The published tokenizer that this page began with, "" for none; None once one was chosen where a page began with it
_OPENED_TOKENIZER: Slot[str | None] = Slot("_opened_tokenizer", str)
# The one that a link to this page need not name; None if it opens with a training
_UNNAMED_TOKENIZER: Slot[str | None] = Slot("_unnamed_tokenizer", nothing)


def begin(page: str) -> None:
    """Put the page's sample and tokenizer into the controls if nobody has chosen others, before they are drawn."""
    _begin_tokenizer(OPENING_TOKENIZERS.get(page))
    first = SAMPLES.slugs[0]
    sample = OPENING_SAMPLES.get(page, first)
    _UNNAMED_SAMPLE.write(first if sample == first else None)
    before = _OPENED.read()
    if before is None:
        chosen = bool(st.query_params.to_dict()) or link.names_any()
        before = "" if chosen else first
    elif before and not _is_untouched(before):
        before = ""
    if gone_back_to := link.sample_gone_back_to(_UNNAMED_SAMPLE.read()):
        corpus_controls.put_sample(gone_back_to)
    if before and before != sample:
        corpus_controls.put_sample(sample)
        before = sample
    _OPENED.write(before)


def _begin_tokenizer(opening: str | None) -> None:
    """Choose the page's published tokenizer, or go back to the training after a page that had one."""
    _UNNAMED_TOKENIZER.write(opening)
    opened, state = _OPENED_TOKENIZER.read(), st.session_state
    if opened and not _is_replayed(opened, {key: state.get(key) for key in SETTINGS}):
        _OPENED_TOKENIZER.write(None)  # the viewer has chosen another one
    elif opened and opened != opening:
        state["recipe_source"] = TRAIN
        _OPENED_TOKENIZER.write("")
    elif opened == "" and opening and not _has_chosen_recipe() and _can_open(opening):
        state.update(_replayed(opening))
        _OPENED_TOKENIZER.write(opening)


def _is_replayed(slug: str, values: Mapping[str, object]) -> bool:
    """Return whether the values are those of a published tokenizer whose merges are replayed."""
    return all(values.get(key) == value for key, value in _replayed(slug).items())


def _replayed(slug: str) -> dict[str, Value]:
    """Return the settings with which a published tokenizer's merges are replayed."""
    known = tokenizer_files.find(tokenizer_files.named(slug))
    return {**known.chosen_by, "file_use": REPLAY} if known else {}


def _has_chosen_recipe() -> bool:
    """Return whether the viewer, or a link, has chosen a setting. Call it before the controls are drawn."""
    named = {*st.query_params, *link.current()} & {*SETTINGS, "picks"}
    trains = st.session_state.get("recipe_source", TRAIN) == TRAIN
    return bool(named) or not trains or is_chosen("preset") or is_chosen("merges")


def _can_open(slug: str) -> bool:
    """Open a published tokenizer, and return whether there is memory for it."""
    try:
        return tokenizer_files.published_file(slug) is not None
    except BPEError:
        return False


def _end() -> None:
    """Keep text and tokenizer on all pages from now on. Call it where something else than the controls chooses them."""
    _OPENED.write("")
    _OPENED_TOKENIZER.write(None)


def unnamed_sample() -> str | None:
    """Return the sample that a link to the page need not name; None if it names every one."""
    return _UNNAMED_SAMPLE.read()


def _is_untouched(sample: str) -> bool:
    """Return whether text and settings are still those of the page that began with this sample."""
    named = {"corpus_sample": sample} if sample != SAMPLES.slugs[0] else {}
    state = st.session_state
    return (
        link.current() == named
        and state.get("corpus_source", SOURCES.slugs[0]) == SOURCES.slugs[0]
        and state.get("corpus_sample", sample) == sample
    )


# Preset and number of merges last suggested, to see whether the viewer chose others
_SUGGESTED: Slot[dict[str, Value]] = Slot("_suggested", dict)


Places = Mapping[Choice, DeltaGenerator]  # where the controls of each button are drawn


def draw(source: str, places: Places) -> Recipe:
    """Draw the controls for a corpus of this source; return the recipe without picks."""
    values: dict[str, Value] = {}
    with places["tokenizer"]:
        values["preset"] = controls.draw(SETTINGS["preset"], {})
    preset = str(values["preset"])
    if preset != FREE:
        st.session_state.update(decided_by(preset))
    rows = of_part("words", "ties", "stop")
    for (choice, in_row), group in groupby(
        (row for row in rows if not row.is_rare), key=lambda row: (row.choice, row.in_row)
    ):
        together = list(group)
        with places[choice]:
            columns = iter(st.columns(len(together), gap="xsmall") if in_row else ())
            for row in together:
                with next(columns, nullcontext()):
                    _draw_row(values, row)
            if in_row:
                st.caption("Training ends at the first limit it reaches.")
    with places["merges"]:
        controls.draw_merges(int(values["merges"] or 0))
    rare = [*(row for row in rows if row.is_rare), *of_part("second")]
    more: dict[Choice, DeltaGenerator] = {}
    for choice, place in places.items():
        own = [row for row in rare if row.choice == choice]
        chosen = any(
            st.session_state.get(row.key) not in (None, row.default, row.first)
            for row in own
            if preset == FREE or not row.decided_by_preset
        )
        title = "Settings" if choice == "tokenizer" else "More"
        more[choice] = place.expander(title, expanded=chosen, key=f"rare_{choice}")
    for row in rare:
        with more[row.choice]:
            _draw_row(values, row)
    with places["tokenizer"]:
        controls.draw_note(preset)
    with places["ties"]:
        controls.draw_note(preset, "preset_back_ties")
    return Recipe.of(values)


def draw_rows(values: dict[str, Value], places: Places, *parts: Part) -> None:
    """Draw the controls of these parts, each under its button, and add their values to `values`."""
    for row in of_part(*parts):
        with places[row.choice]:
            _draw_row(values, row)


def _draw_row(values: dict[str, Value], row: Setting) -> None:
    """Draw the control of a setting, if these values of others need it, and add its value to them."""
    values[row.key] = controls.draw(row, values) if row.shown_when(values) else row.default


def suggestion(source: str) -> dict[str, Value]:
    """Return the preset and the number of merges that suit the corpus of this source."""
    sample = samples()[corpus_controls.chosen_sample()] if source == "sample" else None
    if sample is None:
        # 200 merges at first for a text of the viewer's own
        return {"preset": next(iter(samples().values())).preset, "merges": 200}
    return {"preset": sample.preset, "merges": sample.merges}


def unnamed(source: str, recipe: Recipe) -> dict[str, Value]:
    """Return the settings that a link to the page need not name: it would open with them."""
    named = _UNNAMED_TOKENIZER.read()
    if named is None:
        return suggestion(source)
    opens = _replayed(named)
    return suggestion(source) | (opens if _is_replayed(named, recipe.values) else {"recipe_source": None})


def suggest(source: str) -> None:
    """Put what suits a corpus of this source into the controls that the viewer has not changed.

    Call it before they are drawn, and before anything says what they hold.
    """
    now = suggestion(source)
    before = _SUGGESTED.read()
    for key, value in now.items():
        if key not in st.session_state or st.session_state[key] == before.get(key):
            st.session_state[key] = value
    _SUGGESTED.write(now)


def is_chosen(key: str) -> bool:
    """Return whether the viewer, or a link, has given this setting another value than the suggested one."""
    value = st.session_state.get(key)
    return value is not None and value != _SUGGESTED.read().get(key)


def put(values: Values) -> None:
    """Put values into the controls, by key. Call it before they are drawn.

    A setting without a value gets its default, or stays if it has none. A setting that is not shown stays too.
    """
    complete = {
        key: values.get(key, st.session_state.get(key) if row.required else row.default)
        for key, row in SETTINGS.items()
    }
    for key, row in SETTINGS.items():
        if row.shown_when(complete) and not (row.required and complete[key] is None):
            st.session_state[key] = complete[key]
    _SUGGESTED.forget()  # the values are chosen, even where they equal what was suggested
    take_as_chosen(lines())
    _end()


def contents() -> tuple[dict[str, Value], dict[str, Value]]:
    """Return the values of the controls, without those that have none yet, and the last suggestions, for `put_back`."""
    values = {key: st.session_state[key] for key in SETTINGS if key in st.session_state}
    return values, dict(_SUGGESTED.read())


def put_back(values: dict[str, Value], suggested: dict[str, Value]) -> None:
    """Put back what `contents` returned. Call it before the controls are drawn."""
    for key in SETTINGS:
        st.session_state.pop(key, None)
    st.session_state.update(values)
    _SUGGESTED.write(dict(suggested))
    take_as_chosen(lines())


def lines() -> list[str]:
    """Return the keys of the settings that are a line of text."""
    return [key for key, row in SETTINGS.items() if isinstance(row.kind, Line)]


def restore(texts: dict[str, str]) -> None:
    """Put the lines that the browser stored before a reload into their controls, unless these hold other text."""
    for key, row in SETTINGS.items():
        text = texts.get(key, "")
        is_line = isinstance(row.kind, Line) and 0 < len(text) <= row.kind.most
        if is_line and st.session_state.get(key, row.first) == row.first:
            st.session_state[key] = text
