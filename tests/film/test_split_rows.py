"""Rows of a text under several tokenizers: cut as the makers' libraries cut it, and framed where few cut so."""

import unicodedata
from itertools import accumulate

import pytest

import bpe
from bpe.formats.opening import open_tokenizer
from film.split_rows import MOST_SHOWN, SplitRow, framed, row_feed, split_row
from published.packing import open_published, original
from published.rows import PUBLISHED, Published
from tests.test_published import ROWS, TEXTS, library_tokens

OWN = {
    "a name": "Priyanka Chandrasekhar",
    "a first space": "😊 again",
    "emoji": "😊 👍🏽 👩\u200d🔬 🏳️\u200d🌈",
    "five scripts": "Hello Привет नमस्ते 你好 مرحبا",
    "code": 'for i in range(10):\n    print(f"{i:>3}")',
    "spaces": "one two  three   four\n\tfive",
}


def ends(row: SplitRow) -> list[int]:
    return [cell.end for cell in row.cells]


def check(row: Published) -> None:
    tokenizer = open_published(row.slug).tokenizer
    # Texts that the libraries leave as they are: SentencePiece takes ▁ for a space, and Qwen composes.
    typed = [unicodedata.normalize("NFC", text) for text in (*OWN.values(), *TEXTS)]
    texts = [text for text in typed if text and not any(odd in text for odd in ("\u2581", "<", "\0"))]
    assert len(texts) > 150
    for text in texts:
        tokens = library_tokens(row, text)
        split, every = split_row(text, tokenizer), list(accumulate(map(len, tokens)))
        assert split.is_typed, ascii(text)
        assert split.count == len(tokens), ascii(text)
        assert ends(split) == every[: len(split.cells)], ascii(text)
        assert len(split.cells) == len(tokens) or ends(split)[-1] >= MOST_SHOWN, ascii(text)


def test_gpt_2_cuts_where_its_library_cuts() -> None:
    check(PUBLISHED["gpt-2"])


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in ROWS if row.id != "gpt-2"])
def test_a_published_tokenizer_cuts_where_its_library_cuts(row: Published) -> None:
    check(row)


def test_a_long_text_shows_its_beginning_and_counts_all() -> None:
    tokenizer = open_published("gpt-2").tokenizer
    text = "low lower " * 10_000
    row = split_row(text, tokenizer)
    assert row.count == len(tokenizer.encode(text))
    assert MOST_SHOWN <= row.cells[-1].end < MOST_SHOWN + 10


def test_a_token_says_the_merge_that_made_it() -> None:
    tokenizer = open_published("gpt-2").tokenizer
    assert [cell.made for cell in split_row("raw y", tokenizer).cells] == ["ra + w", "· + y"]
    for cell in split_row("strawberry fields forever", tokenizer).cells:
        left, right = cell.made.replace("·", " ").split(" + ", 1) if cell.made else ("", "")
        assert not cell.made or (left.encode(), right.encode()) in tokenizer.merges


def test_a_space_that_the_tokenizer_puts_in_front_covers_nothing_of_the_text() -> None:
    tokenizer = open_published("mistral-7b").tokenizer
    assert [(cell.start, cell.end) for cell in split_row("😊", tokenizer).cells] == [(-1, 0), (0, 4)]
    (first, *_) = split_row("strawberry", tokenizer).cells
    assert (first.start, first.end, first.label) == (0, 5, "·straw")


def test_a_tokenizer_that_changes_the_text_spells_what_it_makes_of_it() -> None:
    tokenizer = open_published("qwen").tokenizer
    row = split_row("e\u0301a", tokenizer)
    assert (row.text, row.is_typed, ends(row)) == ("éa", False, [2, 3])
    typed = split_row("éa", tokenizer)
    assert framed([row, typed, typed]) == [[False, False]] * 3


def test_markers_of_an_own_training_cover_white_space_or_nothing() -> None:
    row = split_row("low lower", bpe.train("low low lower", merges=3).tokenizer())
    assert row.count == len(row.cells)
    assert ends(row) == sorted(ends(row))
    assert not row.is_typed


def test_what_most_rows_lack_is_framed_and_ties_are_not() -> None:
    def row(text: str, *merges: tuple[bytes, bytes]) -> SplitRow:
        tokenizer = bpe.Tokenizer(
            bpe.VARIANTS["bytes"],
            [bytes([value]) for value in range(256)] + [left + right for left, right in merges],
            merges,
        )
        return split_row(text, tokenizer)

    ab, bc, none = row("abc", (b"a", b"b")), row("abc", (b"b", b"c")), row("abc")
    assert framed([ab, ab, bc]) == [[False, False], [False, False], [True, True]]
    assert framed([ab, bc]) == [[False, False], [False, False]]
    assert framed([none, ab, ab]) == [[True, True, False], [False, False], [False, False]]
    assert framed([]) == []
    assert row_feed(ab, [True, False])[0] == [0, 2, "ab", 256, "a + b", 1]


def test_an_opened_file_has_a_row_like_the_published_one() -> None:
    content = original(PUBLISHED["gpt-2"].path.read_bytes())
    opened = open_tokenizer({"own.tiktoken": content}).tokenizer
    text = OWN["five scripts"]
    assert split_row(text, opened) == split_row(text, open_published("gpt-2").tokenizer)
