"""The command `compare`: what the choice between rules, trainers or tokenizers changes, as held-out text tells."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bpe.analysis.compression import ending
from bpe.checks import shortened_repr
from bpe.comparison.comparison import Comparison
from bpe.comparison.evidence import Evidence, evidence, with_random_draws
from bpe.comparison.held_out import HeldOutText, default_held_out
from bpe.comparison.lanes import FEWEST, MOST, SEED, Lane, LaneSlug, about, read_slug, rules, title_of
from bpe.comparison.random_draws import enough_draws
from bpe.comparison.tables import tables, tables_csv
from bpe.comparison.verdict import evidence_line, headline, notes, trained_merges_sentence
from bpe.formats.opened import title_of_files
from bpe.settings.presets import PRESETS
from bpe.settings.tie_breaking import TIE_BREAKS
from bpe.symbols import BPEError
from bpe.text.display import counted
from bpe.text.variants import VARIANTS
from bpe.trace.trace import Trace
from bpe.training.replay import replay_steps
from bpe.training.trainer import Training, train_steps
from command_line.reading import DEFAULTS, add_field_option, read_documents
from command_line.terminal import (
    PROGRAM,
    STANDARD,
    Command,
    finish,
    kind_to_write,
    progress_reports,
    write_output,
)
from command_line.tokenizer_files import TOGETHER, exists, names_tokenizer, near_names, open_named
from published.rows import PUBLISHED

_MERGES = 1_000  # unless another stop rule is given, or a tokenizer from a file has a number of its own


@dataclass(frozen=True, slots=True)
class _NamedLane(Lane):
    """A lane that the options name, before it is trained or replayed."""

    begin: Callable[[Sequence[str]], Training]  # from the documents
    settings: Mapping[str, Any] | None = None  # of the training; None for a tokenizer from files
    files: tuple[tuple[str, bytes], ...] = ()  # (path, content)
    listed: int = 0  # merges in the files

    def is_same(self, other: "_NamedLane") -> bool:
        """Return whether both lanes learn, or replay, the same."""
        if self.settings is None or other.settings is None:
            return bool(self.files) and _contents(self) == _contents(other)
        return (self.title, self.settings) == (other.title, other.settings)


def _contents(lane: _NamedLane) -> list[bytes]:
    return sorted(content for _, content in lane.files)


def _add_lane_options(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the lanes, and those of the lanes that are trained."""
    parser.add_argument(
        "--lanes",
        required=True,
        metavar="LANE,LANE",
        help=(
            f"{FEWEST} to {MOST} rules ({', '.join(rules())}), presets ({', '.join(PRESETS)}), published tokenizers "
            f"({', '.join(PUBLISHED)}), or tokenizer files: "
            f"tokenizer.json, .tiktoken, tokenizer.model, tekken.json, merges.txt, subword-nmt codes, "
            f"fastBPE codes, minbpe's .model, a list of pairs of ids, or vocab.json{TOGETHER}merges.txt. "
            f"random{SEED}7 is a random draw with seed 7"
        ),
    )
    parser.add_argument(
        "--variant",
        choices=list(VARIANTS),
        help=f"how text is split and spelled for rules ({DEFAULTS['variant']}) and for files that do not say it "
        "(guessed); presets have their own",
    )
    parser.add_argument(
        "--merges",
        type=int,
        metavar="N",
        help="stop each training after this many merges (as many as the largest tokenizer from a file has; "
        f"{_MERGES:,} without one)",
    )
    parser.add_argument(
        "--vocab-size", type=int, metavar="N", help="stop each training at this vocabulary size"
    )
    parser.add_argument(
        "--min-count", type=int, metavar="N", help="stop each training when no pair occurs this often (1)"
    )


