"""A film as a page of a website: what a link to it shows, and what is around it."""

import html
from collections.abc import Iterator
from dataclasses import dataclass

from film.pages.embeds import Embed

SITE_NAME = "Merge by Merge"
CARD = (1200, 630)  # pixels of the picture that a link shows


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
    embeds: tuple[Embed, ...] = ()


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
    return f'<meta {kind}="{name}" content="{html.escape(content)}">'
