"""Every finding of an audit holds in Hugging Face's library, and so does a tokenizer without the tokens found."""

import io
import json
import random
import unicodedata
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from subword_nmt.apply_bpe import BPE
from tokenizers import models, normalizers, pre_tokenizers

import bpe
from bpe import BPEError, Symbol, Tokenizer, Trace, Word
from bpe.analysis.audit import (
    KINDS,
    NEIGHBOURS,
    OBSTACLES,
    Finding,
    _learned_tokens,
    _unreached_steps,
    audit,
    remove_tokens,
    trimming,
    unreachable_tokens,
)
from bpe.encoding.encoders import parts_of
from bpe.formats import FORMATS
from bpe.formats.hugging_face.reading import read_tokenizer
from bpe.formats.hugging_face.writing import write_tokenizer
from bpe.symbols import END_OF_WORD
from command_line.commands import main
from published.packing import open_published, original
from published.rows import PUBLISHED
from tests.bpe.formats.hugging_face_files import MODEL_FILES, PIPELINES, ids_of, library
from tests.bpe.text.random_texts import examples
from tests.material import texts
from tests.material.hostile_texts import STRINGS
from tests.material.texts import SENTENCES
from tests.test_published import by_tiktoken

TEXTS = [texts.SENTENCES, texts.source()[:4_000]]
NAMES = ["gpt2", "llama 3", "llama 2", "gpt-neox", "hf characters", "metaspace"]


@cache
def content_of(name: str) -> str:
    """Return a file with two tokens more, of which no text leads to one: t + h comes before h + x."""
    content = json.loads((library(name) if name in PIPELINES else MODEL_FILES[name]()).to_str())
    model = content["model"]
    # The library numbers added tokens after a vocabulary that does not list them.
    model["vocab"] |= {token["content"]: token["id"] for token in content["added_tokens"]}
    for left, right in (("h", "x"), ("t", "hx")):
        model["merges"].append([left, right])
        model["vocab"][left + right] = 100_000 + len(model["vocab"])
    return json.dumps(content)


@cache
def audited(name: str) -> tuple[Any, Tokenizer, dict[str, list[Finding]]]:
    theirs = tokenizers.Tokenizer.from_str(content_of(name))
    theirs.encode_special_tokens = True
    tokenizer = read_tokenizer(content_of(name))
    return theirs, tokenizer, audit(tokenizer, TEXTS)


@pytest.mark.parametrize("name", NAMES)
def test_the_library_never_gives_what_is_unreachable_or_unused(name: str) -> None:
    theirs, tokenizer, findings = audited(name)
    is_found = b"thx" in [finding.symbol for finding in findings["unreachable"]]
    assert is_found != tokenizer.whole_words  # which takes thx as a word
    assert findings["never"]
    used = {number for text in TEXTS for number in ids_of(theirs, text)}
    for slug in ("unreachable", "never", "inside", "glitch"):
        assert used.isdisjoint(finding.id for finding in findings[slug]), slug
    everywhere = used | {number for text in STRINGS for number in ids_of(theirs, text)}
    for finding in findings["unreachable"]:
        own = set(ids_of(theirs, finding.symbol.decode("utf-8", "replace").replace("▁", " ")))
        assert finding.id not in everywhere | own


@pytest.mark.parametrize("name", NAMES)
def test_what_is_only_inside_others_is_there_when_the_longer_tokens_are_gone(name: str) -> None:
    _, tokenizer, findings = audited(name)
    inside = {finding.symbol for finding in findings["inside"]}
    assert inside
    stages = [step.token for text in TEXTS for step in tokenizer.encode_steps(text)]
    assert inside <= set(stages)
    last = Counter(token for text in TEXTS for token in tokenizer.tokens(text))
    assert inside.isdisjoint(last)
    never = {finding.symbol for finding in findings["never"]}
    assert never.isdisjoint(stages)
    learned = {left + right for left, right in tokenizer.merges} - tokenizer.variant.own_symbols
    unreachable = {finding.symbol for finding in findings["unreachable"]}
    assert learned <= inside | never | unreachable | set(last)  # nothing is left out


