"""Register a component: a folder with `main.js` and optionally `main.css` and `main.html`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from film.modules import join_scripts, join_styles, without_comments

__all__ = ["component"]

NOTHING = "<span></span>"  # Streamlit shows a component only if it has some HTML


def component(name: str, folder: Path) -> Callable[..., Any]:
    """Register the component of this folder with Streamlit and return the command that draws it."""
    html, css = folder / "main.html", folder / "main.css"
    return st.components.v2.component(
        name,
        html=html.read_text("utf-8").strip() if html.exists() else NOTHING,
        css=without_comments(join_styles(css)) if css.exists() else None,
        js=without_comments(join_scripts(folder / "main.js")),
    )
