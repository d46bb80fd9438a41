"""The lanes of Compare as the tab “Languages” takes them."""

from ui.compare.measures.comparison import Comparison
from ui.language_tab.curves import Lane
from ui.sidebar.recipes.recipe import signature


def lanes_of(comparison: Comparison) -> list[Lane]:
    """Return the lanes of a comparison."""
    return [
        Lane.of(lane.title, trace, f"{signature(comparison.corpus, lane.recipe)} {lane.slug}", lane.recipe)
        for lane, trace in zip(comparison.lanes, comparison.traces, strict=True)
    ]
