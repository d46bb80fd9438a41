"""What waits for the browser is sent whole, in the order in which it was drawn.

When a fragment begins to run, Streamlit 1.67 drops what that fragment has queued and not yet sent
(`ForwardMsgQueue.clear`). It keeps what stands inside that fragment, in another one, and what stands below it. On a
server that is late with sending, the browser then gets elements whose container, or whose neighbour above, never came,
and the page dies. Sent whole, they come as they do from a server that is not late.

docs/streamlit-faults.md has the fault in words. This can go when `tests/ui/test_streamlit_gaps.py` passes without it.
"""

from typing import Any

from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from ui.gaps.put_before import put_before


def keep_queue_whole() -> None:
    """Let a fragment that begins to run drop nothing. Raises GoneError if that is impossible."""
    put_before(ForwardMsgQueue, "clear", ["retain_lifecycle_msgs", "fragment_ids_this_run"], _keep)


def _keep(
    queue: Any, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
) -> tuple[bool] | None:
    """Return the arguments for Streamlit's method; None if a fragment begins to run."""
    if fragment_ids_this_run is None:
        return (retain_lifecycle_msgs,)
    queue._delta_index_map = {}  # nothing of the new run takes the place of what was queued before it
    return None
