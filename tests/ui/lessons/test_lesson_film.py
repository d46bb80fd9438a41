"""The film of a lesson holds its beats, each with the stage of the app, and only lessons that it can tell have one."""

from typing import Any

import pytest

from tests.film.readers import data_of
from tests.ui.lessons.lesson_claim import trained
from ui.lessons import Beat, lessons
from ui.lessons.lesson_film import is_told_by_film, kind_of, lesson_film


def film_data(slug: str) -> dict[str, Any]:
    """Return what the film of a lesson holds."""
    lesson = lessons()[slug]
    page = lesson_film(lesson, trained(slug, lesson.recipe), lesson.beats[0])
    return data_of(page)


@pytest.mark.parametrize(
    "slug", ["lowest-rank-first", "does-it-matter", "which-tokenizer", "bytes", "a-pattern"]
)
def test_every_beat_of_a_film_has_the_stage_of_the_app(slug: str) -> None:
    data = film_data(slug)
    for beat, drawn in zip(lessons()[slug].beats, data["beats"], strict=True):
        stage = data["stages"][drawn["stage"]]
        assert stage["kind"] == kind_of(beat)
        assert (stage["kind"] == "grid") is (drawn["stage"] == 0)
        assert all(lane["feed"] < len(data["feeds"]) for lane in stage["lanes"])
        assert "".join(piece[0] for piece in drawn["say"]) == beat.say.replace("`", "")
        assert bool(drawn["question"]) is bool(drawn["answer"]) is bool(beat.question)


def test_a_film_keeps_the_tokens_of_its_text_as_chips() -> None:
    answer = film_data("lowest-rank-first")["beats"][1]["answer"]
    assert [piece[0] for piece in answer if piece[1] is not None] == ["b", "ug"]


def test_a_second_lane_is_at_a_step_of_its_own_in_a_film_too() -> None:
    data = film_data("does-it-matter")
    last = data["stages"][data["beats"][-1]["stage"]]
    assert [lane["ahead"] for lane in last["lanes"]] == [0, 1]


def test_a_film_holds_the_recipe_and_the_text_that_the_viewer_s_own_words_begin_with() -> None:
    data = film_data("the-first-tie")
    settings = lessons()["the-first-tie"].recipe.settings
    assert {
        name: data["recipe"][name] for name in settings if name in data["recipe"]
    }.items() <= settings.items()
    assert data["recipe"]["merges"] == settings["merges"]
    assert data["own"]["text"] == lessons()["the-first-tie"].corpus.training_text
    assert film_data("superwords")["recipe"] is None


def test_a_film_has_no_link_to_a_page_of_the_app() -> None:
    rows = film_data("which-tokenizer")["stages"][-1]["table"]["rows"]
    assert {row["link"] for row in rows} == {""}


def test_a_lesson_that_a_film_cannot_tell_is_not_offered_as_one() -> None:
    assert all(map(is_told_by_film, lessons().values()))
    lesson = lessons()["bytes"]
    unknown = Beat(step=0, show="words", say="", stage="theatre")
    assert not is_told_by_film(type(lesson)(**{**fields_of(lesson), "beats": (*lesson.beats, unknown)}))


def fields_of(lesson: Any) -> dict[str, Any]:
    """Return the fields of a lesson by name."""
    return {name: getattr(lesson, name) for name in type(lesson).__dataclass_fields__}
