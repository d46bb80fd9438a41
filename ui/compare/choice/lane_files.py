"""Tokenizers from files, and published ones, as lanes: their slugs, and the upload that adds one."""

import streamlit as st

import bpe
from bpe import BPEError
from published.rows import PUBLISHED
from ui.show.text import in_markdown
from ui.sidebar.recipes.settings import SETTINGS
from ui.sidebar.tokenizers import published_files, tokenizer_files
from ui.sidebar.tokenizers.tokenizer_files import Files, TokenizerFile
from ui.sidebar.widgets import tokenizer_controls
from ui.visit import Slot

# Files to open in this run
LANE_UPLOAD: Slot[Files] = Slot("_lane_upload", tuple)
# What is wrong with the last ones
LANE_PROBLEM: Slot[str] = Slot("_lane_problem", str)

UPLOAD = "lane_upload"
PREFIX = "file-"  # of a lane's slug; the file's id follows


def slug_of(file_id: str) -> str:
    """Return the slug of the lane of a tokenizer: a published one's id is its slug."""
    return file_id if published_files.slug_of(file_id) else PREFIX + file_id


def slugs() -> list[str]:
    """Return the slugs of all files that the session has opened, the last one first, and of published tokenizers."""
    own = [slug_of(file_id) for file_id in reversed(tokenizer_files.remembered())]
    return [*own, *(published_files.PREFIX + slug for slug in PUBLISHED)]


def published_title(slug: str) -> str:
    """Return the title of a published tokenizer's lane; "" for another lane."""
    published = published_files.slug_of(slug)
    return PUBLISHED[published].title if published else ""


def file_of(slug: str) -> TokenizerFile | None:
    """Return the tokenizer of a lane; None for a rule or a trainer. Raises BPEError for a file that is not open."""
    published = published_files.slug_of(slug)
    if published:
        return published_files.published_file(published)
    if not slug.startswith(PREFIX):
        return None
    file = tokenizer_files.remembered().get(slug.removeprefix(PREFIX))
    if file is None:
        raise BPEError("a link cannot contain the file of a tokenizer: add the file here")
    return file


def other_published(file: TokenizerFile) -> str:
    """Return the slug of the lane of a published tokenizer by other makers."""
    maker = PUBLISHED[file.published].maker
    return published_files.PREFIX + next(slug for slug, row in PUBLISHED.items() if row.maker != maker)


def similar_trainer(file: TokenizerFile) -> str:
    """Return the slug of a preset that spells words as the file does, if there is one; else the first preset."""
    own = file.tokenizer.variant
    similar = (
        slug
        for slug, row in bpe.PRESETS.items()
        if (variant := bpe.VARIANTS[str(row.settings["variant"])]).unit == own.unit
        and variant.marker == own.marker
    )
    return next(similar, next(iter(bpe.PRESETS)))


def draw_upload() -> None:
    """Draw the popover in which the viewer opens a file, and what of the opened files is not used."""
    with st.popover("Add a tokenizer", icon=":material/upload_file:", key="lane_files"):
        tokenizer_controls.draw_upload(UPLOAD, _upload)
        problem = LANE_PROBLEM.read()
        if problem:
            st.error(in_markdown(problem, most=600))
        for file in tokenizer_files.remembered().values():
            notes = " ".join(in_markdown(note, most=400) for note in file.opened.ignored)
            st.caption(f"**{in_markdown(file.name, 80)}** · {in_markdown(file.opened.about, 200)}. {notes}")


def open_upload() -> str | None:
    """Open the files that were uploaded since the last run. Return the slug of their lane; None if there is none."""
    files = LANE_UPLOAD.read()
    if not files:
        return None
    LANE_UPLOAD.forget()
    LANE_PROBLEM.forget()
    try:
        with st.spinner("Opening the tokenizer …"):
            file = tokenizer_files.open_newest(files, str(SETTINGS["file_split"].default))
    except BPEError as error:
        LANE_PROBLEM.write(str(error))
        return None
    tokenizer_files.remember(file)
    return slug_of(file.id)


def _upload() -> None:
    files = st.session_state[UPLOAD]
    if files:
        LANE_UPLOAD.write(tuple((file.name, file.getvalue()) for file in files))
