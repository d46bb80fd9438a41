"""The stage of several lanes: a Components v2 component in which the grids of a group stand side by side.

The grids move here from the elements that Streamlit makes for them, so that one CSS grid keeps them in line.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ui.components.component import component

_COMPONENT = component("lane_stage", Path(__file__).parent)


@dataclass(frozen=True, slots=True)
class LaneState:
    """How far the training of a lane has come."""

    title: str
    text: str  # "waiting", "merge 120 of 1,000", "ready"
    share: float  # of its merges, 0 to 1


def lane_stage(group: str, *, key: str, brief: bool = False, states: Sequence[LaneState] = ()) -> None:
    """Draw the stage that the lanes of a group move to, with their transport.

    brief: whether lanes show only their name, merge and words where the stage is as narrow as a phone.
    states: how far all lanes are, in order, while some are trained. Where a lane has no grid yet, its state appears.
    """
    _COMPONENT(key=key, data={"group": group, "brief": brief, "states": [asdict(state) for state in states]})
