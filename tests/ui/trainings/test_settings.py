"""The table of settings: one more setting needs only one row."""

import json
import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe import Trace
from bpe.formats import FORMATS
from film.page import film_page
from tests.app import (
    caption_text,
    open_app,
    run,
    send_event,
    sent,
    take_row,
    tokens_shown,
    type_into,
    type_text,
)
from tests.film.readers import data_of
from tests.ui.choices.tokenizer_uploads import JSON, UPLOADED_TEXT, opened
from tests.waiting import LONG
from ui.choices import share_file
from ui.page_parts.compare import lanes
from ui.page_parts.lessons.choosing import listed_exercises
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.lesson import read_recipe
from ui.page_parts.watch.notes import _sentence
from ui.trainings import tokenizer_files
from ui.trainings.corpus import from_sample, from_text
from ui.trainings.recipe import Recipe, signature
from ui.trainings.running_training import RunningTraining, find, replay
from ui.trainings.settings import FREE, SETTINGS, Menu, Number, Setting
from ui.view import tables
from ui.view.token_grid import Pick, _read_pick

RULES = {"any": "Any token", "sentencepiece": "No token of two scripts"}
TEXT = "a1 a1"  # SentencePiece joins no letter and digit
ANY = {"preset": FREE, "variant": "char-metaspace", "tie_break": "first", "merges": 3}


@pytest.fixture
def one_more(monkeypatch: pytest.MonkeyPatch) -> Setting:
    """Add a row for an argument of `bpe.train` that the choices do not offer."""
    row = Setting("pieces", "words", Menu(RULES), "Tokens", placeholder=lambda _: "the preset's")
    monkeypatch.setitem(SETTINGS, row.key, row)
    return row


def open_custom(text: str = TEXT, **link: str) -> AppTest:
    custom = {"preset": FREE, "variant": "char-metaspace", "corpus_source": "paste"}
    return open_app({**custom, **link}, corpus_text=text)


def test_one_more_row_has_a_widget_and_trains(one_more: Setting) -> None:
    app = open_custom()
    assert app.selectbox(key="pieces").label == one_more.label
    assert app.session_state["_choice"].recipe.settings.get("pieces") is None
    assert any("This training has 2 merges" in caption.value for caption in app.caption)
    app.selectbox(key="pieces").select("sentencepiece")
    run(app)
    assert app.session_state["_choice"].recipe.settings["pieces"] == "sentencepiece"
    assert any("This training has 1 merge:" in caption.value for caption in app.caption)  # ▁a


def test_one_more_row_is_in_the_link_both_ways(one_more: Setting) -> None:
    app = open_custom(pieces="sentencepiece")
    assert app.selectbox(key="pieces").value == "sentencepiece"
    assert app.query_params["pieces"] == "sentencepiece"
    app.selectbox(key="pieces").set_value(None)
    assert "pieces" not in run(app).query_params
    assert "there is no such choice" in open_custom(pieces="some").warning[0].value


def test_one_more_row_is_in_the_share_file_both_ways(one_more: Setting) -> None:
    recipe = Recipe.of({**ANY, "pieces": "sentencepiece"})
    file = share_file.share_file(from_text(TEXT), recipe)
    values = share_file.read_share_file(file).values
    assert Recipe.of(values) == recipe
    app = open_app()
    app.file_uploader(key="share_file").upload("share.json", file)
    assert run(app).selectbox(key="pieces").value == "sentencepiece"


