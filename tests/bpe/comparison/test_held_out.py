"""The default held-out text: a part of a long text, else a sample or an example. Page and command line agree."""

from itertools import accumulate
from typing import Any

import pytest

import bpe
from bpe.comparison.held_out import (
    _REPEATED,
    _TRAINED,
    EVERY,
    EXAMPLE,
    FEWEST,
    MOST_OVERLAP,
    TOO_SHORT,
    _samples,
    default_held_out,
    held_out,
    other_text,
    set_aside,
    text_overlap,
)
from bpe.comparison.words import _encoded_text, _pieces_of, encoded_texts
from bpe.text.normalizing import NORMALIZATIONS, Normalization
from tests.material import texts
from ui.page_parts.compare import held_out_text, lanes
from ui.trainings import corpus as corpora
from ui.trainings.recipe import Recipe
from ui.trainings.settings import FREE

STORY = texts.samples()["story"]
TEXTS = {
    "source code": texts.source(),
    "a novel's length": STORY * 20,
    "the story": STORY,
    "half the story": STORY[:6_000],
    "one word": "low",
    "lines": "low lower lowest\n" * 30,
    "one line, often": "low lower lowest\n" * 500,
    "many lines, each often": "".join(
        f"{number} low, {number * 7} lower\n" for number in range(FEWEST * EVERY)
    )
    * 3,
    "lines that differ in a number": "".join(
        f"the server has written line {number} of the file and now it goes on to write the next line of the file\n"
        for number in range(FEWEST * EVERY)
    ),
    "an essay": "\n\n".join(
        " ".join(f"word{number * 7 % 1_009}" for number in range(start, start + 165))
        for start in range(0, 4_125, 165)
    ),
    "a poem with blank lines": "\n\n".join(f"{number} roses, {number * 7} thorns" for number in range(105)),
    "one line often, others once": "the same line\n" * 951
    + "".join(f"line number {number}\n" for number in range(49)),
    "emoji": "😀😃😄" * 500,
    "a language that no sample has": "zażółć gęślą jaźń\n" * 8,
}


def page_lanes(slugs: str = "first~last") -> list[lanes.ChosenLane]:
    shared = Recipe(FREE, "bytes-gpt2", "first", 20)
    return [lanes.read_lane(slug, shared) for slug in slugs.split("~")]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_page_and_the_command_line_hold_out_the_same(text: str) -> None:
    _, default = default_held_out([text])
    corpus = corpora.from_text(text)
    assert held_out_text._sets_aside(corpus, page_lanes()) == default.is_part
    if not default.is_part:
        assert held_out_text.split_corpus(corpus, page_lanes()) == (corpus, default)


@pytest.mark.parametrize(("units", "is_part"), [(FEWEST * 10, True), (FEWEST * 10 - 1, False)])
def test_a_part_is_set_aside_if_it_has_enough_units_for_an_answer(units: int, is_part: bool) -> None:
    documents = [f"document {number}" for number in range(units)]
    trained, default = default_held_out(documents)
    assert default.is_part == is_part
    if is_part:
        assert (list(trained), list(default.documents)) == set_aside(documents)
        assert held_out(default.documents).has_enough
    else:
        assert list(trained) == documents
        assert default.documents == (EXAMPLE,)


REASONS = dict.fromkeys(
    ("one word", "lines", "emoji", "an essay", "a poem with blank lines"), TOO_SHORT
) | dict.fromkeys(
    ("one line, often", "one line often, others once", "lines that differ in a number"), _REPEATED
)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_is_set_aside_does_not_occur_in_the_rest(text: str) -> None:
    trained, default = default_held_out([text])
    assert bool(default.reason) != default.is_part
    if not default.is_part:
        return
    units = [{unit.strip() for unit in held_out(part).units} for part in (list(trained), default.documents)]
    assert not units[0] & units[1]
    assert text_overlap(default.documents, list(trained)) < _TRAINED


@pytest.mark.parametrize("name", REASONS)
def test_it_says_why_no_part_is_set_aside(name: str) -> None:
    _, default = default_held_out([TEXTS[name]])
    assert default.reason == REASONS[name]
    assert default.about == f"{default.title}, because {default.reason}"


def test_lines_with_more_copies_are_set_aside_later() -> None:
    often = [f"often {number}" for number in range(EVERY - 1)] * 50
    seldom = [f"seldom {number}" for number in range(FEWEST)]
    assert set_aside([*seldom, *often])[1] == ["seldom 0", f"seldom {EVERY}"]


