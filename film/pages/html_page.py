"""A page in one HTML file that loads nothing from elsewhere: films, lessons, reports and the gallery are such pages.

Its Content-Security-Policy admits its own style sheets and scripts by their hashes, and forbids everything else.
"""

import base64
import hashlib
import html
from collections.abc import Sequence

from film.pages.site import SITE_NAME


def html_page(
    title: str,
    body: str,
    styles: Sequence[str],
    *,
    script_hashes: str = "",
    head: str = "",
    pictures: str = "",
) -> str:
    """Return the page.

    styles: style sheets. The first one has the id `page-style`.
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
    first, *others = styles
    sheets = "\n".join(
        [f'<style id="page-style">{first}</style>', *(f"<style>{sheet}</style>" for sheet in others)]
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; {admitted}base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="{SITE_NAME}">
<title>{html.escape(title)}</title>
{head}
{sheets}
</head>
<body>
{body}
</body>
</html>
"""


def hash_of(text: str) -> str:
    """Return the source expression that admits this inline text in a Content-Security-Policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
