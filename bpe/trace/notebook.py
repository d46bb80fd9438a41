"""What a notebook shows for a trace: its film, if the package `film` is installed."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # only for the type: the trace imports this module
    from bpe.trace.trace import Trace


def notebook_html(trace: "Trace") -> str | None:
    """Return the film of a trace as HTML; None without the package `film`, or if the film would be too large."""
    try:
        from film.notebook import trace_frame
    except ModuleNotFoundError as error:
        if error.name not in ("film", "film.notebook"):
            raise
        return None
    return trace_frame(trace)
