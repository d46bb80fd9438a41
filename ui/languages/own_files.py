"""Files that the visitor opens on the page Languages: of any tokenizer, of WordPiece and Unigram too."""

from dataclasses import dataclass

import streamlit as st

from bpe import BPEError
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.opening_any import open_pieces
from bpe.formats.piece_tokenizers import PieceTokenizer
from ui.show.text import in_markdown
from ui.sidebar import tokenizer_files
from ui.sidebar.recipe_source import SPLIT, draw_upload
from ui.sidebar.settings import SETTINGS
from ui.sidebar.tokenizer_files import Files
from ui.streamlit_gaps.popover import open_popover
from ui.visit import Slot, large
from ui.work.file_reading import read_files

UPLOAD = "measured_upload"
MOST_FILES = 6  # without merges, of one session


@dataclass(frozen=True, slots=True)
class Named:
    """A tokenizer with the name that the page gives it."""

    name: str
    about: str
    key: str  # a hash or a slug: equal only for equal tokenizers
    tokenizer: Tokenizer | PieceTokenizer


# {id: a file without merges that this visit has opened}; those with merges are remembered for all pages
OWN_PIECES: Slot[dict[str, Named]] = large(Slot("_own_pieces", dict))
# What was uploaded and is not opened yet
WAITING: Slot[Files] = Slot("_measured_waiting", tuple)


def own_pieces() -> dict[str, Named]:
    """Return the files without merges that this visit has opened, by id."""
    return OWN_PIECES.read()


def draw() -> str | None:
    """Draw the button that opens a file. Return the id of a tokenizer that was opened in this run."""
    popover = open_popover("Open a file", "upload_file", "measured_popover")
    if popover is None:
        return None
    with popover:
        draw_upload(UPLOAD, _upload)
        files = WAITING.read()
        WAITING.forget()
        if not files:
            return None
        try:
            with st.spinner("Opening the tokenizer …"):
                return _open(files)
        except BPEError as error:
            st.error(in_markdown(str(error), most=600))
    return None


def _upload() -> None:
    """Store the uploaded files for the run, which opens them where a spinner can be seen. A callback."""
    WAITING.write(tuple((file.name, file.getvalue()) for file in st.session_state[UPLOAD] or ()))


def _open(files: Files) -> str:
    """Open the newest file and return its id. Raises BPEError if it cannot be opened."""
    name, content = files[-1]
    pieces = read_files(open_pieces, [content], (name, content))
    if pieces is None:
        file = tokenizer_files.open_newest(files, str(SETTINGS[SPLIT].default))
        tokenizer_files.remember(file)
        return file.id
    key = tokenizer_files.digest_of([content])[: tokenizer_files.ID_LENGTH]
    own = OWN_PIECES.read()
    own.pop(key, None)
    own[key] = Named(name, pieces.about, key, pieces)
    while len(own) > MOST_FILES:
        del own[next(iter(own))]
    return key
