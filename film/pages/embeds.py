"""How a film gets into a web page, slides, a notebook or a course: code to copy, one row for each of them."""

import html
import json
from collections.abc import Callable
from dataclasses import dataclass

EMBED_HEIGHT = 620  # pixels: room for headline, grid and transport
FILE = "film.html"  # the name under which the app saves a film
TITLE = "Byte pair encoding"


@dataclass(frozen=True, slots=True)
class Embed:
    """Code that embeds one film."""

    name: str  # of what it is embedded in
    how: str  # where the code belongs, in a sentence
    code: str


def embeds_of(address: str = FILE, title: str = TITLE) -> list[Embed]:
    """Return the code that embeds the film with this address: a file beside the page, or an absolute address.

    >>> print(embeds_of("low.html", "low")[0].code)
    <iframe src="low.html#step=0" title="low"
      width="100%" height="620" style="border: 0"></iframe>
    """
    return [Embed(name, how, write(html.escape(address), html.escape(title))) for name, how, write in _ROWS]


def frame_code(address: str, title: str) -> str:
    """Return the element that embeds a page. Address and title are escaped for HTML."""
    return f"""<iframe src="{address}" title="{title}"
  width="100%" height="{EMBED_HEIGHT}" style="border: 0"></iframe>"""


def _notebook(address: str, title: str) -> str:
    return f"""from IPython.display import IFrame

IFrame({json.dumps(html.unescape(address) + "#step=0")}, width="100%", height={EMBED_HEIGHT})"""


# (name, how, code of an address and a title, both escaped for HTML)
_ROWS: tuple[tuple[str, str, Callable[[str, str], str]], ...] = (
    (
        "Web page",
        "Paste it into the HTML of a page. To begin later, change #step=0.",
        lambda address, title: frame_code(f"{address}#step=0", title),
    ),
    (
        "reveal.js",
        "A slide that plays when it is shown. Once you have clicked into the film, it has the keys; Escape gives them "
        "back to the slides.",
        lambda address, title: (
            f"""<section data-background-iframe="{address}#play=1"
  data-background-interactive></section>"""
        ),
    ),
    (
        "Quarto",
        "Paste it into a .qmd file. It plays nine merges at most.",
        lambda address, title: f"```{{=html}}\n{frame_code(f'{address}#from=0&to=9&play=1', title)}\n```",
    ),
    ("Jupyter", "Paste it into a cell of a notebook.", _notebook),
    (
        "Moodle",
        "Edit a page or a label, open the HTML view and paste it there. If the frame is gone after you save, or the "
        "film is a file of your own, upload the film to the course instead and set its appearance to “Embed”.",
        lambda address, title: frame_code(f"{address}#step=0", title),
    ),
)
