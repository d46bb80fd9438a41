"""The grid's feed: read as in the browser, it gives the core's segmentation at every step."""

import json
import random
from typing import get_args

import pytest

import bpe
from bpe.text.display import ENDINGS
from bpe.text.variants import Unit
from film.packing import packed
from film.training_feed import MOST_COUNTED, MOST_TIES, Text, training_feed
from film.windows import LONG, WINDOW
from tests import ROOT
from tests.film.feed_reader import tokens_of, unpacked
from tests.material.texts import SENTENCES, TOYS

VARIANTS = [slug for slug in bpe.VARIANTS if slug != "custom"]
GOLDEN = ROOT / "tests/golden/texts.json"


@pytest.mark.parametrize("slug", VARIANTS)
@pytest.mark.parametrize("text", [*TOYS.values(), SENTENCES[:600]], ids=[*TOYS, "sentences"])
def test_words_of_the_window_are_the_cores_at_every_step(slug: str, text: str) -> None:
    trace = bpe.train(text, variant=slug, merges=60)
    feed = training_feed(trace, text)
    for k in {0, 1, len(trace.steps) // 2, len(trace.steps)}:
        assert tokens_of(feed, min(k, len(trace.steps))) == trace.segment(text, min(k, len(trace.steps)))


@pytest.mark.parametrize("unit", get_args(Unit))
def test_words_of_a_pattern_are_the_cores(unit: Unit) -> None:
    text = SENTENCES[:600]
    trace = bpe.train(text, variant="custom", pattern=r" ?\p{L}+", unit=unit, merges=60)
    feed = training_feed(trace, text)
    for k in (0, 1, 30, 60):
        assert tokens_of(feed, k) == trace.segment(text, k)


@pytest.mark.parametrize("start", [0, 1, 7, 333, 900])
def test_a_raw_stream_is_cut_at_any_place(start: int) -> None:
    text = SENTENCES
    trace = bpe.train(text, variant="bytes", merges=200)
    feed = training_feed(trace, text, start=start, size=100)
    window = text[start : start + 100]
    before = len(text[:start].encode())
    boundaries = trace.boundaries(text)[before : before + len(window.encode()) - 1]
    assert [number - 1 for number in unpacked(feed["words"]["closes"])[:-1]] == boundaries
    assert b"".join(tokens_of(feed, 50)).decode() == window
    assert (feed["text"]["start"], feed["text"]["end"], feed["text"]["total"]) == (
        start,
        start + len(window),
        len(text),
    )


def test_a_word_list_is_fed_without_running_text() -> None:
    words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    feed = training_feed(bpe.train(words, merges=4), words)
    assert unpacked(feed["words"]["frequencies"]) == [5, 2, 6, 3]
    assert unpacked(feed["text"]["words"]) == []


def test_words_never_seen_in_training_are_cut_by_its_merges() -> None:
    trace = bpe.train("low low lower", merges=5)
    assert tokens_of(training_feed(trace, "lowest ☃"), 5) == trace.segment("lowest ☃", 5)


def test_no_ending_tells_the_viewer_of_a_film_to_have_chosen_it() -> None:
    assert [text for text in ENDINGS.values() if "you" in text.split()] == []


def test_merges_are_told_by_ids_and_counts() -> None:
    trace = bpe.train("aaaa aaaa b", merges=2, special_tokens=["<s>"])
    steps = training_feed(trace, "aaaa aaaa b")["steps"]
    assert unpacked(steps["left"])[0] == trace.id_of(b"a")
    assert steps["first"] == trace.id_of(b"aa")
    assert unpacked(steps["count"])[0] == 6
    assert dict(zip(unpacked(steps["differs"]), unpacked(steps["replaced"]), strict=True))[0] == 4


def test_tied_pairs_come_with_the_first_steps() -> None:
    trace = bpe.train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, merges=3)
    ties = training_feed(trace, "low")["ties"]
    assert ties
    assert unpacked(ties["sizes"])[0] == 3
    assert unpacked(ties["ids"])[:6] == [
        trace.id_of(symbol) for pair in trace.tied_pairs(0) for symbol in pair
    ]


@pytest.mark.parametrize(("number", "steps"), [(MOST_TIES, 1), (MOST_TIES + 1, 0)])
def test_as_many_tied_pairs_come_as_a_feed_may_hold(number: int, steps: int) -> None:
    words = {f"{chr(0x4E00 + rank)}b": 1 for rank in range(number)}
    ties = training_feed(bpe.train(words, "char-eow-attached", merges=1), "")["ties"]
    assert ties
    assert (ties["steps"], len(unpacked(ties["ids"]))) == (steps, 2 * number * steps)


def test_the_feed_is_small_and_always_the_same() -> None:
    text = json.loads(GOLDEN.read_text("utf-8"))["apache"]
    for slug in ("char-eow", "bytes-gpt2", "bytes"):
        trace = bpe.train(text, variant=slug, merges=1_000)
        feed = training_feed(trace, text)
        assert len(json.dumps(feed)) <= 60_000, slug
        assert feed == training_feed(trace, text)


def test_the_name_tells_windows_and_recipes_apart() -> None:
    trace = bpe.train("low lower lowest", merges=3)
    first, moved = training_feed(trace, "low lower lowest"), training_feed(trace, "low lower lowest", start=4)
    other = training_feed(bpe.train("low lower lowest", merges=2), "low lower lowest")
    assert first["family"] == moved["family"] != other["family"]
    assert len({first["id"], moved["id"], other["id"]}) == 3


