"""Save film: the training on a page as one HTML file that works without the app, and code to embed it elsewhere."""

from collections.abc import Callable

import streamlit as st

from film.page import EMBED_HEIGHT
from ui.popover import open_popover

# name -> code, for a film in the same folder as the page
SNIPPETS = {
    "Web page": f"""<iframe src="film.html#step=0" title="Byte pair encoding"
  width="100%" height="{EMBED_HEIGHT}" style="border: 0"></iframe>""",
    "reveal.js": """<section data-background-iframe="film.html#play=1"
  data-background-interactive></section>""",
    "Quarto": f"""```{{=html}}
<iframe src="film.html#from=0&to=9&play=1" title="Byte pair encoding"
  width="100%" height="{EMBED_HEIGHT}" style="border: 0"></iframe>
```""",
}


def save_film(make: Callable[[], str]) -> None:
    """Draw the button that saves a film, and the code that embeds it elsewhere. A click calls `make`."""
    popover = open_popover("Save film", "movie", "save_film_popover")
    if popover is None:
        return
    with popover:
        st.write("One HTML file with this grid and its keys. It opens in any browser, even offline.")
        st.download_button(
            "Save film.html",
            data=lambda: make().encode(),
            file_name="film.html",
            mime="text/html",
            key="save_film",
            on_click="ignore",
        )
        st.caption(
            "Put the file next to your page or slides. Add #step=12 to begin after 12 merges, #play=1 to play, "
            "or #from=3&to=9&play=1 to play a part."
        )
        for tab, code in zip(st.tabs(list(SNIPPETS)), SNIPPETS.values(), strict=True):
            tab.code(code, language=None, wrap_lines=True)
