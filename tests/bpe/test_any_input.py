"""Whatever a caller passes, the only error is a BPEError with one sentence."""

from contextlib import suppress
from typing import Any

from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st

from bpe import VARIANTS, BPEError, Trace, train
from tests.bpe.text.random_texts import RULES, TEXTS, examples

ODD = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.floats(), st.text(max_size=4), st.binary(max_size=2), st.just([]),
    st.just({}), st.just(("a", "a")), st.just([None]), st.just({0: ("a", "b")}), st.just({0: (b"a", b"b")}),
)  # fmt: skip
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "variant": st.one_of(st.sampled_from(list(VARIANTS)), ODD),
        "tie_break": st.one_of(RULES, ODD),
        "merges": st.one_of(st.integers(0, 9), ODD),
        "vocab_size": st.one_of(st.integers(0, 300), ODD),
        "min_count": ODD,
        "special_tokens": st.one_of(st.lists(st.text(max_size=3), max_size=3), ODD),
        "unknown_token": ODD,
        "cut_special_tokens": ODD,
        "lines": ODD,
        "alphabet": st.one_of(st.sampled_from(["value", "gpt2-bytes"]), ODD),
        "normalization": st.one_of(st.sampled_from(["NFC", "NFKD", "lower"]), ODD),
        "pieces": ODD,
        "word_order": ODD,
        "seed": ODD,
        "picks": ODD,
        "pattern": st.one_of(st.text("(|)[a]*+?\\{1,}P<^$", max_size=8), ODD),
        "unit": ODD,
        "surprise": ODD,
    },
)
ANYTHING = st.one_of(
    TEXTS, ODD, st.lists(ODD, max_size=3), st.dictionaries(st.text(max_size=3), ODD, max_size=3)
)


@settings(examples(120), suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(text=ANYTHING, given=SETTINGS)
@example(text="a\ud800b", given={})
@example(text={"a": 2**70}, given={})
@example(text="a", given={"normalization": []})
@example(text="ab" * 50, given={"variant": "custom", "pattern": r"(a|b|ab)*c"})
def test_training_raises_nothing_but_a_bpe_error(text: Any, given: dict[str, Any]) -> None:
    try:
        trace = train(text, **given)
    except BPEError as error:
        event(str(error)[:40])
        return
    assert isinstance(trace, Trace)
    trace.segment("ab é", len(trace.steps))
    trace.tokenizer().encode("ab é")


LOW = train("low lower lowest", merges=5)


@examples(25)
@given(k=ODD, text=ANYTHING, ids=st.lists(ODD, max_size=3), symbol=st.binary(max_size=3))
def test_a_trace_raises_nothing_but_a_bpe_error(k: Any, text: Any, ids: Any, symbol: bytes) -> None:
    trace = LOW
    for ask in (
        lambda: trace.words_at(k),
        lambda: trace.pair_counts(k),
        lambda: trace.tied_pairs(k),
        lambda: trace.token_counts(k),
        lambda: trace.counts_changed(k),
        lambda: trace.vocabulary(k),
        lambda: trace.tokens_total(k),
        lambda: trace.segment(text, k),
        lambda: trace.segment(text, 2),
        lambda: trace.boundaries(text),
        lambda: trace.tokenizer(k),
        lambda: trace.id_of(symbol),
        lambda: trace.born(symbol),
        lambda: trace.parents(symbol),
        lambda: trace.uses(symbol, 1),
        lambda: trace.tokenizer().encode(text),
        lambda: trace.tokenizer().encode("low", text),
        lambda: trace.tokenizer().decode(ids),
    ):
        with suppress(BPEError):
            ask()
