"""A check before a method of Streamlit's own classes, for what Streamlit has no hook for."""

from collections.abc import Callable
from typing import Any

Method = Callable[..., Any]


def put_before(owner: type, name: str, checked: Callable[[Method], Method]) -> None:
    """Replace a method by `checked(method)`, made with functools.wraps. Doing so again changes nothing."""
    method = getattr(owner, name)
    if not hasattr(method, "__wrapped__"):
        setattr(owner, name, checked(method))
