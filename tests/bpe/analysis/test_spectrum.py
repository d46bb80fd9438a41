"""The spectrum: the same text as words, subwords, characters and bytes."""

import pytest

import bpe
from bpe.analysis.spectrum import corpus_words, spectrum, tokens_in, unknown_in

TRACE = bpe.train("low low low lower newest newest widest", variant="bytes-gpt2", merges=20)
LEVELS = {level.slug: level for level in spectrum(TRACE, TRACE.tokenizer())}


def counts(text: str) -> dict[str, tuple[int, int]]:
    """Return {level: (number of tokens, number of unknown tokens)}."""
    rows = {slug: level.row(text) for slug, level in LEVELS.items()}
    return {slug: (tokens_in(row), unknown_in(row)) for slug, row in rows.items()}


def test_longer_tokens_are_fewer_and_more_of_them_are_unknown() -> None:
    actual = counts("low lowest")
    assert actual == {
        "word": (2, 1),
        "subword": (actual["subword"][0], 0),
        "character": (10, 0),
        "byte": (10, 0),
    }
    assert 2 <= actual["subword"][0] < 10
    assert LEVELS["byte"].vocabulary == 256
    assert LEVELS["subword"].vocabulary == 256 + len(TRACE.steps)
    assert LEVELS["word"].vocabulary == 4


def test_an_unseen_character_is_unknown_to_characters_and_never_to_bytes() -> None:
    assert counts("low 😊") == {"word": (2, 1), "subword": (6, 0), "character": (5, 1), "byte": (8, 0)}


def test_the_words_of_a_corpus_are_the_same_for_every_variant() -> None:
    for slug in bpe.VARIANTS:
        if slug != "custom":
            words = corpus_words(bpe.train("low lower\nlow", variant=slug, merges=2))
            assert words == ["low", "lower"]


def test_words_are_split_at_white_space_and_at_punctuation() -> None:
    level = spectrum(bpe.train("Today is a good day."), TRACE.tokenizer())[0]
    labels = [(cell.label, cell.kind) for cell in level.row("a day, नमस्ते").cells if cell.kind != "gap"]
    assert labels == [("a", "token"), ("day", "token"), (",", "unknown"), ("नमस्ते", "unknown")]
    assert level.vocabulary == 6


@pytest.mark.parametrize(("variant", "unknown"), [("char-eow", 3), ("bytes-gpt2", 0)])
def test_the_sentence_on_subwords_says_whether_a_character_can_be_unknown(variant: str, unknown: int) -> None:
    trace = bpe.train("low lower lowest", variant=variant, merges=3)
    subwords = next(level for level in spectrum(trace, trace.tokenizer()) if level.slug == "subword")
    assert unknown_in(subwords.row("low unbe")) == unknown
    assert ("unknown" in subwords.about) == bool(unknown)


def test_the_vocabulary_of_characters_contains_the_space() -> None:
    trace = bpe.train("low lower", merges=1)
    characters = next(level for level in spectrum(trace, trace.tokenizer()) if level.slug == "character")
    assert characters.vocabulary == len(set("low lower"))
    assert unknown_in(characters.row("low wow")) == 0
