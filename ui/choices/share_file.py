"""Share files: corpus and recipe as JSON, for text that no link can hold; the page's link, or the file in its place."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from bpe import BPEError, custom_variant
from ui.choices import corpus_controls, expected_tokenizer, held_out_choice, recipe_controls, text_link
from ui.choices.expected_tokenizer import ExpectedTokenizer
from ui.choices.shared_fields import FORMAT as FORMAT
from ui.choices.shared_fields import shared_fields
from ui.trainings import corpus as corpora
from ui.trainings import tokenizer_files
from ui.trainings.corpus import Corpus
from ui.trainings.file_reading import read_files
from ui.trainings.picks import Picks, open_picks, read_picks, write_picks
from ui.trainings.recipe import Recipe
from ui.trainings.settings import SETTINGS, Line, Setting, Value
from ui.view.downloads import download_button
from ui.view.text import in_markdown, shortened
from ui.view.visit import MOST_LINKED, Slot

# What is wrong with the file that was opened
_SHARE_PROBLEM: Slot[str] = Slot("_share_problem", str)

_MOST_NAME = 1_000  # characters; file systems allow some 255

_Read = TypeVar("_Read")


def share_file(corpus: Corpus, recipe: Recipe) -> bytes:
    """Return corpus, recipe and Compare's held-out text as JSON; of a tokenizer's file, its name and its hash."""
    content: dict[str, Any] = {"title": corpus.title}
    if corpus.frequencies is None:
        content["documents"] = list(corpus.documents)
        if tuple(corpus.named.values()) == corpus.documents:
            content["names"] = list(corpus.named)
    else:
        content["words"] = dict(corpus.frequencies)
    values = {key: value for key, value in recipe.values.items() if value is not None}
    shared: dict[str, Any] = {
        "format": FORMAT,
        "corpus": content,
        "recipe": {**values, "picks": write_picks(recipe.picks)},
    }
    file = tokenizer_files.remembered().get(recipe.file)  # a published one is named by the recipe
    if file is not None:
        shared["tokenizer"] = expected_tokenizer.write_expected(file)
    held_out = held_out_choice.write_shared()
    if held_out is not None:
        shared["held_out"] = held_out
    return json.dumps(shared, ensure_ascii=False, indent=1).encode()


@dataclass(frozen=True, slots=True)
class _Shared:
    """What a share file holds."""

    corpus: Corpus
    values: Mapping[str, Value]  # settings by key
    picks: Picks
    tokenizer: ExpectedTokenizer | None  # None for a training
    put_held_out: Callable[[], None]  # puts Compare's held-out text into the session

    def put(self) -> None:
        """Put everything into the controls. Call it before they are drawn."""
        self.put_held_out()
        expected_tokenizer.expect(self.tokenizer)
        recipe_controls.put(self.values)
        open_picks(self.picks)
        corpus_controls.put(self.corpus)


def read_share_file(content: bytes) -> _Shared:
    """Return what a share file holds. Raises BPEError naming the field that is wrong."""
    shared = read_files(shared_fields, [content], (content,))
    recipe = shared.get("recipe")
    if not isinstance(recipe, Mapping):
        raise BPEError("The share file's field “recipe” must contain the choices by name.")
    values = {
        key: _read_field(row, recipe[key])
        for key, row in SETTINGS.items()
        if recipe.get(key) not in (None, "")
    }
    if values.get("pattern"):
        _checked(custom_variant, "pattern", values["pattern"])
    picks = _checked(read_picks, "picks", recipe["picks"]) if recipe.get("picks") else ()
    tokenizer = shared.get("tokenizer")
    return _Shared(
        _shared_corpus(shared.get("corpus")),
        values,
        picks,
        None if tokenizer is None else expected_tokenizer.read_expected(tokenizer),
        held_out_choice.read_shared(shared.get("held_out")),
    )


def _read_field(row: Setting, field: object) -> Value:
    """Return the value of a field. A line may be longer than in a link: it is taken as it was typed."""
    if not isinstance(row.kind, Line):
        read: Callable[[str], Value] = row.kind.read
        return _checked(read, row.key, field)
    if not isinstance(field, str) or len(field) > row.kind.most:
        raise BPEError(
            f"The share file's field recipe.{row.key} must be a string of at most {row.kind.most} characters."
        )
    return field


def _checked(read: Callable[[str], _Read], key: str, field: object) -> _Read:
    try:
        return read(str(field))
    except BPEError as error:
        raise BPEError(
            f"The share file's field recipe.{key} cannot be “{shortened(str(field), 40)}”: {str(error).rstrip('.')}."
        ) from None


def _shared_corpus(content: Any) -> Corpus:
    if not isinstance(content, Mapping):
        raise BPEError("The share file's field “corpus” must contain a title, and documents or words.")
    title = str(content.get("title", "Shared text"))[:200]
    words, documents = content.get("words"), content.get("documents")
    if isinstance(words, Mapping):
        return corpora.from_frequencies(words, title)
    if not isinstance(documents, list) or not all(isinstance(document, str) for document in documents):
        raise BPEError("The share file's field corpus.documents must be a list of texts.")
    corpus = corpora.from_documents(documents, title)
    names = content.get("names")
    if names is None:
        return corpus
    if not isinstance(names, list) or len(names) != len(documents) or not all(map(_is_name, names)):
        raise BPEError(
            f"The share file's field corpus.names must be a list of {len(documents)} names of at most {_MOST_NAME} "
            "characters, one for each document."
        )
    return corpora.with_names(names, corpus)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _MOST_NAME


def draw(corpus: Corpus | None, recipe: Recipe) -> None:
    """Draw the last part of the menu of texts: save a share file, open one."""
    with st.expander("Share file: save or open", icon=":material/share:", key="share_or_open"):
        _save_button(corpus, recipe, key="save_share_file")
        st.file_uploader("Open a share file", type="json", key="share_file", on_change=_open)
        problem = _SHARE_PROBLEM.read()
        if problem:
            st.error(in_markdown(problem, most=500))


def _save_button(corpus: Corpus | None, recipe: Recipe, key: str) -> None:
    download_button(
        "Save a share file",
        lambda: b"" if corpus is None else share_file(corpus, recipe),
        "merge-by-merge.json",
        mime="application/json",
        disabled=corpus is None,
        width="stretch",
        key=key,
    )


def draw_link(
    corpus: Corpus, recipe: Recipe, fragment: str | None, parameters: Mapping[str, str | int] | None = None
) -> None:
    """Draw the whole link of the page; if no link can hold the text, the share file that can.

    parameters: None for those that the page has written. Call it after it has written all of them.
    """
    if parameters is None:
        parameters = st.query_params.to_dict()
    typed = text_link.written()
    whole = None if fragment is None else text_link.joined(fragment, typed)
    is_linked = text_link.link_code(parameters, fragment=whole)
    if is_linked and typed:
        st.caption(f"A field of this page with more than {MOST_LINKED} characters is left out of the link.")
    if not is_linked or text_link.is_local(st.context.url or ""):
        _save_button(corpus, recipe, key="save_linked_text")


def _open() -> None:
    """Load corpus and recipe from the file. A callback, since the controls above it are drawn already."""
    file = st.session_state["share_file"]
    _SHARE_PROBLEM.forget()
    if file is None:
        return
    try:
        shared = read_share_file(file.getvalue())
    except BPEError as error:
        _SHARE_PROBLEM.write(str(error))
        return
    shared.put()
