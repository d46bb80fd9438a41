"""Random texts and rules, as hypothesis makes them, and how many."""

import os

from hypothesis import settings
from hypothesis import strategies as st

from bpe import TIE_BREAKS

LITERALS = [
    "</w>",
    "_",
    "▁",
    "<unk>",
    "<|endoftext|>",
    "\u00ff",
    "\u00fe",
    "\ufffd",
    "\ufeff",
    "\r\n",
    "\u3000",
    "\x00",
]

# Few letters give many ties and runs; the rest of Unicode gives marks, joiners and characters of every length.
TEXTS = st.one_of(
    st.text("ab ", max_size=40),
    st.text("abc é\n", max_size=40),
    st.text(max_size=20),
    st.lists(st.one_of(st.sampled_from(LITERALS), st.text("ab \n\t", max_size=4)), max_size=8).map("".join),
)
RULES = st.sampled_from(list(TIE_BREAKS))

# Once a week, properties are tried with so many times as many examples, and with new ones.
TIMES = int(os.environ.get("MERGE_BY_MERGE_EXAMPLES", "1"))


def examples(number: int) -> settings:
    """Return the settings of a test that tries so many examples."""
    return settings(
        max_examples=number * TIMES,
        derandomize=TIMES == 1,  # the same examples everywhere, so that a failure can be reproduced
        database=None,
    )
