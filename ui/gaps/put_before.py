"""A check before a method of Streamlit's own classes.

Streamlit lacks a hook that sees a browser's message before any code of the app runs. These classes are no public
interface, so a check looks first at what it stands on. Where that is gone, also later, the app runs without the check,
and the log says so. It can go when Streamlit has such a hook.
"""

import inspect
import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any

_LOG = logging.getLogger(__name__)

# Takes the object and the arguments of a call. Returns the arguments to call the method with, None for no call, or what
# is to be around the call as it is.
_Check = Callable[..., tuple[Any, ...] | AbstractContextManager[None] | None]


class GoneError(Exception):
    """Something of Streamlit's that a check stands on has another name or another form."""


def put_before(owner: type, name: str, parameters: Sequence[str], check: _Check) -> None:
    """Let `check` see each call of a method first. Doing so again changes nothing.

    Raises GoneError if the class has no such method with these parameters.
    """
    method = getattr(owner, name, None)
    if method is None:
        raise GoneError(f"{owner.__name__}.{name} does not exist")
    if hasattr(method, "__wrapped__"):
        return
    if list(inspect.signature(method).parameters) != ["self", *parameters]:
        raise GoneError(f"{owner.__name__}.{name} has other parameters")

    @wraps(method)
    def checked(self: Any, *given: Any, **named: Any) -> Any:
        try:
            passed = check(self, *given, **named)
        except Exception as error:  # whatever is missing now: without the check, the page still opens
            setattr(owner, name, method)
            log_missing(f"the check before {owner.__name__}.{name}", error)
            return method(self, *given, **named)
        if isinstance(passed, tuple):
            return method(self, *passed)
        if passed is None:
            return None
        with passed:
            return method(self, *given, **named)

    setattr(owner, name, checked)


def log_missing(what: str, error: Exception) -> None:
    """Write into the server's log that the app runs without something, and why."""
    _LOG.warning("Merge by Merge runs without %s: %s: %s", what, type(error).__name__, error)
