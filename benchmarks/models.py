"""Does a model notice the tie-breaking rule? Small GPTs on tokenizers that differ in the rule, or in their sample.

Run: python -m benchmarks.models CORPUS ... -o models.json. It needs PyTorch. A GPU trains the models of docs/ties.md,
which are in docs/ties/models.json; a CPU trains tiny ones, which prove nothing but that the command runs. After each
model the file is written, so the same command goes on after Ctrl-C.
"""

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import bpe
from benchmarks.model_setting import SETTINGS, Setting
from benchmarks.ties import MIN_COUNT, RULES, VARIANT, cut
from bpe import BPEError
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted
from command_line.terminal import INTERRUPTED, caught_interrupts, check_folder, progress_reports, read_text

HOW_TO_INSTALL = (
    "PyTorch is missing. Install it with: python -m pip install torch (its CPU build is enough to try: add "
    "--index-url https://download.pytorch.org/whl/cpu)"
)
NO_PROOF = "This is the tiny setting for a CPU. Its figures prove nothing but that the command runs."
FEWEST_DOCUMENTS = 100  # fewer texts are cut into pieces first
HELD_OUT = 22  # one in so many documents
HELD_OUT_SEED = 7
DRAWS = 2  # tokenizers with random tie-breaking

Row = dict[str, Any]
Ids = np.ndarray[Any, np.dtype[np.uint16]]


class InterruptedRunError(Exception):
    """The error that ends the work after Ctrl-C."""


# The corpus


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents to train on, and documents that are held out, both in a drawn order."""

    training: tuple[str, ...]
    held_out: tuple[str, ...]

    def described(self, most: int) -> Row:
        """Return what the results say about it."""
        digest = hashlib.sha256("\0".join((*self.training, "", *self.held_out)).encode()).hexdigest()
        return {
            "about": f"{counted(len(self.training) + len(self.held_out), 'document')}, "
            f"of which {len(self.held_out):,} are held out",
            "most_bytes": most,
            "training_bytes": size_of(self.training),
            "held_out_bytes": size_of(self.held_out),
            "sha256": digest,
        }


def size_of(documents: Sequence[str]) -> int:
    """Return the bytes of texts in UTF-8."""
    return sum(len(text.encode()) for text in documents)


def read_corpus(paths: Sequence[str], most: int) -> Corpus:
    """Return the corpus of files and folders, as far as `most` bytes go. Raises BPEError if it is too small.

    Equal texts count once. In a folder, files that are no text in UTF-8 are left out.
    """
    texts = list(dict.fromkeys(text for path in paths for text in _texts(Path(path)) if text.strip()))
    if len(texts) < FEWEST_DOCUMENTS:
        texts = [piece for text in texts for piece in cut(text, most=4 * FEWEST_DOCUMENTS // len(texts))]
    texts = within(drawn(texts, HELD_OUT_SEED), most)
    number = len(texts) // HELD_OUT
    if number == 0:
        raise BPEError(f"The corpus must have at least {HELD_OUT} documents or pieces, got {len(texts)}.")
    return Corpus(tuple(texts[number:]), tuple(texts[:number]))


def _texts(path: Path) -> Iterator[str]:
    if not path.is_dir():
        yield read_text(str(path))
        return
    for file in sorted(one for one in path.rglob("*") if one.is_file()):
        try:
            yield read_text(str(file))
        except BPEError:
            continue


def drawn(texts: Sequence[str], seed: int) -> list[str]:
    """Return the texts in an order that the seed draws, the same everywhere, whatever order they come in."""
    return sorted(texts, key=lambda text: hashlib.sha256(f"{seed}:{text}".encode()).digest())


def within(texts: Sequence[str], most: int) -> list[str]:
    """Return the first texts, so many bytes of them. The last one ends where these are used up."""
    kept: list[str] = []
    for text in texts:
        piece = text.encode()[:most].decode(errors="ignore")
        if not piece:
            break
        kept.append(piece)
        most -= len(piece.encode())
    return kept


# The tokenizers


def planned(setting: Setting) -> list[Row]:
    """Return a row for each tokenizer, without runs: every way to break ties, and the first one on other samples."""
    ways = [(rule, seed) for rule in RULES for seed in range(DRAWS if bpe.TIE_BREAKS[rule].seeded else 1)]
    return [
        {
            "bytes": size.bytes,
            "merges": size.merges,
            "rule": rule,
            "rule_seed": rule_seed,
            "sample": sample,
            "bits_per_byte": [],
        }
        for size in setting.sizes
        for rule, rule_seed, sample in (
            *((rule, seed, 0) for rule, seed in ways),
            *((*ways[0], sample) for sample in range(1, size.samples + 1)),
        )
    ]


def seeds_of(setting: Setting, row: Row) -> int:
    """Return for how many seeds the models of a tokenizer are trained."""
    (size,) = (size for size in setting.sizes if size.bytes == row["bytes"])
    return size.sample_seeds if row["sample"] else size.seeds


def train_tokenizer(corpus: Corpus, row: Row) -> tuple[Tokenizer, int]:
    """Return the tokenizer of a row, and how many of its merges were tied."""
    sample = within(drawn(corpus.training, row["sample"]), row["bytes"])
    trace = bpe.train(
        sample, VARIANT, row["rule"], merges=row["merges"], min_count=MIN_COUNT, seed=row["rule_seed"]
    )
    return trace.tokenizer(), sum(step.tied > 1 for step in trace.steps)


def tokens_of(row: Row) -> int:
    """Return how many ids a model of this row has: bytes, merges and the separator. The separator is the last."""
    return 257 + int(row["merges"])


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of documents: ids, with a separator before each document, and the bytes up to each token's end."""

    ids: Ids
    ends: np.ndarray[Any, np.dtype[np.int64]]


