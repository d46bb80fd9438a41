"""Explanations of the settings: the line below a control, and its tooltip, as Markdown."""

from typing import cast

import bpe
from bpe.text.normalizing import NORMALIZATIONS, Normalization
from published.rows import PUBLISHED
from ui.show.text import in_markdown
from ui.sidebar.recipes.setting import Values


def brief(row: bpe.Preset | bpe.Variant | bpe.TieBreak) -> str:
    """Return the short line about a row, or its longer description."""
    return in_markdown(row.brief or row.about, most=500)


def about_preset(values: Values) -> str:
    """Return the line below the menu of presets."""
    preset = bpe.PRESETS.get(str(values["preset"]))
    return brief(preset) if preset else ""


def more_on_preset(values: Values) -> str:
    """Return what the tooltip says about the preset: its source and where it differs."""
    preset = bpe.PRESETS.get(str(values["preset"]))
    if not preset:
        return "A preset sets the variant and the tie-breaking rule of a real trainer."
    parts = [preset.about, f"Source: {preset.source}", f"Checked against: {preset.checked}"]
    if preset.deviations:
        parts.append(f"Differs: {preset.deviations}")
    return "\n\n".join(in_markdown(part, most=1000) for part in parts)


def more_on_variant(values: Values) -> str:
    """Return what the tooltip says about the variant."""
    return in_markdown(bpe.VARIANTS[str(values["variant"])].about, most=500)


def more_on_rule(values: Values) -> str:
    """Return what the tooltip says about the rule and who uses it."""
    rule = bpe.TIE_BREAKS[str(values["tie_break"])]
    return in_markdown(f"{rule.about} Used by: {rule.who}.", most=500)


def about_overlaps(values: Values) -> str:
    """Return the line below the setting of overlaps."""
    if values["overlaps"] == "count":
        return ""
    return "In aaaa, the pair a + a is counted twice, not three times: only two of them can be merged."


def more_on_lines(values: Values) -> str:
    """Return what the tooltip says about reading a text line by line."""
    return (
        "The library reads files line by line: no pre-token continues past the end of a line. It reads other "
        "sources as one text."
    )


def about_normalization(values: Values) -> str:
    """Return the line below the menu of normalizations."""
    row = NORMALIZATIONS.get(cast(Normalization, values["normalization"]))
    return in_markdown(row.about, most=500) if row else ""


def about_published(values: Values) -> str:
    """Return the line below the menu of published tokenizers: whose it is, which models use it, and its licence."""
    row = PUBLISHED[str(values["published"])]
    source = f"{row.source.package} {row.source.version}, {row.source.licence}"
    return in_markdown(f"{row.maker}, {row.years}: {row.models}. From {source}.", most=300)
