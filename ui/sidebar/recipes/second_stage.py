"""The settings of a second stage, which learns superwords, as rows of the table in `settings`."""

import bpe
from ui.sidebar.recipes.conditions import (
    ONE_STAGE,
    OWN_PATTERN,
    has_second_stage,
    is_learning,
    is_replay,
    may_have_second_stage,
)
from ui.sidebar.recipes.setting import Line, Menu, Number, Setting, Values
from ui.work import limits

MOST_WORDS = 100  # in a superword
SECOND_PATTERN = r"\p{N}+|[\r\n]+"
MOST_MERGES = limits.MERGES.value()  # of a training


def half_of(values: Values) -> int:
    """Return the number of merges before a second stage, unless the viewer chooses another one."""
    return int(values.get("merges") or 0) // 2


ROWS = (
    Setting(
        "second_stage",
        "second",
        Menu(
            {
                ONE_STAGE: "Inside words only",
                **{slug: row.title for slug, row in bpe.SECOND_PATTERNS.items()},
                OWN_PATTERN: "A pattern of your own",
            }
        ),
        "Superwords",
        default=ONE_STAGE,
        shown_when=is_learning,
        about=lambda values: (
            "The last merges may join whole words, as in SuperBPE: “by the way” can become one token."
            if has_second_stage(values)
            else ""
        ),
    ),
    Setting(
        "second_own",
        "second",
        Line(500),
        "What stays apart",
        default="",
        first=SECOND_PATTERN,
        shown_when=lambda values: values.get("second_stage") == OWN_PATTERN,
        about=lambda _: "A regular expression. No superword may cross the start or the end of a match.",
    ),
    Setting(
        "second_after",
        "second",
        Number(0, MOST_MERGES),
        "Superwords after merge",
        shown_when=lambda values: not is_replay(values) and has_second_stage(values),
        placeholder=lambda values: f"{half_of(values):,}, half of them",
    ),
    Setting(
        "second_words",
        "second",
        Number(2, MOST_WORDS),
        "Words in a superword, at most",
        shown_when=may_have_second_stage,
        placeholder=lambda _: "no limit; SuperBPE allows 4",
    ),
)
