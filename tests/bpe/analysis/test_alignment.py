"""Aligned rows: every cell covers the columns of its bytes, in every variant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.analysis.alignment import (
    Row,
    _byte_kind,
    _byte_row,
    _code_point_row,
    _grapheme_row,
    _remapped_row,
    aligned_rows,
    graphemes,
    mark_differences,
    token_row,
)
from bpe.analysis.decoding import _round_trip, decode_steps, read_ids, round_trip_rows
from bpe.symbols import END_OF_WORD, START_OF_WORD
from tests.bpe.text.random_texts import examples

CORPUS = "low low low lower newest newest widest a😊 é"
TOKENIZERS = {
    slug: bpe.train(CORPUS, variant=slug, merges=12).tokenizer() for slug in bpe.VARIANTS if slug != "custom"
}
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.text("low \n\té😊", max_size=20)


def labels(row: Row) -> list[str]:
    return [cell.label for cell in row.cells]


def spans(row: Row) -> list[tuple[int, int]]:
    return [(cell.start, cell.end) for cell in row.cells]


def test_the_first_example_of_the_page() -> None:
    """A😊: code points 65 and 128522, bytes 65, 240, 159, 152, 138."""
    text = "A😊"
    assert [ord(character) for character in text] == [65, 128522]
    assert labels(_code_point_row(text)) == ["U+0041", "U+1F60A"]
    assert [int(label, 16) for label in labels(_byte_row(text))] == [65, 240, 159, 152, 138]
    assert labels(_remapped_row(text)) == ["A", "ð", "Ł", "ĺ", "Ĭ"]
    assert spans(_grapheme_row(text)) == spans(_code_point_row(text)) == [(0, 1), (1, 5)]
    assert [cell.kind for cell in _byte_row(text).cells] == ["ascii", "lead", *["continuation"] * 3]


def test_white_space_is_remapped_to_visible_characters() -> None:
    assert labels(_remapped_row(" a\n")) == ["Ġ", "a", "Ċ"]


@pytest.mark.parametrize(
    ("text", "count"),
    [("e\u0301", 1), ("👨‍👩‍👧", 1), ("🇳🇵🇨🇭", 2), ("ab", 2), ("", 0)],
    ids=["accent", "family", "flags", "letters", "empty"],
)
def test_graphemes_are_the_characters_a_reader_counts(text: str, count: int) -> None:
    assert len(graphemes(text)) == count


def test_every_byte_has_a_kind() -> None:
    kinds = [_byte_kind(byte) for byte in range(256)]
    assert kinds.count("ascii") == 128
    assert kinds.count("continuation") == 64


MARKERS = {
    "char-eow": ("low  lower", [(0, 5), (5, 8), (8, 9), (9, 10), (10, 11)]),
    "char-metaspace": ("low lower", [(-1, 3), (3, 7), (7, 8), (8, 9)]),
    "bytes-whitespace": ("low lower", [(0, 3), (3, 4), (4, 7), (7, 8), (8, 9)]),
    "bytes-gpt2": ("low lower", [(0, 3), (3, 7), (7, 8), (8, 9)]),
}


@pytest.mark.parametrize("slug", MARKERS)
def test_markers_have_the_columns_of_their_white_space(slug: str) -> None:
    """An end-of-word marker has the white space after the word, a start-of-word marker the space before it."""
    text, expected = MARKERS[slug]
    ours = bpe.train("low low low", variant=slug, merges=6).tokenizer()
    row = token_row(text, ours.tokens(text), ours.variant, ours.ids)
    assert spans(row) == expected
    assert [cell.kind for cell in row.cells].count("gap") == (slug == "bytes-whitespace")


def test_an_unknown_character_is_shown_in_its_cell() -> None:
    row = aligned_rows("loẞ", TOKENIZERS["char-eow"])[-1]
    assert [cell.label for cell in row.cells if cell.kind == "unknown"] == ["ẞ"]


@given(st.sampled_from(sorted(TOKENIZERS)), TEXTS)
@examples(100)
def test_rows_cover_the_text_without_overlap(slug: str, text: str) -> None:
    """Every byte is in one cell of each row, and the tokens join to the text's symbols."""
    rows = aligned_rows(text, TOKENIZERS[slug])
    size = len(text.encode())
    for row in rows:
        end = min([0, *(cell.start for cell in row.cells)])
        for cell in row.cells:
            assert cell.start == end < cell.end
            end = cell.end
        assert end >= size
    variant = bpe.VARIANTS[slug]
    tokens = [cell for cell in rows[-1].cells if cell.symbol is not None]
    assert b"".join(cell.symbol or b"" for cell in tokens) == b"".join(variant.symbols(text))
    for cell in tokens:
        own = (
            (cell.symbol or b"").replace(END_OF_WORD, b"")
            if variant.marker == END_OF_WORD
            else cell.symbol or b""
        )
        own = own.replace(START_OF_WORD, b" ") if variant.marker == START_OF_WORD else own
        assert (b" " + text.encode())[cell.start + 1 : cell.start + 1 + len(own)] == own


