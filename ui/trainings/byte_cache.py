"""Byte caches: results shared by all sessions, bounded by the memory that they take, the last used ones kept.

A key must be a hash of all that the result was made from, so that only a session that has the same can get it.
"""

import hashlib
import sys
import threading
from array import array
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from ui.trainings import process_memory

_PLAIN = (str, bytes, bytearray, int, float, array, range)  # sys.getsizeof says it all
_SHARED = (type, FunctionType, BuiltinFunctionType, MethodType, ModuleType)  # the program itself holds these
_T = TypeVar("_T")
_CACHES: "WeakSet[ByteCache[Any]]" = WeakSet()


def size_of(value: object) -> int:
    """Return about how many bytes the object keeps in memory, with all that it refers to.

    Of a long collection some items, evenly spread, stand for all.
    """
    return round(_size(value, set()))


class ByteCache(Generic[_T]):
    """Results by key. The last result stays even if it alone is too large, until a visitor leaves."""

    def __init__(self, most: int, size: Callable[[_T], int] = size_of) -> None:
        """Make an empty cache. `most` is the number of bytes that all results may take together."""
        self._most = most
        self._size = size
        self._lock = threading.Lock()
        self._results: OrderedDict[str, _T] = OrderedDict()  # the last used one at the end
        self._sizes: dict[str, int] = {}  # 0: to be measured, since a result may grow while it is used
        self._making: dict[str, threading.Lock] = {}
        _CACHES.add(self)

    def find(self, key: str) -> _T | None:
        """Return the result of this key; None if it is not cached."""
        with self._lock:
            if key not in self._results:
                return None
            self._results.move_to_end(key)
            self._sizes[key] = 0
            return self._results[key]

    def put(self, key: str, result: _T) -> None:
        """Add a result. Drops those that were used least recently, until all fit."""
        with self._lock:
            self._results[key] = result
            self._results.move_to_end(key)
            self._sizes[key] = 0
            self._drop(stays=1)

    def get(self, key: str, make: Callable[[], _T]) -> _T:
        """Return the result of this key. Make it if it is not cached; others who ask meanwhile wait for it."""
        result = self.find(key)
        if result is not None:
            return result
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        try:
            with making:
                result = self.find(key)
                if result is None:
                    result = make()
                    self.put(key, result)
                return result
        finally:
            with self._lock:
                self._making.pop(key, None)

    def fit(self) -> None:
        """Drop what does not fit, the last result too. All are measured: they may have grown since they were used."""
        with self._lock:
            self._sizes = dict.fromkeys(self._results, 0)
            self._drop(stays=0)

    def forget(self) -> None:
        """Forget all results."""
        with self._lock:
            self._results.clear()
            self._sizes.clear()

    @property
    def holds(self) -> bool:
        """Whether there is a result."""
        return bool(self._results)

    @property
    def size(self) -> int:
        """Number of bytes that all results take together."""
        with self._lock:
            return self._measured()

    def _drop(self, stays: int) -> None:
        while self._measured() > self._most and len(self._results) > stays:
            oldest, _ = self._results.popitem(last=False)
            del self._sizes[oldest]

    def _measured(self) -> int:
        for key, size in self._sizes.items():
            if not size:
                self._sizes[key] = self._size(self._results[key])
        return sum(self._sizes.values())


def digest_of(*values: object) -> str:
    """Return a hash of the values, for keys of caches and widgets.

    The end of one is never taken for the beginning of the next: a name may hold any character, so none separates.

    >>> digest_of("a", "b c") == digest_of("a b", "c")
    False
    """
    digest = hashlib.sha256()
    for value in values:
        content = repr(value).encode("utf-8", "backslashreplace")
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.hexdigest()


def fit_all() -> None:
    """Drop the results that do not fit into their caches: the visitor who needed them may have left.

    What somebody else shows is computed again, if nothing but the cache held it.
    """
    for cache in list(_CACHES):
        cache.fit()


def _forget_all() -> None:
    """Forget the results of all caches. They are computed again when somebody asks for them."""
    for cache in list(_CACHES):
        cache.forget()


def _hold_any() -> bool:
    """Return whether a cache has a result."""
    return any(cache.holds for cache in list(_CACHES))


process_memory.when_full(_forget_all, _hold_any)


def _size(value: Any, seen: set[int]) -> float:
    if value is None or isinstance(value, _SHARED) or id(value) in seen:
        return 0
    seen.add(id(value))
    own = sys.getsizeof(value)
    if isinstance(value, _PLAIN):
        return own
    if isinstance(value, Mapping):
        return own + _of_items(value.items(), len(value), seen)
    if isinstance(value, list | tuple | set | frozenset | deque):
        return own + _of_items(value, len(value), seen)
    return own + sum(_size(attribute, seen) for attribute in _attributes(value))


def _of_items(items: Iterable[Any], number: int, seen: set[int]) -> float:
    step = max(1, number // 64)  # items of a longer collection that are measured
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
