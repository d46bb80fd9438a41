"""Measure the speed and the memory of counting words. Run: python -m benchmarks.core.counting [--text FILE]."""

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from benchmarks import texts
from benchmarks.measure import interleaved, peak_megabytes, print_machine, print_table
from benchmarks.texts import MEGABYTE
from bpe import VARIANTS, count_words

COUNT = "import sys, bpe; bpe.count_words([sys.argv[1]], sys.argv[2])"


def main() -> None:
    """Print three tables: speed by variant, speed by number of processes, memory by size."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.core.counting", description=__doc__)
    parser.add_argument("--text", type=Path, help="English of your own; by default words like a sample's")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    english = texts.english if options.text is None else partial(texts.real, options.text)
    print_machine()
    with tempfile.TemporaryDirectory() as folder:
        path, large = Path(folder) / "text.txt", Path(folder) / "large.txt"
        path.write_text(english(10 * MEGABYTE), encoding="utf-8")
        large.write_text(english(10 * MEGABYTE) * 4, encoding="utf-8")
        work = {
            slug: partial(count_words, path, slug) for slug in VARIANTS if slug not in ("bytes", "custom")
        }
        rows = [(slug, 10 / spent) for slug, spent in interleaved(work, options.rounds).items()]
        print_table("English 10 MB on one core", ("variant", "MB/s"), rows)
        print_table("40 MB on several processes, by the clock", ("processes", "MB/s"), by_workers(large))
        memory = [
            (f"{size} MB", peak_megabytes(COUNT, str(file), "bytes-gpt2"))
            for size, file in ((10, path), (40, large))
        ]
        print_table("Peak memory of the process", ("text", "MB"), memory)


def by_workers(path: Path) -> Iterator[Sequence[object]]:
    """Yield rows of (processes, megabytes per second of wall time)."""
    megabytes = path.stat().st_size / MEGABYTE
    for workers in (1, 2):
        start = time.perf_counter()
        if workers == 1:
            count_words(path)
        else:
            with ProcessPoolExecutor(workers) as pool:
                count_words(path, executor=pool)
        yield workers, megabytes / (time.perf_counter() - start)


if __name__ == "__main__":
    main()
