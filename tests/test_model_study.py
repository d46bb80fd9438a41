"""The models of the study of ties: what docs/ties.md says of them follows from docs/ties/models.json."""

import re
from itertools import permutations, product

import numpy as np
import pytest

from benchmarks.blocks import Runs, differences
from docs.model_study import (
    PICTURE,
    comparisons,
    picture,
    read_results,
    section,
    sentences,
    summary,
)
from tests import ROOT

RESULTS = read_results()
SMALL, LARGE = comparisons(RESULTS)
PAGE = (ROOT / "docs" / "ties.md").read_text("utf-8")


def naive_f(rows: list[list[float]]) -> float:
    """Return F from its definition, a sum at a time."""
    seeds, columns = len(rows), len(rows[0])
    mean = sum(map(sum, rows)) / (seeds * columns)
    of_seed = [sum(row) / columns for row in rows]
    of_column = [sum(row[number] for row in rows) / seeds for number in range(columns)]
    between = sum(seeds * (value - mean) ** 2 for value in of_column) / (columns - 1)
    left = sum(
        (rows[seed][number] - of_seed[seed] - of_column[number] + mean) ** 2
        for seed, number in product(range(seeds), range(columns))
    )
    return between / (left / ((seeds - 1) * (columns - 1)))


GROUPS = {
    "60 kB, ways": SMALL.ways,
    "60 kB, samples": SMALL.samples,
    "1 MB, ways": LARGE.ways,
    "1 MB, samples": LARGE.samples,
}


@pytest.mark.parametrize("name", GROUPS)
def test_f_is_that_of_its_definition(name: str) -> None:
    runs = GROUPS[name].runs
    found = GROUPS[name].differences
    assert found.f == pytest.approx(naive_f(runs.tolist()))
    assert found.range == pytest.approx((max(found.means) - min(found.means)) / (runs.sum() / runs.size))


@pytest.mark.parametrize("name", ["60 kB, samples", "1 MB, samples"])
def test_p_is_the_share_of_all_shuffles_with_an_f_as_large(name: str) -> None:
    rows = GROUPS[name].runs.tolist()
    orders = [list(order) for order in permutations(range(4))]
    shuffled = [
        [rows[0], *([row[number] for number in order] for row, order in zip(rows[1:], chosen, strict=True))]
        for chosen in product(orders, repeat=2)
    ]
    share = sum(naive_f(one) >= naive_f(rows) - 1e-9 for one in shuffled) / len(shuffled)
    assert GROUPS[name].differences.p == pytest.approx(share)


def test_drawn_shuffles_give_the_p_of_all_shuffles() -> None:
    runs = SMALL.samples.runs
    more = np.vstack([runs, runs[::-1] + 0.001])  # six seeds: too many shuffles to list
    found = differences(more)
    draw = np.random.default_rng(5)
    columns = more.mean(axis=0)
    shuffled = np.array([draw.permuted(more, axis=1).mean(axis=0) for _ in range(4_000)])
    share = np.mean(np.var(shuffled, axis=1) >= np.var(columns) - 1e-12)
    assert found.p == pytest.approx(share, abs=0.01)


def test_a_true_difference_is_found_and_noise_is_not() -> None:
    draw = np.random.default_rng(3)
    noise: Runs = draw.normal(1.78, 0.0034, (6, 9)) + draw.normal(0, 0.002, (6, 1))
    assert differences(noise).p > 0.05
    noise[:, 4] += 0.02
    found = differences(noise)
    assert found.p < 0.001
    assert found.range > found.by_chance


def test_runs_of_one_tokenizer_far_from_the_others_do_not_hide_the_noise() -> None:
    runs = SMALL.ways.runs.copy()
    runs[:, 3] += 1
    assert differences(runs).noise * runs.mean() == pytest.approx(
        SMALL.ways.differences.noise * SMALL.ways.runs.mean()
    )


def test_the_page_says_what_the_results_say() -> None:
    assert [
        line for line in section(RESULTS) if line not in " ".join(PAGE.split("\n")) and line not in PAGE
    ] == []


def test_other_results_would_make_other_sentences() -> None:
    rows = [dict(row) for row in RESULTS["tokenizers"]]
    rows[3]["bits_per_byte"] = [value + 0.01 for value in rows[3]["bits_per_byte"]]
    other = {**RESULTS, "tokenizers": rows}
    assert summary(other) not in PAGE
    assert next(sentences(other)) not in PAGE


def test_the_runs_are_those_that_the_page_counts() -> None:
    assert (SMALL.ways.runs.shape, LARGE.ways.runs.shape) == ((6, 9), (3, 9))
    assert (SMALL.samples.runs.shape, LARGE.samples.runs.shape) == ((3, 4), (3, 4))
    short = [group.rows for group in (SMALL.ways, LARGE.ways)]
    for rows in short:
        assert len({(row["rule"], row["rule_seed"]) for row in rows}) == 9
    models = SMALL.ways.runs.size + LARGE.ways.runs.size
    assert f"the loss of {models} small language models" in PAGE
    assert f"in the loss of {models} small language models" in " ".join(
        (ROOT / "README.md").read_text("utf-8").split()
    )
    setting = RESULTS["model"]
    assert 12 * setting["layers"] * setting["width"] ** 2 == pytest.approx(10.6e6, rel=0.01)
    assert f"{setting['steps']} steps of {setting['batch'] * setting['context']:,} tokens" in PAGE
    assert f"all {RESULTS['corpus']['held_out_bytes']:,} bytes" in PAGE
    total = RESULTS["corpus"]["held_out_bytes"] + RESULTS["corpus"]["training_bytes"]
    assert f"{total / 1e6:.1f} MB of English design documents" in PAGE


def test_the_picture_has_a_dot_for_each_model_and_is_the_published_one() -> None:
    drawn = picture(RESULTS)
    assert drawn == PICTURE.read_text("utf-8")
    first = sum(len(one.samples.runs) for one in (SMALL, LARGE))  # the first sample is drawn as a way already
    dots = sum(one.ways.runs.size + one.samples.runs.size for one in (SMALL, LARGE)) - first
    assert drawn.count("<circle") == dots
    assert drawn.count('class="mean') == 2 * (9 + 3)
    assert len(re.findall(r"± the noise of a run", drawn)) == 2
