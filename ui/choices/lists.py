"""Menus of slugs as lists that show what they choose. The session holds the chosen slug under the menu's key."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from ui.gaps.run_context import runs_part
from ui.trainings.memory_budget import fragment
from ui.view.choice_list import Contents, ListRow, choice_list

_COMPARE = Path(__file__).parents[2] / "pages" / "compare.py"


@dataclass(frozen=True, slots=True)
class Listing:
    """A menu as a list. `rows` makes the rows of some slugs; `names` is what their names for tests begin with."""

    names: str
    rows: Callable[[Iterable[str]], Sequence[ListRow]]
    contents: Callable[[int], Contents | None]  # at a step of the training that the page shows
    act: Callable[[], None] | None = None  # a callback of its button, which leads to Compare
    takes: Callable[[str], bool] = lambda slug: False  # whether this, which is no row, can be taken too


def _nothing() -> None:
    """Do nothing more than choosing."""


@fragment
def draw_list(
    listing: Listing,
    slugs: Sequence[str],
    key: str,
    label: str,
    chosen: Callable[[], None] = _nothing,
    read: Callable[[str], object] = str,
) -> None:
    """Draw the list of these slugs, one of which the session holds.

    chosen: a callback after the session has got another slug.
    read: makes the session's value of a slug.
    """

    def choose(slug: str) -> None:
        st.session_state[key] = read(slug)
        chosen()

    done = choice_list(
        listing.rows(slugs),
        str(st.session_state[key]),
        key=f"{key}_list",
        label=label,
        names=listing.names,
        # A run of the whole page comes before its training, so what the rows show would be that of the one before.
        contents=lambda step: listing.contents(step) if runs_part() else None,
        choose=choose,
        act=listing.act,
        takes=listing.takes,
    )
    if done == "acted":
        st.switch_page(_COMPARE)
    elif done:
        st.rerun()
