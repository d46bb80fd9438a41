"""A table of replacements that points outside itself ends the search or is refused in a sentence."""

import pytest

from bpe import BPEError
from bpe.formats.charsmap import first_replacement


def charsmap(*units: int) -> bytes:
    """Return a table of these units, without replacements."""
    return (4 * len(units)).to_bytes(4, "little") + b"".join(unit.to_bytes(4, "little") for unit in units)


TO_A = 0x60 << 10  # of the root: 0x60 ^ 0x61 leads from it to unit 1, by an a
A_THEN_PAST = 3 << 10 | 0x100 | 0x61  # an a with a replacement, which 1 ^ 3 leads to


def test_a_character_that_leads_just_past_the_table_has_no_replacement() -> None:
    assert first_replacement(charsmap(TO_A), ("f", ""))("a") is None


def test_a_replacement_just_past_the_table_is_refused() -> None:
    with pytest.raises(BPEError, match="f: the table points past its end"):
        first_replacement(charsmap(TO_A, A_THEN_PAST), ("f", ""))("a")
