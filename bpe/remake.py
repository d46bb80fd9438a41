"""Remaking: how objects that hold functions are pickled.

A pickle cannot hold a function that was made while the program ran. It holds what the object was made from instead: the
slug of a row, a pattern, the parts of a file.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any

Reduced = tuple[Callable[..., Any], tuple[Any, ...]]  # a function of a module, and its arguments
Remake = Callable[[], Reduced]


def reduced(whole: Any, remake: Remake | None) -> Reduced:
    """Return what `__reduce__` of a frozen dataclass must return: by `remake`, or by its fields."""
    return by_fields(whole) if remake is None else remake()


def by_fields(whole: Any, **instead: object) -> Reduced:
    """Return how a dataclass is made again from its fields; `instead` replaces some of them."""
    values = {field.name: getattr(whole, field.name) for field in fields(whole) if field.init}
    return _with_fields, (type(whole), values | instead)


def row_of(module: str, name: str, slug: str) -> Any:
    """Return the row of a registry."""
    return getattr(import_module(module), name)[slug]


def _with_fields(kind: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    return kind(**values)
