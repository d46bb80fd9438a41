"""Decoding, id by id: typed ids, the text that each id adds, and what a round trip loses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.analysis.decoding import decode_steps, read_ids, round_trip, round_trip_rows

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
    changes = round_trip(before, after)
    assert "".join(change.before for change in changes) == before
    assert "".join(change.after for change in changes) == after
    rows = round_trip_rows(before, after)
    assert sum(cell.end - cell.start for cell in rows[0].cells) == len(before)
    assert sum(cell.end - cell.start for cell in rows[1].cells) == len(after)


def test_a_lost_character_has_the_column_where_it_was() -> None:
    before, after = round_trip_rows("a  b", "a b")
    assert [(cell.start, cell.label) for cell in before.cells if cell.kind == "lost"] == [(2, "·")]
    assert not [cell for cell in after.cells if cell.kind == "added"]
