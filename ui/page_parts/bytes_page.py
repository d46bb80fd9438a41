"""The page Bytes: its text field with examples, and what it shows of the text, as data for one component.

The text outlives page changes and reloads, and is part of the link.
"""

import unicodedata
from collections.abc import Sequence
from typing import Literal, cast

import streamlit as st

import bpe
from bpe import Symbol, Trace
from bpe.analysis.alignment import Row, graphemes
from bpe.analysis.alignment import aligned_rows as rows_of
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted, listed
from bpe.text.normalizing import NORMALIZATIONS
from film.feed import CodeBeat
from film.labels import chip_label
from film.textbook_code import spelling_lines
from ui.choices import text_link
from ui.choices.choices import Choice
from ui.shown import step_slider
from ui.trainings import training
from ui.trainings.corpus import MOST_IN_BYTES, MOST_TYPED, beginning
from ui.trainings.settings import FREE
from ui.view import visit
from ui.view.aligned_rows import rows_data
from ui.view.component import COMPONENTS, component
from ui.view.listing import listing_data
from ui.view.menus import segments
from ui.view.text import in_markdown, shortened
from ui.view.text_field import page_field, put, suggest, suggested, typed
from ui.view.visit import Slot

_TEXT_KEY, _TEXT_OF_TOKENIZERS = "bytes_text", "tokenizers_text"
_MOST_SHOWN = 80  # graphemes in the rows at one time
_FIRST_EXAMPLE = "A😊"
# what an example shows -> its text.
_EXAMPLES = {
    "An emoji": _FIRST_EXAMPLE,
    "Two kinds of é": "é e\u0301",
    "A family": "👨‍👩‍👧",
    "Hindi": "नमस्ते",
    "A ligature": "ﬁne",
    "White space": "a b\u00a0c\td",
    "Chinese": "标记",
    "Flags": "🇳🇵🇨🇭",
}
TEXT_LINK = {"text": (_TEXT_KEY, visit.short_text)}


def text_field(choice: Choice) -> str:
    """Draw the field for the text, and return its text.

    Until the viewer types one there it is the training text, the text of Tokenizers, or an example.
    """
    own = beginning(choice.corpus.reading_text, MOST_IN_BYTES) if choice.source != "sample" else ""
    other = typed(_TEXT_OF_TOKENIZERS)
    suggest(_TEXT_KEY, own or other or _FIRST_EXAMPLE)
    same = "The same text as on Watch." if own else "The same text as on Tokenizers." if other else ""
    is_typed = st.session_state[_TEXT_KEY] != suggested(_TEXT_KEY)
    return page_field(
        "Text to look into",
        key=_TEXT_KEY,
        most=MOST_TYPED,
        placeholder="Type a word in any script, or an emoji",
        says="You see its bytes half a second after you stop typing.",
        suggestion=suggested(_TEXT_KEY),
        note="" if is_typed else same,
    )


def draw_examples() -> None:
    """Draw a button for each example."""
    with st.container(horizontal=True, key="bytes_examples"):
        for title, text in _EXAMPLES.items():
            st.button(title, key=f"bytes_example_{title}", on_click=put, args=(_TEXT_KEY, text))


