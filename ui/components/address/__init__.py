"""The link to what is on the page, read off the browser's address bar, so that neither can say more than the other."""

from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
_COMPONENT = st.components.v2.component(
    "address",
    html='<div class="address"></div>',
    css=(_HERE / "address.css").read_text("utf-8"),
    js=(_HERE / "address.js").read_text("utf-8"),
)


def address(key: str) -> None:
    """The address as it stands, with a button that copies it; where a grid leads the page, its step as well."""
    _COMPONENT(key=key, data={})
