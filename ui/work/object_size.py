"""Object size: how many bytes of memory an object keeps, estimated well enough to bound a cache."""

import sys
from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

SAMPLE = 64  # items of a longer collection that are measured
PLAIN = (str, bytes, bytearray, int, float, array, range)  # sys.getsizeof says it all
SHARED = (type, FunctionType, BuiltinFunctionType, MethodType, ModuleType)  # the program itself holds these


def size_of(value: object) -> int:
    """Return about how many bytes the object keeps in memory, with all that it refers to.

    Of a long collection some items, evenly spread, stand for all.
    """
    return round(_size(value, set()))


def _size(value: Any, seen: set[int]) -> float:
    if value is None or isinstance(value, SHARED) or id(value) in seen:
        return 0
    seen.add(id(value))
    own = sys.getsizeof(value)
    if isinstance(value, PLAIN):
        return own
    if isinstance(value, Mapping):
        return own + _of_items(value.items(), len(value), seen)
    if isinstance(value, list | tuple | set | frozenset | deque):
        return own + _of_items(value, len(value), seen)
    return own + sum(_size(attribute, seen) for attribute in _attributes(value))


def _of_items(items: Iterable[Any], number: int, seen: set[int]) -> float:
    step = max(1, number // SAMPLE)
    sizes = [_size_of_item(item, seen) for item in islice(items, 0, None, step)]
    return sum(sizes) * number / len(sizes) if sizes else 0


def _size_of_item(item: Any, seen: set[int]) -> float:
    return (
        _size(item[0], seen) + _size(item[1], seen)
        if type(item) is tuple and len(item) == 2
        else _size(item, seen)
    )


def _attributes(value: Any) -> Iterator[Any]:
    yield from list(getattr(value, "__dict__", {}).values())
    for cls in type(value).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            yield getattr(value, name, None)
