"""The page Compare without a browser."""

import json
from functools import cache
from typing import Any

import pytest
from streamlit.proto.Common_pb2 import StringArray
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from bpe.comparison.evidence import with_random_draws
from bpe.comparison.held_out import default_held_out
from bpe.comparison.lanes import MOST
from tests import ROOT
from tests.app import (
    LONGEST_RUN,
    caption_text,
    captions,
    chip_rows,
    choose_source,
    column_kinds,
    open_app,
    open_page,
    resting_step,
    run,
    send,
    send_event,
    sent,
    take_row,
    type_into,
    type_text,
)
from tests.forged import forged, widget_id
from tests.ui.compare.compare_page import compare, measured, page
from tests.waiting import until
from ui.choices.text_link import fragment_of, read_texts
from ui.gaps.widget_messages import check_widget_messages
from ui.page_parts.compare import lane_menu, lanes, verdict
from ui.page_parts.compare.answer import _MODELS, _MODELS_BEAT, _MODELS_LESSON, _lanes_and_text
from ui.page_parts.compare.comparison import PageComparison
from ui.page_parts.compare.parts import _bar_of
from ui.page_parts.compare.stage import first_view
from ui.page_parts.compare.verdict import _LONGEST, _MOST_DRAWN, drawn_words
from ui.page_parts.first_page import first_parts
from ui.page_parts.lessons.contents import lessons
from ui.trainings import corpus as corpora
from ui.trainings.recipe import Recipe
from ui.trainings.settings import FREE
from ui.view.visit import COMPARED_RULES, COMPARED_TOKENIZERS, COMPARED_TRAINERS, OPENING_SAMPLES

WORDS = "low 5\nlower 2\nnewest 6\nwidest 3"
SHARED = Recipe(FREE, "char-eow", "first", 12)


def verdict_of(app: AppTest) -> str:
    assert not app.exception
    return app.header[0].value.replace("\\", "")


def new_text_of(app: AppTest) -> str:
    """Return the line below the answer."""
    lines = (text.value.replace("\\", "") for text in app.markdown)
    return next(line for line in lines if "held-out" in line or "matter" in line)


def answer_on_stage(app: AppTest) -> object:
    return sent(app, "compare_told_answer")["told"]["answer"]["answer"]


def test_what_the_page_of_the_address_draws_is_what_the_visit_then_shows() -> None:
    """The same data, so that the elements stay."""
    view = json.loads(json.dumps(first_view()))
    assert view == sent(open_page("compare"), "compare_stage")
    assert view["start"] == 11
    assert [lane["title"] for lane in view["lanes"]] == ["First occurrence", "Last in dictionary order"]
    assert first_parts()["compare"]({"corpus_sample": "ties"}) == ""


def test_how_we_decide_says_where_the_figures_are_and_leads_to_the_lesson_on_models() -> None:
    app = open_page("compare")
    study = (ROOT / "docs" / "ties.md").read_text("utf-8")
    assert "the loss of 81 small language models" in study
    assert "In the loss of 81 small language models, no difference" in _MODELS
    assert "between nine ways" in _MODELS
    assert sum(_MODELS in text for text in captions(app)) == 1
    assert sum("below the lanes, under Evidence" in text for text in captions(app)) == 1
    assert app.tabs[0].label == "Evidence"
    assert f"On new text, {OPENING_COUNTS} words" in new_text_of(app)
    app.button(key="to_models").click()
    run(app)
    assert app.session_state["lesson"] == _MODELS_LESSON
    beat = lessons()[_MODELS_LESSON].beats[_MODELS_BEAT]
    assert "54 models: how far apart?" in beat.question


def test_the_first_run_shows_a_verdict() -> None:
    app = page(corpus_sample="low-lower-newest-widest")
    assert (
        verdict_of(app)
        == "In “low, lower, newest, widest”, every word is split the same way under both rules."
    )
    assert "1 of 17 words" in new_text_of(app)
    assert any(text.endswith("Held out: not used in training.") for text in captions(app))


