"""What the lessons of the part “Beyond BPE” say."""

import io
from fractions import Fraction
from functools import cache

import sentencepiece

from tests.ui.lessons.lesson_checks import At, beat, given


def unigram(at: At, size: int) -> sentencepiece.SentencePieceProcessor:
    """Train SentencePiece's Unigram on the words of a training, one to a line."""
    return _unigram(tuple(zip(at.trace.pre_tokens, at.trace.frequencies, strict=True)), size)


@cache
def _unigram(words: tuple[tuple[str, int], ...], size: int) -> sentencepiece.SentencePieceProcessor:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([word for word, frequency in words for _ in range(frequency)]),
        model_writer=model,
        model_type="unigram",
        vocab_size=size,
        character_coverage=1.0,
        normalization_rule_name="identity",
        num_threads=1,
        minloglevel=2,
    )
    trained = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    assert trained.get_piece_size() == size
    return trained


def unigram_split(at: At, size: int, text: str) -> str:
    return " ".join(unigram(at, size).encode(text, out_type=str))


def test_a_score_in_place_of_a_count() -> None:
    at = beat("a-score-in-place-of-a-count", 1)
    assert at.tied == "u + g"
    assert len(at.trace.uses(at.symbol("u"), at.step)) == 5
    beat("a-score-in-place-of-a-count", 2)
    assert Fraction(20, 36 * 20) == Fraction(1, 36)
    assert Fraction(5, 20 * 5) == Fraction(1, 20)
    at = beat("a-score-in-place-of-a-count", 3)
    assert at.made == "ug un hug"
    given(
        "Hugging Face's course, chapter 6.6: its words and its formula; its third token is discussed in the next beat",
        "##gs hu hugs",
        "##",
    )
    beat("a-score-in-place-of-a-count", 4)
    assert Fraction(5, 15 * 5) == Fraction(1, 15)
    given("Hugging Face's course, chapter 6.6: its words and its formula", "hu", "##gs", 3)
    assert Fraction(10, 15 * 15) == Fraction(2, 45)
    given("the course's text, chapter 6.6: the next best score is shared, with 1/15", "hug", "##g")
    at = beat("a-score-in-place-of-a-count", 5)
    given(
        "Hugging Face's course, chapter 6.6: its words and its formula, and its three tokens",
        "bugs",
        "hugs",
        "mug",
        "b ##u ##gs",
        "hugs",
        "[UNK]",
    )
    assert at.split("bugs") == "b ug s"
    assert at.split("hugs") == "hug s"
    assert at.split("mug") == "m ug"
    beat("a-score-in-place-of-a-count", 6)
    given("huggingface/tokenizers, issue 570: BPE and WordPiece yields identical results", "##")


def test_the_other_way_round() -> None:
    beat("the-other-way-round", 2)
    given(
        "Kudo, 2018, section 3.2: shrink by loss, always keep single characters",
        "BPE",
        "WordPiece",
        "Unigram",
        3,
    )
    at = beat("the-other-way-round", 3)
    assert unigram_split(at, 455, "the").startswith("▁")
    assert not {"keeping", "lighthouses", "stronger"} & {*at.trace.pre_tokens}
    assert at.split("keeping") == "keep ing</w>"
    assert at.split("stronger") == "st r ong er</w>"
    assert at.split("lighthouses") == "l igh th ou se s</w>"
    given(
        "worked out from this formula on the words of the story",
        "##",
        "keeping",
        "stronger",
        "lighthouses",
        "k ##e ##e ##p ##i ##n ##g",
        "s ##t ##r ##o ##n ##g ##e ##r",
        "light ##h ##o ##u ##s ##e ##s",
    )
    assert unigram_split(at, 455, "keeping") == "▁keep ing"
    assert unigram_split(at, 455, "stronger") == "▁str ong er"
    assert unigram_split(at, 455, "lighthouses") == "▁light h ou se s"
    beat("the-other-way-round", 4)
    given("worked out from this formula on the words of the story", "YO YOU GO GOO GOOD")
    at = beat("the-other-way-round", 5)
    words = dict(zip(at.trace.pre_tokens, at.trace.frequencies, strict=True))
    assert sum(len(at.ids(word)) * frequency for word, frequency in words.items()) == 4423
    assert sum(len(unigram(at, 455).encode(word)) * frequency for word, frequency in words.items()) == 4536
    given("worked out from this formula on the words of the story", 400, 8670)


def test_superwords() -> None:
    at = beat("superwords", 1)
    assert at.trace.steps[at.step].tied == 6
    assert at.merge == "· + t"
    other = at.under(variant="bytes-gpt2", tie_break="first", merges=10)
    assert len(other.trace.variant.split("by the way")) == 3
    at = beat("superwords", 2)
    assert at.tied == "·the + ·way"
    assert len(at.trace.variant.split("by the way, it is the way, by the way")) == 1
    at = beat("superwords", 3)
    assert at.merge == "by + ·the·way"
    at = beat("superwords", 4)
    assert at.split("by the way") == "by·the·way"
    other = at.under(variant="bytes-gpt2", tie_break="first", merges=10)
    assert other.trace.tokens_total(other.step) == 13
    assert other.split("by the way") == "by ·the ·way"
    assert other.trace.born(other.symbol("·is")) + 1 == 10
    assert other.trace.born(other.symbol("·it")) + 1 == 9
    assert len(other.trace.variant.split("by the way")) == 3
    beat("superwords", 5)
    given("PythonNut/superbpe: scripts/extend_tokenizer.sh, and trainer.rs of its fork of tokenizers", 4)


