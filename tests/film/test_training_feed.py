"""The grid's feed: what the browser can read off it is what the core says, at every step."""

import json
import random
from array import array
from base64 import b64decode
from typing import Any

import pytest

import bpe
from film.packing import packed
from film.training_feed import training_feed
from film.windows import cut_window
from tests import ROOT
from tests.texts import SENTENCES, TOYS

VARIANTS = [slug for slug in bpe.VARIANTS if slug != "custom"]
NEVER = 1 << 40
GOLDEN = ROOT / "tests/golden/texts.json"


def unpacked(numbers: str) -> list[int]:
    size, _, content = numbers.partition(":")
    return list(array({"1": "B", "2": "H", "4": "I"}[size], b64decode(content)))


def tokens_of(feed: dict[str, Any], k: int) -> list[list[bytes]]:
    """The words of the window as tokens after k merges, read as the browser reads them."""
    symbols = [bytes.fromhex(spelled) for spelled in feed["symbols"]["hex"].split(" ")]
    spelled, closes = unpacked(feed["words"]["symbols"]), unpacked(feed["words"]["closes"])
    words: list[list[bytes]] = []
    start = 0
    for length in unpacked(feed["words"]["lengths"]):
        tokens = [symbols[spelled[start]]]
        for place in range(start + 1, start + length):
            closed = (closes[place - 1] or NEVER) <= k
            if closed:
                tokens[-1] += symbols[spelled[place]]
            else:
                tokens.append(symbols[spelled[place]])
        words.append(tokens)
        start += length
    return [words[number] for number in unpacked(feed["text"]["words"])] or words


@pytest.mark.parametrize("slug", VARIANTS)
@pytest.mark.parametrize("text", [*TOYS.values(), SENTENCES[:600]], ids=[*TOYS, "sentences"])
def test_words_of_the_window_are_the_cores_at_every_step(slug: str, text: str) -> None:
    trace = bpe.train(text, variant=slug, merges=60)
    feed = training_feed(trace, text)
    for k in {0, 1, len(trace.steps) // 2, len(trace.steps)}:
        drawn = [token for word in tokens_of(feed, min(k, len(trace.steps))) for token in word]
        assert drawn == trace.segment(text, min(k, len(trace.steps)))


@pytest.mark.parametrize("unit", ["characters", "bytes"])
def test_words_of_a_pattern_are_the_cores(unit: str) -> None:
    text = SENTENCES[:600]
    trace = bpe.train(text, variant="custom", pattern=r" ?\p{L}+", unit=unit, merges=60)
    feed = training_feed(trace, text)
    for k in (0, 1, 30, 60):
        assert [token for word in tokens_of(feed, k) for token in word] == trace.segment(text, k)


@pytest.mark.parametrize("start", [0, 1, 7, 333, 900])
def test_a_raw_stream_is_cut_at_any_place(start: int) -> None:
    text = SENTENCES
    trace = bpe.train(text, variant="bytes", merges=200)
    feed = training_feed(trace, text, start=start, size=100)
    window = text[start : start + 100]
    before = len(text[:start].encode())
    boundaries = trace.boundaries(text)[before : before + len(window.encode()) - 1]
    assert [number - 1 for number in unpacked(feed["words"]["closes"])[:-1]] == boundaries
    assert b"".join(tokens_of(feed, 50)[0]).decode() == window
    assert (feed["text"]["start"], feed["text"]["end"], feed["text"]["total"]) == (
        start,
        start + len(window),
        len(text),
    )


@pytest.mark.parametrize("slug", VARIANTS)
def test_windows_side_by_side_hold_every_pre_token_once(slug: str) -> None:
    split = bpe.VARIANTS[slug].split
    text = SENTENCES.replace("\n", "\n\n")
    found: list[str] = []
    start = 0
    while True:
        window = cut_window([text], split, start, 150)
        found += [piece.pre_token[piece.start : piece.end] for piece in window.pieces]
        if window.end >= window.total:
            break
        start = window.end
    assert "".join(found) == "".join(split(text))


def test_a_document_begins_a_line_and_so_does_a_line() -> None:
    window = cut_window(["a b\nc", "d"], str.split)
    assert [(piece.pre_token, piece.breaks) for piece in window.pieces] == [
        ("a", False),
        ("b", False),
        ("c", True),
        ("d", True),
    ]


def test_a_word_list_is_fed_without_running_text() -> None:
    words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    feed = training_feed(bpe.train(words, merges=4), words)
    assert unpacked(feed["words"]["frequencies"]) == [5, 2, 6, 3]
    assert unpacked(feed["text"]["words"]) == []


def test_words_never_seen_in_training_are_cut_by_its_merges() -> None:
    trace = bpe.train("low low lower", merges=5)
    drawn = tokens_of(training_feed(trace, "lowest ☃"), 5)
    assert [token for word in drawn for token in word] == trace.segment("lowest ☃", 5)


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
    assert unpacked(ties["sizes"])[0] == 3
    assert unpacked(ties["ids"])[:6] == [
        trace.id_of(symbol) for pair in trace.tied_pairs(0) for symbol in pair
    ]


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


@pytest.mark.parametrize("slug", VARIANTS)
def test_letters_before_a_window_are_counted_alike_in_every_variant(slug: str) -> None:
    """White space, markers and where the variant cuts do not matter: only then can its lanes be compared."""
    text = "low  été\u3000lower\n" * 20
    split = bpe.VARIANTS[slug].split
    for start in (0, 3, 31, 100):
        window = cut_window([text[:90], text[90:]], split, start, 60)
        before = "".join(text.split()).encode()[: window.letters].decode()
        pieces = [piece.pre_token[piece.start : piece.end] for piece in window.pieces]
        letters = "".join("".join(pieces).split())
        assert "".join(text.split()).startswith(before + letters)