def test_the_lanes_are_read_from_the_link_and_written_to_it() -> None:
    app = page(lanes="last~pair-min~minbpe-basic")
    assert app.session_state["lanes"] == ["last", "pair-min", "minbpe-basic"]
    assert verdict_of(app).endswith("every word is split the same way under all three lanes.")
    assert "in the held-out text" in new_text_of(app)
    assert any("The lanes first differ at merge 1" in text.value for text in (*app.caption, *app.markdown))
    app.multiselect(key="lanes").set_value(["last", "shortest"]).run()
    assert app.query_params["lanes"] == "last~shortest"


def test_only_a_link_to_compare_sets_its_step() -> None:
    assert resting_step(page(step="9"), "compare_stage") == 9
    app = open_app({"step": "9"})
    assert resting_step(app, "watch") == 9
    app.switch_page("pages/compare.py")
    assert resting_step(run(app), "compare_stage") == 0  # merge 1 is the first that differs


def test_a_link_with_a_text_opens_its_step() -> None:
    """The text comes after the first picture, from what is after # in the address."""
    app = page(corpus_source="paste", step="9")
    fragment = fragment_of("paste", corpora.from_text("banana bandana cabana"))
    send_event(app, "field_corpus_text", "typed", json.dumps({"number": 1, "link": fragment}))
    assert app.session_state["corpus_text"] == "banana bandana cabana"
    assert sent(app, "compare_stage")["start"] == 9


def test_an_unknown_lane_of_the_link_is_reported() -> None:
    app = page(lanes="first~nonsense")
    assert any("nonsense" in warning.value for warning in app.warning)
    assert app.info  # one lane is not enough: the introduction offers two


def test_with_fewer_than_two_lanes_the_introduction_offers_two() -> None:
    app = page()
    app.multiselect(key="lanes").set_value(["first"]).run()
    assert "at least 2 lanes" in app.info[0].value
    next(button for button in app.button if button.label.startswith("Compare two")).click().run()
    assert app.session_state["lanes"] == ["first", "pair-max"]


def test_the_real_trainers_come_with_one_click() -> None:
    app = page(corpus_sample="which-goes-first")
    app.button(key="real_trainers").click().run()
    assert app.session_state["lanes"] == list(COMPARED_TRAINERS)
    assert verdict_of(app) == "In “DCBBABCDCBABCD”, the only word is split differently."
    assert answer_on_stage(app) == "The only word is split differently"  # in the run that measured it


def test_two_published_tokenizers_come_with_one_click_and_nothing_is_held_out_for_them() -> None:
    app = page(corpus_sample="which-goes-first")
    app.button(key="published_lanes").click().run()
    assert app.session_state["lanes"] == [f"published-{slug}" for slug in COMPARED_TOKENIZERS]
    (second,) = [block.value for block in app.markdown if block.value.startswith("On new text")]
    assert "in an example sentence are split" in second
    assert not [block.value for block in (*app.markdown, *app.caption) if "eld out" in block.value]
    assert "held-out" not in second


def test_eight_lanes_are_compared_in_every_tab_and_a_ninth_is_refused() -> None:
    nine = [*COMPARED_TRAINERS, "first", "last", "pair-min"]
    eight = nine[:MOST]
    app = page(corpus_sample="which-goes-first", lanes="~".join(nine))
    assert len(app.warning) == 1
    assert app.query_params["lanes"] == "~".join(eight)
    keys = {"Encode under each": "table_test_words", "Vocabularies": "table_tokens"}
    for tab, key in keys.items():
        assert table(app, tab, key), tab
    assert app.session_state["lanes"] == eight
    app.multiselect(key="lanes").set_value(eight[:5])
    assert verdict_of(app.run()).endswith("the only word is split differently.")
    assert not app.warning
    check_widget_messages()  # as app.py does
    titles = [lanes.read_lane(slug, SHARED).title for slug in nine]
    send(app, forged(widget_id(app, "lanes"), WidgetState(string_array_value=StringArray(data=titles))))
    assert app.session_state["lanes"] == eight[:5]
    app.session_state["lanes"] = nine  # as an older session may have them
    assert not app.run().exception
    assert app.session_state["lanes"] == eight
    assert [warning.value for warning in app.warning] == ["No more than 8 lanes fit: the first 8 are shown."]


