"""The sample that tells of a tie: its captions follow from the training, and Lessons opens and plays it."""

import json

import pytest

import bpe
from tests.app import open_page, run
from ui.lessons import read_recipe
from ui.sidebar.sidebar import Choice
from ui.sidebar.texts.corpus import Corpus, from_sample, from_text, samples
from ui.watch import tale

SAMPLE = next(sample for sample in samples().values() if sample.tale)


def captions(corpus: Corpus, preset: str, merges: int = 400) -> list[tuple[int, str]]:
    """Return the captions of a training of this corpus, without the first, which is the sample's own."""
    recipe = read_recipe({"preset": preset, "merges": merges})
    trace = bpe.train(corpus.training_text, **recipe.settings)
    scenes = tale.captions(trace, Choice("sample", corpus, recipe, "", None, None))
    return [(caption.step, caption.text) for caption in scenes[1:]]


SCENES = {
    "tiktoken-educational": [
        (97, "Merge 98: E + A and A + I both occur 18 times. One keeper picks E + A, the other A + I."),
        (98, "One keeper sends BREAD. The other one looks up the numbers and reads BRAID."),
        (
            399,
            "After 400 merges both lists have the same tokens, in a different order. So who is right? Both.",
        ),
    ],
    "hf-bytelevel": [
        (98, "Merge 99: A + I and E + A both occur 18 times. One keeper picks A + I, the other E + A."),
        (99, "One keeper sends BRAID. The other one looks up the numbers and reads BREAD."),
        (
            399,
            "After 400 merges both lists have the same tokens, in a different order. So who is right? Both.",
        ),
    ],
}


@pytest.mark.parametrize("preset", SCENES)
def test_the_captions_follow_from_the_training(preset: str) -> None:
    assert captions(from_sample(SAMPLE.slug), preset) == SCENES[preset]


def test_other_texts_and_trainings_without_the_tie_tell_nothing() -> None:
    story = from_sample(SAMPLE.slug)
    assert captions(story, SAMPLE.preset, merges=90) == []
    assert captions(from_text("SEA SAI " * 20, "A text"), SAMPLE.preset) == []


def test_lessons_open_watch_and_play_the_tale_from_its_start() -> None:
    app = open_page("lessons")
    app.button(key="play_tale").click()
    run(app)
    assert app.session_state["corpus_sample"] == SAMPLE.slug
    assert (app.session_state["preset"], app.session_state["merges"]) == (SAMPLE.preset, SAMPLE.merges)
    assert app.session_state["_tales_asked"] == 1


def test_the_grid_gets_the_words_to_scroll_to_and_the_whole_text() -> None:
    link = {"corpus_sample": SAMPLE.slug, "preset": SAMPLE.preset, "merges": str(SAMPLE.merges)}
    app = open_page("watch", link)
    grid = next(one.proto for one in app.get("bidi_component") if one.proto.component_name == "token_grid")
    data = json.loads(grid.json)
    words = {scene["step"]: scene["words"] for scene in data["tale"]["scenes"]}
    assert words == {0: [], 97: [], 98: ["BREAD", "BRAID"], 399: []}
    assert data["feed"]["whole"]  # or the pair table could not follow
