"""Byte caches: results shared by all sessions, bounded by the memory that they take, the last used ones kept.

A key must be a hash of all that the result was made from, so that only a session that has the same can get it.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from ui.work import process_memory
from ui.work.object_size import size_of

T = TypeVar("T")
_CACHES: "WeakSet[ByteCache[Any]]" = WeakSet()


def forget_all() -> None:
    """Forget the results of all caches. They are computed again when somebody asks for them."""
    for cache in list(_CACHES):
        cache.forget()


process_memory.when_full(forget_all)


class ByteCache(Generic[T]):
    """Results by key. The last result stays even if it alone is too large."""

    def __init__(self, most: int, size: Callable[[T], int] = size_of) -> None:
        """Make an empty cache. `most` is the number of bytes that all results may take together."""
        self._most = most
        self._size = size
        self._lock = threading.Lock()
        self._results: OrderedDict[str, T] = OrderedDict()  # the last used one at the end
        self._sizes: dict[str, int] = {}  # 0: to be measured, since a result may grow while it is used
        self._making: dict[str, threading.Lock] = {}
        _CACHES.add(self)

    def find(self, key: str) -> T | None:
        """Return the result of this key; None if it is not cached."""
        with self._lock:
            if key not in self._results:
                return None
            self._results.move_to_end(key)
            self._sizes[key] = 0
            return self._results[key]

    def put(self, key: str, result: T) -> None:
        """Add a result. Drops those that were used least recently, until all fit."""
        with self._lock:
            self._results[key] = result
            self._results.move_to_end(key)
            self._sizes[key] = 0
            while self._measured() > self._most and len(self._results) > 1:
                oldest, _ = self._results.popitem(last=False)
                del self._sizes[oldest]

    def get(self, key: str, make: Callable[[], T]) -> T:
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

    def forget(self) -> None:
        """Forget all results."""
        with self._lock:
            self._results.clear()
            self._sizes.clear()

    @property
    def size(self) -> int:
        """Number of bytes that all results take together."""
        with self._lock:
            return self._measured()

    def _measured(self) -> int:
        for key, size in self._sizes.items():
            if not size:
                self._sizes[key] = self._size(self._results[key])
        return sum(self._sizes.values())
