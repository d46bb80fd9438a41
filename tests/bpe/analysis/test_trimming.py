"""Trimming: rare tokens are undone as subword-nmt does it, and its price is what encoding the corpus again costs."""

import io
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from subword_nmt.apply_bpe import BPE

import bpe
from bpe import Symbol, Trace, Word
from bpe.analysis.audit import trimming, unreachable_tokens
from bpe.encoding.encoders import parts_of
from bpe.formats import FORMATS
from bpe.symbols import END_OF_WORD
from tests.bpe.text.random_texts import examples
from tests.material.texts import SENTENCES

TRIMMED = bpe.ENCODERS["trimmed"]
TEXTS = st.lists(st.text("abcé", min_size=1, max_size=9), min_size=1, max_size=30).map(" ".join)


def undone(token: Symbol, trace: Trace, counts: Counter[Symbol], threshold: int) -> Word:
    """Return what replaces a token: split it and its parts as long as they are rare."""
    pair = trace.parents(token) if token in trace.tokenizer().ids else None
    if pair is None or counts[token] >= threshold:
        return (token,)
    return undone(pair[0], trace, counts, threshold) + undone(pair[1], trace, counts, threshold)


@given(TEXTS, st.integers(0, 12), st.integers(0, 6), TEXTS)
@examples(25)
def test_rare_tokens_are_split_until_no_part_is_rare(
    text: str, merges: int, threshold: int, new: str
) -> None:
    trace = bpe.train(text, "char-eow", merges=merges)
    tokenizer, row = trace.tokenizer(), TRIMMED.using(threshold=threshold)
    counts = Counter(trace.token_counts(len(trace.steps)))
    for sample in (text, new):
        expected = [
            part for token in tokenizer.tokens(sample) for part in undone(token, trace, counts, threshold)
        ]
        assert tokenizer.tokens(sample, row) == expected
    assert tokenizer.decode(tokenizer.encode(text, row)) == tokenizer.decode(tokenizer.encode(text))
    priced = trimming(trace, len(trace.steps), threshold)
    assert priced.tokens_before == len(tokenizer.tokens(text))
    assert priced.tokens_after == len(tokenizer.tokens(text, row))
    assert priced.vocabulary_after == trace.vocabulary_size(len(trace.steps)) - len(priced.removed)
    assert not {trimmed.symbol for trimmed in priced.removed} & set(tokenizer.tokens(text + " " + new, row))
    assert not unreachable_tokens(trace, len(trace.steps))


def test_a_token_that_never_occurs_is_rare_at_the_lowest_threshold() -> None:
    assert parts_of([(b"a", b"b")], {}, threshold=1) == {b"ab": (b"a", b"b")}
    assert parts_of([(b"a", b"b")], {}, threshold=0) == {}


@pytest.mark.parametrize("preset", ["subword-nmt", "hf-char"])
@pytest.mark.parametrize("threshold", [1, 2, 5, 9])
def test_subword_nmt_splits_the_same_tokens(threshold: int, preset: str) -> None:
    """Its vocabulary file holds the counts, and its option --vocabulary-threshold is the encoder's setting."""
    trace = bpe.train(SENTENCES, merges=300, **bpe.PRESETS[preset].settings)
    codes = io.StringIO(FORMATS["subword-nmt"].export(trace, len(trace.steps)))
    lines = FORMATS["subword-nmt-vocabulary"].export(trace, len(trace.steps)).splitlines()
    counts = {token: int(count) for token, count in (line.rsplit(" ", 1) for line in lines)}
    vocabulary = {token for token, count in counts.items() if count >= threshold}
    assert vocabulary  # without one it would split nothing
    theirs = BPE(codes, vocab=vocabulary)
    new = "the lowest newest widest towers are unbelievable"
    tokenizer, row = trace.tokenizer(), TRIMMED.using(threshold=threshold)
    for line in [*SENTENCES.split("\n"), new]:
        ours = [
            symbol.removesuffix(END_OF_WORD).decode() + "@@" * (not symbol.endswith(END_OF_WORD))
            for symbol in tokenizer.tokens(line, row)
        ]
        assert ours == theirs.segment(line).split()
    assert sum(counts.values()) == len(tokenizer.tokens(SENTENCES))


def test_a_tokenizer_without_counts_has_no_rare_tokens() -> None:
    content = FORMATS["merges-txt"].export(bpe.train("low low lower", merges=3), 3)
    opened = FORMATS["merges-txt"].read(content, bpe.VARIANTS["char-eow"])
    assert opened.tokens("low", TRIMMED) == opened.tokens("low")


def test_a_word_that_is_looked_up_whole_is_split_into_parts() -> None:
    trace = bpe.train("abcd abcd ab", "bytes-whitespace", merges=3)
    tokenizer = bpe.Tokenizer(
        trace.variant, trace.tokenizer().vocabulary, trace.merges, frequencies={b"ab": 9}, whole_words=True
    )
    assert tokenizer.tokens("abcd", TRIMMED) == [b"ab", b"c", b"d"]
    *_, last = tokenizer.encode_steps("abcd", TRIMMED)
    assert last.segmentation == [(b"ab", b"c", b"d")]


def test_a_file_can_hold_a_token_that_no_text_gives() -> None:
    tokenizer = FORMATS["merges-txt"].read("b c\na b\nab c\n", bpe.VARIANTS["bytes-whitespace"])
    trace = bpe.replay("abc bc ab", tokenizer)
    assert unreachable_tokens(trace, len(trace.steps)) == [b"abc"]
