"""How much one visitor, and all visitors together, may upload. A file that would be too much is refused and not kept.

Streamlit lacks a limit for more than one file (https://github.com/streamlit/streamlit/issues/3401): it stores any
number of them in memory until the visit has ended. This file can go when there is a limit for their sum.
"""

import re
from collections.abc import Callable
from typing import Any

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import runtime

from ui.gaps.put_before import log_missing

_PATH = re.compile("/_stcore/upload_file/([^/]+)/([^/]+)/?")
_TOO_LARGE = 413  # HTTP: Content Too Large


# The files that a server has stored, by session and number
_Stored = Callable[[], dict[str, dict[str, Any]]]


def _stored_files() -> dict[str, dict[str, Any]]:
    """Return the files that Streamlit has, by session and number."""
    try:
        files: Any = runtime.get_instance().uploaded_file_mgr
        stored: dict[str, dict[str, Any]] = files.file_storage
    except AttributeError as error:
        log_missing("the limit of what one visitor, and all together, may upload", error)
        return {}
    return stored


class UploadLimits:
    """Refuses a file that would be too many bytes together with the other files of the visitor, or of all visitors."""

    def __init__(self, app: ASGIApp, of_visitor: int, of_all: int, stored: _Stored = _stored_files) -> None:
        self.app, self.of_visitor, self.of_all, self.stored = app, of_visitor, of_all, stored
        self.arriving: list[tuple[str, int]] = []  # (session, bytes) of what is on its way

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a file that is too much; pass all other requests on."""
        is_put = scope["type"] == "http" and scope["method"] == "PUT"
        file = _PATH.search(str(scope["path"])) if is_put else None
        if file is None:
            await self.app(scope, receive, send)
            return
        size = Headers(scope=scope).get("content-length", "")
        # Of a file whose length the browser does not say, Streamlit reads no more than this.
        most = int(st.get_option("server.maxUploadSize")) * 2**20
        upload = file[1], int(size) if re.fullmatch("[0-9]{1,15}", size) else most
        if reason := self._refusal(*upload, replaces=file[2]):
            while (await receive()).get("more_body"):
                pass  # a browser reads an answer when it has sent everything
            await PlainTextResponse(reason, _TOO_LARGE)(scope, receive, send)
            return
        self.arriving.append(upload)
        try:
            await self.app(scope, receive, send)
        finally:
            self.arriving.remove(upload)

    def _refusal(self, session: str, size: int, replaces: str) -> str:
        """Return a sentence that says why a file is not stored; "" if it is.

        replaces: the file's id, which a stored file may have already.

        Stored files are counted where Streamlit keeps them, so there is no second count that could differ.
        """
        stored = [
            (owner, len(one.data))
            for owner, files in list(self.stored().items())
            for number, one in list(files.items())
            if (owner, number) != (session, replaces)
        ]
        counted = [*stored, *self.arriving, (session, size)]
        if sum(number for owner, number in counted if owner == session) > self.of_visitor:
            most = f"{self.of_visitor // 10**6} MB"
            return f"You can upload at most {most} in all: remove a file first, or reload the page."
        if sum(number for _, number in counted) > self.of_all:
            return "Other visitors have filled this server's space for uploads. Try again in a few minutes."
        return ""
