"""What the lessons of the part “Patterns” say."""

import unicodedata

from tests.ui.lessons.lesson_checks import At, beat, given


def with_punctuation(at: At) -> int:
    """Return how many merges make a token with a punctuation mark in it."""
    return sum(
        any(unicodedata.category(sign)[0] == "P" for sign in token.decode("utf-8", "ignore"))
        for token in at.merged
    )


def test_a_pattern() -> None:
    at = beat("a-pattern", 1)
    assert at.tied == "· + t"
    assert len(at.alternatives) == 12
    assert at.matched() == 14
    at = beat("a-pattern", 2)
    assert at.alternatives.index(" ?\\p{L}+") + 1 == 8
    assert at.matched("letters, and one space before them") == 7
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
    assert abs(6715 / 4482 - 3 / 2) < 0.01
    at = beat("a-pattern", 3)
    assert at.matched("the end of a contraction") == 3
    assert at.alternatives.index("'ll") + 1 == 6
    assert at.alternatives.index("'s") + 1 == 1
    assert at.alternatives.index("'d") + 1 == 7
    assert at.trace.tokens_total(400) == 4482
    other = at.under(
        variant="custom",
        tie_break="first",
        merges=400,
        pattern=" ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
    )
    assert other.trace.tokens_total(400) == 4482
    at = beat("a-pattern", 4)
    assert at.alternatives.index("\\s+(?!\\S)") + 1 == 11
    assert at.matched("white space, except its last character before a word") == 2
    assert at.pieces("   Now") == "·· ·Now"
    assert at.pieces("\n\nNow") == "↵ ↵ Now"
    assert len("   ") == 3
    at = beat("a-pattern", 5)
    other = at.under(variant="custom", tie_break="first", merges=400, pattern=" ?\\S+|\\s+(?!\\S)|\\s+")
    assert other.trace.tokens_total(other.step) == 4435
    assert 4482 - 4435 == 47
    assert with_punctuation(other) == 30
    assert with_punctuation(at) == 3
    at = beat("a-pattern", 6)
    assert len(at.alternatives) == 7
    assert at.matched() == 15
    other = at.under(preset="minbpe-regex", merges=400)
    assert other.trace.tokens_total(400) == 4399
    assert other.pieces(" 2025") == "· 202 5"
