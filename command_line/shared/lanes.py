"""Lanes of the command `compare`: rules, presets, and tokenizers from files."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bpe.checks import shortened_repr
from bpe.comparison.evidence_text import trained_merges_sentence
from bpe.comparison.lanes import FEWEST, MOST, SEED, Lane, LaneSlug, about, read_slug, rules, title_of
from bpe.formats.opened import title_of_files
from bpe.settings.presets import PRESETS
from bpe.settings.tie_breaking import TIE_BREAKS
from bpe.symbols import BPEError
from bpe.text.variants import VARIANTS
from bpe.training.replay import replay_steps
from bpe.training.trainer import Training, train_steps
from command_line.shared.named_tokenizers import TOGETHER, exists, is_published, open_named
from command_line.shared.reading import DEFAULTS
from published.rows import PUBLISHED

MERGES = 1_000  # unless another stop rule is given, or a tokenizer from a file has a number of its own


@dataclass(frozen=True, slots=True)
class NamedLane(Lane):
    """A lane that the options name, before it is trained or replayed."""

    begin: Callable[[Sequence[str]], Training]  # from the documents
    settings: Mapping[str, Any] | None = None  # of the training; None for a tokenizer from files
    files: tuple[tuple[str, bytes], ...] = ()  # (path, content)
    listed: int = 0  # merges in the files

    def is_same(self, other: "NamedLane") -> bool:
        """Return whether both lanes learn, or replay, the same."""
        if self.settings is None or other.settings is None:
            return bool(self.files) and _contents(self) == _contents(other)
        return (self.title, self.settings) == (other.title, other.settings)


def _contents(lane: NamedLane) -> list[bytes]:
    return sorted(content for _, content in lane.files)


def add_lane_options(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the lanes, and those of the lanes that are trained."""
    parser.add_argument(
        "--lanes",
        required=True,
        metavar="LANE,LANE",
        help=(
            f"{FEWEST} to {MOST} rules ({', '.join(rules())}), presets ({', '.join(PRESETS)}), published tokenizers "
            f"({', '.join(PUBLISHED)}), or tokenizer files: "
            f"tokenizer.json, .tiktoken, subword-nmt codes, or vocab.json{TOGETHER}merges.txt. random{SEED}7 draws "
            "with seed 7"
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
        f"{MERGES:,} without one)",
    )
    parser.add_argument(
        "--vocab-size", type=int, metavar="N", help="stop each training at this vocabulary size"
    )
    parser.add_argument(
        "--min-count", type=int, metavar="N", help="stop each training when no pair occurs this often (1)"
    )


def read_lanes(options: argparse.Namespace) -> list[NamedLane]:
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
        stops["merges"] = max((lane.listed for lane in opened.values()), default=0) or MERGES
    lanes = [opened.get(slug) or _trained_lane(slug, options, stops) for slug in slugs]
    for number, lane in enumerate(lanes):
        for slug, before in zip(slugs, lanes[:number], strict=False):
            if lane.is_same(before):
                raise BPEError(f"--lanes: {slug!r} and {slugs[number]!r} are the same lane.")
    return _with_distinct_titles(lanes)


def note_on_merges(lanes: Sequence[NamedLane], options: argparse.Namespace) -> str:
    """Return a sentence if the trainings take their number of merges from a tokenizer's file; else ""."""
    largest = max(lanes, key=lambda lane: lane.listed)
    is_chosen = options.merges is not None or options.vocab_size is not None
    if is_chosen or not largest.listed or all(lane.files for lane in lanes):
        return ""
    return f"{trained_merges_sentence(largest.listed, largest.title)} --merges sets another number."


def _opened(slug: str, options: argparse.Namespace) -> NamedLane | None:
    """Return the lane of a tokenizer from files; None for a rule or a preset."""
    if _trained_slug(slug) is not None:
        return None
    paths = [slug] if exists(slug) else slug.split(TOGETHER)
    if len(set(paths)) < len(paths) or not all(paths):
        raise BPEError(
            f"--lanes: {shortened_repr(slug)} must name different files, with {TOGETHER} between them."
        )
    if len(paths) > 1 or exists(slug) or Path(slug).suffix or is_published(slug):
        return _opened_lane(slug, options.variant)
    choices = ", ".join((*rules(), *PRESETS, *PUBLISHED))
    raise BPEError(
        f"--lanes: there is no rule, preset, tokenizer or file {shortened_repr(slug)}; choose from {choices}."
    )


def _trained_slug(slug: str) -> LaneSlug | None:
    """Return the parts of the slug of a rule or a preset; None for another lane."""
    try:
        parts = read_slug(slug)
    except BPEError as error:
        raise BPEError(f"--lanes: {error}.") from None
    return None if parts is None or parts.picks else parts


def _trained_lane(slug: str, options: argparse.Namespace, stops: Mapping[str, Any]) -> NamedLane:
    parts = _trained_slug(slug)
    assert parts
    if parts.base in PRESETS:
        settings = {**PRESETS[parts.base].settings, **stops}
        return _trained(title_of(parts.base), about(parts.base), settings)
    settings = {"variant": options.variant or DEFAULTS["variant"], "tie_break": parts.base, **stops}
    if TIE_BREAKS[parts.base].seeded:
        settings["seed"] = options.seed if parts.seed is None else parts.seed
    return _trained(title_of(parts.base, settings.get("seed")), about(parts.base), settings)


def _trained(title: str, about: str, settings: Mapping[str, Any]) -> NamedLane:
    return NamedLane(title, about, lambda documents: train_steps(documents, **settings), settings)


def _opened_lane(name: str, variant: str | None) -> NamedLane:
    """Return the lane of a tokenizer. Raises BPEError, with the file and the line or field, if it cannot be opened."""
    title, opened, files = open_named(name, VARIANTS[variant] if variant else None)
    return NamedLane(
        title,
        opened.about,
        lambda documents: replay_steps(documents, opened.tokenizer),
        files=tuple(files.items()),
        listed=len(opened.tokenizer.merges),
    )


def _with_distinct_titles(lanes: Sequence[NamedLane]) -> list[NamedLane]:
    """Return the lanes. Files of one name in several folders are named by their paths."""
    titles = [lane.title for lane in lanes]
    return [
        replace(lane, title=title_of_files([path for path, _ in lane.files]))
        if lane.files and titles.count(lane.title) > 1
        else lane
        for lane in lanes
    ]
