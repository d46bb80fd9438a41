"""The code on the pages is the code that runs: the lines shown, run as they stand, learn what the trainer learns."""

import hashlib
import inspect
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe import PRESETS, TIE_BREAKS, VARIANTS, Pair, Trace, Variant, Word, merge_pair, replay, train
from bpe.encoding import textbook
from bpe.encoding.encoders import ENCODERS, Encoder
from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import END_OF_WORD, START_OF_WORD, pairs_apart
from bpe.training.script import MARK
from bpe.training.textbook import textbook_train
from film.feed import CodeLine
from film.textbook_code import (
    code_lines,
    decoding_lines,
    encoder_lines,
    spelling_lines,
    training_code,
)
from film.training_feed import training_feed
from tests.bpe.encoding.naive_encoders import textbook_names
from tests.bpe.text.random_texts import examples
from tests.material import texts

TEXT = "low low low lower lower newest widest"


def shown(lines: Sequence[CodeLine], own: Mapping[str, Sequence[str]], pairs: str = "pairwise") -> str:
    """Return the lines as one text, with a training's own in place of those at their beats.

    pairs: the function that gives the pairs of neighbours.
    """
    return "\n".join(
        "    " * line["depth"] + text.replace("pairs_of", pairs)
        for line in lines
        for text in own.get(line["beat"], [line["text"]])
    )


def as_learned(symbol: str | bytes, variant: Variant) -> bytes:
    """Return the symbol that the code writes as text, with MARK for its marker."""
    if isinstance(symbol, bytes):
        return symbol
    return symbol.encode().replace(MARK.encode(), variant.marker or b"")


def learned(code: str, trace: Trace, text: str | Sequence[str] | Mapping[str, int]) -> list[Pair]:
    """Return what the shown lines learn of a text, as pairs of bytes."""
    variant = trace.variant
    marker = variant.marker or b""

    def as_shown(symbol: bytes) -> str | bytes:
        return symbol if variant.unit == "bytes" else symbol.replace(marker, MARK.encode()).decode()

    def merged(word: Any, pair: Any) -> Any:
        return merge_pair(word, pair)

    alphabet = [as_shown(symbol) for symbol in trace.alphabet]
    merges: list[Any] = []
    names: dict[str, Any] = {
        "text": text,
        "documents": text,
        "frequencies": text,
        "most": len(trace.steps),
        "merges": merges,
        "Counter": Counter,
        "re": re,
        "regex": regex,
        "PATTERN": variant.split_pattern,
        "MARK": MARK,
        "spelled": lambda symbol: symbol.replace(MARK, variant.marker_text),
        "pairwise": pairwise,
        "pairs_apart": pairs_apart,
        "merge_pair": merged,
        "ids": {symbol: number for number, symbol in enumerate(alphabet)},
        "alphabet": alphabet,
        "hashlib": hashlib,
        "SEED": trace.request.seed,
    }
    exec(code, names)  # noqa: S102  # the lines of our own source
    return [(as_learned(left, variant), as_learned(right, variant)) for left, right in merges]


def check(trace: Trace, text: str) -> None:
    """Check that the lines shown for a training learn its merges from its text."""
    own = training_code(trace, counted=False)
    assert own["split"]
    pairs = "pairwise" if trace.request.overlaps else "pairs_apart"
    assert learned(shown(code_lines(), own, pairs), trace, text) == trace.merges


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("rule", TIE_BREAKS)
def test_the_lines_shown_learn_what_the_trainer_learns(variant: str, rule: str) -> None:
    for text in (texts.ties(length=200), texts.SENTENCES[:200], "aaaa aaa aa baab"):
        check(train(text, variant, rule, merges=25, seed=3), text)


@pytest.mark.parametrize("variant", VARIANTS)
@examples(15)
@given(
    text=st.text(st.sampled_from("ab _</w>▁é😊\n\r\t '1"), max_size=40),
    rule=st.sampled_from(list(TIE_BREAKS)),
    overlaps=st.booleans(),
)
def test_they_do_so_for_hostile_texts(variant: str, text: str, rule: str, overlaps: bool) -> None:
    check(train(text, variant, rule, merges=12, overlaps="count" if overlaps else "skip"), text)


def test_the_line_for_a_marker_compares_what_the_rule_compares() -> None:
    """Spelled out, </w> comes before a letter; as the last code point it would come after all of them."""
    text = "a~ a a~ a"
    trace = train(text, "char-eow", "pair-max", merges=2)
    code = training_code(trace, counted=False)
    wrong = {**code, "select": ["best = max(counts, key=lambda pair: (counts[pair], pair))"]}
    assert learned(shown(code_lines(), code), trace, text) == trace.merges
    assert learned(shown(code_lines(), wrong), trace, text) != trace.merges


