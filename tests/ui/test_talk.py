"""A talk: where it is, what its stops put into the session, and the line on its pages."""

from itertools import pairwise

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from bpe import BPEError
from tests.app import open_page, run, send_event
from ui.page_parts.lessons import choosing
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.curriculum import Stop, address, paths
from ui.page_parts.talk import _Position, _read

LECTURE = next(path for path in paths() if path.minutes == 45)


def opened(number: int) -> AppTest:
    """Open the address of a stop of the lecture, from 0."""
    return open_page("lessons", address(LECTURE, number))


def test_an_address_names_a_stop_and_a_wrong_one_is_the_first() -> None:
    for number in range(len(LECTURE.stops)):
        assert _read(address(LECTURE, number)) == _Position(LECTURE, number)
    for stop in ("0", "99", "x", ""):
        assert _read({"talk": "45", "stop": stop}) == _Position(LECTURE, 0)
    assert _read({"talk": "forty", "stop": "1"}) is None


def test_a_talk_has_no_stop_before_its_first_and_after_its_last() -> None:
    last = len(LECTURE.stops) - 1
    assert _Position(LECTURE, 0).moved(-1) is None
    assert _Position(LECTURE, last).moved(1) is None
    assert _Position(LECTURE, 0).moved(1) == _Position(LECTURE, 1)


def test_every_page_stop_of_every_path_has_minutes_and_a_lesson_has_its_own() -> None:
    pages = [stop for path in paths() for stop in path.stops if stop.page]
    assert {stop.page for stop in pages} == {"watch", "compare", "encode"}
    assert all(stop.lesson.sample for stop in pages), "an address can name a sample only"
    lesson = lessons()["the-first-tie"]
    for wrong in ({"page": "glossary", "page_minutes": 3}, {"page": "watch"}, {"page_minutes": 3}):
        with pytest.raises(BPEError, match=r"must be one of|minutes of its own"):
            Stop(lesson, "notes", **wrong)


def test_a_lesson_of_a_talk_is_opened_by_its_address() -> None:
    number = next(number for number, stop in enumerate(LECTURE.stops) if number and not stop.page)
    app = opened(number)
    assert app.session_state["lesson"] == LECTURE.stops[number].lesson.slug


def test_what_a_browser_sends_before_it_has_read_the_new_address_does_not_move_the_talk_back() -> None:
    """It names the stop, the lesson and the beat before."""
    number = between_lessons()
    app = opened(number)
    before = dict(app.query_params)
    send_event(app, "lesson_card", "lesson", f'"talk on from {number + 1}"')
    for _ in range(2):
        assert app.session_state["lesson"] == LECTURE.stops[number + 1].lesson.slug
        assert "".join(app.query_params["stop"]) == str(number + 2)
        for name, value in before.items():
            app.query_params[name] = value
        run(app)


def test_a_request_that_comes_twice_skips_no_stop() -> None:
    number = between_lessons()
    app = opened(number)
    for _ in range(2):
        send_event(app, "lesson_card", "lesson", f'"talk on from {number + 1}"')
        assert "".join(app.query_params["stop"]) == str(number + 2)


@pytest.mark.parametrize("asked", ["talk on", "talk on from x", "talk sideways from 2", "no-such-lesson"])
def test_a_forged_request_moves_nothing(asked: str) -> None:
    number = between_lessons()
    app = opened(number)
    send_event(app, "lesson_card", "lesson", f'"{asked}"')
    assert "".join(app.query_params["stop"]) == str(number + 1)
    assert app.session_state["lesson"] == LECTURE.stops[number].lesson.slug


def test_a_request_outlives_a_run_that_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The beat that the card reports a moment later does so."""
    number = between_lessons()
    app = opened(number)
    with monkeypatch.context() as broken:
        broken.setattr("ui.page_parts.talk.leave", st.stop)
        send_event(app, "lesson_card", "lesson", f'"talk on from {number + 1}"')
    assert app.session_state["lesson"] == LECTURE.stops[number].lesson.slug
    run(app)
    assert app.session_state["lesson"] == LECTURE.stops[number + 1].lesson.slug
    assert app.session_state[choosing._LEFT_FOR.key] is None


def between_lessons() -> int:
    """Return the number of a stop, from 0, that is a lesson and is followed by one."""
    stops = enumerate(pairwise(LECTURE.stops))
    return next(number for number, (stop, after) in stops if number and not stop.page and not after.page)
