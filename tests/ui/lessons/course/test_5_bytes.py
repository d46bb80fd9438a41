"""What the lessons of the part “Bytes” say."""

import sys
import unicodedata

from tests.ui.lessons.lesson_checks import beat, given
from ui.page_parts.lessons.lesson import read_symbol


def test_bytes() -> None:
    beat("bytes", 1)
    assert list(map(ord, "A😊")) == [65, 128522]
    assert len("A😊") == 2
    beat("bytes", 2)
    given("Unicode 16.0 has 154,998 characters", 150000, 154998, 16)
    assert sys.maxunicode + 1 == 1114112
    at = beat("bytes", 3)
    assert list(b"A") == [65]
    assert b"A".hex(" ").upper() == "41"
    assert list("😊".encode()) == [240, 159, 152, 138]
    assert "😊".encode().hex(" ").upper() == "F0 9F 98 8A"
    assert len("😊".encode()) == 4
    assert len("A😊".encode()) == 5
    assert len(at.ids("A😊")) == 5
    at = beat("bytes", 4)
    assert at.tied == "F0 + 9F, 9F + 98, 98 + 8A"
    at = beat("bytes", 5)
    assert at.made == "F0 9F F0 9F 98 😊"
    assert at.trace.id_of(at.symbol("😊")) == 258
    at = beat("bytes", 6)
    assert at.split("😀") == "F0 9F 98 80"
    assert at.encoding("😀") == "F0 9F F0 9F 98"
    assert list("😀".encode()) == [240, 159, 152, 128]
    assert "😀".encode().hex(" ").upper() == "F0 9F 98 80"
    assert [one == two for one, two in zip("😀".encode(), "😊".encode(), strict=True)] == [True] * 3 + [False]
    assert 0x80 == 128
    assert at.trace.variant.length(read_symbol([240, 159, 152], at.trace.variant)) == 3


def test_many_languages() -> None:
    at = beat("many-languages", 1)
    lines = at.text.splitlines()
    assert len(lines) == 14
    assert [len(line.encode()) for line in lines] == [
        344,
        332,
        349,
        293,
        322,
        320,
        561,
        514,
        446,
        800,
        273,
        375,
        417,
        671,
    ]
    assert len(lines[0].encode()) == 344
    assert len(lines[9].encode()) == 800
    at = beat("many-languages", 2)
    assert at.tied == "E0 + A4"
    letters = [sign.encode() for sign in lines[9] if unicodedata.category(sign)[0] in "LM"]
    assert sum(letter.startswith(bytes([0xE0, 0xA4])) for letter in letters) > len(letters) / 2
    assert sum(len(letter) == 3 for letter in letters) > len(letters) / 2
    assert 0xE0 == 224
    assert 0xA4 == 164
    assert len("स".encode()) == 3
    at = beat("many-languages", 3)
    assert len(lines) == 14
    assert round(len(lines[0].encode()) / len(at.ids(lines[0]))) == 2
    assert round(len(lines[9].encode()) / len(at.ids(lines[9]))) == 3
    assert len(at.ids(lines[0])) == 173
    assert len(at.ids(lines[9])) == 254
    assert round(100 * len(at.ids(lines[9])) / len(at.ids(lines[0])) - 100) == 47
    at = beat("many-languages", 4)
    other = at.under(preset="hf-bytelevel", merges=0)
    assert round(100 * len(other.ids(lines[9])) / len(other.ids(lines[0])) - 100) == 133
    assert round(100 * len(at.ids(lines[9])) / len(at.ids(lines[0])) - 100) == 47
    other_2 = at.under(preset="hf-bytelevel", merges=100)
    assert round(100 * len(other_2.ids(lines[9])) / len(other_2.ids(lines[0])) - 100) == 50
    assert 400 - 100 == 300
    before = [len(at.after(0).ids(line)) for line in lines]
    saved = [tokens - len(at.after(100).ids(line)) for tokens, line in zip(before, lines, strict=True)]
    shares = [saving / tokens for tokens, saving in zip(before, saved, strict=True)]
    assert (saved[9], shares[9]) == (max(saved), max(shares))
    at = beat("many-languages", 5)
    other = at.under(sample="story", preset="hf-bytelevel", merges=400)
    assert len(other.ids(lines[0])) == 141
    assert len(other.ids(lines[9])) == 800
    assert len(other.ids(lines[1])) == 207
    assert len(lines[1]) < len(lines[0])
    at = beat("many-languages", 6)
    assert len(lines) == 14
    assert lines[9].startswith("सुबह मेरी दादी")


def test_before_the_first_merge() -> None:
    at = beat("before-the-first-merge", 1)
    assert list(map(ord, "é")) == [233]
    assert list(map(ord, "é")) == [101, 769]
    assert at.text.count("café") == 2
    assert at.text.count("café") == 2
    assert 2 + 2 == 4
    at = beat("before-the-first-merge", 2)
    assert at.ids("café") == [18]
    assert at.ids("café") == [19]
    assert (at.trace.stopped, len(at.trace.steps)) == ("min_count", 9)
    beat("before-the-first-merge", 3)
    assert unicodedata.normalize("NFC", "café") == "café"
    assert unicodedata.normalize("NFC", "ﬁne x²") == "ﬁne x²"
    assert unicodedata.normalize("NFKC", "ﬁne") == "fine"
    assert unicodedata.normalize("NFKC", "x²") == "x2"
    at = beat("before-the-first-merge", 4)
    other = at.under(preset="hf-metaspace", merges=8)
    assert other.after(8).split("café") == "▁café"
    assert other.after(8).split("café") == "▁café"
    assert other.after(8).ids("café") == other.after(8).ids("café")
    at = beat("before-the-first-merge", 5)
    other = at.under(
        variant="char-metaspace", tie_break="ids-min", merges=100, min_count=2, normalization="lower"
    )
    assert other.after(9).split("Café") == "▁café"
    assert other.after(9).split("café") == "▁café"
    assert other.after(9).tokenizer.decode(other.after(9).ids("Café")) == "café"
    at = beat("before-the-first-merge", 6)
    assert at.symbol("☕") not in at.trace.alphabet
    assert at.ids("☕") == [10, -1]
    assert len("☕".encode()) == 3
    assert 2**8 == 256