def test_numbers_take_the_least_room() -> None:
    for most, size in ((255, "1"), (256, "2"), (65_536, "4"), (1 << 40, "4")):
        numbers = [random.Random(most).randrange(most) for _ in range(20)] + [most]
        assert packed(numbers).startswith(f"{size}:")
        assert unpacked(packed(numbers)) == [min(number, (1 << 32) - 1) for number in numbers]


def test_a_headline_can_name_symbols_outside_the_window() -> None:
    text = "a " * 50 + "xy " * 60
    feed = training_feed(bpe.train(text, merges=2), text, size=20)
    assert {b"x".hex(), b"y".hex()} <= set(feed["symbols"]["hex"].split(" "))


WHOLE = {
    "all of the text": ("low lower low", WINDOW, True),
    "another text with its words": ("lower, low lower", WINDOW, True),
    "the counted words": ({"low": 2, "lower": 1}, WINDOW, True),
    "fewer words": ("low low", WINDOW, False),
    "more words than it was trained on, but not all of those": ("low lowest newest", WINDOW, False),
    "a window of the text": ("low lower low", 3, False),
}


@pytest.mark.parametrize(("text", "size", "whole"), WHOLE.values(), ids=list(WHOLE))
def test_the_browser_counts_pairs_only_where_it_has_all_words(text: Text, size: int, whole: bool) -> None:
    feed = training_feed(bpe.train("low lower low", merges=3), text, size=size)
    assert feed["whole"] is whole


def test_the_browser_counts_the_pairs_of_so_many_words_and_no_more() -> None:
    words = {f"w{number}": 1 for number in range(MOST_COUNTED)}
    assert training_feed(bpe.train(words, merges=1), words)["whole"]
    words["one more"] = 1
    assert not training_feed(bpe.train(words, merges=1), words)["whole"]


def test_a_cut_word_is_not_the_whole_word() -> None:
    text = "abc" * LONG
    trace = bpe.train(text, merges=3)
    assert training_feed(trace, text)["whole"]
    cut = training_feed(trace, text, size=LONG)
    assert not cut["whole"]
    assert not cut["rows"]


def test_the_words_outside_the_window_are_added_if_they_are_few() -> None:
    """So a pair table can follow a film of a longer text. The window stays as it is."""
    text = "low lower high lower"
    trace = bpe.train(text, word_order="frequency", merges=3)
    window = training_feed(trace, text, size=3)
    assert (window["whole"], window["further"], window["order"]) == (False, 0, "")
    assert training_feed(trace, text, size=3, further=8) == window
    feed = training_feed(trace, text, size=3, further=9)
    assert (feed["whole"], feed["further"]) == (True, 2)
    assert unpacked(feed["order"]) == [1, 2, 0]  # "lower" is the most frequent
    assert (feed["text"], feed["rows"], feed["steps"]) == (window["text"], window["rows"], window["steps"])
    assert tokens_of(feed, 2) == tokens_of(window, 2)


def test_a_cut_word_is_added_as_a_whole() -> None:
    text = "abc" * LONG
    feed = training_feed(bpe.train(text, merges=3), text, size=LONG, further=len(text))
    assert (feed["whole"], feed["further"], feed["rows"]) == (True, 1, False)
    assert unpacked(feed["order"]) == [1]


def test_words_come_in_the_trainers_order() -> None:
    text = "low high high"
    assert training_feed(bpe.train(text, merges=2), text)["order"] == ""
    by_frequency = bpe.train(text, word_order="frequency", merges=2)
    assert unpacked(training_feed(by_frequency, text)["order"]) == [1, 0]
    assert unpacked(training_feed(bpe.train(text, merges=2), "new low high")["order"]) == [1, 2]


def test_pairs_that_may_not_merge_are_barred() -> None:
    text = "low1 low2"
    assert unpacked(training_feed(bpe.train(text, merges=3), text)["barred"]) == []
    trace = bpe.train(text, merges=3, variant="char-metaspace", pieces="sentencepiece")
    barred = unpacked(training_feed(trace, text)["barred"])
    vocabulary = trace.vocabulary(3)
    pairs = {
        (vocabulary[left], vocabulary[right]) for left, right in zip(barred[::2], barred[1::2], strict=True)
    }
    every = {pair for step in range(4) for pair in trace.pair_counts(step)}
    assert pairs == {pair for pair in every if not trace.request.may_merge(*pair)} >= {(b"w", b"1")}


def test_counted_words_have_no_position_in_a_text() -> None:
    counted = {"low": 2, "lower": 1}
    text = training_feed(bpe.train(counted, merges=1), counted)["text"]
    assert (text["start"], text["end"], text["total"]) == (0, 0, 0)


def test_a_replay_follows_no_rule_until_it_learns() -> None:
    tokenizer = bpe.train("low low lower", merges=2).tokenizer()
    assert training_feed(bpe.replay("lower", tokenizer), "lower")["rule"] == ""
    learned = bpe.continue_training("lower lower", tokenizer, merges=1)
    assert training_feed(learned, "lower lower")["rule"] == learned.tie_break.title
