"""The command `ties`: how often a tie-breaking rule had to decide a training, where, and whether that mattered."""

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

import bpe
from bpe.analysis.ties import Kind, TieMap, tie_map
from bpe.settings.request import read_request
from bpe.text.display import ENDINGS, counted, merge_name, merge_number
from bpe.trace.trace import Trace
from bpe.training.trainer import train_steps
from command_line.reading import (
    COUNTED_FILES,
    TRAINING_SETTINGS,
    add_reading_options,
    add_training_options,
    read_words,
    settings_of,
)
from command_line.terminal import INTERRUPTED, STANDARD, Command, finish, kind_to_write, write_output

PARTS = 10  # of a training, a row for each
# What happened to the tied pairs -> what that means.
OUTCOMES: dict[Kind, str] = {
    "harmless": "all tied pairs were merged while they had that count, one after another",
    "cascaded": "a merge used up occurrences of another tied pair, so its count fell",
    "open": "training ended before all tied pairs were merged",
}


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_reading_options(parser)
    add_training_options(parser)
    parser.add_argument("files", nargs="+", metavar="FILE", help=COUNTED_FILES)
    parser.add_argument("-o", "--output", default=STANDARD, metavar="FILE", help="by default standard output")
    parser.add_argument("--json", action="store_true", help="write JSON, with every tie; as for .json")
    parser.add_argument("--list", action="store_true", help="also list every tie")


def _run(options: argparse.Namespace) -> int:
    kind = kind_to_write(options.output, ["text", "JSON"], "JSON" if options.json else None)
    settings = settings_of(options, TRAINING_SETTINGS)
    training = train_steps(read_words(options, read_request(**settings)), **settings)
    trace, interrupted = finish(training)
    ties = tie_map(trace)
    if kind == "JSON":
        content = json.dumps(tie_report(trace, ties), ensure_ascii=False, indent=1) + "\n"
    else:
        content = "".join(f"{line}\n" for line in _lines(trace, ties, every_tie=options.list))
    write_output(options.output, content)
    return INTERRUPTED if interrupted else 0


def tie_report(trace: Trace, ties: TieMap) -> dict[str, object]:
    """Return all that the command says, as JSON holds it. Ranks count from 0."""
    return {
        "bpe": bpe.__version__,
        "settings": trace.settings,
        "merges": len(ties.kinds),
        "stopped": trace.stopped,
        "tied_merges": ties.steps_tied,
        "largest": None if ties.largest is None else {"rank": ties.largest, "tied": ties.tied[ties.largest]},
        "outcomes": {kind: ties.kinds.count(kind) for kind in OUTCOMES},
        "meaning": OUTCOMES,
        "ties": [
            {
                "rank": rank,
                "tied": ties.tied[rank],
                "count": (step := trace.steps[rank]).count,
                "left": trace.variant.label(step.pair[0]),
                "right": trace.variant.label(step.pair[1]),
                "outcome": kind,
            }
            for rank, kind in enumerate(ties.kinds)
            if kind != "none"
        ],
    }


def _lines(trace: Trace, ties: TieMap, *, every_tie: bool) -> Iterator[str]:
    merges = len(ties.kinds)
    yield f"{counted(merges, 'merge')}: {ENDINGS[trace.stopped]}. Ties are broken by “{trace.tie_break.title}”."
    if not merges:
        return
    if ties.largest is None:
        yield "No merge was tied, so every rule learns these merges in this order."
        return
    sizes = [tied for tied in ties.tied if tied > 1]
    yield (
        f"{counted(ties.steps_tied, 'merge')} of {merges:,} ({_percent(ties.steps_tied, merges)}) "
        f"{'was' if ties.steps_tied == 1 else 'were'} tied: several pairs had the highest count."
    )
    yield (
        f"Pairs in a tie: {min(sizes):,} to {max(sizes):,}, median {median(sizes):,g}. "
        f"The largest tie is at {merge_name(ties.largest)}."
    )
    yield ""
    yield from _aligned([("merges", "tied", "largest", *OUTCOMES), *_parts(ties)])
    yield ""
    for kind, meaning in OUTCOMES.items():
        yield f"{kind:<10}{ties.kinds.count(kind):>6,}  {meaning}"
    yield ""
    yield _verdict(ties)
    if every_tie:
        yield ""
        yield from _aligned([("merge", "tied", "count", "outcome", "picked"), *_ties(trace, ties)])


def _verdict(ties: TieMap) -> str:
    mattered = [rank for rank, kind in enumerate(ties.kinds) if kind in ("cascaded", "open")]
    if not mattered:
        return (
            "Every tied pair was merged in the end, while it had that count: the rule only chose the order."
        )
    where = merge_name(mattered[0])
    if len(mattered) > 1:
        where = f"{counted(len(mattered), 'merge')}, first at {where}"
    return (
        f"At {where}, a tied pair lost some of its count or was never merged. Another choice can lead to other "
        "tokens."
    )


def _parts(ties: TieMap) -> Iterator[tuple[str, ...]]:
    """Yield a row for each tenth of the training; a short training has fewer parts."""
    merges = len(ties.kinds)
    edges = sorted({merges * part // PARTS for part in range(PARTS + 1)})
    for begin, end in pairwise(edges):
        kinds = ties.kinds[begin:end]
        name = merge_number(begin) if end == begin + 1 else f"{merge_number(begin)}–{merge_number(end - 1)}"
        largest = max(ties.tied[begin:end])
        yield (
            name,
            f"{len(kinds) - kinds.count('none'):,}",
            f"{largest:,}" if largest > 1 else "",
            *(f"{kinds.count(kind):,}" for kind in OUTCOMES),
        )


def _ties(trace: Trace, ties: TieMap) -> Iterator[tuple[str, ...]]:
    for rank, kind in enumerate(ties.kinds):
        if kind != "none":
            step = trace.steps[rank]
            pair = " + ".join(map(trace.variant.label, step.pair))
            yield merge_number(rank), f"{step.tied:,}", f"{step.count:,}", kind, pair


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows with columns of equal width, all but the last one to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for *cells, last in rows:
        right = [cell.rjust(width) for cell, width in zip(cells, widths, strict=False)]
        yield "  ".join([*right, last]).rstrip()


def _percent(part: int, whole: int) -> str:
    """Return the share with one decimal; never 100 for less than all."""
    tenths = min(round(1000 * part / whole), 1000 if part == whole else 999)
    return f"{tenths / 10:.1f}%"


COMMAND = Command(
    name="ties",
    help="show how often ties decided a training, and whether that mattered",
    description=(
        "Train on files or counted words and write how often several pairs had the highest count, at which merges, and "
        "whether the choice among them mattered."
    ),
    add_options=_add_options,
    run=_run,
    examples="""examples:
  python -m bpe ties novel.txt --merges 1000
  python -m bpe ties novel.txt --preset hf-bytelevel --vocab-size 5000 --list
  python -m bpe ties counts.json --merges 10000 --json -o ties.json""",
)
