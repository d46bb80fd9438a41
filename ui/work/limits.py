"""Limits that a host can set by environment variables: what all visitors together may cost the server.

`python -m ui.work.limits` prints them, or says what is wrong with a variable.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from ui.work import process_memory

PREFIX = "MERGE_BY_MERGE_MOST_"
LEAST_MEMORY, MOST_MEMORY = 300, 1_000_000  # MB; below the least one, no training would begin
USUAL = 660  # MB: a process that anyone may open stays well below a gigabyte


def problems(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return a sentence for each variable that has a wrong value, or that names no limit."""
    known = {limit.variable for limit in LIMITS}
    unknown = sorted(name for name in environment if name.startswith(PREFIX) and name not in known)
    wrong = [problem for limit in LIMITS if (problem := limit.problem(environment))]
    return wrong + [
        f"{name} is not the name of a limit. The limits are {', '.join(sorted(known))}." for name in unknown
    ]


def _table(environment: Mapping[str, str] = os.environ) -> str:
    """Return one line for each limit, as an environment file writes it, with its meaning and bounds above it."""
    return "\n".join(
        f"# The most {limit.meaning}: {limit.least:,} to {limit.most:,}.\n"
        f"{limit.variable}={limit.value(environment)}"
        for limit in LIMITS
    )


def _share_of(memory: int) -> int:
    """Return how many MB the app may hold where no host says it: less than usual on a small machine or container.

    >>> _share_of(8_000_000_000), _share_of(1_000_000_000)
    (660, 500)
    """
    return min(max(LEAST_MEMORY, memory // 2 // 10**6), USUAL)


SHARE = _share_of(process_memory.total())


@dataclass(frozen=True, slots=True)
class _Limit:
    """A whole number between two bounds, which the variable `PREFIX + name` may set."""

    name: str
    meaning: str
    default: int
    least: int
    most: int

    @property
    def variable(self) -> str:
        """The name of the environment variable."""
        return PREFIX + self.name

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


MEMORY = _Limit(
    "MEMORY_MB",
    "MB of memory that the app may hold; work that would need more is ended; without a value, at most half of what "
    "the machine or the container has",
    SHARE,
    LEAST_MEMORY,
    MOST_MEMORY,
)
VISITOR = _Limit(
    "VISITOR_MB",
    "MB of one visitor's texts, tokenizers and trainings; without a value, at most half of the above",
    min(SHARE // 2, 300),
    1,
    1_000_000,
)
TRAININGS = _Limit("TRAININGS", "long jobs, such as trainings, that run at the same time", 2, 1, 64)
UPLOAD = _Limit("UPLOAD_MB", "MB of all files of one upload", 20, 1, 500)
VISITOR_UPLOADS = _Limit(
    "VISITOR_UPLOADS_MB", "MB of all files that one visitor has uploaded", 80, 1, 100_000
)
UPLOADS = _Limit("UPLOADS_MB", "MB of the files that all visitors have uploaded", 200, 1, 1_000_000)
PATTERN = _Limit("PATTERN_MB", "MB of memory of one search with a visitor's pattern", 400, 100, 100_000)
PASTED = _Limit("PASTED_CHARACTERS", "characters of a text that somebody pastes", 1_000_000, 1_000, 5_000_000)
MERGES = _Limit("MERGES", "merges of one training", 50_000, 1_000, 50_000)
TRACES = _Limit(
    "TRACES_MB", "MB of trainings that nobody is looking at, ready for the next visitor", 16, 1, 100_000
)
STOPPED = _Limit("STOPPED_MB", "MB of stopped trainings that can go on", 100, 1, 100_000)
TOKENIZERS = _Limit("TOKENIZERS_MB", "MB of tokenizers from files, of all visitors", 200, 1, 100_000)
PUBLISHED = _Limit("PUBLISHED_MB", "MB of published tokenizers, of all visitors", 150, 1, 100_000)
LIMITS = (
    MEMORY,
    VISITOR,
    TRAININGS,
    UPLOAD,
    VISITOR_UPLOADS,
    UPLOADS,
    PATTERN,
    PASTED,
    MERGES,
    TRACES,
    STOPPED,
    TOKENIZERS,
    PUBLISHED,
)
if __name__ == "__main__":
    sys.stdout.write(_table() + "\n")
    sys.exit("\n".join(problems()) or None)
