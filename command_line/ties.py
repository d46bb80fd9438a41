"""The command `ties`: how often a tie-breaking rule had to decide a training, where, and what it decided."""

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

import bpe
from bpe.analysis.tie_drawing import Kind
from bpe.analysis.tie_graph import TieGraph, tie_graph, tie_sentences
from bpe.analysis.ties import OUTCOMES, TieMap, tie_map, why_won
from bpe.settings.request import read_request
from bpe.text.display import ENDINGS, counted, merge_name, merge_number
from bpe.trace.trace import Trace
from bpe.training.trainer import train_steps
from command_line.ctrl_c import INTERRUPTED
from command_line.reading import (
    COUNTED_FILES,
    TRAINING_SETTINGS,
    add_reading_options,
    add_training_options,
    read_words,
    settings_of,
)
from command_line.terminal import PROGRAM, STANDARD, Command, finish, kind_to_write, write_output

_PARTS = 10  # of a training, a row for each
_MOST_WORDS = 2_000  # distinct ones, of a text whose list of ties says why each pair won


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_reading_options(parser)
    add_training_options(parser)
    parser.add_argument("files", nargs="+", metavar="FILE", help=COUNTED_FILES)
    parser.add_argument("-o", "--output", default=STANDARD, metavar="FILE", help="by default standard output")
    parser.add_argument("--json", action="store_true", help="write JSON, with every tie; as for .json")
    parser.add_argument("--list", action="store_true", help="also list every tie")
    parser.add_argument(
        "--all-ways", action="store_true", help="also say what every other way to break the ties leads to"
    )


def _run(options: argparse.Namespace) -> int:
    kind = kind_to_write(options.output, ["text", "JSON"], "JSON" if options.json else None)
    settings = settings_of(options, TRAINING_SETTINGS)
    words = read_words(options, read_request(**settings))
    trace, interrupted = finish(train_steps(words, **settings))
    graph = tie_graph(words, **settings) if options.all_ways and not interrupted else None
    ties = tie_map(trace, graph)
    if kind == "JSON":
        content = json.dumps(_tie_report(trace, ties, graph), ensure_ascii=False, indent=1) + "\n"
    else:
        content = "".join(f"{line}\n" for line in _lines(trace, ties, graph, every_tie=options.list))
    write_output(options.output, content)
    return INTERRUPTED if interrupted else 0


def _tie_report(trace: Trace, ties: TieMap, graph: TieGraph | None = None) -> dict[str, object]:
    """Return all that the command says, as JSON holds it. Ranks count from 0."""
    return {
        "bpe": bpe.__version__,
        "settings": trace.settings,
        "merges": len(ties.kinds),
        "stopped": trace.stopped,
        "tied_merges": ties.steps_tied,
        "largest": None if ties.largest is None else {"rank": ties.largest, "tied": ties.tied[ties.largest]},
        "outcomes": {kind: ties.kinds.count(kind) for kind in OUTCOMES},
        "meaning": dict(OUTCOMES),
        "all_ways": None if graph is None else _all_ways(graph),
        "ties": [
            {
                "rank": rank,
                "tied": ties.tied[rank],
                "count": (step := trace.steps[rank]).count,
                "left": trace.variant.label(step.pair[0]),
                "right": trace.variant.label(step.pair[1]),
                "reason": _reason(trace, rank),
                "outcome": kind,
            }
            for rank, kind in enumerate(ties.kinds)
            if kind != "none"
        ],
    }


def _all_ways(graph: TieGraph) -> dict[str, object]:
    return {
        "sentences": tie_sentences(graph),
        "splits": list(graph.splits),
        "ways": list(graph.ways),
        "vocabularies": list(graph.vocabularies),
        "ends": dict(graph.ends),
        "results": graph.results,
        "complete": graph.complete,
        "stopped": graph.stopped,
    }


def _lines(trace: Trace, ties: TieMap, graph: TieGraph | None, *, every_tie: bool) -> Iterator[str]:
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
    smallest, most = min(sizes), max(sizes)
    size = f"{smallest:,}" if smallest == most else f"{smallest:,} to {most:,}, median {median(sizes):,g}"
    yield (f"Pairs in a tie: {size}. The largest tie is at {merge_name(ties.largest)}.")
    yield ""
    kinds = [kind for kind in OUTCOMES if graph is None or kind != "choice" or kind in ties.kinds]
    if graph is None:
        kinds = [kind for kind in kinds if kind not in ("detour", "fork")]
    yield from _aligned([("merges", "tied", "largest", *kinds), *_parts(ties, kinds)])
    yield ""
    for kind in kinds:
        yield f"{kind:<10}{ties.kinds.count(kind):>6,}  {OUTCOMES[kind]}"
    yield ""
    yield _verdict(ties)
    if graph is not None:
        yield ""
        yield from tie_sentences(graph)
    if every_tie:
        yield ""
        yield from _aligned(
            [("merge", "tied", "count", "outcome", "pair, and why it won"), *_ties(trace, ties)]
        )


def _verdict(ties: TieMap) -> str:
    choices = [rank for rank, kind in enumerate(ties.kinds) if kind in ("choice", "detour", "fork")]
    if not choices and "open" in ties.kinds:
        return "No finished tie did more than decide the order, but training ended inside the last tie."
    if not choices:
        return "No merged pair shared a token with another tied pair: the ties only decided the order."
    where = merge_name(choices[0])
    if len(choices) > 1:
        where = f"{counted(len(choices), 'merge')}, the first at {where}"
    return f"A real choice at {where}: the merged pair shared a token with another tied pair."


def _parts(ties: TieMap, shown: Sequence[Kind]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each tenth of the training; a short training has fewer parts."""
    merges = len(ties.kinds)
    edges = sorted({merges * part // _PARTS for part in range(_PARTS + 1)})
    for begin, end in pairwise(edges):
        kinds = ties.kinds[begin:end]
        name = merge_number(begin) if end == begin + 1 else f"{merge_number(begin)}–{merge_number(end - 1)}"
        largest = max(ties.tied[begin:end])
        yield (
            name,
            f"{len(kinds) - kinds.count('none'):,}",
            f"{largest:,}" if largest > 1 else "",
            *(f"{kinds.count(kind):,}" for kind in shown),
        )


def _ties(trace: Trace, ties: TieMap) -> Iterator[tuple[str, ...]]:
    for rank, kind in enumerate(ties.kinds):
        if kind != "none":
            step = trace.steps[rank]
            pair, why = " + ".join(map(trace.variant.label, step.pair)), _reason(trace, rank)
            yield merge_number(rank), f"{step.tied:,}", f"{step.count:,}", kind, pair + (why and f": {why}")


def _reason(trace: Trace, rank: int) -> str:
    """Return why the pair won; "" in a long text, where all reasons would take longer than the training."""
    return why_won(trace, rank) if len(trace.pre_tokens) <= _MOST_WORDS else ""


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
    help="show how often ties decided a training, and what they decided",
    description=(
        "Train on files or counted words and write how often several pairs had the highest count, at which merges, and "
        "whether the choice among them decided more than the order."
    ),
    add_options=_add_options,
    run=_run,
    examples=f"""examples:
  {PROGRAM} ties novel.txt --merges 1000
  {PROGRAM} ties novel.txt --preset hf-bytelevel --vocab-size 5000 --list
  {PROGRAM} ties words.txt --all-ways
  {PROGRAM} ties counts.json --merges 10000 --json -o ties.json""",
)