def test_counted_words_are_trained_on_as_a_whole() -> None:
    words = {"low": 5, "lower": 2}
    assert default_held_out(words) == (words, other_text(words))


def test_no_sample_that_the_text_holds_is_held_out() -> None:
    assert other_text(STORY).documents == (texts.samples()["ties"],)
    for title, text in _samples().items():
        chosen = other_text(f"{text}\n and more")
        assert title not in chosen.title
        assert text_overlap(chosen.documents, [text]) <= MOST_OVERLAP


def test_branches_pick_pairs_of_the_whole_text() -> None:
    corpus = corpora.from_text(texts.source())
    assert held_out_text._sets_aside(corpus, page_lanes())
    assert held_out_text.split_corpus(corpus, page_lanes("first~first_0.1"))[0] is corpus


# How much of a text occurs word for word in another.


def test_text_that_is_also_in_the_corpus_is_counted() -> None:
    line = "one two three four five six seven eight nine"
    assert text_overlap([f"{line}\nten\n", line.replace("nine", "ten")], ["", f"zero  {line} again"]) == 3 / 5


# Encoded text: the tokens of a document.

HELD_OUT_DOCUMENTS = (
    ["one line\n\n  more of it\n" * 25],
    ["  word ﬁ e\u0301\t" * 300 + "\r\n \r\n"],
    ["a\u0301b\u2028c\n" * 11, " \n", "\u0301\nx\n\n\n" * 11],
    [f"document {number}\n" for number in range(30)],
)
LANES_OF_EVERY_KIND: dict[str, dict[str, Any]] = {
    **{variant: {"variant": variant} for variant in bpe.VARIANTS},
    **{form: {"variant": "bytes-gpt2", "normalization": form} for form in NORMALIZATIONS},
    "pre-tokens across line ends": {"variant": bpe.custom_variant(r"\w+\s+\w")},
    **{f"preset {slug}": dict(preset.settings) for slug, preset in bpe.PRESETS.items()},
}


@pytest.mark.parametrize("settings", LANES_OF_EVERY_KIND.values(), ids=LANES_OF_EVERY_KIND)
def test_an_encoded_text_has_the_tokens_of_its_documents(settings: dict[str, Any]) -> None:
    tokenizer = bpe.train(
        "one line\nwith more\n\nof it\n" * 3, **settings | {"merges": 12, "vocab_size": None}
    ).tokenizer()
    for documents in HELD_OUT_DOCUMENTS:
        text = held_out(documents)
        for units, encoded in zip(text.units_of, encoded_texts(tokenizer, text.texts), strict=True):
            assert len(encoded.starts) == len(tokenizer.tokens("".join(units)))


@pytest.mark.parametrize("variant", bpe.VARIANTS)
def test_a_word_is_split_where_its_tokens_are_whatever_marks_it(variant: str) -> None:
    text, word = "\n  so Größe,\tso Größe", "Größe,"
    tokenizer = bpe.train(f"{word} " * 9, variant, merges=3).tokenizer()
    start = text.index(word)
    (split,) = _encoded_text(tokenizer, text).splits([(start, start + len(word))])
    ends = accumulate(len(token) for token in tokens_without_marker(tokenizer, word))
    assert b"".join(_pieces_of(word, split)) == word.encode()
    assert list(accumulate(map(len, _pieces_of(word, split)))) == sorted(set(ends) - {0})


def tokens_without_marker(tokenizer: bpe.Tokenizer, word: str) -> list[bytes]:
    """Return the tokens of a word alone that spell its letters."""
    marker = tokenizer.variant.marker
    tokens = tokenizer.tokens(f" {word}" if tokenizer.variant.slug in AFTER_SPACES else word)
    return [token.replace(marker, b"") if marker else token.removeprefix(b" ") for token in tokens]


AFTER_SPACES = ("bytes-gpt2", "bytes-gpt4", "bytes")


@pytest.mark.parametrize(
    ("form", "word", "pieces"),
    [("NFKC", "ﬁn", [b"\xef", b"\xac\x81", b"n"]), ("NFC", "e\u0301x", ["e\u0301".encode(), b"x"])],
)
def test_a_word_keeps_its_letters_where_a_form_of_unicode_changes_them(
    form: Normalization, word: str, pieces: list[bytes]
) -> None:
    """NFKC makes two letters of ﬁ, which can be split; NFC makes one of e and its accent, which cannot."""
    tokenizer = bpe.train(word, "char-eow", normalization=form, merges=0).tokenizer()
    (split,) = _encoded_text(tokenizer, word).splits([(0, len(word))])
    assert list(_pieces_of(word, split)) == pieces
