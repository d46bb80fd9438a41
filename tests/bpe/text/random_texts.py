"""Random texts and rules, as hypothesis makes them."""

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


def examples(number: int) -> settings:
    return settings(
        max_examples=number,
        derandomize=True,  # the same examples everywhere, so that a failure can be reproduced
        database=None,
    )
