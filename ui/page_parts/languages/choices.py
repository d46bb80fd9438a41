"""The controls of the languages on Tokenizers: tokenizers, texts, measure and base text. The link holds them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from bpe import BPEError, Trace
from bpe.analysis.languages import METRICS, Metric
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted
from ui.choices.choices import Choice
from ui.choices.recipe_source import SPLIT, draw_upload
from ui.trainings import tokenizer_files, training
from ui.trainings.corpus import from_sample, samples
from ui.trainings.process_memory import MemoryFullError
from ui.trainings.recipe import signature
from ui.trainings.settings import SETTINGS
from ui.trainings.tokenizer_files import Files
from ui.view import visit
from ui.view.menus import menu
from ui.view.text import in_markdown, shortened
from ui.view.visit import Slot

_UPLOAD = "measured_upload"

# What was uploaded and is not opened yet
_WAITING: Slot[Files] = Slot("_measured_waiting", tuple)
TRAINED = "trained"  # the viewer's training, beside the slugs of tokenizers
_FIRST = ("gpt-4o", "gpt-4", "gpt-2", "qwen")
TOKENIZERS, _TEXTS, _MEASURE, _BASE = "measured_by", "measured_texts", "measured", "measured_base"
_SAMPLE = "languages"
_SOURCES = {"sample": "Fourteen languages", "own": "Your text"}
_FIRST_MEASURE = "premium"
_FIRST_OF_ONE = "tokens"  # of one text alone, which compares with no other

# The measure that compares texts, while another one takes its place for a text alone; "" otherwise
_COMPARING: Slot[str] = Slot("_comparing_measure", str)
_MOST_CHARACTERS = 200_000  # of all texts


# Whether the page has drawn the languages: at first they wait for the rows above, which open the tokenizers
_BEGUN: Slot[bool] = Slot("_languages_begun", bool)


def begins(is_free: bool) -> bool:
    """Return whether the languages are drawn: once the tokenizers above are open, and from then on."""
    if is_free:
        _BEGUN.write(True)
    return _BEGUN.read()


@dataclass(frozen=True, slots=True)
class Choices:
    """What the controls say."""

    tokenizers: tuple[str, ...]  # as `_offered` names them
    texts: Mapping[str, str]
    measure: Metric
    base: str  # name of a text
    left_out: int  # characters of the texts that are not measured
    uses_choice: bool  # whether the viewer's own text or training is measured


def draw(choice: Choice | None) -> Choices:
    """Draw the controls and return what they say."""
    with st.container(key="languages_choices"):
        area, middle, right, left, end = st.columns(
            [3.6, 1.2, 1.05, 1.5, 1.2], gap="small", vertical_alignment="bottom"
        )
    with end:
        new = _draw_own_files()
    with area:
        chosen = _choose_tokenizers(new)
    with left:
        source = _choose_source(choice)
    texts = _named_texts(choice if source == "own" else None)
    with middle:
        measure = _choose_measure(alone=len(texts) == 1)
    base = next(iter(texts))
    if measure.takes_base:
        with right:
            base = str(
                st.selectbox("Base text", list(texts), key=f"{_BASE}_{source}", persist_state="session")
            )
    visit.write(
        {
            "by": "~".join(one for one in chosen if one in _in_links()) if chosen != _FIRST else None,
            "measure": measure.slug
            if measure.slug != (_FIRST_OF_ONE if len(texts) == 1 else _FIRST_MEASURE)
            else None,
            "texts": source if source != "sample" else None,
        }
    )
    most = _MOST_CHARACTERS // len(texts)
    left_out = sum(max(0, len(text) - most) for text in texts.values())
    shortened_texts = {name: text[:most] for name, text in texts.items()}
    uses_choice = source == "own" or TRAINED in chosen
    return Choices(chosen, shortened_texts, measure, base, left_out, uses_choice)


@dataclass(frozen=True, slots=True)
class Named:
    """A tokenizer with the name that the page gives it."""

    name: str
    about: str
    key: str  # a hash or a slug: equal only for equal tokenizers
    tokenizer: Tokenizer


def opened(chosen: Sequence[str], choice: Choice | None) -> list[Named]:
    """Return the chosen tokenizers. Trains the chosen recipe if it is one of them, or ends the page's run.

    What memory does not suffice for is left out, with a sentence.
    """
    if not chosen:
        return []
    names, named, problems = _offered(), [], []
    with st.spinner(f"Opening {counted(len(chosen), 'tokenizer')} …"):
        for one in chosen:
            if one != TRAINED or choice is not None:
                try:
                    named.append(_named(one, names[one], choice))
                except MemoryFullError as error:
                    problems.append(f"{names[one]} is left out. {error}")
    for problem in problems:
        st.error(in_markdown(problem, most=600), icon=":material/error:")
    if problems and not named:
        st.stop()
    return named


def own_training(choice: Choice) -> tuple[Trace, str]:
    """Return the viewer's training and its name, a hash of all that it depends on, or end the page's run."""
    recipe = choice.recipe.trained
    return training.required_trace(choice.corpus, recipe), signature(choice.corpus, recipe)


def _linked_tokenizers(text: str) -> list[str] | None:
    """Return the tokenizers of a link; None if it names an unknown one."""
    chosen = list(dict.fromkeys(text.split("~")))
    return chosen if set(chosen) <= _in_links() else None


LINK = {
    "by": (TOKENIZERS, _linked_tokenizers),
    "measure": (_MEASURE, visit.slug(*METRICS)),
    "texts": (_TEXTS, visit.slug(*_SOURCES)),
}


def _draw_own_files() -> str | None:
    """Draw the button that opens a file. Return the id of a tokenizer that was opened in this run."""
    popover = st.popover(
        "Open a file", icon=":material/upload_file:", key="measured_popover", on_change="rerun"
    )
    if not popover.open:
        return None
    with popover:
        draw_upload(_UPLOAD, _upload)
        files = _WAITING.read()
        _WAITING.forget()
        if not files:
            return None
        try:
            with st.spinner("Opening the tokenizer …"):
                return _open(files)
        except BPEError as error:
            st.error(in_markdown(str(error), most=600))
    return None


def _upload() -> None:
    """Store the uploaded files for the run, which opens them where a spinner can be seen. A callback."""
    _WAITING.write(tuple((file.name, file.getvalue()) for file in st.session_state[_UPLOAD] or ()))


def _open(files: Files) -> str:
    """Open the newest file and return its id. Raises BPEError if it cannot be opened."""
    file = tokenizer_files.open_newest(files, str(SETTINGS[SPLIT].default))
    tokenizer_files.remember(file)
    return file.id


def _offered() -> dict[str, str]:
    """Return the name of every tokenizer that can be chosen, by its value in the control."""
    names = {one.slug: shortened(one.name, 24) for one in tokenizer_files.known()}
    return {**names, TRAINED: "Your tokenizer"}


def _in_links() -> set[str]:
    """Return those that a link can name."""
    return {one.slug for one in tokenizer_files.known() if one.is_named} | {TRAINED}


def _named(one: str, name: str, choice: Choice | None) -> Named:
    ids = {known.slug: known.id for known in tokenizer_files.known()}
    if file := tokenizer_files.by_id(ids.get(one, "")):
        return Named(name, file.opened.about, file.id, file.tokenizer)
    assert choice is not None
    trace, key = own_training(choice)
    about = f"{choice.recipe.trained.title}; {counted(len(trace.steps), 'merge')}"
    return Named(name, about, key, trace.tokenizer())


def _named_texts(choice: Choice | None) -> dict[str, str]:
    """Return the texts by name: the viewer's files, or their text as one; without a choice the sample's languages."""
    if choice is None:
        return dict(from_sample(_SAMPLE).named)
    corpus = choice.corpus
    return dict(corpus.named) or {corpus.title: corpus.reading_text}


def _choose_tokenizers(new: str | None) -> tuple[str, ...]:
    """Draw the choice, in which a new tokenizer is chosen, and return it."""
    names = _offered()
    chosen = st.session_state.get(TOKENIZERS)
    if not isinstance(chosen, list) or not all(one in list(names) for one in chosen):
        chosen = st.session_state[TOKENIZERS] = list(_FIRST)
    if new is not None and new not in chosen:
        st.session_state[TOKENIZERS] = [*chosen, new]
    st.multiselect(
        "Tokenizers", list(names), key=TOKENIZERS, format_func=names.__getitem__, persist_state="session"
    )
    return tuple(one for one in names if one in st.session_state[TOKENIZERS])


def _choose_source(choice: Choice | None) -> str:
    source = menu(
        "Texts",
        _SOURCES,
        _TEXTS,
        "own" if choice and len(choice.corpus.named) > 1 else "sample",
        help=f"“{samples()[_SAMPLE].title}” says the same in every line. For texts of your own, upload several files.",
    )
    return "sample" if choice is None else source


def _choose_measure(*, alone: bool) -> Metric:
    """Draw the choice and return it. A text alone has no measure that compares texts; the next texts have it again."""
    titles = {
        slug: metric.title
        for slug, metric in METRICS.items()
        if not (alone and (metric.takes_base or metric.of_all))
    }
    chosen = st.session_state.get(_MEASURE, _FIRST_MEASURE)
    if alone and chosen in METRICS and chosen not in titles:
        _COMPARING.write(chosen)
    elif not alone and chosen == _FIRST_OF_ONE and _COMPARING.read():
        st.session_state[_MEASURE] = _COMPARING.read()
    if not alone:
        _COMPARING.forget()
    return METRICS[menu("Measure", titles, _MEASURE, _FIRST_OF_ONE if alone else _FIRST_MEASURE)]
