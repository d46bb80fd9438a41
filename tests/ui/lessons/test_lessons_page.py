"""The page Lessons without a browser: lessons open, are in the link, and open in Watch."""

import json
import re
from itertools import islice

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe import BPEError
from tests.app import LONGEST_RUN, open_app, resting_step, run, without_tabs
from tests.ui.gate import Gate, ended, press
from tests.ui.lessons.lesson_checks import said, subject_of, trained
from ui.page_parts.first_page import first_parts
from ui.page_parts.lessons.card import content_of, page_content
from ui.page_parts.lessons.choosing import LINK, beside
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.evidence import _Runs
from ui.page_parts.lessons.moving_numbers import with_first_numbers
from ui.page_parts.lessons.stages import BeatContent
from ui.trainings.recipe import Recipe
from ui.trainings.running_training import TrainingWatch
from ui.trainings.training import _TRAININGS

LESSONS = lessons()
# The first and the last lesson, and the one whose vocabulary is typed by hand.
PAGE_LESSONS = (next(iter(LESSONS)), "longest-token-first", list(LESSONS)[-1])


def open_page(link: dict[str, str] | None = None, **session: object) -> AppTest:
    """Open the page Lessons with a link's parameters or session values."""
    app = open_app(link, **session)
    app.switch_page("pages/lessons.py")
    for key, value in (link or {}).items():
        app.query_params[key] = value
    return run(app)


def linked(app: AppTest) -> dict[str, str]:
    """Return the link's parameters, one value each."""
    return {key: "".join(value) for key, value in app.query_params.items()}


def test_the_first_lesson_is_open() -> None:
    app = open_page()
    first = next(iter(LESSONS.values()))
    assert app.session_state["lesson"] == first.slug
    assert linked(app)["lesson"] == first.slug
    assert linked(app)["beat"] == "1"
    assert not app.warning


@pytest.mark.parametrize("slug", PAGE_LESSONS)
def test_a_link_opens_a_lesson_at_its_last_beat(slug: str) -> None:
    lesson = LESSONS[slug]
    app = open_page({"lesson": slug, "beat": str(len(lesson.beats))})
    assert linked(app)["lesson"] == slug
    assert linked(app)["beat"] == str(len(lesson.beats))
    assert any(lesson.about.split()[0] in sentence.value for sentence in app.markdown)


def test_the_link_of_every_beat_of_every_lesson_can_be_read() -> None:
    (_, read_slug), (_, read_beat) = LINK["lesson"], LINK["beat"]
    for slug, lesson in LESSONS.items():
        assert read_slug(slug) == slug
        assert [read_beat(str(beat)) for beat in range(len(lesson.beats) + 1)] == [
            None,
            *range(1, len(lesson.beats) + 1),
        ]


def test_a_link_to_no_lesson_is_reported_and_the_first_lesson_opens() -> None:
    app = open_page({"lesson": "<b>none</b>", "beat": "many"})
    assert len(app.warning) == 2
    assert app.session_state["lesson"] == next(iter(LESSONS))


def test_a_beat_past_the_end_is_the_last() -> None:
    app = open_page({"lesson": "bytes", "beat": "99"})
    assert linked(app)["beat"] == str(len(LESSONS["bytes"].beats))


def test_the_menu_lists_the_way_by_number_and_then_the_lessons_for_the_curious() -> None:
    app = open_page()
    menu = app.selectbox(key="lesson")
    way = [lesson for lesson in LESSONS.values() if lesson.number]
    assert len(menu.options) == len(LESSONS)
    assert menu.options[: len(way)] == [f"{lesson.number}. {lesson.title}" for lesson in way]
    assert all(title.startswith("For the curious: ") for title in menu.options[len(way) :])
    menu.set_value("which-goes-first")
    run(app)
    assert app.session_state["lesson"] == "which-goes-first"


MENU = """
import streamlit as st
from ui.shown.navigation import draw_head

draw_head(st.query_params["page"])
"""


