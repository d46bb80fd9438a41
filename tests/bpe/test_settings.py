"""The settings of a training: one list, shown wherever they are accepted."""

from collections.abc import Callable
from dataclasses import fields
from inspect import Parameter, getdoc, signature
from typing import Any

import pytest

import bpe
from bpe.settings.request import TrainingRequest, read_request

SETTINGS = signature(read_request).parameters
TAKERS = {"train": bpe.train, "train_steps": bpe.train_steps}


@pytest.mark.parametrize("function", TAKERS.values(), ids=TAKERS)
def test_help_shows_every_setting_with_its_default_and_meaning(function: Callable[..., Any]) -> None:
    parameters = signature(function).parameters
    assert list(parameters) == ["text", *SETTINGS]
    text = getdoc(function)
    assert text is not None
    for name, setting in SETTINGS.items():
        assert parameters[name] == setting
        assert text.count(f"\n    {name}: ") == 1, name
    assert all(
        setting.kind is Parameter.KEYWORD_ONLY
        for name, setting in SETTINGS.items()
        if name not in ("variant", "tie_break")
    )


def test_a_request_holds_every_setting() -> None:
    """Patterns and the unit are the variants'; `pieces`, `max_token_length` and `second_words` become functions.

    `normalizer` is no setting: a replay takes it from its tokenizer. `joins_unknown` belongs to the rule for `pieces`.
    """
    held = {field.name for field in fields(TrainingRequest)}
    own = {"pattern", "unit", "pieces", "second_pattern", "second_words", "max_token_length"}
    assert held - {"given", "normalizer", "joins_unknown"} == set(SETTINGS) - own | {
        "may_merge",
        "second",
        "second_limit",
    }


@pytest.mark.parametrize("preset", bpe.PRESETS.values(), ids=lambda preset: preset.slug)
def test_a_preset_gives_settings_only(preset: bpe.Preset) -> None:
    assert preset.settings.keys() <= SETTINGS.keys()
    assert preset.settings == {
        name: value
        for name, value in read_request(**preset.settings).given.items()
        if name in preset.settings
    }


def test_default_settings_are_not_among_those_given() -> None:
    defaults = {name: setting.default for name, setting in SETTINGS.items()}
    assert read_request(**defaults).given == {"variant": "char-eow", "tie_break": "first"}


def test_a_unit_or_a_pattern_alone_configures_the_custom_variant() -> None:
    characters = read_request("custom", unit="characters")
    assert (characters.variant.unit, characters.variant.pattern) == (
        "characters",
        bpe.VARIANTS["custom"].pattern,
    )
    assert read_request("custom", pattern="[a-z]").given == {
        "variant": "custom",
        "tie_break": "first",
        "pattern": "[a-z]",
        "unit": "bytes",
    }


LONG = {
    "alphabet": "ab" * 1000,
    "tie_break": "a" * 9_999,
    "special_tokens": "a" * 9_999,
    "merges": "7" * 9_999,
}


@pytest.mark.parametrize("name", [*LONG, "a symbol"])
def test_an_error_shows_only_the_beginning_of_a_long_value(name: str) -> None:
    wrong: dict[str, Any] = {name: LONG[name]} if name in LONG else {"alphabet": ["a" * 100_000]}
    with pytest.raises(bpe.BPEError) as error:
        bpe.train("low lower", **wrong)
    assert len(str(error.value)) < 300