def window(text: str, *, is_cut: bool) -> str:
    """Return the part of the text that the rows show; for a long text, draw the slider that moves it.

    is_cut: whether more has been typed than the page looks into.
    """
    clusters = graphemes(text)
    if len(clusters) <= _MOST_SHOWN:
        return text
    last = len(clusters) - 1
    start = st.slider("Show the text from character", 0, last, step=_MOST_SHOWN // 2, key="bytes_from")
    end = min(start + _MOST_SHOWN, len(clusters))
    whole = f"the first {len(clusters):,}" if is_cut else f"{len(clusters):,}"
    st.caption(
        in_markdown(f"Characters {start + 1:,} to {end:,} of {whole}, split into tokens on their own.", 200)
    )
    return "".join(clusters[start:end])


def link_text() -> None:
    """Write the text into the link, unless a link without it shows the same one."""
    text = st.session_state[_TEXT_KEY]
    is_shown = text == suggested(_TEXT_KEY) and text != typed(_TEXT_OF_TOKENIZERS)
    text_link.write_texts("bytes", {"text": None if is_shown else text})


_FORM_KEY = "bytes_form"
# slug of a form -> its label in the control.
_FORMS = {"typed": "As typed", "NFC": "NFC", "NFD": "NFD", "NFKC": "NFKC", "NFKD": "NFKD"}
_ABOUT = {
    "typed": "The text exactly as typed. Two texts can look the same and still be different bytes.",
    "NFC": "NFC composes: e and a combining accent become one code point, é.",
    "NFD": "NFD decomposes: é becomes e and a combining accent.",
    "NFKC": "NFKC composes and simplifies: the ligature ﬁ becomes f and i, a no-break space becomes a space.",
    "NFKD": "NFKD decomposes and simplifies.",
}
FORM_LINK = {"form": (_FORM_KEY, visit.slug(*_FORMS))}

_Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


def choose_form(typed: str) -> str:
    """Draw the control that chooses a normal form of the text, and return the form's slug."""
    form = segments("Normalization", _FORMS, _FORM_KEY)
    st.caption(_ABOUT[form], help=_verdict(typed) if typed else None)
    return form


def in_form(text: str, form: str) -> str:
    """Return the text in a normal form, unchanged for "typed".

    >>> len(in_form("é", "NFC")), len(in_form("é", "NFD"))
    (1, 2)
    """
    return text if form == "typed" else unicodedata.normalize(cast(_Form, form), text)


def _verdict(typed: str) -> str:
    r"""Return a sentence on whether the normal forms of a text differ.

    >>> _verdict("low"), _verdict("\uf900")[:29]
    ('All forms of this text are the same.', 'This text differs from its fo')
    """
    forms = {in_form(typed, form) for form in _FORMS if form != "typed"}
    if forms == {typed}:
        return "All forms of this text are the same."
    advice = "Use the same form for training and for encoding."
    if len(forms) == 1:
        return f"This text differs from its four forms, which are all the same. {advice}"
    return f"The forms differ in their bytes, even where they look the same, so they get different tokens. {advice}"


def linked_form() -> dict[str, str | int | None]:
    """Return the link parameter of the form; empty for the text as typed."""
    form = st.session_state[_FORM_KEY]
    return {"form": None if form == "typed" else form}


def choose_tokenizer(trace: Trace | None, choice: Choice) -> tuple[Tokenizer, int | None]:
    """Draw the slider of a training's merges. Return the tokenizer after as many, and their number unless it is all.

    trace: None for a finished tokenizer, whose merges are not counted in the training text.
    """
    if trace is None:
        assert choice.finished
        return choice.finished.tokenizer, None
    step = step_slider.at_step(trace)
    return step_slider.tokenizer(trace, choice, step), None if step == len(trace.steps) else step


# Under a training on bytes no character is unknown. So the rows show the tokens of one as long as the chosen tokenizer
# does not know the text, unless the viewer asks for its tokens nevertheless.

# Whether the viewer wants to see the chosen tokenizer's tokens, unknown ones too
_SHOWS_UNKNOWN: Slot[bool] = Slot("_bytes_shows_unknown", bool)

# The first preset that works on bytes.
_PRESET = next(
    slug for slug, preset in bpe.PRESETS.items() if bpe.VARIANTS[preset.settings["variant"]].unit == "bytes"
)


def _byte_level(choice: Choice, step: int | None) -> Tokenizer:
    """Return the tokenizer of a training on bytes, with the viewer's text and at most as many merges, after `step`."""
    own = choice.recipe.trained
    recipe = own.with_preset(_PRESET).changed(vocab_size=None)  # it may be less than the 256 bytes
    if (form := own.values["normalization"]) is not None:
        recipe = recipe.changed(preset=FREE, normalization=form)
    recipes = (
        [recipe] if choice.finished else [choice.recipe, recipe]
    )  # the menus know the training of the choice
    trace = training.required_traces(choice.corpus, recipes)[-1]
    return trace.tokenizer(len(trace.steps) if step is None else min(step, len(trace.steps)))


def _whose_tokens(unknown: int, title: str) -> tuple[str, str]:
    """Return whose tokens the rows show, as a sentence, and what a press shows instead."""
    are = "is" if unknown == 1 else "are"
    what = f"{counted(unknown, 'character')} {are} not in the vocabulary of {shortened(title, 80)}."
    if _SHOWS_UNKNOWN.read():
        return what, "Show byte-level tokens"
    return f"{what} So these are byte-level tokens.", "Show what is unknown"


def _switch() -> None:
    _SHOWS_UNKNOWN.write(not _SHOWS_UNKNOWN.read())


# What the page shows of a text, as data for one component: graphemes, code points, bytes, remapped characters and
# tokens in rows one below the other, what they count and whose tokens these are, and the code that spells the text.

_STAGE = component("bytes_stage", COMPONENTS / "bytes_stage")


def draw_text(text: str, tokenizer: Tokenizer, choice: Choice, step: int | None) -> None:
    """Draw the text as bytes, with the tokens after so many merges; None for all."""
    rows, unknown, shown = _rows(text, tokenizer, choice, step)
    about = [_whose_tokens(unknown, choice.recipe.title)] if unknown else []
    if shown.normalise(text).text != text:
        form = shown.normalization
        who = "This tokenizer first applies" if choice.file else "These settings first apply"
        begins = f"{who} {NORMALIZATIONS[form].name}" if form else ""
        changes = begins or "This tokenizer changes a text before it splits it"
        about.append((f"{changes}, and the rows show the result.", ""))
    _STAGE(
        key="bytes_rows",
        data={
            "rows": {**rows_data(rows, "One text in five rows"), "large": True},
            "counts": _counts_sentence(rows),
            "whose": f"under {shortened(choice.recipe.title, 80)}"
            if choice.finished
            else "with these merges",
            "about": about,
            "listing": _code(text, tokenizer),
        },
        on_switch_change=_switch,
        height="content",
    )


_MOST_CODE_CHIPS = 16  # words, and symbols, beside the code


def _code(text: str, tokenizer: Tokenizer) -> dict[str, object]:
    """Return the code that splits and spells a text, closed at first, with the first words and symbols."""
    variant = tokenizer.variant
    words = variant.split(tokenizer.normalise(text).text)[:_MOST_CODE_CHIPS]
    symbols = [symbol for word in words for symbol in variant.spell(word)]
    chips: dict[CodeBeat, list[Symbol]] = {
        "split": [variant.bytes_of(word) for word in words],
        "spell": symbols[:_MOST_CODE_CHIPS],
    }
    values = {beat: [chip_label(variant, symbol) for symbol in found] for beat, found in chips.items()}
    return listing_data(spelling_lines(variant), "fixed", values=values, marker=variant.marker_text)


def _rows(
    text: str, tokenizer: Tokenizer, choice: Choice, step: int | None
) -> tuple[list[Row], int, Tokenizer]:
    """Return the rows, how many characters the tokenizer does not know, and the one whose tokens the rows show."""
    rows = rows_of(text, tokenizer)
    unknown = sum(cell.kind == "unknown" for cell in rows[-1].cells)
    if unknown and not _SHOWS_UNKNOWN.read():
        tokenizer = _byte_level(choice, step)
        rows = rows_of(text, tokenizer)
    return rows, unknown, tokenizer


def _counts_sentence(rows: Sequence[Row]) -> str:
    """Return how many graphemes, code points, bytes and tokens the rows hold."""
    sizes = {row.slug: len(row.cells) for row in rows}
    counts = [
        counted(sizes["graphemes"], "grapheme"),
        counted(sizes["code-points"], "code point"),
        counted(sizes["bytes"], "byte"),
        counted(sum(cell.kind != "gap" for cell in rows[-1].cells), "token"),
    ]
    return listed(counts)
