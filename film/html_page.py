"""A page in one HTML file that loads nothing from elsewhere: films, lessons, reports and the gallery are such pages.

Its Content-Security-Policy admits its own style sheets and scripts by their hashes, and forbids everything else.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape, unescape

from bpe.text.display import well_formed

# `film/browser/shared/packed_bytes.js` reads them.
# Letters of Python's base 85 that mean something in HTML -> those in their place.
_LETTERS = bytes.maketrans(b"<>&`", b",./:")
# zlib's memory levels: with the lower one it changes its codes more often, which suits data and not scripts. A film of
# 20,000 characters and 1,000 merges is 1.1 kB smaller than with level 8 for both.
_MEMORY = (5, 9)
EMBED_HEIGHT = 620  # pixels: room for headline, grid and transport
FILE = "film.html"  # the name under which the app saves a film
_TITLE = "Byte pair encoding"
SITE_NAME = "Merge by Merge"
CARD = (1200, 630)  # pixels of the picture that a link shows


def html_page(
    title: str,
    body: str,
    styles: Sequence[str] = (),
    *,
    script_hashes: str = "",
    head: str = "",
    pictures: str = "",
) -> str:
    """Return the page.

    script_hashes: source expressions of the scripts in the body, as `hash_of` makes them.
    head: more elements for the head.
    pictures: the source from which it may load pictures, such as 'self'.
    """
    sources = {
        "script-src": script_hashes,
        "style-src": " ".join(f"'{hash_of(sheet)}'" for sheet in styles),
        "img-src": pictures,
    }
    admitted = "".join(f"{kind} {source}; " for kind, source in sources.items() if source)
    sheets = "\n".join(f"<style>{sheet}</style>" for sheet in styles)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; {admitted}base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="{SITE_NAME}">
<title>{_in_html(title)}</title>
{head}
{sheets}
</head>
<body>
{body}
</body>
</html>
"""


def packed_text(text: str) -> str:
    """Return a text, compressed by gzip, in base 85: a twentieth less than base 64.

    None of its letters can close an HTML element, and none has another meaning in HTML.
    """
    content = text.encode()
    smallest = min((_gzipped(content, memory) for memory in _MEMORY), key=len)
    return base64.b85encode(smallest).translate(_LETTERS).decode()


def _gzipped(content: bytes, memory: int) -> bytes:
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31, memory)  # zlib's number for gzip's format
    return compressor.compress(content) + compressor.flush()


@dataclass(frozen=True, slots=True)
class _Embed:
    """Code that embeds one film."""

    name: str  # of what it is embedded in
    how: str  # where the code belongs, in a sentence
    code: str


def embeds_of(address: str = FILE, title: str = _TITLE) -> list[_Embed]:
    """Return the code that embeds the film with this address: a file beside the page, or an absolute address.

    >>> print(embeds_of("low.html", "low")[0].code)
    <iframe src="low.html#step=0" title="low"
      width="100%" height="620" style="border: 0"></iframe>
    """
    return [_Embed(name, how, write(_in_html(address), _in_html(title))) for name, how, write in _ROWS]


def frame_code(address: str, title: str) -> str:
    """Return the element that embeds a page. Address and title are escaped for HTML."""
    return f"""<iframe src="{address}" title="{title}"
  width="100%" height="{EMBED_HEIGHT}" style="border: 0"></iframe>"""


@dataclass(frozen=True, slots=True)
class Link:
    """A page beside the film."""

    title: str
    address: str


@dataclass(frozen=True, slots=True)
class Site:
    """What a film's page has besides the film."""

    description: str = ""  # one sentence
    address: str = ""  # absolute; "" if the site's address is not known
    picture: str = ""  # absolute address of a PNG file of the size CARD; "" without one
    home: Link | None = None
    before: Link | None = None
    after: Link | None = None
    embeds: tuple[_Embed, ...] = ()


def card_tags(title: str, description: str, address: str = "", picture: str = "") -> str:
    """Return the elements of a page's head from which other sites make the card of a link.

    >>> print(card_tags("low", 'The "low" words'))
    <meta name="description" content="The &quot;low&quot; words">
    <meta property="og:site_name" content="Merge by Merge">
    <meta property="og:type" content="website">
    <meta property="og:title" content="low">
    <meta property="og:description" content="The &quot;low&quot; words">
    """
    if not description:
        return ""
    return "\n".join(_tags(title, description, address, picture))


def _in_html(text: str) -> str:
    r"""Return a text as HTML that every encoding can hold: U+FFFD stands for a lone surrogate.

    >>> _in_html('<a href="\ud800">')
    '&lt;a href=&quot;\ufffd&quot;&gt;'
    """
    return escape(well_formed(text))


def hash_of(text: str) -> str:
    """Return the source expression that admits this inline text in a Content-Security-Policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _notebook(address: str, title: str) -> str:
    return f"""from IPython.display import IFrame

IFrame({json.dumps(unescape(address) + "#step=0")}, width="100%", height={EMBED_HEIGHT})"""


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


def _tags(title: str, description: str, address: str, picture: str) -> Iterator[str]:
    yield _meta("name", "description", description)
    properties = {"site_name": SITE_NAME, "type": "website", "title": title, "description": description}
    if address:
        properties["url"] = address
    if picture:
        width, height = CARD
        properties |= {"image": picture, "image:width": str(width), "image:height": str(height)}
        properties["image:alt"] = f"{title}: {description}"
    for name, content in properties.items():
        yield _meta("property", f"og:{name}", content)
    if picture:
        yield _meta("name", "twitter:card", "summary_large_image")


def _meta(kind: str, name: str, content: str) -> str:
    return f'<meta {kind}="{name}" content="{_in_html(content)}">'
