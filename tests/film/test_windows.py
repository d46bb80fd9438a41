"""Windows: joined, they hold every pre-token of a text exactly once, in every variant."""

import json
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe import Variant
from bpe.formats.hugging_face.reading import _open_tokenizer_json
from bpe.text.display import INVISIBLE, visible_text
from bpe.text.variants import Unit
from film.encoding_feed import encoding_feed, encoding_window
from film.training_feed import training_feed
from film.windows import GLYPHS, LONG, PreTokenSlice, cut_window, special_characters
from tests.film.readers import tokens_of
from tests.material.texts import SENTENCES

PATTERNS = {"custom letters": r" ?\p{L}+", "custom pairs": r"[\s\S]{1,2}"}
VARIANTS: dict[str, Variant] = {slug: row for slug, row in bpe.VARIANTS.items() if slug != "custom"} | {
    f"{name} in {unit}": bpe.custom_variant(pattern, unit)
    for name, pattern in PATTERNS.items()
    for unit in get_args(Unit)
}
LONG_WORD = "abc" * LONG
# Named documents that are difficult for windows.
AWKWARD = {
    "a long word alone": [LONG_WORD],
    "a long word after a space": [" " + LONG_WORD],
    "a long word between short ones": ["low " + LONG_WORD + " lower"],
    "two long words": [LONG_WORD + " " + LONG_WORD],
    "a long word of two-byte letters": ["é" * (2 * LONG)],
    "spaces in front": ["   low lower"],
    "spaces and line ends": [" \n low\n\n  lower \r\n\tlowest \n"],
    "one letter": ["a"],
    "empty documents": ["", "low lower", "", "", " lowest", ""],
    "long words in several documents": [LONG_WORD, "low", LONG_WORD, " " + LONG_WORD],
    "as long as is still short": ["a" * LONG + " " + "b" * (LONG - 1) + " " + "c" * (LONG + 1)],
    "sentences": [SENTENCES[:700], SENTENCES[700:1_400].replace(" ", "\n\n")],
}


def laid_end_to_end(
    documents: list[str], variant: Variant, size: int, long: int = LONG
) -> list[PreTokenSlice]:
    slices: list[PreTokenSlice] = []
    start = 0
    while True:
        window = cut_window(documents, variant, start, size, long)
        slices += window.slices
        if window.end >= window.total:
            return slices
        assert window.end > start
        start = window.end


def joined(slices: list[PreTokenSlice]) -> list[str]:
    """Return the pre-tokens, after joining those that were cut."""
    pre_tokens: list[str] = []
    end = 0
    for piece in slices:
        assert piece.start == end, "the next slice goes on where the last one ended"
        assert piece.start < piece.end, "no slice is empty"
        if piece.start == 0:
            pre_tokens.append("")
        pre_tokens[-1] += piece.pre_token[piece.start : piece.end]
        end = piece.end % len(piece.pre_token)
    return pre_tokens


@pytest.mark.parametrize("slug", VARIANTS)
def test_windows_end_to_end_hold_every_pre_token_once(slug: str) -> None:
    variant = VARIANTS[slug]
    for name, documents in AWKWARD.items():
        pre_tokens = [pre_token for document in documents for pre_token in variant.split(document)]
        for size in (57, LONG, LONG + 1, 10 * LONG):
            assert joined(laid_end_to_end(documents, variant, size)) == pre_tokens, name


@given(
    phrases=st.lists(st.text(st.sampled_from("ab é\n\r\t\u3000.1'"), max_size=40), max_size=4),
    times=st.integers(1, 20),
    slug=st.sampled_from(list(VARIANTS)),
    size=st.integers(20, 900),
    long=st.integers(1, 12) | st.just(LONG),
)
def test_windows_of_any_text_hold_every_pre_token_once(
    phrases: list[str], times: int, slug: str, size: int, long: int
) -> None:
    variant = VARIANTS[slug]
    documents = [phrase * times for phrase in phrases]  # long enough that safe cuts are near and far
    pre_tokens = [pre_token for document in documents for pre_token in variant.split(document)]
    assert joined(laid_end_to_end(documents, variant, size, long)) == pre_tokens


@pytest.mark.parametrize("slug", VARIANTS)
def test_training_feeds_end_to_end_hold_every_initial_symbol_once(slug: str) -> None:
    for name, documents in AWKWARD.items():
        trace = bpe.train(documents, variant=VARIANTS[slug], merges=5)
        symbols: list[bytes] = []
        start = 0
        while start < sum(map(len, documents)):
            feed = training_feed(trace, documents, start=start, size=LONG)
            symbols += tokens_of(feed, 0)
            assert feed["text"]["end"] > start
            start = feed["text"]["end"]
        assert symbols == [symbol for document in documents for symbol in trace.segment(document, 0)], name