@pytest.mark.parametrize("name", NAMES)
def test_a_smaller_tokenizer_encodes_the_texts_as_before_here_and_in_the_library(name: str) -> None:
    theirs, tokenizer, findings = audited(name)
    ids = {finding.id for slug in ("unreachable", "never") for finding in findings[slug]}
    removal = remove_tokens(tokenizer, ids)
    assert removal.removed
    assert removal.needed == ()  # what nothing uses, nothing needs
    smaller = tokenizers.Tokenizer.from_str(write_tokenizer(removal.tokenizer))
    smaller.encode_special_tokens = True
    assert smaller.get_vocab_size() == theirs.get_vocab_size() - len(removal.removed)
    for text in TEXTS:
        assert ids_of(smaller, text) == ids_of(theirs, text) == removal.tokenizer.encode(text)
    for text in STRINGS:
        assert ids_of(smaller, text) == [n for n in removal.tokenizer.encode(text) if n >= 0], text


def test_what_others_are_made_of_stays() -> None:
    _, tokenizer, findings = audited("gpt2")
    removal = remove_tokens(tokenizer, [finding.id for finding in findings["inside"]])
    assert set(removal.needed) == {finding.symbol for finding in findings["inside"]}
    assert removal.tokenizer.encode(TEXTS[0]) == tokenizer.encode(TEXTS[0])


def test_tokens_that_were_not_learned_cannot_be_removed() -> None:
    _, tokenizer, _ = audited("gpt2")
    for number in (0, tokenizer.ids[b"a"], -1, 10**9):
        with pytest.raises(BPEError, match="Only learned tokens can be removed"):
            remove_tokens(tokenizer, [number])


def test_parts_of_characters_and_tokens_that_are_alike_are_listed() -> None:
    _, tokenizer, findings = audited("gpt2")
    broken = [finding.symbol for finding in findings["broken"]]
    assert broken
    for symbol in broken:
        with pytest.raises(UnicodeDecodeError):
            symbol.decode()
    alike = {
        tokenizer.variant.label(finding.symbol): finding.reason(tokenizer.variant.label).split()
        for finding in findings["alike"]
    }
    assert alike
    for label, others in alike.items():
        assert others
        for other in others:
            assert label in alike[other]
            assert label.strip("·↵").casefold() == other.strip("·↵").casefold()


def test_the_command_lists_and_removes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, text, output = tmp_path / "tokenizer.json", tmp_path / "text.txt", tmp_path / "small.json"
    file.write_text(content_of("gpt2"), "utf-8")
    text.write_text(TEXTS[0], "utf-8")
    assert main(["audit", "-t", str(file), str(text)]) == 0
    listed = capsys.readouterr().out
    assert all(f"{kind.title}: " in listed for kind in KINDS.values())
    assert main(["audit", "-t", str(file), str(text), "--list", "unreachable"]) == 0
    assert "\tthx\tth x\tthe merges make other tokens\n" in capsys.readouterr().out
    assert main(["audit", "-t", str(file), str(text), "--json"]) == 0
    assert json.loads(capsys.readouterr().out).keys() == KINDS.keys()
    assert (
        main(["audit", "-t", str(file), str(text), "--remove", "unreachable,never", "-o", str(output)]) == 0
    )
    assert "Removed: " in capsys.readouterr().out
    smaller = read_tokenizer(output.read_text("utf-8"))
    assert smaller.encode(TEXTS[0]) == read_tokenizer(content_of("gpt2")).encode(TEXTS[0])
    assert main(["audit", "-t", str(file), str(text), "--remove", "inside", "-o", str(output)]) == 2
    assert "--remove needs kinds among unreachable, never, glitch; got 'inside'" in capsys.readouterr().err


# A token that an audit calls unreachable is in none of a library's encodings, and every other one is in some.

# How many unreachable tokens are whole characters, and how many are not
UNREACHABLE = {"gpt-4o": (0, 1), "gpt-4": (0, 0), "gpt-2": (0, 0), "qwen": (1909, 10)}
# Contexts of this test's own: none of them is one of NEIGHBOURS.
ANGSTROM = "\u212b"  # which NFC replaces by the letter Å
BEFORE = ("the", "We ", "№", "3.", "«\n", "ß", "漢字", "Ж", "\u0e48", "🙂", ") ", "\u200b", ">>")
BEHIND = ("ing", "S.", " of", "٣", "\n\n", "ñ", "かな", "\u093f", "\u0300\u0301", "…", "'S", "😀!", "00")
BOTH_SIDES = list(product(("", *BEFORE), ("", *BEHIND)))
EACH_SIDE = [(before, behind) for before, behind in BOTH_SIDES if not (before and behind)]


@cache
def unreachable(slug: str) -> list[Finding]:
    return audit(open_published(slug).tokenizer, ["a text"])["unreachable"]


