"""Properties of every text, variant and rule, some of them in comparison with the naive oracle."""

from collections import Counter
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st

from bpe import (
    PRESETS,
    VARIANTS,
    BPEError,
    Pair,
    Symbol,
    Trace,
    Variant,
    count_pairs,
    custom_variant,
    merge_pair,
    train,
    uncovered,
)
from bpe.encoding.encoders import ENCODERS
from tests.bpe.text.random_texts import RULES, TEXTS, examples
from tests.naive import naive_train, naive_words

WORDS = custom_variant(r"\w+|\s", "characters")
ALL_VARIANTS = [*VARIANTS.values(), WORDS]

each_variant = pytest.mark.parametrize(
    "variant", ALL_VARIANTS, ids=lambda variant: f"{variant.slug}-{variant.unit}"
)


def segmented(
    words: dict[tuple[Symbol, ...], int], merges: list[Pair]
) -> list[tuple[tuple[Symbol, ...], int]]:
    """Apply the merges to every word, one after the other: the slow way."""
    cut = list(words.items())
    for pair in merges:
        cut = [(merge_pair(word, pair), frequency) for word, frequency in cut]
    return cut


@each_variant
@examples(20)
@given(text=TEXTS, rule=RULES, seed=st.integers(0, 5), share=st.floats(0, 1))
def test_training_and_each_of_its_steps_equal_a_recount(
    variant: Variant, text: str, rule: str, seed: int, share: float
) -> None:
    trace = train(text, variant, rule, merges=25, seed=seed)
    words = naive_words(text, variant)
    naive = naive_train(words, rule, 25, variant=variant, seed=seed, alphabet=trace.alphabet)
    assert [(step.pair, step.count, step.tied) for step in trace.steps] == [
        (pair, count, len(tied)) for pair, count, tied in naive
    ]
    k = round(share * len(naive))
    if k < len(naive):
        assert list(trace.tied_pairs(k)) == naive[k][2]
    cut = segmented(words, trace.merges[:k])
    assert trace.words_at(k) == cut
    assert trace.pair_counts(k) == count_pairs(cut)
    tokens: Counter[Symbol] = Counter()
    for word, frequency in cut:
        for symbol in word:
            tokens[symbol] += frequency
    assert trace.token_counts(k) == tokens
    assert trace.in_use(k) == trace.in_use_by_step()[k] == len(tokens)
    assert trace.tokens_total(k) == trace.tokens_by_step()[k] == tokens.total()
    for symbol in tokens:
        assert sum(frequency * times for _, frequency, times in trace.uses(symbol, k)) == tokens[symbol]
    if k:
        before, after = trace.pair_counts(k - 1), trace.pair_counts(k)
        changes = {pair: after.get(pair, 0) - before.get(pair, 0) for pair in before | after}
        assert trace.counts_changed(k) == {pair: change for pair, change in changes.items() if change}
        assert trace.steps[k - 1].replaced == trace.tokens_total(k - 1) - trace.tokens_total(k)


@each_variant
@examples(12)
@given(text=TEXTS, other=TEXTS, rule=RULES)
def test_every_segmentation_of_a_text_joins_to_the_text(
    variant: Variant, text: str, other: str, rule: str
) -> None:
    trace = train(text, variant, rule, merges=25)
    for visible in (text, other):  # the training text, and a new one
        remaining = variant.normalise(visible)
        for k in range(len(trace.steps) + 1):
            assert variant.decode(trace.segment(visible, k)) == remaining


@each_variant
@examples(12)
@given(text=TEXTS, other=TEXTS, rule=RULES)
def test_closing_ranks_give_every_segmentation(variant: Variant, text: str, other: str, rule: str) -> None:
    trace = train(text, variant, rule, merges=25)
    for visible in (text, other):
        symbols, closing = variant.symbols(visible), trace.boundaries(visible)
        assert len(closing) == max(len(symbols) - 1, 0)
        for k in range(len(trace.steps) + 1):
            tokens = symbols[:1]
            for rank, symbol in zip(closing, symbols[1:], strict=True):
                if 0 <= rank < k:
                    tokens[-1] += symbol
                else:
                    tokens.append(symbol)
            assert tokens == trace.segment(visible, k)


@each_variant
@examples(12)
@given(text=TEXTS, rule=RULES, order=st.sampled_from(["value", "spelling", "appearance"]))
def test_counts_never_rise_and_the_vocabulary_never_shrinks(
    variant: Variant, text: str, rule: str, order: str
) -> None:
    trace = train(text, variant, rule, alphabet=order, special_tokens=["<unk>", "a"], unknown_token="<unk>")
    assert all(earlier.count >= later.count for earlier, later in pairwise(trace.steps))
    assert all(0 < step.replaced <= step.count and step.tied >= 1 for step in trace.steps)
    sizes = [len(trace.vocabulary(k)) for k in range(len(trace.steps) + 1)]
    assert all(later == earlier + 1 for earlier, later in pairwise(sizes))
    vocabulary = trace.vocabulary(len(trace.steps))
    assert vocabulary[:2] == [b"<unk>", b"a"]
    for number, symbol in enumerate(vocabulary[2:], start=2):
        assert trace.id_of(symbol) == number


