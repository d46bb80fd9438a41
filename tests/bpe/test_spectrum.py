"""The spectrum: what words, subwords, characters and bytes make of the same text."""

import bpe
from bpe.analysis.spectrum import corpus_words, spectrum, tokens_in, unknown_in

TRACE = bpe.train("low low low lower newest newest widest", variant="bytes-gpt2", merges=20)
LEVELS = {level.slug: level for level in spectrum(TRACE, TRACE.tokenizer())}


def counts(text: str) -> dict[str, tuple[int, int]]:
    """{level: (tokens, unknown ones)}."""
    rows = {slug: level.row(text) for slug, level in LEVELS.items()}
    return {slug: (tokens_in(row), unknown_in(row)) for slug, row in rows.items()}


def test_longer_tokens_need_a_larger_vocabulary_and_know_less() -> None:
    found = counts("low lowest")
    assert found == {
        "word": (2, 1),
        "subword": (found["subword"][0], 0),
        "character": (10, 0),
        "byte": (10, 0),
    }
    assert 2 <= found["subword"][0] < 10
    assert LEVELS["byte"].vocabulary == 256
    assert LEVELS["subword"].vocabulary == 256 + len(TRACE.steps)
    assert LEVELS["word"].vocabulary == 4


def test_an_unseen_character_is_unknown_to_characters_and_never_to_bytes() -> None:
    assert counts("low 😊") == {"word": (2, 1), "subword": (6, 0), "character": (5, 1), "byte": (8, 0)}


def test_words_are_found_whatever_the_pre_tokens_are() -> None:
    for slug in bpe.VARIANTS:
        if slug != "custom":
            words = corpus_words(bpe.train("low lower\nlow", variant=slug, merges=2))
            assert words == ["low", "lower"]
