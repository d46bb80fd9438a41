"""The settings of a training that the pages offer, as one table.

The controls above the pages, the link, the share file, the lessons' way to Watch, the lanes of Compare and the
arguments of `bpe.train` are all derived from SETTINGS. To offer one more argument of `bpe.train`, add its row; nothing
else changes.
The rows of the parts "further" and "second" are read by `Recipe`, which makes arguments of them.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

import bpe
from bpe import VARIANTS, BPEError, Variant
from bpe.formats.tiktoken_ranks import ENCODINGS
from bpe.symbols import END_OF_WORD
from bpe.text.normalizing import NORMALIZATIONS, Normalization
from published.rows import PUBLISHED
from ui.trainings.corpus import samples
from ui.view.text import in_markdown

FREE = "none"  # the preset that leaves variant and tie-breaking rule open

Value = str | int | float | None
Values = Mapping[str, Value]  # {key: value} of the rows before this one at least
# What a setting decides. "source": whether merges are learned or read from a file; "file": how the file is read;
# "further": what is learned after it. For a training: "preset" everything at once, "words" how text is split, "ties"
# which pair is picked, "stop" when it ends, "second" its second stage.
Part = Literal["source", "file", "further", "preset", "words", "ties", "stop", "second"]
Choice = Literal["tokenizer", "ties", "merges"]  # the button under which a setting is
_CHOICE_OF: Mapping[Part, Choice] = {"ties": "ties", "stop": "merges"}  # all others are under "tokenizer"


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
    is_rare: bool = False  # drawn under “More”, of the tokenizer under “Settings”
    under: Choice | None = None  # the button, if it is not that of its part

    @property
    def choice(self) -> Choice:
        """The button under which it is drawn."""
        return self.under or _CHOICE_OF.get(self.part, "tokenizer")

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


TRAIN, AS_PUBLISHED, FROM_FILE = "train", "published", "file"  # where the merges come from
REPLAY, GO_ON, LIKE = "replay", "continue", "like"  # what is done with a tokenizer from a file
ONE_STAGE, OWN_PATTERN = "one", "own"  # beside the slugs of SECOND_PATTERNS


def _is_replay(values: Values) -> bool:
    """Return whether the merges are those of a tokenizer, published or from a file."""
    return values.get("recipe_source") in (AS_PUBLISHED, FROM_FILE)


def _goes_on(values: Values) -> bool:
    """Return whether merges are learned with a tokenizer: after its own, or in their place."""
    return _is_replay(values) and values.get("file_use") in (GO_ON, LIKE)


def _is_learning(values: Values) -> bool:
    """Return whether merges are learned that may be followed by superwords."""
    return not _is_replay(values) or values.get("file_use") == GO_ON


def _has_second_stage(values: Values) -> bool:
    """Return whether superwords are chosen, in a training or after a file."""
    return values.get("second_stage", ONE_STAGE) != ONE_STAGE


def _may_have_second_stage(values: Values) -> bool:
    """Return whether superwords are learned."""
    return _is_learning(values) and _has_second_stage(values)


def _has_pattern(values: Values) -> bool:
    """Return whether the variant splits text with a pattern that the viewer types."""
    return bpe.VARIANTS[str(values["variant"])].configure is not None


MOST_MERGES = 50_000  # of a training


def _brief(row: bpe.Preset | bpe.Variant | bpe.TieBreak) -> str:
    """Return the short line about a row, or its longer description."""
    return in_markdown(row.brief or row.about, most=500)


def _about_overlaps(values: Values) -> str:
    """Return the line below the setting of overlaps."""
    if values["overlaps"] == "count":
        return ""
    return "In aaaa, the pair a + a is counted twice, not three times: only two of them can be merged."


def _about_normalization(values: Values) -> str:
    """Return the line below the menu of normalizations."""
    row = NORMALIZATIONS.get(cast(Normalization, values["normalization"]))
    return in_markdown(row.about, most=500) if row else ""


def _about_published(values: Values) -> str:
    """Return the line below the menu of published tokenizers: whose it is, which models use it, and its licence."""
    row = PUBLISHED[str(values["published"])]
    source = f"{row.source.package} {row.source.version}, {row.source.licence}"
    return in_markdown(f"{row.maker}, {row.years}: {row.models}. From {source}.", most=300)


# Settings that few trainings need: limits for the length of tokens and for the characters that they are made
# of.

_MOST_LENGTH, _MOST_CHARACTERS = 1_000, 1_114_112
_LEAST_COVERAGE = 0.5


def _has_characters(values: Values) -> bool:
    row = bpe.VARIANTS[str(values["variant"])]
    return (values.get("unit", row.unit) if row.configure else row.unit) == "characters"


def _can_cut_words(values: Values) -> bool:
    marker = bpe.VARIANTS[str(values["variant"])].marker
    return _has_characters(values) and marker != END_OF_WORD and not values.get("limit_alphabet")


_RARE_ROWS = (
    Setting(
        "max_token_length",
        "ties",
        Number(2, _MOST_LENGTH),
        "Tokens shorter than",
        placeholder=lambda _: "any length",
        is_rare=True,
        under="merges",
        more=lambda _: (
            "In bytes or characters, whichever the variant starts with. Two of them may always be merged. This is the "
            "max_token_length of Hugging Face's trainer."
        ),
    ),
    Setting(
        "limit_alphabet",
        "words",
        Number(1, _MOST_CHARACTERS),
        "Characters, at most",
        placeholder=lambda _: "all",
        is_rare=True,
        shown_when=_has_characters,
        more=lambda _: (
            "Rarer characters are taken out of the words before training, so the characters beside them become "
            "neighbours. This is the limit_alphabet of Hugging Face's trainer."
        ),
    ),
    Setting(
        "character_coverage",
        "words",
        Share(_LEAST_COVERAGE),
        "Share of the text to cover",
        placeholder=lambda _: "1: every character",
        is_rare=True,
        shown_when=_can_cut_words,
        more=lambda _: (
            "Training uses only the most frequent characters, as many as cover this share of the text. Nothing is "
            "merged across a rarer one. This is SentencePiece's character_coverage."
        ),
    ),
)

_MOST_WORDS = 100  # in a superword


def half_of(values: Values) -> int:
    """Return the number of merges before a second stage, unless the viewer chooses another one."""
    return int(values.get("merges") or 0) // 2


_SECOND_ROWS = (
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
        shown_when=_is_learning,
        about=lambda values: (
            "The last merges may join whole words, as in SuperBPE: “by the way” can become one token."
            if _has_second_stage(values)
            else ""
        ),
    ),
    Setting(
        "second_own",
        "second",
        Line(500),
        "What stays apart",
        default="",
        first=r"\p{N}+|[\r\n]+",
        shown_when=lambda values: values.get("second_stage") == OWN_PATTERN,
        about=lambda _: "A regular expression. No superword may cross the start or the end of a match.",
    ),
    Setting(
        "second_after",
        "second",
        Number(0, MOST_MERGES),
        "Superwords after merge",
        shown_when=lambda values: not _is_replay(values) and _has_second_stage(values),
        placeholder=lambda values: f"{half_of(values):,}, half of them",
    ),
    Setting(
        "second_words",
        "second",
        Number(2, _MOST_WORDS),
        "Words in a superword, at most",
        shown_when=_may_have_second_stage,
        placeholder=lambda _: "no limit; SuperBPE allows 4",
    ),
)


@dataclass(frozen=True, slots=True)
class _Split:
    """A way to split text, for a file that does not say how. Without a variant it is guessed from the tokens."""

    title: str
    variant: Variant | None = None


def _splits() -> dict[str, _Split]:
    known = {slug: row for slug, row in VARIANTS.items() if row.configure is None}
    published = {row.name: row for row in ENCODINGS if row.variant not in known.values()}
    return {
        "guess": _Split("Guess from the tokens"),
        **{slug: _Split(row.title, row) for slug, row in known.items()},
        **{name: _Split(f"Bytes, pattern of {name}", row.variant) for name, row in published.items()},
    }


SPLITS: Mapping[str, _Split] = _splits()


MOST_VOCABULARY, _MOST_COUNT, MOST_SEED = 200_000, 1_000_000, 999_999
PATTERN = r"\p{L}+|\p{N}+|\s+|[^\s\p{L}\p{N}]+"  # letters, digits, white space, the rest

SOURCES = Menu({"sample": "Sample", "paste": "Your text", "upload": "Upload", "words": "Word list"})
SAMPLES = Menu({slug: sample.title for slug, sample in samples().items()})


def _runs_can_differ(values: Values) -> bool:
    preset = str(values["preset"])
    return preset == FREE or preset_value(preset, "overlaps") is not None


def _library_reads_lines(values: Values) -> bool:
    preset = str(values["preset"])
    return preset != FREE and bpe.PRESETS[preset].reads_lines


def preset_value(preset: str, key: str) -> Value:
    """Return the preset's value for a key; None if the preset leaves it to the core, or is FREE."""
    return None if preset == FREE else bpe.PRESETS[preset].settings.get(key)


