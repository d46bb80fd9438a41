"""Buttons that save a file. It has an address of its own while the visit lasts, and is made when a browser asks for it.

Streamlit answers a press with the address of a file that it deletes as soon as two runs of any visitors have ended, and
gives a button that is drawn anew a new number. With many visitors, some downloads then end in 404: 6 of 20, while each
visitor made a step every three seconds and the browser was 0.2 s away. Here the browser asks for the file at an address
that nobody can guess (`ui/gaps/listeners/downloads.js`). Where that fails, the press goes on to Streamlit.

Streamlit lacks a time for which it holds files; https://github.com/streamlit/streamlit/issues/13466 is about the errors
of such buttons. This file can go when `tests/ui/test_downloads.py` passes with `st.download_button`.
"""

import asyncio
import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bpe import BPEError
from bpe.text.display import csv_file
from ui.view.visit import Slot

_ADDRESS = "mbm/file"
_NO_MEMORY = "This file needs more memory than the app may use."
# No cache keeps a file, no page shows it, and nothing in it runs: a film is a page with scripts.
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True, slots=True)
class _File:
    """A file that a button saves."""

    make: Callable[[], bytes]
    name: str
    mime: str


@dataclass(eq=False, slots=True)
class _Files:
    """The files of a visit, by the class names of their buttons."""

    secret: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    drawn: dict[str, _File] = field(default_factory=dict)
    # Drawn by earlier runs, until a whole run has ended: a button on the screen can be pressed while it is drawn anew
    before: dict[str, _File] = field(default_factory=dict)


FILES: Slot[_Files] = Slot("_files", _Files)
_FILES: dict[str, _Files] = {}  # of all visits, by their secrets


def _forget(files: _Files) -> None:
    _FILES.pop(files.secret, None)


# Streamlit releases what a session has cached when its tab is closed.
@st.cache_resource(scope="session", max_entries=1, show_spinner=False, on_release=_forget)
def _known(secret: str, _files: _Files) -> _Files:
    _FILES[secret] = _files
    return _files


def download_button(
    label: str,
    make: Callable[[], bytes],
    file_name: str,
    *,
    key: str,
    mime: str = "application/octet-stream",
    disabled: bool = False,
    explanation: str | None = None,
    width: Literal["content", "stretch"] = "content",
) -> None:
    """Draw a button that saves a file. `make` is called when somebody presses it, in a thread of its own."""
    st.download_button(
        label, make, file_name, mime, key, explanation, "ignore", disabled=disabled, width=width
    )
    if not disabled:
        # As Streamlit makes a class name of a key
        name = re.sub("[^a-zA-Z0-9_-]", "-", key.strip())
        FILES.read().drawn[name] = _File(make, file_name, mime)


def csv_button(
    label: str,
    columns: Sequence[str],
    rows: Callable[[], Iterable[Sequence[object]]],
    *,
    name: str,
    key: str,
    explanation: str | None = None,
) -> None:
    """Draw a button that downloads a CSV file. The rows are made when somebody presses it."""
    download_button(
        label,
        lambda: csv_file(columns, rows()),
        f"{name}.csv",
        mime="text/csv",
        key=key,
        explanation=explanation,
    )


def files_address() -> str:
    """Return the address of the files of this visit, below that of the app."""
    return f"{_ADDRESS}/{FILES.read().secret}"


def begin_run() -> None:
    """Begin a run of a whole page: it draws all buttons anew."""
    files = FILES.read()
    _known(files.secret, files)
    files.before |= files.drawn
    files.drawn = {}


def end_run() -> None:
    """End the run of a whole page: files whose buttons it has not drawn are gone."""
    FILES.read().before = {}


def file_routes() -> list[Route]:
    """Return what the server answers at the addresses of files."""
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return [Route("/".join(("", *filter(None, (base, _ADDRESS)), "{secret}", "{name}")), _answer)]


async def _answer(request: Request) -> Response:
    files = _FILES.get(request.path_params["secret"])
    name = request.path_params["name"]
    file = files and (files.drawn.get(name) or files.before.get(name))
    if not file:
        return PlainTextResponse(
            "This file is no longer there. Open the page again and press its button.", 404, _HEADERS
        )
    try:
        content = await asyncio.to_thread(file.make)
    except (BPEError, MemoryError) as error:
        return PlainTextResponse(str(error) or _NO_MEMORY, 503, _HEADERS)
    saved = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(file.name)}"}
    return Response(content, headers=_HEADERS | saved, media_type=file.mime)