def test_until_there_is_a_text_of_ones_own_the_lanes_of_the_text_before_stay() -> None:
    app = page()
    before = app.session_state["_choice"]
    choose_source(app, "paste")
    assert not app.exception
    assert app.session_state["_choice"] == before


@pytest.mark.parametrize("text", ["a", "<script>alert(1)</script> $x$ :red[y]", "= + - @ _ ▁ </w> " * 3])
def test_any_text_is_compared(text: str) -> None:
    app = page()
    type_text(app, text)
    assert not app.exception
    assert verdict_of(app)


def test_the_held_out_text_is_a_sample_a_file_or_a_part_that_is_set_aside() -> None:
    app = page(corpus_sample="story", lanes="first~last", merges="60")
    app.session_state["compare_details"] = "Encode under each"

    def used() -> str:
        assert not app.run().exception
        return next(caption for caption in captions(app) if caption.startswith("Held-out text: "))

    assert "mostly ties" in used()
    app.file_uploader(key="test_upload").upload("mine.txt", b"the lamp and the lighthouse\n" * 30)
    assert "mine.txt" in used()
    assert "in the held-out text" in new_text_of(app)
    app.file_uploader(key="test_upload").upload("empty.txt", b" ")
    assert "mine.txt" in used()  # a file that cannot be read changes nothing
    assert any("nothing but white space" in error.value for error in app.error)
    app.toggle(key="test_set_aside").set_value(True)
    assert "set aside" in used()
    app.session_state["compare_details"] = "Evidence"
    app.run()
    assert any("tokens, depending on the lane" in line.value for line in app.markdown)
    for key, texts in {"table_held-out_text": ["measure"], "table_pairs_of_lanes": ["measure"]}.items():
        aligned = [
            title for title, kind in column_kinds(app, key).items() if kind not in {"number", "figure"}
        ]
        assert aligned == texts


def test_of_a_held_out_text_that_is_too_long_the_page_takes_the_beginning_and_says_so() -> None:
    long = "low lower " * 20_000
    app = page(corpus_sample="story", lanes="first~last", merges="60")
    app.session_state["compare_details"] = "Encode under each"
    run(app)
    assert sent(app, "field_test_text")["most"] > len(long)
    type_into(app, "test_text", long)
    assert "Held-out text: the first 100,000 characters of the text that you typed." in caption_text(app)


# The tables


def table(app: AppTest, tab: str, key: str) -> list[tuple[Any, ...]]:
    """Return the rows of a table of this tab."""
    app.session_state["compare_details"] = tab
    assert not app.run().exception
    return [tuple(row.values()) for row in chip_rows(app, key)]


def test_encode_under_each_lists_the_words_of_test_text_and_corpus() -> None:
    app = page(corpus_sample="low-lower-newest-widest", lanes="first~last")
    rows = table(app, "Encode under each", "table_test_words")
    # Words that differ come first.
    assert rows[0] == ("towers", 1, "≠", "t o w e r s </w>", "t ow e r s </w>")
    assert [row[0] for row in rows if row[2]] == ["towers", "oldest"]
    assert table(app, "Encode under each", "table_corpus_words")[:2] == [
        ("low", 5, "", "low</w>", "low</w>"),
        ("lower", 2, "", "low e r </w>", "low e r </w>"),
    ]
    type_into(app, "test_text", "slowest")
    assert [row[0] for row in table(app, "Encode under each", "table_test_words")] == ["slowest"]


def test_one_merge_is_written_in_the_singular() -> None:
    parted = page(corpus_sample="low-lower-newest-widest", merges="1", lanes="first~pair-max")
    assert not parted.exception
    assert any(
        "The learned token is different." in text.value for text in (*parted.caption, *parted.markdown)
    )