# The two facts that the trace, the encoders and the formats rely on.


@each_variant
@examples(12)
@given(text=TEXTS, rule=RULES)
def test_no_token_arises_from_two_different_pairs(variant: Variant, text: str, rule: str) -> None:
    trace = train(text, variant, rule)
    assert len(set(trace.symbols)) == len(trace.symbols)
    for left, right in trace.merges:
        assert trace.parents(left + right) == (left, right)


@each_variant
@examples(12)
@given(text=TEXTS, other=TEXTS, rule=RULES)
def test_lowest_rank_rules_in_order_and_token_content_agree_for_learned_merges(
    variant: Variant, text: str, other: str, rule: str
) -> None:
    trace = train(text, variant, rule, merges=25)
    tokenizer = trace.tokenizer()
    rank_of = {left + right: rank for rank, (left, right) in enumerate(trace.merges)}

    def by_content(word: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
        """Merge, as tiktoken does, the neighbours whose joined bytes are the token of the lowest rank."""
        while known := [pair for pair in pairwise(word) if pair[0] + pair[1] in rank_of]:
            word = merge_pair(word, min(known, key=lambda pair: rank_of[pair[0] + pair[1]]))
        return word

    for visible in (text, other):
        by_rank = tokenizer.tokens(visible, "rank")
        assert by_rank == tokenizer.tokens(visible, "rules")
        assert by_rank == [
            token for word in variant.split(visible) for token in by_content(variant.spell(word))
        ]
        assert by_rank == trace.segment(visible, len(trace.steps))


@pytest.mark.parametrize("encoder", ENCODERS)
@each_variant
@examples(4)  # for each of 88 ways to encode a variant
@given(text=TEXTS, other=TEXTS, k=st.integers(0, 25))
@example(text="low lower", other="</w> _ ▁ <unk> <|endoftext|>", k=2)
def test_decoding_gives_the_text_as_the_variant_normalises_it(
    variant: Variant, encoder: str, text: str, other: str, k: int
) -> None:
    trace = train(text, variant, merges=k, special_tokens=["<unk>", "<|endoftext|>"])
    tokenizer = trace.tokenizer()
    for visible in (text, other):
        ids = tokenizer.encode(visible, encoder)
        known = variant.unit == "bytes" or set(variant.symbols(visible)) <= set(trace.alphabet)
        if known:
            assert tokenizer.decode(ids) == variant.normalise(visible)
        if variant.lossless or (known and variant.slug == "custom" and not uncovered(variant, visible)):
            assert tokenizer.decode(ids) == visible
        if not known:
            assert -1 in ids


@pytest.mark.parametrize("preset", PRESETS)
@examples(12)
@given(text=TEXTS, k=st.integers(0, 25))
def test_a_presets_segmentations_join_to_its_documents(preset: str, text: str, k: int) -> None:
    trace = train(text, merges=k, **PRESETS[preset].settings)
    symbols = [
        symbol for document in trace.request.documents(text) for symbol in trace.variant.symbols(document)
    ]
    for step in (0, len(trace.steps)):
        assert b"".join(trace.segment(text, step)) == b"".join(symbols)
    assert trace.tokens_total(0) == len(symbols)
    assert trace.tokens_total(len(trace.steps)) == len(trace.segment(text, len(trace.steps)))


@examples(40)
@given(documents=st.lists(TEXTS, max_size=4), rule=RULES, variant=st.sampled_from(list(VARIANTS)))
def test_documents_are_counted_together_word_by_word(documents: list[str], rule: str, variant: str) -> None:
    words: Counter[str] = Counter()
    for document in documents:
        words.update(VARIANTS[variant].split(document))
    together = train(documents, variant, rule, merges=20)
    assert together.merges == train(words, variant, rule, merges=20).merges
    assert dict(zip(together.pre_tokens, together.frequencies, strict=True)) == words


@examples(25)
@given(text=TEXTS, rule=RULES, variant=st.sampled_from(list(VARIANTS)), picks=st.data())
def test_training_continues_from_any_tied_pair_that_is_picked(
    text: str, rule: str, variant: str, picks: st.DataObject
) -> None:
    trace = train(text, variant, rule, merges=15)
    chosen: dict[int, Pair] = {}
    for rank in range(min(4, len(trace.steps))):
        trace = train(text, variant, rule, merges=15, picks=chosen)
        chosen[rank] = picks.draw(st.sampled_from(trace.tied_pairs(rank)))
    picked = train(text, variant, rule, merges=15, picks=chosen)
    assert {rank: picked.merges[rank] for rank in chosen} == chosen
    row = VARIANTS[variant]
    naive = naive_train(naive_words(text, row), rule, 15, variant=row, alphabet=picked.alphabet, picks=chosen)
    assert picked.merges == [pair for pair, _, _ in naive]


# Whatever a caller passes, the only error is a BPEError with one sentence.

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
