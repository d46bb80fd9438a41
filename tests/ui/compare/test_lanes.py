"""Lanes of Compare: their slugs in a link, what a slug means, and the lanes to begin with."""

import pytest

import bpe
from bpe import BPEError
from bpe.comparison.lanes import MOST, rules
from ui.compare import lanes
from ui.sidebar.corpus import from_words
from ui.sidebar.recipe import Recipe
from ui.sidebar.settings import FREE
from ui.visit import COMPARED_TRAINERS

SHARED = Recipe(FREE, "char-eow", "first", 12)


@pytest.mark.parametrize("slug", [*rules(), *bpe.PRESETS, "first_0.2", "random_s7_0.1-3.0", "cs336_4.1"])
def test_every_lane_survives_a_link(slug: str) -> None:
    assert lanes.read_link(lanes.write_link([slug, "last"]), SHARED) == (
        list(dict.fromkeys([slug, "last"])),
        [],
    )


@pytest.mark.parametrize(
    "slug", ["", "firstt", "manual", "first_s3", "first_0", "first~", "<b>", "first_0.1_0.2"]
)
def test_a_slug_that_names_no_lane_is_refused(slug: str) -> None:
    with pytest.raises(BPEError):
        lanes.read_lane(slug, SHARED)


def test_valid_lanes_of_a_link_are_kept_and_others_reported() -> None:
    slugs, ignored = lanes.read_link("first~nonsense~first~pair-max", SHARED)
    assert slugs == ["first", "pair-max"]
    assert len(ignored) == 1
    assert "nonsense" in ignored[0]


def test_a_link_with_too_many_lanes_is_shortened() -> None:
    nine = list(bpe.PRESETS)[: MOST + 1]
    assert lanes.read_link(lanes.write_link(nine[:-1]), SHARED) == (nine[:-1], [])
    slugs, ignored = lanes.read_link(lanes.write_link(nine), SHARED)
    assert slugs == nine[:-1]
    assert ignored == ["The link contains 9 lanes. No more than 8 fit: the first 8 are shown."]


def test_rules_take_the_sidebar_s_variant_and_presets_bring_their_own() -> None:
    assert lanes.read_lane("last", SHARED).recipe.variant == "char-eow"
    assert lanes.read_lane("minbpe-basic", SHARED).recipe.variant == "bytes"
    shared = Recipe("subword-nmt", "char-eow-lines", "pair-max", 9)
    assert lanes.read_lane("first", shared).recipe.settings["min_count"] == 2


@pytest.mark.parametrize("slug", COMPARED_TRAINERS)
def test_a_trainer_s_lane_names_its_rule_source_and_version(slug: str) -> None:
    lane, preset = lanes.read_lane(slug, SHARED), bpe.PRESETS[slug]
    assert lane.title == preset.title
    for fact in (bpe.TIE_BREAKS[preset.settings["tie_break"]].title, preset.source, preset.checked):
        assert fact in lane.about


@pytest.mark.parametrize("preset", [FREE, *bpe.PRESETS])
def test_there_are_two_lanes_to_begin_with(preset: str) -> None:
    settings = (
        bpe.PRESETS[preset].settings if preset != FREE else {"variant": "bytes", "tie_break": "pair-max"}
    )
    shared = Recipe(preset, settings["variant"], settings["tie_break"], 10)
    first = lanes.first_lanes(shared)
    assert len(set(first)) == 2
    assert [lanes.read_lane(slug, shared).slug for slug in first] == first


def test_a_branch_takes_a_pair_by_hand_and_the_rule_decides_the_rest() -> None:
    lane = lanes.read_lane("first", SHARED)
    assert lanes.branch_slug(lane, 0, 2) == "first_0.2"
    again = lanes.read_lane("first_0.2-5.1", SHARED)
    assert lanes.branch_slug(again, 3, 1) == "first_0.2-3.1"  # without the later pick
    branch = lanes.read_lane("first_0.2", SHARED)
    trace = bpe.train(
        from_words("low 5\nlower 2\nnewest 6\nwidest 3").training_text, **branch.recipe.settings
    )
    assert trace.merges[:2] == [(b"t", b"\xff"), (b"e", b"s")]


def test_a_recipe_with_picks_is_compared_with_itself_without_them() -> None:
    assert lanes.first_lanes(Recipe("paper", "char-eow", "first", 12, picks=((0, 1),))) == [
        "first",
        "first_0.1",
    ]
