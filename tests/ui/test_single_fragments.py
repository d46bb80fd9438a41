"""No part of a page that runs alone stands inside another one."""

from collections.abc import Iterator

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1 import AppTest


def page() -> None:
    """Draw a part with a part that runs again and again until the work is done."""
    import streamlit as st

    from ui.streamlit_gaps.single_fragments import fragment

    @fragment
    def outer() -> None:
        st.caption("outer")
        if not st.session_state.get("is_done"):
            fragment(lambda: st.caption("inner"), run_every=0.5)()

    outer()


@pytest.fixture
def sent() -> Iterator[list[ForwardMsg]]:
    """Yield a list that gets every message of a page."""
    messages: list[ForwardMsg] = []
    ForwardMsgQueue.on_before_enqueue_msg(messages.append)
    yield messages
    ForwardMsgQueue.on_before_enqueue_msg(None)


def test_a_part_inside_another_runs_with_that_until_it_is_gone(sent: list[ForwardMsg]) -> None:
    at = AppTest.from_function(page).run()
    assert [caption.value for caption in at.caption] == ["outer", "inner"]
    (outer,) = {message.delta.fragment_id for message in sent if message.delta.fragment_id}
    (repeat,) = [message.auto_rerun for message in sent if message.WhichOneof("type") == "auto_rerun"]
    assert (repeat.fragment_id, repeat.interval) == (outer, 0.5)
    sent.clear()
    at.session_state["is_done"] = True
    at.run()
    kinds = {message.WhichOneof("type"): message for message in sent}
    assert list(kinds["stop_auto_rerun"].stop_auto_rerun.fragment_ids) == [outer]
    assert "auto_rerun" not in kinds
    sent.clear()
    at.run()
    assert "stop_auto_rerun" not in {message.WhichOneof("type") for message in sent}
