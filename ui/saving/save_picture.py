"""Save picture: the grid on a page as an SVG, PNG or GIF file. The viewer's browser makes it from the grid's data."""

import streamlit as st

from film.modules import BROWSER
from ui.components.component import component
from ui.streamlit_gaps.popover import open_popover

_COMPONENT = component("picture", BROWSER / "picture")
FORMATS = ("svg", "png", "gif")


def save_picture(group: str, footer: str) -> None:
    """Draw the popover that saves a picture of the grids of a group. The footer is a line below the picture."""
    popover = open_popover("Save picture", "image", "save_picture_popover")
    if popover is None:
        return
    with popover:
        st.write("The grid as it is now, with its headline, for slides and papers.")
        for kind in FORMATS:
            _COMPONENT(key=f"save_{kind}", data={"kind": kind, "group": group, "footer": footer})
