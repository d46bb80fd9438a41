"""Where the merges come from: learned from the text, or those of a tokenizer, which are replayed over the text."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import bpe
from bpe import BPEError
from bpe.checkpoints import checkpoints
from bpe.text.display import counted
from published.rows import PUBLISHED
from ui.choices import controls, expected_tokenizer, link, recipe_controls
from ui.choices.recipe_controls import Places
from ui.trainings import tokenizer_files
from ui.trainings.recipe import Recipe
from ui.trainings.settings import (
    AS_PUBLISHED,
    FREE,
    FROM_FILE,
    LIKE,
    MOST_MERGES,
    REPLAY,
    SETTINGS,
    TRAIN,
    Choice,
    Menu,
    Number,
    Setting,
    Value,
    decided_by,
    of_part,
)
from ui.trainings.tokenizer_files import MOST_BYTES, Files, TokenizerFile, published_file
from ui.view.text import in_markdown
from ui.view.visit import Slot, nothing

# Files to open in this run
_TOKENIZER_UPLOAD: Slot[Files] = Slot("_tokenizer_upload", tuple)
_UPLOAD, SPLIT = "tokenizer_upload", "file_split"
_MOST_LISTED = 12  # parts of a file that are not used
_KEY = "recipe_source"
_NO_FILE = "There is no tokenizer yet: open its file under Tokenizer, or drop it on this page."
_LINKED = (
    "This link uses a tokenizer's file, which no link can contain: open the file under Tokenizer, or drop it on this "
    "page."
)

# The recipe that was drawn last and lacked no file
_LAST_RECIPE: Slot[Recipe | None] = Slot("_last_recipe", nothing)


def draw_upload(key: str, on_change: Callable[[], None]) -> None:
    """Draw the field in which a tokenizer's file is uploaded, or the two files that belong together."""
    st.file_uploader(
        "The tokenizer's file",
        key=key,
        accept_multiple_files=True,
        max_upload_size=MOST_BYTES // 10**6,
        on_change=on_change,
        help="tokenizer.json; tokenizer.model; tekken.json; vocab.json with merges.txt, both at once; .tiktoken; "
        "js-tiktoken's JSON; codes of subword-nmt (its vocabulary with them) or of fastBPE; "
        "minbpe's .model; or pairs of ids. "
        "The file stays on the machine that runs this app.",
    )


def open_in_this_run(files: Files) -> None:
    """Take the merges from these files. Call it before the controls are drawn."""
    st.session_state["recipe_source"] = FROM_FILE
    _TOKENIZER_UPLOAD.write(files)


@dataclass(frozen=True, slots=True)
class Missing:
    """Why there is no tokenizer."""

    sentence: str
    is_file: bool = True  # whether the viewer can bring it: if not, memory does not suffice


def draw(source: str, places: Places, notes: DeltaGenerator) -> tuple[Recipe, Missing | None]:
    """Draw the switch and the controls of its choice. Return the recipe, and what is missing if it lacks its tokenizer.

    Whoever chooses File gets the recipe before, until there is a file, so that the page keeps its picture; so does
    whoever chooses a published tokenizer for which memory does not suffice.

    notes: for what must be in sight when the controls are not.
    """
    recipe, missing = _draw_chosen(source, places, notes)
    if not missing:
        _LAST_RECIPE.write(recipe)
    elif before := _before_the_file():
        return before, None
    elif not missing.is_file and (before := _LAST_RECIPE.read()) and _is_open(before):
        notes.error(in_markdown(missing.sentence, most=600), icon=":material/error:")
        return before, None
    else:  # the page asks for the file itself, so there is no picture to keep
        _LAST_RECIPE.forget()
    return recipe, missing


def titles(source: str) -> dict[Choice, str]:
    """Return what each button says, before the controls are drawn that it opens."""
    before = _before_the_file()
    values = before.values if before else {}
    chosen = values.get(_KEY) or _value(_KEY, None)
    if chosen == TRAIN:
        recipe = before or _hidden_recipe(source)
        variant = bpe.VARIANTS[recipe.variant].title
        preset = bpe.PRESETS.get(recipe.preset)
        names = [_short(preset.title), _short(variant).lower()] if preset else [_short(variant)]
        limit = f"{recipe.vocab_size:,} tokens" if recipe.vocab_size else f"{recipe.merges:,}"
        return {
            "tokenizer": " · ".join(names),
            "ties": bpe.TIE_BREAKS[recipe.tie_break].title,
            "merges": limit,
        }
    if chosen == AS_PUBLISHED:
        name = PUBLISHED[str(values.get("published") or _value("published", None))].title
    else:
        file = tokenizer_files.by_id(before.file) if before else tokenizer_files.current()
        name = file.name if file else "Open a file"
    use, rule, further = (
        values.get(key) or _value(key, None) for key in ("file_use", "further_tie_break", "further_merges")
    )
    if use == REPLAY:
        return {"tokenizer": name, "ties": "As replayed", "merges": "All"}
    ties = bpe.TIE_BREAKS[str(rule)].title
    if use == LIKE:
        return {"tokenizer": f"Like {name}", "ties": ties, "merges": f"{further:,}"}
    return {"tokenizer": name, "ties": ties, "merges": f"All + {further:,}"}


