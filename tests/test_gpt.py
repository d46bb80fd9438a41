"""The models of the study of ties. conftest.py collects these tests only where PyTorch is installed."""

from collections.abc import Callable
from math import log2
from pathlib import Path

import numpy as np
import pytest
import torch

from benchmarks import gpt
from benchmarks.model_setting import Model, Setting, Size
from benchmarks.models import InterruptedRunError, begin, read_corpus, run_all

MODEL = Model(2, 32, 2, 16, batch=8, steps=12, rate=3e-3, warmup=2, decay=0.1, clip=1.0)
SETTING = Setting(MODEL, (Size(2_000, 20, 2, 1, 1),), 20_000)
SEPARATOR = 40


def weights(seed: int = 0) -> gpt.Weights:
    return gpt.first_weights(MODEL, SEPARATOR + 1, seed, "cpu")


def text(length: int) -> gpt.Ids:
    ids = np.random.default_rng(1).integers(0, SEPARATOR, length).astype(np.uint16)
    ids[0] = ids[length // 2] = SEPARATOR
    return ids


def test_no_position_sees_what_follows() -> None:
    ids = torch.from_numpy(text(16).astype(np.int64))[None]
    changed = ids.clone()
    changed[0, 9] = (changed[0, 9] + 1) % SEPARATOR
    one, other = (gpt.logits(weights(), MODEL, one)[0] for one in (ids, changed))
    assert torch.allclose(one[:9], other[:9], atol=1e-5)
    assert not torch.allclose(one[9:], other[9:], atol=1e-5)


@pytest.mark.parametrize("length", [2, 16, 17, 18, 33, 200, 257])
def test_each_token_costs_once_and_separators_nothing(length: int) -> None:
    ids = text(length)
    needed = gpt.bits(weights(), MODEL, ids, SEPARATOR, gpt.total_loss)
    naive = 0.0
    for place in range(1, length):
        begin = (place - 1) // MODEL.context * MODEL.context  # of its window
        before = torch.from_numpy(ids[begin:place].astype(np.int64))[None]
        shares = gpt.logits(weights(), MODEL, before)[0, -1].softmax(0).detach()
        naive -= log2(float(shares[int(ids[place])])) if ids[place] != SEPARATOR else 0.0
    assert needed == pytest.approx(naive, rel=1e-4)


def test_a_model_without_knowledge_needs_the_same_bits_for_every_token() -> None:
    blank = {name: torch.zeros_like(weight) for name, weight in weights().items()}
    needed = gpt.bits(blank, MODEL, text(100), SEPARATOR, gpt.total_loss)
    assert needed == pytest.approx(98 * log2(SEPARATOR + 1), rel=1e-5)  # two of the hundred are separators


def test_a_seed_gives_one_model_and_training_lowers_its_loss() -> None:
    ids = np.tile(text(20), 30)
    starts = np.random.default_rng(0).integers(0, len(ids) - 17, (MODEL.steps, MODEL.batch))
    needed = []
    for seed in (0, 0, 1):
        one = weights(seed)
        before = gpt.bits(one, MODEL, ids, SEPARATOR, gpt.total_loss)
        assert list(gpt.train(one, MODEL, ids, starts, gpt.total_loss)) == list(range(1, MODEL.steps + 1))
        needed.append(gpt.bits(one, MODEL, ids, SEPARATOR, gpt.total_loss))
        assert needed[-1] < 0.95 * before
    assert needed[0] == needed[1] != needed[2]


def test_the_learning_rate_rises_and_falls_to_a_tenth() -> None:
    shares = [gpt.share_of_rate(MODEL, step) for step in range(MODEL.steps + 1)]
    assert shares[:3] == [0.5, 1.0, 1.0]
    assert shares[2:] == sorted(shares[2:], reverse=True)
    assert shares[-1] == pytest.approx(0.1)


def after(times: int) -> Callable[[], bool]:
    """Return what says that Ctrl-C was pressed when it is asked for the so many-th time."""
    asked = iter(range(times))
    return lambda: next(asked, None) is None


def test_an_interrupted_study_keeps_its_models_and_ends_with_the_same_losses(tmp_path: Path) -> None:
    corpus = read_corpus([__file__], SETTING.most_bytes)
    losses: list[list[tuple[list[float], int]]] = []
    lines: list[str] = []
    for times in (10**9, 300):
        study = begin(SETTING, corpus, {"steps": MODEL.steps}, tmp_path / f"{times}.json")
        while runs := study.open_runs():
            try:
                run_all(study, lines.append, after(times))
            except InterruptedRunError:
                study = begin(SETTING, corpus, {"steps": MODEL.steps}, study.file)
                assert len(study.open_runs()) < len(runs)
        losses.append([(row["bits_per_byte"], row["tied"]) for row in study.results["tokenizers"]])
    assert losses[0] == losses[1]
    assert [len(bits) for bits, _ in losses[0]] == [2] * 9 + [1]
    assert len({str(bits) for bits, _ in losses[0]}) > 1
    assert any("step 12 of 12, about" in line for line in lines)
