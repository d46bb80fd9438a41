"""Limits that a host can set by environment variables: what all visitors together may cost the server."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from ui.trainings import process_memory

_PREFIX = "MERGE_BY_MERGE_MOST_"
_LEAST_MEMORY, _MOST_MEMORY = 300, 1_000_000  # MB; below the least one, no training would begin
_USUAL = 660  # MB: a process that anyone may open stays well below a gigabyte


def problems(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return a sentence for each variable that has a wrong value, or that names no limit."""
    known = {limit.variable for limit in LIMITS}
    unknown = sorted(name for name in environment if name.startswith(_PREFIX) and name not in known)
    wrong = [problem for limit in LIMITS if (problem := limit.problem(environment))]
    return wrong + [
        f"{name} is not the name of a limit. The limits are {', '.join(sorted(known))}." for name in unknown
    ]


def _share_of(memory: int) -> int:
    """Return how many MB the app may hold where no host says it: less than usual on a small machine or container.

    >>> _share_of(8_000_000_000), _share_of(1_000_000_000)
    (660, 500)
    """
    return min(max(_LEAST_MEMORY, memory // 2 // 10**6), _USUAL)


@dataclass(frozen=True, slots=True)
class _Limit:
    """A whole number between two bounds, which the variable `PREFIX + name` may set."""

    name: str
    default: int
    least: int
    most: int

    @property
    def variable(self) -> str:
        """The name of the environment variable."""
        return _PREFIX + self.name

    def value(self, environment: Mapping[str, str] = os.environ) -> int:
        """Return the limit. A variable that cannot be read leaves the default; `problems` then says why."""
        text = environment.get(self.variable, "").strip()
        return int(text) if text and not self.problem(environment) else self.default

    def problem(self, environment: Mapping[str, str] = os.environ) -> str:
        """Return what is wrong with the variable; "" if it is absent, empty or valid."""
        text = environment.get(self.variable, "").strip()
        is_number = text.isascii() and text.isdecimal() and len(text) <= 18
        if not text or (is_number and self.least <= int(text) <= self.most):
            return ""
        return f"{self.variable} must be a whole number from {self.least} to {self.most}, but it is {text[:40]!r}."


# MB that the app may hold; work that would need more is ended. What one visitor keeps may take half of them.
MEMORY = _Limit("MEMORY_MB", _share_of(process_memory.total()), _LEAST_MEMORY, _MOST_MEMORY)
# Long jobs, such as trainings, that run at the same time.
TRAININGS = _Limit("TRAININGS", 2, 1, 64)
# MB of all files of one upload. All that a visitor has uploaded may take four times as much, and that of all ten times.
UPLOAD = _Limit("UPLOAD_MB", 20, 1, 500)
LIMITS = (MEMORY, TRAININGS, UPLOAD)
