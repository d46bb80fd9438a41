"""Lanes: which rules, trainers, branches and tokenizers are compared, as slugs in the link and as recipes.

A lane is `rule`, `preset`, `random_s7` (its seed) or `first_0.2-4.1` (a branch: pairs picked by hand, as in a link of
Watch), or the id of a tokenizer. The link joins them by `~`. Rules take variant and stop rule from the choices, presets
only the stop rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

import bpe
from bpe import BPEError
from bpe.comparison.lanes import MOST, SEED, Lane, LaneSlug, about, read_slug, rules
from bpe.comparison.lanes import title_of as trained_title
from bpe.text.display import merge_number
from ui.choices import recipe_source
from ui.trainings import tokenizer_files
from ui.trainings.picks import Picks, read_picks, write_picks
from ui.trainings.recipe import Recipe
from ui.trainings.settings import FREE, MOST_SEED, SETTINGS, Value
from ui.trainings.tokenizer_files import Files
from ui.view.text import in_markdown, shortened
from ui.view.visit import COMPARED_RULES, Slot, nothing

# Files to open in this run
_LANE_UPLOAD: Slot[Files] = Slot("_lane_upload", tuple)

# What is wrong with the last ones
_LANE_PROBLEM: Slot[str] = Slot("_lane_problem", str)
_UPLOAD = "lane_upload"

# The corpus and the settings that branches belong to
_LANES_SCOPE: Slot[tuple[Value, ...]] = Slot("_lanes_scope", tuple)

# Warnings about the link, and about a lane that was dropped
_LANES_WARNINGS: Slot[list[str]] = Slot("_lanes_ignored", list)

# Lanes for the next run
_NEXT_LANES: Slot[list[str] | None] = Slot("_lanes_next", nothing)

# Names by corpus and settings, then by lane
_BRANCH_NAMES: Slot[dict[tuple[Value, ...], dict[str, str]]] = Slot("_branch_names", dict)
KEY = "lanes"  # of the menu: a list of slugs


def file_slugs() -> list[str]:
    """Return the slugs of all files that the session has opened, the last one first, and of published tokenizers."""
    ids = [one.id for one in tokenizer_files.known()]
    own = [file_id for file_id in reversed(ids) if file_id in tokenizer_files.remembered()]
    return list(dict.fromkeys([*own, *ids]))


def draw_upload() -> None:
    """Draw the part of the menu in which the viewer opens a file, and what of the opened files is not used."""
    with st.expander("Add a tokenizer", icon=":material/upload_file:", key="lane_files"):
        recipe_source.draw_upload(_UPLOAD, _upload)
        problem = _LANE_PROBLEM.read()
        if problem:
            st.error(in_markdown(problem, most=600))
        for file in tokenizer_files.remembered().values():
            notes = " ".join(in_markdown(note, most=400) for note in file.opened.ignored)
            st.caption(f"**{in_markdown(file.name, 80)}** · {in_markdown(file.opened.about, 200)}. {notes}")


def open_upload() -> str | None:
    """Open the files that were uploaded since the last run. Return the slug of their lane; None if there is none."""
    files = _LANE_UPLOAD.read()
    if not files:
        return None
    _LANE_UPLOAD.forget()
    _LANE_PROBLEM.forget()
    try:
        with st.spinner("Opening the tokenizer …"):
            file = tokenizer_files.open_newest(files, str(SETTINGS["file_split"].default))
    except BPEError as error:
        _LANE_PROBLEM.write(str(error))
        return None
    tokenizer_files.remember(file)
    return file.id


@dataclass(frozen=True, slots=True)
class ChosenLane(Lane):
    """A lane, and how the page names and trains it."""

    slug: str
    recipe: Recipe

    @property
    def short(self) -> str:
        """The title for the middle of a sentence: a rule's in lower case, a trainer's as its makers write it."""
        return (
            self.title
            if self.recipe.file or self.recipe.preset != FREE
            else self.title[:1].lower() + self.title[1:]
        )


def read_lane(slug: str, shared: Recipe) -> ChosenLane:
    """Return the lane of a slug under the chosen recipe. Raises BPEError for a slug that names none."""
    known = tokenizer_files.find(slug)
    file = tokenizer_files.by_id(known.id) if known else None
    if known and file:
        recipe = shared.changed(**known.chosen_by, file=known.id, picks=())
        return ChosenLane(shortened(known.title), file.opened.about, known.id, recipe)
    if tokenizer_files.is_file(slug):
        raise BPEError("a link cannot contain the file of a tokenizer: add the file here")
    parts = read_slug(slug)
    if parts is None or (parts.seed or 0) > MOST_SEED:
        raise BPEError(f"there is no rule or preset “{slug[:40]}”")
    picks = read_picks(parts.picks) if parts.picks else ()
    return _trained_lane(slug, parts, shared, picks)


def title_of(slug: str, shared: Recipe) -> str:
    """Return the title of a lane. A published tokenizer is not opened for it. Raises BPEError as `read_lane` does."""
    known = tokenizer_files.find(slug)
    return known.title if known and known.is_named else read_lane(slug, shared).title


def first_lanes(shared: Recipe) -> list[str]:
    """Return the lanes to begin with: the chosen recipe, and a rule that chooses other pairs.

    For a tokenizer from a file the other one is a real trainer, for a published one another published one.

    If pairs were picked by hand on Watch, they are the recipe without and with the picks.
    """
    known = tokenizer_files.find(shared.file)
    if known:
        return [known.id, known.rival or _similar_trainer(known.id)]
    own = shared.tie_break
    if shared.preset != FREE and not bpe.PRESETS[shared.preset].settings.keys() <= SETTINGS.keys():
        own = shared.preset  # its ids or its pieces differ from those of the plain rule
    if own not in rules() and own not in bpe.PRESETS:
        own = COMPARED_RULES[0]
    if shared.picks:
        return [own, with_picks(own, shared.picks)]
    return [own, next(rule for rule in reversed(COMPARED_RULES) if rule != shared.tie_break)]


def with_picks(slug: str, picks: Picks) -> str:
    """Return the slug of a lane with these picks in place of its own.

    >>> with_picks("first_0.1", ((0, 2), (3, 1))), with_picks("first_0.1", ())
    ('first_0.2-3.1', 'first')
    """
    parts = read_slug(slug)
    assert parts
    seed = "" if parts.seed is None else f"{SEED}{parts.seed}"
    return parts.base + seed + (f"_{write_picks(picks)}" if picks else "")


def branch_slug(lane: ChosenLane, rank: int, number: int) -> str:
    """Return the slug of the branch that picks tied pair `number` at merge `rank`, without the lane's later picks."""
    earlier = tuple(pick for pick in lane.recipe.picks if pick[0] < rank)
    return with_picks(lane.slug, (*earlier, (rank, number)))


