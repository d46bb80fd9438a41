"""What a page needs to train by itself: the registries' rows, Python's sentences, and its tables of characters.

`film/browser/trainer/` trains from it, and `live_types.js` there has the same types. A row that JavaScript cannot
repeat exactly is left out: a pattern that somebody types, a normalization, a rule on scripts.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from inspect import signature
from itertools import groupby, pairwise
from string import ascii_lowercase as lower
from string import ascii_uppercase, digits
from typing import Any, Literal, TypedDict, cast
from unicodedata import category

import regex

from bpe import ALPHABETS, TIE_BREAKS, VARIANTS, Trace, Variant
from bpe.checks import LONE_SURROGATE
from bpe.encoding.encoders import DEFAULT_ENCODER
from bpe.settings.pieces import any_piece
from bpe.settings.request import LINES, VOCABULARY_TOO_SMALL, read_request
from bpe.text import variants as spelling
from bpe.text.display import ENDINGS, INVISIBLE
from film.encoding_feed import NO_STEP, NOTHING, UNKNOWN, UNKNOWNS
from film.encoding_feed import WINDOW as ENCODING_WINDOW
from film.every_way import MOST_SECONDS, MOST_SPLITS
from film.feed import Hex
from film.training_feed import MOST_COUNTED, MOST_ROWS, MOST_TIED_STEPS, MOST_TIES, reason_rows
from film.windows import FILM_WINDOW, GLYPHS, LONG, class_of

# The classes of all characters, for a page that trains: Python and `regex` know them, a browser may know
# others.

_END = 0x11_0000
# All characters but surrogates, which no text may hold, and planes that hold none: unassigned or for private use.
_INSIDE = (range(0xD800), range(0xE000, 0x4_0000), range(0xE_0000, 0xF_0000))
EMPTY_PLANES = (range(0x4_0000, 0xE_0000), range(0xF_0000, _END))
_DIGITS = digits + lower

_Span = tuple[int, int, str]  # first code point, the one after the last, class


class LiveCharacters(TypedDict):
    """The classes of all characters."""

    runs: str  # lengths in base 36 (none for 1), each with the letter of its class: "9CD2C"
    classes: list[str]  # the names of each class, with spaces between; its letter counts from A
    spaces: str  # the characters at which str.split() splits
    names: dict[str, list[str]]  # {invisible character: [abbreviation, name]}


def every_character() -> str:
    """Return all characters in order, without the surrogates and the empty planes."""
    codes = array("I", (code for plane in _INSIDE for code in plane))
    return codes.tobytes().decode("utf-32")


def character_table(classes: Iterable[str]) -> LiveCharacters:
    r"""Return the table of some classes of Unicode, such as "L" for \p{L}, and of those that labels show changed.

    A character can belong to several classes. The names of the latter are keys of `film.feed.Characters`.
    """
    characters = every_character()
    spans = [*_label_classes(characters), *((plane.start, plane.stop, "hidden") for plane in EMPTY_PLANES)]
    for name in classes:
        runs = regex.finditer(rf"\p{{{name}}}+", characters)
        spans += [(ord(run[0][0]), ord(run[0][-1]) + 1, name) for run in runs]
    letters: dict[str, str] = {}  # {names of a class: its letter}
    lengths = [
        _base_36(length) + letters.setdefault(names, ascii_uppercase[len(letters)])
        for length, names in _runs(spans)
    ]
    return {
        "runs": "".join(lengths),
        "classes": list(letters),
        "spaces": "".join(filter(str.isspace, characters)),
        "names": {character: list(names) for character, names in INVISIBLE.items()},
    }


def _label_classes(characters: str) -> Iterator[_Span]:
    """Yield the spans of the characters that labels show changed."""
    # Characters of one category are of one class, except those with a name or a glyph.
    exceptions = sorted({*GLYPHS, *INVISIBLE})
    start = 0
    for _, group in groupby(map(category, characters)):
        end = start + sum(1 for _ in group)
        run = characters[start:end]
        borders = {0, len(run)}
        for exception in exceptions:
            if (at := run.find(exception)) >= 0:
                borders |= {at, at + 1}
        for one, other in pairwise(sorted(borders)):
            if name := class_of(run[one]):
                yield ord(run[one]), ord(run[other - 1]) + 1, name
        start = end


def _runs(spans: Iterable[_Span]) -> Iterator[tuple[int, str]]:
    """Yield (length, names of the classes) of all runs of characters of the same classes, from the first character."""
    changes: dict[int, list[str]] = {0: [], _END: []}
    for start, end, name in spans:
        changes.setdefault(start, []).append(name)
        changes.setdefault(end, []).append(name)
    names: set[str] = set()
    runs: list[tuple[int, str]] = []
    for start, end in pairwise(sorted(changes)):
        for name in changes[start]:  # twice where one span of a class follows another: it stays
            names ^= {name}
        runs.append((end - start, " ".join(sorted(names))))
    for joined, group in groupby(runs, lambda run: run[1]):
        yield sum(length for length, _ in group), joined


def _base_36(number: int) -> str:
    """Return a length in base 36, "" for 1."""
    if number == 1:
        return ""
    text = ""
    while number:
        number, digit = divmod(number, 36)
        text = _DIGITS[digit] + text
    return text


# Patterns for JavaScript: a pattern of the package `regex`, written so that JavaScript finds the same matches.
#
# Three things differ. JavaScript has no possessive repeats: a greedy one must give the same matches, because
# nothing after it can match what it would give back. (A lookahead with a back reference would do for every
# repeat, but WebKit matches it differently.) Not every browser knows `(?i:…)`: each letter becomes the set of
# characters that `regex` finds for it. And `\s` means other characters there, and `\p{L}` those of another
# version of Unicode: white space is written out, and a class of Unicode stays as `\p{L}` for the page to
# replace by a table that Python wrote (film/live.py).

_ESCAPES = {"r": "\r", "n": "\n", "t": "\t", "f": "\f", "v": "\v"}
_CLASS = regex.compile(r"\\p\{(\w+)\}")
_QUANTIFIER = regex.compile(r"[?*+]|\{\d*(?:,\d*)?\}")
_GROUP = regex.compile(r"\(\?(:|i:|=|!)")
_FAR = "\U00040000\U000f0000"  # one character of each kind of plane that `every_character` leaves out
_ONE = regex.compile(r"\w|\\u\{[0-9a-f]+\}")


class PatternError(ValueError):
    """The error for a pattern that this module cannot write for JavaScript."""


def js_pattern(pattern: str) -> str:
    r"""Return the pattern in JavaScript's syntax with the flag u, except that the page must replace each `\p{…}`.

    >>> print(js_pattern(r"'(?i:ll)| ?\p{L}++"))
    \u{27}(?:[Ll][Ll])|\u{20}?[\p{L}]+

    Raises PatternError for a part that it does not know.
    """
    reader = _Reader(pattern)
    written = reader.alternatives()
    if reader.at < len(pattern):
        raise PatternError(f"cannot write {pattern[reader.at :]!r} for JavaScript")
    return written


def unicode_classes(pattern: str) -> list[str]:
    r"""Return the names of the classes that a page must replace in a pattern.

    >>> unicode_classes(r" ?[^\s\p{L}\p{N}]+")
    ['L', 'N']
    """
    return sorted(set(_CLASS.findall(pattern)))


class _Reader:
    """A pattern, and how far it has been read."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.folds = False  # inside (?i:…)
        self.depth = 0  # groups around this part

    def alternatives(self) -> str:
        """Read up to the end of a group and return it."""
        branches = [self._sequence()]
        while self._take("|"):
            branches.append(self._sequence())
        return "|".join(branches)

    def _sequence(self) -> str:
        parts: list[str] = []
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            parts.append(self._repeated())
        return "".join(parts)

    def _repeated(self) -> str:
        start = self.at
        atom = self._atom()
        source = self.pattern[start : self.at]
        match = _QUANTIFIER.match(self.pattern, self.at)
        if not match:
            return atom
        self.at = match.end()
        if not self._take("+"):
            return f"{atom}{match[0]}{'?' if self._take('?') else ''}"
        if self.folds or not self._wants_nothing_back(source):
            raise PatternError(f"cannot write the possessive repeat of {source!r} for JavaScript")
        return f"{atom}{match[0]}"

    def _wants_nothing_back(self, repeated: str) -> bool:
        """Return whether what follows matches without a character that a repeat of this set would give back.

        What follows is optional up to the pattern's end, so it matches at once, or begins with a character that is not
        in the set.
        """
        ahead = _Reader(self.pattern)
        ahead.at = start = self.at
        while ahead.at < len(self.pattern) and self.pattern[ahead.at] not in "|)":
            first = ahead.at
            ahead._atom()
            following = self.pattern[first : ahead.at]
            match = _QUANTIFIER.match(self.pattern, ahead.at)
            if not match or match[0] not in ("?", "*"):
                is_next = first == start and "(" not in (repeated[0], following[0])
                return is_next and not regex.search(f"(?={repeated}){following}", every_character() + _FAR)
            ahead.at = match.end()
            ahead.at += self.pattern[ahead.at : ahead.at + 1] in ("+", "?")
        return self.depth == 0

    def _atom(self) -> str:
        character = self.pattern[self.at]
        if group := _GROUP.match(self.pattern, self.at):
            return self._group(group[1], group.end())
        if character == "[":
            return self._set()
        if self._take("\\S"):
            return f"[^{_white_space()}]"
        if character == "\\" or character not in "^$.?*+(){}":
            members = self._member()
            return members if _ONE.fullmatch(members) else f"[{members}]"
        raise PatternError(f"cannot write {self.pattern[self.at :]!r} for JavaScript")

    def _group(self, kind: str, end: int) -> str:
        self.at = end
        folded, self.folds = self.folds, self.folds or kind == "i:"
        self.depth += 1
        inside = self.alternatives()
        self.depth -= 1
        self.folds = folded
        if not self._take(")"):
            raise PatternError("a group has no end")
        return f"(?{':' if kind == 'i:' else kind}{inside})"

    def _set(self) -> str:
        self.at += 1
        members = "^" if self._take("^") else ""
        while not self._take("]"):
            if self.at >= len(self.pattern) or self.pattern[self.at] == "[":
                raise PatternError("cannot write a set inside a set for JavaScript")
            first = self._member()
            if self.pattern[self.at : self.at + 1] == "-" and self.pattern[self.at + 1 : self.at + 2] != "]":
                if self.folds or not _ONE.fullmatch(first):
                    raise PatternError("cannot write this range for JavaScript")
                self.at += 1
                first += f"-{self._member()}"
            members += first
        return f"[{members}]"

    def _member(self) -> str:
        """Read one character or class, as a member of a set."""
        character = self.pattern[self.at]
        if character != "\\":
            self.at += 1
            return self._literal(character)
        if named := _CLASS.match(self.pattern, self.at):
            if self.folds and named[1] not in ("L", "N", "M"):
                raise PatternError(f"cannot write {named[0]} without regard to case for JavaScript")
            self.at = named.end()
            return named[0]
        escaped = self.pattern[self.at + 1 : self.at + 2]
        self.at += 2
        if escaped == "s":
            return _white_space()
        if escaped in _ESCAPES or (escaped and not escaped.isalnum()):
            return self._literal(_ESCAPES.get(escaped, escaped))
        raise PatternError(f"cannot write \\{escaped} for JavaScript")

    def _literal(self, character: str) -> str:
        if not self.folds:
            return _written(character)
        folded = regex.findall(f"(?i:{regex.escape(character)})", _letters())
        return "".join(map(_written, folded)) or _written(character)

    def _take(self, text: str) -> bool:
        is_next = self.pattern.startswith(text, self.at)
        self.at += len(text) * is_next
        return is_next


