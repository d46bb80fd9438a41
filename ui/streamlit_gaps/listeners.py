"""Listeners: what the browser does on every page beside Streamlit. They draw nothing.

Streamlit lacks what each of their files says, and no issue of Streamlit's is about all of them. It can go when the
last of them goes.
"""

from ui.streamlit_gaps.kept_focus import kept_focus
from ui.streamlit_gaps.phone_menu import phone_menu
from ui.streamlit_gaps.popover_focus import popover_focus
from ui.streamlit_gaps.printed_parts import printed_parts


def add_listeners() -> None:
    """Add them where the page is drawn now. Call it once on every page."""
    kept_focus("kept_focus")
    phone_menu("phone_menu")
    popover_focus("popover_focus")
    printed_parts("printed_parts")
