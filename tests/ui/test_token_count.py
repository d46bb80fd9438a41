"""How many tokens a finished tokenizer makes of a text: on Watch and Encode, at once, and beside all published ones."""

import json
import threading

import pytest
import tiktoken
from streamlit.testing.v1 import AppTest

import bpe
from bpe.formats.opened import Opened
from bpe.text.display import counted
from bpe.text.patterns import GPT2_PATTERN
from published.rows import PUBLISHED
from tests.app import caption_text, chip_rows, open_app, open_page, run, sent, tokens_shown, type_text
from tests.ui.choices.tokenizer_uploads import JSON, upload
from ui.choices.choices import Choice
from ui.page_parts import tokenizers_page
from ui.page_parts.watch.grid_feed import remembered_as, subject
from ui.trainings import tokenizer_files, training
from ui.trainings.byte_cache import ByteCache
from ui.trainings.corpus import from_text
from ui.trainings.recipe import Recipe
from ui.trainings.running_training import Begin, Pace, _Steps, replay
from ui.trainings.tokenizer_files import published_file

TEXT = "Straße 東京 😊: what about my name, Aleksandra Wojciechowska? We all scream for ice cream."
GPT_2 = {"recipe_source": "published", "published": "gpt-2"}
ENCODE = {**GPT_2, "text": TEXT}


def line(app: AppTest) -> str:
    """Return the line with the number of tokens; "" without one."""
    for one in app.get("bidi_component"):
        sent = json.loads(one.proto.bytes or "{}")
        if count := sent.get("count"):
            return f"{count['number']} {count['noun']}{count['rest']}"
    return ""


def grid_start(app: AppTest) -> int:
    """Return the step at which the grid begins."""
    return next(
        int(sent["start"])
        for one in app.get("bidi_component")
        if "feed" in (sent := json.loads(one.proto.bytes or "{}"))
    )


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click()
    return run(app)


def with_gpt_2(text: str = TEXT) -> AppTest:
    """Return Watch with a typed text and GPT-2's tokenizer."""
    return type_text(open_app(GPT_2), text)


def expected(text: str, slug: str = "gpt-2") -> str:
    tokens = len(published_file(slug).tokenizer.encode(text))
    each = f"{len(text) / tokens:.1f} characters per token"
    return f"{tokens:,} tokens · {counted(len(text), 'character')} · {each} · {PUBLISHED[slug].name}"


def test_the_number_is_the_makers_own() -> None:
    ranks = published_file("gpt-2").tokenizer
    theirs = tiktoken.Encoding(
        "gpt-2",
        pat_str=GPT2_PATTERN,
        mergeable_ranks=dict(ranks.ids),
        special_tokens={},
    )
    assert line(with_gpt_2()).startswith(f"{len(theirs.encode_ordinary(TEXT))} tokens · ")


def test_watch_begins_at_the_end_of_a_finished_tokenizer() -> None:
    app = with_gpt_2()
    assert line(app) == expected(TEXT)
    steps = len(bpe.replay(TEXT, published_file("gpt-2").tokenizer).steps)
    assert grid_start(app) == steps > 0
    assert tokens_shown(app) == line(app).split()[0]
    assert f"{steps} of its 50,000 merges apply to this text" in caption_text(app)


def test_beside_a_finished_tokenizer_are_its_merges_with_their_ranks_and_no_pairs_that_it_never_merges() -> (
    None
):
    app = with_gpt_2()
    steps = bpe.replay(TEXT, published_file("gpt-2").tokenizer).steps
    rows = chip_rows(app, "listed_merges")
    assert [(row["merge"], row["rank"]) for row in rows] == [
        (step.rank + 1, step.list_rank + 1) for step in steps if step.list_rank is not None
    ]
    assert not any("-pairs" in part.proto.id for part in app.get("bidi_component"))
    assert "Pairs" not in [tab.label for tab in app.tabs]


def test_nothing_is_compared_with_a_tokenizer_that_learned_nothing_from_the_text() -> None:
    app = type_text(open_app(), TEXT)
    assert app.session_state["recipe_source"] != "published"
    for source in ("published", "train"):
        app.session_state["recipe_source"] = source
        app.session_state["published"] = "gpt-2"
        app = run(app)
        assert sent(app, "watch")["change"]["sentences"] == []


def test_another_text_begins_at_its_end_too_and_a_training_at_its_start() -> None:
    app = type_text(with_gpt_2(), "lower and lower")
    assert grid_start(app) == len(bpe.replay("lower and lower", published_file("gpt-2").tokenizer).steps)
    app.session_state["recipe_source"] = "train"
    assert grid_start(run(app)) == 0
    assert line(app) == ""
    app.session_state["recipe_source"] = "published"
    assert grid_start(run(app)) > 0