def is_replay() -> bool:
    """Return whether a tokenizer's own merges are applied, and no text is trained on, before the controls are drawn."""
    before = _before_the_file()
    values = before.values if before else {}
    chosen, use = (values.get(key) or _value(key, None) for key in (_KEY, "file_use"))
    return chosen != TRAIN and use == REPLAY


def train_instead() -> None:
    """Learn the merges from the text. A callback."""
    st.session_state[_KEY] = TRAIN


def _draw_tokenizer_controls(notes: DeltaGenerator) -> TokenizerFile | None:
    """Draw the controls. Return the opened tokenizer, or None if there is none yet.

    notes: where the progress is drawn; it is in sight when the controls are not. So is what is wrong with files that
    were not uploaded here.
    """
    draw_upload(_UPLOAD, _upload)
    beside = st.container()
    with notes:
        _open_upload()
    if tokenizer_files.problem():
        with beside if st.session_state.get(_UPLOAD) else notes:
            st.error(in_markdown(tokenizer_files.problem(), most=600), icon=":material/error:")
    file = _with_chosen_split(tokenizer_files.current(), notes)
    if file is not None:
        _describe(file)
    return file


def _upload() -> None:
    """Store the uploaded files for the run, which opens them where a spinner can be seen. A callback."""
    files = st.session_state[_UPLOAD]
    tokenizer_files.report("")
    if files:
        _TOKENIZER_UPLOAD.write(tuple((file.name, file.getvalue()) for file in files))


def _open_upload() -> None:
    """Open the uploaded files. If they cannot be opened, the tokenizer that was there before stays."""
    files = expected_tokenizer.among(_TOKENIZER_UPLOAD.read())
    if not files:
        return
    _TOKENIZER_UPLOAD.forget()
    problem = expected_tokenizer.refusal(files) or _open(files)
    if problem:
        tokenizer_files.report(problem)
    else:
        expected_tokenizer.forget()
        st.rerun()  # the buttons above say the names of the tokenizer before


def _open(files: Files) -> str:
    """Open the files and make them the current tokenizer. Return "", or the sentence why they cannot be opened."""
    split = str(st.session_state.get(SPLIT) or SETTINGS[SPLIT].default)
    area = st.empty()
    row = area.container(horizontal=True, vertical_alignment="center")
    message = row.empty()
    # Drawn before the work begins: a click ends this run of the page when the message is drawn next.
    row.button("Stop", key="tokenizer_stop", on_click=_stop)
    begun = drawn = time.monotonic()

    def draw_time() -> None:
        nonlocal drawn
        now = time.monotonic()
        if now - drawn > 0.25:  # seconds
            drawn = now
            message.caption(f"Opening the tokenizer: {now - begun:.0f} s.")

    message.caption("Opening the tokenizer …")
    try:
        with checkpoints(draw_time):
            file = tokenizer_files.open_newest(files, split)
    except BPEError as error:
        return str(error)
    finally:
        area.empty()
    tokenizer_files.remember(file)
    tokenizer_files.choose(file.id)
    return ""


def _stop() -> None:
    """Say that the file is not opened, and go back to the split of the file that stays."""
    tokenizer_files.report("The file was not opened, because you stopped it.")
    file = tokenizer_files.current()
    if file is not None:
        st.session_state[SPLIT] = file.split


def _with_chosen_split(file: TokenizerFile | None, notes: DeltaGenerator) -> TokenizerFile | None:
    """Draw the menu of splits for a file that does not say how text is split; open the file again if it changed."""
    if file is None or file.opened.says_split:
        return file
    split = str(controls.draw(SETTINGS[SPLIT], {"recipe_source": FROM_FILE}))
    if split == file.split:
        return file
    with notes:
        problem = _open(file.files)
    if problem:
        st.error(in_markdown(problem, most=600), icon=":material/error:")
    return tokenizer_files.current()


