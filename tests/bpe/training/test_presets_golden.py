"""Presets learn the recorded merges of trainers that cannot be installed (tests/golden)."""

import json
from functools import cache
from typing import Any

import pytest

from bpe import PRESETS, Symbol, Trace, train
from tests import ROOT
from tests.bpe.training.test_presets_live import COMPARISONS
from tests.material.texts import TOYS

GOLDEN = ROOT / "tests" / "golden"
FILES = {path.stem: path for path in sorted(GOLDEN.glob("*.json")) if path.stem not in ("texts", "cs336")}
Run = dict[str, Any]


@cache
def noted(file: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((GOLDEN / f"{file}.json").read_text(encoding="utf-8"))
    return loaded


def runs(with_field: str) -> list[Any]:
    return [
        pytest.param(preset, run, id=f"{preset}-{run['text']}")
        for preset in FILES
        for run in noted(preset)["runs"]
        if with_field in run
    ]


def read(trace: Trace, token: str) -> Symbol:
    """Return the symbol of a token in a golden file."""
    if trace.variant.unit == "bytes":
        return token.encode("latin-1")
    return trace.variant.unspelled(token)


def trained(preset: str, run: Run) -> Trace:
    text = TOYS.get(run["text"]) or noted("texts")[run["text"]]
    return train(text[: run.get("characters")], **{**PRESETS[preset].settings, "merges": run["merges"]})


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_compared_here_with_its_library_or_in_a_worked_example(preset: str) -> None:
    assert preset in FILES or preset in COMPARISONS or preset in ("cs336", "lecture-notes")


@pytest.mark.parametrize(("preset", "run"), runs("pairs"))
def test_the_merges_are_those_of_the_golden_file(preset: str, run: Run) -> None:
    trace = trained(preset, run)
    assert trace.merges == [(read(trace, left), read(trace, right)) for left, right in run["pairs"]]


@pytest.mark.parametrize(("preset", "run"), runs("ids"))
def test_new_texts_are_encoded_as_in_the_golden_file_and_decode_to_themselves(preset: str, run: Run) -> None:
    tokenizer = trained(preset, run).tokenizer()
    for text, ids in run["ids"].items():
        assert tokenizer.encode(text) == ids, text
        assert tokenizer.decode(ids) == text


@pytest.mark.parametrize(("preset", "run"), runs("tokens"))
def test_new_texts_are_segmented_as_in_the_golden_file(preset: str, run: Run) -> None:
    trace = trained(preset, run)
    for text, tokens in run["tokens"].items():
        assert trace.tokenizer().tokens(text) == [read(trace, token) for token in tokens], text


def test_cs336_learns_the_fixture_of_its_assignment() -> None:
    """The fixture's corpus as counted words: for this rule their order does not matter."""
    fixture = noted("cs336")
    words = {
        word: int(frequency)
        for frequency, joined in fixture["words_by_frequency"].items()
        for word in joined.split("|")
    }
    trace = train(words, vocab_size=fixture["vocab_size"], **PRESETS["cs336"].settings)
    assert trace.merges == [(read(trace, left), read(trace, right)) for left, right in fixture["pairs"]]
    assert trace.stopped == "vocab_size"
    assert trace.vocabulary(0)[:2] == [b"<|endoftext|>", b"\x00"]