_ROWS = (
    Setting(
        "recipe_source",
        "source",
        Menu({TRAIN: "Train", AS_PUBLISHED: "Published", FROM_FILE: "File"}),
        "Merges",
        default=TRAIN,
    ),
    Setting(
        "published",
        "file",
        Menu({slug: row.title for slug, row in PUBLISHED.items()}),
        "Published tokenizer",
        required=True,
        shown_when=lambda values: values.get("recipe_source") == AS_PUBLISHED,
        about=_about_published,
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
        "file_use",
        "file",
        Menu({REPLAY: "Only replay it", GO_ON: "Go on training", LIKE: "Train one like it on this text"}),
        "What to do with it",
        default=REPLAY,
        shown_when=_is_replay,
    ),
    Setting(
        "further_merges",
        "further",
        Number(1, MOST_MERGES),
        "New merges",
        default=100,
        under="merges",
        shown_when=_goes_on,
    ),
    Setting(
        "further_tie_break",
        "further",
        Menu({slug: row.title for slug, row in bpe.TIE_BREAKS.items() if row.menu and not row.seeded}),
        "When pairs tie",
        default="first",
        under="ties",
        shown_when=_goes_on,
    ),
    Setting(
        "preset",
        "preset",
        Menu({slug: row.title for slug, row in bpe.PRESETS.items()} | {FREE: "Custom"}),
        "Preset",
        required=True,
    ),
    Setting(
        "variant",
        "words",
        Menu({slug: row.title for slug, row in bpe.VARIANTS.items()}),
        "Tokenizer variant",
        required=True,
        decided_by_preset=True,
        about=lambda values: _brief(bpe.VARIANTS[str(values["variant"])]),
        more=lambda values: in_markdown(bpe.VARIANTS[str(values["variant"])].about, most=500),
        is_rare=True,
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
        is_rare=True,
    ),
    Setting(
        "unit",
        "words",
        Menu({"bytes": "Bytes", "characters": "Characters"}),
        "Initial symbols",
        default="bytes",
        shown_when=_has_pattern,
        is_rare=True,
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
        "overlaps",
        "ties",
        Menu({"count": "Count", "skip": "Do not count"}),
        "Pairs that overlap",
        default="count",
        decided_by_preset=True,
        shown_when=_runs_can_differ,
        about=_about_overlaps,
        more=lambda _: (
            "In aaaa, the pair a + a occurs three times, but only two of them can be merged: they overlap. "
            "minbpe and Hugging Face count all three. BoundlessBPE counts two."
        ),
        is_rare=True,
    ),
    Setting("merges", "stop", Number(0, MOST_MERGES), "Merges", required=True, in_row=True),
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
        Number(1, _MOST_COUNT),
        "Minimum count",
        placeholder=lambda values: str(preset_value(str(values["preset"]), "min_count") or 1),
        is_rare=True,
    ),
    Setting(
        "lines",
        "words",
        Menu({"whole": "As one text", "ended": "Line by line"}),
        "Read the text",
        default="whole",
        shown_when=_library_reads_lines,
        more=lambda _: (
            "The library reads files line by line: no pre-token continues past the end of a line. It reads other "
            "sources as one text."
        ),
        is_rare=True,
    ),
    Setting(
        "normalization",
        "words",
        Menu({slug: row.title for slug, row in NORMALIZATIONS.items()}),
        "Normalization",
        decided_by_preset=True,
        placeholder=lambda _: "none: the text as it is",
        about=_about_normalization,
        is_rare=True,
    ),
    *_RARE_ROWS,
    *_SECOND_ROWS,
)


def decided_by(preset: str) -> dict[str, Value]:
    """Return the values that a preset decides, by key."""
    settings = bpe.PRESETS[preset].settings
    return {row.key: settings.get(row.key, row.default) for row in _ROWS if row.decided_by_preset}


def _of_training(row: Setting) -> Setting:
    """Return the row so that it is hidden while the merges are those of a tokenizer."""
    return replace(row, shown_when=lambda values: not _is_replay(values) and row.shown_when(values))


SETTINGS: dict[str, Setting] = {  # in the order in which they are drawn
    row.key: row if row.part in ("source", "file", "further", "second") else _of_training(row)
    for row in _ROWS
}


def of_part(*parts: Part) -> list[Setting]:
    """Return the rows that decide one of these parts, in table order."""
    return [row for row in SETTINGS.values() if row.part in parts]
