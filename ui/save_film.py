"""Save film: the training on a page as one HTML file that works without the app, and code to embed it elsewhere."""

from collections.abc import Callable

import streamlit as st

from film.embeds import FILE, embeds_of
from ui.popover import open_popover


def save_film(make: Callable[[], str]) -> None:
    """Draw the button that saves a film, and the code that embeds it elsewhere. A click calls `make`."""
    popover = open_popover("Save film", "movie", "save_film_popover")
    if popover is None:
        return
    embeds = embeds_of()
    with popover:
        st.write("One HTML file with this grid and its keys. It opens in any browser, even offline.")
        st.download_button(
            f"Save {FILE}",
            data=lambda: make().encode(),
            file_name=FILE,
            mime="text/html",
            key="save_film",
            on_click="ignore",
        )
        st.caption(
            "Put the file next to your page or slides. Add #step=12 to begin after 12 merges, #play=1 to play, "
            "or #from=3&to=9&play=1 to play a part."
        )
        for tab, embed in zip(st.tabs([embed.name for embed in embeds]), embeds, strict=True):
            tab.caption(embed.how)
            tab.code(embed.code, language=None, wrap_lines=True)