@pytest.mark.parametrize("slug", VARIANTS)
def test_encoding_feeds_end_to_end_hold_every_initial_symbol_once(slug: str) -> None:
    for name, documents in AWKWARD.items():
        text = "".join(documents)
        tokenizer = bpe.train(text, variant=VARIANTS[slug], merges=5).tokenizer()
        symbols: list[bytes] = []
        start = 0
        while start < len(text):
            feed, _ = encoding_feed(tokenizer, encoding_window(text, tokenizer, start, size=50), "rank")
            symbols += tokens_of(feed, 0)
            assert feed["text"]["end"] > start
            start = feed["text"]["end"]
        assert symbols == tokenizer.variant.symbols(text), name


@pytest.mark.parametrize("slug", ["char-metaspace", "char-eow", "bytes"])
def test_a_long_word_that_fits_is_not_cut(slug: str) -> None:
    variant = bpe.VARIANTS[slug]
    (piece,) = cut_window([LONG_WORD], variant, 0, len(LONG_WORD)).slices
    assert piece.whole
    assert [piece.pre_token] == variant.split(LONG_WORD)


def test_a_long_word_that_ends_where_the_window_starts_is_outside() -> None:
    window = cut_window([LONG_WORD + " low"], bpe.VARIANTS["char-eow"], len(LONG_WORD), 100)
    assert [piece.pre_token for piece in window.slices] == ["low"]


@pytest.mark.parametrize("slug", [slug for slug, row in VARIANTS.items() if row.safe_cut is not None])
def test_a_window_is_found_without_splitting_the_text_around_it(slug: str) -> None:
    characters_split = 0

    def split(text: str) -> list[str]:
        nonlocal characters_split
        characters_split += len(text)
        return VARIANTS[slug].split(text)

    word = "a" * 3_000  # so that the next safe cut is far
    text = SENTENCES * 50 + word + SENTENCES * 50
    window = cut_window([text], replace(VARIANTS[slug], split=split), len(text) // 2, 3_000)
    assert len(window.slices) > 100
    assert characters_split < 15_000 < len(text)


def test_a_window_is_split_where_the_typed_text_has_added_tokens() -> None:
    """As Gemma's: ▁▁ is an added token of the typed text, and runs of spaces become ▁ after it was searched."""
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    tokens = ("a", "b", "\n", "▁", "▁▁", "\n\n", "<unk>")
    content = {
        "added_tokens": [{"id": number, "content": tokens[number], **flags} for number in (4, 5)],
        "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        "model": {
            "type": "BPE",
            "unk_token": "<unk>",
            "vocab": {token: number for number, token in enumerate(tokens)},
            "merges": [["▁", "▁"]],
        },
    }
    tokenizer = _open_tokenizer_json(json.dumps(content)).tokenizer
    text = "a  b\n\n  a▁▁b"
    trace = bpe.replay(text, tokenizer)
    (document,) = trace.request.documents(text)
    words = ["a▁▁b", "\n\n", "▁▁a", "▁▁", "b"]
    assert tokenizer.variant.split(document) == words
    assert [piece.pre_token for piece in cut_window([document], tokenizer.variant).slices] == words
    part = tokenizer.variant.split(document[1:8])
    assert list(map(str, part)) == ["▁▁b", "\n\n", "▁▁"]  # the last one is no added token here
    assert document[-1] == "b"


def test_a_document_begins_a_line_and_so_does_a_line() -> None:
    window = cut_window(["a b\nc", "d"], bpe.VARIANTS["char-eow"])
    assert [piece.pre_token for piece in window.slices] == ["a", "b", "c", "d"]
    assert window.breaks == (2, 3)


def test_a_word_inside_a_document_does_not_begin_a_line() -> None:
    for documents in (["low", "a" * 300 + "   low"], ["low\n" + "a" * 300 + "   low"]):
        window = cut_window(documents, bpe.VARIANTS["char-eow"], sum(map(len, documents)) - 4, 9)
        assert [piece.pre_token for piece in window.slices] == ["low"]
        assert window.breaks == ()


def test_the_rest_of_a_long_word_does_not_begin_a_line() -> None:
    window = cut_window(["low", LONG_WORD], bpe.VARIANTS["char-eow"], 100, 100)
    assert window.slices[0].start > 0
    assert window.breaks == ()


