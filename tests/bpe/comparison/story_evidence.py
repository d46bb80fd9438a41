"""Evidence on one sample text for trainings on another, and what holds for the sentences of every verdict."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import bpe
from bpe import Trace
from bpe.comparison import verdict_text
from bpe.comparison.evidence import Evidence, evidence
from bpe.comparison.evidence_text import percent
from bpe.comparison.intervals import AT_ONCE
from tests import ROOT

RESAMPLES = AT_ONCE + 10
FIGURE = re.compile(r"\d[\d,.]*(?:%| of [\d,]+)|“[^”]+”")  # a share, a count of so many, or a word
RULES = ("first", "pair-max", "last")


@cache
def sample(name: str) -> str:
    return Path(ROOT / "sample_corpora" / f"{name}.txt").read_text("utf-8")


@cache
def trained(variant: str, rules: Sequence[str] = RULES, merges: int = 120) -> list[Trace]:
    return [bpe.train(sample("story"), variant, rule, merges=merges) for rule in rules]


@cache
def measured(variant: str) -> Evidence:
    return evidence(trained(variant), [sample("ties")], sample("story"), resamples=RESAMPLES)


def expect_said_once(result: Evidence, names: Sequence[str]) -> None:
    """Expect whole sentences, and in the first ones on two lanes no figure twice, nor 100% minus it.

    Two figures on three lanes can be equal by chance.
    """
    headline, first = verdict_text.headline(result, names), verdict_text.first_sentences(result, names)
    sentences = verdict_text.sentences(result, names)
    assert sentences[: len(first)] == first
    spoken = [headline, *sentences]
    assert len(set(spoken)) == len(spoken)
    assert all(one.endswith(".") and one[0] == one[0].upper() for one in spoken)
    if len(names) > 2:
        return
    read = [
        figure for one in (headline, *first) for figure in FIGURE.findall(one) if figure[1:-1] not in names
    ]
    assert len(read) == len(set(read)), read
    complements = {
        percent(1 - float(share[:-1]) / 100) for share in FIGURE.findall(headline) if share.endswith("%")
    }
    assert complements.isdisjoint(read), (headline, first)