def tokens(
    tokenizer: Tokenizer, documents: Sequence[str], separator: int, check: Callable[[], None]
) -> Tokens:
    """Return the tokens of documents. `check` is called before each document."""
    ids: list[int] = []
    for text in documents:
        check()
        ids += (separator, *tokenizer.encode(text))
    lengths = np.zeros(separator + 1, np.int64)
    for token, number in tokenizer.ids.items():
        lengths[number] = len(token)
    every = np.array(ids, np.uint16)
    return Tokens(every, lengths[every].cumsum())


# The runs


@dataclass(frozen=True, slots=True)
class Study:
    """The results so far, and the file that holds them."""

    setting: Setting
    corpus: Corpus
    results: Row
    file: Path

    def open_runs(self) -> list[tuple[int, Row]]:
        """Return (seed, tokenizer) of the models to train, a seed of all tokenizers after the other."""
        runs = [
            (seed, row)
            for row in self.results["tokenizers"]
            for seed in range(len(row["bits_per_byte"]), seeds_of(self.setting, row))
        ]
        return sorted(runs, key=lambda run: run[0])  # stable

    def save(self) -> None:
        """Write the results, whole or not at all."""
        new = self.file.with_name(f"{self.file.name}.part")
        new.write_text(as_json(self.results), "utf-8")
        new.replace(self.file)


def as_json(results: Row) -> str:
    """Return the results as JSON, with a line for each tokenizer."""
    head = (f'"{name}": {json.dumps(results[name], ensure_ascii=False)}' for name in ("corpus", "model"))
    rows = ",\n".join(map(json.dumps, results["tokenizers"]))
    return "{\n" + ",\n".join(head) + f',\n"tokenizers": [\n{rows}\n]\n}}\n'


def begin(setting: Setting, corpus: Corpus, model: Row, file: Path) -> Study:
    """Return the study of a file, which goes on if the file has runs. Raises BPEError if it is of another study."""
    results: Row = {
        "corpus": corpus.described(setting.most_bytes),
        "model": model,
        "tokenizers": planned(setting),
    }
    if file.exists():
        try:
            before = json.loads(read_text(str(file)))
            same = all(before[name] == results[name] for name in ("corpus", "model"))
        except (ValueError, TypeError, LookupError):
            raise BPEError(f"{file}: expected results of this command, got something else.") from None
        if not same:
            raise BPEError(f"{file}: it has runs of another corpus, setting or device. Name another file.")
        results = before
    return Study(setting, corpus, results, file)


