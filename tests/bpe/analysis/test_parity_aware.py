"""Parity-aware BPE: merges of its authors' code, of counting everything anew, and of plain BPE for one document."""

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe import BPEError, Pair, Word, merge_pair
from bpe.analysis.languages import document_curves, gini
from bpe.analysis.parity_aware import COSTS, ParityStep, parity_aware, parity_aware_steps
from bpe.checkpoints import checkpoints
from tests import ROOT


def text(file: str) -> str:
    return (ROOT / "sample_corpora" / file).read_text("utf-8")


LINES = text("languages.txt").splitlines()
DOCUMENTS = {
    "all": {str(number): line for number, line in enumerate(LINES)},
    "few": {"English": LINES[0], "Hindi": LINES[9], "Thai": LINES[13]},
    "other": {
        "story": text("story.txt")[:4000],
        "ties": text("ties.txt")[:2000],
        "program": text("maze.py")[:3000],
    },
}
GOLDEN = json.loads((ROOT / "tests" / "golden" / "parity-aware.json").read_text("utf-8"))["runs"]
THEIRS: dict[str, Any] = {"tie_break": "pair-max", "min_count": 2}


@pytest.mark.parametrize("run", GOLDEN, ids=lambda run: f"{run['documents']}-{run['cost']}")
def test_the_merges_are_those_of_the_authors_code(run: dict[str, Any]) -> None:
    merges = [tuple(map(bytes.fromhex, pair.split())) for pair in run["merges"]]
    asked = max(len(merges), 150)  # of three languages their code, too, learns fewer
    documents = DOCUMENTS[run["documents"]]
    result = parity_aware(documents, run["cost"], variant=run["variant"], merges=asked, **THEIRS)
    assert result.trace.merges == merges
    assert len(merges) > 100


def naive(documents: dict[str, str], cost: str, merges: int) -> list[ParityStep]:
    """Return the steps under the rule pair-max on bytes, counting everything again at every step."""
    split = bpe.VARIANTS["bytes-gpt2"].split
    words: list[list[tuple[Word, int]]] = [
        [(tuple(bytes((byte,)) for byte in word.encode()), n) for word, n in Counter(split(document)).items()]
        for document in documents.values()
    ]
    initial = [sum(len(word) * n for word, n in own) for own in words]
    steps: list[ParityStep] = []
    for rank in range(merges):
        tokens: list[float] = [sum(len(word) * n for word, n in own) for own in words]
        ratios = [now / before if before else 0.0 for now, before in zip(tokens, initial, strict=True)]
        costs = tokens if cost == "tokens" else ratios
        worst = costs.index(max(costs))
        pairs: Counter[Pair] = Counter()
        for word, n in words[worst]:
            for pair in pairwise(word):
                pairs[pair] += n
        if not pairs:
            break
        count = max(pairs.values())
        tied = [pair for pair, number in pairs.items() if number == count]
        chosen = max(tied)
        name = list(documents)[worst]
        steps.append(ParityStep(rank, chosen, name, count, len(tied), costs.count(max(costs))))
        words = [[(merge_pair(word, chosen), n) for word, n in own] for own in words]
    return steps


TEXTS = st.lists(st.text("ab é\n", max_size=12), min_size=1, max_size=4)


@given(TEXTS, st.sampled_from(["tokens", "compression"]))
def test_every_step_equals_counting_anew(texts: list[str], cost: str) -> None:
    documents = {str(number): one for number, one in enumerate(texts)}
    result = parity_aware(documents, cost, variant="bytes-gpt2", tie_break="pair-max", merges=12)
    assert list(result.steps) == naive(documents, cost, 12)


