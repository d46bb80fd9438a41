"""The button Stop inside a fragment, beside the progress of the work that it stops.

Streamlit lacks a button in a fragment whose click runs the whole page; since
https://github.com/streamlit/streamlit/issues/10501 its callback may ask for that run. It can go when
`st.button` takes the scope of its rerun.
"""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def stop_button(row: DeltaGenerator, key: str, stop: Callable[[], None]) -> None:
    """Draw the button. A click calls `stop` and runs the whole page.

    A click would run its fragment only. If the progress asks for its next run at that moment, Streamlit reports the
    fragment's run as interrupted, and the browser keeps what it has removed: the button itself. The end of a whole run
    is never reported so.
    """
    row.button("Stop", key=key, on_click=_stop, args=(stop,))


def _stop(stop: Callable[[], None]) -> None:
    stop()
    st.rerun()
