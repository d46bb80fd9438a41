"""The styles of the pages: `main.css` imports a sheet for each subject."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

from film.modules import join_styles, short_sheet

__all__ = ["add_styles"]


def add_styles() -> None:
    """Add the style sheets to the page. They take up no space on it."""
    st.html(f"<style>{_sheet()}</style>")


@cache
def _sheet() -> str:
    return short_sheet(join_styles(Path(__file__).parent / "main.css"))
