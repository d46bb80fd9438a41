"""Register a component: a folder with `main.js` and optionally `main.css` and `main.html`."""

import json
from collections.abc import Callable, Collection, Mapping
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import streamlit as st

from film.modules import BROWSER
from ui.view.served import script_of
from ui.view.text import well_formed

__all__ = ["COMPONENTS", "browser_component", "component"]

COMPONENTS = Path(__file__).parent
_NOTHING = "<span></span>"  # Streamlit shows a component only if it has some HTML


def component(name: str, folder: Path, html: str | None = None) -> Callable[..., Any]:
    """Return the command that draws the component of this folder.

    html: instead of the folder's.
    """

    def register() -> Callable[..., Any]:
        return st.components.v2.component(
            name, html=_html(folder) if html is None else html, js=script_of(folder / "main.js")
        )

    return _registered_when_drawn(register)


def _registered_when_drawn(register: Callable[[], Callable[..., Any]]) -> Callable[..., Any]:
    """Return the command that the first call registers, when Streamlit is there."""
    registered: list[Callable[..., Any]] = []

    def draw(**how: Any) -> Any:
        if not registered:
            with _ONE_REGISTERS:
                if not registered:
                    registered.append(register())
        if "data" in how:
            how["data"] = _packed(how["data"])
        return registered[0](**how)

    return draw


_ONE_REGISTERS = Lock()  # sessions are threads


def _packed(sent: object) -> bytes:
    """Return what a component gets, as JSON in bytes.

    Streamlit would ask pandas and pyarrow whether lists and dictionaries are tables, and load both for this: 0.3 s of a
    processor when the first page opens, and 58 MB of the server's memory.
    """
    return json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _html(folder: Path) -> str:
    html = folder / "main.html"
    return html.read_text("utf-8").strip() if html.exists() else _NOTHING


@cache
def browser_component(folder: str) -> Callable[..., Any]:
    """Return the command that draws the component of a folder of `film/browser`, which films have, too."""
    return component(folder, BROWSER / folder)


# Messages of components. A browser may send anything, so every value is read by a reader.
#
# A reader takes what JSON can hold and returns the value that the component expects, or None for anything else.

_Value = TypeVar("_Value")
_Reader = Callable[[object], _Value | None]


def read(message: object, name: str, reader: _Reader[_Value]) -> _Value | None:
    """Return one value of a message; None if it is missing or not what the reader expects.

    >>> read({"step": 7}, "step", whole_number(0, 9)), read({"step": "7"}, "step", whole_number(0, 9))
    (7, None)
    """
    return reader(message.get(name)) if isinstance(message, Mapping) else None


def whole_number(low: int, high: int) -> _Reader[int]:
    """Return a reader of a whole number from `low` to `high`."""

    def reader(value: object) -> int | None:
        return value if type(value) is int and low <= value <= high else None

    return reader


def text(most: int) -> _Reader[str]:
    """Return a reader of a text of at most so many characters. Half characters become U+FFFD."""

    def reader(value: object) -> str | None:
        return well_formed(value) if isinstance(value, str) and len(value) <= most else None

    return reader


def one_of(choices: Collection[str]) -> _Reader[str]:
    """Return a reader of one of these texts."""

    def reader(value: object) -> str | None:
        return value if isinstance(value, str) and value in choices else None

    return reader


def texts(names: Collection[str], most: int) -> _Reader[dict[str, str]]:
    """Return a reader of texts by name. It leaves out what has another name or is no text."""

    def reader(value: object) -> dict[str, str] | None:
        if not isinstance(value, Mapping):
            return None
        by_name = {name: read(value, name, text(most)) for name in names}
        return {name: own for name, own in by_name.items() if own is not None}

    return reader


def octets(value: object) -> bytes | None:
    """Read a list of numbers from 0 to 255.

    >>> octets([108, 111]), octets([256])
    (b'lo', None)
    """
    octet = whole_number(0, 255)
    if not isinstance(value, list) or any(octet(number) is None for number in value):
        return None
    return bytes(value)


def pair_of(reader: _Reader[_Value]) -> _Reader[tuple[_Value, _Value]]:
    """Return a reader of a list of two such values."""

    def read_both(value: object) -> tuple[_Value, _Value] | None:
        values: list[Any] = value if isinstance(value, list) and len(value) == 2 else [None, None]
        left, right = map(reader, values)
        return None if left is None or right is None else (left, right)

    return read_both
