"""Tell the view of a group what Python learns after it has drawn the view, so that its data is not sent again."""

import streamlit as st

from ui.view.component import COMPONENTS, component

_COMPONENT = component("told", COMPONENTS / "told")


def tell(group: str, name: str, value: object) -> None:
    """Tell it one value, which it had under this name before, if at all. Draws nothing where it stands."""
    with st.container(key=f"told_{name}"):  # empty
        _COMPONENT(key=f"{group}_told_{name}", data={"group": group, "told": {name: value}}, height=1)
