"""What the lessons of the part “The model” say."""

import bpe
from tests.ui.lessons.lesson_checks import beat, given
from ui.page_parts.lessons.evidence import models
from ui.trainings.corpus import from_sample


def test_what_a_model_does() -> None:
    at = beat("what-a-model-does", 1)
    assert at.split("the lamp") == "t he ·lamp"
    assert at.ids("the lamp") == [116, 257, 546]
    at = beat("what-a-model-does", 2)
    assert at.split(" lamp keep") == "·lamp ·keep"
    assert at.trace.id_of(at.symbol("·lamp")) == 546
    assert at.trace.id_of(at.symbol("·keep")) == 587
    given("Radford et al. 2019, table 2: width 768", 768)
    beat("what-a-model-does", 3)
    assert models()["gpt-2"].size == 50257
    given("the softmax function: its values are positive and add up to 1", 1)
    at = beat("what-a-model-does", 4)
    assert -(-at.trace.tokens_total(0) // 1024) == 13
    assert -(-at.trace.tokens_total(400) // 1024) == 5
    given("Radford et al. 2019, section 2.3: the context size grows from 512 to 1,024 tokens", 1024)
    at = beat("what-a-model-does", 5)
    assert at.trace.tokens_total(0) * 2 == 25278
    assert round(25278 / 1000) == 25
    assert at.trace.tokens_total(400) * 2 == 8964
    assert round(8964 / 1000) == 9
    given("an assumed price, and an assumed number of requests", 2, 1000)


def test_fewer_is_not_better() -> None:
    at = beat("fewer-is-not-better", 3)
    assert at.symbol("·the") in at.tokenizer.ids
    assert at.pieces("the sea shells") == "the·sea·shells"
    given("the words the, sea and shells", 3)
    at = beat("fewer-is-not-better", 4)
    assert len(at.ids("the sea is sure to sell")) == 13
    assert len(at.after(20).ids("the sea is sure to sell")) == 13
    assert 40 - 20 == 20
    beat("fewer-is-not-better", 5)
    given("Schmidt et al.: Tokenization Is More Than Compression. EMNLP 2024", 64, 2024)


def test_without_a_tokenizer() -> None:
    beat("without-a-tokenizer", 1)
    given("Xue et al.: ByT5: Towards a Token-Free Future with Pre-trained Byte-to-Byte Models. 2021", 2021)
    at = beat("without-a-tokenizer", 2)
    assert round(at.trace.tokens_total(0) / at.trace.tokens_total(400)) == 3
    at = beat("without-a-tokenizer", 3)
    assert round(at.trace.tokens_total(0) / at.trace.tokens_total(400)) == 3
    assert at.trace.tokens_total(0) ** 2 == 159744321
    assert at.trace.tokens_total(400) ** 2 == 20088324
    assert round(159744321 / 20088324) == 8


def test_your_own_tokenizer() -> None:
    at = beat("your-own-tokenizer", 1)
    assert at.tied == "p + l, l + a"
    at = beat("your-own-tokenizer", 2)
    assert bpe.train("sea", **{**at.recipe.settings, "merges": 1}).steps[0].tied == 3
    at = beat("your-own-tokenizer", 3)
    assert at.made == "pl pla play playe"
    assert at.after(3).merge == "play + e"
    assert len(at.trace.uses(at.symbol("playe"), at.step)) == 2
    at = beat("your-own-tokenizer", 4)
    assert at.word("player") == "player</w>"
    at = beat("your-own-tokenizer", 5)
    assert at.trace.born(at.symbol("playe")) + 1 == 4
    assert not {*map(at.symbol, ["er", "er</w>"])} & {*at.trace.symbols}


def test_beat_the_preset() -> None:
    at = beat("beat-the-preset", 1)
    assert len(at.after(0).ids(from_sample("ties").reading_text)) == 4052
    assert len(at.ids(from_sample("ties").reading_text)) == 2278
    given("the sample tells of twelve neighbours", 12)
    at = beat("beat-the-preset", 3)
    other = at.under(variant="char-eow", tie_break="shortest", merges=400)
    assert len(other.ids(from_sample("ties").reading_text)) == 2248
    assert 2278 - 2248 == 30
    other_2 = at.under(variant="bytes-whitespace", tie_break="first", merges=400)
    assert len(other_2.ids(from_sample("ties").reading_text)) == 2125
    assert 2278 - 2125 == 153
    beat("beat-the-preset", 4)
    given("the usual rule for choosing a model: train, choose and test on different data", 3)
