"""A training as a script learns what the trainer learns, and a script with a gap says what is wrong."""

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import ALPHABETS, PRESETS, TIE_BREAKS, VARIANTS, BPEError, Symbol, Trace, train
from bpe.settings.request import Text, read_request
from bpe.text.normalizing import NORMALIZATIONS
from bpe.training.script import _MOST_LETTERS, GAPS, MARK, _joined, training_script
from tests.bpe.text.random_texts import RULES, TEXTS, examples
from tests.material import texts
from tests.material.hostile_texts import one_in

HOSTILE = {
    "quotes": "\"low\" 'low' \"\"\"low\"\"\" '''low''' \\low\\ low\\",
    "code": '{low} {{low}} %s f"{low}" # low\nlow\\\nlow',
    "names": "regex.low Path low hashlib.low unicodedata. Counter( PATTERN",
    "control": "low\x00low\x00 \x1c\x85low\u2028low\u202elow",
    "line ends": "low\r\nlow\rlow\n\nlow\r\n",
    "markers": "</w> t</w> t</w> < </ __ _ a_ a_ ▁a ▁a ▁ a",
    "astral": "😀😃 😀😃 \uffff\ue000 \ue000x x😀 x😀",
    "blanks": texts.TOYS["blanks"],
    "runs": "aaaa aaaaa aa a bbb",
    "empty": "",
}
SLUGS = st.sampled_from(list(VARIANTS))
Load = Callable[[str], dict[str, Any]]