def test_a_lesson_has_no_choices_that_it_ignores() -> None:
    """The other pages have them again, as the viewer left them."""
    app = AppTest.from_string(MENU, default_timeout=LONGEST_RUN)
    for key, value in {"page": "watch", "tie_break": "pair-max", "merges": "7"}.items():
        app.query_params[key] = value
    app.session_state["corpus_sample"] = "story"
    run(app)
    assert app.session_state["tie_break"] == "pair-max"
    app.query_params.clear()  # as Streamlit does when another page is chosen
    app.query_params["page"] = "lessons"
    run(app)
    assert [*app.selectbox, *app.number_input] == []
    assert linked(app)["tie_break"] == "pair-max"  # a reload finds it too
    app.query_params["page"] = "encode"
    run(app)
    assert app.session_state["tie_break"] == "pair-max"
    assert app.session_state["corpus_sample"] == "story"
    assert app.number_input(key="merges").value == 7


@pytest.mark.parametrize("slug", [PAGE_LESSONS[0], "why-a-marker"])
def test_open_in_watch_carries_text_and_recipe(slug: str) -> None:
    lesson = LESSONS[slug]
    app = open_page({"lesson": slug, "beat": "2"})
    app.button(key="lesson_watch").click()
    run(app)
    app.switch_page("app.py")  # AppTest ran the page alone; the choices are app.py's
    run(app)
    assert app.title[0].value == "Watch"
    choice = app.session_state["_choice"]
    assert choice.recipe == lesson.recipe
    assert choice.corpus.digest == lesson.corpus.digest
    assert resting_step(app, "watch") == lesson.beats[1].step


@pytest.mark.parametrize("change", [False, True])
def test_the_way_back_puts_the_viewer_s_own_text_and_settings_back(change: bool) -> None:
    app = open_app(
        {"preset": "minbpe-basic", "merges": "9"}, corpus_source="paste", corpus_text="my own words, mine"
    )
    own = app.session_state["_choice"]
    for slug in ("bytes", "why-a-marker"):
        app.session_state["lesson"] = slug
        app.switch_page("pages/lessons.py")
        run(app)
        app.button(key="lesson_watch").click()
        run(app)
        app.switch_page("app.py")
        run(app)
        assert app.session_state["_choice"].base != own.base
    if change:  # the viewer goes on from the lesson with a text of another kind
        app.session_state["corpus_source"] = "paste"
        app.session_state["corpus_text"] = "a newer text"
        own = run(app).session_state["_choice"]
    app.button(key="lesson_back").click()
    run(app)
    app.switch_page("pages/watch.py")
    choice = run(app).session_state["_choice"]
    assert (choice.source, choice.corpus.digest, choice.recipe) == (own.source, own.corpus.digest, own.recipe)


def test_watch_leads_back_to_the_beat_until_the_viewer_dismisses_it() -> None:
    slug = "why-a-marker"
    app = open_page({"lesson": slug, "beat": "2"})
    app.button(key="lesson_watch").click()
    run(app)
    app.switch_page("app.py")  # Watch, with what is around it
    run(app)
    number = LESSONS[slug].number
    assert app.button(key="lesson_back").label == f"Back to lesson {number}, step 2"
    app.switch_page("pages/compare.py")  # the way stays open while the viewer looks around
    run(app)
    app.switch_page("app.py")
    run(app)
    app.button(key="lesson_back").click()
    run(app)
    app.switch_page("pages/lessons.py")
    run(app)
    assert app.session_state["lesson"] == slug
    assert linked(app)["beat"] == "2"
    app.button(key="lesson_watch").click()
    run(app)
    app.switch_page("app.py")
    run(app)
    app.button(key="lesson_stay").click()
    run(app)
    assert not [button for button in app.button if button.key == "lesson_back"]


def test_the_values_that_a_lesson_puts_into_the_choices_are_its_whole_recipe() -> None:
    for slug, lesson in LESSONS.items():
        assert Recipe.of(lesson.recipe.values) == lesson.recipe, slug


