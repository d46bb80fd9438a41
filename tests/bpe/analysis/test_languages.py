"""Curves of named documents equal counting every step anew; parity-aware trainings, their naive twin."""

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe import BPEError, Pair, Trace, Word, merge_pair
from bpe.analysis.languages import ALPHA, METRICS, document_curves, gini, measured
from bpe.analysis.parity_aware import COSTS, ParityStep, parity_aware, parity_aware_steps
from bpe.checkpoints import checkpoints
from tests import ROOT

LANGUAGES = (ROOT / "sample_corpora" / "languages.txt").read_text("utf-8")
LINES = LANGUAGES.split("\n")
FEW = {"English": LINES[0], "Hindi": LINES[9], "Thai": LINES[13]}
NEW = {"new letters": "lowß ñandú 😀 lows", "runs": "aaaaa aaaa\n\n\n\naaa", "empty": "", "one symbol": "l"}
TEXT = "low lower lowest aaaa aaaaa banana bandana\n\n\n" * 3


def replayed() -> Trace:
    """Return a replay over a text that applies half of the merges of its list."""
    return bpe.replay("low lowest", bpe.train(TEXT, variant="bytes-gpt2", merges=40).tokenizer())


# Name -> (function that trains, documents).
CASES: dict[str, tuple[Callable[[], Trace], Mapping[str, str]]] = {
    "lines of the corpus": (
        lambda: bpe.train(LANGUAGES, merges=150, **bpe.PRESETS["hf-bytelevel"].settings),
        FEW,
    ),
    "new texts": (lambda: bpe.train(TEXT, merges=25, **bpe.PRESETS["paper"].settings), NEW),
    "the whole text as one word": (lambda: bpe.train(TEXT, variant="bytes", merges=25), {"text": TEXT} | NEW),
    "a replay": (replayed, {"corpus": "low lowest", "new": TEXT}),
    "no merges": (lambda: bpe.train("a b", merges=5), {"a": "a", "b": "a b a"}),
}


@cache
def case(name: str) -> tuple[Trace, Mapping[str, str]]:
    """Return the trace and the documents of a case."""
    trained, documents = CASES[name]
    return trained(), documents


def ids_after(trace: Trace, text: str, k: int) -> list[int]:
    """Return the ids of the text's tokens after k merges; all unknown ones have one."""
    ids = trace.tokenizer().ids
    return [ids.get(token, -1) for token in trace.segment(text, k)]


@pytest.mark.parametrize("name", CASES)
def test_the_curves_equal_counting_the_tokens_anew_at_every_step(name: str) -> None:
    trace, documents = case(name)
    for curves, text in zip(document_curves(trace, documents), documents.values(), strict=True):
        assert len(curves.tokens) == len(curves.different) == len(curves.powers) == len(trace.steps) + 1
        for k in range(len(trace.steps) + 1):
            counts = Counter(ids_after(trace, text, k))
            assert (curves.tokens[k], curves.different[k]) == (counts.total(), len(counts))
            assert curves.powers[k] == pytest.approx(sum(count**ALPHA for count in counts.values()), rel=1e-9)
        assert (curves.characters, curves.words) == (len(text), len(text.split()))


def test_renyi_efficiency_is_that_of_the_package_of_its_authors(capsys: pytest.CaptureFixture[str]) -> None:
    from tokenization_scorer.metrics import get_metric  # only here: it takes a fifth of a second

    oracle = get_metric("renyi_efficiency")
    compared = 0
    for trace, documents in map(case, CASES):
        for curves, text in zip(document_curves(trace, documents), documents.values(), strict=True):
            for k in range(0, len(trace.steps) + 1, 10):
                tokens = [str(number) for number in ids_after(trace, text, k)]
                efficiency = curves.after(k).renyi_efficiency
                if len(set(tokens)) < 2:
                    assert efficiency is None
                else:
                    assert efficiency == pytest.approx(float(oracle([tokens], power=ALPHA)), rel=1e-9)
                    compared += 1
    assert compared > 60
    capsys.readouterr()  # what the package prints


