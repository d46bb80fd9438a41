"""The pictures of the gallery, taken from its films in Chromium: one for each card, and one for links."""

import base64
import html
import re
from collections.abc import Iterable
from pathlib import Path

from playwright.sync_api import Browser, Page

from film.html_page import CARD, SITE_NAME
from film.modules import join_scripts, join_styles
from gallery.films import Film
from harness.chromium import Complaints

THEMES = ("light", "dark")
_WIDTH, _HEIGHT = 1200, 800  # of the window in which a film is opened
_MOST_ENLARGED = 1.45  # times the size of a still, in the picture for links
_HERE = Path(__file__).parent


def still_file(film: Film, theme: str) -> str:
    """Return where the still of a film lies in the gallery."""
    return f"pictures/{film.slug}-{theme}.svg"


def card_file(film: Film) -> str:
    """Return where the picture lies that a link to a film shows."""
    return f"pictures/{film.slug}.png"


def take_stills(browser: Browser, films: Iterable[Film], folder: Path) -> list[str]:
    """Open every film in a folder, save its pictures, and return what the browser complained about."""
    script = join_scripts(_HERE / "still.js")
    (folder / "pictures").mkdir(exist_ok=True)
    context = browser.new_context(viewport={"width": _WIDTH, "height": _HEIGHT})
    page, card = context.new_page(), context.new_page()
    card.set_viewport_size({"width": CARD[0], "height": CARD[1]})
    complaints = Complaints("")
    complaints.listen(page)
    problems: list[str] = []
    for film in films:
        for theme in THEMES:
            still, small = _pictures(page, (folder / film.file).as_uri(), film.still, theme, script)
            (folder / still_file(film, theme)).write_text(small, "utf-8")
            if theme == THEMES[0]:
                card.set_content(_card(film, still))
                card.screenshot(path=folder / card_file(film))
        problems += [f"{film.slug}: {sentence}" for sentence in complaints.heard]
        complaints.heard.clear()
    context.close()
    return problems


def _pictures(page: Page, address: str, step: int, theme: str, script: str) -> list[str]:
    """Return the still of a film, and the picture of its card."""
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    if not page.url.startswith(address):
        page.goto(f"{address}#step={step}")
    page.locator(f"[data-testid=token-grid][data-step='{step}'][data-theme={theme}]").first.wait_for(
        state="attached"
    )
    pictures: list[str] = page.evaluate(f"() => {{ {script}\nreturn [stillOfFilm(), cardOfFilm()]; }}")
    return pictures


def _card(film: Film, svg: str) -> str:
    """Return the page from which the card's picture is taken."""
    picture = base64.b64encode(svg.encode()).decode()
    width = re.search(r'width="(\d+)', svg)
    assert width
    widest = int(width[1]) * _MOST_ENLARGED
    return f"""<!doctype html><meta charset="utf-8"><style>{join_styles(_HERE / "card.css")}</style>
<p>{html.escape(SITE_NAME)}</p><h1>{html.escape(film.title)}</h1><h2>{html.escape(film.about)}</h2>
<div><img alt="" style="max-width: {widest}px" src="data:image/svg+xml;base64,{picture}"></div>"""
