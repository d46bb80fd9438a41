"""The shared controls in the sidebar, for corpus and recipe. They survive reruns, page changes and reloads.

`app.py` calls `draw()` before every page; a page calls `required()` and gets a text and a recipe.
"""

from dataclasses import dataclass

import streamlit as st

from bpe import BPEError
from bpe.text.display import counted
from ui import visit
from ui.sidebar import (
    controls,
    corpus_controls,
    introduction,
    link,
    picks,
    recipe_controls,
    recipe_source,
    share_file,
    start_file,
    tokenizer_files,
)
from ui.sidebar import link as linked_step
from ui.sidebar import recipe_controls as opening
from ui.sidebar.corpus import Corpus
from ui.sidebar.recipe import Recipe, signature
from ui.sidebar.recipe_line import CONTROLS, recipe_line
from ui.sidebar.settings import SETTINGS, SOURCES
from ui.sidebar.text_link import (
    LINES,
    MOST_FRAGMENT,
    PAGE_TEXTS,
    SOURCE_OF,
    fragment_of,
    joined,
    read_fragment,
    read_texts,
    texts_part,
)
from ui.sidebar.tokenizer_files import TokenizerFile
from ui.streamlit_gaps.first_frame import lacks_parts
from ui.streamlit_gaps.kept_text import kept_text
from ui.streamlit_gaps.link_fragment import link_fragment
from ui.visit import Slot, nothing


@dataclass(frozen=True, slots=True)
class Choice:
    """The values of the sidebar's controls: what to train on, and how."""

    source: str
    corpus: Corpus
    recipe: Recipe
    base: str  # equal for equal corpus, variant and rule, whatever the stop rules and the picks by hand
    step: int | None  # from the link
    fragment: str | None  # of a link to this text and to typed settings; None if no link can hold the text
    file: TokenizerFile | None = None  # whose merges are replayed; None for a training


# What the controls say, or the sentence why there is no text; None before they are drawn
CHOICE: Slot[Choice | str | None] = Slot("_choice", nothing)


def draw() -> None:
    """Draw the controls, in the order text, recipe, sharing, and store their values. Call it in the sidebar."""
    link.begin()
    start_file.begin()
    # Until the browser has the sidebar, the address that opened the visit counts; writing the link has shortened it.
    opens = "corpus_source" in st.query_params or (lacks_parts() and link.names_setting("corpus_source"))
    line = st.container()
    with st.container(key=CONTROLS):
        source = controls.segmented("corpus_source", "Text", SOURCES)
        corpus, problem = corpus_controls.draw(source)
        recipe, no_tokenizer = recipe_source.draw(source)
        suggested = recipe_controls.suggestion(source)
        fragment = None if corpus is None else fragment_of(source, corpus)
        if fragment is not None:
            fragment = joined(fragment, texts_part(LINES, link.lines(recipe, suggested)))
        if corpus is None or no_tokenizer:
            CHOICE.write(no_tokenizer or problem)
        else:
            base = signature(corpus, recipe.without_end)
            recipe = recipe.changed(picks=picks.picks_for(base))
            step = linked_step.linked_step()
            CHOICE.write(Choice(source, corpus, recipe, base, step, fragment, _file(recipe)))
            _draw_undo(base, len(recipe.picks))
        link.write(source, recipe, suggested, opening.unnamed_sample())
        share_file.draw(corpus, recipe, fragment=fragment)
    with line:
        file = _file(recipe)
        opens = opens or corpus is None or bool(no_tokenizer)
        recipe_line(source, corpus, recipe, file.name if file else "", opens=opens)
    _keep_text(source, recipe)
    names = (*SOURCE_OF, LINES, PAGE_TEXTS)
    link_fragment(names, most=3 * MOST_FRAGMENT, key="_link_fragment", receive=_open_fragment)


def draw_without_controls(sentence: str) -> None:
    """Draw a sentence in place of the controls, for a page that does not need them. Their values stay."""
    link.begin()
    start_file.begin()
    link.write_again()
    if not was_drawn():
        CHOICE.write("")
    st.caption(sentence)


def was_drawn() -> bool:
    """Return whether the controls were drawn in this session."""
    return CHOICE.read() is not None


def last_choice() -> Choice | None:
    """Return the values as the controls were last drawn; None if there was no text, or no tokenizer."""
    choice = CHOICE.read()
    return choice if isinstance(choice, Choice) else None


def required(title: str = "") -> Choice:
    """Return the sidebar's values. Without a text, draw the introduction, below a title if one is given, and stop."""
    choice = CHOICE.read()
    if not isinstance(choice, Choice):
        if title:
            st.title(title)
        draw_introduction = introduction.draw_tokenizer if recipe_source.lacks_file() else introduction.draw
        draw_introduction(choice or "")
        st.stop()
    return choice


def _file(recipe: Recipe) -> TokenizerFile | None:
    return tokenizer_files.by_id(recipe.file)


def _draw_undo(base: str, number: int) -> None:
    if number:
        merges = counted(number, "merge")
        st.button(f"Undo your picks for {merges}", key="no_picks", on_click=picks.undo, args=(base, 0))


def _keep_text(source: str, recipe: Recipe) -> None:
    """Store typed text in the browser tab, so that it survives a reload."""
    fields = {source: "corpus_text"} if source in corpus_controls.TYPED else {}
    fields |= {key: key for key in recipe_controls.lines(recipe)}
    names = (*corpus_controls.TYPED, *recipe_controls.lines())
    first = {key: str(SETTINGS[key].first) for key in recipe_controls.lines()}
    kept_text(fields, names, key="_kept_text", restore=_restore, suggestions=first)


def _open_fragment(fragment: str) -> None:
    """Take the texts of a link. A callback, since the controls are drawn already."""
    for part in fragment.split("&", 2):
        try:
            if part.startswith(f"{LINES}="):
                link.open_lines(read_texts(part))
            elif part.startswith(f"{PAGE_TEXTS}="):
                visit.open_texts(read_texts(part))
            else:
                corpus_controls.put_text(*read_fragment(part))
        except BPEError as error:
            link.warn(str(error))


def _restore(texts: dict[str, str]) -> None:
    corpus_controls.restore(texts)
    recipe_controls.restore(texts)
