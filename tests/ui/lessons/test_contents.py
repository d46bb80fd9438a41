"""The table of contents: every lesson once, a numbered way through the course, and lessons for the curious."""

import tomllib
from itertools import groupby

from ui.lessons import COURSE, Lesson, lessons
from ui.lessons.choosing import following

CONTENTS_LESSONS = lessons()


def test_the_contents_name_each_lesson_once_and_no_other() -> None:
    files = [tomllib.loads(file.read_text("utf-8")) for file in COURSE.glob("*.toml")]
    slugs = [row["slug"] for file in files for row in file["lessons"]]
    assert sorted(CONTENTS_LESSONS) == sorted(slugs)
    assert len(slugs) == len(set(slugs))


def test_the_way_through_the_course_is_numbered_and_begins_with_why() -> None:
    way = [lesson for lesson in CONTENTS_LESSONS.values() if lesson.number]
    assert [lesson.number for lesson in way] == list(range(1, len(way) + 1))
    assert way[0].slug == "why-subwords"
    assert 12 <= len(way) <= 18
    for _, group in groupby(CONTENTS_LESSONS.values(), lambda lesson: lesson.part):
        ranks = [lesson.number == 0 for lesson in group]
        assert ranks == sorted(ranks)  # those for the curious come last in their part


def test_the_way_leads_past_the_lessons_for_the_curious_to_its_end() -> None:
    lesson: Lesson | None = CONTENTS_LESSONS["why-subwords"]
    walked = []
    while lesson is not None:
        walked.append(lesson.number)
        lesson = following(lesson)
    assert walked == list(range(1, max(walked) + 1))
    assert following(CONTENTS_LESSONS["two-endings"]) == CONTENTS_LESSONS["counted-and-replaced"]
