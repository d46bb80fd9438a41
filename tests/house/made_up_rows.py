"""Add a row to each registry before the app is imported, then find it in menus and guards. For test_registries.py.

Registries are read-only, and menus are made from them on import. So this runs in its own process: `python -m
tests.house.made_up_rows`.
"""

# ruff: noqa: E402  # imports follow what must happen before them

import types
from collections.abc import Mapping, MutableMapping
from dataclasses import replace
from typing import TypeVar, cast

import streamlit  # noqa: F401  # first, so that only the core sees the mapping below

read_only, types.MappingProxyType = types.MappingProxyType, dict  # type: ignore[assignment, misc]  # to add rows
import bpe

types.MappingProxyType = read_only  # type: ignore[misc]  # restored

Row = TypeVar("Row")


def add(registry: Mapping[str, Row], slug: str, row: Row) -> None:
    """Add the row to a registry."""
    cast(MutableMapping[str, Row], registry)[slug] = row


add(
    bpe.VARIANTS,
    "upper",
    replace(
        bpe.VARIANTS["char-eow-attached"],
        slug="upper",
        title="Upper case",
        split=lambda text: text.upper().split(),
    ),
)
add(bpe.TIE_BREAKS, "coin", replace(bpe.TIE_BREAKS["random"], slug="coin", title="Coin"))
add(bpe.TIE_BREAKS, "finger", replace(bpe.TIE_BREAKS["manual"], slug="finger", title="Finger"))
add(bpe.ENCODERS, "walk", replace(bpe.ENCODERS["prefix"], slug="walk", title="Walk"))
add(
    bpe.PRESETS,
    "mine",
    replace(
        bpe.PRESETS["paper"],
        slug="mine",
        title="My trainer",
        settings={"variant": "upper", "tie_break": "coin"},
    ),
)

from bpe.comparison.lanes import rules
from tests.app import open_app, row_titles, run, type_text
from ui.page_parts.compare.lanes import read_lane
from ui.page_parts.encode.encoded_text import refusal
from ui.trainings.recipe import Recipe


def choices_offer_the_rows() -> None:
    """Find the rows in the menus, a seed for the seeded rule, and a variant whose words are known to end at spaces."""
    app = open_app({"preset": "mine"})
    assert "My trainer" in row_titles(app, "preset")
    assert app.selectbox(key="variant").value == "upper"
    assert app.number_input(key="seed").value == 0
    app = type_text(app, "日本語の文です")
    assert any("White space does not" in caption.value for caption in app.caption)


def encode_offers_and_guards_the_encoder() -> None:
    """Find the encoder for learned and typed vocabularies, and refused where its work has no bound."""
    app = open_app(encode_text="low lower")
    app.switch_page("pages/encode.py")
    run(app)
    assert "Walk" in app.selectbox(key="encode_encoder").options
    app.session_state["encode_source"] = "typed"
    run(app)
    assert "Walk" in app.selectbox(key="encode_encoder").options
    assert "Upper case" in app.selectbox(key="encode_variant").options
    tokenizer = bpe.train("low lower", merges=3).tokenizer()
    assert refusal(tokenizer, bpe.ENCODERS["walk"], "l" * 90, most=100)
    assert refusal(tokenizer, bpe.ENCODERS["rank"], "l" * 90, most=100) is None


def compare_offers_the_rule() -> None:
    """Find the seeded rule among the lanes, with its seed, and no lane for the rule by hand."""
    assert "coin" in rules()
    assert "finger" not in rules()
    shared = Recipe("mine", "upper", "coin", merges=4)
    assert read_lane("coin_s7", shared).recipe.settings["seed"] == 7
    assert read_lane("mine", shared).title == "My trainer"


if __name__ == "__main__":
    choices_offer_the_rows()
    encode_offers_and_guards_the_encoder()
    compare_offers_the_rule()
