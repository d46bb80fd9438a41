"""Downloads that are held for a moment after Streamlit would delete them, so that no download is a 404.

Streamlit makes a file when somebody presses its button, and answers with an address for it. Whenever a page of any
visitor has run, it deletes the files that no page refers to, and no page refers to this one. So if two runs end before
the browser asks for it, which happens when many visitors are there, the browser gets 404. In the same way a button that
is drawn anew has a new number, and a press that still names the old one fails. While 20 visitors made a step every
three seconds and the browser was 0.2 s away, 6 of 20 downloads failed without these lines, and none with them.

Streamlit lacks a time for which it holds both; https://github.com/streamlit/streamlit/issues/13466 is about the
errors of such buttons. This file can go when `tests/ui/test_held_downloads.py` passes without it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from streamlit import runtime
from streamlit.runtime.media_file_manager import MediaFileManager, MediaFileMetadata
from streamlit.runtime.media_file_storage import MediaFileKind

from ui.streamlit_gaps.put_before import put_before

SECONDS = 30.0
MOST_BYTES = 30_000_000  # of the files; Streamlit itself holds them until two runs have ended


def hold_downloads(holding: _Holding | None = None) -> None:
    """Let Streamlit hold downloads for SECONDS. Raises GoneError if that is impossible.

    holding: what is held; without one, HOLDING of the whole server
    """
    holding = holding or HOLDING
    put_before(MediaFileManager, "remove_orphaned_files", [], holding.keep_files)
    forget_buttons = MediaFileManager._remove_orphaned_deferred_callables.__name__
    put_before(MediaFileManager, forget_buttons, [], holding.keep_buttons)
    put_before(MediaFileManager, "clear_session_refs", ["session_id"], holding.end_visit)


def let_all_go() -> None:
    """Delete all that the server holds now, if there is one."""
    if runtime.exists():
        _let_go(runtime.get_instance().media_file_mgr)


@dataclass(slots=True)
class _Holding:
    """What is held, and since when."""

    clock: Callable[[], float] = time.monotonic
    files: WeakKeyDictionary[MediaFileMetadata, float] = field(default_factory=WeakKeyDictionary)
    buttons: dict[str, float] = field(default_factory=dict)  # by the number that a press names
    is_full: bool = False  # whether memory is short, so nothing is held

    def keep_files(self, manager: MediaFileManager) -> tuple[()]:
        """Let the next deletion spare the latest files, up to MOST_BYTES. Streamlit calls this before each deletion."""
        now, size = self.clock(), 0
        for number, file in reversed(list(manager._file_metadata.items())):
            if file.kind != MediaFileKind.DOWNLOADABLE:
                continue
            size += _size(manager, number)
            if now - self.files.setdefault(file, now) < SECONDS and size <= MOST_BYTES and not self.is_full:
                file._is_marked_for_delete = False  # it is only marked for the next time
        return ()

    def keep_buttons(self, manager: MediaFileManager) -> None:
        """Forget the buttons that no page has shown for SECONDS. Streamlit calls this instead of forgetting all."""
        in_use = {
            number for files in manager._files_by_session_and_coord.values() for number in files.values()
        }
        now = self.clock()
        for number in list(manager._deferred_callables):
            if number in in_use:
                self.buttons.pop(number, None)
            elif self.is_full or now - self.buttons.setdefault(number, now) >= SECONDS:
                manager._drop_deferred_id(number)
        self.buttons = {
            number: since for number, since in self.buttons.items() if number in manager._deferred_callables
        }

    def end_visit(self, manager: MediaFileManager, session_id: str | None = None) -> tuple[str | None]:
        """Hold no buttons of a visit that has ended. Only then does Streamlit name it here."""
        if session_id is not None:
            for number, button in list(manager._deferred_callables.items()):
                if button["session_id"] == session_id:
                    self.buttons[number] = -SECONDS
        return (session_id,)


HOLDING = _Holding()


def _let_go(manager: MediaFileManager, holding: _Holding | None = None) -> None:
    """Delete all that is held now, since memory is short."""
    holding = holding or HOLDING
    holding.is_full = True
    try:
        manager.remove_orphaned_files()
        manager.remove_orphaned_files()  # the first time only marks them
    finally:
        holding.is_full = False


def _size(manager: MediaFileManager, number: str) -> int:
    files: Any = manager._storage  # the one in memory, which Streamlit uses unless a host plugs in another
    return len(files._files_by_id[number].content) if number in files._files_by_id else 0
