"""The special characters of a feed are those that Python's labels do not show unchanged."""

from bpe.text.display import INVISIBLE, visible_text
from film.windows import GLYPHS, special_characters

# All of the first blocks, and some of the rest, which is mostly ideographs, syllables and unassigned.
CODES = (*range(0x3400), *range(0x3400, 0xD800, 17), *range(0xE000, 0x110000, 17), *range(0xE0000, 0xE0200))
CHARACTERS = list(map(chr, CODES))


def code_point(character: str) -> str:
    return f"<U+{ord(character):04X}>"


def test_every_character_is_shown_as_its_class_says() -> None:
    special = special_characters(CHARACTERS, [])
    hidden, joining = set(special["hidden"]), set(special["joining"])
    marks, selectors = set(special["marks"]), set(special["selectors"])
    classes = hidden, joining, marks, selectors
    assert sum(map(len, classes)) == len(hidden | joining | marks | selectors)
    for character in set(CHARACTERS).difference(GLYPHS):
        alone = visible_text(character.encode())
        inside = visible_text(f"a{character}z".encode())
        if character in hidden:
            assert (alone, inside) == (code_point(character), f"a{code_point(character)}z")
        elif character in joining or character in selectors:
            assert (alone, inside) == (code_point(character), f"a{character}z")
        elif character in marks:
            assert (alone, inside) == (f"◌{character}", f"a{character}z")
        else:
            assert (alone, inside) == (character, f"a{character}z")


def test_glyphs_are_in_no_class() -> None:
    special = special_characters([GLYPHS], [])
    assert not special["hidden"] + special["joining"] + special["marks"] + special["selectors"]
    assert not any(glyph in visible_text(f"a{glyph}z".encode()) for glyph in GLYPHS)


def test_characters_of_tokens_count_and_parts_of_characters_do_not() -> None:
    special = special_characters([], ["é\u200d".encode(), b"\xe2\x80", b"\x8d", b"\xff"])
    assert (special["hidden"], special["joining"], special["marks"]) == ("", "\u200d", "")
    assert special_characters([], [b"\xe2\x80", b"\x8d"])["joining"] == ""


def test_nothing_invisible_is_in_a_label_but_what_joins_or_changes_its_neighbours() -> None:
    joined = set()
    for character in INVISIBLE:
        label = visible_text(f"a{character}z".encode())
        if character in label:
            joined.add(character)
        assert visible_text(character.encode()) != character
        assert special_characters([character], [])["names"] == {character: list(INVISIBLE[character])}
    assert {"\u200c", "\u200d", "\ufe0f"} <= joined
    assert not joined & {
        "\u00a0",
        "\u00ad",
        "\u200b",
        "\ufeff",
        "\u2028",
        "\u2029",
        *map(chr, range(0x202A, 0x202F)),
    }
    assert not joined & set(map(chr, range(0x2066, 0x206A)))
