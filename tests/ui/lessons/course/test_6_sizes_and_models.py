"""What the lessons of the part “Sizes and models” say."""

from collections import Counter

import pytest
import regex

from tests.ui.lessons.lesson_checks import At, beat, given, published
from ui.page_parts.lessons.evidence import models
from ui.trainings.corpus import from_sample


def algorithms() -> Counter[str]:
    """Return how many of the models have each algorithm."""
    return Counter(model.algorithm for model in models().values())


def letters(slug: str, script: str) -> int:
    """Return how many tokens of a published vocabulary are whole characters with one of a script among them."""
    of_script = regex.compile(rf"\p{{{script}}}")
    found = 0
    for token in published(slug).tokenizer.vocabulary:
        try:
            found += bool(of_script.search(token.decode()))
        except UnicodeDecodeError:  # parts of characters
            continue
    return found


def longest_number(at: At) -> int:
    """Return the most digits that a merge joins to a token without other characters."""
    return max(len(token.strip()) for token in at.trace.symbols if token.strip().isdigit())


def test_how_large() -> None:
    at = beat("how-large", 1)
    assert at.trace.tokens_total(100) == 6767
    assert 400 - 100 == 300
    assert at.trace.tokens_total(0) - at.trace.tokens_total(100) == 5872
    assert at.trace.tokens_total(100) - at.trace.tokens_total(400) == 2285
    at = beat("how-large", 2)
    assert at.trace.vocabulary_size(8) == 264
    assert 264 - 256 == 8
    assert models()["gpt-2"].size == 50257
    assert 50257 * 768 == 38597376
    assert round(100 * 38597376 / 124000000) == 31
    given("Radford et al. 2019, table 2: width 768; openai/gpt-2: the model 124M", 768, 124)
    at = beat("how-large", 3)
    other = at.under(preset="tiktoken-educational", merges=4000)
    assert (other.trace.stopped, len(other.trace.steps)) == ("no pairs", 1230)
    assert len(other.trace.steps) - 750 == 480
    assert all((step.count, step.replaced) == (1, 1) for step in at.trace.steps[750:1230])
    at = beat("how-large", 4)
    assert len(at.after(0).ids(from_sample("ties").reading_text)) == 4065
    assert len(at.ids(from_sample("ties").reading_text)) == 2290
    assert len(at.after(1230).ids(from_sample("ties").reading_text)) == 2189
    assert 1230 - 750 == 480
    assert 2290 - 2189 == 101
    assert round(100 * 2290 / 4065) == 56
    assert round(100 * 101 / 2290) == 4
    assert round(100 * at.trace.tokens_total(750) / at.trace.tokens_total(0)) == 29
    assert round(100 * 480 / at.trace.tokens_total(750)) == 13
    beat("how-large", 5)
    assert models()["llama-2"].size == 32000
    assert models()["llama-3"].size == 128256
    assert models()["gemma"].size == 256000
    assert round(128256 / 32000) == 4
    assert round(100 * 394 / 317) - 100 == 24
    given(
        "Devlin et al. 2018: 30,000; Llama Team 2024, section 3.2: from 3.17 to 3.94 characters per token",
        30000,
    )


def test_which_tokenizer() -> None:
    at = beat("which-tokenizer", 1)
    assert len(models()) == 16
    assert algorithms()["BPE on bytes"] == 9
    other = at.under(preset="hf-bytelevel", merges=5)
    assert len(other.trace.alphabet) == 256
    beat("which-tokenizer", 2)
    assert algorithms()["BPE on characters"] == 3
    at = beat("which-tokenizer", 3)
    assert at.made == "es est lo low"
    assert at.tied == "▁ + low"
    assert sum(at.trace.frequencies) == 16
    beat("which-tokenizer", 4)
    assert algorithms()["WordPiece"] == 1
    assert algorithms()["Unigram"] == 2
    given("Byte Pair Encoding (BPE), lecture notes; Hugging Face's course, chapter 6.7: Unigram", 3, 5)


