"""The study of ties: its page is what its measurements say, and a fresh run measures the same."""

import json
from dataclasses import asdict
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

import bpe
from benchmarks.luck import LANES, alarms
from benchmarks.ties import (
    FOLDER,
    JSON,
    LEAST_BYTES,
    LUCK_JSON,
    PAGE,
    Corpus,
    Plan,
    Results,
    Row,
    as_json,
    cut,
    figures,
    from_json,
    measure,
    page,
    rules,
    samples,
    sizes,
    split,
    ways_row,
)
from bpe.comparison.random_draws import enough_draws
from tests import ROOT

DOCS = ROOT / "docs"
RESULTS = from_json((DOCS / FOLDER / JSON).read_text("utf-8"))
LUCK = json.loads((DOCS / FOLDER / LUCK_JSON).read_text("utf-8"))
FRESH = "A Python program"  # measured again by the tests
LISTED = "Numbers and dates"  # every way of it is listed again


def test_the_page_and_its_figures_are_written_from_the_results() -> None:
    assert (DOCS / PAGE).read_text("utf-8") == page(RESULTS, LUCK, FOLDER)
    drawn = figures(RESULTS)
    assert {name: (DOCS / FOLDER / name).read_text("utf-8") for name in drawn} == drawn
    for figure in drawn.values():
        assert ElementTree.fromstring(figure).tag.endswith("svg")


def test_random_lanes_are_called_different_in_at_most_2_of_100_comparisons() -> None:
    assert {row["lanes"] for row in LUCK} == set(LANES)
    assert max(row["alarms"] for row in LUCK) <= 0.02
    random = np.random.default_rng(1)
    of_words, of_tokens = random.random((400, 60)) < 0.3, random.normal(1_000, 20, 400)  # 400 made-up draws
    words = (of_words[:, None] != of_words[None]).mean(axis=2)
    tokens = np.abs(of_tokens[:, None] - of_tokens[None]) / np.minimum(of_tokens[:, None], of_tokens[None])
    for lanes in (2, 4):
        assert np.mean(list(alarms((words, tokens), lanes, enough_draws(lanes), random, 1_500))) <= 0.02
        assert np.mean(list(alarms((words, tokens), lanes, 10, random, 300))) > 0.04  # the former rule


def test_the_results_survive_being_written_and_read() -> None:
    assert as_json(RESULTS) == (DOCS / FOLDER / JSON).read_text("utf-8")


@pytest.fixture(scope="module")
def fresh() -> Results:
    """Measure one corpus again, with the plan of the published results."""
    corpus = next(corpus for corpus in samples() if corpus.title == FRESH)
    return Results(RESULTS.plan, RESULTS.versions, measure([corpus], RESULTS.plan, with_ways=False))


def test_a_fresh_run_measures_what_is_published(fresh: Results) -> None:
    published = {
        table: [row for row in rows if row["corpus"] == FRESH]
        for table, rows in asdict(RESULTS.measurements).items()
    }
    assert all(published.values())
    assert asdict(fresh.measurements) == published | {"ways": []}


def test_every_way_is_listed_as_published() -> None:
    corpus = next(corpus for corpus in samples() if corpus.title == LISTED)
    parts = split(corpus.text, RESULTS.plan.held_out, RESULTS.plan.seed)
    (numbers,) = sizes(parts, LEAST_BYTES)
    row = ways_row(parts.documents(numbers), RESULTS.plan)
    (published,) = (row for row in RESULTS.measurements.ways if row["corpus"] == LISTED)
    assert published == {"corpus": LISTED, "bytes": published["bytes"]} | row
    (training,) = (row for row in RESULTS.measurements.trainings if row["corpus"] == LISTED)
    assert (row["listed_merges"], row["listed_choices"]) == (training["merges"], training["choice"])
    assert 0 < row["first_choice"] <= row["first_fork"]
    assert 0 < row["forks"] <= row["listed_choices"]


def test_the_figures_are_those_of_plain_trainings(fresh: Results) -> None:
    """Train again, without the study, and compare two rules token by token and word by word."""
    plan = RESULTS.plan
    corpus = next(corpus for corpus in samples() if corpus.title == FRESH)
    parts = split(corpus.text, plan.held_out, plan.seed)
    documents = parts.documents(parts.training)
    size = sum(len(text.encode()) for text in documents)
    rows = {
        (row["rule"], row["seed"]): row
        for row in fresh.measurements.rules
        if row["bytes"] == size and row["merges"] == 100
    }
    assert list(rows) == rules(plan.draws)
    first, other = (bpe.train(documents, plan.variant, rule, merges=100) for rule, _ in rules(plan.draws)[:2])
    result = [{left + right for left, right in trace.merges} for trace in (first, other)]
    row: Row = rows[rules(plan.draws)[1]]
    assert row["shared"] == len(result[0] & result[1])
    held_out = parts.documents(parts.held_out)
    pre_tokens = [word for text in held_out for word in first.variant.split(text)]
    words = [word for word in pre_tokens if any(letter.isalnum() for letter in word)]
    assert len(words) == fresh.measurements.corpora[0]["held_out_occurrences"] < len(pre_tokens)
    tokenizers = [trace.tokenizer() for trace in (first, other)]
    tokens = [[tokenizer.word_tokens(word) for word in words] for tokenizer in tokenizers]
    assert row["occurrences_differ"] == sum(one != two for one, two in zip(*tokens, strict=True)) > 0
    assert row["tokens"] == sum(len(tokenizers[1].word_tokens(word)) for word in pre_tokens)
    ties = next(row for row in fresh.measurements.cuts if row["bytes"] == size and row["merges"] == 100)
    assert ties["tied"] == sum(step.tied > 1 for step in first.steps)


TEXTS = {
    "lines": "one line of text, and another one\n" * 40,
    "no spaces": "acgt" * 300,
    "spaces": "low lower lowest " * 100,
    "short": "low",
    "empty": "",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_pieces_are_the_text_and_held_out_pieces_are_in_no_training(text: str) -> None:
    parts = split(text, 0.2, seed=1)
    assert "".join(parts.pieces) == text
    assert sorted(parts.held_out + parts.training) == list(range(len(parts.pieces)))
    assert len(parts.held_out) == round(0.2 * len(parts.pieces))
    nested = sizes(parts, least=100)
    for smaller, larger in pairwise(nested):
        assert set(smaller) < set(larger)
    assert not nested or nested[-1] == parts.training
    assert len("".join(parts.documents(parts.training)) + "".join(parts.documents(parts.held_out))) == len(
        text
    )


def test_a_piece_ends_after_a_line_or_before_a_space() -> None:
    assert all(piece.endswith("\n") for piece in cut(TEXTS["lines"])[:-1])
    assert all(piece.startswith(" ") for piece in cut(TEXTS["spaces"])[1:])


def test_a_text_without_enough_text_or_merges_is_left_out() -> None:
    texts = [Corpus("short", "low lower"), Corpus("nothing twice", "".join(map(chr, range(0x4E00, 0x5200))))]
    measured = measure(texts, Plan(draws=1))
    assert len(texts[1].text.encode()) > LEAST_BYTES
    assert [row["corpus"] for row in measured.corpora] == ["short", "nothing twice"]
    assert {row["corpus"] for row in measured.trainings} <= {"nothing twice"}
