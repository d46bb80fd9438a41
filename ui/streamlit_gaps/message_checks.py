"""All checks of what browsers send, for app.py. They are there before the first page is drawn."""

from ui.streamlit_gaps.late_messages import check_late_messages
from ui.streamlit_gaps.widget_messages import check_widget_messages


def check_messages() -> None:
    """Put every check before Streamlit's own methods. Calling it again changes nothing."""
    check_widget_messages()
    check_late_messages()
