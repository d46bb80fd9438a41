"""The tokenizer that a share file expects: its name and hash. The file itself is asked for again."""

import re
from dataclasses import dataclass

import streamlit as st

from bpe import BPEError
from ui.trainings import tokenizer_files
from ui.trainings.tokenizer_files import Files, TokenizerFile, contents_digest
from ui.view.text import in_markdown
from ui.view.visit import Slot, nothing

_MOST_CHARACTERS = 200  # of a name
_SHA256 = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ExpectedTokenizer:
    """A tokenizer that the session has not opened yet."""

    name: str
    digest: str


# The tokenizer of the share file that was opened, until it is there
_EXPECTED_TOKENIZER: Slot[ExpectedTokenizer | None] = Slot("_expected_tokenizer", nothing)


def write_expected(file: TokenizerFile) -> dict[str, str]:
    """Return name and hash of a tokenizer's file, for a share file."""
    return {"name": file.name, "sha256": file.digest}


def read_expected(field: object) -> ExpectedTokenizer:
    """Return the tokenizer that a share file names. Raises BPEError for a field that names none."""
    match field:
        case {"name": str(name), "sha256": str(digest)} if _SHA256.fullmatch(digest):
            return ExpectedTokenizer(name[:_MOST_CHARACTERS], digest)
    raise BPEError("The share file's field “tokenizer” must hold the name and the SHA-256 of a file.")


def expect(expected: ExpectedTokenizer | None) -> None:
    """Use this tokenizer if the session has opened it; if not, wait for its file. None: wait for none."""
    if expected is None:
        forget()
        return
    files = [file for file in tokenizer_files.remembered().values() if file.digest == expected.digest]
    tokenizer_files.choose(files[-1].id if files else "")
    _EXPECTED_TOKENIZER.write(None if files else expected)


def among(files: Files) -> Files:
    """Return those of the last files that are the expected tokenizer; all files if none are, or none is expected."""
    expected = _EXPECTED_TOKENIZER.read()
    for part in (files, files[-2:], files[-1:]):
        if expected and contents_digest([content for _, content in part]) == expected.digest:
            return part
    return files


def refusal(files: Files) -> str:
    """Return the sentence why these files are not the expected tokenizer; "" if they are, or if none is expected."""
    expected = _EXPECTED_TOKENIZER.read()
    if expected is None or contents_digest([content for _, content in files]) == expected.digest:
        return ""
    names = " and ".join(name for name, _ in files)
    return f"{names} is not the tokenizer {expected.name} that the share file uses: its content differs."


def request() -> str:
    """Return the sentence that asks for the file; "" if none is expected."""
    expected = _EXPECTED_TOKENIZER.read()
    return f"This share file uses the tokenizer {expected.name}. Open it to go on." if expected else ""


def draw_way_out() -> None:
    """Draw the button with which the viewer goes on with another tokenizer."""
    expected = _EXPECTED_TOKENIZER.read()
    if expected:
        st.button(
            in_markdown(f"Go on without {expected.name}", 80),
            key="no_expected_tokenizer",
            on_click=_forget_all,
        )


def _forget_all() -> None:
    forget()
    tokenizer_files.report("")


def forget() -> None:
    """Expect no tokenizer any more."""
    _EXPECTED_TOKENIZER.forget()
