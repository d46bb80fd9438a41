"""Measure the memory that visits leave behind: each one pastes a text of its own, looks at some pages and goes.

Run: python -m benchmarks.server.visits [NUMBER]. The app runs here without a browser; what all visitors share is the
same.
"""

import argparse
import gc
import random
import time
from pathlib import Path

from benchmarks.measure import print_machine, print_table
from benchmarks.texts import english
from tests.app import open_app, run

CHARACTERS = 100_000  # of a visitor's text
PAGES = ("compare", "encode", "vocabulary")
ROWS = 10
MOST = 100  # MB that may stay


def main() -> None:
    """Print the table; exit with 1 if more stays than may."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("number", nargs="?", type=int, default=1_000, help="visits")
    number = arguments.parse_args().number
    print_machine()
    words = english(4 * CHARACTERS).split()
    visit(words, 0)  # loads every module
    first = memory()
    rows = [(0, first, 0.0)]
    begin = time.process_time()
    for visitor in range(1, number + 1):
        visit(words, visitor)
        if visitor % max(1, number // ROWS) == 0:
            gc.collect()
            rows.append((visitor, memory(), (time.process_time() - begin) / visitor))
    print_table("Visits with texts of 100,000 characters", ("visits", "MB", "CPU seconds a visit"), rows)
    raise SystemExit(rows[-1][1] - first > MOST)


def visit(words: list[str], visitor: int) -> None:
    """Visit Watch and one more page with a text of one's own: the words in another order."""
    own = words[:]
    random.Random(visitor).shuffle(own)
    app = open_app(corpus_source="paste", corpus_text=" ".join(own)[:CHARACTERS], preset="none", merges=400)
    for _ in range(20):
        if not app.get("progress"):
            break
        time.sleep(0.1)
        run(app)
    app.switch_page(f"pages/{PAGES[visitor % len(PAGES)]}.py")
    run(app)


def memory() -> float:
    """Return the memory of this process, in MB."""
    status = Path("/proc/self/status").read_text("utf-8")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1000


if __name__ == "__main__":
    main()