BROKEN = {
    "frequency": ("+ frequency", "+ 1"),
    "merge": ("merge_pair(word, best): n", "word: n"),
    "a further line": ("merges.append(best)", "merges.append(best)\n        merges.append(best)"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_a_mistake_in_the_textbook_is_seen_in_the_lines_shown(broken: str) -> None:
    source = inspect.getsource(textbook_train)
    trace = train(TEXT, merges=10)
    own = training_code(trace, counted=False)
    assert learned(shown(code_lines(source), own), trace, TEXT) == trace.merges
    wrong = source.replace(*BROKEN[broken])
    assert wrong != source
    with pytest.raises((AssertionError, ValueError)):
        assert learned(shown(code_lines(wrong), own), trace, TEXT) == trace.merges


def test_the_textbook_s_choice_is_that_of_the_first_rule() -> None:
    (choice,) = [line["text"] for line in code_lines() if line["beat"] == "select"]
    (first,) = TIE_BREAKS["first"].code
    assert choice == first


def test_the_code_has_twelve_lines_and_a_sentence_for_each() -> None:
    lines = code_lines()
    assert len(lines) == 12
    assert all(line["about"].endswith(".") for line in lines)
    assert [line["beat"] for line in lines if line["beat"]] == [
        "split", "spell", "rest", *["count"] * 4, "stop", "select", "fuse", "settle"
    ]  # fmt: skip


def test_a_training_that_the_loop_does_not_tell_shows_no_code() -> None:
    assert training_code(train("low lower", merges=2), counted=False)["select"] == list(
        TIE_BREAKS["first"].code
    )
    limited = train("low lower", merges=2, max_token_length=3)
    assert "limit what a token may be" in why_none(limited)
    sentencepiece = train("low lower", vocab_size=20, **PRESETS["sentencepiece"].settings)
    assert "limit what a token may be" in why_none(sentencepiece)
    assert "two stages" in why_none(train("by the way", merges=4, second_pattern="lines", second_after=2))
    assert "learned elsewhere" in why_none(replay("low lower", limited.tokenizer()))


def why_none(trace: Trace) -> str:
    """Return the sentence that stands in place of the code."""
    ((why,),) = training_code(trace, counted=False).values()
    return why


def test_words_with_counts_are_not_split_and_their_code_begins_with_the_frequencies() -> None:
    words = {"low": 3, "lower": 2}
    trace = train(words, merges=3)
    code = training_feed(trace, words)["code"]
    assert code["split"] == []
    assert learned(shown(code_lines(), code), trace, words) == trace.merges


def test_a_line_that_would_leave_something_out_is_not_shown() -> None:
    for settings in ({"lines": True}, {"normalization": "NFKC"}, {"word_order": "frequency"}):
        assert training_code(train("low lower", merges=2, **settings), counted=False)["split"] == []
    rare = train("low lower", "char-metaspace", merges=2, character_coverage=0.9)
    assert training_code(rare, counted=False)["spell"] == []


def test_the_line_that_stops_the_loop_knows_the_smallest_count() -> None:
    text = "low low lower lower newer"
    trace = train(text, min_count=3)
    code = training_code(trace, counted=False)
    assert code["stop"] == ["if not counts or max(counts.values()) < 3:"]
    most = train(text, merges=99)
    assert len(learned(shown(code_lines(), code), most, text)) == len(trace.steps) < len(most.steps)


# The code of the encoders

ENCODER_NAMES = {
    "pairwise": pairwise,
    "merge_pair": merge_pair,
    "find": textbook.find,
    "merge_at": textbook.merge_at,
    "Random": Random,
}


def encoded(lines: Sequence[CodeLine], encoder: Encoder, tokenizer: Tokenizer, word: Word) -> Word:
    """Return the tokens that the shown lines give: the first function of them is called."""
    names: dict[str, Any] = dict(ENCODER_NAMES)
    exec(shown(lines, {}), names)  # noqa: S102  # the lines of our own source
    name, parameters = re.match(r"def (\w+)\((.*)\):", lines[0]["text"]).groups()  # type: ignore[union-attr]
    given = textbook_names(encoder, tokenizer._input)
    return tuple(names[name](word, *(given[one] for one in parameters.split(", ")[1:])))


@pytest.mark.parametrize("slug", ENCODERS)
@given(text=st.text(st.sampled_from("ab _é😊\n"), max_size=24), variant=st.sampled_from(list(VARIANTS)))
def test_the_lines_shown_encode_as_the_encoder_does(slug: str, text: str, variant: str) -> None:
    encoder = ENCODERS[slug].using(**({"p": 0.4} if slug == "dropout" else {}))
    tokenizer = train(f"a {text * 2}", variant, merges=12).tokenizer()
    lines = encoder_lines(tokenizer.textbook(encoder))
    assert len(lines) <= 15
    assert all(line["about"].endswith((".", "?")) for line in lines)
    assert {"rest", "fuse"} <= {line["beat"] for line in lines} or slug == "longest-in-use"
    for pre_token in tokenizer.variant.split(text):
        word = tokenizer.variant.spell(pre_token)
        expected = tuple(tokenizer.word_tokens(pre_token, encoder))
        assert encoded(lines, encoder, tokenizer, word) == expected


BROKEN_ENCODERS = {
    "rank": ("min(", "max("),
    "rules": ("in merges", "in reversed(merges)"),
    "longest": ("in tokens", "in reversed(tokens)"),
    "longest-in-use": ("if frequencies.get(token)", "if token"),
    "prefix": ("range(len(word), 0, -1)", "range(1, len(word) + 1)"),
    "fewest": ("min(ways", "max(ways"),
    "dropout": (">= p", "< p"),
    "trimmed": ("< threshold", "> threshold"),
}


@pytest.mark.parametrize("slug", ENCODERS)
def test_a_mistake_in_a_textbook_s_encoder_is_seen_in_the_lines_shown(slug: str) -> None:
    text = "abcab abc bca bcab cabca abab baba bcb cabc"
    encoder = ENCODERS[slug].using(**({"p": 0.4} if slug == "dropout" else {}))
    tokenizer = train(text, merges=24).tokenizer()
    functions = tokenizer.textbook(encoder)
    source = inspect.getsource(functions[0])
    wrong = source.replace(*BROKEN_ENCODERS[slug])
    assert wrong != source

    def right(lines: Sequence[CodeLine]) -> bool:
        return all(
            encoded(lines, encoder, tokenizer, tokenizer.variant.spell(word))
            == tuple(tokenizer.word_tokens(word, encoder))
            for word in [*text.split(), "abcabcab", "bcbcab", "cabab"]
        )

    assert right(encoder_lines(functions))
    assert not right(encoder_lines(functions, wrong))


# The code that splits, spells and decodes

HOSTILE = st.text(st.sampled_from("ab _</w>▁é😊\n\r\t '1\u0301\u200d"), max_size=30)


@pytest.mark.parametrize("slug", VARIANTS)
@given(text=HOSTILE.filter(bool))  # the page shows nothing of an empty text
def test_the_lines_shown_split_and_spell_as_the_variant_does(slug: str, text: str) -> None:
    variant = VARIANTS[slug]
    names: dict[str, Any] = {"text": text, "re": re, "regex": regex, "MARK": MARK}
    exec(shown(spelling_lines(variant), {}), names)  # noqa: S102  # the lines of our own source
    assert [variant.bytes_of(word) for word in names["words"]] == [
        variant.bytes_of(word) for word in variant.split(text)
    ]
    expected = [variant.spell(word) for word in variant.split(text)]
    assert [tuple(as_learned(symbol, variant) for symbol in word) for word in names["symbols"]] == expected


@pytest.mark.parametrize("slug", VARIANTS)
@examples(15)
@given(text=HOSTILE, data=st.data())
def test_the_lines_shown_decode_as_the_tokenizer_does(slug: str, text: str, data: st.DataObject) -> None:
    tokenizer = train(f"ab é {text}", slug, merges=8).tokenizer()
    ids = data.draw(st.lists(st.integers(0, len(tokenizer.vocabulary) - 1), max_size=12))
    assert decoded(decoding_lines(tokenizer.variant), tokenizer, ids) == tokenizer.decode(ids)


@pytest.mark.parametrize("slug", VARIANTS)
def test_a_mistake_in_decoding_is_seen_in_the_lines_shown(slug: str) -> None:
    tokenizer = train("low lower é", slug, merges=8).tokenizer()
    ids = tokenizer.encode("low é lower")
    wrong = inspect.getsource(tokenizer.variant.decode).replace("decode(", "upper().decode(")
    assert decoded(decoding_lines(tokenizer.variant), tokenizer, ids) == tokenizer.decode(ids)
    assert decoded(decoding_lines(tokenizer.variant, wrong), tokenizer, ids) != tokenizer.decode(ids)


def decoded(lines: Sequence[CodeLine], tokenizer: Tokenizer, ids: Sequence[int]) -> str:
    """Return the text that the shown lines make of ids."""
    names: dict[str, Any] = {
        "ids": ids,
        "vocabulary": tokenizer.vocabulary,
        "END_OF_WORD": END_OF_WORD,
        "START_OF_WORD": START_OF_WORD,
    }
    exec(shown(lines, {}), names)  # noqa: S102  # the lines of our own source
    return str(names["text"])
