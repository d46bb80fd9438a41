"""Compare training and its trace with the libraries, and the core with itself at former commits.

Run: python -m benchmarks.training [--text FILE] [--rounds N] [SECTION ...], or with `--beside COMMIT`. Times are CPU
seconds of one thread, medians of interleaved rounds; they include pre-tokenising and the trace. Only ratios can be
compared between machines.
"""

import os

os.environ["RAYON_NUM_THREADS"] = "1"  # one thread each: set before the libraries are imported
os.environ["TOKENIZERS_PARALLELISM"] = "false"

import argparse
import contextlib
import io
import random
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median

import rustbpe
import sentencepiece
from subword_nmt.learn_bpe import learn_bpe
from tiktoken import _educational
from tokenizers import ByteLevelBPETokenizer

from benchmarks import texts
from benchmarks.measure import ROOT, cpu_seconds, interleaved, peak_megabytes, print_machine, print_table
from benchmarks.texts import MEGABYTE
from bpe import TIE_BREAKS, Trace, train
from bpe.text.patterns import GPT2_PATTERN


def ours(text: str, merges: int, variant: str = "bytes-gpt2", rule: str = "first") -> Trace:
    """Train with this project's trainer."""
    return train(text, variant, rule, merges=merges)


def hugging_face(text: str, merges: int) -> None:
    """Train with Hugging Face's byte-level trainer, in Rust."""
    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator([text], vocab_size=256 + merges, min_frequency=1, show_progress=False)


def rust_bpe(text: str, merges: int) -> None:
    """Train with rustbpe on GPT-2's pattern."""
    rustbpe.Tokenizer().train_from_iterator([text], 256 + merges, pattern=GPT2_PATTERN)


def sentence_piece(text: str, merges: int) -> None:
    """Train with sentencepiece, in C++. It learns from characters of whole lines, not from bytes of pre-tokens."""
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(text.split("\n")),
        model_writer=io.BytesIO(),
        model_type="bpe",
        vocab_size=merges + 500,
        hard_vocab_limit=False,
        num_threads=1,
        max_sentence_length=10**7,
        minloglevel=2,
    )


def subword_nmt(text: str, merges: int) -> None:
    """Train with subword-nmt, in Python, on words of characters between spaces."""
    with contextlib.redirect_stderr(io.StringIO()):
        learn_bpe(io.StringIO(text), io.StringIO(), merges)


def tiktoken_educational(text: str, merges: int) -> None:
    """Train with tiktoken's educational trainer, in Python."""
    _educational.bpe_train(text, 256 + merges, GPT2_PATTERN, visualise=None)


