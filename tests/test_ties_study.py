"""The study of ties: a fresh run measures what docs/ties holds."""

import json
from itertools import pairwise

import numpy as np
import pytest

import bpe
from benchmarks.luck import LANES, alarms
from benchmarks.ties import (
    HELD_OUT,
    LEAST_BYTES,
    SEED,
    TABLES,
    VARIANT,
    Corpus,
    Results,
    Row,
    as_json,
    cut,
    measure,
    rules,
    samples,
    sizes,
    split,
    ways_row,
)
from tests import ROOT

DOCS = ROOT / "docs" / "ties"
RESULTS = Results(**json.loads((DOCS / "results.json").read_text("utf-8")))
LUCK = json.loads((DOCS / "luck.json").read_text("utf-8"))
FRESH = "A Python program"  # measured again by the tests
LISTED = "Numbers and dates"  # every way of it is listed again


def test_random_lanes_are_called_different_in_at_most_2_of_100_comparisons() -> None:
    assert {row["lanes"] for row in LUCK} == set(LANES)
    assert max(row["alarms"] for row in LUCK) <= 0.02
    random = np.random.default_rng(1)
    splits, counts = (random.random((400, 60)) < 0.3).astype(int), np.ones(60, int)  # 400 made-up draws
    for lanes in (2, 4):
        assert np.mean(list(alarms(splits, counts, lanes, random, 300))) <= 0.02


def test_the_results_survive_being_written_and_read() -> None:
    assert as_json(RESULTS) == (DOCS / "results.json").read_text("utf-8")


def test_the_page_has_the_figures_of_the_results() -> None:
    lines = (DOCS.parent / "ties.md").read_text("utf-8").split("\n")
    for row in RESULTS.trainings:
        begin = f"| {row['corpus']} | {row['bytes']:,} |"
        end = f"| {row['tied'] / row['merges']:.1%} of {row['merges']:,} |"
        assert any(line.startswith(begin) and line.endswith(end) for line in lines), begin
    for row in RESULTS.corpora:
        assert f"| {row['corpus']} | {row['bytes']:,} | {row['held_out']:,} |" in "\n".join(lines)


GENOME = "A made-up genome"


def test_the_first_paragraphs_say_what_the_tables_hold() -> None:
    rows = RESULTS.trainings
    largest = list({row["corpus"]: row for row in rows}.values())  # each corpus's sizes ascend

    def range_of(rows: list[Row], part: str, whole: str) -> str:
        shares = [row[part] / row[whole] for row in rows]
        return f"{min(shares):.1%} to {max(shares):.1%}"

    def differing(least: int, most: int, *, of_genome: bool) -> str:
        held_out = {row["corpus"]: row["held_out"] for row in RESULTS.corpora}
        last = {(row["corpus"], row["bytes"]): row for row in RESULTS.cuts}  # after all merges
        shares = [
            number / held_out[corpus]
            for (corpus, size), row in last.items()
            if least <= size <= most and (corpus == GENOME) == of_genome
            for number in row["differ"]
        ]
        return f"{min(shares):.1%} to {max(shares):.1%}"

    def tied(least: int, most: int | None) -> str:
        of = [
            row
            for row in RESULTS.counts
            if row["least"] >= least and (not most or (row["most"] or most + 1) <= most)
        ]
        return f"{sum(row['tied'] for row in of) / sum(row['merges'] for row in of):.1%}"

    page = (DOCS.parent / "ties.md").read_text("utf-8")
    for words in (
        f"At {range_of(rows, 'tied', 'merges')} of the merges of a training, several pairs share",
        f"In {range_of(rows, 'order only', 'tied')} of these ties, the merge takes nothing",
        f"it splits {differing(0, 12_000, of_genome=False)} of the held-out words differently with at most 12 kB",
        f"and {differing(494_000, 10**6, of_genome=False)} with 494 kB or more.",
        f"another rule splits {differing(0, 10**6, of_genome=True)} of its held-out pieces differently.",
        f"are done, {range_of(rows, 'tied', 'merges')} of the merges are tied, depending on the corpus and its size. "
        f"At the largest size of each corpus, it is {range_of(largest, 'tied', 'merges')}.",
        f"At the largest sizes, {tied(0, 16)} of the merges whose pair occurs at most 16 times are tied. "
        f"Of those whose pair occurs at least 513 times, {tied(513, None)} are tied.",
        f"{range_of(rows, 'choice', 'tied')} of the ties are real choices: the merged pair shares a token with another "
        f"tied pair. At the largest size of each corpus, it is {range_of(largest, 'choice', 'tied')}.",
    ):
        assert words in page