def _read_lanes(options: argparse.Namespace) -> list[_NamedLane]:
    """Return the lanes that the options name. Reports unused parts of tokenizer files to standard error.

    Raises BPEError for too few, too many or equal lanes, for one that is not a rule, preset or file, and for a file
    that cannot be opened.
    """
    slugs = [slug.strip() for slug in options.lanes.split(",")]
    if len(set(slugs)) < len(slugs) or not FEWEST <= len(slugs) <= MOST:
        raise BPEError(f"--lanes needs {FEWEST} to {MOST} different lanes, got {options.lanes!r}.")
    stops = {name: getattr(options, name) for name in ("merges", "vocab_size", "min_count")}
    stops = {name: value for name, value in stops.items() if value is not None}
    opened = {slug: lane for slug in slugs if (lane := _opened(slug, options)) is not None}
    if stops.keys().isdisjoint({"merges", "vocab_size"}):
        stops["merges"] = max((lane.listed for lane in opened.values()), default=0) or _MERGES
    lanes = [opened.get(slug) or _trained_lane(slug, options, stops) for slug in slugs]
    for number, lane in enumerate(lanes):
        for slug, before in zip(slugs, lanes[:number], strict=False):
            if lane.is_same(before):
                raise BPEError(f"--lanes: {slug!r} and {slugs[number]!r} are the same lane.")
    titles = [lane.title for lane in lanes]
    return [  # files of one name in several folders are named by their paths
        replace(lane, title=title_of_files([path for path, _ in lane.files]))
        if lane.files and titles.count(lane.title) > 1
        else lane
        for lane in lanes
    ]


def _note_on_merges(lanes: Sequence[_NamedLane], options: argparse.Namespace) -> str:
    """Return a sentence if the trainings take their number of merges from a tokenizer's file; else ""."""
    largest = max(lanes, key=lambda lane: lane.listed)
    is_chosen = options.merges is not None or options.vocab_size is not None
    if is_chosen or not largest.listed or all(lane.files for lane in lanes):
        return ""
    return f"{trained_merges_sentence(largest.listed, largest.title)} --merges sets another number."


def _opened(slug: str, options: argparse.Namespace) -> _NamedLane | None:
    """Return the lane of a tokenizer from files; None for a rule or a preset."""
    if _trained_slug(slug) is not None:
        return None
    paths = [slug] if exists(slug) else slug.split(TOGETHER)
    if len(set(paths)) < len(paths) or not all(paths):
        raise BPEError(
            f"--lanes: {shortened_repr(slug)} must name different files, with {TOGETHER} between them."
        )
    if names_tokenizer(slug):
        row = VARIANTS[options.variant] if options.variant else None
        named = open_named(slug, variant=row)
        tokenizer = named.opened.tokenizer
        return _NamedLane(
            named.title,
            named.opened.about,
            lambda documents: replay_steps(documents, tokenizer),
            files=tuple(named.files.items()),
            listed=len(tokenizer.merges),
        )
    choices = (*rules(), *PRESETS, *PUBLISHED)
    near = near_names(slug, choices)
    raise BPEError(
        f"--lanes: there is no rule, preset, tokenizer or file {shortened_repr(slug)}"
        + (f".{near}" if near else f"; choose from {', '.join(choices)}.")
    )


def _trained_slug(slug: str) -> LaneSlug | None:
    """Return the parts of the slug of a rule or a preset; None for another lane."""
    try:
        parts = read_slug(slug)
    except BPEError as error:
        raise BPEError(f"--lanes: {error}.") from None
    return None if parts is None or parts.picks else parts


def _trained_lane(slug: str, options: argparse.Namespace, stops: Mapping[str, Any]) -> _NamedLane:
    parts = _trained_slug(slug)
    assert parts
    if parts.base in PRESETS:
        settings = {**PRESETS[parts.base].settings, **stops}
        return _trained(title_of(parts.base), about(parts.base), settings)
    settings = {"variant": options.variant or DEFAULTS["variant"], "tie_break": parts.base, **stops}
    if TIE_BREAKS[parts.base].seeded:
        settings["seed"] = options.seed if parts.seed is None else parts.seed
    return _trained(title_of(parts.base, settings.get("seed")), about(parts.base), settings)


def _trained(title: str, about: str, settings: Mapping[str, Any]) -> _NamedLane:
    return _NamedLane(title, about, lambda documents: train_steps(documents, **settings), settings)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="UTF-8 text to train on; each file is one document"
    )
    add_field_option(parser)
    _add_lane_options(parser)
    parser.add_argument(
        "--held-out",
        nargs="+",
        metavar="FILE",
        help="UTF-8 text that no lane is trained on; by default every tenth part of a long text, and a sample for a "
        "short one",
    )
    parser.add_argument(
        "--draws",
        type=int,
        metavar="N",
        help="how many trainings break ties at random, to show what luck can do; 0 for none (by default as many as "
        f"needed, up to {enough_draws(2)} for two lanes)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of 'random' (0)")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write the tables, as CSV")


