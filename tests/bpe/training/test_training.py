"""Training: what it counts, which pair it merges, when it stops, and which errors it raises."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tokenizers import ByteLevelBPETokenizer, SentencePieceBPETokenizer

import bpe
from bpe import END_OF_WORD, BPEError, Pair, Step, Training, custom_variant, merge_pair, train, train_steps
from bpe.formats import FORMATS
from bpe.settings.request import read_request
from bpe.settings.tie_breaking import TIE_BREAKS, _OrderedQueue
from bpe.text.variants import VARIANTS, characters
from bpe.training.textbook import textbook_train
from bpe.training.word_layout import Sizes
from command_line.commands import main
from tests.material import texts
from tests.material.texts import languages, runs, ties
from tests.naive import naive_train, naive_words


def test_overlapping_pairs_are_counted_and_merge_left_to_right() -> None:
    trace = train("aaaaa", "bytes", merges=1)
    assert trace.steps[0] == Step(rank=0, pair=(b"a", b"a"), count=4, tied=1, replaced=2)
    assert trace.segment("aaaaa", 1) == [b"aa", b"aa", b"a"]
    assert merge_pair((b"a",) * 5, (b"a", b"a")) == (b"aa", b"aa", b"a")


def test_a_count_is_the_sum_of_word_frequencies() -> None:
    assert train({"ab": 3, "abab": 2}, "bytes-gpt2").steps[0].count == 3 + 2 * 2


def test_no_pair_reaches_across_words_or_documents() -> None:
    assert (b"b", b"c") not in train("ab cd", "char-eow").pair_counts(0)
    assert (b"b", b"c") not in train(["ab", "cd"], "bytes").pair_counts(0)


def test_every_line_is_a_document_without_its_line_break() -> None:
    trace = train("ab\r\ncd\nef", "bytes", lines=True, merges=0)
    assert trace.pre_tokens == ("ab", "cd", "ef")


def test_words_are_spelled_as_the_variants_row_says() -> None:
    row = replace(
        VARIANTS["bytes-whitespace"], spell=lambda pre_token: characters(pre_token.lower()), spell_bytes=None
    )
    assert train("Low low lower", row, merges=2).merges == [(b"l", b"o"), (b"lo", b"w")]


@pytest.mark.parametrize("rule", TIE_BREAKS)
@pytest.mark.parametrize("variant", ["bytes", "char-eow-attached"])
@pytest.mark.parametrize("text", [ties, runs], ids=["ties", "runs"])
def test_hundreds_of_ties_and_runs_are_merged_as_by_the_oracle(text: Any, variant: str, rule: str) -> None:
    visible, row = text()[:1_500], VARIANTS[variant]
    trace = train(visible, variant, rule, merges=60, seed=3)
    naive = naive_train(naive_words(visible, row), rule, 60, variant=row, alphabet=trace.alphabet, seed=3)
    assert [(step.pair, step.count, step.tied) for step in trace.steps] == [
        (pair, count, len(tied)) for pair, count, tied in naive
    ]


STOPS = {
    "merges": ({"merges": 2}, "merges", 2),
    "none asked for": ({"merges": 0}, "merges", 0),
    "vocabulary size": ({"vocab_size": 10}, "vocab_size", 2),  # l o w e r s t and the marker: 8
    "alphabet alone": ({"vocab_size": 8}, "vocab_size", 0),
    "special tokens count": ({"vocab_size": 10, "special_tokens": ["<unk>"]}, "vocab_size", 1),
    "the smaller of the two": ({"vocab_size": 12, "merges": 3}, "merges", 3),
    "both at once": ({"vocab_size": 10, "merges": 2}, "merges", 2),
    "count": ({"min_count": 3}, "min_count", 2),
    "pairs run out": ({}, "no pairs", 9),
    "more than there are": ({"merges": 10_000}, "no pairs", 9),
}


@pytest.mark.parametrize(("given", "stopped", "learned"), STOPS.values(), ids=STOPS)
def test_the_first_stop_rule_that_holds_stops(given: dict[str, Any], stopped: str, learned: int) -> None:
    trace = train("low lower lowest", **given)
    assert (trace.stopped, len(trace.steps)) == (stopped, learned)


@pytest.mark.parametrize("text", ["", "   \n\t", "a", {}, [], ["", " "]], ids=repr)
@pytest.mark.parametrize("variant", VARIANTS)
def test_texts_with_nothing_to_merge_give_a_trace(variant: str, text: Any) -> None:
    trace = train(text, variant, merges=5)
    if not trace.steps:
        assert trace.stopped == "no pairs"
    k = len(trace.steps)
    assert trace.tied_pairs(k) == ()
    assert sum(trace.token_counts(k).values()) == trace.tokens_total(k)


def test_special_tokens_take_the_first_ids_then_the_alphabet_then_merges() -> None:
    trace = train("ba ba", "char-eow", merges=2, special_tokens=["<unk>", "<s>"])
    assert trace.vocabulary(2) == [b"<unk>", b"<s>", b"a", b"b", END_OF_WORD, b"ba", b"ba" + END_OF_WORD]


@pytest.mark.parametrize(
    ("order", "alphabet"),
    [
        (None, [b"a", b"b", b"c", END_OF_WORD]),
        ("value", [b"a", b"b", b"c", END_OF_WORD]),
        ("spelling", [END_OF_WORD, b"a", b"b", b"c"]),  # </w> sorts as it is spelled
        ("appearance", [b"c", b"b", b"a", END_OF_WORD]),
        (["</w>", "b"], [END_OF_WORD, b"b", b"a", b"c"]),
    ],
)
def test_the_alphabet_is_in_the_requested_order(order: Any, alphabet: list[bytes]) -> None:
    assert list(train("cb a", "char-eow", alphabet=order).alphabet) == alphabet


def test_a_training_can_be_stopped_after_any_step_and_continued() -> None:
    training = train_steps("low lower lowest", merges=5)
    assert isinstance(training, Iterator)
    first = list(islice(training, 2))
    trace = training.trace()
    assert trace.stopped == "cancelled"
    assert list(trace.steps) == first
    assert trace.merges == train("low lower lowest", merges=2).merges
    assert list(training)[-1].rank == 4  # It continues; the trace from before does not change.
    assert len(trace.steps) == 2
    assert training.trace().stopped == "merges"


REFUSED = {
    "lone surrogate": ({"text": "ab\ud800c"}, "U+D800 at position 2"),
    "lone surrogate in a document": ({"text": ["ab", "\udfff"]}, "U+DFFF at position 0 of document 2"),
    "text of another kind": ({"text": 3}, "str, documents or counted words, got int"),
    "bytes": ({"text": b"low"}, "str, documents or counted words, got bytes"),
    "bytes in a list": ({"text": [b"low"]}, "of document 1 must be a str, got bytes"),
    "frequency of nothing": ({"text": {"a": 0}}, "'a' must be at least 1, got 0"),
    "frequency in parts": ({"text": {"a": 1.5}}, "'a' must be a whole number, got 1.5"),
    "empty word": ({"text": {"": 1}}, "must not be empty"),
    "overflow": ({"text": {"ab": 2**62}}, "too large"),
    "variant": ({"variant": "words"}, "variant must be one of char-eow, "),
    "rule": ({"tie_break": "luck"}, "tie_break must be one of first, "),
    "setting": ({"merge": 3}, "no setting 'merge'"),
    "negative": ({"merges": -1}, "merges must be at least 0, got -1"),
    "fraction": ({"merges": 1.5}, "merges must be a whole number, got 1.5"),
    "vocabulary size in parts": ({"vocab_size": 9.5}, "vocab_size must be a whole number, got 9.5"),
    "negative vocabulary size": ({"vocab_size": -1}, "vocab_size must be at least 0, got -1"),
    "seed of 64 bits": ({"seed": 2**63}, "seed must be below 2..63"),
    "truth": ({"merges": True}, "merges must be a whole number, got True"),
    "count": ({"min_count": 0}, "min_count must be at least 1, got 0"),
    "vocabulary below the alphabet": (
        {"vocab_size": 7},
        "at least 8 .0 special tokens and 8 initial symbols., got 7",
    ),
    "vocabulary below the bytes": ({"variant": "bytes", "vocab_size": 255}, "at least 256"),
    "same special token twice": ({"special_tokens": ["a", "a"]}, "differ"),
    "empty special token": ({"special_tokens": [""]}, "not empty"),
    "special tokens as one text": ({"special_tokens": "<unk>"}, "list of texts"),
    "unknown token": ({"unknown_token": "<unk>"}, "one of the special tokens, got '<unk>'"),
    "normalization": ({"normalization": "nfc"}, "one of NFC, NFD, NFKC, NFKD, lower"),
    "alphabet": ({"alphabet": "abc"}, "alphabet must be one of value, "),
    "alphabet twice": ({"alphabet": ["l", "l"]}, "every symbol once"),
    "alphabet of bytes for characters": ({"alphabet": "gpt2-bytes"}, "orders bytes"),
    "pattern for another variant": ({"pattern": "a"}, "Only the variant 'custom'"),
    "pattern that does not compile": ({"variant": "custom", "pattern": "("}, "does not compile"),
    "unit": ({"variant": "custom", "unit": "words"}, "'bytes' or 'characters', got 'words'"),
    "pick of no tie": ({"picks": {0: (b"e", b"s")}}, "merge 1 must be one of the 2 pairs tied at 3"),
    "beyond 64 bits": ({"merges": -(10**5000)}, "merges must be below 2..63"),
    "alphabet of tokens": ({"alphabet": ["lo"]}, "initial symbols of the variant 'char-eow' only, got 'lo'"),
    "alphabet of a marked character": ({"alphabet": ["t</w>"]}, "initial symbols .* got 't</w>'"),
    "alphabet of nothing": ({"alphabet": [""]}, "initial symbols"),
    "alphabet with half a character": ({"alphabet": ["\ud800"]}, "U.D800 at position 0 of the alphabet"),
    "pieces of bytes": ({"variant": "bytes", "pieces": "sentencepiece"}, "use 'char-metaspace'"),
    "pattern with half a character": ({"variant": "custom", "pattern": "\udfff"}, "lone surrogates"),
    "pattern without end": ({"variant": "custom", "pattern": "(?R)"}, "must not call itself"),
    "pick by a number too high": (
        {"picks": {0: 2}},
        "The pick for merge 1 is number 3 of the tied pairs, but only 2 tie",
    ),
    "pick by a negative number": ({"picks": {0: -1}}, "pick of rank 0 must be at least 0, got -1"),
    "pick by truth": ({"picks": {0: True}}, "pick of rank 0 must be a whole number, got True"),
    "pick by a negative rank": ({"picks": {-1: 0}}, "pick's rank must be at least 0"),
    "picks as a list": ({"picks": [(b"l", b"o")]}, "picks must map ranks to pairs, got list"),
    "pick of texts": ({"picks": {0: ("l", "o")}}, "pair of symbols"),
    "pick of a long text": ({"picks": {0: ("l" * 9_000, "o")}}, "pair of symbols"),
    "pattern of a long list": (
        {"variant": "custom", "pattern": ["a"] * 9_000},
        "The pattern must be a string",
    ),
    "unit of a long text": ({"variant": "custom", "unit": "b" * 9_000}, "'bytes' or 'characters', got 'bbb"),
    "long second pattern": (
        {"second_pattern": b"a" * 9_000, "second_after": 1},
        "second_pattern must be a string",
    ),
    "long unknown token": ({"unknown_token": "a" * 9_000}, "one of the special tokens, got 'aaa"),
    "long normalization": (
        {"normalization": "N" * 9_000},
        "must be one of NFC, NFD, NFKC, NFKD, lower, got 'NNN",
    ),
}


@pytest.mark.parametrize(("given", "message"), REFUSED.values(), ids=REFUSED)
def test_an_error_says_what_must_hold_in_a_sentence_of_bounded_length(
    given: dict[str, Any], message: str
) -> None:
    with pytest.raises(BPEError, match=message.replace("+", r"\+")) as error:
        train(**{"text": "low lower lowest", **given})
    assert len(str(error.value)) < 600


def test_a_custom_variant_is_among_the_settings() -> None:
    trace = train("ab1 ab1", custom_variant("[a-z]+"), TIE_BREAKS["last"])
    assert trace.settings == {"variant": "custom", "pattern": "[a-z]+", "unit": "bytes", "tie_break": "last"}
    assert train("ab1 ab1", **trace.settings).merges == trace.merges == [(b"a", b"b")]


class InterruptedQueue(_OrderedQueue):
    """A queue that presses Ctrl-C when a pair ties with the others, which happens in the middle of a merge."""

    def add(self, pair: int) -> None:
        raise KeyboardInterrupt


def test_a_training_interrupted_inside_a_step_gives_no_trace() -> None:
    rule = replace(
        TIE_BREAKS["ids-min"],
        unordered_queue=lambda candidates: InterruptedQueue(candidates, lambda pair: pair),
    )
    training = train_steps({"abc": 2, "xy": 2}, "bytes", rule)
    with pytest.raises(KeyboardInterrupt):
        training.finish()
    with pytest.raises(BPEError, match="interrupted in the middle of a merge"):
        training.trace()


def test_six_late_picks_given_by_number_need_one_training() -> None:
    text = ties()[:2_000]
    picks: dict[int, int] = {}
    pairs: dict[int, Pair] = {}
    for rank in range(150, 162, 2):  # Which pairs tie, and in which order, depends on the earlier picks.
        tied = train(text, merges=rank, picks=pairs).tied_pairs(rank)
        picks[rank], pairs[rank] = len(tied) - 1, tied[-1]
    assert min(picks.values()) > 0
    trace = train(text, merges=165, picks=picks)
    assert {rank: trace.merges[rank] for rank in picks} == pairs
    assert trace.merges == train(text, merges=165, picks=pairs).merges
    assert train(text, **trace.settings).merges == trace.merges


@pytest.mark.parametrize("rule", ["last", "random", "pair-max"])
def test_a_number_counts_the_tied_pairs_by_first_occurrence_under_every_rule(rule: str) -> None:
    text = ties()[:1_000]
    tied = train(text, "bytes-gpt2", rule, merges=80).tied_pairs(80)
    assert len(tied) > 2
    for number in (0, 1, len(tied) // 2, len(tied) - 1):
        assert train(text, "bytes-gpt2", rule, merges=81, picks={80: number}).merges[80] == tied[number]


def test_text_is_split_at_the_longest_special_token() -> None:
    """Neither `<a>` nor the `b` after it may be left over from `<a>b`."""
    counted = train(
        "xx<a>bxx<a>xx", "bytes", special_tokens=["<a>", "<a>b"], cut_special_tokens=True, merges=0
    )
    assert counted.pre_tokens == ("xx",)


def test_picks_beyond_the_last_step_are_ignored() -> None:
    assert train("ab", "bytes", picks={7: (b"a", b"b")}).merges == [(b"a", b"b")]


@pytest.mark.parametrize("rule", ["first", "last", "random"])
def test_a_large_corpus_is_stored_in_arrays_and_trained_alike(rule: str) -> None:
    small = train(ties(), "bytes", rule, merges=200)
    request = read_request("bytes", rule, merges=200)
    large = (
        Training(request, request.count(ties()), sizes=Sizes(large_corpus=0, long_list=0)).finish().trace()
    )
    assert list(large.steps) == list(small.steps)
    assert large.words_at(100) == small.words_at(100)


# A text that is read line by line gives what the libraries learn from files.

# Spaces at the ends of lines, empty lines, carriage returns: where line by line and as a whole differ
ENDS = "low \nlow \nlow  \nlower \r\nlower \r\nnew\n\n\nnew\n\n\n  x\n  x\n" * 3
TEXTS = {"line ends": ENDS, "source": texts.source()[:90_000], "languages": texts.languages()[:20_000]}
LIBRARIES = {"hf-bytelevel": ByteLevelBPETokenizer, "hf-metaspace": SentencePieceBPETokenizer}


def merges_of(content: str) -> list[list[str]]:
    merges: list[list[str]] = json.loads(content)["model"]["merges"]
    return merges


def learned_from_file(preset: str, path: Path, size: int = 800) -> list[list[str]]:
    library: Any = LIBRARIES[preset]()
    library.train([str(path)], vocab_size=size, min_frequency=2, show_progress=False)
    return merges_of(library.to_str())


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("preset", LIBRARIES)
def test_lines_give_what_the_library_learns_from_a_file(preset: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_bytes(TEXTS[name].encode())
    theirs = learned_from_file(preset, path)
    settings = bpe.PRESETS[preset].settings
    trace = bpe.train(TEXTS[name], merges=len(theirs), lines="ended", **settings)
    assert merges_of(FORMATS["tokenizer-json"].trace_content(trace, len(trace.steps)).decode()) == theirs
    whole = bpe.train(TEXTS[name], merges=len(theirs), **settings)
    assert name == "languages" or whole.merges != trace.merges  # so the setting matters


@pytest.mark.parametrize("preset", LIBRARIES)
def test_the_command_line_reads_a_long_file_line_by_line(preset: str, tmp_path: Path) -> None:
    path, output = tmp_path / "corpus.txt", tmp_path / "tokenizer.json"
    path.write_bytes((TEXTS["source"] * 2).encode())  # several chunks
    theirs = learned_from_file(preset, path)
    arguments = ["train", str(path), "--preset", preset, "--lines", "--merges", str(len(theirs))]
    assert main([*arguments, "-o", str(output)]) == 0
    assert merges_of(output.read_text("utf-8")) == theirs


def test_a_trainer_that_reads_lines_in_its_own_way_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_bytes(ENDS.encode())
    traces = []
    for number, lines in enumerate(([], ["--lines"])):
        output = tmp_path / f"{number}.trace.json"
        assert main(["train", str(path), "--preset", "sentencepiece", *lines, "-o", str(output)]) == 0
        traces.append(output.read_bytes())
    assert traces[0] == traces[1]


def test_another_way_to_read_lines_is_refused() -> None:
    with pytest.raises(BPEError, match="lines must be True, False, 'whole', 'ended' or 'bare', got 'some'"):
        bpe.train("a", lines="some")


# The ten-line textbook trainer and the fast trainer learn the same merges.


def test_both_learn_hundreds_of_random_texts_alike() -> None:
    rng = random.Random(5)
    for _ in range(300):
        text = "".join(rng.choices("aab c", k=rng.randint(0, 60)))
        for variant in ("bytes", "char-eow"):
            words = naive_words(text, VARIANTS[variant])
            assert train(text, variant).merges == textbook_train(words, 1_000), (text, variant)


def test_the_oracle_with_the_first_rule_is_the_textbook() -> None:
    variant = VARIANTS["char-eow"]
    words = naive_words(languages()[:2_000], variant)
    steps = naive_train(words, "first", 40, variant=variant)
    assert [pair for pair, _, _ in steps] == textbook_train(words, 40)
