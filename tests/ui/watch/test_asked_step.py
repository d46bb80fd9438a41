"""A question about one step, opened by a link or a share file: asked, checked, left, or refused in a sentence."""

import json

import pytest

from bpe import BPEError
from tests.app import component_id, open_app, run, send_event, tokens_shown
from ui.sidebar.corpus import from_text
from ui.sidebar.link import KINDS, read_asked
from ui.sidebar.recipe import Recipe
from ui.sidebar.share_file import read_share_file, share_file
from ui.watch.asked_step import TITLES

ASK = {"corpus_sample": "low-lower-newest-widest", "step": "3", "ask": "pair"}


def test_a_link_asks_about_a_step_until_it_is_answered_and_left() -> None:
    app = open_app(ASK)
    assert component_id(app, "asked_step")
    assert not tokens_shown(app)  # the numbers of the page would help
    assert "".join(app.query_params["ask"]) == "pair"
    attempts = app.session_state["_exercise_attempts"]
    for answer in (
        '{"answer": [0, 1]}',
        '{"answer": "x"}',
        '{"answer": [99999, 1]}',
        "7",
        '{"answer": {"a": 1}}',
    ):
        send_event(app, "asked_step", "answer", answer)
    send_event(app, "asked_step", "answer", '{"answer": null}')
    (attempt,) = attempts.values()
    assert attempt.opened
    send_event(app, "asked_step", "leave", "true")
    run(app)
    assert tokens_shown(app)
    assert "ask" not in app.query_params


def test_a_forged_question_is_ignored_with_a_sentence() -> None:
    app = open_app({**ASK, "ask": "<b>all</b>"})
    assert any("“ask”" in warning.value for warning in app.warning)
    assert tokens_shown(app)
    app = open_app({**ASK, "step": "12"})
    assert any(
        "asks about merge 13, but this training has 12 merges" in warning.value for warning in app.warning
    )
    assert tokens_shown(app)


def test_another_text_is_not_asked_about() -> None:
    app = open_app(ASK)
    app.session_state["corpus_sample"] = "highest-higher-lower"
    run(app)
    assert tokens_shown(app)
    assert "ask" not in app.query_params


def test_a_share_file_can_hold_a_question() -> None:
    corpus = from_text("low lower " * 300)
    recipe = Recipe.of({"preset": "none", "variant": "char-eow", "tie_break": "first", "merges": 5})
    content = share_file(corpus, recipe, ask=("count", 2))
    assert read_share_file(content).question == ("count", 2)
    assert read_share_file(content).corpus.documents == corpus.documents
    assert read_share_file(share_file(corpus, recipe)).question is None
    forged = json.loads(content) | {"ask": {"kind": "pair", "step": "2"}}
    with pytest.raises(BPEError, match="field “ask”"):
        read_share_file(json.dumps(forged).encode())
    fields: list[object] = [
        [],
        7,
        {"kind": "luck", "step": 1},
        {"kind": "pair"},
        {"kind": "pair", "step": -1},
    ]
    for field in fields:
        with pytest.raises(BPEError, match="field “ask”"):
            read_asked(field)
    assert TITLES.keys() == set(KINDS)
