"""The command `compare`: train with several rules or trainers, and say on held-out text whether the choice matters."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bpe.analysis import verdict_text
from bpe.analysis.evidence import evidence
from bpe.analysis.held_out import set_aside
from bpe.analysis.random_draws import DRAWS, Luck, random_draws
from bpe.cli.command import Command
from bpe.cli.interruptible import finish
from bpe.cli.reading import DEFAULTS
from bpe.cli.terminal import STANDARD, decoded, progress_reports, read_bytes, write_output, write_whole
from bpe.settings.presets import PRESETS
from bpe.settings.tie_breaking import TIE_BREAKS
from bpe.symbols import BPEError
from bpe.text.display import ENDINGS, counted
from bpe.text.variants import VARIANTS
from bpe.trace.trace import Trace
from bpe.training.trainer import train_steps
from film.page import MOST_CHARACTERS, Lane  # the command line may import core and films
from film.report.comparison import ComparedLane, Comparison, SourceText
from film.report.files import report_csv, report_json
from film.report.page import report_html
from film.shades import Shades
from film.training_feed import training_feed

FEWEST, MOST = 2, 8  # lanes
ASIDE = "every tenth part of the training files, which was set aside"
MERGES = 1_000  # unless another stop rule is given
SEED = "_s"  # between a rule and its seed, as in a link of the app
WRITERS: Mapping[str, Callable[[Comparison], str]] = {
    ".html": report_html,
    ".json": report_json,
    ".csv": lambda comparison: report_csv(comparison).decode(),
}


@dataclass(frozen=True, slots=True)
class _Lane:
    """A lane before it is trained."""

    title: str
    about: str
    settings: dict[str, Any]


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="UTF-8 text to train on; each file is one document"
    )
    parser.add_argument(
        "--lanes",
        required=True,
        metavar="LANE,LANE",
        help=f"{FEWEST} to {MOST} rules ({', '.join(_rules())}) or presets; random{SEED}7 draws with seed 7",
    )
    parser.add_argument(
        "--held-out",
        nargs="+",
        metavar="FILE",
        help="UTF-8 text that no lane is trained on; by default, every tenth part of the training text is set aside",
    )
    parser.add_argument(
        "--variant",
        choices=list(VARIANTS),
        default=DEFAULTS["variant"],
        help=f"how rules split and spell text ({DEFAULTS['variant']}); presets have their own",
    )
    parser.add_argument("--merges", type=int, metavar="N", help=f"stop after this many merges ({MERGES:,})")
    parser.add_argument("--vocab-size", type=int, metavar="N", help="stop at this vocabulary size")
    parser.add_argument("--min-count", type=int, metavar="N", help="stop when no pair occurs this often (1)")
    parser.add_argument(
        "--draws",
        type=int,
        default=DRAWS,
        metavar="N",
        help=f"how many trainings break ties at random, to show what luck can do ({DRAWS}); 0 for none",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the bootstrap and of 'random' (0)"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help=f"the report: a file that ends in {', '.join(WRITERS)}"
    )
    parser.add_argument("--title", help="title of the report; by default the name of the first file")


def _run(options: argparse.Namespace) -> int:
    write = _writer(options.output)
    lanes = _read_lanes(options)
    if options.draws < 0 or options.draws == 1:
        raise BPEError(f"--draws must be 0, or at least 2 to compare them, got {options.draws}.")
    training, documents = _read(options.files)
    if options.held_out:
        held_out, held_out_documents = _read(options.held_out)
        _check_apart(training, held_out)
    else:
        documents, held_out_documents = set_aside(documents)
        held_out = [SourceText.of_text(ASIDE, "".join(held_out_documents))]
    traces = [_train(lane, documents) for lane in lanes]
    measured = evidence(
        traces,
        held_out_documents,
        documents,
        luck=_luck(lanes[0], documents, held_out_documents, options.draws),
        seed=options.seed,
    )
    names = [lane.title for lane in lanes]
    sentences = [verdict_text.headline(measured, names), *verdict_text.sentences(measured, names)]
    write_output(STANDARD, "".join(f"{sentence}\n" for sentence in sentences))
    if write is not None:
        title = options.title if options.title is not None else Path(options.files[0]).name
        compared = tuple(
            ComparedLane(lane.title, lane.about, trace) for lane, trace in zip(lanes, traces, strict=True)
        )
        shades = Shades(traces)
        film = [
            Lane(
                shades.colour(training_feed(trace, documents, size=MOST_CHARACTERS), number),
                lane.title,
                lane.about,
            )
            for number, (lane, trace) in enumerate(zip(lanes, traces, strict=True))
        ]
        trained = None if options.held_out else sum(map(len, documents))
        comparison = Comparison(title, compared, tuple(training), tuple(held_out), measured, film, trained)
        write_whole(options.output, write(comparison))
    return 0


def _writer(output: str | None) -> Callable[[Comparison], str] | None:
    if output is None:
        return None
    writer = WRITERS.get(Path(output).suffix.lower())
    if writer is None:
        raise BPEError(f"{output}: the name of a report must end in {', '.join(WRITERS)}.")
    return writer


def _rules() -> list[str]:
    return [slug for slug, rule in TIE_BREAKS.items() if rule.menu and not rule.by_hand]


def _read_lanes(options: argparse.Namespace) -> list[_Lane]:
    slugs = [slug.strip() for slug in options.lanes.split(",")]
    if len(set(slugs)) < len(slugs) or not FEWEST <= len(slugs) <= MOST:
        raise BPEError(f"--lanes needs {FEWEST} to {MOST} different lanes, got {options.lanes!r}.")
    stops = {name: getattr(options, name) for name in ("merges", "vocab_size", "min_count")}
    stops = {name: value for name, value in stops.items() if value is not None}
    if stops.keys().isdisjoint({"merges", "vocab_size"}):
        stops["merges"] = MERGES
    lanes = [_read_lane(slug, options, stops) for slug in slugs]
    for number, lane in enumerate(lanes):
        for slug, before in zip(slugs, lanes[:number], strict=False):
            if (lane.title, lane.settings) == (before.title, before.settings):
                raise BPEError(f"--lanes: {slug!r} and {slugs[number]!r} are the same lane.")
    return lanes


def _read_lane(slug: str, options: argparse.Namespace, stops: Mapping[str, Any]) -> _Lane:
    if slug in PRESETS:
        preset = PRESETS[slug]
        rule = TIE_BREAKS[str(preset.settings["tie_break"])]
        about = f"{rule.title}; {preset.source}; checked against {preset.checked}"
        return _Lane(preset.title, about, {**preset.settings, **stops})
    base, _, seed = slug.partition(SEED)
    if base not in _rules():
        raise BPEError(
            f"--lanes: there is no rule or preset {slug!r}; choose from {', '.join((*_rules(), *PRESETS))}."
        )
    settings = {"variant": options.variant, "tie_break": base, **stops}
    rule = TIE_BREAKS[base]
    if not rule.seeded:
        if seed:
            raise BPEError(f"--lanes: {slug!r} has a seed, but the rule {base!r} is not random.")
        return _Lane(rule.title, rule.who, settings)
    if seed and not seed.isdecimal():
        raise BPEError(f"--lanes: the seed of {slug!r} must be a whole number.")
    settings["seed"] = int(seed) if seed else options.seed
    return _Lane(f"{rule.title}, seed {settings['seed']}", rule.who, settings)


def _read(files: Sequence[str]) -> tuple[list[SourceText], list[str]]:
    """Return what the files are, and their texts."""
    sources: list[SourceText] = []
    documents: list[str] = []
    for file in files:
        content = read_bytes(file)
        text = decoded(file, content)
        sources.append(SourceText.of_bytes(Path(file).name, content, len(text)))
        documents.append(text)
    return sources, documents


def _check_apart(training: Sequence[SourceText], held_out: Sequence[SourceText]) -> None:
    """Raise BPEError for a held-out text that is also a training text."""
    trained = {text.sha256 for text in training}
    for text in held_out:
        if text.sha256 in trained:
            raise BPEError(f"{text.name}: a text that lanes are trained on cannot be held out.")


def _train(lane: _Lane, documents: Sequence[str]) -> Trace:
    """Return the lane's trace. Ctrl-C ends the command: a comparison of unequal trainings would mislead."""
    trace, interrupted = finish(train_steps(documents, **lane.settings))
    if interrupted:
        raise KeyboardInterrupt
    print(f"{lane.title}: {counted(len(trace.steps), 'merge')}: {ENDINGS[trace.stopped]}.", file=sys.stderr)
    return trace


def _luck(lane: _Lane, documents: Sequence[str], held_out: Sequence[str], draws: int) -> Luck | None:
    """Return what random draws with the settings of a lane have in common; None for no draws."""
    settings = {name: value for name, value in lane.settings.items() if name not in ("tie_break", "seed")}
    luck: Luck | None = None
    with progress_reports() as report:
        for luck in random_draws(documents, held_out, draws, **settings):
            report(f"{luck.draws} of {counted(draws, 'random draw')}")
    return luck


COMMAND = Command(
    name="compare",
    help="compare rules or trainers on held-out text",
    description=(
        "Train with several tie-breaking rules or real trainers, and find out on held-out text whether the choice "
        "between them matters. Prints the answer and its evidence; -o also saves a report: an HTML page that plays the "
        "lanes, a CSV file of the tables, or JSON with everything."
    ),
    add_options=_add_options,
    run=_run,
    examples="""examples:
  python -m bpe compare novel.txt --lanes first,pair-max,hf-bytelevel
  python -m bpe compare a.txt b.txt --lanes hf-bytelevel,rustbpe --held-out c.txt --merges 5000 -o report.html
  python -m bpe compare a.txt --lanes first,random,random_s1 --held-out c.txt --variant char-eow -o report.json""",
)