def write_link(slugs: Sequence[str]) -> str:
    """Return the lanes as the value of the link's parameter."""
    return "~".join(slugs)


def read_link(text: str, shared: Recipe) -> tuple[list[str], list[str]]:
    """Return the lanes of a link's parameter, and sentences on what was ignored and why."""
    slugs: list[str] = []
    ignored: list[str] = []
    for slug in text.split("~") if text else []:
        try:
            read_lane(slug, shared)
        except BPEError as error:
            ignored.append(f"The link contains an unknown lane, which was ignored: {error}.")
            continue
        if slug not in slugs:
            slugs.append(slug)
    if len(slugs) > MOST:
        ignored.append(
            f"The link contains {len(slugs)} lanes. No more than {MOST} fit: the first {MOST} are shown."
        )
    return slugs[:MOST], ignored


def is_lane(slug: object, shared: Recipe) -> bool:
    """Return whether a slug names a lane under the chosen recipe."""
    try:
        return bool(read_lane(str(slug), shared))
    except BPEError:
        return False


def is_branch(slug: str, shared: Recipe) -> bool:
    """Return whether a slug names a lane with pairs picked by hand."""
    return is_lane(slug, shared) and bool(read_lane(slug, shared).recipe.picks)


def put_lanes(slugs: Sequence[str]) -> None:
    """Compare these lanes. Call it before the menu is drawn, or in a callback."""
    st.session_state[KEY] = list(dict.fromkeys(slugs))
    forget_warnings()


def request_lanes(slugs: Sequence[str]) -> None:
    """Request these lanes for the next run of the page."""
    _NEXT_LANES.write(list(slugs))


def put_requested_lanes() -> None:
    """Compare the lanes that the last run requested, if it did."""
    slugs = _NEXT_LANES.read()
    if slugs is not None:
        put_lanes(slugs)
        _NEXT_LANES.forget()


def set_scope(scope: tuple[Value, ...]) -> bool:
    """Set the corpus and the settings that branches belong to; return whether they have changed since the last run."""
    before = _LANES_SCOPE.read()
    _LANES_SCOPE.write(scope)
    return before not in ((), scope)


def warnings() -> list[str]:
    """Return the sentences about ignored lanes of the link. Callers may append to the list."""
    return _LANES_WARNINGS.read()


def forget_warnings() -> None:
    """Forget the sentences about ignored lanes, which the viewer has changed."""
    _LANES_WARNINGS.forget()


def branch_names() -> dict[str, str]:
    """Return {slug: name} for the current corpus and variant. Elsewhere the same slug is another branch."""
    return _BRANCH_NAMES.read().setdefault(_LANES_SCOPE.read(), {})


def _similar_trainer(file_id: str) -> str:
    """Return the slug of a preset that spells words as the file does, if there is one; else the first preset."""
    file = tokenizer_files.by_id(file_id)
    assert file
    own = file.tokenizer.variant
    similar = (
        slug
        for slug, row in bpe.PRESETS.items()
        if (variant := bpe.VARIANTS[str(row.settings["variant"])]).unit == own.unit
        and variant.marker == own.marker
    )
    return next(similar, next(iter(bpe.PRESETS)))


def _upload() -> None:
    files = st.session_state[_UPLOAD]
    if files:
        _LANE_UPLOAD.write(tuple((file.name, file.getvalue()) for file in files))


def _trained_lane(slug: str, parts: LaneSlug, shared: Recipe, picks: Picks) -> ChosenLane:
    base, seed = parts.base, parts.seed
    if base in bpe.PRESETS:
        recipe = shared.with_preset(base).changed(picks=picks)
    else:
        if bpe.TIE_BREAKS[base].seeded and seed is None:
            seed = shared.seed
        recipe = shared.trained.changed(
            preset=FREE, tie_break=base, seed=seed or 0, picks=picks, **shared.stop_rules
        )
    return ChosenLane(trained_title(base, seed) + _branch(picks), about(base), slug, recipe)


def _branch(picks: Picks) -> str:
    """Return the part of a title that names the picks. It is unique, since the browser identifies lanes by title."""
    if not picks:
        return ""
    return f", by hand at merge {', '.join(f'{merge_number(rank)} (pair {number + 1})' for rank, number in picks)}"