def libraries(options: argparse.Namespace) -> None:
    """Time the compiled trainers on each text, and report our ratio to Hugging Face."""
    english = english_of(options)
    cases = {
        "English 100 kB, 5,000 merges": (english(MEGABYTE // 10), 5_000),
        "English 1 MB, 10,000 merges": (english(MEGABYTE), 10_000),
        "Python source 1 MB, 10,000 merges": (texts.source(MEGABYTE), 10_000),
        "five languages 1 MB, 10,000 merges": (texts.languages(MEGABYTE), 10_000),
    }
    if not options.quick:
        cases["English 10 MB, 10,000 merges"] = (english(10 * MEGABYTE), 10_000)

    def rows() -> Iterator[Sequence[object]]:
        for name, (text, merges) in cases.items():
            contestants: dict[str, Callable[[], object]] = {
                "ours": partial(ours, text, merges),
                "hf": partial(hugging_face, text, merges),
                "rust": partial(rust_bpe, text, merges),
                "sp": partial(sentence_piece, text, merges),
            }
            seconds = interleaved(contestants, options.rounds if len(text) < 3 * MEGABYTE else 3)
            yield name, *seconds.values(), seconds["ours"] / seconds["hf"]

    columns = ("text", "ours, s", "Hugging Face, s", "rustbpe, s", "sentencepiece, s", "ours : Hugging Face")
    print_table("Beside trainers in Rust and C++, one thread", columns, rows())


def python(options: argparse.Namespace) -> None:
    """Time the trainers in Python, once each: they are slow."""
    english = english_of(options)

    def rows() -> Iterator[Sequence[object]]:
        for name, trainer, variant, size, merges in (
            ("subword-nmt", subword_nmt, "char-eow-lines", MEGABYTE, 10_000),
            (
                "tiktoken educational",
                tiktoken_educational,
                "bytes-gpt2",
                MEGABYTE // 10,
                100 if options.quick else 1_000,
            ),
        ):
            text = english(size)
            mine = median(cpu_seconds(partial(ours, text, merges, variant)) for _ in range(options.rounds))
            theirs = cpu_seconds(partial(trainer, text, merges))
            yield name, f"{size // 1000:,} kB, {merges:,} merges", mine, theirs, theirs / mine

    print_table(
        "Beside trainers in Python", ("library", "English", "ours, s", "library, s", "times as fast"), rows()
    )


def rules(options: argparse.Namespace) -> None:
    """Time every tie-breaking rule, and report its ratio to `first`."""
    text = english_of(options)(MEGABYTE)
    contestants = {rule: partial(ours, text, 10_000, rule=rule) for rule in TIE_BREAKS if rule != "manual"}
    seconds = interleaved(contestants, options.rounds)
    rows = [(rule, spent, spent / seconds["first"]) for rule, spent in seconds.items()]
    print_table("Tie-breaking rules, English 1 MB, 10,000 merges", ("rule", "s", "times `first`"), rows)


def stream(options: argparse.Namespace) -> None:
    """Time training on one stream without pre-tokens."""
    text = english_of(options)(MEGABYTE)
    seconds = median(cpu_seconds(partial(ours, text, 10_000, "bytes")) for _ in range(3))
    print_table("One raw stream of 1 MB, 10,000 merges", ("s",), [(seconds,)])


TRAIN = """
import sys, bpe
from pathlib import Path
kind, path, merges = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
if kind == "files":
    trace = bpe.train(bpe.count_words([path]), "bytes-gpt2", merges=merges)
else:
    trace = bpe.train(path.read_text(encoding="utf-8"), kind, merges=merges)
"""


def memory(options: argparse.Namespace) -> None:
    """Measure the peak memory of a process that reads a text and trains on it; Python itself takes some 20 MB."""
    english = english_of(options)
    cases = [("bytes-gpt2", MEGABYTE, 10_000), ("bytes", MEGABYTE, 10_000)]
    if not options.quick:
        cases.append(("files", 10 * MEGABYTE, 30_000))
    scratch = Path(options.scratch)

    def rows() -> Iterator[Sequence[object]]:
        yield "nothing but the import", peak_megabytes("import bpe")
        for kind, size, merges in cases:
            path = scratch / f"benchmark-{size}.txt"
            path.write_text(english(size), encoding="utf-8")
            name = "counted in chunks" if kind == "files" else kind
            yield (
                f"{size // MEGABYTE} MB, {merges:,} merges, {name}",
                peak_megabytes(TRAIN, kind, str(path), str(merges)),
            )
            path.unlink()

    print_table("Peak memory of the process", ("English", "MB"), rows())


def worst(options: argparse.Namespace) -> None:
    """Time 50 merges and an encoding of texts on which quadratic code is slow, at a size and at half the size."""
    size = MEGABYTE // 10 if options.quick else MEGABYTE

    def once(text: str, variant: str) -> None:
        train(text, variant, "first", merges=50).tokenizer().encode(text)

    def rows() -> Iterator[Sequence[object]]:
        for name, make in texts.WORST_CASES.items():
            variant = "char-eow" if name.startswith("distinct") else "bytes"
            half, whole = make(size // 2), make(size)
            seconds = interleaved(
                {"half": partial(once, half, variant), "whole": partial(once, whole, variant)}, 3
            )
            yield name, variant, len(whole), seconds["whole"], seconds["whole"] / seconds["half"]

    columns = ("text", "variant", "characters", "50 merges and an encode, s", "times half the text")
    print_table("Worst cases", columns, rows())


def steps(options: argparse.Namespace) -> None:
    """Time a window of the text and the whole pair table at random steps, and measure the trace's size."""
    english = english_of(options)
    cases = [
        ("English 1 MB, pre-tokenised", english(MEGABYTE), "bytes-gpt2"),
        ("one raw stream of 1 MB", english(MEGABYTE), "bytes"),
    ]
    if not options.quick:
        cases.insert(1, ("English 10 MB, pre-tokenised", english(10 * MEGABYTE), "bytes-gpt2"))

    def rows() -> Iterator[Sequence[object]]:
        for name, text, variant in cases:
            trace = ours(text, 10_000, variant)
            window = text[len(text) // 2 :][:2_000]
            draw = random.Random(1)
            ranks = [draw.randrange(len(trace.steps)) for _ in range(15)]
            trace.segment(window, 0)  # fills caches, whose cost is not part of a step
            first_look = _milliseconds(partial(trace.pair_counts, 1))
            seeking = median(_milliseconds(partial(trace.segment, window, k)) for k in ranks)
            pairs = [_milliseconds(partial(trace.pair_counts, k)) for k in ranks]
            log = trace.log
            size = sum(len(array) * array.itemsize for array in (getattr(log, field) for field in log.FIELDS))
            yield name, seeking, median(pairs), max(pairs), first_look, size / MEGABYTE

    columns = (
        "10,000 merges",
        "window of 2,000 characters, ms",
        "pair table, ms",
        "at worst, ms",
        "the first one, ms",
        "trace beside its words, MB",
    )
    print_table("Any step", columns, rows())


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


def beside(options: argparse.Namespace) -> None:
    """Compare the core with itself at former commits: each works in a process of its own, and all take turns."""
    english = english_of(options)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        files = [folder / "english.txt", folder / "source.txt"]
        for file, text in zip(files, (english(MEGABYTE), texts.source(MEGABYTE)), strict=True):
            file.write_text(text, "utf-8")
        folders = [ROOT, *(_extract(commit, folder / commit) for commit in options.beside)]
        versions = [_started(one, files, stack) for one in folders]

        def rows() -> Iterator[Sequence[object]]:
            for case in CASES:
                rounds = [[seconds(case) for seconds in versions] for _ in range(options.rounds)]
                now, *before = (median(times) for times in zip(*rounds, strict=True))
                yield case, now, *before, *(now / one for one in before)

        ratios = [f"now : {commit}" for commit in options.beside]
        print_table("The core beside former commits", ("case", "now, s", *options.beside, *ratios), rows())


def _started(folder: Path, files: Sequence[Path], stack: contextlib.ExitStack) -> Callable[[str], float]:
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


def _extract(commit: str, folder: Path) -> Path:
    """Put `bpe/` as it was at a commit into a folder, and return that."""
    archive = subprocess.run(
        ["git", "archive", commit, "bpe"], cwd=ROOT, capture_output=True, check=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return folder


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1_000


def english_of(options: argparse.Namespace) -> Callable[[int], str]:
    """Return the function that makes the English text: size in bytes -> text."""
    return texts.english if options.text is None else lambda size: texts.real(options.text, size)


SECTIONS = {section.__name__: section for section in (libraries, python, rules, stream, memory, worst, steps)}


def main() -> None:
    """Print the tables asked for, all by default."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--text", type=Path, help="English of your own; by default words like a sample's")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, for a first look")
    parser.add_argument(
        "--scratch", default="/tmp", help="where texts for processes of their own are put for a moment"
    )
    parser.add_argument(
        "--beside", nargs="+", metavar="COMMIT", help="measure the core of these commits instead"
    )
    options = parser.parse_args()
    if unknown := set(options.sections) - SECTIONS.keys():
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    print_machine()
    if options.beside:
        beside(options)
        return
    for section in options.sections or SECTIONS:
        SECTIONS[section](options)


if __name__ == "__main__":
    main()
