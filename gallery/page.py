"""What every page of the gallery has: a head, a policy that loads nothing from elsewhere, and one style sheet."""

import html
from dataclasses import dataclass
from pathlib import Path

from film.html_page import SITE_NAME, card_tags, html_page
from film.modules import join_styles
from film.page import _FilmParts

HERE = Path(__file__).parent
_LICENSE_NAME = "Creative Commons Attribution 4.0 International"
_LICENSE_ADDRESS = "https://creativecommons.org/licenses/by/4.0/"


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the gallery and what belongs to it will be."""

    site: str = ""  # absolute address of the gallery, with a slash at its end; "" if it is not known
    app: str = ""  # of the running app, without a slash at its end; "" if nothing may link to it
    source: str = ""  # of the repository; "" if it is not known

    def of(self, file: str) -> str:
        """Return the absolute address of a file of the gallery; "" if the gallery's own is not known."""
        return self.site and self.site + file


def page_html(
    title: str,
    description: str,
    body: str,
    style: str,
    addresses: Addresses,
    file: str,
    picture: str = "",
    film: _FilmParts | None = None,
) -> str:
    """Return a page of the gallery, with the style sheet inside. It can load nothing but the gallery's pictures.

    film: plays in the element `film-stage` of the body. Without a style sheet it is another script with its data.
    """
    sheet = join_styles(HERE / style)
    card = card_tags(title, description, addresses.of(file), addresses.of(picture) if picture else "")
    return html_page(
        title,
        f"{body}\n{film.scripts}" if film else body,
        [film.style, sheet] if film and film.style else [sheet],
        script_hashes=film.script_hashes if film else "",
        head=f'<meta name="color-scheme" content="light dark">\n{card}',
        pictures="'self'",
    )


def footer(addresses: Addresses) -> str:
    """Return the lines at the end of a page: where it comes from, and under which licences."""
    source = f'<a href="{html.escape(addresses.source)}">Source code</a>. ' if addresses.source else ""
    return (
        f"<footer><p>{SITE_NAME}. {source}The texts are under "
        f'<a rel="license" href="{_LICENSE_ADDRESS}">{_LICENSE_NAME}</a> (CC BY 4.0), the code under the MIT license. '
        "This page loads nothing from other sites.</p></footer>"
    )
