"""Every public object can be pickled, so that other processes can work with it."""

import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

import bpe
from bpe import Tokenizer, Trace
from bpe.encoding.encoders import ENCODERS
from bpe.formats.hugging_face.read_tokenizer_json import read_tokenizer
from tests.bpe.formats.hugging_face.model_files import MODEL_FILES
from tests.bpe.formats.hugging_face.pipelines import PIPELINES, library
from tests.material import texts

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
    **{
        variant: lambda variant=variant: bpe.train(TEXT, variant, merges=40)  # type: ignore[misc]  # a default
        for variant in bpe.VARIANTS
    },
    "own pattern": lambda: bpe.train(TEXT, "custom", pattern=r"\w+|\W", unit="characters", merges=20),
    "superwords": lambda: bpe.train(
        TEXT, "bytes-gpt2", merges=30, second_pattern="lines", second_after=20, second_words=3
    ),
    "sentencepiece": lambda: bpe.train(TEXT, merges=30, **bpe.PRESETS["sentencepiece"].settings),
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


def encoded(task: tuple[Tokenizer, Trace, str]) -> tuple[list[int], list[bytes]]:
    tokenizer, trace, text = task
    return tokenizer.encode(text), trace.segment(text, len(trace.steps))


def test_other_processes_work_with_tokenizers_and_traces() -> None:
    tokenizer, trace = read_tokenizer(MODEL_FILES["gemma"]().to_str()), TRACES["superwords"]()
    parts = TEXT.splitlines()[:8]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        results = list(pool.map(encoded, [(tokenizer, trace, part) for part in parts]))
    assert results == [encoded((tokenizer, trace, part)) for part in parts]
