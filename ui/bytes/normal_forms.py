"""Unicode's normal forms: the control that chooses one, and a table of the text in each."""

import unicodedata
from typing import Literal, cast

import streamlit as st

from bpe.analysis.text_rows.alignment import graphemes
from bpe.encoding.tokenizer import Tokenizer
from ui.show import tables
from ui.visit import page_link

KEY = "bytes_form"
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
LINK = {"form": (KEY, page_link.slug(*FORMS))}

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


def choose_form() -> str:
    """Draw the control that chooses a normal form, and return the form's slug."""
    if st.session_state.get(KEY) not in FORMS:
        st.session_state[KEY] = "typed"
    form = st.segmented_control(
        "Normalization",
        tuple(FORMS),
        key=KEY,
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
        st.dataframe(tables.frame(COLUMNS, rows), hide_index=True, key="bytes_forms")
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


def linked() -> dict[str, str | int | None]:
    """Return the link parameter of the form; empty for the text as typed."""
    form = st.session_state[KEY]
    return {"form": None if form == "typed" else form}
