"""Measuring on a machine that others use too: CPU time, interleaved rounds, peak memory of a process alone."""

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
    """CPU seconds of all threads of this process, garbage of earlier work collected before."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def interleaved(contestants: Contestants, rounds: int) -> dict[str, float]:
    """Median CPU seconds of each, one after the other in every round, so that what disturbs one disturbs all."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, work in contestants.items():
            seconds[name].append(cpu_seconds(work))
    return {name: median(times) for name, times in seconds.items()}


def peak_megabytes(code: str, *arguments: str) -> float:
    """The most memory a process of its own held (VmHWM) while it ran the code."""
    report = "\nprint([line for line in open('/proc/self/status') if line.startswith('VmHWM')][0].split()[1])"
    done = subprocess.run(
        [sys.executable, "-c", code + report, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout.split()[-1]) / 1024


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A Markdown table, each row as soon as it is known."""
    print(f"\n**{title}**\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for row in rows:
        print(f"| {' | '.join(map(_shown, row))} |", flush=True)


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3g}" if value < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def print_machine() -> None:
    """What ran this, for whoever quotes a figure."""
    cpu = next(
        (line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.processor(),
    )
    print(f"{cpu}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; Python {platform.python_version()}")


def _lines(file: str) -> list[str]:
    return Path(file).read_text(encoding="utf-8").splitlines() if Path(file).exists() else []
