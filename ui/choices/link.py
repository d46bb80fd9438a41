"""The parameters of the choices in a link: read once when a session begins, then written whenever a choice changes.

It holds slugs and bounded numbers. What is typed, such as a pattern, is in the fragment: `text_link` writes it. Other
parameters stay unchanged: the browser writes the step of the grid.
"""

from collections.abc import Callable, Mapping

import streamlit as st

from bpe import BPEError
from ui.gaps.run_context import came_by_history, page_hash
from ui.trainings.picks import Picks, open_picks, read_picks, write_picks
from ui.trainings.recipe import Recipe
from ui.trainings.settings import FREE, MOST_MERGES, SAMPLES, SETTINGS, SOURCES, Line, Number, Values
from ui.view.text import in_markdown
from ui.view.visit import Slot, nothing

# The step that the link opens
_LINKED_STEP: Slot[int | None] = Slot("_step", nothing)

# The training it belongs to: the first one after it
_LINKED_TRAINING: Slot[str | None] = Slot("_watch_linked", nothing)

# The hash of the page on which the session began: the step of its link applies to this page only
_FIRST_PAGE: Slot[str | None] = Slot("_page_linked", nothing)

# The settings that the link names
_LINKED_KEYS: Slot[frozenset[str]] = Slot("_linked_keys", frozenset)

# Warnings about the link, None before it is read
_LINK_WARNINGS: Slot[list[str] | None] = Slot("_ignored", nothing)

# The link as written
_WRITTEN_LINK: Slot[dict[str, str]] = Slot("_link", dict)
_Linked = dict[str, str | int | float | Picks]


def linked_step() -> int | None:
    """Return the step, whatever training is drawn."""
    return _LINKED_STEP.read()


def step_of(training: str) -> int | None:
    """Return the step for the training, or comparison, that was opened with it; None for every later one."""
    step = _LINKED_STEP.read()
    if step is None:
        return None
    if _LINKED_TRAINING.read() is None:
        _LINKED_TRAINING.write(training)
    return step if _LINKED_TRAINING.read() == training else None


def let_step_wait() -> None:
    """Let the step belong to the next training: the one so far was drawn while the link's text was on its way."""
    _LINKED_TRAINING.forget()


def began_on_this_page() -> bool:
    """Return whether the session began on the page that runs now."""
    if _FIRST_PAGE.read() is None:
        _FIRST_PAGE.write(page_hash())
    return _FIRST_PAGE.read() == page_hash()


def begin() -> None:
    """Copy the link's values into the session, once, before any widget is drawn: a widget would drop bad values."""
    if _LINK_WARNINGS.read() is not None:
        return
    began_on_this_page()  # stores this page as the one the link led to
    values, ignored = _read_link(st.query_params.to_dict())
    _LINK_WARNINGS.write(ignored)
    _LINKED_KEYS.write(frozenset(values))
    step, picks = values.pop("step", None), values.pop("picks", None)
    _LINKED_STEP.write(step if isinstance(step, int) else None)
    if isinstance(picks, tuple):
        open_picks(picks)
    for key, value in values.items():
        st.session_state.setdefault(key, value)


def plain(parameters: Mapping[str, str]) -> Mapping[str, str | int | float | Picks] | None:
    """Return the values of an address by key; None if some are ignored, or if it holds anything else."""
    values, _ = _read_link(parameters)
    return values if parameters.keys() <= values.keys() else None


def sample_gone_back_to(unnamed: str | None) -> str | None:
    """Return the sample of the address that Back or Forward leads to; None without one, or if a text is chosen.

    unnamed: the sample of an address that names none.
    """
    address = st.query_params.to_dict()
    sample = address.get("corpus_sample", unnamed)
    chosen = st.session_state.get("corpus_source", SOURCES.slugs[0])
    if not came_by_history() or "corpus_source" in address or chosen != SOURCES.slugs[0]:
        return None
    return sample if sample in SAMPLES.slugs else None


