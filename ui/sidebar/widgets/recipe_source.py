"""Where the merges come from: learned from the text, or those of a tokenizer, which are replayed over the text."""

import streamlit as st

from ui.sidebar.links import link
from ui.sidebar.recipes.recipe import Recipe
from ui.sidebar.recipes.settings import (
    AS_PUBLISHED,
    FREE,
    FROM_FILE,
    MOST_MERGES,
    SETTINGS,
    TRAIN,
    Menu,
    Number,
    Setting,
    Value,
    decided_by,
    of_part,
)
from ui.sidebar.tokenizers import expected_tokenizer, tokenizer_files
from ui.sidebar.tokenizers.published_files import published_file
from ui.sidebar.tokenizers.tokenizer_files import TokenizerFile
from ui.sidebar.widgets import controls, recipe_controls, tokenizer_controls

KEY = "recipe_source"
NO_FILE = "There is no tokenizer yet: open its file in the sidebar."
LINKED = "This link uses a tokenizer's file, which no link can contain: open the file in the sidebar."


def draw(source: str) -> tuple[Recipe, str]:
    """Draw the switch and the controls of its choice. Return the recipe, and a sentence if it lacks its tokenizer."""
    row = SETTINGS[KEY]
    assert isinstance(row.kind, Menu)
    chosen = controls.segmented(KEY, row.label, row.kind)
    if chosen == TRAIN:
        return recipe_controls.draw(source), ""
    values: dict[str, Value] = {KEY: chosen, "file_split": _value("file_split", None)}
    file: TokenizerFile | None
    if chosen == AS_PUBLISHED:
        values["published"] = controls.draw(SETTINGS["published"], values)
        with st.spinner("Opening the tokenizer …"):
            file = published_file(str(values["published"]))
    else:
        file = tokenizer_controls.draw()
    if file:
        use = SETTINGS["file_use"]
        assert isinstance(use.kind, Menu)
        values["file_use"] = controls.segmented(use.key, use.label, use.kind)
        recipe_controls.draw_rows(values, "further", "second")
    else:  # what a link or a share file sets stays until the file is opened
        for row in of_part("file", "further", "second"):
            values[row.key] = _value(row.key, None) if row.shown_when(values) else row.default
    recipe = _hidden_recipe(source).changed(**values, file=file.id if file else "")
    if file:
        return _as_large_as(file, recipe), ""
    return recipe, expected_tokenizer.request() or (LINKED if link.names_setting(KEY) else NO_FILE)


def _as_large_as(file: TokenizerFile, recipe: Recipe) -> Recipe:
    """Return the recipe with the file's number of merges, unless the viewer has chosen one for trainings.

    Compare trains lanes beside the file, and lanes of different sizes are hard to compare.
    """
    if recipe_controls.is_chosen("merges"):
        return recipe
    return recipe.changed(merges=min(len(file.tokenizer.merges) + recipe.further_merges, MOST_MERGES))


def lacks_file() -> bool:
    """Return whether the pages wait for a tokenizer's file."""
    return st.session_state.get(KEY) == FROM_FILE and tokenizer_files.current() is None


def train_instead() -> None:
    """Learn the merges from the text. A callback."""
    st.session_state[KEY] = TRAIN


def _hidden_recipe(source: str) -> Recipe:
    """Return the recipe that the controls of a training would show. Compare trains lanes with it."""
    suggested = recipe_controls.suggestion(source)
    values: dict[str, Value] = {}
    for row in SETTINGS.values():
        if row.part in ("source", "file", "further", "second"):
            continue
        values[row.key] = _value(row.key, suggested.get(row.key)) if row.shown_when(values) else row.default
        if row.decided_by_preset and values["preset"] != FREE:
            values[row.key] = decided_by(str(values["preset"]))[row.key]
    return Recipe.of(values)


def _value(key: str, suggested: Value) -> Value:
    """Return the value of a control that is not drawn: the session's, else the suggested or the first one."""
    row = SETTINGS[key]
    value: Value = st.session_state.get(key)
    return next((one for one in (value, suggested, row.first, row.default) if one is not None), _least(row))


def _least(row: Setting) -> Value:
    if not row.required:
        return None
    match row.kind:
        case Menu():
            return row.kind.slugs[0]
        case Number():
            return row.kind.low
    return ""
