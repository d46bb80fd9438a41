"""Every public object can be pickled, so that other processes can work with it."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from types import MappingProxyType
from typing import Any

import pytest

import bpe
from bpe import Tokenizer, Trace
from bpe.encoding.encoders import ENCODERS
from bpe.formats import FORMATS
from bpe.formats.hugging_face.reading import read_tokenizer
from bpe.formats.opening import open_tokenizer
from tests import ROOT
from tests.bpe.formats.hugging_face_files import MODEL_FILES, PIPELINES, library
from tests.material import spm_models, texts

TEXT = texts.SENTENCES + "\n        <s>the other  the\n"
REGISTRIES = {"variant": bpe.VARIANTS, "rule": bpe.TIE_BREAKS, "encoder": ENCODERS, "preset": bpe.PRESETS}
ROWS = {f"{kind} {slug}": row for kind, rows in REGISTRIES.items() for slug, row in rows.items()}


def again(whole: Any) -> Any:
    return pickle.loads(pickle.dumps(whole))  # noqa: S301  # our own pickle of a moment ago


@pytest.mark.parametrize("name", ROWS)
def test_a_row_is_itself_again(name: str) -> None:
    row = again(ROWS[name])
    assert row is ROWS[name] or row == ROWS[name]


TRACES: dict[str, Callable[[], Trace]] = {
    **{variant: partial(bpe.train, TEXT, variant, merges=40) for variant in bpe.VARIANTS},
    "own pattern": lambda: bpe.train(TEXT, "custom", pattern=r"\w+|\W", unit="characters", merges=20),
    "superwords": lambda: bpe.train(
        TEXT, "bytes-gpt2", merges=30, second_pattern="lines", second_after=20, second_words=3
    ),
    "sentencepiece": lambda: bpe.train(TEXT, merges=30, **bpe.PRESETS["sentencepiece"].settings),
    "limits": lambda: bpe.train(
        TEXT, merges=30, max_token_length=6, character_coverage=0.98, **bpe.PRESETS["sentencepiece"].settings
    ),
    "random": lambda: bpe.train(TEXT, tie_break="random", seed=3, merges=20),
    "replayed": lambda: bpe.replay(TEXT, read_tokenizer(MODEL_FILES["llama 2, added"]().to_str())),
    "continued": lambda: bpe.continue_training(
        TEXT, read_tokenizer(MODEL_FILES["gpt-neox"]().to_str()), merges=9, second_pattern="lines"
    ),
}


@pytest.mark.parametrize("name", TRACES)
def test_a_trace_is_the_same_again(name: str) -> None:
    trace = TRACES[name]()
    trace.segment(TEXT, 3)  # what it has cached is left out
    other: Trace = again(trace)
    last = len(trace.steps)
    assert list(other.steps) == list(trace.steps)
    for k in {0, 3, last}:
        assert other.words_at(k) == trace.words_at(k)
        assert other.vocabulary(k) == trace.vocabulary(k)
        assert other.pair_counts(k) == trace.pair_counts(k)
        assert other.tied_pairs(k) == trace.tied_pairs(k)
        assert other.segment(TEXT, k) == trace.segment(TEXT, k)
    assert other.settings == trace.settings
    assert other.tokenizer().encode(TEXT) == trace.tokenizer().encode(TEXT)


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


def test_every_public_object_can_be_pickled() -> None:
    """Registries cannot, as no read-only mapping of Python can; their rows can."""
    trace = bpe.train("low lower", merges=2)
    objects = [getattr(bpe, name) for name in bpe.__all__]
    objects += [trace.steps, trace.request, next(trace.tokenizer().encode_steps("low")), *FORMATS.values()]
    objects += [bpe.ENCODERS["trimmed"].using(threshold=3), *bpe.SECOND_PATTERNS.values()]
    for whole in objects:
        if not isinstance(whole, MappingProxyType):
            again(whole)


def encoded(task: tuple[Tokenizer, Trace, str]) -> tuple[list[int], list[bytes]]:
    tokenizer, trace, text = task
    return tokenizer.encode(text), trace.segment(text, len(trace.steps))


def test_other_processes_work_with_tokenizers_and_traces() -> None:
    tokenizer, trace = read_tokenizer(MODEL_FILES["gemma"]().to_str()), TRACES["superwords"]()
    parts = TEXT.splitlines()[:8]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        results = list(pool.map(encoded, [(tokenizer, trace, part) for part in parts]))
    assert results == [encoded((tokenizer, trace, part)) for part in parts]


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
