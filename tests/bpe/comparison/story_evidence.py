"""Evidence on one sample text for trainings on another."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import bpe
from bpe import Trace
from bpe.comparison.evidence import Evidence, evidence
from tests import ROOT

RULES = ("first", "pair-max", "last")


@cache
def sample(name: str) -> str:
    return Path(ROOT / "sample_corpora" / f"{name}.txt").read_text("utf-8")


@cache
def trained(variant: str, rules: Sequence[str] = RULES, merges: int = 120) -> list[Trace]:
    return [bpe.train(sample("story"), variant, rule, merges=merges) for rule in rules]


@cache
def measured(variant: str) -> Evidence:
    return evidence(trained(variant), [sample("ties")], sample("story"))
