"""Tokenizers and variants can be pickled, so that other processes can work with them."""

import os
import pickle
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

import bpe
from bpe import Tokenizer, Variant
from bpe.formats.hugging_face.reading import read_tokenizer
from bpe.formats.opening import open_tokenizer
from bpe.text.superwords import superword_variant
from tests import ROOT
from tests.bpe.formats.hugging_face_files import MODEL_FILES, PIPELINES, library
from tests.material import spm_models, texts

TEXT = texts.SENTENCES + "\n        <s>the other  the\n"


def again(whole: Any) -> Any:
    return pickle.loads(pickle.dumps(whole))  # noqa: S301  # our own pickle of a moment ago


VARIANTS: dict[str, Variant] = {
    **bpe.VARIANTS,
    "own pattern": bpe.custom_variant(r"\w+|\W", "characters"),
    "superwords": superword_variant(bpe.VARIANTS["bytes-gpt2"], "lines"),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_and_its_tokenizer_are_the_same_again(name: str) -> None:
    variant = VARIANTS[name]
    assert again(variant).split(TEXT) == variant.split(TEXT)
    tokenizer = bpe.train(TEXT, variant.first or variant, merges=40).tokenizer()
    tokenizer = replace(tokenizer, variant=variant)
    ids = tokenizer.encode(TEXT)  # what it has cached is left out
    other: Tokenizer = again(tokenizer)
    assert other.encode(TEXT) == ids
    assert other.vocabulary == tokenizer.vocabulary


@pytest.mark.parametrize("name", sorted({*PIPELINES, *MODEL_FILES}))
def test_a_tokenizer_of_a_file_is_the_same_again(name: str) -> None:
    theirs = MODEL_FILES[name]() if name in MODEL_FILES else library(name)
    tokenizer = read_tokenizer(theirs.to_str())
    other: Tokenizer = again(tokenizer)
    for special in (False, True):
        assert other.encode(TEXT, allow_special=special) == tokenizer.encode(TEXT, allow_special=special)
    assert other.decode(other.encode(TEXT)) == tokenizer.decode(tokenizer.encode(TEXT))
    assert other.vocabulary == tokenizer.vocabulary


@pytest.mark.parametrize("name", spm_models.OPTIONS)
def test_a_tokenizer_of_a_model_is_the_same_again(name: str) -> None:
    opened = open_tokenizer({"tokenizer.model": spm_models.trained(name)})
    other = again(opened)
    ids = opened.tokenizer.encode(TEXT)
    assert other.tokenizer.encode(TEXT) == ids
    assert other.tokenizer.decode(ids) == opened.tokenizer.decode(ids)


def test_an_error_keeps_where_it_is() -> None:
    """A file may be read in another process, and the caller knows the file's own name."""
    error = again(bpe.BPEError("expected two symbols, got 3.", "merges.txt", "line 7"))
    assert str(error) == "merges.txt, line 7: expected two symbols, got 3."
    assert str(error.in_file("my.txt")) == "my.txt, line 7: expected two symbols, got 3."


# Traces do not depend on the process that computes them.

# A script that prints one hash of many traces.
DIGEST = """
import hashlib
from bpe import PRESETS, TIE_BREAKS, VARIANTS, train
from tests.material.texts import ties, SENTENCES
digest = hashlib.sha256()
every_variant = [(variant, "first") for variant in VARIANTS]
every_rule = [(variant, rule) for variant in ("char-eow", "bytes-gpt2") for rule in TIE_BREAKS]
for variant, rule in every_variant + every_rule:
    trace = train(SENTENCES + ties()[:600], variant, rule, merges=60)
    digest.update(repr((trace.merges, trace.words_at(30), trace.tied_pairs(50), trace.pair_counts(40))).encode())
for preset in PRESETS.values():
    trace = train(SENTENCES, merges=60, **preset.settings)
    digest.update(repr((trace.vocabulary(len(trace.steps)), trace.tokenizer().encode("low é 敏捷"))).encode())
print(digest.hexdigest())
"""


def test_other_processes_and_hash_seeds_give_the_same_traces() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(digests) == 1
