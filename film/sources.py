"""The component's JavaScript and CSS: small files of one idea, joined in this order when the module is imported."""

from pathlib import Path

HERE = Path(__file__).parent / "browser"
FOLDERS = ("shared", "token_grid", "pair_table")
SHARED = ("colour.js", "dom.js", "groups.js")  # what the pair table uses too
SCRIPTS = (
    *SHARED,
    "spelling.js",  # bytes -> what is shown
    "feed.js",  # what Python sent, decoded
    "segmentation.js",  # the tokens at any step
    "runs.js",  # what is written inside a token
    "layout.js",  # where cells stand
    "directions.js",  # and where in right-to-left words
    "changes.js",  # what a merge changed: counts of tokens and pairs
    "marking.js",  # which tokens are marked, and how
    "painting.js",  # tokens, walls and marks on a canvas
    "sight.js",  # the part of the sheets that is seen
    "cells.js",  # drawing for texts of any size
    "chips.js",  # drawing for short texts
    "playhead.js",  # step, beat and speed of a group
    "headline.js",
    "transport.js",
    "options.js",
    "keys.js",
    "details.js",  # one token's facts and merge tree
    "pointing.js",
    "spoken.js",
    "ruler.js",  # where it stands in a long text
    "slots.js",  # a transport that stands elsewhere
    "letters.js",  # the same text in other cells
    "lanes.js",  # what differs between the lanes of a group
    "presenter.js",
    "parts.js",  # the elements, and their room
    "grid.js",  # everything together
    "main.js",
)


SLOT_SCRIPTS = ("groups.js", "slot_main.js")
TIES_SCRIPTS = ("groups.js", "ties_main.js")


def script(*names: str) -> str:
    """The named files as one text."""
    return "\n".join(_path(name).read_text("utf-8") for name in names)


def _path(name: str) -> Path:
    return next(path for folder in FOLDERS if (path := HERE / folder / name).exists())
