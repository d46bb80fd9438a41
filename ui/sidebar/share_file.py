"""Sharing: a link for samples, and a file with corpus and recipe for a text too long for a link."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import streamlit as st

from bpe import BPEError
from ui import page_link
from ui.components.address import address
from ui.show.text import in_markdown
from ui.sidebar import corpus as corpora
from ui.sidebar import corpus_controls
from ui.sidebar import recipe as recipes
from ui.sidebar.corpus import Corpus
from ui.sidebar.recipe import MOST_PATTERN, Recipe

FORMAT = "merge-by-merge share file, version 1"
LINKED = ("preset", "variant", "tie_break", "merges", "vocab_size", "min_count", "seed", "unit")


def share_file(corpus: Corpus, recipe: Recipe) -> bytes:
    """Corpus and recipe as JSON; `read_share_file` gives both back."""
    content: dict[str, Any] = {"title": corpus.title}
    if corpus.frequencies is None:
        content["documents"] = list(corpus.documents)
    else:
        content["words"] = dict(corpus.frequencies)
    chosen = {key: value for key, value in asdict(recipe).items() if value is not None}
    chosen["picks"] = recipes.written_picks(recipe.picks)
    return json.dumps(
        {"format": FORMAT, "corpus": content, "recipe": chosen}, ensure_ascii=False, indent=1
    ).encode()


def read_share_file(content: bytes) -> tuple[Corpus, dict[str, Any]]:
    """(corpus, session values by key) of a share file; raises BPEError naming the field that is wrong."""
    try:
        shared = json.loads(content)
    except (ValueError, RecursionError):
        raise BPEError("A share file must be JSON as this app saves it; this file is not.") from None
    if not isinstance(shared, dict) or shared.get("format") != FORMAT:
        raise BPEError(f"A share file must say “{FORMAT}” in its field “format”; this file does not.")
    values, ignored = recipes.read_link(_written(shared.get("recipe")))
    if ignored:
        raise BPEError(f"The share file's recipe does not hold: {ignored[0]}")
    pattern = shared["recipe"].get("pattern", "")
    if not isinstance(pattern, str) or len(pattern) > MOST_PATTERN:
        raise BPEError(
            f"The share file's field recipe.pattern must be a text of at most {MOST_PATTERN} characters."
        )
    return _shared_corpus(shared.get("corpus")), {**values, "pattern": pattern}


def _written(recipe: Any) -> dict[str, str]:
    if not isinstance(recipe, Mapping):
        raise BPEError("The share file's field “recipe” must hold the choices by name.")
    return {key: str(recipe[key]) for key in (*LINKED, "picks") if recipe.get(key) not in (None, "")}


def _shared_corpus(content: Any) -> Corpus:
    if not isinstance(content, Mapping):
        raise BPEError("The share file's field “corpus” must hold a title, and documents or words.")
    title = str(content.get("title", "Shared text"))[:200]
    words, documents = content.get("words"), content.get("documents")
    if isinstance(words, Mapping):
        return corpora.from_words("\n".join(f"{word} {count}" for word, count in words.items()), title)
    if not isinstance(documents, list) or not all(isinstance(document, str) for document in documents):
        raise BPEError("The share file's field corpus.documents must be a list of texts.")
    return corpora.from_documents(documents, title)


def link(of_sample: bool, step: int | None = None) -> None:
    """The link of a recipe and a step, for copying; a text of the viewer's own has none."""
    recipe = st.session_state.get("_link", {})
    page_link.show(recipe if step is None else recipe | {"step": step}, of_sample=of_sample)


def controls(corpus: Corpus | None, recipe: Recipe, *, link_of_text: bool) -> None:
    """The popover at the end of the sidebar: copy the link, save a share file, open one."""
    page_link.led_here()  # on whichever page the session begins
    with st.popover("Share or open", icon="🔗", width="stretch"):
        if page_link.introduced(of_sample=link_of_text):
            address("share_address")
        st.download_button(
            "Save a share file",
            data=b"" if corpus is None else share_file(corpus, recipe),
            file_name="merge-by-merge.json",
            mime="application/json",
            disabled=corpus is None,
            on_click="ignore",
            width="stretch",
        )
        st.file_uploader("Open a share file", type="json", key="share_file", on_change=_open)
        problem = st.session_state.get("_share_problem")
        if problem:
            st.error(in_markdown(problem, most=500))


def _open() -> None:
    """Take corpus and recipe from the file: a callback, since the widgets above are drawn already."""
    file = st.session_state["share_file"]
    st.session_state["_share_problem"] = ""
    if file is None:
        return
    try:
        corpus, values = read_share_file(file.getvalue())
    except BPEError as error:
        st.session_state["_share_problem"] = str(error)
        return
    st.session_state["_link_picks"] = values.pop("picks", ())
    for key in ("vocab_size", "min_count"):
        st.session_state[key] = values.pop(key, None)
    st.session_state.update(values)
    corpus_controls.take(corpus)