def test_a_lesson_carries_one_more_row_to_watch(one_more: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = next(iter(lessons().values()))
    recipe = lesson.recipe.changed(pieces="any")
    changed = replace(lesson, recipe=recipe)
    listed_exercises()  # of all lessons: it is computed once, and later tests need it
    monkeypatch.setattr("ui.page_parts.lessons.choosing.lessons", lambda: {lesson.slug: changed})
    app = open_app()
    app.switch_page("pages/lessons.py")
    run(app).button(key="lesson_watch").click()
    run(app)
    app.switch_page("app.py")
    assert run(app).session_state["_choice"].recipe == recipe


def test_lanes_and_cache_keys_know_one_more_row(one_more: Setting) -> None:
    """A rule's lane keeps the setting, a preset's does not, and traces are not confused."""
    plain, shared = Recipe.of(ANY), Recipe.of({**ANY, "pieces": "sentencepiece"})
    assert lanes.read_lane("last", shared).recipe.settings["pieces"] == "sentencepiece"
    assert "pieces" not in lanes.read_lane("minbpe-basic", shared).recipe.settings
    assert signature(from_text(TEXT), plain) != signature(from_text(TEXT), shared)
    assert plain.words != shared.words
    assert shared.changed(pieces=None) == plain


def test_a_lesson_may_set_one_more_row(one_more: Setting) -> None:
    assert read_recipe({**ANY, "pieces": "any"}).settings["pieces"] == "any"


def test_lower_casing_joins_words_and_switches_the_preset_off() -> None:
    app = open_app({"preset": "paper", "corpus_source": "paste"}, corpus_text="The the")
    assert app.selectbox(key="normalization").value is None
    app.selectbox(key="normalization").select("lower")
    run(app)
    assert app.session_state["preset"] == FREE
    assert app.session_state["_choice"].recipe.settings["normalization"] == "lower"
    assert app.query_params["normalization"] == "lower"
    assert "and what lower-casing changed." in caption_text(app)


def test_a_preset_s_normalization_is_shown_and_kept_by_the_rules_beside_it() -> None:
    app = open_custom(preset="hf-metaspace")
    assert app.selectbox(key="normalization").value == "NFKC"
    recipe = app.session_state["_choice"].recipe
    assert recipe == read_recipe({"preset": "hf-metaspace", "merges": recipe.merges})
    assert lanes.read_lane("last", recipe).recipe.settings["normalization"] == "NFKC"


def test_a_rule_s_lane_has_the_minimum_count_that_the_choices_show() -> None:
    """It is the viewer's own, or the preset's if the viewer chose none."""
    preset = "subword-nmt"
    own = bpe.PRESETS[preset].settings["min_count"]
    for chosen, least in ((None, own), (1, 1), (7, 7)):
        shared = Recipe(preset, "char-eow-lines", "pair-max", 9, min_count=chosen)
        assert lanes.read_lane("first", shared).recipe.settings["min_count"] == least
        assert lanes.read_lane(preset, shared).recipe.settings["min_count"] == least


def test_a_setting_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(bpe.BPEError, match="normalisation"):
        Recipe.of({**ANY, "normalisation": "NFC"})


def test_a_hidden_setting_is_neither_in_the_link_nor_in_the_training() -> None:
    recipe = Recipe.of({**ANY, "seed": 7, "pattern": "a"})
    assert recipe.settings.keys() == {"variant", "tie_break", "merges", "overlaps"}
    assert all(SETTINGS[key].in_link(recipe.values, {}) is None for key in ("seed", "pattern", "unit"))


def test_every_number_says_its_bounds() -> None:
    for row in SETTINGS.values():
        if isinstance(row.kind, Number):
            assert row.kind.read(str(row.kind.low)) == row.kind.low
            with pytest.raises(bpe.BPEError, match=f"to {row.kind.high:,}"):
                row.kind.read(str(row.kind.high + 1))


def test_limits_reach_the_training_the_link_and_the_share_file() -> None:
    """A limit of characters is offered where symbols are characters, and coverage where nothing ends words."""
    link = {
        "preset": FREE,
        "variant": "char-metaspace",
        "max_token_length": "5",
        "character_coverage": "0.98",
    }
    app = open_app(link)
    settings = app.session_state["_choice"].recipe.settings
    assert (settings["max_token_length"], settings["character_coverage"]) == (5, 0.98)
    assert link.items() <= dict(app.query_params).items()
    recipe = app.session_state["_choice"].recipe
    values = share_file.read_share_file(share_file.share_file(from_text(TEXT), recipe)).values
    assert Recipe.of(values).settings == settings
    app.number_input(key="limit_alphabet").set_value(4)
    shared = run(app).session_state["_choice"].recipe.settings
    assert shared["limit_alphabet"] == 4
    assert "character_coverage" not in shared  # they exclude one another
    warned = open_app({**link, "character_coverage": "2"}).warning
    assert any("it must be a number from 0.5 to 1" in one.value for one in warned)


# Merges picked by hand on Watch: another of the tied pairs is merged, and all later merges follow from it.

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
WORD_LIST = "low 5\nlower 2\nnewest 6\nwidest 3"
TRACE = bpe.train(WORDS, merges=12, **bpe.PRESETS["paper"].settings)


def pick(app: AppTest) -> None:
    """Pick t + </w>, the third of the pairs that tie for merge 1, in the pair table."""
    send_event(app, "watch", "pick", json.dumps({"rank": 0, "left": [116], "right": [255]}))


def test_a_click_names_its_merge_so_that_it_may_come_late() -> None:
    """The grid may rest at merge 4 by the time that the click on a pair of merge 3 arrives."""
    assert _read_pick({"rank": 3, "left": [108], "right": [111]}) == Pick(3, b"l", b"o")
    assert _read_pick(None) is None


def test_what_if_takes_another_pair_and_gives_it_back() -> None:
    """The pick is in the link, the undo button is visible, and the step has not changed."""
    app = type_text(open_app(), WORD_LIST, "words")
    before = tokens_shown(app)
    pick(app)
    assert app.query_params["picks"] == "0.2"
    assert sent(app, "watch")["change"]["picks"] == [{"rank": 0, "name": "merge 1: t + </w>"}]
    send_event(app, "watch", "undo", "0")
    run(app)
    assert "picks" not in app.query_params
    assert tokens_shown(app) == before


def test_a_link_with_picks_leads_to_the_same_merges() -> None:
    """Picks are numbers among the tied pairs, in order of first occurrence."""
    app = open_app({"corpus_source": "words", "picks": "0.2-1.1"}, corpus_text=WORD_LIST)
    names = [pick["name"] for pick in sent(app, "watch")["change"]["picks"]]
    picks = {0: TRACE.tied_pairs(0)[2]}
    picks[1] = bpe.train(WORDS, merges=1, picks=picks).tied_pairs(1)[1]
    visible = [" + ".join(map(TRACE.variant.label, picks[rank])) for rank in (0, 1)]
    assert names == [f"merge {rank + 1}: {pair}" for rank, pair in enumerate(visible)]


def test_a_pick_that_cannot_be_is_one_sentence() -> None:
    """It comes from a link that belongs to another text."""
    app = open_app({"corpus_source": "words", "picks": "0.9"}, corpus_text=WORD_LIST)
    assert "number 10 of the tied pairs, but only 3 tie" in app.error[0].value


def test_a_pick_after_the_last_merge_can_be_undone() -> None:
    """The page names the problem, and the choices offer the undo button."""
    app = open_app({"picks": "99.9", "merges": "5000"})
    assert "You picked the pair for merge 100, but this training ends after" in app.error[0].value
    app.button(key="no_picks").click()
    assert not run(app).error
    assert "picks" not in app.query_params


def test_a_pick_after_the_merges_asked_for_waits_for_more() -> None:
    app = open_app({"corpus_source": "words", "picks": "5.0", "merges": "2"}, corpus_text=WORD_LIST)
    assert not app.error
    assert app.query_params["picks"] == "5.0"


def rows_of_what_if(app: AppTest) -> list[str]:
    """Return the rows that say what the last change of a choice changed."""
    return [f"{word} {sentence}" for word, sentence in sent(app, "watch")["change"]["sentences"]]


def test_what_if_says_what_was_before_and_is_now() -> None:
    """From the tokens of both trainings, and from all ways to break the ties where they are listed."""
    app = open_app()
    assert rows_of_what_if(app) == []
    before, now = rows_of_what_if(take_row(app, "tie_break", "last"))
    trace = bpe.train(
        from_sample("low-lower-newest-widest").training_text, merges=12, **bpe.PRESETS["paper"].settings
    )
    last = bpe.train(
        from_sample("low-lower-newest-widest").training_text, merges=12, variant="char-eow", tie_break="last"
    )
    assert trace.token_counts(12) == last.token_counts(12)
    assert before == f"before First occurrence: {trace.tokens_total(12)} tokens in the text."
    assert now.startswith("now Last occurrence: the same tokens at the end, each just as often, by way of ")
    app.number_input(key="merges").set_value(3)
    before, now = rows_of_what_if(run(app))
    assert before.startswith(f"before 12 merges: {trace.tokens_total(12)} tokens at the end. Only here: ")
    assert "newest</w>" in before
    # Not some of the many tokens that differ.
    assert now == f"now 3 merges: {last.tokens_total(3)} tokens at the end."
    # Another text is no what-if.
    assert rows_of_what_if(take_row(app, "corpus_sample", "which-goes-first")) == []


def test_what_if_counts_all_ways_to_break_the_ties() -> None:
    app = open_app()
    pick(app)
    _, now = rows_of_what_if(app)
    graph = bpe.tie_graph(from_sample("low-lower-newest-widest").training_text, merges=12, variant="char-eow")
    assert (graph.complete, graph.results) == (None, 1)
    assert now.endswith(
        f", by way of t</w> instead of est. Every one of {graph.orders} ways to break the ties leads there."
    )


def test_what_if_counts_the_ways_when_another_rule_takes_the_place_of_a_preset() -> None:
    _, now = rows_of_what_if(take_row(open_app(), "tie_break", "last"))
    graph = bpe.tie_graph(from_sample("low-lower-newest-widest").training_text, merges=12, variant="char-eow")
    assert now.endswith(f"Every one of {graph.orders} ways to break the ties leads there.")


def test_what_if_writes_a_number_of_ways_that_nobody_can_read_as_a_power_of_ten() -> None:
    words = "\n".join(f"{chr(0x4E00 + left)}{chr(0x4E01 + left)} 2" for left in range(0, 40, 2))
    app = take_row(type_text(open_app({"merges": "40"}), words, "words"), "tie_break", "last")
    _, now = rows_of_what_if(take_row(app, "tie_break", "pair-max"))
    assert now.endswith("Every one of about 10⁴⁸ ways to break the ties leads there.")


# Two stages on the pages: superwords among the choices, and further merges after a tokenizer from a file.

PROSE = "by the way, the way is by the sea. by the way!\n" * 4
SUPERWORDS = {
    "preset": "none",
    "variant": "bytes-gpt2",
    "tie_break": "first",
    "merges": 16,
    "second_stage": "lines",
}


def test_superwords_are_settings_of_a_training() -> None:
    link = {name: str(value) for name, value in SUPERWORDS.items()}
    app = open_app({**link, "corpus_source": "paste"}, corpus_text=PROSE)
    assert app.session_state["_choice"].recipe.settings["second_after"] == 8  # half of them
    assert app.number_input(key="second_after").placeholder == "8, half of them"
    assert "The second stage begins at merge 9\\." in caption_text(app)
    assert re.search(r"\d+ of 8 new tokens span several words", caption_text(app))
    app.number_input(key="second_after").set_value(10)
    run(app)
    assert app.query_params["second_after"] == "10"
    assert "The second stage begins at merge 11\\." in caption_text(app)
    app.selectbox(key="second_stage").select("own")
    run(app)
    assert "does not compile" in type_into(app, "second_own", "(").error[0].value
    type_into(app, "second_own", "way")
    choice = app.session_state["_choice"].recipe
    assert choice.settings["second_pattern"] == "way"
    assert "second_own" not in app.query_params
    app.number_input(key="second_words").set_value(3)
    run(app)
    assert app.session_state["_choice"].recipe.settings["second_words"] == 3
    assert app.query_params["second_words"] == "3"
    for page in ("vocabulary", "encode", "compare"):
        app.switch_page(f"pages/{page}.py")
        assert not run(app).exception
        assert not app.error


def test_superwords_are_in_the_share_file() -> None:
    recipe = Recipe.of({**SUPERWORDS, "second_stage": "own", "second_own": "z", "second_after": 3})
    values = share_file.read_share_file(share_file.share_file(from_text(PROSE), recipe)).values
    assert Recipe.of(values) == recipe
    assert Recipe.of(values).settings["second_pattern"] == "z"


def test_counted_words_have_no_superwords() -> None:
    link = {name: str(value) for name, value in SUPERWORDS.items()}
    app = open_app({**link, "corpus_source": "words"}, corpus_text="low 5\nlower 2")
    assert "must read the text itself, got counted words" in app.error[0].value


def test_training_goes_on_after_a_file() -> None:
    app = opened()
    assert dict(app.query_params) == {"recipe_source": "file"}
    app.segmented_control(key="file_use").set_value("continue")
    run(app)
    app.number_input(key="further_merges").set_value(4)
    take_row(app, "further_tie_break", "last")
    run(app)
    assert "4 further merges are learned from this text." in caption_text(app)
    assert app.query_params["file_use"] == "continue"
    assert app.query_params["further_merges"] == "4"
    assert app.session_state["_choice"].recipe.further == {"merges": 4, "tie_break": "last"}
    applied = re.search(r"could have chosen (\d+) of these (\d+) too", caption_text(app))
    assert applied
    app.selectbox(key="second_stage").select("sentences")
    run(app)
    assert "of 4 new tokens span" in caption_text(app)
    for page in ("vocabulary", "encode", "compare"):
        app.switch_page(f"pages/{page}.py")
        assert not run(app).exception
        assert not app.error
    app.switch_page("app.py")
    run(app)
    app.segmented_control(key="recipe_source").set_value("train")
    run(app)
    assert app.session_state["_choice"].recipe.settings.keys() >= {"merges"}


def test_a_tokenizer_like_a_file_is_trained_and_saved() -> None:
    app = opened()
    app.segmented_control(key="file_use").set_value("like")
    run(app)
    app.number_input(key="further_merges").set_value(4)
    take_row(app, "further_tie_break", "ids-min")
    run(app)
    assert "4 new merges, learned from this text. All else is this tokenizer's" in caption_text(app)
    assert app.query_params["file_use"] == "like"
    assert not app.exception
    assert not [menu for menu in app.selectbox if menu.key == "second_stage"]
    choice = app.session_state["_choice"]
    file = tokenizer_files.open_files([("my.json", JSON)], "guess")
    trace = find(signature(choice.corpus, choice.recipe))
    assert trace
    learned = bpe.train_like(choice.corpus.training_text, file.tokenizer, merges=4, tie_break="ids-min")
    assert trace.merges == learned.merges
    written = json.loads(FORMATS["tokenizer-json"].trace_content(trace, 4).decode())
    assert written["pre_tokenizer"] == json.loads(JSON)["pre_tokenizer"]
    assert len(written["model"]["merges"]) == 4
    for page in ("vocabulary", "encode", "compare"):
        app.switch_page(f"pages/{page}.py")
        assert not run(app).exception
        assert not app.error


def continued() -> Trace:
    file = tokenizer_files.open_files([("my.json", JSON)], "guess")
    return bpe.continue_training(UPLOADED_TEXT * 2, file.tokenizer, merges=5)


def test_tables_and_film_say_which_merges_are_from_the_file() -> None:
    trace = continued()
    assert trace.replayed
    after = len(trace.steps) - 5
    assert trace.second_stage == after
    decided = [row[8] for row in tables.merge_rows(trace, range(len(trace.steps)))]
    assert set(decided[:after]) == {"the file"}
    assert "the file" not in decided[after:]
    lines = list(tables.log_lines(trace, range(len(trace.steps))))
    assert ["in the file" in line for line in lines if line.startswith("merge ")] == [True] * after + [
        False
    ] * 5
    assert f"From merge {after + 1} on, 5 further merges are learned from this text." in _sentence(trace)
    feed = data_of(film_page(trace, UPLOADED_TEXT))["lanes"][0]["feed"]
    assert (feed["stage"]["after"], feed["stage"]["superwords"]) == (after, False)
    assert feed["replay"]["steps"] == after
    assert feed["replay"]["merges"] == len(trace.replayed.tokenizer.merges) - 5
    assert feed["rule"] == trace.tie_break.title
    assert FORMATS["tokenizer-json"].refusal(trace, len(trace.steps)) is None


def test_two_uses_of_a_file_are_two_trainings() -> None:
    recipe = Recipe.of({**SUPERWORDS, "recipe_source": "file", "file": "0123"})
    goes_on = recipe.changed(file_use="continue")
    names = {
        signature(from_text(UPLOADED_TEXT), one)
        for one in (
            recipe,
            goes_on,
            goes_on.changed(further_merges=7),
            recipe.changed(file_use="like"),
        )
    }
    assert len(names) == 4
    assert goes_on.trained.settings.keys().isdisjoint({"second_pattern", "second_after"})


def test_the_progress_counts_the_file_s_merges_and_then_the_further_ones() -> None:
    file = tokenizer_files.open_files([("my.json", JSON)], "guess")
    listed = len(file.tokenizer.merges)
    recipe = Recipe.of({**SUPERWORDS, "file": file.id, "file_use": "continue", "further_merges": 3})
    training = RunningTraining(
        "goes on", from_text(UPLOADED_TEXT), recipe, begin=replay(file.tokenizer), listed=listed
    )
    training.start()
    assert training.job.ended.wait(LONG)
    assert training.trace
    assert training.trace.replayed
    assert training.learned == listed + training.trace.replayed.learned == listed + 3