def test_cells_without_a_counterpart_are_marked_in_each_row() -> None:
    variant = bpe.VARIANTS["bytes"]
    rows = [token_row("abc", tokens, variant, {}) for tokens in ([b"ab", b"c"], [b"a", b"bc"], [b"ab", b"c"])]
    assert mark_differences(rows) == [[True, True]] * 3
    assert mark_differences(rows[::2]) == [[False, False]] * 2


def test_differences_in_white_space_alone_are_not_marked() -> None:
    text = "low low"
    rows = []
    for slug in ("char-eow", "char-metaspace", "bytes-gpt2", "bytes-whitespace"):
        ours = bpe.train("low low low", variant=slug, merges=8).tokenizer()
        rows.append(token_row(text, ours.tokens(text), ours.variant, ours.ids))
    assert not any(map(any, mark_differences(rows, text)))


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(bpe.BPEError):
        aligned_rows("a\ud800", TOKENIZERS["bytes"])


# Decoding, id by id: typed ids, the text that each id adds, and what a round trip loses.

BYTES = bpe.train("low low lower 😊", variant="bytes", merges=3).tokenizer()


@pytest.mark.parametrize("text", ["[264, 32]", "264 32", "(264), {32}", "264;32\n"])
def test_ids_are_read_from_lists_as_they_are_printed(text: str) -> None:
    assert read_ids(text) == ["264", "32"]


def test_a_bad_id_is_named_with_its_position_and_adds_no_text() -> None:
    steps = list(decode_steps(BYTES, ["108", "999999", "two", "111"]))
    assert [bool(step.problem) for step in steps] == [False, True, True, False]
    assert "999999 at position 1" in steps[1].problem
    assert "“two” at position 2" in steps[2].problem
    assert "".join(step.text for step in steps) == "lo"


def test_a_typographic_minus_sign_is_read() -> None:
    assert next(decode_steps(BYTES, ["−1"])).text == "\ufffd"


def test_the_bytes_of_an_incomplete_character_are_pending() -> None:
    steps = list(decode_steps(BYTES, [str(byte) for byte in "😊".encode()]))
    assert [step.pending.hex() for step in steps] == ["f0", "f09f", "f09f98", ""]
    assert [step.text for step in steps] == ["", "", "", "😊"]


def test_too_many_ids_are_refused() -> None:
    with pytest.raises(bpe.BPEError, match="At most"):
        read_ids("1 " * 100_001)


@pytest.mark.parametrize("slug", [slug for slug in bpe.VARIANTS if slug != "custom"])
def test_the_steps_join_to_the_decoded_text(slug: str) -> None:
    ours = bpe.train("low low lower é", variant=slug, merges=4).tokenizer()
    ids = ours.encode("low é  lower")
    joined = "".join(step.text for step in decode_steps(ours, list(map(str, ids))))
    assert joined.removesuffix(" ") == ours.decode(ids)


@given(st.text("ab \n", max_size=30), st.text("ab \n", max_size=30))
def test_the_parts_of_a_round_trip_join_to_both_texts(before: str, after: str) -> None:
    changes = _round_trip(before, after)
    assert "".join(change.before for change in changes) == before
    assert "".join(change.after for change in changes) == after
    rows = round_trip_rows(before, after)
    assert sum(cell.end - cell.start for cell in rows[0].cells) == len(before)
    assert sum(cell.end - cell.start for cell in rows[1].cells) == len(after)


def test_a_lost_character_has_the_column_where_it_was() -> None:
    before, after = round_trip_rows("a  b", "a b")
    assert [(cell.start, cell.label) for cell in before.cells if cell.kind == "lost"] == [(2, "·")]
    assert not [cell for cell in after.cells if cell.kind == "added"]
