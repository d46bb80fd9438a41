"""The table of contents: every lesson once, a numbered way through the course, and lessons for the curious."""

import tomllib
from itertools import groupby

import pytest

from tests.app import open_page, sent
from ui.page_parts.lessons.choosing import _following
from ui.page_parts.lessons.contents import _COURSE, lessons
from ui.page_parts.lessons.curriculum import LessonPath, _minutes_of, _seconds_of, paths
from ui.page_parts.lessons.lesson import Lesson

CONTENTS_LESSONS = lessons()


def test_the_contents_name_each_lesson_once_and_no_other() -> None:
    files = [tomllib.loads(file.read_text("utf-8")) for file in _COURSE.glob("*.toml")]
    slugs = [row["slug"] for file in files for row in file["lessons"]]
    assert sorted(CONTENTS_LESSONS) == sorted(slugs)
    assert len(slugs) == len(set(slugs))


def test_the_way_through_the_course_is_numbered_and_begins_with_why() -> None:
    way = [lesson for lesson in CONTENTS_LESSONS.values() if lesson.number]
    assert [lesson.number for lesson in way] == list(range(1, len(way) + 1))
    assert way[0].slug == "why-subwords"
    assert 12 <= len(way) <= 19
    for _, group in groupby(CONTENTS_LESSONS.values(), lambda lesson: lesson.part):
        ranks = [lesson.number == 0 for lesson in group]
        assert ranks == sorted(ranks)  # those for the curious come last in their part


def test_the_way_leads_past_the_lessons_for_the_curious_to_its_end() -> None:
    lesson: Lesson | None = CONTENTS_LESSONS["why-subwords"]
    walked = []
    while lesson is not None:
        walked.append(lesson.number)
        lesson = _following(lesson)
    assert walked == list(range(1, max(walked) + 1))
    assert _following(CONTENTS_LESSONS["two-endings"]) == CONTENTS_LESSONS["counted-and-replaced"]


# The paths of the curriculum: their lessons exist, their minutes add up, and the page names them.


@pytest.mark.parametrize("path", paths(), ids=lambda path: path.title)
def test_the_minutes_of_a_path_s_lessons_add_up_and_fit(path: LessonPath) -> None:
    assert path.needs == sum(stop.minutes for stop in path.stops)
    assert 0.6 * path.minutes <= path.needs <= path.minutes
    assert f"{path.minutes} minutes" in path.title
    assert len({(stop.lesson.slug, stop.page) for stop in path.stops}) == len(path.stops)
    order = list(lessons())
    assert path.stops[0].lesson.slug in order
    assert all(20 < len(stop.notes) <= 200 and len(stop.asked) <= 200 for stop in path.stops)


def test_paths_are_listed_from_short_to_long() -> None:
    assert [path.minutes for path in paths()] == [10, 30, 45, 90]


def test_minutes_grow_with_text_questions_and_exercises() -> None:
    first = lessons()["count-merge-repeat"]
    plain, asked = first.beats[0], first.beats[2]
    assert _seconds_of(plain) < _seconds_of(asked)
    assert all(1 <= _minutes_of(lesson) <= 12 for lesson in lessons().values())


def test_the_page_names_every_path() -> None:
    app = open_page("talk")
    assert [path["title"] for path in sent(app, "talk_paths")["paths"]] == [path.title for path in paths()]
    overview = " ".join(text.value for text in app.markdown)
    assert all(lesson.title.split()[0] in overview for lesson in lessons().values())
