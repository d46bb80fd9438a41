"""The view “GPT-4o, Qwen, DeepSeek, Mistral”: how published tokenizers split the text, in aligned rows."""

from collections.abc import Mapping, Sequence

import streamlit as st

from bpe import Trace
from bpe.analysis.text_rows.alignment import mark_differences
from bpe.analysis.text_rows.typed_text import typed_row
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted
from published.rows import PUBLISHED
from ui.components.aligned_rows import aligned_rows
from ui.encode.controls import Setting
from ui.encode.encoded_text import MOST_IN_ROWS, Encoded
from ui.show.text import in_markdown
from ui.sidebar.recipes.settings import AS_PUBLISHED
from ui.sidebar.sidebar import Choice
from ui.sidebar.tokenizers.published_files import published_file
from ui.visit import page_link

KEY = "encode_published"
FIRST = ("gpt-4o", "qwen", "deepseek", "mistral")
MOST_COUNTED = 50_000  # characters


def _slugs(text: str) -> list[str] | None:
    """Return the tokenizers that a link names; None if it names an unknown one."""
    slugs = list(dict.fromkeys(text.split("~")))
    return slugs if set(slugs) <= PUBLISHED.keys() else None


LINK_NAME = "split_by"
LINK = {LINK_NAME: (KEY, _slugs)}


def published_view(trace: Trace, choice: Choice, setting: Setting, encoded: Encoded) -> None:
    """Draw a row for each chosen tokenizer, who needs the fewest tokens, and a button that opens each of them."""
    slugs = _choose()
    page_link.write({LINK_NAME: None if tuple(slugs) == FIRST else "~".join(slugs) or None})
    if not slugs:
        st.info("Choose at least one tokenizer.")
        return
    with st.spinner(f"Opening {counted(len(slugs), 'tokenizer')} …"):
        tokenizers = {slug: published_file(slug).tokenizer for slug in slugs}
    text = setting.text[:MOST_COUNTED]
    tokens = token_counts(text, tokenizers)
    st.markdown(in_markdown(fewest_sentence(tokens), most=500))
    drawn = setting.text[:MOST_IN_ROWS]
    rows = [
        typed_row(drawn, tokenizers[slug], slug, f"{PUBLISHED[slug].name} · {tokens[slug]:,}")
        for slug in slugs
    ]
    spelled = [row for row in rows if row is not None]
    marks = mark_differences(spelled)
    aligned_rows(spelled, {}, key="published_rows", label="The same text under each tokenizer", differs=marks)
    notes = [
        f"{PUBLISHED[slug].name} changes this text before splitting it, so its row is left out."
        for slug, row in zip(slugs, rows, strict=True)
        if row is None
    ]
    if len(drawn) < len(setting.text):
        notes.append(
            f"The rows show the first {len(drawn):,} of {len(setting.text):,} characters; the numbers count "
        )
        notes[-1] += "all of them." if len(text) == len(setting.text) else f"the first {len(text):,}."
    if notes:
        st.caption(in_markdown(" ".join(notes), most=600))
    _draw_ways_in(slugs)


def _choose() -> list[str]:
    """Draw the tokenizers to choose from, and return the chosen ones in the order of the menu."""
    chosen = st.session_state.get(KEY)
    if not isinstance(chosen, list) or not all(one in list(PUBLISHED) for one in chosen):
        st.session_state[KEY] = list(FIRST)
    st.pills(
        "How do these tokenizers split your text?",
        list(PUBLISHED),
        selection_mode="multi",
        key=KEY,
        format_func=lambda slug: PUBLISHED[slug].name,
        persist_state="session",
    )
    return [slug for slug in PUBLISHED if slug in st.session_state[KEY]]


def token_counts(text: str, tokenizers: Mapping[str, Tokenizer]) -> dict[str, int]:
    """Return the number of tokens that each tokenizer needs for the text."""
    return {slug: len(tokenizer.encode(text)) for slug, tokenizer in tokenizers.items()}


def fewest_sentence(tokens: Mapping[str, int]) -> str:
    """Return which published tokenizers need the fewest tokens, and which the most.

    >>> fewest_sentence({"gpt-4o": 12, "qwen": 15, "deepseek": 12})
    'GPT-4o and DeepSeek need the fewest tokens, 12; Qwen needs the most, 15.'
    """
    least, most = min(tokens.values()), max(tokens.values())
    fewest = [PUBLISHED[slug].name for slug, number in tokens.items() if number == least]
    if least == most:
        need = "needs" if len(tokens) == 1 else "all need" if len(tokens) > 2 else "both need"
        return f"{_listed(fewest)} {need} {counted(least, 'token')}."
    others = [PUBLISHED[slug].name for slug, number in tokens.items() if number == most]
    needs = [f"{_listed(names)} {'needs' if len(names) == 1 else 'need'}" for names in (fewest, others)]
    return f"{needs[0]} the fewest tokens, {least:,}; {needs[1]} the most, {most:,}."


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _draw_ways_in(slugs: Sequence[str]) -> None:
    """Draw a button for each tokenizer that makes it the one of all pages."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.caption("Use on all pages:", width="content")
        for slug in slugs:
            st.button(
                in_markdown(PUBLISHED[slug].name),
                key=f"open_{slug}",
                on_click=_open,
                args=(slug,),
                help=in_markdown(
                    f"{PUBLISHED[slug].maker}, {PUBLISHED[slug].years}: {PUBLISHED[slug].models}."
                ),
            )


def _open(slug: str) -> None:
    """Take the merges from a published tokenizer. A callback."""
    st.session_state["recipe_source"] = AS_PUBLISHED
    st.session_state["published"] = slug