def is_text(symbol: bytes) -> bool:
    try:
        symbol.decode()
    except UnicodeDecodeError:
        return False
    return True


def check_published(slug: str) -> None:
    oracle, findings = by_tiktoken(PUBLISHED[slug]), unreachable(slug)
    whole = [finding for finding in findings if is_text(finding.symbol)]
    assert (len(whole), len(findings) - len(whole)) == UNREACHABLE[slug]
    everything = {finding.id for finding in random.Random(slug).sample(whole, min(150, len(whole)))}
    for finding in whole:
        text = finding.symbol.decode()
        sides = BOTH_SIDES if finding.id in everything else EACH_SIDE
        for before, behind in sides:
            assert finding.id not in oracle(before + text + behind), (before, text, behind)
    for finding in findings:
        if not is_text(finding.symbol):  # the library, too, finds no character that gives it
            rest = (finding.symbol + bytes((byte,)) for byte in range(0x80, 0xC0))
            for text in (content.decode() for content in rest if is_text(content)):
                for before, behind in BOTH_SIDES:
                    assert finding.id not in oracle(before + text + behind), (before, text, behind)
    # Every other token that decode and encode does not give back stands in one of the texts that were tried.
    tokenizer = open_published(slug).tokenizer
    listed = {finding.id for finding in findings}
    for number, symbol in _learned_tokens(tokenizer):
        if number not in listed and is_text(symbol) and oracle(symbol.decode()) != [number]:
            text = symbol.decode()
            assert any(number in oracle(before + text + behind) for before, behind in NEIGHBOURS), text


def test_no_learned_token_of_gpt_2_is_unreachable() -> None:
    check_published("gpt-2")


# What is shipped never changes, so the two that have next to no such token are audited once a week.
@pytest.mark.parametrize(
    "slug",
    [
        pytest.param(slug, marks=pytest.mark.slow if slug == "qwen" else pytest.mark.weekly)
        for slug in UNREACHABLE
        if slug != "gpt-2"
    ],
)
def test_tiktoken_gives_none_of_the_unreachable_tokens_and_all_others(slug: str) -> None:
    check_published(slug)
    reasons = {finding.symbol: finding.because for finding in unreachable(slug)}
    if slug == "qwen":
        pattern, composing = "the pattern never leaves it whole", "the normalizer changes its text"
        assert set(reasons.values()) == {pattern, composing}
        assert {reasons["เป็น".encode()], reasons["ไม่".encode()], reasons["１０".encode()]} == {pattern}
        assert (
            reasons["ê\u0301".encode()] == reasons["\u2126".encode()] == composing
        )  # NFC makes ế and Ω of them


def test_a_byte_of_mistral_7b_that_is_a_character_with_a_token_gives_way_to_it() -> None:
    content = original(PUBLISHED["mistral-7b"].path.read_bytes())
    library = sentencepiece.SentencePieceProcessor(model_proto=content)
    found = unreachable("mistral-7b")
    characters = [chr(byte) for byte in range(128) if library.piece_to_id(chr(byte)) != library.unk_id()]
    assert [one.symbol.decode() for one in found] == [f"<0x{ord(one):02X}>" for one in characters]
    assert {one.because for one in found} == {"its byte is a character that has a token of its own"}
    assert [one.tokens for one in found] == [(one.encode(),) for one in characters]
    for one, character in zip(found, characters, strict=True):
        for before, behind in BOTH_SIDES:
            assert one.id not in library.encode(before + character + behind)


def small(normalizer: Any, pre_tokenizer: Any) -> tuple[Any, Tokenizer]:
    """Return a small tokenizer of the library, which lacks nothing but texts for some tokens."""
    letters = [*"abcdeé A", ANGSTROM]
    merges = [
        ("a", "b"),
        ("b", "c"),
        ("ab", "c"),
        ("a", "bc"),
        ("d", " "),
        ("d", "é"),
        (ANGSTROM, "a"),
        ("A", "b"),
    ]
    vocabulary = {token: number for number, token in enumerate([*letters, *map("".join, merges)])}
    vocabulary = {token: number for number, token in enumerate(vocabulary)}
    oracle = tokenizers.Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    oracle.normalizer, oracle.pre_tokenizer = normalizer, pre_tokenizer
    return oracle, read_tokenizer(oracle.to_str())


