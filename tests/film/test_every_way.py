"""The drawing data of every way to break the ties."""

import json
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

import bpe
from bpe import BPEError
from bpe.analysis.tie_graph import tie_graph, tie_graph_of
from film.every_way import _MOST_NODES, _MOST_ROWS, every_way, every_way_of, rows_of
from film.feed import ChipLabel, EveryWay
from film.page import way_of
from tests import ROOT

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
LONG = (ROOT / "sample_corpora/ties.txt").read_text("utf-8")  # its ways do not all meet again


def picture(
    text: Mapping[str, int] | str, rules: tuple[str, ...] = ("first", "last"), **settings: Any
) -> EveryWay:
    lanes = {rule: bpe.train(text, tie_break=rule, **settings) for rule in rules}
    return every_way(tie_graph(text, **settings), lanes)


def spelled(way: EveryWay, numbers: list[int]) -> list[str]:
    return [without_tabs(way["tokens"][number]) for number in numbers]


def without_tabs(label: ChipLabel) -> str:
    return str(label).replace("\ufffe", "").replace("\uffff", "")


def test_a_node_shows_what_is_new_since_all_ways_last_met() -> None:
    way = picture(WORDS, merges=12)
    columns: dict[int, set[str]] = {}
    for node in way["nodes"]:
        columns.setdefault(node["merges"], set()).add(" ".join(spelled(way, node["tokens"])))
    assert columns[1] == {"es", "st", "t</w>"}
    assert columns[2] == {"es t</w>", "est", "st</w>"}
    assert columns[3] == {"est</w>"}
    assert columns[12] == {"widest</w>"}


def test_the_end_of_a_word_is_a_tab_and_no_letters() -> None:
    way = picture(WORDS, merges=12)
    (label,) = (label for label in way["tokens"] if without_tabs(label) == "est</w>")
    assert label == "est\ufffe</w>\uffff"


def test_a_line_goes_along_the_merges_of_its_training() -> None:
    way = picture(WORDS, merges=12)
    for line in way["lines"]:
        trace = bpe.train(WORDS, tie_break=line["title"], merges=12)
        made = [spelled(way, way["strands"][number]["tokens"])[0] for number in line["strands"]]
        merged = [(left + right).replace(b"\xff", b"</w>").decode() for left, right in trace.merges]
        assert sorted(made) == sorted(merged)
        ends = [way["strands"][number]["target"] for number in line["strands"]]
        starts = [way["strands"][number]["source"] for number in line["strands"]]
        assert starts == [0, *ends[:-1]]


def test_a_node_tells_the_words_that_hold_its_new_tokens() -> None:
    way = picture(WORDS, merges=12)
    (node,) = (node for node in way["nodes"] if node["merges"] == 3)
    assert [spelled(way, word) for word in node["words"]] == [
        ["n", "e", "w", "est</w>"],
        ["w", "i", "d", "est</w>"],
    ]


def test_pairs_in_any_order_are_one_lens() -> None:
    way = picture({"ab": 3, "cd": 3, "ef": 3}, merges=3, variant="bytes")
    (strand,) = way["strands"]
    assert (strand["kind"], strand["merges"], len(strand["tokens"])) == ("lens", 3, 3)


def test_merges_that_all_ways_share_are_one_run_in_a_long_picture() -> None:
    words = {f"{one}{other}": 100 - at for at, (one, other) in enumerate(product("abcdef", "klmnop"))}
    way = picture(words, merges=36, variant="bytes")
    (strand,) = way["strands"]
    assert (strand["kind"], strand["merges"]) == ("run", 36)


def test_a_long_run_has_chips_from_its_beginning_to_its_end() -> None:
    words = {f"{one}{other}": 200 - at for at, (one, other) in enumerate(product("abcdefghij", repeat=2))}
    way = picture(words, merges=80, variant="bytes")
    (strand,) = way["strands"]
    shown = spelled(way, strand["tokens"])
    made = list(words)[:80]
    assert shown == made[::2]
    assert strand["more"] == 40


def test_a_picture_that_ends_before_its_training_goes_on() -> None:
    # 27 of 29 pairs in any order: counted, but not drawn
    text = "the quick brown fox jumps over the lazy dog"
    way = picture(text, merges=30)
    assert way["until"] == 3
    assert (way["nodes"][-1]["open"], way["strands"][-1]["kind"]) == (True, "fray")


