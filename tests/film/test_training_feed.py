"""The grid's feed: read as in the browser, it gives the core's segmentation at every step."""

import json
import re
from typing import Any, get_args, get_type_hints, is_typeddict

import pytest

import bpe
from bpe.analysis.ties import later_terms
from bpe.text.display import ENDINGS
from bpe.text.superwords import first_lengths
from bpe.text.variants import Unit
from film import feed
from film.contracts import BROWSER, CONTRACTS, _in_jsdoc, javascript
from film.feed import FIRST_NUMBER
from film.pair_rows import CountedPair, counted_pairs, pair_table
from film.training_feed import MOST_COUNTED, MOST_TIES, ShownText, _can_be_counted, training_feed
from film.windows import LONG, WINDOW
from tests import ROOT
from tests.film.readers import tokens_of, unpacked
from tests.film.readers import unpacked as numbers
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


@pytest.mark.parametrize(
    ("settings", "spent"),
    [({"merges": 99}, True), ({"merges": 2}, False), ({"min_count": 2}, True), ({"vocab_size": 6}, False)],
    ids=str,
)
def test_a_feed_says_whether_pairs_ran_out(settings: dict[str, int], spent: bool) -> None:
    trace = bpe.train("low low lower", **settings)  # type: ignore[arg-type]  # each takes its own number
    assert training_feed(trace, "low low lower")["spent"] is spent


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


def test_a_feed_with_every_word_leaves_the_ties_to_the_browser() -> None:
    trace = bpe.train("low lower lowest", merges=3)
    feeds = [training_feed(trace, text) for text in ("low lower lowest", "low")]
    assert [(feed["whole"], feed["ties"] is None) for feed in feeds] == [(True, True), (False, False)]


@pytest.mark.parametrize(("number", "steps"), [(MOST_TIES, 1), (MOST_TIES + 1, 0)])
def test_as_many_tied_pairs_come_as_a_feed_may_hold(number: int, steps: int) -> None:
    words = {f"{chr(0x4E00 + rank)}b": 1 for rank in range(number)}
    ties = training_feed(bpe.train(words, "char-eow-attached", merges=1), "")["ties"]
    assert ties
    assert (ties["steps"], len(unpacked(ties["ids"]))) == (steps, 2 * number * steps)


def test_a_film_of_a_part_of_the_text_says_which_term_decided_every_tie() -> None:
    trace = bpe.train(SENTENCES, tie_break="pair-max", merges=60)
    feed = training_feed(trace, SENTENCES, size=100, reasons=True)
    decided = later_terms(trace, 10**6).decided
    assert feed["later"]["until"] == 60
    assert unpacked(feed["later"]["steps"]) == list(decided)
    assert unpacked(feed["later"]["terms"]) == [term for term, _ in decided.values()]
    assert unpacked(feed["later"]["compared"]) == [compared for _, compared in decided.values()]
    assert decided
    # A whole text is counted in the browser.
    assert "later" not in training_feed(trace, SENTENCES, reasons=True)


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
def test_the_browser_counts_pairs_only_where_it_has_all_words(
    text: ShownText, size: int, whole: bool
) -> None:
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


# The two halves of each contract agree: what Python writes into a page, and the types that JavaScript reads.

TYPEDEF = re.compile(
    r"/\*\*(?:(?!\*/).)*?@typedef \{(?P<type>.+?)\} (?P<name>\w+)(?P<rest>.*?)\*/", re.DOTALL
)
PROPERTY = re.compile(r"@property \{(.+)\} (\[?)(\w+)")
Keys = dict[str, tuple[str, bool]]  # name -> (type in JSDoc, whether it is required)


def typedefs(script: str) -> dict[str, tuple[str, Keys]]:
    """Return name -> (its type, its own properties) of every typedef of a script."""
    return {
        actual["name"]: (
            actual["type"],
            {name: (kind, not optional) for kind, optional, name in PROPERTY.findall(actual["rest"])},
        )
        for actual in TYPEDEF.finditer(script)
    }


def keys_of(kind: Any) -> Keys:
    hints = get_type_hints(kind, include_extras=True)
    aliases = {
        "Column": feed.Column,
        "ChipLabel": feed.ChipLabel,
        "CodeBeat": feed.CodeBeat,
        "StrandKind": feed.StrandKind,
    }
    return {key: (_in_jsdoc(hint, aliases), key in kind.__required_keys__) for key, hint in hints.items()}


@pytest.mark.parametrize("path", CONTRACTS)
def test_the_browser_has_the_types_that_python_writes(path: str) -> None:
    """If not, run `python -m film`."""
    assert javascript(path) == (BROWSER / path).read_text("utf-8")


