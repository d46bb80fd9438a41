"""The command line: count words, and train on files or on counted words. `python -m bpe --help` says how.

    python -m bpe count corpus/*.txt -o counts.json --workers 4
    python -m bpe train counts.json -o merges.txt --merges 10000

Messages and progress go to standard error. Exit code 2 for a request that cannot be met, 130 after Ctrl-C.
"""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpe
from bpe.cli.terminal import check_folder, interrupts_noted, reporting, write_whole
from bpe.formats import FORMATS
from bpe.settings.presets import PRESETS
from bpe.settings.request import TrainingRequest, read_request
from bpe.settings.tie_breaking import TIE_BREAKS
from bpe.symbols import BPEError
from bpe.text.counting import count_words
from bpe.text.variants import VARIANTS
from bpe.trace.trace import Trace
from bpe.training.trainer import train_steps

INTERRUPTED = 130  # what a shell reports for a program stopped by Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code."""
    given = _parser().parse_args(arguments)
    try:
        check_folder(given.output)
        return int(given.run(given))
    except BPEError as error:
        print(f"python -m bpe: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped; nothing was written.", file=sys.stderr)
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bpe", description="Byte pair encoding from the command line."
    )
    parser.add_argument("--version", action="version", version=f"bpe {bpe.__version__}")
    commands = parser.add_subparsers(required=True, metavar="count | train")

    recipe = argparse.ArgumentParser(add_help=False)
    recipe.add_argument("--preset", choices=list(PRESETS), help="a real trainer; the options below change it")
    recipe.add_argument("--variant", choices=list(VARIANTS), help="how text is cut and spelled (bytes-gpt2)")
    recipe.add_argument("--pattern", help="the pattern of the variant 'custom'")
    recipe.add_argument("--unit", choices=["bytes", "characters"], help="what 'custom' spells words in")
    recipe.add_argument(
        "--workers", type=_workers, default=1, metavar="N", help="processes that count words (1)"
    )

    count = commands.add_parser(
        "count",
        parents=[recipe],
        help="count the words of files",
        description="Words of files -> JSON: {word: frequency}.",
    )
    count.add_argument("files", nargs="+", metavar="FILE", help="UTF-8 text, each file a document")
    count.add_argument("-o", "--output", required=True, metavar="FILE", help="where the counts go, as JSON")
    count.set_defaults(run=_count)

    train = commands.add_parser(
        "train",
        parents=[recipe],
        help="learn merges",
        description="Files or counted words -> merges, or the whole trace.",
    )
    train.add_argument("files", nargs="+", metavar="FILE", help="UTF-8 text; or one .json that `count` wrote")
    train.add_argument("-o", "--output", required=True, metavar="FILE", help="what was learned")
    train.add_argument("--format", choices=[*FORMATS, "trace"], help="by default read off the output's name")
    train.add_argument(
        "--tie-break", choices=list(TIE_BREAKS), help="which of the tied pairs is merged (first)"
    )
    train.add_argument("--merges", type=int, metavar="N", help="most merges to learn")
    train.add_argument("--vocab-size", type=int, metavar="N", help="stop at this vocabulary size")
    train.add_argument("--min-count", type=int, metavar="N", help="stop when the best pair is rarer (1)")
    train.add_argument("--seed", type=int, metavar="N", help="of the rule 'random' (0)")
    train.add_argument(
        "--special-token", action="append", dest="special_tokens", metavar="TEXT", help="repeatable"
    )
    train.set_defaults(run=_train)
    return parser