def published(table: str, corpus: str) -> list[Row]:
    """Return the published rows of a corpus."""
    return [row for row in getattr(RESULTS, table) if row["corpus"] == corpus]


@pytest.fixture(scope="module")
def fresh() -> Results:
    """Measure one corpus again."""
    corpus = next(corpus for corpus in samples() if corpus.title == FRESH)
    return measure([corpus], with_ways=False)


def test_a_fresh_run_measures_what_is_published(fresh: Results) -> None:
    for table in set(TABLES) - {"rules"}:  # of the largest text
        rows = getattr(fresh, table)
        names = rows[0].keys()
        assert rows == [{name: row[name] for name in names} for row in published(table, FRESH)]


def test_every_way_is_listed_as_published() -> None:
    corpus = next(corpus for corpus in samples() if corpus.title == LISTED)
    parts = split(corpus.text, HELD_OUT, SEED)
    (numbers,) = sizes(parts, LEAST_BYTES)
    row = ways_row(parts.documents(numbers))
    (training,) = published("trainings", LISTED)
    assert training | row == training
    assert (row["listed_merges"], row["listed_choices"]) == (training["merges"], training["choice"])
    assert 0 < row["first_choice"] <= row["first_fork"]
    assert 0 < row["forks"] <= row["listed_choices"]


def test_the_figures_are_those_of_plain_trainings(fresh: Results) -> None:
    """Train again, without the study, and compare two rules token by token and word by word."""
    corpus = next(corpus for corpus in samples() if corpus.title == FRESH)
    parts = split(corpus.text, HELD_OUT, SEED)
    documents = parts.documents(parts.training)
    merges = fresh.rules[0]["merges"]
    assert [(row["rule"], row["seed"]) for row in fresh.rules] == rules()
    first, other = (bpe.train(documents, VARIANT, rule, merges=merges) for rule, _ in rules()[:2])
    result = [{left + right for left, right in trace.merges} for trace in (first, other)]
    row = fresh.rules[1]
    assert row["shared"] == len(result[0] & result[1])
    held_out = parts.documents(parts.held_out)
    pre_tokens = [word for text in held_out for word in first.variant.split(text)]
    words = [word for word in pre_tokens if any(letter.isalnum() for letter in word)]
    assert len(words) == fresh.corpora[0]["held_out"] < len(pre_tokens)
    tokenizers = [trace.tokenizer() for trace in (first, other)]
    tokens = [[tokenizer.word_tokens(word) for word in words] for tokenizer in tokenizers]
    assert row["differ"] == sum(one != two for one, two in zip(*tokens, strict=True)) > 0
    assert row["tokens"] == sum(len(tokenizers[1].word_tokens(word)) for word in pre_tokens)
    cut = fresh.cuts[-1]
    assert cut["tied"] == sum(step.tied > 1 for step in first.steps)
    for name in ("shared", "differ", "tokens"):
        others = [row[name] for row in fresh.rules[1:]]
        assert cut[name] == [min(others), max(others)]
    assert cut["first"] == fresh.rules[0]["tokens"]


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
    measured = measure(texts)
    assert len(texts[1].text.encode()) > LEAST_BYTES
    assert [row["corpus"] for row in measured.corpora] == ["short", "nothing twice"]
    assert {row["corpus"] for row in measured.trainings} <= {"nothing twice"}
