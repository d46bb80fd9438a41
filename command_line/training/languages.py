"""The command `languages`: what each of several files costs in tokens, under plain or parity-aware BPE."""

import argparse
import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bpe.analysis.language_metrics import METRICS, Metric
from bpe.analysis.languages import DocumentCurves, document_curves
from bpe.analysis.parity_aware import COSTS, ParityResult, parity_aware_steps
from bpe.symbols import BPEError
from bpe.text.display import ENDINGS, counted, in_cell
from bpe.trace.trace import Trace
from bpe.training.trainer import train_steps
from command_line.command import Command
from command_line.shared.interruptible import finish
from command_line.shared.reading import add_reading_options, settings_of
from command_line.shared.terminal import (
    INTERRUPTED,
    STANDARD,
    caught_interrupts,
    progress_reports,
    read_text,
    write_output,
)
from command_line.shared.training_options import TRAINING_SETTINGS, add_training_options

MERGES = 1_000  # unless another stop rule is given


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_reading_options(parser)
    add_training_options(parser)
    parser.add_argument("files", nargs="+", metavar="FILE", help="UTF-8 text; each file is a language")
    parser.add_argument(
        "--base",
        metavar="FILE",
        help="the file that the premium compares each file with; by default the first",
    )
    parser.add_argument(
        "--parity",
        choices=list(COSTS),
        help="train parity-aware BPE: the file with the most tokens, or the least compressed one, chooses each merge",
    )
    parser.add_argument(
        "--explain", action="store_true", help="say what each figure does not predict, and who measured that"
    )
    parser.add_argument("--csv", action="store_true", help="write the figures after every merge, as CSV")
    parser.add_argument("-o", "--output", default=STANDARD, metavar="FILE", help="by default standard output")


def _run(options: argparse.Namespace) -> int:
    settings = settings_of(options, TRAINING_SETTINGS)
    if settings.get("merges") is None and settings.get("vocab_size") is None:
        settings["merges"] = MERGES
    documents = {file: read_text(file) for file in options.files}
    if len(documents) < len(options.files):
        raise BPEError("Each file must be named once.")
    base = options.files[0] if options.base is None else options.base
    if base not in documents:
        raise BPEError(f"--base must be one of the files, got {base}.")
    if options.parity is None:
        trace, interrupted = finish(train_steps(list(documents.values()), **settings))
    else:
        result, interrupted = _finish_parity(documents, options.parity, settings)
        trace = result.trace
    curves = document_curves(trace, documents)
    number = list(documents).index(base)
    content = (
        _csv(curves, number)
        if options.csv
        else "".join(f"{line}\n" for line in _lines(trace, curves, number, explain=options.explain))
    )
    write_output(options.output, content)
    return INTERRUPTED if interrupted else 0


def _finish_parity(
    documents: Mapping[str, str], cost: str, settings: Mapping[str, Any]
) -> tuple[ParityResult, bool]:
    training = parity_aware_steps(documents, cost, **settings)
    with progress_reports() as report, caught_interrupts() as interrupted:
        for step in training:
            report(f"{counted(step.rank + 1, 'merge')}, the last one chosen by {step.document}")
            if interrupted():
                break
    return training.result(), interrupted()


def _lines(
    trace: Trace, curves: Sequence[DocumentCurves], base: int, *, explain: bool = False
) -> Iterator[str]:
    last = len(trace.steps)
    of_one = [metric for metric in METRICS.values() if not metric.of_all]
    yield f"{counted(last, 'merge')}: {ENDINGS[trace.stopped]}."
    yield ""
    rows = [tuple(metric.title for metric in of_one)]
    rows += [
        tuple(_number(metric, metric.value(curves, number, base, last)) for metric in of_one)
        for number in range(len(curves))
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row, name in zip(rows, ("Text", *(document.name for document in curves)), strict=True):
        yield "  ".join([*(cell.rjust(width) for cell, width in zip(row, widths, strict=True)), name])
    yield ""
    for metric in METRICS.values():
        value = f" {_number(metric, metric.value(curves, 0, base, last))}." if metric.of_all else ""
        content = " Compare only texts that say the same thing." if metric.same_content else ""
        why = f" {metric.does_not_predict} ({metric.source}.)" if explain else ""
        yield f"{metric.title}: {metric.formula}.{value}{content}{why}"
    if not explain:
        yield "What these figures do not predict: --explain."


def _number(metric: Metric, value: float | None) -> str:
    return "–" if value is None else f"{value:,.{metric.decimals}f}"


def _csv(curves: Sequence[DocumentCurves], base: int) -> str:
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(["merges", "text", *METRICS])
    for k in range(len(curves[0].tokens)):
        for number, document in enumerate(curves):
            values = [metric.value(curves, number, base, k) for metric in METRICS.values()]
            writer.writerow([k, in_cell(document.name), *values])
    return file.getvalue()


COMMAND = Command(
    name="languages",
    help="show how many tokens each of several files needs",
    description=(
        "Train on files, one for each language, and write how many tokens each needs and, with --explain, what such "
        "figures do not predict."
    ),
    add_options=_add_options,
    run=_run,
    examples="""examples:
  python -m bpe languages en.txt de.txt hi.txt --preset hf-bytelevel --merges 1000
  python -m bpe languages en.txt de.txt hi.txt --merges 1000 --parity tokens --base en.txt
  python -m bpe languages en.txt de.txt --merges 1000 --csv -o curves.csv""",
)