@pytest.mark.slow
def test_the_picture_of_a_text_with_many_ways_is_bounded() -> None:
    way = picture(LONG, merges=200)
    columns = [node["merges"] for node in way["nodes"]]
    assert len(way["nodes"]) <= _MOST_NODES + 2
    assert max(map(columns.count, columns)) <= _MOST_ROWS
    assert len(json.dumps(way)) < 200_000
    assert way["nodes"][-1]["open"]


@pytest.mark.slow
def test_every_strand_goes_to_the_right() -> None:
    for way in (picture(WORDS, merges=12), picture(HUGS, merges=9), picture(LONG, merges=200)):
        for strand in way["strands"]:
            assert way["nodes"][strand["source"]]["merges"] < way["nodes"][strand["target"]]["merges"]


def test_a_film_of_lanes_has_a_line_for_each_that_shares_the_ways_of_the_first() -> None:
    traces = {rule: bpe.train(WORDS, tie_break=rule, merges=12) for rule in ("first", "pair-max")}
    way = every_way_of({**traces, "other words": bpe.train(WORDS, variant="bytes", merges=12)})
    assert way is not None
    assert [line["title"] for line in way["lines"]] == ["first", "pair-max"]
    assert way["sentence"].startswith("432 ways")


def test_the_sentence_says_where_the_paths_part_in_the_picture_if_other_orders_part_earlier() -> None:
    way = picture({"cab": 3, "caa": 3, "aba": 3, "xy": 3}, merges=4)
    columns = [node["merges"] for node in way["nodes"]]
    last_alone = next(merges for merges in columns if columns.count(merges + 1) > 1)
    assert way["sentence"].startswith("From merge 1 on, the paths never all meet again: ")
    assert way["note"].endswith(" vocabularies.")
    assert way["more"].startswith(f"In the picture, the paths part after merge {last_alone}: ")
    assert not picture(HUGS, merges=6)["more"]  # its paths part as the sentence says


def test_the_headline_is_a_finding_and_the_reason_for_an_unfinished_list_is_behind_the_line_below_it() -> (
    None
):
    way = every_way(tie_graph(HUGS, most_splits=2), {"": bpe.train(HUGS, merges=6)})
    assert (
        way["sentence"]
        == "2 different splits are possible once every pair that occurs 10 times or more is merged."
    )
    assert (way["note"], way["more"]) == (
        "We stopped listing after 6 merges.",
        "After that, there are more than 2 splits.",
    )


def test_the_ways_of_a_trace_are_those_of_its_text() -> None:
    trace = bpe.train("low lower lowest slow", tie_break="last", merges=9)
    assert tie_graph_of(trace).splits == tie_graph("low lower lowest slow", merges=9).splits


ROWS = {
    "the paper": (WORDS, 3),
    "banana": ("banana", 11),
    "one way": ("a a a", 1),
    "a knot": ("strawberry", 3),
    "too many": (HUGS, 0),
}


@pytest.mark.parametrize(("text", "rows"), ROWS.values(), ids=ROWS)
def test_the_rows_of_a_picture_are_known_if_it_shows_every_way(
    text: Mapping[str, int] | str, rows: int
) -> None:
    trace = bpe.train(text)
    whole, most_splits = every_way_of({"first": trace}), 2 if rows == 0 else 300
    few = every_way_of({"first": trace}, most_splits)
    assert whole is not None
    assert few is not None
    assert rows_of(few) == rows
    if rows:
        assert few == whole


def test_replays_have_no_ways_and_the_first_training_beside_one_gives_the_picture() -> None:
    trace = bpe.train("low lower", merges=2)
    replayed = bpe.replay("low lower", trace.tokenizer())
    assert every_way_of({"replay": replayed}) is None
    way = every_way_of({"replay": replayed, "first": trace})
    assert way is not None
    assert [line["title"] for line in way["lines"]] == ["first"]


def test_a_film_of_two_stages_has_no_picture() -> None:
    stages = {"first": bpe.train("low lower low", merges=3, second_pattern="lines", second_after=1)}
    with pytest.raises(BPEError, match="one stage only"):
        every_way_of(stages)
    assert way_of(stages) is None
