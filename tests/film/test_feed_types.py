"""The two halves of each contract agree: what Python writes into a page, and the types that JavaScript reads."""

import re
from typing import Any, get_type_hints, is_typeddict

from film import feed, live
from film.feed import in_jsdoc
from tests import ROOT

SCRIPT = (ROOT / "film/browser/shared/feed_types.js").read_text("utf-8")
LIVE_SCRIPT = (ROOT / "film/browser/trainer/live_types.js").read_text("utf-8")
TYPEDEF = re.compile(
    r"/\*\*(?:(?!\*/).)*?@typedef \{(?P<type>.+?)\} (?P<name>\w+)(?P<rest>.*?)\*/", re.DOTALL
)
PROPERTY = re.compile(r"@property \{(.+)\} (\[?)(\w+)")
Keys = dict[str, tuple[str, bool]]  # name -> (type in JSDoc, whether it is required)


def typedefs(script: str) -> dict[str, tuple[str, Keys]]:
    """Return name -> (its type, its own properties) of every typedef of a script."""
    return {
        actual["name"]: (
            actual["type"],
            {name: (kind, not optional) for kind, optional, name in PROPERTY.findall(actual["rest"])},
        )
        for actual in TYPEDEF.finditer(script)
    }


def keys_of(kind: Any) -> Keys:
    hints = get_type_hints(kind, include_extras=True)
    return {key: (in_jsdoc(hint), key in kind.__required_keys__) for key, hint in hints.items()}


def test_the_browser_has_the_types_that_python_writes() -> None:
    """If not, run `python -m film.feed > film/browser/shared/feed_types.js`."""
    assert feed.javascript() == SCRIPT


def test_every_shape_and_each_of_its_keys_is_written() -> None:
    shapes = {name: kind for name, kind in vars(feed).items() if is_typeddict(kind)}
    written = typedefs(SCRIPT)
    assert set(written) == {*shapes, "Packed", "Hex", "Feed", "ChipLabel", "StrandKind"}
    for name, kind in shapes.items():
        assert written[name] == ("object", keys_of(kind))
    assert written["Feed"][0] == "TrainingFeed | EncodingFeed"


LIVE_SHAPES = {
    kind.__name__: kind
    for kind in (*vars(live).values(), *vars(live).values())
    if is_typeddict(kind) and kind is not live.Choices
}


def test_what_a_page_needs_to_train_has_the_same_keys_and_types_in_both_languages() -> None:
    in_javascript = {name: keys for name, (_, keys) in typedefs(LIVE_SCRIPT).items()}
    assert in_javascript == {name: keys_of(kind) for name, kind in LIVE_SHAPES.items()}