def test_each_language_in_turn() -> None:
    at = beat("each-language-in-turn", 1)
    lines = at.text.splitlines()
    assert len(lines) == 14
    assert len(at.ids(lines[0])) == 211
    assert len(at.ids(lines[9])) == 314
    at = beat("each-language-in-turn", 2)
    assert len(lines) == 14
    assert len(at.ids(lines[9])) == 800
    assert at.tied == "E0 + A4"
    given("the rule of Foroutan et al., on the lines of the passage", 1, 10, "E0", "A4", 182)
    assert 0xE0 == 224
    assert 0xA4 == 164
    at = beat("each-language-in-turn", 3)
    assert len(at.ids(lines[9])) == 618
    assert len(at.ids(lines[13])) == 671
    given("the rule of Foroutan et al., on the lines of the passage", 10, 14, 10, 7, 499, 4)
    at = beat("each-language-in-turn", 4)
    given("the rule of Foroutan et al., on the lines of the passage", 200, 4, 37, 37, 263, 266)
    assert at.split(" harbour") == "·h ar b o ur"
    assert len(at.ids(" समुद्र")) == 10
    assert at.split(" समुद्र") == "·E0 A4 B8 E0 A4 AE E0 A5 81 E0 A4 A6 ◌् र"
    given(
        "the rule of Foroutan et al., on the lines of the passage",
        200,
        "·harbour",
        "·समुद्र",
        "· h a r b o u r",
        8,
        "·स E0 A4 AE ◌ु द ◌् र",
        7,
    )
    at = beat("each-language-in-turn", 5)
    assert len(lines) == 14
    tokens = [len(at.ids(line)) for line in lines]
    assert (min(tokens), max(tokens)) == (200, 318)
    given("the rule of Foroutan et al., on the lines of the passage", 200, 243, 267, 3678)
    assert sum(tokens) == 3514
    assert round(100 * 3678 / 3514) - 100 == 5


def test_a_short_history() -> None:
    at = beat("a-short-history", 1)
    assert at.merge == "a + a"
    given("Philip Gage: A New Algorithm for Data Compression. The C Users Journal, February 1994", 1994)
    beat("a-short-history", 2)
    given("Schuster and Nakajima: Japanese and Korean Voice Search. ICASSP 2012", 2012)
    given(
        "worked out with the likelihood of WordPiece on the words of the story", "k ##e ##e ##p ##i ##n ##g"
    )
    at = beat("a-short-history", 3)
    given(
        "Sennrich, Haddow, Birch: Neural Machine Translation of Rare Words with Subword Units. ACL 2016", 2016
    )
    other = at.under(sample="story", preset="paper", merges=400)
    assert other.after(400).split("keeping") == "keep ing</w>"
    at = beat("a-short-history", 4)
    given("Kudo: Subword Regularization. ACL 2018; Kudo and Richardson: SentencePiece. EMNLP 2018", 2018)
    other = at.under(sample="story", preset="paper", merges=400)
    assert [" ".join(row) for row in unigram(other, 455).nbest_encode_as_pieces("keeping", 2)] == [
        "▁keep ing",
        "▁keep i ng",
    ]
    at = beat("a-short-history", 5)
    other = at.under(sample="story", preset="hf-bytelevel", merges=400)
    assert other.after(400).split(" keeping") == "·keep ing"
    assert other.after(400).split(" café") == "·ca f C3 A9"
    given("Radford et al.: Language Models are Unsupervised Multitask Learners. 2019", 2019)
    at = beat("a-short-history", 6)
    given(
        "Provilkov, Emelianenko, Voita: BPE-Dropout: Simple and Effective Subword Regularization. ACL 2020",
        2020,
    )
    other = at.under(sample="story", preset="paper", merges=400)
    assert other.after(400).split("keeping", {"slug": "dropout", "p": 0.1, "seed": 3}) == "k ee p ing</w>"
    assert other.after(400).split("keeping", {"slug": "dropout", "p": 0.1, "seed": 4}) == "ke ep ing</w>"
    at = beat("a-short-history", 7)
    given(
        "Liu et al.: SuperBPE: Space Travel for Language Models. COLM 2025; "
        "Schmidt et al.: Boundless Byte Pair Encoding: Breaking the Pre-tokenization Barrier. COLM 2025",
        2025,
        "·of·the",
    )
    other = at.under(
        sample="story",
        variant="bytes-gpt2",
        tie_break="first",
        merges=600,
        second_stage="lines",
        second_after=400,
    )
    assert other.after(600).split(" keeping of the") == "·keep ing ·of·the"