def run_all(study: Study, report: Callable[[str], None], interrupted: Callable[[], bool]) -> None:
    """Train the models that are missing, one after the other. Raises InterruptedRunError after Ctrl-C."""
    from benchmarks import gpt  # needs PyTorch

    model, machine = study.setting.model, gpt.machine()
    loss = machine.loss()
    texts: dict[str, tuple[Tokens, Tokens]] = {}
    began, steps_done = time.monotonic(), 0
    runs = study.open_runs()

    def check() -> None:
        if interrupted():
            raise InterruptedRunError

    for number, (seed, row) in enumerate(runs):
        name = f"Model {number + 1} of {len(runs)}: {row['bytes']:,} bytes, {row['rule']}, seed {seed}"
        separator = tokens_of(row) - 1
        key = json.dumps([row[part] for part in ("bytes", "rule", "rule_seed", "sample")])
        if key not in texts:
            report(f"{name}: the text in tokens")
            tokenizer, row["tied"] = train_tokenizer(study.corpus, row)
            texts[key] = (
                tokens(tokenizer, study.corpus.training, separator, check),
                tokens(tokenizer, study.corpus.held_out, separator, check),
            )
            row["tokens"] = len(texts[key][1].ids) - len(study.corpus.held_out)
        read, held_out = texts[key]
        places = np.random.default_rng(seed).integers(0, read.ends[-1], (model.steps, model.batch))
        starts = np.minimum(np.searchsorted(read.ends, places), len(read.ids) - model.context - 1)
        weights = gpt.first_weights(model, tokens_of(row), seed, machine.device)
        for step in gpt.train(weights, model, read.ids, starts, loss):
            check()
            steps_done += 1
            if steps_done == 1:
                began = time.monotonic()  # the first step also loads and compiles
                continue
            a_step = (time.monotonic() - began) / (steps_done - 1)
            to_come = spoken(a_step * (len(runs) * model.steps - steps_done))
            report(f"{name}: step {step} of {model.steps}, {to_come} to come")
        needed = gpt.bits(weights, model, held_out.ids, separator, loss)
        check()
        row["bits_per_byte"].append(round(needed / size_of(study.corpus.held_out), 5))
        study.save()


def spoken(seconds: float) -> str:
    """Return a time for people.

    >>> spoken(42), spoken(700)
    ('about 42 s', 'about 12 minutes')
    """
    return f"about {seconds:.0f} s" if seconds < 90 else f"about {seconds / 60:.0f} minutes"


def main(arguments: Sequence[str] | None = None) -> int:
    """Train the models, write their losses as JSON, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.models", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "corpus", nargs="+", metavar="CORPUS", help="files of text, or folders with such files"
    )
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="a JSON file; goes on if it has runs"
    )
    parser.add_argument(
        "--setting",
        choices=SETTINGS,
        help="gpu: the models of docs/ties.md; cpu: tiny ones (default: what this machine has)",
    )
    options = parser.parse_args(arguments)
    try:
        return _run(options)
    except BPEError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1


def _run(options: argparse.Namespace) -> int:
    if find_spec("torch") is None:
        raise BPEError(HOW_TO_INSTALL)
    check_folder(options.output)
    from benchmarks import gpt  # needs PyTorch

    machine = gpt.machine()
    setting = SETTINGS[options.setting or ("gpu" if machine.is_gpu else "cpu")]
    corpus = read_corpus(options.corpus, setting.most_bytes)
    model = {**asdict(setting.model), "precision": machine.precision, "device": machine.name}
    study = begin(setting, corpus, model, Path(options.output))
    if setting is SETTINGS["cpu"]:
        print(NO_PROOF, file=sys.stderr)
        gpt.use_one_thread()
    total = sum(seeds_of(setting, row) for row in study.results["tokenizers"])
    with progress_reports() as report, caught_interrupts() as interrupted:
        try:
            run_all(study, report, interrupted)
        except InterruptedRunError:
            done = total - len(study.open_runs())
            kept = f"{options.output} has {done} of {total} models. The same command goes on."
            print(f"\nStopped. {kept if done else 'No model was finished.'}", file=sys.stderr)
            return INTERRUPTED
    print(f"{counted(total, 'model')}. Draw them: python -m docs.model_study {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
