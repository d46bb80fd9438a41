"""The pair table: its rows, their order and their values."""

import pytest

import bpe
from film.feed import FIRST_NUMBER
from film.pair_rows import CountedPair, counted_pairs, pair_row, pair_table
from tests.material.texts import SENTENCES

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
    row = pair_row(rows_of(trace, 0)[0], trace)
    assert row["labels"] == ["l", "o", "lo"]
    assert row["ids"] == [trace.id_of(b"l"), trace.id_of(b"o"), trace.id_of(b"lo")]
    assert row["pair"] == ["6c", "6f"]
    assert all(row["ids"][2] >= FIRST_NUMBER for row in pair_table(trace, 0)["rows"][1:])


def test_the_table_says_how_many_pairs_there_are() -> None:
    trace = bpe.train(SENTENCES, merges=1)
    table = pair_table(trace, 1, most=3)
    assert (table["step"], len(table["rows"]), table["total"]) == (1, 3, len(trace.pair_counts(1)))
