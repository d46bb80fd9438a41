"""All checks of what browsers send, for app.py, and what else must be there before the first page is drawn.

Streamlit lacks a public way to put them there, so each is imported only here: where a name that it stands on is gone,
the app opens without that check, and the log says so. It can go with the last of the checks.
"""

from collections.abc import Callable
from functools import cache

from ui.streamlit_gaps.put_before import log_missing


def _widget_messages() -> None:
    from ui.streamlit_gaps.widget_messages import check_widget_messages

    check_widget_messages()


def _late_messages() -> None:
    from ui.streamlit_gaps.late_messages import check_late_messages

    check_late_messages()


def _held_downloads() -> None:
    from ui.streamlit_gaps.held_downloads import hold_downloads

    hold_downloads()


def _held_address() -> None:
    from ui.streamlit_gaps.held_address import hold_addresses

    hold_addresses()


def _own_address() -> None:
    from ui.streamlit_gaps.own_address import ask_nobody

    ask_nobody()


def _short_log() -> None:
    from ui.streamlit_gaps.short_log import shorten_log

    shorten_log()


def _plain_data() -> None:
    from ui.streamlit_gaps.plain_data import take_data_as_it_is

    take_data_as_it_is()


CHECKS: dict[str, Callable[[], None]] = {
    "the check that a value fits its widget": _widget_messages,
    "the check that a report is of the page that is shown": _late_messages,
    "a time for which downloads are held": _held_downloads,
    "the order in which the history is kept and an address is written": _held_address,
    "the refusal to ask the internet for the server's address": _own_address,
    "a log with one line for what is no message": _short_log,
    "the shortcut that keeps pandas from loading": _plain_data,
}


@cache
def check_messages() -> None:
    """Put every check before Streamlit's own methods. Calling it again changes nothing."""
    for name, put in CHECKS.items():
        try:
            put()
        except Exception as error:  # whatever is missing: without a check, the pages still open
            log_missing(name, error)


@cache
def check_uploads(of_visitor: int, of_all: int) -> None:
    """Limit the bytes stored of one visitor's files and of all files. Doing it again changes nothing."""
    try:
        from ui.streamlit_gaps.upload_limits import Most, check_uploads

        check_uploads(Most(of_visitor, of_all))
    except Exception as error:  # as above
        log_missing("the limit of what one visitor, and all together, may upload", error)


def let_downloads_go() -> None:
    """Delete the downloads that are held for a moment, since memory is short."""
    try:
        from ui.streamlit_gaps.held_downloads import let_all_go

        let_all_go()
    except Exception as error:  # as above
        log_missing("a way to delete downloads", error)
