"""The line of a talk: a Components v2 component that says where it is, and takes the keys from stop to stop."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from ui.components import component as message
from ui.components.component import component

_COMPONENT = component("talk", Path(__file__).parent)
KEY = "talk_bar"


def talk_bar(data: Mapping[str, Any], move: Callable[[int], None], leave: Callable[[], None]) -> None:
    """Draw the line.

    data: {title, number, of, minutes, notes, next, group, merges, votes, keys}; `votes` says whether the room votes on
        the merges, `keys` whether it takes the keys of the group on: a lesson's card does so itself.
    move: called with 1 or −1 before the next run if the viewer goes on or back.
    leave: called if the viewer ends the talk.
    """

    def moved() -> None:
        ways = {f"{way} from {data['number']}": by for way, by in (("next", 1), ("back", -1))}
        asked = message.read(st.session_state.get(KEY), "move", message.one_of(ways))
        if asked is not None:
            move(ways[asked])

    _COMPONENT(key=KEY, data=dict(data), on_move_change=moved, on_leave_change=leave, height="content")
