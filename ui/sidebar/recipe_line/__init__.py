"""The recipe line: the sidebar's choice in one line, each part of which opens its own menu, above the folded controls.

The browser folds them, so that no run is needed. They stay as the viewer left them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bpe import PRESETS
from bpe.text.display import counted
from ui.components.component import component
from ui.show.text import shortened
from ui.sidebar.corpus import Corpus
from ui.sidebar.recipe import Recipe
from ui.sidebar.settings import FREE, SETTINGS, Menu

CONTROLS = "sidebar_controls"  # the key of the container that holds the controls; sidebar.css folds it
LONGEST_TITLE = 30  # characters of a text's title

_COMPONENT = component("recipe_line", Path(__file__).parent)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the line, and the control that it opens."""

    text: str
    key: str


def recipe_line(source: str, corpus: Corpus | None, recipe: Recipe, file: str, *, opens: bool) -> None:
    """Draw the line. `file` names the tokenizer whose merges are replayed; `opens` unfolds the controls."""
    parts = [
        _text(source, corpus),
        *(_of_file(recipe, file) if recipe.file or file else _of_training(recipe)),
    ]
    data = {"parts": [[part.text, part.key] for part in parts], "opens": opens, "controls": CONTROLS}
    _COMPONENT(key="recipe_line", data=data)


def _text(source: str, corpus: Corpus | None) -> Part:
    if source == "sample":
        return Part(corpus.title if corpus else "a sample", "corpus_sample")
    key = "corpus_upload" if source == "upload" else "corpus_text"
    if corpus is None:
        return Part("no text yet", key)
    title = corpus.title if source == "upload" else " ".join(corpus.reading_text[:200].split())
    return Part(shortened(title, LONGEST_TITLE), key)


def _of_training(recipe: Recipe) -> Sequence[Part]:
    values = recipe.values
    preset = str(values["preset"])
    trainer = "your own rules" if preset == FREE else PRESETS[preset].title
    parts = [Part(_first_words(trainer), "preset")]
    parts += [Part(_first_words(_title(key, values[key])).lower(), key) for key in ("variant", "tie_break")]
    if values.get("vocab_size"):
        parts.append(Part(f"{values['vocab_size']:,} tokens", "vocab_size"))
    if values.get("merges") is not None:
        parts.append(Part(counted(int(str(values["merges"])), "merge"), "merges"))
    return parts


def _of_file(recipe: Recipe, file: str) -> Sequence[Part]:
    key = "published" if recipe.values.get("recipe_source") == "published" else "tokenizer_upload"
    return [Part(shortened(file, LONGEST_TITLE) if file else "no tokenizer yet", key)]


def _title(key: str, slug: object) -> str:
    menu = SETTINGS[key].kind
    return menu.titles.get(str(slug), str(slug)) if isinstance(menu, Menu) else str(slug)


def _first_words(title: str) -> str:
    """Return a menu's title without what follows a comma or stands in parentheses.

    >>> _first_words("Characters, end-of-word symbol"), _first_words("Paper (Sennrich et al. 2016)")
    ('Characters', 'Paper')
    """
    return title.partition("(")[0].partition(",")[0].strip()