def test_strawberry() -> None:
    at = beat("strawberry", 1)
    assert at.split("strawberry") == "st ra w ber r y"
    assert at.ids("strawberry") == [314, 635, 119, 399, 114, 121]
    assert len(at.ids("strawberry")) == 6
    at = beat("strawberry", 2)
    assert at.ids("s t r a w b e r r y") == [115, 256, 363, 258, 260, 273, 317, 363, 363, 358]
    assert "strawberry".count("r") == 3
    at = beat("strawberry", 3)
    assert {*map(at.symbol, ["ight", "·light"])} <= at.tokenizer.ids.keys()
    assert not {*map(at.symbol, ["light", "Light", "·Light", "·L"])} & {*at.trace.symbols}
    assert at.split("light light Light") == "l ight ·light · L ight"
    assert at.split(" light") == "·light"
    assert at.trace.id_of(at.symbol("·light")) == 490
    assert "light light Light".count("ight") == 3
    at = beat("strawberry", 4)
    assert at.split("There is a light ") == "The re ·is ·a ·light ·"
    assert at.split("on") == "on"
    at = beat("strawberry", 5)
    assert at.split("There is a light on") == "The re ·is ·a ·light ·on"


@pytest.mark.slow
def test_what_real_models_see() -> None:
    beat("what-real-models-see", 1)
    assert published("gpt-2").split("strawberry") == "st raw berry"
    assert published("gpt-4").split("strawberry") == "str aw berry"
    assert published("gpt-4o").split("strawberry") == "st raw berry"
    assert published("gpt-2").split(" strawberry") == "·strawberry"
    assert published("gpt-4").split(" strawberry") == "·strawberry"
    assert published("gpt-4o").split(" strawberry") == "·strawberry"
    assert published("gpt-4").ids(" strawberry") == [73700]
    beat("what-real-models-see", 2)
    assert published("gpt-4").split("380 + 473 = 853") == "380 ·+ · 473 ·= · 853"
    assert published("qwen").split("380 + 473 = 853") == "3 8 0 ·+ · 4 7 3 ·= · 8 5 3"
    assert published("gpt-2").split("380 + 473 = 853") == "380 ·+ ·4 73 ·= ·8 53"
    assert published("gpt-4").pieces("12345") == "123 45"
    assert published("qwen").pieces("12345") == "1 2 3 4 5"
    assert published("gpt-2").pieces("12345") == "12345"
    given(
        "380 + 473 = 853, and a pattern that matches one to three digits",
        380,
        473,
        853,
        3,
        "·4",
        "73",
        "·8",
        "53",
    )
    beat("what-real-models-see", 3)
    assert len(published("gpt-2").ids("The weather is nice today.")) == 6
    assert len(published("gpt-4").ids("The weather is nice today.")) == 6
    assert len(published("gpt-4o").ids("The weather is nice today.")) == 6
    assert len(published("gpt-2").ids("आज मौसम अच्छा है।")) == 27
    assert len(published("gpt-4").ids("आज मौसम अच्छा है।")) == 21
    assert len(published("gpt-4o").ids("आज मौसम अच्छा है।")) == 5
    assert letters("gpt-4o", "Devanagari") == 3943
    assert letters("gpt-4", "Devanagari") == 23
    assert round(200019 / 100277) == 2
    assert models()["gpt-4o"].size == 200019
    assert models()["gpt-4"].size == 100277
    assert (
        published("gpt-2").split("आज मौसम अच्छा है।")
        == "E0 A4 86 E0 A4 9C ·E0 A4 AE E0 A5 8C E0 A4 B8 E0 A4 AE ·E0 A4 85 E0 A4 9A E0 A5 8D E0 A4 9B ◌ा "
        "·E0 A4 B9 E0 A5 88 E0 A5 A4"
    )
    assert (
        published("gpt-4").split("आज मौसम अच्छा है।")
        == "E0 A4 86 E0 A4 9C ·म E0 A5 8C स म ·E0 A4 85 E0 A4 9A ◌्E0 A4 9B ◌ा ·ह E0 A5 88 E0 A5 A4"
    )
    assert published("gpt-4o").split("आज मौसम अच्छा है।") == "आज ·मौसम ·अच्छा ·है ।"
    beat("what-real-models-see", 4)
    assert (
        published("gpt-2").split("        if x:\n            return x\n")
        == "· · · · · · · ·if ·x : ↵ · · · · · · · · · · · ·return ·x ↵"
    )
    assert (
        published("gpt-4").split("        if x:\n            return x\n")
        == "······· ·if ·x :↵ ··········· ·return ·x ↵"
    )
    assert len(published("gpt-2").ids("        if x:\n            return x\n")) == 25
    assert len(published("gpt-4").ids("        if x:\n            return x\n")) == 8
    assert len("·······") == 7
    assert len("···········") == 11
    beat("what-real-models-see", 5)
    assert models()["gpt-2"].size == 50257
    assert models()["gpt-4"].size == 100277
    assert models()["gpt-4o"].size == 200019