def _describe(file: TokenizerFile) -> None:
    tokenizer = file.tokenizer
    tokens = len(tokenizer.vocabulary) - len(tokenizer.gaps)
    st.caption(
        f"**{in_markdown(file.name, 80)}** · {in_markdown(file.opened.kind)} · "
        f"{counted(len(tokenizer.merges), 'merge')} · {counted(tokens, 'token')}"
    )
    if not st.session_state.get(_UPLOAD):
        st.caption("Still in use. Uploading again replaces it; reloading the page removes it.")
    notes = file.opened.ignored
    if notes:
        with st.container(key="tokenizer_notes"):
            for note in notes[:_MOST_LISTED]:
                st.caption(in_markdown(note, most=400))
            if len(notes) > _MOST_LISTED:
                st.caption(f"And {counted(len(notes) - _MOST_LISTED, 'part')} more.")


def _before_the_file() -> Recipe | None:
    """Return the recipe that stays in use while a file is missing; None if none is missing, or there was none before.

    A share file that asks for its tokenizer has brought a text of its own, for which no recipe was in use.
    """
    before = _LAST_RECIPE.read()
    if before is None or not _lacks_file() or expected_tokenizer.request():
        return None
    return before if _is_open(before) else None


def _is_open(recipe: Recipe) -> bool:
    """Return whether the recipe needs no tokenizer, or one that is open or can be opened."""
    try:
        return not recipe.file or tokenizer_files.by_id(recipe.file) is not None
    except BPEError:  # memory does not suffice
        return False


def _draw_chosen(source: str, places: Places, notes: DeltaGenerator) -> tuple[Recipe, Missing | None]:
    row = SETTINGS[_KEY]
    assert isinstance(row.kind, Menu)
    with places["tokenizer"]:
        chosen = controls.segmented(_KEY, row.label, row.kind)
    if chosen == TRAIN:
        return recipe_controls.draw(source, places), None
    values: dict[str, Value] = {_KEY: chosen, "file_split": _value("file_split", None)}
    file: TokenizerFile | None
    missing = None
    with places["tokenizer"]:
        if chosen == AS_PUBLISHED:
            values["published"] = slug = str(controls.draw(SETTINGS["published"], values))
            merges = counted(PUBLISHED[slug].merges, "merge")
            with notes, st.spinner(f"Opening {PUBLISHED[slug].name}'s {merges} …"):
                try:
                    file = published_file(slug)
                except BPEError as error:  # memory does not suffice
                    file, missing = None, Missing(str(error), is_file=False)
        else:
            file = _draw_tokenizer_controls(notes)
        if file:
            use = SETTINGS["file_use"]
            assert isinstance(use.kind, Menu)
            values["file_use"] = controls.segmented(use.key, use.label, use.kind)
    if file:
        recipe_controls.draw_rows(values, places, "further", "second")
    else:  # what a link or a share file sets stays until the file is opened
        for row in of_part("file", "further", "second"):
            values[row.key] = _value(row.key, None) if row.shown_when(values) else row.default
    if not file and _before_the_file():
        for place in (places["ties"], places["merges"]):
            place.caption("The page stays as it is until you open a tokenizer's file.")
    elif values["file_use"] == REPLAY:
        places["ties"].caption("The tokenizer's own merges are replayed, so no rule decides here.")
        places["merges"].caption(
            "All merges of the tokenizer are replayed. To learn merges, choose “Go on training” or “Train one like it "
            "on this text”."
        )
    recipe = _hidden_recipe(source).changed(**values, file=file.id if file else "")
    if file:
        return _as_large_as(file, recipe), None
    asked = expected_tokenizer.request() or (_LINKED if link.names_setting(_KEY) else _NO_FILE)
    return recipe, missing or Missing(asked)


def _short(title: str) -> str:
    """Return a title without what follows a comma or stands in parentheses.

    >>> _short("Characters, end-of-word symbol"), _short("Paper (Sennrich et al. 2016)")
    ('Characters', 'Paper')
    """
    return title.partition("(")[0].partition(",")[0].strip()


def _as_large_as(file: TokenizerFile, recipe: Recipe) -> Recipe:
    """Return the recipe with the file's number of merges, unless the viewer has chosen one for trainings.

    Compare trains lanes beside the file, and lanes of different sizes are hard to compare.
    """
    if recipe_controls.is_chosen("merges"):
        return recipe
    own = 0 if recipe.trains_like else len(file.tokenizer.merges)
    return recipe.changed(merges=min(own + recipe.further_merges, MOST_MERGES))


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
    if isinstance(row.kind, Menu) and value not in row.kind.titles:
        value = None  # not drawn yet, or what no menu offers
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


def _lacks_file() -> bool:
    """Return whether the pages wait for a tokenizer's file."""
    return st.session_state.get(_KEY) == FROM_FILE and tokenizer_files.current() is None
