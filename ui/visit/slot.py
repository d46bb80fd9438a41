"""A private value of the session, besides those of its widgets. The module that reads and writes it defines it.

Other modules call that module's functions. The keys of widgets are public and are defined beside the widgets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Slot(Generic[T]):
    """One private value of the session. `begin` makes its first value."""

    key: str
    begin: Callable[[], T]

    def read(self) -> T:
        """Return the value. A dict or list may be changed in place."""
        if self.key not in st.session_state:
            st.session_state[self.key] = self.begin()
        value: T = st.session_state[self.key]
        return value

    def write(self, value: T) -> None:
        """Replace the value."""
        st.session_state[self.key] = value

    def forget(self) -> None:
        """Reset the value to its first value."""
        st.session_state.pop(self.key, None)


LARGE: list[Slot[Any]] = []  # what counts as a visitor's memory


def large(slot: Slot[T]) -> Slot[T]:
    """Return the slot, and count what it holds as the visitor's memory."""
    LARGE.append(slot)
    return slot


def nothing() -> None:
    """Begin with None."""
