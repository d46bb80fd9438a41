"""Measure CPU time in interleaved rounds, and the peak memory of a process. Other work may run on the machine."""

import gc
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]

Contestants = Mapping[str, Callable[[], object]]


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds that all threads of this process spend on the work. Collects garbage first."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def interleaved(contestants: Contestants, rounds: int) -> dict[str, float]:
    """Return the median CPU seconds of each contestant.

    Every round runs all of them in turn, so that other work on the machine slows down all of them equally.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, work in contestants.items():
            seconds[name].append(cpu_seconds(work))
    return {name: median(times) for name, times in seconds.items()}


def peak_megabytes(code: str, *arguments: str) -> float:
    """Run the code in a process of its own and return the most memory that it held (VmHWM)."""
    report = "\nprint([line for line in open('/proc/self/status') if line.startswith('VmHWM')][0].split()[1])"
    process = subprocess.run(
        [sys.executable, "-c", code + report, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(process.stdout.split()[-1]) / 1024


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a Markdown table, each row as soon as it is known."""
    print(f"\n**{title}**\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for row in rows:
        print(f"| {' | '.join(map(_cell, row))} |", flush=True)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3g}" if value < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def print_machine() -> None:
    """Print processor, cores, load and Python version: a figure that is quoted needs them."""
    cpu = next(
        (line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.processor(),
    )
    print(f"{cpu}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; Python {platform.python_version()}")


def _lines(file: str) -> list[str]:
    return Path(file).read_text(encoding="utf-8").splitlines() if Path(file).exists() else []
