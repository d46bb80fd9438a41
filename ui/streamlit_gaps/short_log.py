"""Log one line, and not a traceback of 5 to 49 lines, when a browser sends something that is not a message.

Streamlit ends such a connection, which is right. It also logs where its own code read the message, which tells a host
nothing and lets anybody fill a disk. Streamlit lacks an option for it; no issue of Streamlit's is known to us. It can
go when `tests/ui/test_forged_widgets.py` passes without it.
"""

import logging

from streamlit.web.server.starlette import starlette_websocket

LOGGERS = (starlette_websocket.__name__, "uvicorn.error")
UNREADABLE = "DecodeError"  # the name of protobuf's error, which comes with Streamlit
NO_BYTES = ("bytes",)  # what Starlette misses in a message that is a text, as the arguments of its KeyError


def shorten_log() -> None:
    """Log a message that cannot be read in one line. Calling this twice changes nothing."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(_in_one_line)


def _in_one_line(record: logging.LogRecord) -> bool:
    """Take the traceback out of a record about a message that cannot be read. Return that it is logged."""
    error = record.exc_info[1] if record.exc_info else None
    if type(error).__name__ == UNREADABLE or (isinstance(error, KeyError) and error.args == NO_BYTES):
        record.msg, record.args = f"{record.getMessage().strip()}: {error!r}", ()
        record.exc_info = record.exc_text = None
    return True
