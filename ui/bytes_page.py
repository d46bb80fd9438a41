"""The text field of Bytes with its examples. The text outlives page changes and reloads, and is part of the link."""

import unicodedata
from collections.abc import Callable, Sequence
from typing import Literal, cast

import streamlit as st

import bpe
from bpe import Trace
from bpe.analysis.alignment import Row, graphemes
from bpe.analysis.alignment import aligned_rows as rows_of
from bpe.analysis.spectrum import Level, corpus_words, spectrum, tokens_in, unknown_in
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted
from bpe.text.normalizing import NORMALIZATIONS
from ui import visit
from ui.choices import recipe_controls, text_link
from ui.choices.recipe import Recipe
from ui.components.aligned_rows import aligned_rows
from ui.components.chip_table import plain_table
from ui.show.text import in_markdown
from ui.streamlit_gaps.kept_text import kept_text
from ui.visit import Slot, nothing

TEXT_KEY = "bytes_text"
MOST_CHARACTERS = 20_000
MOST_SHOWN = 80  # graphemes in the rows at one time
FIRST_EXAMPLE = "A😊"
# what an example shows -> its text.
EXAMPLES = {
    "An emoji": FIRST_EXAMPLE,
    "Two kinds of é": "é e\u0301",
    "A family": "👨‍👩‍👧",
    "Hindi": "नमस्ते",
    "A ligature": "ﬁne",
    "White space": "a b\u00a0c\td",
    "Chinese": "标记",
    "Flags": "🇳🇵🇨🇭",
}
TEXT_LINK = {"text": (TEXT_KEY, visit.short_text)}


def text_field() -> str:
    """Draw the text field and a button for each example, and return the typed text."""
    st.session_state.setdefault(TEXT_KEY, FIRST_EXAMPLE)
    st.text_area(
        "Text",
        key=TEXT_KEY,
        height=96,
        max_chars=MOST_CHARACTERS,
        placeholder="Type a word in any script, or an emoji",
        persist_state="session",
    )
    with st.container(horizontal=True, key="bytes_examples"):
        for title, text in EXAMPLES.items():
            st.button(title, key=f"bytes_example_{title}", on_click=_set_text, args=(text,))
    kept_text(
        {TEXT_KEY: TEXT_KEY},
        (TEXT_KEY,),
        key="_kept_bytes",
        restore=_restore,
        suggestions={TEXT_KEY: FIRST_EXAMPLE},
    )
    return str(st.session_state[TEXT_KEY] or "")


def _set_text(text: str) -> None:
    st.session_state[TEXT_KEY] = text


def _restore(texts: dict[str, str]) -> None:
    if TEXT_KEY in texts and st.session_state.get(TEXT_KEY) in (FIRST_EXAMPLE, "", None):
        st.session_state[TEXT_KEY] = texts[TEXT_KEY]


