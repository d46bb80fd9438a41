"""Lanes: what is compared, and the slugs that name the rules and presets among them.

A slug is `rule`, `preset`, `random_s7` (its seed), or one of these and the pairs picked by hand, as in
`first_0.2-4.1`. Commands and links write it.
"""

from dataclasses import dataclass

from bpe.checks import shortened_repr
from bpe.settings.presets import PRESETS
from bpe.settings.tie_breaking import TIE_BREAKS
from bpe.symbols import BPEError

FEWEST, MOST = 2, 8
SEED = "_s"  # between a rule and its seed
_MOST_DIGITS = 1_000  # of a seed: Python reads no number of more than 4,300


@dataclass(frozen=True, slots=True)
class Lane:
    """A training to compare, or a finished tokenizer."""

    title: str
    about: str  # who uses the rule, or which trainer was imitated and how that was checked


@dataclass(frozen=True, slots=True)
class LaneSlug:
    """A slug of a lane that is trained."""

    base: str  # slug of a rule or a preset
    seed: int | None  # of a rule that draws; None if the slug has none
    picks: str  # as the slug writes them; "" if it has none


def rules() -> tuple[str, ...]:
    """Return the slugs of the rules that can be a lane. Picking by hand is left out, since it needs picks."""
    return tuple(slug for slug, rule in TIE_BREAKS.items() if rule.menu and not rule.by_hand)


def read_slug(slug: str) -> LaneSlug | None:
    """Return the parts of a slug; None if it names no rule and no preset.

    Raises BPEError for a seed that is no number, and for one of a rule that draws nothing. The sentence has no full
    stop, since callers continue it.

    >>> read_slug("random_s7_0.2"), read_slug("other")
    (LaneSlug(base='random', seed=7, picks='0.2'), None)
    """
    base, *parts = slug.split("_")
    if (base not in rules() and base not in PRESETS) or "" in parts:
        return None
    seed = None
    if parts and parts[0].startswith("s"):
        written = parts.pop(0)[1:]
        if base not in TIE_BREAKS or not TIE_BREAKS[base].seeded:
            raise BPEError(f"{shortened_repr(slug)} has a seed, but {base!r} is not random")
        if not (written.isascii() and written.isdecimal() and len(written) <= _MOST_DIGITS):
            raise BPEError(
                f"the seed of {shortened_repr(slug)} must be a whole number of at most {_MOST_DIGITS:,} digits"
            )
        seed = int(written)
    return LaneSlug(base, seed, "_".join(parts))


def title_of(base: str, seed: int | None = None) -> str:
    """Return the title of the lane of a rule or a preset.

    >>> title_of("random", 7)
    'Random draw, seed 7'
    """
    if base in PRESETS:
        return PRESETS[base].title
    rule = TIE_BREAKS[base]
    return rule.title + (f", seed {seed}" if rule.seeded else "")


def about(base: str) -> str:
    """Return who uses a rule; of a preset its rule, its source and the version checked."""
    if base not in PRESETS:
        return TIE_BREAKS[base].who
    preset = PRESETS[base]
    rule = TIE_BREAKS[str(preset.settings["tie_break"])]
    return f"{rule.title}; {preset.source}; checked against {preset.checked}"