@pytest.mark.parametrize(
    ("path", "others"),
    [
        ("shared/feed_types.js", {"Packed", "Column", "Hex", "Feed", "ChipLabel", "CodeBeat", "StrandKind"}),
        ("trainer/live_types.js", set[str]()),
    ],
)
def test_every_shape_and_each_of_its_keys_is_written(path: str, others: set[str]) -> None:
    shapes = {
        kind.__name__: kind
        for module in CONTRACTS[path]
        for kind in vars(module).values()
        if is_typeddict(kind)
    }
    written = typedefs(javascript(path))
    assert set(written) == {*shapes, *others}
    for name, kind in shapes.items():
        assert written[name] == ("object", keys_of(kind))
    assert not others or written["Feed"][0] == "TrainingFeed | EncodingFeed"


# The second stage in a feed: where it begins, where words of the first end, and windows that cut its long
# words.

LONG_LINE = " ".join(SENTENCES.split()) * 3  # one line, longer than a word that a window holds whole


@pytest.mark.parametrize(
    "variant", ["char-eow", "char-eow-attached", "char-metaspace", "bytes-gpt2", "bytes-whitespace"]
)
@pytest.mark.parametrize("start", [0, 57, 301])
def test_a_window_into_a_long_line_holds_its_symbols_and_steps(variant: str, start: int) -> None:
    trace = bpe.train(LONG_LINE, variant, merges=60, second_pattern="lines", second_after=40)
    whole = training_feed(trace, LONG_LINE, size=len(LONG_LINE))
    feed = training_feed(trace, LONG_LINE, start=start, size=200)
    assert (feed["stage"]["after"], feed["stage"]["superwords"]) == (40, True)
    (length,) = numbers(feed["words"]["lengths"])
    (all_symbols,) = numbers(whole["words"]["lengths"])
    closes, ends = numbers(feed["words"]["closes"]), numbers(feed["stage"]["ends"])
    assert len(closes) == len(ends) == length < all_symbols
    every = numbers(whole["words"]["closes"])
    at = next(at for at in range(all_symbols) if every[at : at + length - 1] == closes[:-1])
    assert ends == numbers(whole["stage"]["ends"])[at : at + length]
    spelled = b"".join(trace.variant.spell(LONG_LINE)[at : at + length])
    decoded = trace.variant.decode([spelled])
    assert "".join(decoded.split()) == "".join(LONG_LINE[start : start + 200].split())


def test_the_words_of_the_first_stage_end_where_its_own_split_cuts() -> None:
    trace = bpe.train(SENTENCES, "char-eow", merges=30, second_pattern="lines", second_after=20)
    feed = training_feed(trace, SENTENCES)
    ends = numbers(feed["stage"]["ends"])
    starts = 0
    for pre_token, length in zip(trace.pre_tokens, numbers(feed["words"]["lengths"]), strict=True):
        lengths = first_lengths(trace.variant, pre_token)
        expected = [int(k + 1 in {sum(lengths[:n]) for n in range(1, len(lengths))}) for k in range(length)]
        assert ends[starts : starts + length] == expected
        starts += length
    assert feed["stage"]["tokens"] == trace.tokens_total(20)
    assert feed["whole"]


def test_where_the_looser_pattern_cuts_a_word_the_browser_does_not_count() -> None:
    text = "the way 1234 the way " * 3
    assert _can_be_counted(bpe.train(text, "bytes-gpt2", merges=9, second_pattern="lines", second_after=5))
    cut = bpe.train(text, "bytes-gpt2", merges=9, second_pattern=r"\p{N}", second_after=5)
    assert not _can_be_counted(cut)
    assert not training_feed(cut, text)["whole"]


def test_the_feed_names_the_pairs_with_too_many_words() -> None:
    text = "by the way of the sea, by the way of the sea\n" * 5
    trace = bpe.train(text, "bytes-gpt2", merges=40, second_pattern="lines", second_after=10, second_words=2)
    feed = training_feed(trace, text)
    ids = numbers(feed["barred"])
    last = len(trace.steps)
    tokens = trace.vocabulary(last)
    barred = {(tokens[left], tokens[right]) for left, right in zip(ids[::2], ids[1::2], strict=True)}
    occurring = {pair for k in range(last + 1) for pair in trace.pair_counts(k)}
    assert feed["whole"]
    assert barred == {(left, right) for left, right in occurring if len((left + right).split()) > 2} != set()


def test_where_the_first_stage_has_longer_tokens_than_the_second_the_browser_does_not_count() -> None:
    text = "by the way, by the way" * 3
    given: dict[str, Any] = {"pattern": "[^,]+|,", "merges": 9, "second_pattern": "lines", "second_after": 5}
    assert _can_be_counted(bpe.train(text, "custom", **given))
    assert not _can_be_counted(bpe.train(text, "custom", **given, second_words=1))


