"""Lanes: which rules, trainers, branches and tokenizers are compared, as slugs in the link and as recipes.

A lane is `rule`, `preset`, `random_s7` (its seed) or `first_0.2-4.1` (a branch: pairs picked by hand, as in a link of
Watch), `published-` and the slug of a published tokenizer, or `file-` and the id of an opened file. The link joins them
by `~`. Rules take variant and stop rule from the sidebar, presets only the stop rule.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import bpe
from bpe import BPEError
from bpe.text.display import merge_number
from ui.compare.choice import lane_files
from ui.show.text import shortened
from ui.sidebar.recipes.picks import Picks, read_picks, write_picks
from ui.sidebar.recipes.recipe import Recipe
from ui.sidebar.recipes.settings import AS_PUBLISHED, FREE, FROM_FILE, MOST_SEED, SETTINGS
from ui.sidebar.tokenizers import published_files
from ui.visit import COMPARED_RULES

FEWEST, MOST = 2, 8
SLUG = re.compile(r"(?P<base>[a-z0-9-]{1,40})(?:_s(?P<seed>[0-9]{1,6}))?(?:_(?P<picks>[0-9.-]{3,600}))?")


@dataclass(frozen=True, slots=True)
class Lane:
    """One training to compare with the others."""

    slug: str
    title: str
    about: str  # who uses the rule; for a trainer its rule, its source and the version checked
    recipe: Recipe

    @property
    def short(self) -> str:
        """The title for the middle of a sentence: a rule's in lower case, a trainer's as its makers write it."""
        return (
            self.title
            if self.recipe.file or self.recipe.preset != FREE
            else self.title[:1].lower() + self.title[1:]
        )


def rules() -> tuple[str, ...]:
    """Return the slugs of the rules that can be a lane. Picking by hand is left out, since that makes a branch."""
    return tuple(slug for slug, rule in bpe.TIE_BREAKS.items() if rule.menu and not rule.by_hand)


def read_lane(slug: str, shared: Recipe) -> Lane:
    """Return the lane of a slug under the sidebar's recipe. Raises BPEError for a slug that names none."""
    file = lane_files.file_of(slug)
    if file is not None:
        source: dict[str, str] = {"recipe_source": FROM_FILE}
        if file.published:
            source = {"recipe_source": AS_PUBLISHED, "published": file.published}
        recipe = shared.changed(**source, file=file.id, picks=())
        return Lane(slug, shortened(file.name), file.opened.about, recipe)
    match = SLUG.fullmatch(slug)
    base = match["base"] if match else ""
    if match is None or (base not in rules() and base not in bpe.PRESETS):
        raise BPEError(f"there is no rule or preset “{slug[:40]}”")
    picks = read_picks(match["picks"]) if match["picks"] else ()
    if base in bpe.PRESETS:
        return _preset_lane(slug, base, shared, picks)
    return _rule_lane(slug, base, shared, picks, None if match["seed"] is None else int(match["seed"]))


def title_of(slug: str, shared: Recipe) -> str:
    """Return the title of a lane. A published tokenizer is not opened for it. Raises BPEError as `read_lane` does."""
    published = lane_files.published_title(slug)
    return published or read_lane(slug, shared).title


def _rule_lane(slug: str, base: str, shared: Recipe, picks: Picks, seed: int | None) -> Lane:
    rule = bpe.TIE_BREAKS[base]
    if rule.seeded:
        seed = shared.seed if seed is None else seed
    elif seed is not None:
        raise BPEError(f"“{slug[:40]}” has a seed, but only the rule random draws")
    recipe = shared.trained.changed(
        preset=FREE, tie_break=base, seed=min(seed or 0, MOST_SEED), picks=picks, **shared.stop_rules
    )
    title = rule.title + (f", seed {seed}" if rule.seeded else "") + _branch(picks)
    return Lane(slug, title, rule.who, recipe)


def _preset_lane(slug: str, base: str, shared: Recipe, picks: Picks) -> Lane:
    preset = bpe.PRESETS[base]
    recipe = shared.with_preset(base).changed(picks=picks)
    rule = bpe.TIE_BREAKS[recipe.tie_break].title
    about = f"{rule}; {preset.source}; checked against {preset.checked}"
    return Lane(slug, preset.title + _branch(picks), about, recipe)


def _branch(picks: Picks) -> str:
    """Return the part of a title that names the picks. It is unique, since the browser identifies lanes by title."""
    if not picks:
        return ""
    return f", by hand at merge {', '.join(f'{merge_number(rank)} (pair {number + 1})' for rank, number in picks)}"


def first_lanes(shared: Recipe) -> list[str]:
    """Return the lanes to begin with: the sidebar's recipe, and a rule that chooses other pairs.

    For a tokenizer from a file the other one is a real trainer, for a published one another published one.

    If pairs were picked by hand on Watch, they are the recipe without and with the picks.
    """
    file = published_files.by_id(shared.file)
    if file is not None:
        own = lane_files.slug_of(file.id)
        return [own, lane_files.other_published(file) if file.published else lane_files.similar_trainer(file)]
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
    match = SLUG.fullmatch(slug)
    assert match
    seed = "" if match["seed"] is None else f"_s{match['seed']}"
    return match["base"] + seed + (f"_{write_picks(picks)}" if picks else "")


def branch_slug(lane: Lane, rank: int, number: int) -> str:
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