def test_a_training_of_one_merge_stops_in_the_singular() -> None:
    def stopped() -> None:
        import bpe
        from ui.trainings import recipe, training
        from ui.trainings.corpus import from_text
        from ui.trainings.running_training import RunningTraining, TrainingWatch

        rule = recipe.Recipe("none", "bytes", "first", 1)
        for number in (0, 1):
            watch = TrainingWatch(RunningTraining("one merge", from_text("a a"), rule), is_stopped=True)
            watch.trace = bpe.train("a a", merges=number)
            training._draw_state(watch, has_settled=True, suffix=str(number))

    app = AppTest.from_function(stopped, default_timeout=LONGEST_RUN).run()
    assert [warning.value for warning in app.warning] == [
        "Stopped before the first merge.",
        "Stopped after 1 of 1 merge. This is what was learned so far.",
    ]


# Branches of Compare: a lane in which a pair was picked by hand has a name and can be undone.


def linked_names(app: AppTest) -> str:
    """Return the names in the fragment of the page's address."""
    assert "names" not in app.query_params
    part = app.session_state["_page_texts"][1]
    return read_texts(part)["names"] if part else ""


def test_a_branch_can_be_named_and_undone() -> None:
    app = page(corpus_sample="low-lower-newest-widest", lanes="first~first_0.2")
    assert app.text_input(key="name_first_0.2").placeholder == "First occurrence, t + </w> at merge 1"
    app.text_input(key="name_first_0.2").set_value("*mine*").run()
    assert not app.exception
    app.button(key="undo_first_0.2_0").click().run()
    assert app.session_state["lanes"] == ["first"]


def test_the_link_holds_the_names_of_branches_and_cannot_rename_a_rule() -> None:
    app = page(corpus_sample="low-lower-newest-widest", lanes="first~first_0.2~first_0.1")
    app.text_input(key="name_first_0.2").set_value(" mine ~ yours ").run()
    assert linked_names(app) == "~mine - yours"
    named = page(
        corpus_sample="low-lower-newest-widest",
        lanes="first~first_0.2~nonsense~first_0.1",
        names="not a rule~<b>mine</b>~nothing~yours",
    )
    assert [named.text_input(key=f"name_first_0.{n}").placeholder for n in (2, 1)] == ["<b>mine</b>", "yours"]
    assert linked_names(named) == "~<b>mine</b>~yours"
    named.button(key="undo_first_0.2_0").click().run()
    named.button(key="undo_first_0.1_0").click().run()
    assert not linked_names(named)


@pytest.mark.parametrize(
    ("names", "titles"),
    [
        ("~mine (b)~mine (b)", ["First occurrence", "mine (b)", "mine (b) (2)"]),
        ("~mine~mine~mine (2)", ["First occurrence", "mine", "mine (3)", "mine (2)"]),
        ("~First occurrence", ["First occurrence", "First occurrence (2)"]),
        ("~word~word", ["First occurrence", "word", "word (2)"]),  # a table has a column of this name
    ],
)
def test_branches_of_one_name_get_numbers(names: str, titles: list[str]) -> None:
    slugs = ["first", "first_0.2", "first_0.1", "first_0.1-1.0"]
    app = page(corpus_sample="low-lower-newest-widest", lanes="~".join(slugs[: len(titles)]), names=names)
    assert not app.exception
    placeholders = [app.text_input(key=f"name_{slug}").placeholder for slug in slugs[1 : len(titles)]]
    assert placeholders == titles[1:]
    app.session_state["compare_details"] = "Encode under each"
    assert not app.run().exception


def test_an_impossible_branch_is_reported_and_can_be_left_out() -> None:
    app = page(corpus_sample="low-lower-newest-widest", lanes="first~last~first_0.9")
    assert "undo it" in app.error[0].value
    app.button(key="leave_out").click().run()
    assert app.session_state["lanes"] == ["first", "last"]
    assert not app.error


def test_six_long_names_fit_into_the_link() -> None:
    slugs = ["first_0.1", "first_0.2", "last_0.0", "last_0.1", "pair-max_0.0", "pair-max_0.2"]
    app = page(corpus_sample="low-lower-newest-widest", lanes="~".join(slugs))
    long = [
        f"{number} is a name as long as a name can be".ljust(lane_menu._LONGEST_NAME, "!")
        for number in range(6)
    ]
    for slug, name in zip(slugs, long, strict=True):
        app.text_input(key=f"name_{slug}").set_value(name)
    assert linked_names(app.run()) == "~".join(long)


