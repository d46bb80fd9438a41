"""Unit tokens: the tokens of a document, counted in the units in which they begin."""

from bisect import bisect_right
from collections import Counter
from itertools import accumulate
from typing import Any

import pytest

import bpe
from bpe.analysis.significance.held_out import held_out
from bpe.analysis.significance.unit_tokens import tokens_by_unit
from bpe.text.normalizing import NORMALIZATIONS

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
def test_the_tokens_of_the_units_are_those_of_the_documents(settings: dict[str, Any]) -> None:
    tokenizer = bpe.train(
        "one line\nwith more\n\nof it\n" * 3, **settings | {"merges": 12, "vocab_size": None}
    ).tokenizer()
    for documents in HELD_OUT_DOCUMENTS:
        text = held_out(documents)
        numbers = tokens_by_unit(tokenizer, text.units_of)
        assert len(numbers) == len(text.units)
        start = 0
        for units in text.units_of:
            whole = tokenizer.tokens("".join(units))
            assert sum(numbers[start : start + len(units)]) == len(whole)
            if tokenizer.normalise("".join(units)) == "".join(units):
                starts = list(accumulate(map(len, units), initial=0))[:-1]
                # A marker that spans nothing is a part of the word before it.
                begins = [begin - (begin == end) for begin, end in tokenizer.offsets("".join(units))]
                expected = Counter(max(bisect_right(starts, begin) - 1, 0) for begin in begins)
                assert numbers[start : start + len(units)] == [expected[unit] for unit in range(len(units))]
            start += len(units)


def test_a_normalised_text_keeps_its_tokens_in_their_units() -> None:
    tokenizer = bpe.train("ab", "bytes-gpt2", normalization="NFKC", merges=0).tokenizer()
    assert tokens_by_unit(tokenizer, [["ﬁ\n", "ﬁﬁ\n", "x"]]) == [3, 5, 1]
