"""Superwords: a second stage with a looser pattern, beside Hugging Face's trainer, and what may have one."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import models, pre_tokenizers, trainers

import bpe
from bpe import BPEError, Pair, Trace, Variant, Word
from bpe.analysis.best_pairs import best_pairs
from bpe.analysis.ties import tie_map
from bpe.formats import FORMATS
from bpe.formats.opening import open_tokenizer
from bpe.text.superwords import SECOND_PATTERNS, first_lengths, superword_variant
from tests.bpe.text.random_texts import examples
from tests.material import texts
from tests.naive import NAIVE_TIE_BREAKS, NaiveStep, naive_encode, naive_train, naive_words

Library = tokenizers.Tokenizer
FIRST, ALL = 150, 300
TEXT = (texts.SENTENCES + "\n  By the way,  it's 2 of the 1234 'the' ways.\n") * 3
UNSEEN = "by the way:   of the 'thing' it is\n\n 20250 ☃"


@pytest.fixture(scope="module", params=["lines", "superbpe"])
def pattern(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def trace(pattern: str) -> Trace:
    return bpe.train(
        TEXT,
        "bytes-gpt2",
        "ids-min",
        merges=ALL,
        second_pattern=pattern,
        second_after=FIRST,
        alphabet="gpt2-bytes",
    )


def merges_in_file(library: Library) -> list[tuple[str, str]]:
    return [(left, right) for left, right in json.loads(library.to_str())["model"]["merges"]]


def test_the_library_learns_the_same_merges_in_both_stages(pattern: str, trace: Trace) -> None:
    """It trains stage one. Then, with SuperBPE's splits, it trains on the tokens of stage one, a character each."""
    library = Library(models.BPE())
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=256 + FIRST, initial_alphabet=alphabet, show_progress=False)
    library.train_from_iterator([TEXT], trainer)
    first = open_tokenizer({"tokenizer.json": library.to_str().encode()}).tokenizer
    assert list(first.merges) == trace.merges[:FIRST]

    isolated = pre_tokenizers.Split(tokenizers.Regex(SECOND_PATTERNS[pattern].pattern), "isolated")
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    library.pre_tokenizer = pre_tokenizers.Sequence([isolated, byte_level])
    pieces = [TEXT[slice(*span)] for _, span in library.pre_tokenizer.pre_tokenize_str(TEXT)]
    words = ["".join(chr(0xF0000 + number) for number in library.encode(piece).ids) for piece in pieces]
    second = Library(models.BPE())
    second.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    second.train_from_iterator([" ".join(words)], trainers.BpeTrainer(vocab_size=2_000, show_progress=False))
    symbol_of = {chr(0xF0000 + number): symbol for number, symbol in enumerate(first.vocabulary)}
    learned = [
        tuple(b"".join(map(symbol_of.__getitem__, side)) for side in pair) for pair in merges_in_file(second)
    ]
    assert learned[: ALL - FIRST] == trace.merges[FIRST:]
    assert any(b" " in (left + right).strip() for left, right in trace.merges[FIRST:])


def test_the_film_the_encoding_and_the_file_agree(pattern: str, trace: Trace) -> None:
    tokenizer = trace.tokenizer()
    assert trace.second_stage == FIRST
    for text in (TEXT, UNSEEN):
        assert trace.segment(text, ALL) == tokenizer.tokens(text)
        assert tokenizer.decode(tokenizer.encode(text)) == text
    library = Library.from_str(FORMATS["tokenizer-json"].trace_content(trace, ALL).decode())
    assert library.encode(TEXT).ids == tokenizer.encode(TEXT)
    opened = open_tokenizer({"tokenizer.json": library.to_str().encode()}).tokenizer
    assert opened.encode(UNSEEN) == tokenizer.encode(UNSEEN) == library.encode(UNSEEN).ids


