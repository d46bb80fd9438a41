"""Save film: the training on a page as one HTML file that works without the app, and code to embed it elsewhere."""

from collections.abc import Callable

import streamlit as st

from bpe.text.display import counted
from film.html_page import FILE, embeds_of
from ui.streamlit_gaps.popover import open_popover


def save_film(make: Callable[[], str], step: int, last: int) -> None:
    """Draw the button that saves a film, and the code that embeds it elsewhere. A click calls `make`.

    step, last: the step that the page shows and the film's last one, for examples of where a film may begin.
    """
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
        st.caption(f"Put the file next to your page or slides. {example_addresses(step, last)}")
        for tab, embed in zip(st.tabs([embed.name for embed in embeds]), embeds, strict=True):
            tab.caption(embed.how)
            tab.code(embed.code, language=None, wrap_lines=True)


def example_addresses(step: int, last: int) -> str:
    """Return what to add to a film's address, with a step inside the film: the one on the page, or else its middle.

    >>> example_addresses(3, 12)
    'Add #step=3 to begin after 3 merges, #play=1 to play, or #from=3&to=12&play=1 to play a part.'
    >>> example_addresses(1, 1)
    'Add #play=1 to play.'
    """
    inside = step if 0 < step < last else last // 2
    if not inside:
        return "Add #play=1 to play."
    return (
        f"Add #step={inside} to begin after {counted(inside, 'merge')}, #play=1 to play, or "
        f"#from={inside}&to={last}&play=1 to play a part."
    )
