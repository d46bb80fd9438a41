"""The settings of a training that the sidebar offers, as one table.

The sidebar's controls, the link, the share file, the lessons' way to Watch, the lanes of Compare and the arguments of
`bpe.train` are all derived from SETTINGS. To offer one more argument of `bpe.train`, add its row; nothing else changes.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import bpe
from bpe import BPEError
from ui import limits
from ui.show.text import in_markdown
from ui.sidebar.corpus import samples
from ui.sidebar.tokenizer_splits import SPLITS

FREE = "none"  # the preset that leaves variant and tie-breaking rule open
TRAIN, FROM_FILE = "train", "file"  # where the merges come from
MOST_MERGES = limits.MERGES.value()  # of a training
MOST_VOCABULARY, MOST_COUNT, MOST_SEED = 200_000, 1_000_000, 999_999
PATTERN = r"\p{L}+|\p{N}+|\s+|[^\s\p{L}\p{N}]+"  # letters, digits, white space, the rest

Value = str | int | None
Values = Mapping[str, Value]  # {key: value} of the rows before this one at least
# What a setting decides: whether merges are learned, how a file is read; of a training all, the words, the merges, the
# end.
Part = Literal["source", "file", "preset", "words", "ties", "stop"]


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
    kind: Menu | Number | Line
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


SOURCES = Menu({"sample": "Sample", "paste": "Paste", "upload": "Upload", "words": "Words"})
SAMPLES = Menu({slug: sample.title for slug, sample in samples().items()})


def _has_pattern(values: Values) -> bool:
    return bpe.VARIANTS[str(values["variant"])].configure is not None


def _brief(row: bpe.Preset | bpe.Variant | bpe.TieBreak) -> str:
    return in_markdown(row.brief or row.about, most=500)


def _about_preset(values: Values) -> str:
    preset = bpe.PRESETS.get(str(values["preset"]))
    return _brief(preset) if preset else ""


def _more_on_preset(values: Values) -> str:
    preset = bpe.PRESETS.get(str(values["preset"]))
    if not preset:
        return "A preset sets the variant and the tie-breaking rule of a real trainer."
    parts = [preset.about, f"Source: {preset.source}", f"Checked against: {preset.checked}"]
    if preset.deviations:
        parts.append(f"Differs: {preset.deviations}")
    return "\n\n".join(in_markdown(part, most=1000) for part in parts)


def _more_on_variant(values: Values) -> str:
    return in_markdown(bpe.VARIANTS[str(values["variant"])].about, most=500)


def _more_on_rule(values: Values) -> str:
    rule = bpe.TIE_BREAKS[str(values["tie_break"])]
    return in_markdown(f"{rule.about} Used by: {rule.who}.", most=500)


def preset_value(preset: str, key: str) -> Value:
    """Return the preset's value for a key; None if the preset leaves it to the core, or is FREE."""
    return None if preset == FREE else bpe.PRESETS[preset].settings.get(key)


_ROWS = (
    Setting(
        "recipe_source",
        "source",
        Menu({TRAIN: "Train", FROM_FILE: "From a file"}),
        "Merges",
        default=TRAIN,
    ),
    Setting(
        "file_split",
        "file",
        Menu({slug: split.title for slug, split in SPLITS.items()}),
        "Split the text as in",
        default=next(iter(SPLITS)),
        shown_when=lambda values: values.get("recipe_source") == FROM_FILE,
    ),
    Setting(
        "preset",
        "preset",
        Menu({slug: row.title for slug, row in bpe.PRESETS.items()} | {FREE: "Custom"}),
        "Preset",
        required=True,
        about=_about_preset,
        more=_more_on_preset,
    ),
    Setting(
        "variant",
        "words",
        Menu({slug: row.title for slug, row in bpe.VARIANTS.items()}),
        "Tokenizer variant",
        required=True,
        decided_by_preset=True,
        about=lambda values: _brief(bpe.VARIANTS[str(values["variant"])]),
        more=_more_on_variant,
    ),
    Setting(
        "pattern",
        "words",
        Line(500),
        "Pattern",
        default="",
        first=PATTERN,
        shown_when=_has_pattern,
        about=lambda _: (
            "A regular expression. Each match becomes a pre-token, and the text between matches is lost."
        ),
    ),
    Setting(
        "unit",
        "words",
        Menu({"bytes": "Bytes", "characters": "Characters"}),
        "Initial symbols",
        default="bytes",
        shown_when=_has_pattern,
    ),
    Setting(
        "tie_break",
        "ties",
        Menu(
            {slug: row.title for slug, row in bpe.TIE_BREAKS.items()},
            hidden=frozenset(slug for slug, row in bpe.TIE_BREAKS.items() if not row.menu),
        ),
        "When pairs tie",
        required=True,
        decided_by_preset=True,
        about=lambda values: _brief(bpe.TIE_BREAKS[str(values["tie_break"])]),
        more=_more_on_rule,
    ),
    Setting(
        "seed",
        "ties",
        Number(0, MOST_SEED),
        "Seed",
        default=0,
        shown_when=lambda values: bpe.TIE_BREAKS[str(values["tie_break"])].seeded,
    ),
    Setting(
        "merges",
        "stop",
        Number(0, MOST_MERGES),
        "Merges",
        required=True,
        in_row=True,
    ),
    Setting(
        "vocab_size",
        "stop",
        Number(1, MOST_VOCABULARY),
        "Vocabulary",
        placeholder=lambda _: "any",
        in_row=True,
    ),
    Setting(
        "min_count",
        "stop",
        Number(1, MOST_COUNT),
        "Min. count",
        placeholder=lambda values: str(preset_value(str(values["preset"]), "min_count") or 1),
        in_row=True,
    ),
)


def _of_training(row: Setting) -> Setting:
    """Return the row so that it is hidden while the merges come from a file."""
    return replace(
        row,
        shown_when=lambda values: values.get("recipe_source") != FROM_FILE and row.shown_when(values),
    )


SETTINGS: dict[str, Setting] = {  # in the order in which they are drawn
    row.key: row if row.part in ("source", "file") else _of_training(row) for row in _ROWS
}


def of_part(*parts: Part) -> list[Setting]:
    """Return the rows that decide one of these parts, in table order."""
    return [row for row in SETTINGS.values() if row.part in parts]
