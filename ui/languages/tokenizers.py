"""The tokenizers that the page Languages offers: published ones, opened files, and the sidebar's training."""

from collections.abc import Sequence

import streamlit as st

from bpe import Trace
from bpe.text.display import counted
from published.rows import PUBLISHED
from ui.languages.own_files import Named, own_pieces
from ui.show.text import shortened
from ui.sidebar import tokenizer_files
from ui.sidebar.recipe import signature
from ui.sidebar.sidebar import Choice
from ui.sidebar.tokenizer_files import by_id, published_file
from ui.trainings import training

TRAINED = "trained"  # the sidebar's training, beside slugs of PUBLISHED and ids of files
FIRST = ("gpt-4o", "gpt-4", "gpt-2", "qwen")


def offered() -> dict[str, str]:
    """Return the name of every tokenizer that can be chosen, by its value in the control."""
    files = {file.id: shortened(file.name, 24) for file in tokenizer_files.remembered().values()}
    files |= {key: shortened(own.name, 24) for key, own in own_pieces().items()}
    return {slug: row.name for slug, row in PUBLISHED.items()} | files | {TRAINED: "Trained in the sidebar"}


def opened(chosen: Sequence[str], choice: Choice | None) -> list[Named]:
    """Return the chosen tokenizers. Trains the sidebar's recipe if it is one of them, or ends the page's run."""
    names = offered()
    with st.spinner(f"Opening {counted(len(chosen), 'tokenizer')} …"):
        return [_named(one, names[one], choice) for one in chosen if one != TRAINED or choice is not None]


def _named(one: str, name: str, choice: Choice | None) -> Named:
    if one in PUBLISHED:
        file = published_file(one)
        return Named(name, file.opened.about, file.id, file.tokenizer)
    if one in own_pieces():
        return own_pieces()[one]
    if one != TRAINED:
        own = by_id(one)
        assert own is not None
        return Named(name, own.opened.about, own.id, own.tokenizer)
    assert choice is not None
    trace, key = own_training(choice)
    about = f"{choice.recipe.trained.title}; {counted(len(trace.steps), 'merge')}"
    return Named(name, about, key, trace.tokenizer())


def own_training(choice: Choice) -> tuple[Trace, str]:
    """Return the sidebar's training and its name, a hash of all that it depends on, or end the page's run."""
    recipe = choice.recipe.trained
    return training.required_trace(choice.corpus, recipe), signature(choice.corpus, recipe)
