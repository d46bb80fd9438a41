"""Setting: the type of a row of the table in `settings`: its kind of value, its control and when it is shown."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import bpe
from bpe import BPEError

FREE = "none"  # the preset that leaves variant and tie-breaking rule open

Value = str | int | float | None
Values = Mapping[str, Value]  # {key: value} of the rows before this one at least
# What a setting decides. "source": whether merges are learned or read from a file; "file": how the file is read;
# "further": what is learned after it. For a training: "preset" everything at once, "words" how text is split, "ties"
# which pair is picked, "stop" when it ends, "second" its second stage.
Part = Literal["source", "file", "further", "preset", "words", "ties", "stop", "second"]
Choice = Literal["tokenizer", "ties", "merges"]  # the button under which a setting is
CHOICE_OF: Mapping[Part, Choice] = {"ties": "ties", "stop": "merges"}  # all others are under "tokenizer"


@dataclass(frozen=True, slots=True)
class Menu:
    """A choice among slugs: {slug: title}. `hidden` slugs cannot be chosen; they are shown if a preset sets them."""

    titles: Mapping[str, str]
    hidden: frozenset[str] = frozenset()

    @property
    def slugs(self) -> tuple[str, ...]:
        """The slugs that can be chosen, in menu order."""
        return tuple(slug for slug in self.titles if slug not in self.hidden)

    def read(self, text: str) -> str:
        """Return the slug that a link names. Raises BPEError for an unknown slug."""
        if text not in self.slugs:
            raise BPEError("there is no such choice")
        return text


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `low` to `high`."""

    low: int
    high: int

    def read(self, text: str) -> int:
        """Return the number that a link holds. Raises BPEError if it is no number or out of bounds."""
        if not re.fullmatch(r"[0-9]{1,9}", text) or not self.low <= int(text) <= self.high:
            raise BPEError(f"it must be a whole number from {self.low:,} to {self.high:,}")
        return int(text)


@dataclass(frozen=True, slots=True)
class Share:
    """A share from `low` to 1, with at most four digits after the point."""

    low: float

    def read(self, text: str) -> float:
        """Return the share that a link holds. Raises BPEError if it is no number or out of bounds."""
        if not re.fullmatch(r"[01](\.[0-9]{1,4})?", text) or not self.low <= float(text) <= 1:
            raise BPEError(f"it must be a number from {self.low:g} to 1")
        return float(text)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text, of at most so many characters."""

    most: int

    def read(self, text: str) -> str:
        """Return the text of a link. Raises BPEError if it is empty, too long or more than a line."""
        if not 0 < len(text) <= self.most or not text.isprintable():
            raise BPEError(f"it must be one line of at most {self.most} characters")
        return text


def _always(values: Values) -> bool:
    return True


def _nothing(values: Values) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `key` is its name everywhere: argument of `bpe.train`, widget, link, share file."""

    key: str
    part: Part
    kind: Menu | Number | Share | Line
    label: str
    # The value if nothing was chosen. None: the argument is left out, so the preset's or the core's default applies.
    default: Value = None
    required: bool = False  # there is always a value, so there is no default
    first: Value = None  # first value of the control, if not the default
    decided_by_preset: bool = False  # a preset sets it; another choice switches the preset off
    shown_when: Callable[[Values], bool] = _always
    about: Callable[[Values], str] = _nothing  # Markdown below the control
    placeholder: Callable[[Values], str] = _nothing
    more: Callable[[Values], str] = _nothing  # Markdown in its tooltip
    in_row: bool = False  # drawn beside its neighbours in the table
    is_rare: bool = False  # drawn under “More”
    under: Choice | None = None  # the button, if it is not that of its part

    @property
    def choice(self) -> Choice:
        """The button under which it is drawn."""
        return self.under or CHOICE_OF.get(self.part, "tokenizer")

    def is_chosen_freely(self, values: Values) -> bool:
        """Return whether the viewer decides this setting: it is shown, and no preset sets it."""
        return self.shown_when(values) and not (self.decided_by_preset and values["preset"] != FREE)

    def in_link(self, values: Values, suggested: Values) -> str | None:
        """Return the link's text for this setting; None if a link without it gives the same value."""
        value = values[self.key]
        known = suggested.get(self.key, self.default)
        if value is None or value in (known, self.first) or not self.is_chosen_freely(values):
            return None
        return str(value)


# Conditions: which settings are shown, by the values of those before them.

TRAIN, AS_PUBLISHED, FROM_FILE = "train", "published", "file"  # where the merges come from
REPLAY, GO_ON = "replay", "continue"  # what is done with a tokenizer from a file
ONE_STAGE, OWN_PATTERN = "one", "own"  # beside the slugs of SECOND_PATTERNS


def is_replay(values: Values) -> bool:
    """Return whether the merges are those of a tokenizer, published or from a file."""
    return values.get("recipe_source") in (AS_PUBLISHED, FROM_FILE)


def goes_on(values: Values) -> bool:
    """Return whether further merges are learned after those of a tokenizer."""
    return is_replay(values) and values.get("file_use") == GO_ON


def is_learning(values: Values) -> bool:
    """Return whether any merge is learned."""
    return not is_replay(values) or goes_on(values)


def has_second_stage(values: Values) -> bool:
    """Return whether superwords are chosen, in a training or after a file."""
    return values.get("second_stage", ONE_STAGE) != ONE_STAGE


def may_have_second_stage(values: Values) -> bool:
    """Return whether superwords are learned."""
    return is_learning(values) and has_second_stage(values)


def has_pattern(values: Values) -> bool:
    """Return whether the variant splits text with a pattern that the viewer types."""
    return bpe.VARIANTS[str(values["variant"])].configure is not None
