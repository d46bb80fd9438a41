"""The compared lanes in the session state, and the names given to branches."""

from collections.abc import Sequence

import streamlit as st

from bpe import BPEError
from ui.compare.choice import lanes
from ui.sidebar.recipes.recipe import Recipe
from ui.sidebar.recipes.settings import Value
from ui.visit import Slot, nothing

# The corpus and the settings that branches belong to
LANES_SCOPE: Slot[tuple[Value, ...]] = Slot("_lanes_scope", tuple)
# Warnings about the link, and about a lane that was dropped
LANES_WARNINGS: Slot[list[str]] = Slot("_lanes_ignored", list)
# Lanes for the next run
NEXT_LANES: Slot[list[str] | None] = Slot("_lanes_next", nothing)
# Names by corpus and settings, then by lane
BRANCH_NAMES: Slot[dict[tuple[Value, ...], dict[str, str]]] = Slot("_branch_names", dict)

KEY = "lanes"  # of the menu: a list of slugs


def is_lane(slug: object, shared: Recipe) -> bool:
    """Return whether a slug names a lane under the sidebar's recipe."""
    try:
        return bool(lanes.read_lane(str(slug), shared))
    except BPEError:
        return False


def is_branch(slug: str, shared: Recipe) -> bool:
    """Return whether a slug names a lane with pairs picked by hand."""
    return is_lane(slug, shared) and bool(lanes.read_lane(slug, shared).recipe.picks)


def put_lanes(slugs: Sequence[str]) -> None:
    """Compare these lanes. Call it before the menu is drawn, or in a callback."""
    st.session_state[KEY] = list(dict.fromkeys(slugs))
    forget_warnings()


def request_lanes(slugs: Sequence[str]) -> None:
    """Request these lanes for the next run of the page."""
    NEXT_LANES.write(list(slugs))


def put_requested_lanes() -> None:
    """Compare the lanes that the last run requested, if it did."""
    slugs = NEXT_LANES.read()
    if slugs is not None:
        put_lanes(slugs)
        NEXT_LANES.forget()


def set_scope(scope: tuple[Value, ...]) -> bool:
    """Set the corpus and the settings that branches belong to; return whether they have changed since the last run."""
    before = LANES_SCOPE.read()
    LANES_SCOPE.write(scope)
    return before not in ((), scope)


def warnings() -> list[str]:
    """Return the sentences about ignored lanes of the link. Callers may append to the list."""
    return LANES_WARNINGS.read()


def forget_warnings() -> None:
    """Forget the sentences about ignored lanes, which the viewer has changed."""
    LANES_WARNINGS.forget()


def branch_names() -> dict[str, str]:
    """Return {slug: name} for the current corpus and variant. Elsewhere the same slug is another branch."""
    return BRANCH_NAMES.read().setdefault(LANES_SCOPE.read(), {})
