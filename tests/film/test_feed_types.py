"""The two halves of each contract agree: what Python writes into a page, and the types that JavaScript reads."""

import re
from types import UnionType
from typing import (
    Any,
    Literal,
    NewType,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import pytest

from film import feed, live
from film.feed import ChipLabel
from tests import ROOT

SCRIPT = (ROOT / "film/browser/shared/feed_types.js").read_text("utf-8")
LIVE_SCRIPT = (ROOT / "film/browser/trainer/live_types.js").read_text("utf-8")
TYPEDEF = re.compile(
    r"/\*\*(?:(?!\*/).)*?@typedef \{(?P<type>.+?)\} (?P<name>\w+)(?P<rest>.*?)\*/", re.DOTALL
)
PROPERTY = re.compile(r"@property \{(.+)\} (\[?)(\w+)")
PLAIN: dict[object, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    Any: "unknown",
}

Keys = dict[str, tuple[str, bool]]  # name -> (type in JSDoc, whether it is required)


def typedefs(script: str = SCRIPT) -> dict[str, tuple[str, Keys]]:
    """Return name -> (its type, its own properties) of every typedef of a script."""
    return {
        actual["name"]: (
            actual["type"],
            {name: (kind, not optional) for kind, optional, name in PROPERTY.findall(actual["rest"])},
        )
        for actual in TYPEDEF.finditer(script)
    }


def keys_in_javascript(name: str) -> Keys:
    """Return all keys of a typedef, those of an intersection together."""
    kind, own = typedefs()[name]
    return (
        own
        if kind == "object"
        else {k: v for part in kind.split(" & ") for k, v in keys_in_javascript(part).items()}
    )


def keys_in_python(name: str) -> Keys:
    return keys_of(getattr(feed, name))


def keys_of(kind: Any) -> Keys:
    hints = get_type_hints(kind, include_extras=True)
    return {key: (written(hint), key in kind.__required_keys__) for key, hint in hints.items()}


def written(hint: Any) -> str:
    """Return a Python type in JSDoc's notation.

    >>> written(dict[str, int | None])
    'Record<string, number | null>'
    """
    if is_typeddict(hint) or isinstance(hint, NewType):
        return str(hint.__name__)
    if hint == ChipLabel:
        return "ChipLabel"
    origin, args = get_origin(hint), get_args(hint)
    if origin is NotRequired:
        return written(args[0])
    if origin is Literal:
        return " | ".join(str(value).lower() if isinstance(value, bool) else f'"{value}"' for value in args)
    if origin in (Union, UnionType):
        return " | ".join(map(written, args))
    if origin is list:
        return f"{written(args[0])}[]"
    if origin is dict:
        return f"Record<{', '.join(map(written, args))}>"
    return PLAIN[hint]


STRINGS = {name for name, kind in vars(feed).items() if isinstance(kind, NewType)}
SHAPES = sorted(name for name, kind in vars(feed).items() if is_typeddict(kind))


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_has_the_same_keys_and_types_in_both_languages(name: str) -> None:
    assert keys_in_javascript(name) == keys_in_python(name)


LIVE_SHAPES = {
    kind.__name__: kind
    for kind in (*vars(live).values(), *vars(live).values())
    if is_typeddict(kind) and kind is not live.Choices
}


def test_what_a_page_needs_to_train_has_the_same_keys_and_types_in_both_languages() -> None:
    in_javascript = {name: keys for name, (_, keys) in typedefs(LIVE_SCRIPT).items()}
    assert in_javascript == {name: keys_of(kind) for name, kind in LIVE_SHAPES.items()}


def test_javascript_has_no_shape_of_its_own() -> None:
    helpers = {f"{name}Keys" for name in SHAPES}
    assert set(typedefs()) - helpers == {*SHAPES, *STRINGS, "Feed", "ChipLabel"}


def test_a_name_for_strings_is_a_string() -> None:
    assert {typedefs()[name][0] for name in STRINGS} == {"string"}


def test_a_feed_is_one_of_two_kinds() -> None:
    assert typedefs()["Feed"][0] == written(feed.Feed) == "TrainingFeed | EncodingFeed"