def test_a_link_with_a_step_opens_there_and_the_number_is_that_of_the_end() -> None:
    app = open_app({**GPT_2, "step": "1"})
    assert grid_start(app) == 1
    assert line(app)
    assert tokens_shown(app) != line(app).split()[0]


def test_what_goes_on_learning_is_not_finished() -> None:
    app = open_app({**GPT_2, "file_use": "continue"})
    assert grid_start(app) == 0
    assert line(app) == ""


def test_a_tokenizer_of_ones_own_answers_as_well() -> None:
    app = upload(open_app({"recipe_source": "file"}), "my.json", JSON)
    assert line(app).endswith(" · my.json")


@pytest.mark.parametrize("place", ["watch", "encode"])
def test_one_press_takes_the_text_to_the_rows_of_all_published_tokenizers(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokenizers_page, "PUBLISHED", {})  # it opens none
    app = with_gpt_2() if place == "watch" else open_page("encode", ENCODE)
    press(app, f"token_count_all_{place}")
    assert app.session_state["tokenizers_text"] == TEXT


def test_a_word_list_has_a_number_and_no_button() -> None:
    app = type_text(open_app(GPT_2), "low 5\nlower 2", "words")
    assert line(app).startswith("7 tokens · 25 characters · ")
    assert not [one for one in app.button if one.key == "token_count_all_watch"]


def test_encode_says_it_above_its_grid_which_begins_at_the_end() -> None:
    app = open_page("encode", ENCODE)
    assert line(app) == expected(TEXT)
    assert grid_start(app) == len(list(published_file("gpt-2").tokenizer.encode_steps(TEXT)))


def test_encode_says_it_of_learned_merges_and_begins_at_the_end_too() -> None:
    app = open_page("encode", {"text": "lowest low"})
    assert line(app).split(" · ")[0].endswith("tokens")
    assert grid_start(app) == 6


def test_counting_closes_no_tokenizer_that_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    files = ByteCache[Opened](1)  # it has room for the last one alone
    monkeypatch.setattr(tokenizer_files, "_PUBLISHED", files)
    monkeypatch.setattr(tokenizer_files, "_MOST_PUBLISHED", 1)
    opened = published_file("gpt-2").opened
    assert tokenizer_files.tokenizer_for_now("mistral-7b").encode("a text")
    assert files.find("gpt-2") is opened
    assert tokenizer_files.tokenizer_for_now("gpt-2") is opened.tokenizer


def test_a_replay_begins_at_its_end_when_that_is_known() -> None:
    """Of a long text the first merges are shown before the others are made: these begin at the start."""
    file, corpus = published_file("gpt-2"), from_text(TEXT)
    recipe = Recipe("none", "bytes", "first", 3, file=file.id)
    choice = Choice("paste", corpus, recipe, "base", None, None, file)
    steps = bpe.replay_steps(TEXT, file.tokenizer)
    next(iter(steps))
    so_far, whole = steps.trace(stopped="cancelled"), bpe.replay(TEXT, file.tokenizer)
    assert subject(so_far, choice) != subject(whole, choice)
    assert remembered_as(so_far, choice) != remembered_as(whole, choice) == "base"


# While the merges are looked up for a short text, the page draws nothing new, so that the old picture stays.


def slow_replays(monkeypatch: pytest.MonkeyPatch, keep: float) -> threading.Event:
    """Let replays begin when the event is set, and pages keep their old picture for so many seconds."""
    go_on = threading.Event()

    def slowly(tokenizer: bpe.Tokenizer) -> Begin:
        def begin(*asked: object) -> _Steps:
            go_on.wait(10)
            return replay(tokenizer)(*asked)  # type: ignore[arg-type]  # what `begin` is called with

        return begin

    monkeypatch.setattr(training, "replay", slowly)
    monkeypatch.setattr(training, "_PACE", Pace(wait=0.05, keep=keep))
    return go_on


def test_a_short_wait_for_a_tokenizer_ends_with_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_app()
    go_on = slow_replays(monkeypatch, keep=10.0)
    threading.Timer(0.7, go_on.set).start()
    app.session_state["recipe_source"] = "published"
    app.session_state["published"] = "gpt-2"
    type_text(app, "kept until it is there")
    assert line(app)
    assert not app.get("progress")
    assert not [one for one in app.button if one.key == "replay_stop"]


def test_a_long_one_says_what_takes_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_app()
    go_on = slow_replays(monkeypatch, keep=0.0)
    app.session_state["recipe_source"] = "published"
    app.session_state["published"] = "gpt-2"
    type_text(app, "kept for no time at all")
    said = app.get("progress")[0].proto.text
    go_on.set()
    assert said.startswith("Looking up which of GPT-2's 50,000 merges apply to the text")
