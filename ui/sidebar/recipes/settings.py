"""The settings of a training that the sidebar offers, as one table.

The sidebar's controls, the link, the share file, the lessons' way to Watch, the lanes of Compare and the arguments of
`bpe.train` are all derived from SETTINGS. To offer one more argument of `bpe.train`, add its row; nothing else changes.
The rows of the parts "further" and "second" are read by `Recipe`, which makes arguments of them.
"""

from dataclasses import replace

import bpe
from bpe.text.normalizing import NORMALIZATIONS
from published.rows import PUBLISHED
from ui.sidebar.recipes.conditions import (
    AS_PUBLISHED,
    FROM_FILE,
    GO_ON,
    ONE_STAGE,
    OWN_PATTERN,
    REPLAY,
    TRAIN,
    goes_on,
    has_pattern,
    is_replay,
)
from ui.sidebar.recipes.explanations import (
    about_normalization,
    about_overlaps,
    about_preset,
    about_published,
    brief,
    more_on_lines,
    more_on_preset,
    more_on_rule,
    more_on_variant,
)
from ui.sidebar.recipes.rare_settings import ROWS as RARE_ROWS
from ui.sidebar.recipes.second_stage import ROWS as SECOND_ROWS
from ui.sidebar.recipes.setting import FREE, Line, Menu, Number, Part, Setting, Share, Value, Values
from ui.sidebar.texts.corpus import samples
from ui.sidebar.tokenizers.tokenizer_splits import SPLITS
from ui.work import limits

__all__ = ["AS_PUBLISHED", "FREE", "FROM_FILE", "GO_ON", "ONE_STAGE", "OWN_PATTERN", "REPLAY", "TRAIN"]
__all__ += ["Line", "Menu", "Number", "Part", "Setting", "Share", "Value", "Values"]

MOST_MERGES = limits.MERGES.value()  # of a training
MOST_VOCABULARY, MOST_COUNT, MOST_SEED = 200_000, 1_000_000, 999_999
PATTERN = r"\p{L}+|\p{N}+|\s+|[^\s\p{L}\p{N}]+"  # letters, digits, white space, the rest

SOURCES = Menu({"sample": "Sample", "paste": "Paste", "upload": "Upload", "words": "Words"})
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
        about=about_published,
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
        Menu({REPLAY: "Only replay it", GO_ON: "Go on training"}),
        "What to do with it",
        default=REPLAY,
        shown_when=is_replay,
    ),
    Setting(
        "further_merges",
        "further",
        Number(1, MOST_MERGES),
        "Further merges",
        default=100,
        shown_when=goes_on,
    ),
    Setting(
        "further_tie_break",
        "further",
        Menu({slug: row.title for slug, row in bpe.TIE_BREAKS.items() if row.menu and not row.seeded}),
        "When pairs tie",
        default="first",
        shown_when=goes_on,
    ),
    Setting(
        "preset",
        "preset",
        Menu({slug: row.title for slug, row in bpe.PRESETS.items()} | {FREE: "Custom"}),
        "Preset",
        required=True,
        about=about_preset,
        more=more_on_preset,
    ),
    Setting(
        "variant",
        "words",
        Menu({slug: row.title for slug, row in bpe.VARIANTS.items()}),
        "Tokenizer variant",
        required=True,
        decided_by_preset=True,
        about=lambda values: brief(bpe.VARIANTS[str(values["variant"])]),
        more=more_on_variant,
    ),
    Setting(
        "pattern",
        "words",
        Line(500),
        "Pattern",
        default="",
        first=PATTERN,
        shown_when=has_pattern,
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
        shown_when=has_pattern,
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
        about=lambda values: brief(bpe.TIE_BREAKS[str(values["tie_break"])]),
        more=more_on_rule,
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
        about=about_overlaps,
        more=lambda _: (
            "In aaaa, the pair a + a occurs three times, but only two of them can be merged: they overlap. "
            "minbpe and Hugging Face count all three. BoundlessBPE counts two."
        ),
        is_rare=True,
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
        more=more_on_lines,
        is_rare=True,
    ),
    Setting(
        "normalization",
        "words",
        Menu({slug: row.title for slug, row in NORMALIZATIONS.items()}),
        "Normalization",
        decided_by_preset=True,
        placeholder=lambda _: "none: the text as it is",
        about=about_normalization,
        is_rare=True,
    ),
    *RARE_ROWS,
    *SECOND_ROWS,
)


def decided_by(preset: str) -> dict[str, Value]:
    """Return the values that a preset decides, by key."""
    settings = bpe.PRESETS[preset].settings
    return {row.key: settings.get(row.key, row.default) for row in _ROWS if row.decided_by_preset}


def _of_training(row: Setting) -> Setting:
    """Return the row so that it is hidden while the merges are those of a tokenizer."""
    return replace(
        row,
        shown_when=lambda values: not is_replay(values) and row.shown_when(values),
    )


SETTINGS: dict[str, Setting] = {  # in the order in which they are drawn
    row.key: row if row.part in ("source", "file", "further", "second") else _of_training(row)
    for row in _ROWS
}


def of_part(*parts: Part) -> list[Setting]:
    """Return the rows that decide one of these parts, in table order."""
    return [row for row in SETTINGS.values() if row.part in parts]