CASES = {
    "merges": (None, pre_tokenizers.WhitespaceSplit(), {"d ": "pattern"}),
    "normalizer": (
        normalizers.NFC(),
        pre_tokenizers.WhitespaceSplit(),
        {"d ": "pattern", ANGSTROM + "a": "normalizer"},
    ),
    "case": (
        normalizers.Lowercase(),
        pre_tokenizers.WhitespaceSplit(),
        {"d ": "pattern", ANGSTROM + "a": "normalizer", "Ab": "normalizer"},
    ),
    "nothing splits": (None, None, {}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_obstacle_is_named_and_the_library_gives_no_such_token(name: str) -> None:
    normalizer, pre_tokenizer, expected = CASES[name]
    oracle, tokenizer = small(normalizer, pre_tokenizer)
    found = audit(tokenizer, ["abc"])["unreachable"]
    assert {one.symbol.decode(): one.because for one in found} == {
        token: OBSTACLES[slug].why for token, slug in expected.items()
    }
    for finding in found:
        text = finding.symbol.decode()
        for before, behind in product(["", *"abcdeé ", "ab"], repeat=2):
            assert finding.id not in oracle.encode(before + text + behind).ids


def test_a_token_that_only_appears_beside_another_character_is_reachable() -> None:
    tokenizer = open_published("gpt-2").tokenizer
    oracle = by_tiktoken(PUBLISHED["gpt-2"])
    symbol = b"\xe3\x81"  # the first two bytes of most hiragana
    *_, (_, found) = _unreached_steps(tokenizer, [(tokenizer.ids[symbol], symbol)])
    assert not found
    assert any(tokenizer.ids[symbol] in oracle(chr(point)) for point in range(0x3041, 0x3097))


def test_bytes_that_no_text_holds_are_unreachable() -> None:
    oracle = json.loads(open_small_bytes())
    tokenizer = read_tokenizer(json.dumps(oracle))
    found = {one.symbol: one.because for one in audit(tokenizer, ["a"])["unreachable"]}
    assert found == {b"\xff\xfe": "its bytes occur in no text"}


def open_small_bytes() -> str:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: number for number, letter in enumerate([*alphabet, "ÿþ", "Ġa", "Ã©", "ð\u0141"])}
    merges = [("ÿ", "þ"), ("Ġ", "a"), ("Ã", "©"), ("ð", "\u0141")]
    oracle = tokenizers.Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    oracle.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return str(oracle.to_str())


def test_the_neighbours_are_of_every_general_category() -> None:
    characters = {character for pair in NEIGHBOURS for text in pair for character in text}
    every = {unicodedata.category(chr(point)) for point in range(0x110000)} - {"Cs", "Cn"}
    assert {unicodedata.category(character) for character in characters} >= every


def test_removing_what_is_unreachable_changes_no_encoding() -> None:
    oracle, tokenizer = small(normalizers.Lowercase(), pre_tokenizers.WhitespaceSplit())
    gone = [one.id for one in audit(tokenizer, ["abc"])["unreachable"]]
    removal = remove_tokens(tokenizer, gone)
    assert len(removal.removed) == len(gone) == 3
    for text in (f"abc dé {ANGSTROM}ab", "d é ABC"):
        assert removal.tokenizer.tokens(text) == tokenizer.tokens(text)
        assert removal.tokenizer.encode(text) == list(oracle.encode(text).ids)


# Trimming: rare tokens are undone as subword-nmt does it, and its price is what encoding the corpus again
# costs.

TRIMMED = bpe.ENCODERS["trimmed"]
TRIMMING_TEXTS = st.lists(st.text("abcé", min_size=1, max_size=9), min_size=1, max_size=30).map(" ".join)


def undone(token: Symbol, trace: Trace, counts: Counter[Symbol], threshold: int) -> Word:
    """Return what replaces a token: split it and its parts as long as they are rare."""
    pair = trace.parents(token) if token in trace.tokenizer().ids else None
    if pair is None or counts[token] >= threshold:
        return (token,)
    return undone(pair[0], trace, counts, threshold) + undone(pair[1], trace, counts, threshold)


@given(TRIMMING_TEXTS, st.integers(0, 12), st.integers(0, 6), TRIMMING_TEXTS)
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
    codes = io.StringIO(FORMATS["subword-nmt"].trace_text(trace, len(trace.steps)))
    lines = FORMATS["subword-nmt-vocabulary"].trace_text(trace, len(trace.steps)).splitlines()
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
    content = FORMATS["merges-txt"].trace_text(bpe.train("low low lower", merges=3), 3)
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