@cache
def _letters() -> str:
    """Return the characters that can equal an ASCII letter without regard to case."""
    return "".join(regex.findall("(?i:[a-z])", every_character()))


@cache
def _white_space() -> str:
    """Return the white space of `regex`, as members of a set."""
    runs = (match.group() for match in regex.finditer(r"\s+", every_character()))
    return "".join(
        _escaped(run[0]) if len(run) == 1 else f"{_escaped(run[0])}-{_escaped(run[-1])}" for run in runs
    )


def _written(character: str) -> str:
    return character if character.isascii() and character.isalnum() else _escaped(character)


def _escaped(character: str) -> str:
    return f"\\u{{{ord(character):x}}}"


__all__ = ["Live", "Recipe", "live_recipe", "live_settings"]

# What a variant does -> its name in `film/browser/trainer/text.js`.
SPLITS: Mapping[Callable[[str], list[str]], str] = {
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
PICK_THAT_DOES_NOT_TIE = "The pair picked for merge {merge} does not tie there any more: undo the pick."
ELSEWHERE = (
    "The app also splits text by a pattern of your own, changes it to a Unicode form, learns superwords in a second "
    "stage, and replays the merges of a tokenizer file."
)


class LiveVariant(TypedDict):
    """One way to turn text into words of symbols."""

    slug: str
    title: str
    brief: str
    unit: Literal["bytes", "characters"]
    marker: Hex
    marker_text: str
    split: str  # a name in trainer/text.js
    pattern: str  # in JavaScript's syntax, if `split` is "pattern"
    spell: str  # a name in trainer/text.js


class LiveRule(TypedDict):
    """One tie-breaking rule."""

    slug: str
    title: str
    brief: str
    order: list[str]  # what is compared; empty for a draw
    reasons: list[list[str]]  # as in a feed
    seeded: bool
    by_hand: bool
    menu: bool


class LiveLimits(TypedDict):
    """The limits of feeds."""

    tied_steps: int
    ties: int
    counted: int
    rows: int
    long: int
    film: int  # characters of a film's window
    encoded: int  # characters of an encoding's window
    splits: int  # of a list of every way
    seconds: float  # for such a list


class Live(TypedDict):
    """What the page gets."""

    variants: list[LiveVariant]
    rules: list[LiveRule]
    byte_orders: dict[str, Hex]  # {slug of an alphabet: all bytes in its order}
    lines: dict[str, str]  # {what the setting may be: whether lines are documents: "", "ended" or "bare"}
    encoder: str  # slug of the one that the page has
    settings: dict[str, Any]  # {setting: its default}, in the order of `read_request`
    limits: LiveLimits
    endings: dict[str, str]  # {why a training ends: the same in words}
    sentences: dict[str, str]  # with gaps such as {number}
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
    lines: bool | str
    alphabet: str | None
    word_order: str
    seed: int
    picks: dict[int, int | list[Hex]]
    overlaps: str


@cache
def live_settings() -> Live:
    """Return what a page needs to train."""
    variants = [row for variant in VARIANTS.values() if (row := _live_variant(variant))]
    classes = sorted({name for row in variants for name in unicode_classes(row["pattern"])})
    return {
        "variants": variants,
        "rules": [
            {
                "slug": rule.slug,
                "title": rule.title,
                "brief": rule.brief,
                "order": list(rule.order),
                "reasons": reason_rows(rule, rule.reasons),
                "seeded": rule.seeded,
                "by_hand": rule.by_hand,
                "menu": rule.menu,
            }
            for rule in TIE_BREAKS.values()
            if rule.order or rule.seeded
        ],
        "byte_orders": _byte_orders(),
        "lines": {str(name).lower(): lines for name, lines in LINES.items()},
        "encoder": DEFAULT_ENCODER,
        "settings": {
            name: parameter.default
            for name, parameter in signature(read_request).parameters.items()
            if parameter.kind is parameter.KEYWORD_ONLY and name in Recipe.__annotations__ and name != "picks"
        },
        "limits": {
            "tied_steps": MOST_TIED_STEPS,
            "ties": MOST_TIES,
            "counted": MOST_COUNTED,
            "rows": MOST_ROWS,
            "long": LONG,
            "film": FILM_WINDOW,
            "encoded": ENCODING_WINDOW,
            "splits": MOST_SPLITS,
            "seconds": MOST_SECONDS,
        },
        "endings": dict(ENDINGS),
        "sentences": {
            "surrogate": LONE_SURROGATE,
            "vocab_size": VOCABULARY_TOO_SMALL,
            "pick": PICK_THAT_DOES_NOT_TIE,
            "unknown": UNKNOWN,
            "unknowns": UNKNOWNS,
            "no step": NO_STEP,
            "nothing": NOTHING,
        },
        "characters": character_table(classes),
        "elsewhere": ELSEWHERE,
    }


def _live_variant(variant: Variant) -> LiveVariant | None:
    """Return the row of a variant; None if the page cannot split or spell as it does."""
    split, spell, pattern = SPLITS.get(variant.split, ""), SPELLERS.get(variant.spell), ""
    if variant.split_pattern and not variant.configure:
        try:
            split, pattern = "pattern", js_pattern(variant.split_pattern)
        except PatternError:
            return None
    if not split or not spell:
        return None
    return {
        "slug": variant.slug,
        "title": variant.title,
        "brief": variant.brief,
        "unit": variant.unit,
        "marker": Hex((variant.marker or b"").hex()),
        "marker_text": variant.marker_text,
        "split": split,
        "pattern": pattern,
        "spell": spell,
    }


def _byte_orders() -> dict[str, Hex]:
    """Return the orders of all bytes that do not depend on the text."""
    variant = next(row for row in VARIANTS.values() if row.unit == "bytes")
    orders = {slug: (order([], variant), order([b"\xff"], variant)) for slug, order in ALPHABETS.items()}
    return {slug: Hex(b"".join(one).hex()) for slug, (one, other) in orders.items() if one == other}


def live_recipe(trace: Trace) -> Recipe | None:
    """Return the settings of a trace, with which a page repeats it exactly; None if the page cannot."""
    settings, request = trace.settings, trace.request
    if (
        trace.replayed
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