def test_a_vocabulary_typed_by_hand_has_nothing_to_watch() -> None:
    app = open_page({"lesson": "longest-token-first"})
    assert "lesson_watch" not in {button.key for button in app.button}


@pytest.mark.parametrize("slug", LESSONS)
def test_the_card_s_tokens_have_the_ids_of_the_grid(slug: str) -> None:
    lesson = LESSONS[slug]
    trace = trained(slug, lesson.recipe)
    content = content_of(lesson, trace) | beside(lesson)
    assert len(content["beats"]) == len(lesson.beats)
    for beat, card in zip(lesson.beats, content["beats"], strict=True):
        say = with_first_numbers(beat.say, lambda: trace, beat.step)
        assert said(card["say"]) == say.replace("`", "")
        if beat.pair is not None:
            assert card["point"] == {"left": trace.id_of(beat.pair[0]), "right": trace.id_of(beat.pair[1])}
        if beat.show in ("pair", "tie"):
            rows = card["shown"]["rows"]
            assert sum(row["tied"] for row in rows) in (0, *range(2, 9))
            assert all(chip[1] >= 0 for row in rows for chip in row["items"][:2])


def test_a_question_s_answer_is_not_pointed_at_beforehand() -> None:
    lesson = LESSONS["count-merge-repeat"]
    third = content_of(lesson, trained(lesson.slug, lesson.recipe))["beats"][2]
    assert third["guess"]
    assert third["gives"]


def test_a_token_is_coloured_only_if_the_grid_can_show_it() -> None:
    lesson = LESSONS["the-first-tie"]
    first = content_of(lesson, trained(lesson.slug, lesson.recipe))["beats"][0]
    numbers = dict(piece for piece in first["say"] if piece[1] is not None)
    assert numbers["newest"] < 0 <= numbers["\ufffe</w>\uffff"]  # a marker, drawn as on the grid


def test_a_marker_has_the_look_of_the_grid_in_sentences_and_tables() -> None:
    lesson = LESSONS["why-subwords"]
    last = content_of(lesson, trained(lesson.slug, lesson.recipe))["beats"][-1]
    labels = [piece[0] for piece in last["say"] if piece[1] is not None]
    assert labels == ["smartest", "\ufffe</w>\uffff"]
    subject = subject_of(BeatContent(lesson, trained(lesson.slug, lesson.recipe), lesson.beats[-1]))
    tokens = [item[0] for row in subject["rows"] for item in row["items"] if isinstance(item, list)]
    assert "est\ufffe</w>\uffff" in tokens
    assert not [token for token in tokens if "</w>" in token and "\ufffe" not in token]


def test_the_feed_is_the_lesson_s_training() -> None:
    lesson = LESSONS["bytes"]
    feed = content_of(lesson, trained("bytes", lesson.recipe))["feeds"][0]
    assert feed["last"] == 4
    assert not feed["picks"]


def test_what_the_page_of_the_address_draws_is_what_the_visit_then_shows() -> None:
    """The same data, so that the elements stay; nothing where the address asks for something else."""
    (shown,) = [
        one.proto.bytes for one in open_page({}).get("bidi_component") if "lesson_card" in one.proto.id
    ]
    part = first_parts()["lessons"]({})
    data = re.search('<script type="application/json" id="mbm-first-data">(.*?)</script>', part)
    assert data
    assert json.loads(data[1]) == json.loads(shown)
    assert first_parts()["lessons"]({"lesson": "bytes"}) == ""


def last_of_grid(app: AppTest, slug: str) -> int | None:
    """Return the last step of the lesson's grid; None if the page draws no lesson."""
    sent = [json.loads(one.proto.bytes) for one in app.get("bidi_component") if "lesson_card" in one.proto.id]
    assert all(lesson["slug"] == slug for lesson in sent)
    return int(sent[0]["feeds"][0]["last"]) if sent else None


