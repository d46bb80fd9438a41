"""A check of uploads: how much one visitor, and all together, may upload, before the server stores it.

Streamlit lacks a limit for more than one file (https://github.com/streamlit/streamlit/issues/3401): it stores any
number of them in memory until the visit has ended. This file can go when there is a limit for their sum.
"""

import sys
from dataclasses import dataclass
from functools import partial
from typing import Any

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from bpe import BPEError
from ui.streamlit_gaps.put_before import RefusedError, put_before

TOO_LARGE = 413  # HTTP: Content Too Large


@dataclass(frozen=True, slots=True)
class Most:
    """How many bytes the server stores."""

    of_visitor: int
    of_all: int


def check_uploads(most: Most) -> None:
    """Let Streamlit refuse files that are too many bytes together. Calling it again changes nothing."""
    put_before(MemoryUploadedFileManager, "add_file", ("session_id", "file"), partial(_check, most))


def _refusal(most: Most, files: MemoryUploadedFileManager, session: str, file: UploadedFileRec) -> str:
    """Return the sentence why a file is not stored; "" if it is.

    The files that are stored already are counted where Streamlit has them, so nothing else must agree with it.
    """
    sizes = {
        owner: sum(
            len(one.data)
            for number, one in list(stored.items())
            if (owner, number) != (session, file.file_id)
        )
        for owner, stored in list(files.file_storage.items())
    }
    if sizes.get(session, 0) + len(file.data) > most.of_visitor:
        return f"You can upload at most {most.of_visitor // 10**6} MB in all: remove a file first, or reload the page."
    if sum(sizes.values()) + len(file.data) > most.of_all:
        return "Other visitors have filled this server's space for uploads. Try again in a few minutes."
    return ""


def _answer(status: int, reason: str) -> Exception:
    """Return the error with which Streamlit's server answers so. Where the app has no server, it is a BPEError."""
    server = sys.modules.get("starlette.exceptions")
    return server.HTTPException(status, reason) if server else BPEError(reason)


def _check(
    most: Most, files: MemoryUploadedFileManager, session_id: str, file: UploadedFileRec
) -> tuple[Any, ...]:
    """Return the arguments with which the file is stored. Raises RefusedError for one that is too much."""
    reason = _refusal(most, files, session_id, file)
    if reason:
        raise RefusedError(_answer(TOO_LARGE, reason))
    return session_id, file
