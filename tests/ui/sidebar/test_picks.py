"""Merges picked by hand on Watch: another of the tied pairs is merged, and all later merges follow from it."""

import json

from streamlit.testing.v1 import AppTest

import bpe
from tests.app import open_app, run, send_event, tokens_shown, type_text
from ui.components.pair_table import read_pick
from ui.components.token_grid import Pick
from ui.show.text import in_markdown

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
WORD_LIST = "low 5\nlower 2\nnewest 6\nwidest 3"
TRACE = bpe.train(WORDS, merges=12, **bpe.PRESETS["paper"].settings)


def pick(app: AppTest) -> None:
    """Pick t + </w>, the third of the pairs that tie for merge 1, in the pair table."""
    send_event(app, "pairs", "pick", json.dumps({"rank": 0, "pair": ["74", "ff"]}))


def test_a_click_that_comes_late_picks_nothing() -> None:
    """The pair table shows merge 4 by the time that the click on a pair of merge 3 arrives."""
    click = {"rank": 3, "pair": ["6c", "6f"]}
    assert read_pick(click, 3) == Pick(3, b"l", b"o")
    assert read_pick(click, 4) is None
    assert read_pick(None, 3) is None


def test_what_if_takes_another_pair_and_gives_it_back() -> None:
    """The pick is in the link, the undo button is visible, and the step has not changed."""
    app = type_text(open_app(), WORD_LIST, "words")
    before = tokens_shown(app)
    pick(app)
    assert app.query_params["picks"] == "0.2"
    assert [button.label for button in app.button if button.key == "undo_0"] == [r"Undo merge 1: t + \</w\>"]
    app.button(key="undo_0").click()
    run(app)
    assert "picks" not in app.query_params
    assert tokens_shown(app) == before


def test_a_link_with_picks_leads_to_the_same_merges() -> None:
    """Picks are numbers among the tied pairs, in order of first occurrence."""
    app = open_app({"corpus_source": "words", "picks": "0.2-1.1"}, corpus_text=WORD_LIST)
    labels = [button.label for button in app.button if (button.key or "").startswith("undo_")]
    picks = {0: TRACE.tied_pairs(0)[2]}
    picks[1] = bpe.train(WORDS, merges=1, picks=picks).tied_pairs(1)[1]
    visible = [" + ".join(map(TRACE.variant.label, picks[rank])) for rank in (0, 1)]
    assert labels == [f"Undo merge {rank + 1}: {in_markdown(pair)}" for rank, pair in enumerate(visible)]


def test_a_pick_that_cannot_be_is_one_sentence() -> None:
    """It comes from a link that belongs to another text."""
    app = open_app({"corpus_source": "words", "picks": "0.9"}, corpus_text=WORD_LIST)
    assert "number 10 of the tied pairs, but only 3 tie" in app.error[0].value


def test_a_pick_after_the_last_merge_can_be_undone() -> None:
    """The page names the problem, and the sidebar offers the undo button."""
    app = open_app({"picks": "99.9", "merges": "5000"})
    assert "You picked the pair for merge 100, but this training ends after" in app.error[0].value
    app.button(key="no_picks").click()
    assert not run(app).error
    assert "picks" not in app.query_params


def test_a_pick_after_the_merges_asked_for_waits_for_more() -> None:
    app = open_app({"corpus_source": "words", "picks": "5.0", "merges": "2"}, corpus_text=WORD_LIST)
    assert not app.error
    assert app.query_params["picks"] == "5.0"


def test_undo_is_above_the_grid_and_says_that_later_merges_follow() -> None:
    app = type_text(open_app(), WORD_LIST, "words")
    pick(app)
    assert "undo_0" in [button.key for button in app.main.button]
    assert any("all later merges follow" in caption.value for caption in app.caption)
