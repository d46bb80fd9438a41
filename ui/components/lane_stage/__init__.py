"""The stage of several lanes: a Components v2 component in which the grids of a group stand side by side.

The grids move here from the elements that Streamlit makes for them, so that one CSS grid keeps them in line.
"""

from pathlib import Path

from ui.components.component import component

_COMPONENT = component("lane_stage", Path(__file__).parent)


def lane_stage(group: str, *, key: str, brief: bool = False) -> None:
    """Draw the stage that the lanes of a group move to, with their transport.

    brief: whether lanes show only their name, merge and words where the stage is as narrow as a phone.
    """
    _COMPONENT(key=key, data={"group": group, "brief": brief})