def _workers(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of processes, at least 1, got {text!r}")
    return int(text)


def _count(given: argparse.Namespace) -> int:
    counts = _count_files(given, read_request(**_settings(given)))
    write_whole(given.output, json.dumps(counts, ensure_ascii=False, indent=0) + "\n")
    return 0


def _train(given: argparse.Namespace) -> int:
    settings = _settings(given)
    write = _writer(given)
    recipe = read_request(**settings)
    words = (
        _read_counts(given.files[0], recipe) if _holds_counts(given.files) else _count_files(given, recipe)
    )
    training = train_steps(words, **settings)
    with reporting() as report, interrupts_noted() as interrupted:
        for step in training:
            report(f"{step.rank + 1:,} merges, the last one counted {step.count:,}")
            if interrupted():
                break
    trace = training.trace()
    print(f"{len(trace.steps):,} merges learned; stopped: {trace.stopped}", file=sys.stderr)
    try:
        content = write(trace)
    except BPEError:
        write_whole(f"{given.output}.trace.json", write_trace(trace))  # what was learned is not lost
        raise
    write_whole(given.output, content)
    return INTERRUPTED if interrupted() else 0


SETTINGS = (
    *("variant", "pattern", "unit", "tie_break"),
    *("merges", "vocab_size", "min_count", "seed", "special_tokens"),
)


def _settings(given: argparse.Namespace) -> dict[str, Any]:
    """The preset's settings, and what was asked for beside it."""
    asked = {name: value for name in SETTINGS if (value := getattr(given, name, None)) is not None}
    preset = (
        PRESETS[given.preset].settings if given.preset else {"variant": "bytes-gpt2", "tie_break": "first"}
    )
    return {**preset, **asked}


# In


def _count_files(given: argparse.Namespace, recipe: TrainingRequest) -> dict[str, int]:
    characters = 0
    with _executor(given.workers) as executor, reporting() as report:

        def on_chunk(more: int) -> None:
            nonlocal characters
            characters += more
            report(f"{characters:,} characters counted")

        words = count_words(given.files, recipe.variant, executor, on_chunk, recipe.documents)
    print(f"{characters:,} characters counted: {len(words):,} distinct words", file=sys.stderr)
    return words


@contextmanager
def _executor(workers: int) -> Iterator[Executor | None]:
    if workers == 1:
        yield None
        return
    with ProcessPoolExecutor(
        workers, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    ) as pool:
        try:
            yield pool
        except BaseException:  # Ctrl-C included: what waits in the queue is not worth waiting for
            pool.shutdown(cancel_futures=True)
            raise


def _holds_counts(files: Sequence[str]) -> bool:
    return len(files) == 1 and files[0].lower().endswith(".json")


def _read_counts(file: str, recipe: TrainingRequest) -> dict[str, int]:
    """Counted words; each must be one pre-token of the variant, or they were counted for another."""
    try:
        words = json.loads(Path(file).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BPEError(f"{file}: cannot be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError) as error:
        raise BPEError(f"{file}: expected JSON, {error}.") from None
    if not isinstance(words, dict):
        raise BPEError(f"{file}: expected an object {{word: frequency}}, got {type(words).__name__}.")
    split = recipe.variant.split
    for word in words:
        alone = split(word) in ([word], [f" {word}"])  # ▁ is put in front where it is missing
        if not (alone or split(f"{word} .")[:1] == [word]):  # a line's last \r falls away
            raise BPEError(
                f"{file}: {word!r} is no pre-token of the variant {recipe.variant.slug!r}. "
                "Name the variant or preset that the words were counted for."
            )
    return words


# Out


def _writer(given: argparse.Namespace) -> Callable[[Trace], str]:
    """What turns a trace into the output file's content."""
    by_name = {row.file_name: slug for slug, row in FORMATS.items()}
    by_ending = {".txt": "merges-txt", ".tiktoken": "tiktoken", ".json": "trace"}
    name = Path(given.output).name
    slug = given.format or by_name.get(name) or by_ending.get(Path(name).suffix)
    if slug is None:
        raise BPEError(f"{given.output}: the name says no format; name one with --format.")
    return write_trace if slug == "trace" else lambda trace: FORMATS[slug].write(trace.tokenizer())


def write_trace(trace: Trace) -> str:
    """The trace as JSON: symbols by id as [hexadecimal, label], steps as [left id, right id, count, tied, replaced]."""
    steps = [
        [trace.id_of(step.pair[0]), trace.id_of(step.pair[1]), step.count, step.tied, step.replaced]
        for step in trace.steps
    ]
    symbols = [[symbol.hex(), trace.variant.label(symbol)] for symbol in trace.vocabulary(len(trace.steps))]
    told = {
        "settings": _jsonable(trace.settings),
        "stopped": trace.stopped,
        "symbols": symbols,
        "steps": steps,
    }
    return (
        "{\n"
        + ",\n".join(
            f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in told.items()
        )
        + "\n}\n"
    )


def _jsonable(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}