def test_the_first_stage_is_a_training_of_its_own(trace: Trace) -> None:
    alone = bpe.train(TEXT, "bytes-gpt2", "ids-min", merges=FIRST, alphabet="gpt2-bytes")
    assert list(trace.steps[:FIRST]) == list(alone.steps)
    for k in (0, FIRST // 2, FIRST - 1):
        assert trace.pair_counts(k) == alone.pair_counts(k)
        assert trace.tokens_total(k) == alone.tokens_total(k)
        assert trace.tokenizer(k).tokens(UNSEEN) == alone.tokenizer(k).tokens(UNSEEN)
    assert trace.tokenizer(FIRST).tokens(UNSEEN) == alone.tokenizer().tokens(UNSEEN)
    assert trace.vocabulary(FIRST) == alone.vocabulary(FIRST)
    assert [trace.id_of(symbol) for symbol in alone.symbols] == [alone.id_of(s) for s in alone.symbols]
    assert tie_map(trace).kinds[:FIRST] == tie_map(alone).kinds
    assert best_pairs(trace)[:FIRST] == best_pairs(alone)


@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_the_counts_of_the_second_stage_are_those_of_its_words(trace: Trace, share: float) -> None:
    k = FIRST + round(share * (ALL - FIRST))
    words = trace.words_at(k)
    assert trace.pair_counts(k) == bpe.count_pairs(words)
    assert trace.tokens_total(k) == sum(len(word) * frequency for word, frequency in words)
    assert trace.tokens_total(k) == trace.tokens_by_step()[k] == sum(trace.token_counts(k).values())
    assert trace.in_use_by_step()[k] == trace.in_use(k)
    assert len(trace.tokens_by_step()) == len(trace.in_use_by_step()) == len(best_pairs(trace)) + 1
    if k < ALL:
        assert trace.steps[k].pair in trace.tied_pairs(k)
        assert len(trace.tied_pairs(k)) == trace.steps[k].tied
        assert best_pairs(trace)[k].count == trace.steps[k].count


def test_a_tokenizer_goes_on_to_superwords() -> None:
    base = bpe.train(TEXT, "bytes-gpt2", merges=FIRST).tokenizer()
    trace = bpe.continue_training(TEXT, base, merges=80, second_pattern="lines")
    assert trace.second_stage == len(trace.steps) - 80
    assert trace.settings["second_pattern"] == "lines"
    learned = [step for step in trace.steps if step.list_rank is None]
    assert len(learned) == 80
    assert any(b" " in b"".join(step.pair).strip() for step in learned)
    assert list(trace.tokenizer().vocabulary[: len(base.vocabulary)]) == list(base.vocabulary)
    k = len(trace.steps)
    assert trace.tokenizer().tokens(UNSEEN) == trace.segment(UNSEEN, k)
    assert trace.tokenizer(trace.second_stage).tokens(UNSEEN) == base.tokens(UNSEEN)
    library = Library.from_str(FORMATS["tokenizer-json"].trace_content(trace, k).decode())
    assert library.encode(TEXT).ids == trace.tokenizer().encode(TEXT)
    # The same merges, learned in one go from the text
    both = bpe.train(TEXT, "bytes-gpt2", merges=FIRST + 80, second_pattern="lines", second_after=FIRST)
    assert both.merges[FIRST:] == [step.pair for step in learned]


def test_a_training_that_ends_in_its_first_stage_is_like_any_other() -> None:
    plain = bpe.train("low lower lowest", merges=2)
    short = bpe.train("low lower lowest", merges=2, second_pattern="lines", second_after=2)
    assert (short.merges, short.second_stage, short.pre_tokens) == (plain.merges, None, plain.pre_tokens)
    training = bpe.train_steps("low lower lowest", merges=9, second_pattern="lines", second_after=3)
    next(training)
    assert training.trace().second_stage is None
    assert training.finish().trace().second_stage == 3
    early = bpe.train("ab", merges=9, second_pattern="lines", second_after=7)
    assert (early.second_stage, early.stopped) == (3 - 1, "no pairs")


def test_the_words_of_the_first_stage_can_be_counted() -> None:
    variant = superword_variant(bpe.VARIANTS["bytes-gpt2"], r"\p{N}+")
    assert variant.split("by the way, 12") == ["by the way, ", "12"]
    assert first_lengths(variant, "by the way, ") == [2, 4, 4, 1, 1]
    again = superword_variant(variant, "lines")
    assert again.first is bpe.VARIANTS["bytes-gpt2"]


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "only a pattern": ({"second_pattern": "lines"}, "needs both settings"),
    "only a number": ({"second_after": 3}, "needs both settings"),
    "a wrong pattern": ({"second_pattern": "(", "second_after": 3}, "does not compile"),
    "a negative number": ({"second_pattern": "lines", "second_after": -1}, "second_after must be at least 0"),
    "no text": ({"second_pattern": 3, "second_after": 1}, "second_pattern must be a string"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_settings_that_make_no_second_stage_are_refused(name: str) -> None:
    given_settings, sentence = REFUSED[name]
    with pytest.raises(BPEError, match=sentence):
        bpe.train("low", merges=5, **given_settings)


def test_what_cannot_have_superwords_says_so() -> None:
    with pytest.raises(BPEError, match="must read the text itself, got counted words"):
        bpe.train({"low": 2}, second_pattern="lines", second_after=1)
    base = bpe.train("low low", merges=1).tokenizer()
    with pytest.raises(BPEError, match="leave second_after out"):
        bpe.continue_training("low", base, second_pattern="lines", second_after=1)
    trace = bpe.train("by the way by the way", "char-eow", merges=9, second_pattern="lines", second_after=3)
    for slug in ("merges-txt", "subword-nmt", "vocab-json", "tokenizer-json"):
        assert FORMATS[slug].refusal(trace, 9)
        assert slug == "tokenizer-json" or not FORMATS[slug].refusal(trace, 3)
    assert json.loads(FORMATS["trace-json"].trace_content(trace, 9).decode())["settings"]["second_after"] == 3
    spaces = bpe.train("by the by the", "bytes-whitespace", merges=4, second_pattern="lines", second_after=3)
    assert "drops text" in (FORMATS["tokenizer-json"].refusal(spaces, 4) or "")


def test_a_pair_can_be_picked_by_hand_in_either_stage(trace: Trace, pattern: str) -> None:
    for first in (FIRST - 40, FIRST + 1):
        rank = next(step.rank for step in trace.steps[first:] if step.tied > 2)
        settings = {**trace.settings, "picks": {rank: 2}}
        picked = bpe.train(TEXT, **settings)
        assert picked.steps[rank].pair == trace.tied_pairs(rank)[2]
        assert picked.merges[:rank] == trace.merges[:rank]


def test_the_end_of_two_stages_has_the_reason_that_one_stage_would_have() -> None:
    limits: list[tuple[dict[str, Any], str]] = [
        ({"merges": 6}, "merges"),
        ({"vocab_size": 262}, "vocab_size"),
    ]
    for limit, stopped in limits:
        trace = bpe.train(
            "by the way by the way", "bytes-gpt2", second_after=3, second_pattern="lines", **limit
        )
        assert (len(trace.merges), trace.stopped) == (6, stopped)


# Superwords beside a loop without any index: both stages, and the most words that a superword may have.


def naive_second_stage(
    text: str,
    second: Variant,
    first: list[NaiveStep],
    rule: str,
    merges: int,
    allowed: Callable[[Pair], bool] | None = None,
) -> list[NaiveStep]:
    """Learn merges over the longer words, which the merges of stage one have segmented in order of their ranks."""
    learned = [pair for pair, _, _ in first]
    words: dict[Word, int] = {}
    for word, frequency in naive_words(text, second).items():
        segmented = naive_encode(word, learned)
        words[segmented] = words.get(segmented, 0) + frequency
    symbols = {symbol for word in naive_words(text, second) for symbol in word}
    alphabet = [*sorted(symbols, key=lambda s: (s[-1:] == bpe.END_OF_WORD, s)), *map(b"".join, learned)]
    return naive_train(words, rule, merges, variant=second, alphabet=alphabet, allowed=allowed)


@examples(60)
@given(
    st.text("ab 1.\n", max_size=40),
    st.integers(0, 4),
    st.integers(0, 6),
    st.sampled_from(sorted(set(NAIVE_TIE_BREAKS) - {"manual", "random", "names-max"})),
    st.sampled_from([slug for slug in bpe.VARIANTS if slug not in ("bytes", "custom")]),
    st.sampled_from([*SECOND_PATTERNS, "1", "a "]),
)  # fmt: skip
def test_both_stages_are_those_of_a_loop_without_an_index(
    text: str, after: int, more: int, rule: str, variant: str, pattern: str
) -> None:
    row = bpe.VARIANTS[variant]
    trace = bpe.train(text, variant, rule, merges=after + more, second_pattern=pattern, second_after=after)
    first = naive_train(naive_words(text, row), rule, after, variant=row)
    second_variant = superword_variant(row, pattern)
    second = naive_second_stage(text, second_variant, first, rule, after + more - len(first))
    steps: list[tuple[Pair, int, int]] = [
        (pair, count, len(tied)) for pair, count, tied in (*first, *(second if more else ()))
    ]
    assert [(step.pair, step.count, step.tied) for step in trace.steps] == steps
    k = len(trace.steps)
    if more and len(trace.steps) < after + more:
        assert trace.stopped == "no pairs"
    if k > after:
        assert trace.tokenizer().tokens(text) == trace.segment(text, k)
    assert trace.tokenizer().decode(trace.tokenizer().encode(text)) == row.normalise(text)
    assert len(set(trace.symbols)) == len(trace.symbols)
    if trace.second_stage is not None and row.lossless:
        assert "".join(trace.variant.split(text)) == text


def words_in(token: bytes) -> int:
    """Count the words of a token letter by letter, as a reader would."""
    words, inside = 0, False
    for value in token:
        is_letter = value not in b" \xfe\xff"
        words += is_letter and not inside
        inside = is_letter
    return words


@examples(25)
@given(
    st.text("ab ", min_size=4, max_size=60),
    st.integers(0, 3),
    st.integers(1, 4),
    st.sampled_from(["first", "last", "ids-min", "pair-max", "longest"]),
    st.sampled_from(["bytes-gpt2", "char-eow", "char-metaspace"]),
)
def test_a_limit_of_words_is_that_of_a_loop_without_an_index(
    text: str, after: int, most: int, rule: str, variant: str
) -> None:
    row = bpe.VARIANTS[variant]
    second: dict[str, Any] = {"second_pattern": "lines", "second_after": after, "second_words": most}
    trace = bpe.train(text, variant, rule, merges=after + 8, **second)
    first = naive_train(naive_words(text, row), rule, after, variant=row)
    rest = naive_second_stage(
        text,
        superword_variant(row, "lines"),
        first,
        rule,
        after + 8 - len(first),
        lambda pair: words_in(pair[0] + pair[1]) <= most,
    )
    assert [(step.pair, step.count, step.tied) for step in trace.steps] == [
        (pair, count, len(tied)) for pair, count, tied in (*first, *rest)
    ]
    for k in range(len(trace.steps)):
        assert trace.steps[k].pair in trace.tied_pairs(k)
        assert len(trace.tied_pairs(k)) == trace.steps[k].tied


def test_superwords_have_at_most_so_many_words() -> None:
    text = "by the way of the sea, by the way of the sea\n" * 5
    for most in (None, 4, 2):
        trace = bpe.train(
            text, "bytes-gpt2", merges=40, second_pattern="lines", second_after=10, second_words=most
        )
        longest = max(words_in(left + right) for left, right in trace.merges)
        assert longest > 4 if most is None else longest == most
    base = bpe.train(text, "bytes-gpt2", merges=10).tokenizer()
    trace = bpe.continue_training(text, base, merges=30, second_pattern="lines", second_words=3)
    assert max(words_in(left + right) for left, right in trace.merges) == 3
    assert trace.settings["second_words"] == 3


def test_a_limit_of_words_does_not_concern_the_merges_that_are_replayed() -> None:
    text = "by the way of the sea by the way\n" * 3
    settings: dict[str, Any] = {"second_pattern": "lines"}
    longer = bpe.train(text, "bytes-gpt2", merges=40, second_after=5, **settings).tokenizer()
    replayed = bpe.replay(text, longer).steps
    trace = bpe.continue_training(
        text + "the sea of the sea of the sea", longer, merges=4, second_words=2, **settings
    )
    own = [step for step in trace.steps if step.list_rank is not None]
    assert max(words_in(left + right) for left, right in (step.pair for step in own)) > 2
    assert [step.pair for step in own] == [step.pair for step in replayed]
    for step in trace.steps:
        assert not step.tied or step.pair in trace.tied_pairs(step.rank)
        assert len(trace.tied_pairs(step.rank)) == step.tied or not step.tied
        assert words_in(step.pair[0] + step.pair[1]) <= 2 or step.list_rank is not None


@pytest.mark.parametrize(
    "given", [{"second_words": 4}, {"second_words": 0, "second_pattern": "lines", "second_after": 1}]
)
def test_a_limit_of_words_needs_a_second_stage(given: dict[str, Any]) -> None:
    with pytest.raises(BPEError, match="second_words"):
        bpe.train("low low", **given)