def test_gini_is_half_the_relative_mean_difference() -> None:
    for costs in ([5.0], [1.0, 2.0], [3.0, 1.0, 1.0, 9.0], [0.0, 0.0, 0.0]):
        mean = sum(costs) / len(costs)
        differences = [abs(one - other) for one, other in product(costs, costs)]
        assert gini(costs) == pytest.approx(
            math.fsum(differences) / len(differences) / (2 * mean) if mean else 0.0
        )


def test_every_metric_has_its_value_and_says_what_it_does_not_predict() -> None:
    trace, documents = case("lines of the corpus")
    all_curves, last = document_curves(trace, documents), len(trace.steps)
    tokens = [len(trace.segment(text, last)) for text in FEW.values()]
    hindi = FEW["Hindi"]
    texts = [curves.after(last) for curves in all_curves]
    values = {slug: metric.value(texts, 1, 0) for slug, metric in METRICS.items() if metric.each_merge}
    assert values["tokens"] == tokens[1]
    assert values["bytes-per-token"] == len(hindi.encode()) / tokens[1]
    assert values["characters-per-token"] == len(hindi) / tokens[1]
    assert values["fertility"] == tokens[1] / len(hindi.split())
    assert values["premium"] == tokens[1] / tokens[0]
    assert values["gini"] == gini(tokens)
    assert values["renyi"] == texts[1].renyi_efficiency
    for metric in METRICS.values():
        assert metric.does_not_predict.endswith(".")
        assert " 20" in metric.source


def test_a_text_without_tokens_has_no_ratios() -> None:
    all_curves = document_curves(bpe.train("low", merges=1), {"empty": "", "text": "low"})
    texts = [curves.after(0) for curves in all_curves]
    assert METRICS["premium"].value(texts, 1, 0) is None
    empty = {slug: metric.value(texts, 0, 1) for slug, metric in METRICS.items() if not metric.of_all}
    assert empty == {
        "tokens": 0,
        "bytes-per-token": None,
        "characters-per-token": None,
        "fertility": None,
        "premium": 0,
        "renyi": None,
        "digits-per-token": None,
        "word-ends": None,
    }


@pytest.mark.parametrize("name", ["lines of the corpus", "new texts", "the whole text as one word"])
def test_after_the_last_merge_a_curve_says_what_the_tokenizer_does(name: str) -> None:
    trace, documents = case(name)
    ends = [curves.after(len(trace.steps)) for curves in document_curves(trace, documents)]
    counted = [measured(trace.tokenizer(), "", title, text) for title, text in documents.items()]
    assert [end.unknown for end in ends] == [one.unknown for one in counted]
    for metric in METRICS.values():
        for number in range(len(documents)):
            value = metric.value(ends, number, 0)
            expected = metric.value(counted, number, 0) if metric.each_merge else None
            assert value == (None if expected is None else pytest.approx(expected, rel=1e-9)), metric.slug


def test_the_work_can_be_ended() -> None:
    class EndedError(Exception):
        pass

    def end() -> None:
        raise EndedError

    trace, documents = case("lines of the corpus")
    with pytest.raises(EndedError), checkpoints(end):
        document_curves(trace, documents)


# Parity-aware BPE: merges of its authors' code, of counting everything anew, and of plain BPE for one document.


def text(file: str) -> str:
    return (ROOT / "sample_corpora" / file).read_text("utf-8")


ALIGNED = text("languages.txt").splitlines()
DOCUMENTS = {
    "all": {str(number): line for number, line in enumerate(ALIGNED)},
    "few": {"English": ALIGNED[0], "Hindi": ALIGNED[9], "Thai": ALIGNED[13]},
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
        steps.append(ParityStep(rank, chosen, name, count, len(tied)))
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
    documents = {
        "English": ALIGNED[0],
        "two": f"{ALIGNED[9]}\n{ALIGNED[1]}",
        "empty": "",
        "Thai": ALIGNED[13],
    }
    for slug, preset in bpe.PRESETS.items():
        settings = {**preset.settings, "merges": 40}
        for cost in COSTS:
            trace = parity_aware(documents, cost, **settings).trace
            curves = document_curves(trace, documents)
            tokens = [sum(one.tokens[k] for one in curves) for k in range(len(trace.steps) + 1)]
            assert (len(trace.steps), tokens) == (40, list(trace.tokens_by_step())), slug
