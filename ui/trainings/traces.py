"""The complete traces of all sessions, by name. A name is a hash of text and recipe (`signature`).

So who gets a trace has the same text and recipe, and nobody can find out another's text.
"""

from weakref import WeakValueDictionary

from bpe import Trace
from ui.work import limits
from ui.work.byte_cache import ByteCache

MOST_BYTES = limits.TRACES.value() * 10**6  # of the traces that no session shows any more

_CACHE: ByteCache[Trace] = ByteCache(MOST_BYTES)
_IN_USE: WeakValueDictionary[str, Trace] = WeakValueDictionary()  # also those that are too many for the cache


def find(name: str) -> Trace | None:
    """Return the trace of this name, if it is cached or some session shows it."""
    return _CACHE.find(name) or _IN_USE.get(name)


def put(name: str, trace: Trace) -> None:
    """Add a complete trace."""
    _IN_USE[name] = trace
    _CACHE.put(name, trace)
