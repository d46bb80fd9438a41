"""What the lessons of the part “Patterns” say."""

import unicodedata

from bpe.text.patterns import alternatives
from tests.ui.lessons.lesson_checks import At, beat, given


def parts_of_pattern(at: At) -> list[str]:
    return alternatives(at.beat.shown["pattern"].pattern)


def matched(at: At, meaning: str = "") -> int:
    """Return how many pieces the pattern makes, or those of one meaning."""
    return sum(meaning in ("", one) for _, one in at.beat.shown["pattern"].pieces)


def with_punctuation(at: At) -> int:
    """Return how many merges make a token with a punctuation mark in it."""
    return sum(
        any(unicodedata.category(sign)[0] == "P" for sign in b"".join(pair).decode("utf-8", "ignore"))
        for pair in at.trace.merges
    )


def test_a_pattern() -> None:
    at = beat("a-pattern", 1)
    assert at.tied == "· + t"
    assert len(parts_of_pattern(at)) == 12
    assert matched(at) == 14
    at = beat("a-pattern", 2)
    assert parts_of_pattern(at).index(" ?\\p{L}+") + 1 == 8
    assert matched(at, "letters, and one space before them") == 7
    given("the parts of a pattern that this beat quotes", " ?")
    assert sum(at.trace.frequencies) == 3175
    assert at.trace.tokens_total(400) == 4482
    other = at.under(
        variant="custom",
        tie_break="first",
        merges=400,
        pattern="'s|'t|'re|'ve|'m|'ll|'d|\\p{L}+|\\p{N}+|[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
    )
    assert sum(other.trace.frequencies) == 5733
    assert other.trace.tokens_total(400) == 6715
    assert abs(6715 / at.trace.tokens_total(400) - 3 / 2) < 0.01
    at = beat("a-pattern", 3)
    assert matched(at, "the end of a contraction") == 3
    assert parts_of_pattern(at).index("'ll") + 1 == 6
    assert parts_of_pattern(at).index("'s") + 1 == 1
    assert parts_of_pattern(at).index("'d") + 1 == 7
    assert at.trace.tokens_total(400) == 4482
    other = at.under(
        variant="custom",
        tie_break="first",
        merges=400,
        pattern=" ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
    )
    assert other.trace.tokens_total(400) == 4482
    at = beat("a-pattern", 4)
    assert parts_of_pattern(at).index("\\s+(?!\\S)") + 1 == 11
    assert matched(at, "white space, except its last character before a word") == 2
    assert at.pieces("   Now") == "·· ·Now"
    assert at.pieces("\n\nNow") == "↵ ↵ Now"
    assert len("   ") == 3
    at = beat("a-pattern", 5)
    other = at.under(variant="custom", tie_break="first", merges=400, pattern=" ?\\S+|\\s+(?!\\S)|\\s+")
    assert other.trace.tokens_total(other.step) == 4435
    assert at.trace.tokens_total(400) - 4435 == 47
    assert with_punctuation(other) == 30
    assert with_punctuation(at) == 3
    at = beat("a-pattern", 6)
    assert len(parts_of_pattern(at)) == 7
    assert matched(at) == 15
    other = at.under(preset="minbpe-regex", merges=400)
    assert other.trace.tokens_total(400) == 4399
    assert other.pieces(" 2025") == "· 202 5"
