"""The pattern of a beat: which of its alternatives matched each pre-token of a text."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpe
from bpe import BPEError
from bpe.text.display import counted, visible_text
from bpe.text.patterns import alternatives, matched_alternatives

CONTRACTION = "the end of a contraction"
# An alternative of GPT-2's and GPT-4's patterns -> what it matches, in words.
MEANINGS = {
    **dict.fromkeys(("'s", "'t", "'re", "'ve", "'m", "'ll", "'d"), CONTRACTION),
    r" ?\p{L}+": "letters, and one space before them",
    r" ?\p{N}+": "digits, and one space before them",
    r" ?[^\s\p{L}\p{N}]+": "other signs, and one space before them",
    r"\s+(?!\S)": "white space, except its last character before a word",
    r"\s+": "the white space that is left",
    r"'(?i:[sdmt]|ll|ve|re)": f"{CONTRACTION}, in capitals too",
    r"[^\r\n\p{L}\p{N}]?+\p{L}+": "letters, and one space or sign before them",
    r"\p{N}{1,3}": "one to three digits",
    r" ?[^\s\p{L}\p{N}]++[\r\n]*": "other signs, one space before them, line ends after them",
    r"\s*[\r\n]": "white space that ends with a line end",
}


@dataclass(frozen=True, slots=True)
class PatternView:
    """A text under the pattern of a variant."""

    variant: str  # slug of a variant that splits by a pattern
    text: str
    only: str = ""  # the alternatives to highlight, by their meaning; "" for all

    def __post_init__(self) -> None:
        if not bpe.VARIANTS[self.variant].split_pattern:
            raise BPEError(f"The variant must split by a pattern, got {self.variant!r}.")
        if self.only not in ("", *(meaning for meaning, _ in self.groups)):
            raise BPEError(f"The pattern has no alternative with this meaning, got {self.only!r}.")

    @property
    def pattern(self) -> str:
        """The pattern."""
        return bpe.VARIANTS[self.variant].split_pattern

    @property
    def groups(self) -> list[tuple[str, list[int]]]:
        """The alternatives, those of one meaning together: (meaning, numbers of the alternatives)."""
        groups: dict[str, list[int]] = {}
        for number, part in enumerate(alternatives(self.pattern)):
            groups.setdefault(MEANINGS.get(part, part), []).append(number)
        return list(groups.items())

    @property
    def pieces(self) -> list[tuple[str, str]]:
        """The pre-tokens of the text, each with the meaning of the alternative that matched it."""
        meaning_of = {number: meaning for meaning, numbers in self.groups for number in numbers}
        return [
            (piece, meaning_of[number]) for piece, number in matched_alternatives(self.pattern, self.text)
        ]


def read_pattern_view(table: Mapping[str, Any]) -> PatternView:
    """Return the view of a table with `variant`, `text` and perhaps `only`."""
    return PatternView(table["variant"], table["text"], table.get("only", ""))


def pattern_box(view: PatternView) -> dict[str, Any]:
    """Return the card's data: the text in pieces, and below it each alternative with the number of its pieces."""
    sources = alternatives(view.pattern)
    number_of = {meaning: number for number, (meaning, _) in enumerate(view.groups)}
    pieces = [[_visible(piece), number_of[meaning], _kind(view, meaning)] for piece, meaning in view.pieces]
    matches = Counter(meaning for _, meaning in view.pieces)
    rows = [
        {
            "items": [
                [
                    _visible("|".join(sources[number] for number in numbers)),
                    number_of[meaning],
                    _kind(view, meaning),
                ],
                f"{meaning}: {counted(matches[meaning], 'piece')}",
            ],
            "alternative": number_of[meaning],
        }
        for meaning, numbers in view.groups
    ]
    return {
        "title": f"Which part of the pattern matches: {counted(len(view.pieces), 'piece')}",
        "rows": [{"items": pieces}, *rows],
        "more": "",
    }


def _visible(text: str) -> str:
    return visible_text(text.encode())


def _kind(view: PatternView, meaning: str) -> str:
    return "alternative dim" if view.only not in ("", meaning) else "alternative"