@pytest.mark.parametrize("start", [0, 1, 300, 500, 997, 1_403, 1_900])
def test_lines_begin_at_the_same_words_in_every_window(start: int) -> None:
    variant = bpe.VARIANTS["char-eow"]
    documents = ["one two\n three four five\n\n" * 30] * 3
    every, some = cut_window(documents, variant), cut_window(documents, variant, start, 200)
    skipped = len(cut_window(documents, variant, 0, start).slices) if start else 0
    assert some.slices == every.slices[skipped : skipped + len(some.slices)]
    assert some.breaks == tuple(
        position - skipped for position in every.breaks if skipped <= position < skipped + len(some.slices)
    )


@pytest.mark.parametrize("slug", bpe.VARIANTS)
def test_letters_before_the_first_word_align_the_variants(slug: str) -> None:
    """White space, markers and the variant's splits do not matter, so lanes of two variants can be compared."""
    text = "low  été\u3000lower\n" * 20
    variant = bpe.VARIANTS[slug]
    for start in (0, 3, 31, 100):
        window = cut_window([text[:90], text[90:]], variant, start, 60)
        inside = "".join(text[start:].split()).encode()
        slices = [piece.pre_token[piece.start : piece.end] for piece in window.slices]
        letters = "".join("".join(slices).split()).encode()
        assert inside[window.letters :].startswith(letters)


def test_only_letters_inside_the_window_count() -> None:
    window = cut_window(["été " * 100], bpe.VARIANTS["char-eow"], 202, 60)
    assert window.letters == len("é".encode())


# The special characters of a feed are those that Python's labels do not show unchanged.

# All of the first blocks, and some of the rest, which is mostly ideographs, syllables and unassigned.
CODES = (*range(0x3400), *range(0x3400, 0xD800, 17), *range(0xE000, 0x110000, 17), *range(0xE0000, 0xE0200))
CHARACTERS = list(map(chr, CODES))


def named(character: str) -> str:
    short = INVISIBLE[character][0] if character in INVISIBLE else f"U+{ord(character):04X}"
    return f"<{short}>"


def test_every_character_is_shown_as_its_class_says() -> None:
    special = special_characters(CHARACTERS, [])
    hidden, joining = set(special["hidden"]), set(special["joining"])
    marks, selectors = set(special["marks"]), set(special["selectors"])
    classes = hidden, joining, marks, selectors
    assert sum(map(len, classes)) == len(hidden | joining | marks | selectors)
    for character in set(CHARACTERS).difference(GLYPHS):
        alone = visible_text(character.encode())
        inside = visible_text(f"a{character}z".encode())
        if character in hidden:
            assert (alone, inside) == (named(character), f"a{named(character)}z")
        elif character in joining or character in selectors:
            assert (alone, inside) == (named(character), f"a{character}z")
        elif character in marks:
            assert (alone, inside) == (f"◌{character}", f"a{character}z")
        else:
            assert (alone, inside) == (character, f"a{character}z")


def test_glyphs_are_in_no_class() -> None:
    special = special_characters([GLYPHS], [])
    assert not special["hidden"] + special["joining"] + special["marks"] + special["selectors"]
    assert not any(glyph in visible_text(f"a{glyph}z".encode()) for glyph in GLYPHS)


def test_characters_of_tokens_count_and_parts_of_characters_do_not() -> None:
    special = special_characters([], ["é\u200d".encode(), b"\xe2\x80", b"\x8d", b"\xff"])
    assert (special["hidden"], special["joining"], special["marks"]) == ("", "\u200d", "")
    assert special_characters([], [b"\xe2\x80", b"\x8d"])["joining"] == ""


def test_nothing_invisible_is_in_a_label_but_what_joins_or_changes_its_neighbours() -> None:
    joined = set()
    for character in INVISIBLE:
        label = visible_text(f"a{character}z".encode())
        if character in label:
            joined.add(character)
        assert visible_text(character.encode()) != character
        assert special_characters([character], [])["names"] == {character: list(INVISIBLE[character])}
    assert {"\u200c", "\u200d", "\ufe0f"} <= joined
    assert not joined & {
        "\u00a0",
        "\u00ad",
        "\u200b",
        "\ufeff",
        "\u2028",
        "\u2029",
        *map(chr, range(0x202A, 0x202F)),
    }
    assert not joined & set(map(chr, range(0x2066, 0x206A)))