def _run(options: argparse.Namespace) -> int:
    if options.output is not None:
        kind_to_write(options.output, ["CSV"])
    lanes = _read_lanes(options)
    if options.draws is not None and (options.draws < 0 or options.draws == 1):
        raise BPEError(f"--draws must be 0, or at least 2 to compare them, got {options.draws}.")
    by_file = [read_documents([file], options.field) for file in options.files]
    documents = [document for own in by_file for document in own]
    if options.held_out:
        apart = [read_documents([file], options.field) for file in options.held_out]
        for file, own in zip(options.held_out, apart, strict=True):
            if own in by_file:
                raise BPEError(f"{Path(file).name}: a text that lanes are trained on cannot be held out.")
        name = ", ".join(Path(file).name for file in options.held_out)
        text = HeldOutText(name, tuple(document for own in apart for document in own))
    else:
        rest, text = default_held_out(documents)
        documents = list(rest)
        print(f"Held out: {text.about}.", file=sys.stderr)
    if not any(document.strip() for document in text.documents):  # before training, which can take long
        raise BPEError("The held-out text must hold more than white space.")
    traces = _train_all(lanes, documents)
    comparison = Comparison(tuple(lanes), tuple(traces), documents, text)
    measured = evidence(traces, text.documents, documents)
    measured = _with_luck(measured, lanes, comparison, options.draws)
    note = _note_on_merges(lanes, options)
    titles = comparison.titles
    sentences = [headline(measured, titles), evidence_line(measured), *notes(measured, titles), note]
    sentences = [sentence for sentence in sentences if sentence]
    write_output(STANDARD, "".join(f"{sentence}\n" for sentence in sentences))
    if options.output is not None:
        listed = tables(comparison, measured)
        write_output(options.output, tables_csv(listed, " ".join(sentences)))
    return 0


def _train_all(lanes: Sequence[_NamedLane], documents: Sequence[str]) -> list[Trace]:
    """Return the lanes' traces. Ctrl-C ends the command: a comparison of unequal trainings would mislead."""
    traces: list[Trace] = []
    for lane in lanes:
        trace, interrupted = finish(lane.begin(documents))
        if interrupted:
            raise KeyboardInterrupt
        print(f"{lane.title}: {counted(len(trace.steps), 'merge')}: {ending(trace)}.", file=sys.stderr)
        traces.append(trace)
    return traces


def _with_luck(
    alone: Evidence,
    lanes: Sequence[_NamedLane],
    comparison: Comparison,
    draws: int | None,
) -> Evidence:
    """Return the evidence with random draws by the settings of the first training; without one, or draws, as it is."""
    trained = [lane.settings for lane in lanes if lane.settings is not None]
    if not trained or draws == 0:
        return alone
    settings = {name: value for name, value in trained[0].items() if name not in ("tie_break", "seed")}
    most = enough_draws(len(lanes)) if draws is None else draws
    measured = alone
    with progress_reports() as report:
        for measured in with_random_draws(alone, comparison.text, draws, **settings):
            if measured.luck:
                report(f"{measured.luck.draws} of up to {counted(most, 'random draw')}")
    return measured


COMMAND = Command(
    name="compare",
    help="compare rules, trainers or tokenizers on held-out text",
    description=(
        "Train with several tie-breaking rules or real trainers, or take tokenizers from files, and find out on "
        "held-out text what the choice between them changes. Prints the answer and its evidence; -o also saves "
        "the tables."
    ),
    add_options=_add_options,
    run=_run,
    examples=f"""examples:
  {PROGRAM} compare novel.txt --lanes first,pair-max,hf-bytelevel
  {PROGRAM} compare a.txt b.txt --lanes hf-bytelevel,rustbpe --held-out c.txt --merges 5000 -o tables.csv
  {PROGRAM} compare a.txt --lanes first,random,random_s1 --held-out c.txt --variant char-eow
  {PROGRAM} compare a.txt --lanes hf-bytelevel,old/tokenizer.json,vocab.json+merges.txt --merges 5000""",
)