def test_a_name_belongs_to_a_branch_of_one_corpus() -> None:
    app = page(corpus_sample="low-lower-newest-widest", lanes="first~first_0.2", names="~about low and lower")
    for sample, name in (("low-lower-lowest-low-me", ""), ("low-lower-newest-widest", "about low and lower")):
        app.session_state["corpus_sample"] = sample
        assert not app.run().exception
        app.session_state["lanes"] = ["first", "first_0.2"]
        assert not app.run().exception
        assert linked_names(app).strip("~") == name


def test_a_change_of_variant_removes_the_branches() -> None:
    app = page(corpus_sample="low-lower-newest-widest", lanes="first~first_0.2~pair-max")
    take_row(app, "preset", "minbpe-regex")
    assert app.session_state["lanes"] == ["first", "pair-max"]
    assert not app.exception


# The words and the bar under the answer of Compare, and the text that the page opens with.


OPENING_COUNTS = "751 of 2,607"
OPENING_ANSWER = (
    f"On new text, it matters no more than luck: {OPENING_COUNTS} words in the held-out text are split differently, "
    "and random tie-breaks do as much."
)


@pytest.mark.usefixtures("draws")
def test_the_page_makes_random_draws_and_says_how_many_differ_at_least_as_much() -> None:
    app = page(corpus_sample="low-lower-newest-widest")
    until(lambda: "no more than luck: 1 of 17 words" in new_text_of(run(app)))


@cache
def opening() -> PageComparison:
    """Return the comparison that a first visit to the page opens with."""
    sample = corpora.samples()[OPENING_SAMPLES["compare"]]
    text = corpora.from_sample(sample.slug).documents[0]
    _, held_out = default_held_out(text)
    shared = Recipe(sample.preset, "char-eow", "first", sample.merges)
    return compare(*COMPARED_RULES, sample=sample.slug, shared=shared, test_text=held_out.text)


@pytest.mark.slow
def test_compare_opens_with_a_text_in_which_many_words_are_split_differently() -> None:
    """The draws take seconds, so they are made once, for the words of the answer and for the bar below it."""
    comparison = opening()
    before = _bar_of(measured(comparison))
    *_, result = with_random_draws(
        measured(comparison), comparison.text, variant="char-eow", merges=comparison.merges
    )
    assert result.answer == "luck"
    assert result.apart > 0.1
    assert verdict.new_text(comparison, result) == OPENING_ANSWER
    assert before
    assert before["chance"] is None  # nothing was drawn
    bar = _bar_of(result)
    assert bar
    assert bar["value"]["text"] == f"{OPENING_COUNTS} held-out words"
    assert bar["value"]["to"] == result.differing_words / result.compared_words
    assert bar["chance"]["from"] < bar["value"]["to"] < bar["chance"]["to"]
    assert OPENING_COUNTS in verdict.split_words(comparison, result)
    assert _lanes_and_text(comparison).endswith(" “Twelve neighbours” was written so that many pairs tie.")
    words = [word.word for word in drawn_words(comparison, result)]
    assert words[:4] == ["was", "that", "he", "on"]  # everybody knows them


def test_the_words_are_short_the_most_frequent_and_each_is_there_once() -> None:
    result = measured(opening())
    words = drawn_words(opening(), result)
    assert len(words) == _MOST_DRAWN
    assert all(len(word.word) <= _LONGEST and word.differs for word in words)
    names = [word.word.casefold() for word in words]
    assert len(set(names)) == len(names)
    frequencies = [word.frequency for word in words]
    assert frequencies == sorted(frequencies, reverse=True)
    assert frequencies[0] == max(word.frequency for word in result.differing)


def test_a_text_that_is_unlike_every_other_shows_its_own_words() -> None:
    unlike = compare("first", "pair-max", text="abc abc", shared=Recipe("none", "char-eow", "first", 1))
    result = measured(unlike)
    assert [word.word for word in drawn_words(unlike, result)] == ["abc"]
    assert _bar_of(result) is None
