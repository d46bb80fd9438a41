"""What every page of the gallery has: a head, a policy that loads nothing from elsewhere, and one style sheet."""

import html
from dataclasses import dataclass
from pathlib import Path

from film.pages.page import FilmParts, hash_of
from film.pages.site import SITE_NAME, card_tags

HERE = Path(__file__).parent
LICENSE_NAME = "Creative Commons Attribution 4.0 International"
LICENSE_ADDRESS = "https://creativecommons.org/licenses/by/4.0/"


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
    film: FilmParts | None = None,
) -> str:
    """Return a page of the gallery, with the style sheet inside. It can load nothing but the gallery's pictures.

    film: plays in the element `film-stage` of the body.
    """
    sheet = (HERE / style).read_text("utf-8")
    styles = f"'{hash_of(sheet)}'"
    own = f"style-src {styles}"
    if film:
        own = f"script-src {film.script_hashes}; style-src {styles} '{hash_of(film.style)}'"
    policy = f"default-src 'none'; img-src 'self'; {own}; base-uri 'none'; form-action 'none'"
    card = card_tags(title, description, addresses.of(file), addresses.of(picture) if picture else "")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(title)}</title>
{card}
{f'<style id="film-style">{film.style}</style>' if film else ""}
<style>{sheet}</style>
</head>
<body>
{body}
{film.scripts if film else ""}
</body>
</html>
"""


def footer(addresses: Addresses) -> str:
    """Return the lines at the end of a page: where it comes from, and under which licences."""
    source = f'<a href="{html.escape(addresses.source)}">Source code</a>. ' if addresses.source else ""
    return (
        f"<footer><p>{SITE_NAME}. {source}The texts are under "
        f'<a rel="license" href="{LICENSE_ADDRESS}">{LICENSE_NAME}</a> (CC BY 4.0), the code under the MIT license. '
        "This page loads nothing from other sites.</p></footer>"
    )
