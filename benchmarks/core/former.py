"""Compare the core with itself at former commits.

Run: python -m benchmarks.core.former COMMIT [COMMIT ...] [--rounds N]. Each version of `bpe` works in a process of its
own, and all take turns. Times are CPU seconds, medians of the rounds; the ratios are those of the version in this
folder to each former one.
"""

import argparse
import io
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from benchmarks import texts
from benchmarks.measure import ROOT, print_machine, print_table

# What a process does for each line that it reads: the name of a case. It answers with CPU seconds.
WORKER = """
import gc, sys, time
from pathlib import Path
import bpe

english, source = (Path(name).read_text("utf-8") for name in sys.argv[1:3])
trace = bpe.train(english, "bytes-gpt2", merges=2_000)
ROWS = {
    "train English 1 MB, 10,000 merges": lambda: bpe.train(english, "bytes-gpt2", merges=10_000),
    "train Python source 1 MB, 10,000 merges": lambda: bpe.train(source, "bytes-gpt2", merges=10_000),
    "train with the rule `random`": lambda: bpe.train(english, "bytes-gpt2", "random", merges=10_000),
    "train one raw stream of 300 kB, 3,000 merges": lambda: bpe.train(english[:300_000], "bytes", merges=3_000),
    "encode English 1 MB, cold": lambda: trace.tokenizer().encode(english),
    "the words at 20 steps": lambda: [trace.words_at(100 * step) for step in range(20)],
}
for line in sys.stdin:
    gc.collect()
    begin = time.process_time()
    ROWS[line.strip()]()
    print(time.process_time() - begin, flush=True)
"""
CASES = tuple(line.split('"')[1] for line in WORKER.splitlines() if line.startswith('    "'))


def started(folder: Path, files: Sequence[Path], stack: ExitStack) -> Callable[[str], float]:
    """Start a process with the core of this folder. Return a function from a case to the CPU seconds of one run."""
    process = stack.enter_context(
        subprocess.Popen(
            [sys.executable, "-c", WORKER, *map(str, files)],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
    )
    requests, answers = process.stdin, process.stdout
    assert requests
    assert answers
    stack.callback(requests.close)

    def seconds(case: str) -> float:
        requests.write(f"{case}\n")
        requests.flush()
        return float(answers.readline())

    return seconds


def extract(commit: str, folder: Path) -> Path:
    """Put `bpe/` as it was at a commit into a folder, and return that."""
    archive = subprocess.run(
        ["git", "archive", commit, "bpe"], cwd=ROOT, capture_output=True, check=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return folder


def main() -> None:
    """Print seconds and ratios of all versions for each case."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("commits", nargs="+", metavar="COMMIT")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    print_machine()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        files = [folder / "english.txt", folder / "source.txt"]
        for file, text in zip(files, (texts.english(1_000_000), texts.source(1_000_000)), strict=True):
            file.write_text(text, "utf-8")
        folders = [ROOT, *(extract(commit, folder / commit) for commit in options.commits)]
        versions = [started(one, files, stack) for one in folders]

        def rows() -> Iterator[Sequence[object]]:
            for case in CASES:
                rounds = [[seconds(case) for seconds in versions] for _ in range(options.rounds)]
                now, *before = (median(times) for times in zip(*rounds, strict=True))
                yield case, now, *before, *(now / one for one in before)

        ratios = [f"now : {commit}" for commit in options.commits]
        print_table("The core beside former commits", ("case", "now, s", *options.commits, *ratios), rows())


if __name__ == "__main__":
    main()
