"""Ctrl-C in the middle of a command, at a merge that is the same on every machine."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest


def press_ctrl_c(monkeypatch: pytest.MonkeyPatch, at: str) -> None:
    """Make a command be interrupted when it reports a progress that begins with `at`, as in "20 merges"."""

    @contextmanager
    def progress_reports() -> Iterator[Callable[[str], None]]:
        def report(message: str) -> None:
            if message.startswith(at):
                signal.raise_signal(signal.SIGINT)

        yield report

    monkeypatch.setattr("command_line.terminal.progress_reports", progress_reports)