def names_setting(key: str) -> bool:
    """Return whether the link that opened the session has a value for a setting."""
    return key in _LINKED_KEYS.read()


def current() -> dict[str, str]:
    """Return the parameters of the choices as they were last written."""
    return _WRITTEN_LINK.read()


def names_any() -> bool:
    """Return whether the link that opened the session has a value for any setting."""
    return bool(_LINKED_KEYS.read())


def write(source: str, recipe: Recipe, suggested: Values, unnamed: str | None = SAMPLES.slugs[0]) -> None:
    """Write every value that a link without parameters would not give. `unnamed`: the sample that it would give."""
    values = recipe.values
    sample = st.session_state.get("corpus_sample") if source == "sample" else None
    parameters: dict[str, str | None] = {
        "corpus_source": source if source != SOURCES.slugs[0] else None,
        "corpus_sample": sample if sample != unnamed else None,
        **{
            key: None if isinstance(row.kind, Line) else row.in_link(values, suggested)
            for key, row in SETTINGS.items()
        },
        "picks": write_picks(recipe.picks) or None,
    }
    link = {key: value for key, value in parameters.items() if value is not None}
    before = st.query_params.to_dict()
    after = {key: value for key, value in before.items() if key not in parameters} | link
    if before != after:
        st.query_params.from_dict(after)
    _WRITTEN_LINK.write(link)


def lines(recipe: Recipe, suggested: Values) -> dict[str, str]:
    """Return {key: text} of the settings that are typed and that a link without them would not give."""
    rows = {
        key: row.in_link(recipe.values, suggested)
        for key, row in SETTINGS.items()
        if isinstance(row.kind, Line)
    }
    return {key: text for key, text in rows.items() if text is not None}


def open_lines(texts: Mapping[str, str]) -> None:
    """Take typed settings of a link's fragment. A callback, since the controls may be drawn already."""
    lines = {key for key, row in SETTINGS.items() if isinstance(row.kind, Line)}
    values, ignored = _read_link({key: text for key, text in texts.items() if key in lines})
    st.session_state.update(values)
    _LINK_WARNINGS.write([*(_LINK_WARNINGS.read() or []), *ignored])


def write_again() -> None:
    """Write the parameters of the choices as they were last written, on a page that does not draw its controls."""
    missing = {key: value for key, value in current().items() if key not in st.query_params}
    if missing:
        st.query_params.update(missing)


def warn(sentence: str) -> None:
    """Add a sentence about the link to those that are shown. It must be plain text."""
    _LINK_WARNINGS.write([*(_LINK_WARNINGS.read() or []), sentence])


def show_warnings() -> None:
    """Draw warnings about ignored values of the link, until the viewer has dismissed them."""
    warnings = _LINK_WARNINGS.read()
    if warnings:
        row = st.container(horizontal=True, vertical_alignment="center", key="link_warnings")
        row.warning("  \n".join(warnings))
        row.button("OK", key="link_read", on_click=_LINK_WARNINGS.write, args=([],))


def _readers() -> dict[str, Callable[[str], str | int | float | Picks]]:
    return {
        "corpus_source": SOURCES.read,
        "corpus_sample": SAMPLES.read,
        **{row.key: row.kind.read for row in SETTINGS.values()},
        "picks": read_picks,
        "step": Number(0, MOST_MERGES).read,
    }


def _read_link(parameters: Mapping[str, str]) -> tuple[_Linked, list[str]]:
    """Return the values by key, and Markdown sentences on what was ignored and why."""
    readers = _readers()
    values: _Linked = {}
    ignored: list[str] = []
    for key, text in parameters.items():
        if key not in readers:
            continue
        try:
            values[key] = readers[key](text)
        except BPEError as error:
            ignored.append(f"The link's {key} “{in_markdown(text, 40)}” was ignored: {error}.")
    if "preset" not in values and ("variant" in values or "tie_break" in values):
        values["preset"] = FREE
    return values, ignored
