"""What a page needs to train by itself: the registries' rows, Python's sentences, and its tables of characters.

`film/browser/trainer/` trains from it; `python -m film` writes `live_types.js` there. A row that JavaScript cannot
repeat exactly is left out: a pattern that somebody types, a normalization, a rule on scripts.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal, TypedDict, cast

from bpe import ALPHABETS, TIE_BREAKS, VARIANTS, Trace, Variant
from bpe.checks import LONE_SURROGATE
from bpe.settings.pieces import any_piece
from bpe.settings.request import LINES, VOCABULARY_TOO_SMALL
from bpe.text import variants as spelling
from bpe.text.display import ENDINGS
from bpe.text.patterns import GPT2_PATTERN, GPT4_PATTERN
from film.characters import LiveCharacters, character_table
from film.encoding_feed import NO_STEP, NOTHING, UNKNOWN, UNKNOWNS
from film.encoding_feed import WINDOW as ENCODING_WINDOW
from film.feed import Hex
from film.textbook_code import OWN_LINES
from film.training_feed import MOST_COUNTED, MOST_ROWS, MOST_TIED_STEPS, MOST_TIES, reason_rows
from film.windows import FILM_WINDOW, LONG


class LiveVariant(TypedDict):
    """One way to turn text into words of symbols: a row of VARIANTS."""

    slug: str
    title: str
    brief: str
    unit: Literal["bytes", "characters"]
    marker: Hex
    marker_text: str
    split: str  # how the text is split: a name of `SPLITS` in text.js
    spell: str  # how a pre-token becomes symbols: a name of `SPELLERS` in text.js
    split_code: str  # both as Python
    spell_code: str


class LiveRule(TypedDict):
    """One tie-breaking rule: a row of TIE_BREAKS."""

    slug: str
    title: str
    brief: str
    order: list[str]  # what is compared, the least first, or with "-" the greatest; empty for a draw
    reasons: list[list[str]]  # why a pair wins, for each term: (term, words, of_all, of_some, sorted_words)
    seeded: bool
    by_hand: bool
    code: dict[str, list[str]]  # {unit of a variant: the lines of Python in which the rule chooses}
    menu: bool  # whether menus show it


class LiveLimits(TypedDict):
    """The limits of film/training_feed.py and film/windows.py."""

    tied_steps: int
    ties: int
    counted: int
    rows: int
    long: int
    film: int  # characters of a film's window
    encoded: int  # characters of an encoding's window


class Live(TypedDict):
    """What a page that trains gets."""

    variants: list[LiveVariant]
    rules: list[LiveRule]
    byte_orders: dict[str, Hex]  # {slug of an alphabet: all bytes in its order}
    lines: dict[str, str]  # {what the setting may be: whether lines are documents: "", "ended" or "bare"}
    limits: LiveLimits
    endings: dict[str, str]  # {why a training ends: the same in words}
    sentences: dict[str, str]  # with gaps such as {number}; lines of code, too
    characters: LiveCharacters
    elsewhere: str  # what the page does not offer, and where it is


class Choices(TypedDict):
    """What every recipe has."""

    variant: str  # slug
    tie_break: str  # slug


class Recipe(Choices, total=False):
    """The settings of one training that a page can repeat, by their names in `bpe.train`."""

    merges: int | None
    vocab_size: int | None
    min_count: int
    special_tokens: list[str]
    unknown_token: str | None
    lines: bool | str  # a key of `Live.lines`
    alphabet: str | None  # slug
    word_order: str
    seed: int
    picks: dict[int, int | list[Hex]]  # {rank: number among the tied pairs, or the pair}
    overlaps: str  # "count" or "skip"


# What a variant does -> its name in `film/browser/trainer/text.js`.
SPLITS: Mapping[str | Callable[[str], list[str]], str] = {
    GPT2_PATTERN: "GPT-2's pattern",
    GPT4_PATTERN: "GPT-4's pattern",
    str.split: "white space",
    spelling.lines_at_spaces: "lines",
    spelling.before_spaces: "before spaces",
    spelling.whole: "whole",
}
SPELLERS: Mapping[Callable[[str], Any], str] = {
    spelling.utf8_bytes: "bytes",
    spelling.characters: "characters",
    spelling.characters_then_marker: "marker last",
    spelling.last_character_marked: "last marked",
    spelling.marker_then_characters: "marker first",
}
# The classes of Unicode that these patterns name.
PATTERN_CLASSES = ("L", "N")
_PICK_THAT_DOES_NOT_TIE = "The pair picked for merge {merge} does not tie there any more: undo the pick."
_ELSEWHERE = (
    "The app also splits text by a pattern of your own, changes it to a Unicode form, learns superwords in a second "
    "stage, and replays the merges of a tokenizer file."
)


@cache
def live_settings() -> Live:
    """Return what a page needs to train."""
    return {
        "variants": [row for variant in VARIANTS.values() if (row := _live_variant(variant))],
        "rules": [
            {
                "slug": rule.slug,
                "title": rule.title,
                "brief": rule.brief,
                "order": list(rule.order),
                "reasons": [
                    [*row, *filter(None, [reason.sorted_words])]
                    for row, reason in zip(reason_rows(rule, rule.reasons), rule.reasons, strict=True)
                ],
                "seeded": rule.seeded,
                "by_hand": rule.by_hand,
                "code": {variant.unit: list(rule.code_for(variant)) for variant in VARIANTS.values()},
                "menu": rule.menu,
            }
            for rule in TIE_BREAKS.values()
            if rule.order or rule.seeded
        ],
        "byte_orders": _byte_orders(),
        "lines": {str(name).lower(): lines for name, lines in LINES.items()},
        "limits": {
            "tied_steps": MOST_TIED_STEPS,
            "ties": MOST_TIES,
            "counted": MOST_COUNTED,
            "rows": MOST_ROWS,
            "long": LONG,
            "film": FILM_WINDOW,
            "encoded": ENCODING_WINDOW,
        },
        "endings": dict(ENDINGS),
        "sentences": {
            "surrogate": LONE_SURROGATE,
            "vocab_size": VOCABULARY_TOO_SMALL,
            "pick": _PICK_THAT_DOES_NOT_TIE,
            **OWN_LINES,
            "unknown": UNKNOWN,
            "unknowns": UNKNOWNS,
            "no step": NO_STEP,
            "nothing": NOTHING,
        },
        "characters": character_table(PATTERN_CLASSES),
        "elsewhere": _ELSEWHERE,
    }


def live_recipe(trace: Trace) -> Recipe | None:
    """Return the settings of a trace, with which a page repeats it exactly; None if the page cannot."""
    settings, request = trace.settings, trace.request
    if (
        not trace.origin.is_own
        or request.may_merge is not any_piece
        or settings.keys() - Recipe.__annotations__.keys()
    ):
        return None
    live = live_settings()
    offered = {row["slug"] for row in live["variants"]}, {row["slug"] for row in live["rules"]}
    named = isinstance(settings.get("alphabet", ""), str) and isinstance(settings.get("word_order", ""), str)
    if request.variant.slug not in offered[0] or trace.tie_break.slug not in offered[1] or not named:
        return None
    picks = {
        rank: pick if isinstance(pick, int) else [Hex(symbol.hex()) for symbol in pick]
        for rank, pick in request.picks.items()
    }
    recipe: dict[str, Any] = {**settings, "picks": picks}
    if request.special_tokens:
        recipe["special_tokens"] = list(request.special_tokens)
    return cast(Recipe, recipe)  # the keys are compared above


def _live_variant(variant: Variant) -> LiveVariant | None:
    """Return the row of a variant; None if the page cannot split or spell as it does."""
    split, spell = SPLITS.get(variant.split_pattern or variant.split), SPELLERS.get(variant.spell)
    if not split or not spell or variant.configure:
        return None
    return {
        "slug": variant.slug,
        "title": variant.title,
        "brief": variant.brief,
        "unit": variant.unit,
        "marker": Hex((variant.marker or b"").hex()),
        "marker_text": variant.marker_text,
        "split": split,
        "spell": spell,
        "split_code": variant.split_code,
        "spell_code": variant.spell_code,
    }


def _byte_orders() -> dict[str, Hex]:
    """Return the orders of all bytes that do not depend on the text."""
    variant = next(row for row in VARIANTS.values() if row.unit == "bytes")
    orders = {slug: (order([], variant), order([b"\xff"], variant)) for slug, order in ALPHABETS.items()}
    return {slug: Hex(b"".join(one).hex()) for slug, (one, other) in orders.items() if one == other}
