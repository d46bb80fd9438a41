"""Two hundred strings in many languages, to compare an encoding with that of a library."""

import random
from collections.abc import Sequence
from zlib import crc32

from tests.material import texts

_ODD = [
    "",
    " ",
    "   ",
    "\n",
    "\r\n\r\n",
    "\t\tx = 1\n",
    "a  b   c    d",
    " leading",
    "trailing ",
    "don't I'LL we've 'tis O'Neil's",
    "12345678901234567890 3.14159 1,000,000",
    "!!!???...---===>>>",
    "x² + y³ ≠ ½ ⅷ ①",
    "e\u0301le\u0300ve ﬁne Ångström İstanbul ΣΊΣΥΦΟΣ ὈΔΥΣΣΕΎΣ",
    "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇫🇷🇩🇪 😀😃",
    "\u00a0no-break\u00a0spaces\u2009thin\u3000wide",
    "▁typed▁metaspace ▁ ▁▁",
    "typed </w> marker</w> ab</w>",
    "<0x41><0x0A> <unk> <s> </s>",
    "ABC Def gHI jKl MNOp",
    "camelCaseAndPascalCase snake_case_words kebab-case-words",
    "https://example.org/path?q=1&r=two#three",
    "a" * 300,
    "ab" * 200,
    "敏捷的棕色狐狸跳过懒狗" * 5,
    "ſ 'ſ K 'S 'T",
    "\x00\x01\x7f\u200b\ufeff\u2060",
    "tel. +49 (0)30 1234567; 5 € / 3 £",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𐍈 𒀀",
]


def _strings() -> list[str]:
    draw = random.Random(12)
    strings = [*_ODD, *texts.TOYS.values(), *texts.PROBES.values(), *texts.SENTENCES.split("\n")]
    words = texts.SENTENCES.split()
    spaces = [" "] * 8 + ["  ", "\n", "\t", "", ", ", "-"]
    while len(strings) < 200:
        count = draw.randint(1, 12)
        strings.append("".join(draw.choice(words) + draw.choice(spaces) for _ in range(count)))
    return strings


def one_in_six(strings: Sequence[str], name: str) -> Sequence[str]:
    """Return every sixth string, others for another name: tests of many files try all of them together."""
    return strings[crc32(name.encode()) % 6 :: 6]


STRINGS = _strings()
assert len(STRINGS) == 200