def test_the_feed_names_the_tokens_that_occur_more_or_less_often_in_longer_words() -> None:
    text = "the the a'the a'the other\n" * 4  # GPT-2 cuts a'the into a, 't and he
    first = bpe.train(text, "bytes-gpt2", merges=6)
    trace = bpe.train(text, "bytes-gpt2", merges=8, second_pattern="lines", second_after=6)
    stage = training_feed(trace, text)["stage"]
    before, now = first.token_counts(6), trace.token_counts(6)
    changed = {
        trace.id_of(symbol): now.get(symbol, 0)
        for symbol in {*before, *now}
        if before.get(symbol, 0) != now.get(symbol, 0)
    }
    assert dict(zip(numbers(stage["ids"]), numbers(stage["counts"]), strict=True)) == changed != {}


# The pair table: its rows, their order and their values.

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


def rows_of(trace: bpe.Trace, step: int, most: int = 1_000) -> list[CountedPair]:
    return counted_pairs(trace, step, most)[0]


@pytest.mark.parametrize("preset", bpe.PRESETS)
def test_rows_are_the_cores_pairs_in_the_order_of_the_table(preset: str) -> None:
    settings = {**bpe.PRESETS[preset].settings, "vocab_size": None, "merges": 12}
    trace = bpe.train(SENTENCES[:600], **settings)
    for step in range(len(trace.steps) + 1):
        counts, tied = trace.pair_counts(step), trace.tied_pairs(step)
        rows, total = counted_pairs(trace, step, most=10_000)
        assert {row.pair: row.count for row in rows} == counts
        assert total == len(counts)
        assert [row.rank for row in rows] == list(range(1, total + 1))
        chosen = trace.steps[step].pair if step < len(trace.steps) else None
        keys = [
            (
                row.pair != chosen,
                -row.count,
                tied.index(row.pair) if row.pair in tied else len(tied),
                [trace.id_of(symbol) for symbol in row.pair],
            )
            for row in rows
        ]
        assert keys == sorted(keys)
        assert {row.pair for row in rows if row.tied} == (set(tied) if len(tied) > 1 else set())
        assert [row.pair for row in rows if row.chosen] == [chosen] * (chosen is not None)


@pytest.mark.parametrize("step", range(6))
def test_fewer_rows_are_the_first_of_more(step: int) -> None:
    trace = bpe.train(SENTENCES[:600], merges=6)
    every = rows_of(trace, step, 10_000)
    for most in (1, 2, 7, 50):
        assert rows_of(trace, step, most) == every[:most]


def test_the_chosen_pair_comes_first_though_another_is_more_frequent() -> None:
    """SentencePiece merges no letter with a digit."""
    trace = bpe.train("xa1 ya1 za1", merges=1, variant="char-metaspace", pieces="sentencepiece")
    first, second = rows_of(trace, 0, 2)
    assert (first.pair, first.count, first.chosen) == (trace.steps[0].pair, 1, True)
    assert (second.pair, second.count, second.tied) == ((b"a", b"1"), 3, False)
    assert rows_of(trace, 0, 1) == [first]


def test_changes_are_those_of_the_last_merge() -> None:
    trace = bpe.train(WORDS, merges=2)
    changes = trace.counts_changed(1)
    for row in rows_of(trace, 1):
        assert row.change == changes.get(row.pair, 0)
        assert row.new == (b"es" in row.pair)
    assert not any(row.change or row.new for row in rows_of(trace, 0))


def test_after_the_last_merge_the_pairs_that_would_be_next_are_tied() -> None:
    trace = bpe.train(WORDS, merges=3)
    rows = rows_of(trace, 3)
    assert {row.pair for row in rows if row.tied} == set(trace.tied_pairs(3))
    assert not any(row.chosen for row in rows)


def test_one_pair_alone_at_the_highest_count_is_not_tied() -> None:
    assert [row.tied for row in rows_of(bpe.train("ab ab cd", merges=1, variant="bytes-whitespace"), 0)] == [
        False,
        False,
    ]


def test_shares_add_up_to_one() -> None:
    assert sum(row.share for row in rows_of(bpe.train(WORDS, merges=2), 1)) == pytest.approx(1)


def test_a_row_names_its_tokens_for_the_browser() -> None:
    trace = bpe.train("low low", merges=1)
    row = pair_table(trace, 0)["rows"][0]
    assert row["labels"] == ["l", "o", "lo"]
    assert row["ids"] == [trace.id_of(b"l"), trace.id_of(b"o"), trace.id_of(b"lo")]
    assert row["pair"] == ["6c", "6f"]
    assert all(row["ids"][2] >= FIRST_NUMBER for row in pair_table(trace, 0)["rows"][1:])


def test_the_table_says_how_many_pairs_there_are() -> None:
    trace = bpe.train(SENTENCES, merges=1)
    table = pair_table(trace, 1, most=3)
    assert (table["step"], len(table["rows"]), table["total"]) == (1, 3, len(trace.pair_counts(1)))
