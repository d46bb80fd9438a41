"""A sample that tells of a tie, as a film of 30 seconds: short captions, computed from the training on the page."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict

import streamlit as st

import bpe
from bpe import Pair, Trace
from bpe.text.display import counted, merge_name
from bpe.text.sentence_label import sentence_label
from film.html_page import Site
from film.page import ALONE, MOST_CHARACTERS, Caption, film_page
from film.windows import WINDOW
from ui import navigation
from ui.components import grid_memory
from ui.lessons import Lesson, own_settings, read_recipe, to_watch
from ui.sidebar.recipes.recipe import signature
from ui.sidebar.sidebar import Choice
from ui.sidebar.texts import corpus as corpora
from ui.sidebar.texts.corpus import Corpus, Sample, Tale
from ui.sidebar.widgets import corpus_controls, recipe_controls
from ui.visit import Slot

# How often the viewer asked for the tale of a sample
TALES_ASKED: Slot[int] = Slot("_tales_asked", int)


def captions(trace: Trace, choice: Choice) -> list[Caption]:
    """Return the captions of the sample's tale; empty if the text tells none, or this training lacks its tie."""
    sample = _sample_of(choice.corpus)
    if sample is None or sample.tale is None or trace.replayed:
        return []
    rank = tie_of(trace, sample.tale)
    if rank is None:
        return []
    name = f"{signature(choice.corpus, choice.recipe)} {len(trace.steps)}"
    return _captions(name, trace, choice, sample.tale, rank)


def film(trace: Trace, choice: Choice, step: int, *, site: Site = ALONE) -> str:
    """Return the training as an HTML file that begins at a step, with the captions of the sample's tale."""
    scenes = captions(trace, choice)
    return film_page(
        trace,
        choice.corpus.training_text,
        title=choice.corpus.title,
        step=step,
        captions=scenes,
        site=site,
    )


def as_data(trace: Trace, choice: Choice) -> dict[str, object] | None:
    """Return the tale as the grid's data; None without one. `asked` grows with every request to play it."""
    scenes = captions(trace, choice)
    sample = _sample_of(choice.corpus)
    if not scenes or sample is None or sample.tale is None:
        return None
    words = sample.tale.words
    rows = [asdict(scene) | {"words": _named(words, scene.text)} for scene in scenes]
    return {"scenes": rows, "asked": TALES_ASKED.read()}


def text_size(trace: Trace, choice: Choice) -> int:
    """Return how many characters the grid gets: with a tale as many as a film, so that the pair table can follow."""
    return MOST_CHARACTERS if captions(trace, choice) else WINDOW


def _named(words: Iterable[str], text: str) -> list[str]:
    """Return the words that a caption names, in its order: the grid scrolls to them."""
    return sorted((word for word in words if word in text), key=text.find)


def tie_of(trace: Trace, tale: Tale) -> int | None:
    """Return the rank of the merge that picks one of the tale's two pairs while both are tied; None without one."""
    pairs = _pairs(trace, tale)
    for rank, step in enumerate(trace.steps):
        if step.pair in pairs:
            return rank if step.tied > 1 and pairs <= set(trace.tied_pairs(rank)) else None
    return None


def _pairs(trace: Trace, tale: Tale) -> set[Pair]:
    spell = trace.variant.unspelled
    return {(spell(left), spell(right)) for left, right in tale.pairs}


@st.cache_resource(max_entries=8, show_spinner=False)
def _captions(name: str, _trace: Trace, _choice: Choice, _tale: Tale, rank: int) -> list[Caption]:
    other_pair = next(pair for pair in _pairs(_trace, _tale) if pair != _trace.steps[rank].pair)
    settings = {**_choice.recipe.settings, "picks": {**dict(_choice.recipe.picks), rank: other_pair}}
    other = bpe.train(_choice.corpus.training_text, **settings)
    return list(_scenes(_trace, other, _tale, rank))


def _scenes(trace: Trace, other: Trace, tale: Tale, rank: int) -> Iterator[Caption]:
    """Yield the captions, given the training in which the other keeper's pair is merged at this rank."""
    label = sentence_label(trace.variant)
    here, there = (" + ".join(map(label, one.steps[rank].pair)) for one in (trace, other))
    yield Caption(0, tale.begins)
    tied = counted(trace.steps[rank].count, "time")
    number = merge_name(rank)
    yield Caption(
        rank,
        f"{number.capitalize()}: {here} and {there} both occur {tied}. One keeper picks {here}, the other {there}.",
    )
    for word in tale.words:
        ids = trace.tokenizer(rank + 1).encode(word)
        read = other.tokenizer(rank + 1).decode(ids)
        if read != word and rank + 1 < len(trace.steps):
            yield Caption(
                rank + 1, f"One keeper sends {word}. The other one looks up the numbers and reads {read}."
            )
            break
    if rank + 2 < len(trace.steps):
        yield Caption(len(trace.steps) - 1, _end(trace, other))


def _end(trace: Trace, other: Trace) -> str:
    """Return a sentence on the tokens that only one of two trainings learned."""
    here, there = ({left + right for left, right in one.merges} for one in (trace, other))
    merges, differing = counted(len(trace.steps), "merge"), counted(len(here - there), "token")
    if here == there:
        return f"After {merges} both lists have the same tokens, in a different order. So who is right? Both."
    return f"After {merges}, one list has {differing} that the other one lacks. So who is right? Both."


def _sample_of(corpus: Corpus) -> Sample | None:
    """Return the sample that has this text and tells a tale."""
    sample = corpora.sample_of(corpus.digest)
    return sample if sample and sample.tale else None


def invite(lesson: Lesson) -> None:
    """Draw a button in the sidebar of Lessons that opens Watch and plays the tale."""
    sample = next((sample for sample in corpora.samples().values() if sample.tale is not None), None)
    if sample is None:
        return
    with st.sidebar:
        asked = st.button(
            "Watch a story about a tie",
            key="play_tale",
            icon=":material/play_circle:",
            on_click=_ask,
            args=(sample, lesson),
            help="Opens Watch with this story. “Back to lesson” puts your text back.",
        )
        st.caption(f"{sample.about} A film of 30 seconds.")
    if asked:
        st.switch_page(navigation.file_of("watch"))


def _ask(sample: Sample, lesson: Lesson) -> None:
    """Put the sample and its recipe into the sidebar, and have its film played from the start."""
    recipe = read_recipe({"preset": sample.preset, "merges": sample.merges})
    base = signature(corpora.from_sample(sample.slug), recipe.without_end)
    own_settings.set_aside(base)
    corpus_controls.put_sample(sample.slug)
    recipe_controls.put(recipe.values)
    to_watch.remember(lesson)
    grid_memory.begin_at("watch", base, 0)
    TALES_ASKED.write(TALES_ASKED.read() + 1)
