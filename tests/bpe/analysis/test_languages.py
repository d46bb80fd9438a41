"""Curves of named documents equal counting every step anew."""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from itertools import product

import pytest

import bpe
from bpe import Trace
from bpe.analysis.languages import _ALPHA, METRICS, document_curves, gini, measured
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
            assert curves.powers[k] == pytest.approx(
                sum(count**_ALPHA for count in counts.values()), rel=1e-9
            )
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
                    assert efficiency == pytest.approx(float(oracle([tokens], power=_ALPHA)), rel=1e-9)
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
