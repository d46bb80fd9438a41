"""Which characters sentencepiece joins into one piece, compared with the library."""

import itertools
import random
import unicodedata

import pytest

from bpe import PRESETS, train
from bpe.settings.pieces import _CHANGED, _FIRST, _LAST, SCRIPTS, sentencepiece_script
from bpe.symbols import START_OF_WORD
from tests.material import libraries

BLOCKS = [
    [chr(code) for code in range(first, last + 1) if unicodedata.category(chr(code)) != "Cn"]
    for first, last in [
        *[(0x41, 0x7A), (0x370, 0x3FF), (0x400, 0x45F), (0x531, 0x58A), (0x5D0, 0x5EA), (0x600, 0x65F)],
        *[
            (0x8A0, 0x8FF),
            (0x904, 0x97F),
            (0xE01, 0xE5B),
            (0x10D0, 0x10FF),
            (0x1C80, 0x1CBF),
            (0x2C00, 0x2C5F),
        ],
        *[(0x3041, 0x30FF), (0x4E00, 0x4E20), (0x9FC0, 0x9FFF), (0xA640, 0xA6FF), (0xAC00, 0xAC20)],
    ]
]


def neighbours() -> list[str]:
    """Return the first and last character of each range that the tables name, and the ones beside it."""
    ends = [end + beside for end in (*_FIRST, *_LAST) for beside in (-1, 0, 1)]
    return [chr(end) for end in ends if unicodedata.category(chr(end)) not in ("Cn", "Cs", "Cc", "Co")]


def test_the_library_joins_a_character_to_those_of_its_script() -> None:
    characters = sorted({*neighbours(), *_CHANGED, "ー", "あ", "ア"})
    others = {
        sentencepiece_script(letter): letter
        for letter in itertools.chain(*reversed(BLOCKS))
        if letter.isalpha()
    }
    others["Common"] = "+"
    words = [
        character + other
        for character in characters
        for other in {others.get(sentencepiece_script(character), "+"), "+", "a", "կ", "ع", "あ"}
    ]
    text = "\n".join(f"{word} {word}" for word in words)
    pieces = {
        piece.lstrip(START_OF_WORD).decode()
        for piece in libraries.sentence_piece(text, 3 * len(words)).merged_symbols
    }
    joined = [word for word in words if word in pieces]
    scripts = [{sentencepiece_script(character) for character in word} - {"Inherited"} for word in words]
    assert joined == [word for word, of in zip(words, scripts, strict=True) if len(of) <= 1]
    assert len(characters) > 100
    assert 0 < len(joined) < len(words)


@pytest.mark.parametrize("seed", range(6))
def test_mixtures_of_scripts_are_learned_as_the_library_learns_them(seed: int) -> None:
    draw = random.Random(seed)
    words = [
        "".join(draw.choices([*draw.sample(block, 6), draw.choice("։،؟٪٠1.ー-\u0301")], k=draw.randint(2, 9)))
        for block in draw.choices(BLOCKS, k=60)
    ]
    text = "\n".join(" ".join(draw.choices(words, k=8)) for _ in range(150))
    learned = libraries.sentence_piece(text, 300)
    trace = train(text, merges=300, **PRESETS["sentencepiece"].settings)
    assert [left + right for left, right in trace.merges] == learned.merged_symbols[: len(trace.merges)]
    assert len(trace.merges) > 100


def test_each_script_has_a_name_once() -> None:
    assert len(set(SCRIPTS)) == len(SCRIPTS)
    assert all(first <= last for first, last in zip(_FIRST, _LAST, strict=True))
    assert all(last < first for last, first in zip(_LAST, itertools.islice(_FIRST, 1, None), strict=False))
