"""The stage of every beat can be drawn, and holds what the beat's text names."""

from collections.abc import Iterator

import pytest

from tests.ui.lessons.lesson_claim import trained
from ui.lessons import Beat, Lesson, lessons
from ui.lessons.stages import MOST_LISTED, SUBJECT_KINDS, BeatContent, rail_of, subject_of


def contents(*stages: str) -> Iterator[tuple[str, BeatContent]]:
    """Yield the content of every beat on one of these stages, with its name."""
    for lesson in lessons().values():
        for number, beat in enumerate(lesson.beats, start=1):
            if beat.stage in stages:
                trace = trained(lesson.slug, lesson.recipe)
                yield f"{lesson.slug}, beat {number}", BeatContent(lesson, trace, beat)


@pytest.mark.parametrize("stage", SUBJECT_KINDS)
def test_every_subject_has_rows_and_the_kind_that_the_browser_draws(stage: str) -> None:
    for name, content in contents(stage):
        subject = subject_of(content)
        assert subject["rows"], name
        assert subject["kind"] == SUBJECT_KINDS[stage], name


def test_a_rail_lists_the_merges_in_order_and_of_many_only_those_that_are_used() -> None:
    seen = set()
    for name, content in contents("encoding"):
        rail = rail_of(content)
        if rail is None or content.lesson.vocabulary:
            continue
        ids = [row["id"] for row in rail["rows"]]
        assert ids == sorted(ids), name
        used = {
            content.ids[one.token]
            for one in content.tokenizer.encode_steps(content.beat.encode, content.encoder)
        }
        if content.beat.step > MOST_LISTED:
            assert rail["hides"], name
            assert set(ids) <= used, name
        else:
            assert len(ids) == content.beat.step, name
        seen.add(rail["hides"])
    assert seen == {True, False}


def test_one_word_stands_in_its_tokens_with_its_frequency() -> None:
    lesson: Lesson = lessons()["count-merge-repeat"]
    beat = Beat(step=4, show="words", say="", word="hugs", stage="word")
    subject = subject_of(BeatContent(lesson, trained(lesson.slug, lesson.recipe), beat))
    assert subject["title"] == "hugs in 2 tokens, 5 times in the text"
    assert [chip[0] for chip in subject["rows"][0]["items"]] == ["hug", "s"]