def test_a_lesson_waits_for_its_whole_training(gate: Gate) -> None:
    """Its beats are about all of it, and all visitors share what is made of it."""
    lesson = LESSONS["a-pattern"]
    running = gate.hold(lesson.corpus, lesson.recipe)
    assert running.preview is not None
    app = open_page({"lesson": lesson.slug}, **{_TRAININGS.key: {running.name: TrainingWatch(running)}})
    assert app.progress[0].text == "Learning merges: 20 of 400."
    assert last_of_grid(app, lesson.slug) is None
    running.stop()  # this test's own watcher
    ended(press(app, "training_stop"))
    assert app.warning[0].value == "Stopped after 21 of 400 merges. This page needs them all."
    assert last_of_grid(app, lesson.slug) is None
    gate.wide_open.set()
    assert last_of_grid(ended(press(app, "training_go_on")), lesson.slug) == 400
    assert last_of_grid(open_page({"lesson": lesson.slug}), lesson.slug) == 400


def test_what_is_made_of_a_part_of_a_training_is_not_that_of_the_whole() -> None:
    lesson = LESSONS["count-merge-repeat"]
    begun = bpe.train_steps(lesson.corpus.training_text, **lesson.recipe.settings)
    assert len(list(islice(begun, 6))) == 6  # all that its beats are about
    assert page_content(lesson, begun.trace("cancelled"))["feeds"][0]["last"] == 6
    assert page_content(lesson, trained(lesson.slug, lesson.recipe))["feeds"][0]["last"] == 7


def test_a_table_of_trainings_shows_what_each_one_makes() -> None:
    lesson = LESSONS["which-goes-first"]
    beat = BeatContent(lesson, trained(lesson.slug, lesson.recipe), lesson.beats[-3])
    table = {
        row["name"]: [without_tabs(chip[0]) for chip in row["items"]] for row in subject_of(beat)["rows"]
    }
    assert table["minbpe, basic"] == ["DCB", "B", "ABC", "DCB", "ABC", "D"]
    assert table["subword-nmt"] == ["DCB", "B", "ABC", "DCB", "ABC", "D</w>"]
    assert len(table) == 7


def test_words_of_a_table_are_apart() -> None:
    lesson = LESSONS["what-a-size-counts"]
    rows = subject_of(BeatContent(lesson, trained(lesson.slug, lesson.recipe), lesson.beats[2]))["rows"]
    assert [row["items"].count("|") for row in rows] == [5, 5]
    assert [without_tabs(row["items"][4][0]) for row in rows] == ["est</w>", "est</w>"]


@pytest.mark.parametrize(("of", "texts"), [("colours", ()), ("pieces", ()), ("words", ("low",))])
def test_a_table_of_trainings_is_of_something_that_exists(of: str, texts: tuple[str, ...]) -> None:
    with pytest.raises(BPEError, match=r"one of merges, words, pieces|belongs to runs of pieces"):
        _Runs(of, (), texts)


def test_the_exercise_is_on_the_page_with_its_tokens_as_code() -> None:
    app = open_page({"lesson": "the-first-tie"})
    exercise = next(text.value for text in app.markdown if text.value.startswith("**Try it.**"))
    assert "`</w>`" in exercise


def test_a_lesson_whose_last_step_is_shown_has_a_tick_at_once() -> None:
    lesson = LESSONS["count-merge-repeat"]
    app = open_page({"lesson": lesson.slug, "beat": str(len(lesson.beats))})
    titles = app.selectbox(key="lesson").options
    assert [lesson.title in title for title in titles if "✓" in title] == [True]


def test_a_lesson_s_own_pattern_is_not_called_the_viewer_s() -> None:
    own = [lesson for lesson in LESSONS.values() if lesson.recipe.variant == "custom"]
    assert own
    for lesson in own:
        assert lesson.training_title.startswith("A pattern of the lesson’s own, ")
        assert lesson.recipe.title.startswith(f"{bpe.VARIANTS['custom'].title}, ")
    other = LESSONS["bytes"]
    assert other.training_title == other.recipe.title