def window(text: str) -> str:
    """Return the part of the text that the rows show; for a long text, draw the slider that moves it."""
    clusters = graphemes(text)
    if len(clusters) <= MOST_SHOWN:
        return text
    last = len(clusters) - 1
    start = st.slider("Show the text from character", 0, last, step=MOST_SHOWN // 2, key="bytes_from")
    end = min(start + MOST_SHOWN, len(clusters))
    st.caption(
        in_markdown(
            f"Characters {start + 1:,} to {end:,} of {len(clusters):,}, split into tokens on their own.", 200
        )
    )
    return "".join(clusters[start:end])


def link_texts(trace: Trace) -> None:
    """Write the two texts into the link, unless they are the first example and the suggested words."""
    text, words = st.session_state[TEXT_KEY], st.session_state[SPECTRUM_KEY]
    texts = {
        "text": None if text == FIRST_EXAMPLE else text,
        "words": None if words == suggested(trace) else words,
    }
    text_link.write_texts("bytes", texts)


# Unicode's normal forms: the control that chooses one, and a table of the text in each.

FORM_KEY = "bytes_form"
# slug of a form -> its label in the control.
FORMS = {
    "typed": "As typed",
    "NFC": "NFC",
    "NFD": "NFD",
    "NFKC": "NFKC",
    "NFKD": "NFKD",
}
ABOUT = {
    "typed": "The text exactly as typed. Two texts can look the same and still be different bytes.",
    "NFC": "NFC composes: e and a combining accent become one code point, é.",
    "NFD": "NFD decomposes: é becomes e and a combining accent.",
    "NFKC": "NFKC composes and simplifies: the ligature ﬁ becomes f and i, a no-break space becomes a space.",
    "NFKD": "NFKD decomposes and simplifies.",
}
COLUMNS = ("form", "graphemes", "code points", "bytes", "tokens")
FORM_LINK = {"form": (FORM_KEY, visit.slug(*FORMS))}

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


def choose_form() -> str:
    """Draw the control that chooses a normal form, and return the form's slug."""
    if st.session_state.get(FORM_KEY) not in FORMS:
        st.session_state[FORM_KEY] = "typed"
    form = st.segmented_control(
        "Normalization",
        tuple(FORMS),
        key=FORM_KEY,
        format_func=FORMS.__getitem__,
        required=True,
        persist_state="session",
    )
    st.caption(ABOUT[str(form)])
    return str(form)


def in_form(text: str, form: str) -> str:
    """Return the text in a normal form, unchanged for "typed".

    >>> len(in_form("é", "NFC")), len(in_form("é", "NFD"))
    (1, 2)
    """
    return text if form == "typed" else unicodedata.normalize(cast(Form, form), text)


def form_table(typed: str, tokenizer: Tokenizer) -> None:
    """Draw the table of normal forms, collapsed at first."""
    with st.expander("This text in every normal form"):
        rows = form_rows(typed, tokenizer)
        plain_table(COLUMNS, rows, key="bytes_forms", label="Normal forms of the text")
        st.caption(verdict(typed))


def verdict(typed: str) -> str:
    r"""Return a sentence on whether the normal forms of a text differ.

    >>> verdict("low"), verdict("\uf900")[:29]
    ('All forms of this text are the same.', 'This text differs from its fo')
    """
    forms = {in_form(typed, form) for form in FORMS if form != "typed"}
    if forms == {typed}:
        return "All forms of this text are the same."
    advice = "Use the same form for training and for encoding."
    if len(forms) == 1:
        return f"This text differs from its four forms, which are all the same. {advice}"
    return f"The forms differ in their bytes, even where they look the same, so they get different tokens. {advice}"


def form_rows(typed: str, tokenizer: Tokenizer) -> list[tuple[str, int, int, int, int]]:
    """Return one row of COLUMNS for each form: its title and four counts."""
    texts = ((title, in_form(typed, form)) for form, title in FORMS.items())
    return [
        (title, len(graphemes(text)), len(text), len(text.encode()), len(tokenizer.tokens(text)))
        for title, text in texts
    ]


def linked_form() -> dict[str, str | int | None]:
    """Return the link parameter of the form; empty for the text as typed."""
    form = st.session_state[FORM_KEY]
    return {"form": None if form == "typed" else form}


# The switch to a recipe on bytes, under which no character is unknown, and back to the viewer's own recipe.

# The recipe from which the viewer switched to bytes
RECIPE_BEFORE_BYTES: Slot[Recipe | None] = Slot("_recipe_before_bytes", nothing)

# The first preset that works on bytes.
PRESET = next(
    slug for slug, preset in bpe.PRESETS.items() if bpe.VARIANTS[preset.settings["variant"]].unit == "bytes"
)


def switch(recipe: Recipe, unknown: int) -> None:
    """Draw the button to the byte-level preset if characters are unknown, else the way back if it was pressed."""
    if recipe.file or recipe.preset != PRESET:
        RECIPE_BEFORE_BYTES.forget()  # the viewer has chosen another recipe since
        if unknown:
            label = in_markdown(f"Train on bytes: {bpe.PRESETS[PRESET].title}")
            about = "This sets the preset under Tokenizer, for all pages. A button here leads back."
            st.button(label, key="use_bytes", help=about, on_click=_use_bytes, args=(recipe,))
    elif before := RECIPE_BEFORE_BYTES.read():
        label = in_markdown(f"Back to {before.title}")
        st.button(label, key="bytes_back", icon=":material/undo:", on_click=_go_back, args=(before,))


def _use_bytes(recipe: Recipe) -> None:
    """Put the byte-level preset into the choices. A callback, since the controls are drawn before the page."""
    RECIPE_BEFORE_BYTES.write(recipe)
    byte_recipe = recipe.with_preset(PRESET).changed(vocab_size=None)  # it may be less than the 256 bytes
    recipe_controls.put(byte_recipe.values)


def _go_back(recipe: Recipe) -> None:
    """Put the viewer's recipe into the choices again. A callback."""
    RECIPE_BEFORE_BYTES.forget()
    recipe_controls.put(recipe.values)


# The rows of Bytes: one text as graphemes, code points, bytes, remapped characters and tokens, one below the
# other.


def unicode_rows(text: str, tokenizer: Tokenizer, draw_switch: Callable[[int], None]) -> None:
    """Draw the rows, and below them the count of each row.

    draw_switch: called above the rows with the number of unknown characters.
    """
    rows = rows_of(text, tokenizer)
    unknown = unknown_in(rows[-1])
    with st.container(horizontal=True, vertical_alignment="center", key="bytes_unknown"):
        if unknown:
            are, them = ("is", "it") if unknown == 1 else ("are", "them")
            st.caption(
                f"{counted(unknown, 'character')} {are} unknown because the training text never contained {them}. "
                "A byte-level tokenizer can spell anything.",
                width="content",
            )
        draw_switch(unknown)
    aligned_rows(rows, tokenizer.ids, key="bytes_rows", label="One text in five rows")
    st.markdown(f"**{counts_sentence(rows)}** with these merges.")
    if tokenizer.normalization and tokenizer.normalise(text) != text:
        name = NORMALIZATIONS[tokenizer.normalization].name
        st.caption(f"These settings begin with {name}, and the rows show the result.")


def counts_sentence(rows: Sequence[Row]) -> str:
    """Return how many graphemes, code points, bytes and tokens the rows hold."""
    sizes = {row.slug: len(row.cells) for row in rows}
    counts = [
        counted(sizes["graphemes"], "grapheme"),
        counted(sizes["code-points"], "code point"),
        counted(sizes["bytes"], "byte"),
        counted(tokens_in(rows[-1]), "token"),
    ]
    return f"{', '.join(counts[:-1])} and {counts[-1]}"


# The tokenization spectrum: one text as words, subwords, characters and bytes, and what happens to unseen
# words.

SPECTRUM_KEY = "spectrum_text"
MOST_SPECTRUM = 200
SPECTRUM_LINK = {"words": (SPECTRUM_KEY, visit.short_text)}


def spectrum_section(trace: Trace, tokenizer: Tokenizer) -> None:
    """Draw the field for the text, a row for each level, and a tile for each level."""
    st.header("The tokenization spectrum")
    st.session_state.setdefault(SPECTRUM_KEY, suggested(trace))
    text = st.text_input(
        "Some words, one of them new",
        key=SPECTRUM_KEY,
        max_chars=MOST_SPECTRUM,
        persist_state="session",
    )
    text = tokenizer.normalise(text or "")
    if not text:
        st.caption("Type some words: one from the training text and one that is new.")
        return
    levels = spectrum(trace, tokenizer)
    rows = [level.row(text) for level in levels]
    aligned_rows(rows, tokenizer.ids, key="spectrum_rows", label="The same text at four levels")
    with st.container(key="tiles"):
        for level, row in zip(levels, rows, strict=True):
            _level_tile(level, tokens_in(row), unknown_in(row))
    st.subheader("What each level is good at, and what it costs")
    plain_table(
        ("level", "good", "the price"),
        [(level.title, level.good, level.price) for level in levels],
        key="spectrum_levels",
        label="What each level is good at",
        prose=("good", "the price"),
    )


def _level_tile(level: Level, tokens: int, unknown: int) -> None:
    with st.container(border=True, height="stretch"):
        st.metric(
            level.title,
            counted(tokens, "token"),
            f"{unknown:,} unknown" if unknown else "none unknown",
            delta_color="off",
            delta_arrow="off",
        )
        st.caption(in_markdown(f"{level.about} Vocabulary: {level.vocabulary:,}.", 400))


def suggested(trace: Trace) -> str:
    """Return two short words of the corpus, and one that no sample corpus contains.

    >>> from merge_by_merge import bpe
    >>> suggested(bpe.train("low lower lowest"))
    'low lower unbelievable'
    """
    words = [word for word in corpus_words(trace) if len(word) <= 20][:2]
    return " ".join([*words, "unbelievable"])
