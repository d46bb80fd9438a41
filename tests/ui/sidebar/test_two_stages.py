"""Two stages on the pages: superwords in the sidebar, and further merges after a tokenizer from a file."""

import re

import bpe
from bpe import Trace
from bpe.formats import FORMATS
from film.page import film_page
from tests.app import open_app, run
from tests.film.readers import data_of
from tests.ui.sidebar.tokenizer_uploads import JSON, TEXT, captions, opened
from tests.waiting import LONG
from ui.show import tables
from ui.sidebar import share_file, tokenizer_files
from ui.sidebar.corpus import from_text
from ui.sidebar.recipe import Recipe, signature
from ui.trainings.running_training import RunningTraining, replay
from ui.watch.notes import sentence

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
    assert "The second stage begins at merge 9\\" in captions(app)
    assert re.search(r"\d+ of 8 new tokens span several words", captions(app))
    app.number_input(key="second_after").set_value(10)
    run(app)
    assert app.query_params["second_after"] == "10"
    assert "The second stage begins at merge 11\\" in captions(app)
    app.selectbox(key="second_stage").select("own")
    run(app)
    app.text_input(key="second_own").set_value("(")
    assert "does not compile" in run(app).error[0].value
    app.text_input(key="second_own").set_value("way")
    run(app)
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
    app.selectbox(key="further_tie_break").select("last")
    run(app)
    assert "4 further merges are learned from this text." in captions(app)
    assert app.query_params["file_use"] == "continue"
    assert app.query_params["further_merges"] == "4"
    assert app.session_state["_choice"].recipe.further == {"merges": 4, "tie_break": "last"}
    applied = re.search(r"could have chosen (\d+) of these (\d+) too", captions(app))
    assert applied
    app.selectbox(key="second_stage").select("sentences")
    run(app)
    assert "of 4 new tokens span" in captions(app)
    for page in ("vocabulary", "encode", "compare"):
        app.switch_page(f"pages/{page}.py")
        assert not run(app).exception
        assert not app.error
    app.switch_page("app.py")
    run(app)
    app.segmented_control(key="recipe_source").set_value("train")
    run(app)
    assert app.session_state["_choice"].recipe.settings.keys() >= {"merges"}


def continued() -> Trace:
    file = tokenizer_files.open_files([("my.json", JSON)], "guess")
    return bpe.continue_training(TEXT * 2, file.tokenizer, merges=5)


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
    assert f"From merge {after + 1} on, 5 further merges are learned from this text." in sentence(trace)
    feed = data_of(film_page(trace, TEXT))["lanes"][0]["feed"]
    assert (feed["stage"]["after"], feed["stage"]["superwords"]) == (after, False)
    assert feed["replay"]["steps"] == after
    assert feed["replay"]["merges"] == len(trace.replayed.tokenizer.merges) - 5
    assert feed["rule"] == trace.tie_break.title
    assert FORMATS["tokenizer-json"].refusal(trace, len(trace.steps)) is None


def test_two_uses_of_a_file_are_two_trainings() -> None:
    recipe = Recipe.of({**SUPERWORDS, "recipe_source": "file", "file": "0123"})
    goes_on = recipe.changed(file_use="continue")
    names = {signature(from_text(TEXT), one) for one in (recipe, goes_on, goes_on.changed(further_merges=7))}
    assert len(names) == 3
    assert goes_on.trained.settings.keys().isdisjoint({"second_pattern", "second_after"})


def test_the_progress_counts_the_file_s_merges_and_then_the_further_ones() -> None:
    file = tokenizer_files.open_files([("my.json", JSON)], "guess")
    listed = len(file.tokenizer.merges)
    recipe = Recipe.of({**SUPERWORDS, "file": file.id, "file_use": "continue", "further_merges": 3})
    training = RunningTraining(
        "goes on", from_text(TEXT), recipe, begin=replay(file.tokenizer), listed=listed
    )
    training.start()
    assert training.job.ended.wait(LONG)
    assert training.trace
    assert training.trace.replayed
    assert training.learned == listed + training.trace.replayed.learned == listed + 3