@pytest.fixture
def load(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Load:
    return lambda script: _loaded(script, tmp_path)


def _loaded(script: str, folder: Path) -> dict[str, Any]:
    """Return what a script leaves."""
    path = folder / "script.py"
    path.write_text(script, "utf-8", newline="")
    return runpy.run_path(str(path))


def as_spelled(symbol: Symbol, trace: Trace) -> str | bytes:
    return symbol if trace.variant.unit == "bytes" else trace.variant.spelled(symbol).decode()


def check(script: str, trace: Trace, load: Load) -> None:
    """Compare merges, counts, ids and encoded words of a script with those of the trace."""
    left = load(script)
    assert left["merges"] == [tuple(as_spelled(part, trace) for part in pair) for pair in trace.merges]
    first = len(trace.special_tokens)
    spell = left.get("spelled", lambda symbol: symbol)
    tokens = [as_spelled(symbol, trace) for symbol in trace.vocabulary(len(trace.steps))[first:]]
    assert {number: spell(symbol) for symbol, number in left["ids"].items()} == dict(enumerate(tokens, first))
    for word in trace.pre_tokens:
        own = [as_spelled(symbol, trace) for symbol in trace.tokenizer().word_tokens(word)]
        assert [spell(token) for token in left["encode"](word)] == own


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_script_learns_what_the_trainer_learns(variant: str, text: str, load: Load) -> None:
    for rule in one_in(3, list(TIE_BREAKS), variant + text):
        settings: dict[str, Any] = {"variant": variant, "tie_break": rule, "merges": 25, "seed": 3}
        script = training_script(text, read_request(**settings))
        check(script, train(text, **settings), load)


COUNTED: dict[str, tuple[dict[str, int], dict[str, Any]]] = {
    "a space inside": ({"a b": 3, " a b ": 2, "c": 1}, {}),
    "four words after normalization": ({"ﷺ": 2, " ﷺ": 1}, {"normalization": "NFKC"}),
}


@pytest.mark.parametrize(("words", "given"), COUNTED.values(), ids=COUNTED)
@pytest.mark.parametrize("variant", VARIANTS)
def test_counted_words_with_spaces_are_learned_alike(
    variant: str, words: dict[str, int], given: dict[str, Any], load: Load
) -> None:
    settings = {"variant": variant, "merges": 25, **given}
    check(training_script(words, read_request(**settings)), train(words, **settings), load)


@given(TEXTS, SLUGS, RULES, st.sampled_from(["count", "skip"]), st.integers(0, 3))
@examples(40)
def test_any_text_is_learned_alike(
    tmp_path_factory: pytest.TempPathFactory, text: str, variant: str, rule: str, overlaps: str, seed: int
) -> None:
    settings: dict[str, Any] = {"variant": variant, "tie_break": rule, "overlaps": overlaps, "seed": seed}
    folder = tmp_path_factory.mktemp("script")
    check(
        training_script(text, read_request(**settings)),
        train(text, **settings),
        lambda one: _loaded(one, folder),
    )


SAID = [slug for slug, preset in PRESETS.items() if "pieces" not in preset.settings]


@pytest.mark.parametrize("slug", SAID)
@pytest.mark.parametrize("text", [texts.SENTENCES[:700], "<|endoftext|>low low<|endoftext|>lower <unk>low\n"])
def test_a_preset_is_learned_alike(slug: str, text: str, load: Load) -> None:
    settings = {**PRESETS[slug].settings, "merges": 60}
    check(training_script(text, read_request(**settings)), train(text, **settings), load)


def test_the_only_preset_that_a_script_cannot_say_says_so() -> None:
    (other,) = PRESETS.keys() - set(SAID)
    script = training_script("low", read_request(**PRESETS[other].settings))
    assert "# Not in this script: the limits on what a token may be." in script
    assert all(
        "Not in this script" not in training_script("low", read_request(**PRESETS[one].settings))
        for one in SAID
    )


SETTINGS: dict[str, tuple[Text, dict[str, Any]]] = {
    "vocab_size": ("low lower lowest", {"vocab_size": 13}),
    "both limits": ("low lower lowest", {"vocab_size": 13, "merges": 2}),
    "special tokens count": ("low lower lowest", {"vocab_size": 13, "special_tokens": ["<a>", '"']}),
    "min_count": ("low lower lowest a b", {"min_count": 3}),
    "cut": ("low<a>low<a|b>lower", {"special_tokens": ["<a>", "<a|b>", "<a"], "cut_special_tokens": True}),
    "several": (["low low", "", "lower\n"], {}),
    "several, cut": (["low<a>w", "low"], {"special_tokens": ["<a>"], "cut_special_tokens": True}),
    "counted": ({"low": 5, 'low"er': 2, "new": 6}, {"merges": 4}),
    "by frequency": ({"ab": 2, "cd": 2, "é": 3, "e": 3, "ef": 2}, {"word_order": "frequency"}),
    "bare lines": ("low low\r\n\nlower\rlow\n", {"lines": "bare"}),
    "ended lines": ("low low\r\n\nlower\rlow", {"lines": "ended"}),
    "a pattern": ("low, lower; low", {"variant": "custom", "pattern": r"(\w)(\w*)|\""}),
    "characters": ("lów, lówer; lów", {"variant": "custom", "pattern": r"\w+\\?", "unit": "characters"}),
    **{form: ("ﬁne ﬁne Éclair e\u0301clair ΟΔΟΣ ΟΔΟΣ.", {"normalization": form}) for form in NORMALIZATIONS},
    **{
        f"{alphabet}, {variant}": ("tal ta la at lat Ω_ ▁x t</w>", {"alphabet": alphabet, "variant": variant})
        for alphabet in ALPHABETS
        for variant in VARIANTS
        if alphabet != "gpt2-bytes" or VARIANTS[variant].unit == "bytes"
    },
}


@pytest.mark.parametrize(("text", "given"), SETTINGS.values(), ids=SETTINGS)
def test_a_script_has_the_settings(text: Text, given: dict[str, Any], load: Load) -> None:
    settings = {"tie_break": "ids-min", **given}
    check(training_script(text, read_request(**settings)), train(text, **settings), load)


def test_a_script_is_short_and_needs_no_package_but_regex() -> None:
    for variant in VARIANTS:
        for rule in TIE_BREAKS:
            script = training_script(
                "low lower",
                read_request(variant, rule, merges=4, special_tokens=["<s>"], overlaps="skip", min_count=2),
            )
            lines = script.splitlines()
            assert 30 <= len(lines) <= 80
            imports = {line for line in lines if line.startswith(("import ", "from "))}
            assert imports <= {
                "import hashlib",
                "import re",
                "from collections import Counter",
                "import regex  # pip install regex",
            }
            assert max(map(len, lines)) <= 140


def test_a_script_reads_the_text_from_a_file_beside_it(tmp_path: Path, load: Load) -> None:
    text = "low\r\nlow lower\r"
    (tmp_path / 'my "text".txt').write_bytes(b"\xef\xbb\xbf" + text.encode())
    request = read_request("bytes-gpt2", merges=6)
    script = training_script(text, request, beside='my "text".txt')
    assert "lower" not in script.split("def spell")[0]
    check(script, train(text, "bytes-gpt2", merges=6), load)


LEFT_OUT: dict[str, dict[str, Any]] = {
    "picked by hand": {"picks": {0: 1}, "tie_break": "manual"},
    "limits on what a token may be": {"max_token_length": 3},
    "rare characters": {"limit_alphabet": 3},
    "This is the first, of 2 merges": {"second_pattern": "lines", "second_after": 2},
}


@pytest.mark.parametrize(("words", "settings"), LEFT_OUT.items(), ids=LEFT_OUT)
def test_what_a_script_leaves_out_stands_at_its_top(words: str, settings: dict[str, Any], load: Load) -> None:
    script = training_script("low low lower", read_request(**settings))
    top = script.split("import")[0].replace("\n#", "")
    assert words in top
    load(script)


def test_what_no_script_can_show_is_refused() -> None:
    with pytest.raises(BPEError, match=r"U\+10FFFF"):
        training_script(f"low {MARK}", read_request())
    with pytest.raises(BPEError, match="lone surrogates"):
        training_script("low \ud800", read_request())
    with pytest.raises(BPEError, match="at least 7"):
        training_script("low low", read_request(vocab_size=3, special_tokens=["a", "b", "c"]))
    with pytest.raises(BPEError, match="by name"):
        training_script("low", read_request(alphabet=["l"]))
    with pytest.raises(BPEError, match="gap must be one of count, choose, merge, encode"):
        training_script("low", read_request(), gap="sleep")
    with pytest.raises(BPEError, match="cannot check"):
        training_script("low", read_request(max_token_length=3), gap="count")
    with pytest.raises(BPEError, match="a rule that does not draw, got 'random'"):
        training_script("low low", read_request(tie_break="random"), gap="choose")


# What a student writes: the right lines, and some that nearly are.
RIGHT = {
    "count": "counts[pair] = counts.get(pair, 0) + frequency",
    "choose": "best = max(counts, key=counts.get)",
    "merge": "if len(word) < 2:\n        return word\n    if word[:2] == pair:\n"
    "        return (pair[0] + pair[1], *merge(word[2:], pair))\n    return (word[0], *merge(word[1:], pair))",
    "encode": "for pair in ranks:\n        tokens = merge(tokens, pair)",
}
_WHILE = "while pairs := [pair for pair in zip(tokens, tokens[1:]) if pair in ranks]:\n        "
WRONG = {
    "count": {
        "each word once": ("counts[pair] = counts.get(pair, 0) + 1", "counts: all words have"),
        "the last word only": ("counts[pair] = frequency", "counts: all words have"),
        "begun at 1": ("counts[pair] = counts.get(pair, 1) + frequency", "counts: all words have"),
    },
    "choose": {
        "the rarest": ("best = min(counts, key=counts.get)", "Merge 1 should be"),
        "the count": ("best = max(counts.values())", "best: it must be one of the counted pairs"),
        "with its count": ("best = max(counts.items(), key=lambda row: row[1])", "best: it must be one"),
        "another rule for ties": (
            "best = max(counts, key=lambda pair: (counts[pair], pair))",
            "Merge . should be",
        ),
    },
    "merge": {
        "nothing": ("return word", r"merge: for a a a b a a c return \('aa', 'a', 'b', 'aa', 'c'\)"),
        "overlapping pairs twice": (
            "return tuple(left + right if (left, right) == pair else left for left, right in zip(word, word[1:]))",
            "merge: for",
        ),
        "the first pair only": (
            "for at in range(len(word) - 1):\n        if word[at : at + 2] == pair:\n"
            "            return (*word[:at], pair[0] + pair[1], *word[at + 2 :])\n    return word",
            "merge: for",
        ),
        "the last symbol lost": (
            "joined, at = [], 0\n    while at < len(word) - 1:\n        joined.append(word[at])\n"
            "        if word[at : at + 2] == pair:\n            joined[-1] += word[at + 1]\n            at += 1\n"
            "        at += 1\n    return tuple(joined)",
            "merge: for",
        ),
        "from right to left": (
            "joined = ()\n    for symbol in reversed(word):\n"
            "        joined = (symbol + joined[0], *joined[1:]) if joined and (symbol, joined[0]) == pair "
            "else (symbol, *joined)\n    return joined",
            "merge: for",
        ),
        "a list": ("return list(word)", r"merge: for .* returns \['a', 'a', 'a', 'b', 'a', 'a', 'c'\]"),
    },
    "encode": {
        "the whole word": ("tokens = (word,)", "encode: "),
        "one merge only": (
            _WHILE.replace("while", "if") + "tokens = merge(tokens, min(pairs, key=ranks.get))",
            "encode: ",
        ),
        "the latest merge": (_WHILE + "tokens = merge(tokens, max(pairs, key=ranks.get))", "encode: "),
        "the first in the word": (_WHILE + "tokens = merge(tokens, pairs[0])", "encode: "),
        "the longest": (
            _WHILE + "tokens = merge(tokens, max(pairs, key=lambda pair: len(pair[0] + pair[1])))",
            "encode: ",
        ),
        "merges backwards": (
            "for pair in reversed(merges):\n        tokens = merge(tokens, pair)",
            "encode: ",
        ),
    },
}


@pytest.mark.parametrize("variant", ["char-eow", "bytes-gpt2"])
@pytest.mark.parametrize("slug", GAPS)
def test_a_script_with_a_gap_says_what_is_wrong(
    slug: str, variant: str, load: Load, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "low low low lower newest newest widest aaa"
    script = training_script(text, read_request(variant, merges=15), gap=slug)
    assert len(script.splitlines()) <= 80 + 30  # the check is longer than the gap
    assert RIGHT[slug].splitlines()[0] not in script
    blank = GAPS[slug].blank
    assert script.count(f" {blank}\n") == 1
    with pytest.raises(SystemExit):
        load(script)
    load(script.replace(f" {blank}\n", f" {RIGHT[slug]}\n"))
    assert capsys.readouterr().out.endswith("All of it is right.\n")
    for name, (lines, message) in WRONG[slug].items():
        with pytest.raises(SystemExit, match=message):
            load(script.replace(f" {blank}\n", f" {lines}\n"))
        assert "right" not in capsys.readouterr().out, name


WITHOUT_SHORT_WORDS = {
    "a long word": ("x" * 30, {"variant": "bytes"}),
    "the merges stand in its middle": ("bcdefghijklmnopqrstuvw" + "aa" + "BCDEFGHIJKLMNOPQRSTUVW", {}),
    "only a long word has merges": (("-+" * 30 + " a b c"), {"merges": 1}),
    "no part of a word is a word": ("ab" * 20, {"variant": "custom", "pattern": r"\w{40}"}),
}


@pytest.mark.parametrize(("text", "given"), WITHOUT_SHORT_WORDS.values(), ids=WITHOUT_SHORT_WORDS)
def test_a_blank_in_encoding_is_refused_however_long_the_words_are(
    text: str, given: dict[str, Any], load: Load, capsys: pytest.CaptureFixture[str]
) -> None:
    script = training_script(text, read_request(**{"merges": 3, "min_count": 1, **given}), gap="encode")
    with pytest.raises(SystemExit, match="encode: "):
        load(script)
    load(script.replace(" ...\n", f" {RIGHT['encode']}\n"))
    assert capsys.readouterr().out.endswith("All of it is right.\n")


@pytest.mark.parametrize("slug", [slug for slug in GAPS if slug != "choose"])
def test_other_exercises_know_the_draws_of_a_random_rule(
    slug: str, load: Load, capsys: pytest.CaptureFixture[str]
) -> None:
    script = training_script("low low lower newest", read_request(tie_break="random", seed=2), gap=slug)
    load(script.replace(f" {GAPS[slug].blank}\n", f" {RIGHT[slug]}\n"))
    assert capsys.readouterr().out.endswith("All of it is right.\n")


def test_words_that_are_joined_are_short_however_long_the_words_of_the_text_are() -> None:
    short = list(_joined("ab", "cde"))
    assert short == ["acde", "ade", "ae", "abcde", "abde", "abe"]
    long = list(_joined("a" * 10_000, "b" * 10_000))
    assert len(long) < _MOST_LETTERS**2
    assert {len(word) for word in long} == set(range(2, _MOST_LETTERS + 1))