def test_digits() -> None:
    at = beat("digits", 1)
    assert len(at.trace.variant.split("12345678")) == 1
    given("a number as text", 12345678)
    other = at.under(preset="minbpe-regex", merges=150)
    assert len(other.trace.variant.split("12345678")) == 3
    at = beat("digits", 2)
    assert {
        *map(at.symbol, ["2024", "·2025", "·2", "02", "0", "2", "4", "5", "6"])
    } <= at.tokenizer.ids.keys()
    assert not {*map(at.symbol, ["·2026", "2026", "·20", "026", "26"])} & {*at.trace.symbols}
    assert at.text.count("2025") == 16
    assert at.text.count("2026") == 1
    assert at.split(" 2026") == "·2 02 6"
    given("a number as text", 2024, 2025, 2026)
    at = beat("digits", 3)
    given("a number as text", 12345)
    assert at.trace.born(at.symbol("12345")) + 1 == 139
    at = beat("digits", 4)
    other = at.under(preset="minbpe-regex", merges=150)
    assert longest_number(other) == 3
    assert longest_number(at) == 5
    assert other.pieces("1234567") == "123 456 7"
    given("a number as text", 1234567)
    at = beat("digits", 5)
    other = at.under(preset="minbpe-regex", merges=150)
    assert other.trace.tokens_total(other.step) == 1834
    other_2 = at.under(
        variant="custom",
        tie_break="first",
        merges=150,
        pattern="'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
    )
    assert other_2.trace.tokens_total(other_2.step) == 1956


def test_indentation() -> None:
    at = beat("indentation", 1)
    assert at.text.count(" ") == 90
    assert at.tied == "· + ·"
    at = beat("indentation", 2)
    assert at.split("            result = price") == "···· ······· ·result ·= ·price"
    assert len(at.ids("            result = price")) == 5
    assert "            result".count(" ") == 12
    assert sum(token.isspace() for token in at.tokenizer.tokens("            result = price")) == 2
    at = beat("indentation", 3)
    other = at.under(sample="story", preset="tiktoken-educational", merges=400)
    assert len(other.after(400).ids("            result = price")) == 22
    assert (
        sum(token.isspace() for token in other.after(400).tokenizer.tokens("            result = price"))
        == 12
    )
    assert at.pieces("            result = price") == "··········· ·result ·= ·price"
    other_2 = at.under(preset="tiktoken-educational", merges=30)
    assert other_2.pieces("            result = price") == "··········· ·result ·= ·price"
    beat("indentation", 4)
    assert 50281 - 50257 == 24
    given(
        "Chen et al. 2021, Evaluating Large Language Models Trained on Code, section 3.2; tiktoken’s p50k_base",
        30,
    )
    at = beat("indentation", 5)
    assert at.pieces(":\n    x") == ":↵ ··· ·x"
    other = at.under(preset="tiktoken-educational", merges=30)
    assert other.pieces(":\n    x") == ": ↵··· ·x"
    assert at.after(13).merge == ": + ↵"
