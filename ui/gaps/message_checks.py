"""All checks of what browsers send, for app.py, and what else must be there before the first page is drawn.

Streamlit lacks a public way to put them there, so each is imported only here: where a name that it stands on is gone,
the app opens without that check, and the log says so. It can go with the last of the checks.
"""

from functools import cache
from importlib import import_module

from ui.gaps.put_before import log_missing

# What each gap puts before Streamlit's methods -> its module here, and the function that puts it.
_CHECKS = {
    "the check that a value fits its widget": ("widget_messages", "check_widget_messages"),
    "the check that a report is of the page that is shown": ("late_messages", "check_late_messages"),
    "a theme that is made once": ("theme_once", "keep_theme"),
    "a queue that is sent whole": ("whole_queue", "keep_queue_whole"),
    "the order in which the history is kept and an address is written": ("held_address", "hold_addresses"),
}


@cache
def check_messages() -> None:
    """Put every check before Streamlit's own methods. Calling it again changes nothing."""
    for name, (module, function) in _CHECKS.items():
        try:
            getattr(import_module(f"{__package__}.{module}"), function)()
        except Exception as error:  # whatever is missing: without a check, the pages still open
            log_missing(name, error)
