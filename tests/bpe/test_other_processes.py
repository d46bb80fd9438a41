"""Traces do not depend on the process that computes them."""

import os
import subprocess
import sys

from tests import ROOT

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