@given(TEXTS, st.sampled_from(["first", "last", "ids-min", "pair-min", "shortest", "random"]))
def test_the_trace_shows_any_step(texts: list[str], rule: str) -> None:
    documents = {str(number): one for number, one in enumerate(texts)}
    result = parity_aware(documents, variant="bytes-gpt2", tie_break=rule, merges=8)
    trace = result.trace
    replay = bpe.replay(texts, trace.tokenizer())
    assert trace.merges == [step.pair for step in result.steps]
    assert list(trace.steps) == list(replay.steps)
    for k in range(len(trace.steps) + 1):
        assert trace.words_at(k) == replay.words_at(k)
        assert trace.pair_counts(k) == replay.pair_counts(k)
        assert trace.token_counts(k) == replay.token_counts(k)


@pytest.mark.parametrize("rule", bpe.TIE_BREAKS)
def test_one_document_alone_learns_what_plain_bpe_learns(rule: str) -> None:
    one = DOCUMENTS["other"]["story"]
    settings: dict[str, Any] = {"variant": "char-eow", "tie_break": rule, "merges": 150, "seed": 3}
    result, trace = parity_aware({"only": one}, **settings), bpe.train(one, **settings)
    assert result.trace.merges == trace.merges
    assert [(step.count, step.tied) for step in result.steps] == [
        (step.count, step.tied) for step in trace.steps
    ]


def test_fourteen_languages_end_up_nearly_equal() -> None:
    settings: dict[str, Any] = {**bpe.PRESETS["hf-bytelevel"].settings, "merges": 300}
    plain = bpe.train(list(DOCUMENTS["all"].values()), **settings)
    fair = parity_aware(DOCUMENTS["all"], **settings).trace
    inequality = [
        gini([curves.tokens[-1] for curves in document_curves(trace, DOCUMENTS["all"])])
        for trace in (plain, fair)
    ]
    assert inequality[0] > 10 * inequality[1]


def test_words_that_are_counted_already_are_documents_too() -> None:
    result = parity_aware({"one": {"low": 5}, "two": {"new": 4}}, variant="bytes-gpt2", merges=3)
    assert [(step.document, step.count) for step in result.steps] == [("one", 5), ("two", 4), ("one", 5)]


REFUSED = {
    "no document": ({}, {}, "at least one document"),
    "an unknown cost": ({"a": "low"}, {"cost": "luck"}, "must be one of tokens, compression"),
    "picks": ({"a": "low"}, {"picks": {0: 1}}, "allows no picks"),
    "a second stage": ({"a": "low"}, {"second_pattern": "lines", "second_after": 3}, "learns no superwords"),
    "an unknown setting": ({"a": "low"}, {"merge": 1}, "merge"),
}


@pytest.mark.parametrize(("documents", "settings", "sentence"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_refused(documents: dict[str, str], settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BPEError, match=sentence):
        parity_aware(documents, **settings)


def test_a_training_ends_where_it_should() -> None:
    ends: dict[str, dict[str, Any]] = {
        "merges": {"merges": 2},
        "vocab_size": {"vocab_size": 5},
        "min_count": {"min_count": 4},
        "no pairs": {},
    }
    for stopped, settings in ends.items():
        assert parity_aware({"a": "low low", "b": ""}, **settings).trace.stopped == stopped


def test_the_work_can_be_ended_and_its_steps_stay() -> None:
    class EndedError(Exception):
        pass

    training = parity_aware_steps(DOCUMENTS["few"], variant="bytes-gpt2")
    next(training)

    def end() -> None:
        raise EndedError

    with pytest.raises(EndedError), checkpoints(end):
        next(training)
    result = training.result()
    assert (len(result.trace.steps), result.trace.stopped) == (1, "cancelled")


def test_every_preset_can_be_parity_aware() -> None:
    documents = {"English": LINES[0], "two": f"{LINES[9]}\n{LINES[1]}", "empty": "", "Thai": LINES[13]}
    for slug, preset in bpe.PRESETS.items():
        settings = {**preset.settings, "merges": 40}
        for cost in COSTS:
            trace = parity_aware(documents, cost, **settings).trace
            curves = document_curves(trace, documents)
            tokens = [sum(one.tokens[k] for one in curves) for k in range(len(trace.steps) + 1)]
            assert (len(trace.steps), tokens) == (40, list(trace.tokens_by_step())), slug
