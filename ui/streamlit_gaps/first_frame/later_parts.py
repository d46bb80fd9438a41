"""Parts of the page that the browser receives after the first screen: the menus of the choices, when a visit begins.

Python needs the values of these controls before it can draw the page. The browser needs none of them for the first
frame, and the scripts and the layout of two dozen widgets would come before the grid. So what draws them runs
first, and what it sends is held back.

Streamlit lacks an order of sending other than that of drawing, and no issue of Streamlit's asks for one. This can go
when a container can be sent later than those below it. Where the names below are gone, nothing is held back.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from ui.streamlit_gaps.put_before import log_missing


@contextmanager
def held_back() -> Iterator[Callable[[], None]]:
    """Hold back what is drawn in the `with`. Yield a function that sends it, if it is still to come in this run."""
    context = _context()
    if context is None:
        yield lambda: None
        return
    messages: list[Any] = []
    pass_on = context._enqueue
    runner = pass_on.__self__

    def send() -> None:
        # A run that `st.stop` has ended would end again at the first message, as if it were still executing the page.
        executing, runner._execing = runner._execing, False
        try:
            while messages:
                pass_on(messages.pop(0))
        finally:
            runner._execing = executing

    def hold(message: Any) -> None:
        # Everything but elements, such as a change of the address, is no part of the page.
        (messages.append if message.WhichOneof("type") in ("delta", "ref_hash") else pass_on)(message)

    context._enqueue = hold
    try:
        yield send
    finally:
        context._enqueue = pass_on


def _context() -> Any:
    """Return the run's context, which passes messages on; None if it has another form, or without a run."""
    try:
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        context: Any = get_script_run_ctx(suppress_warning=True)
        return (
            context if context is not None and isinstance(context._enqueue.__self__._execing, bool) else None
        )
    except (ImportError, AttributeError) as error:
        _log_once(str(error))
        return None


@cache
def _log_once(problem: str) -> None:
    log_missing("an order in which the grid comes first", AttributeError(problem))
