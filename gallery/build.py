"""Put the gallery into a folder: films, their pictures, the pages around them."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Browser

from film.html_page import Link, Site, embeds_of
from gallery import index_page, rows, slides
from gallery.films import Film, texts
from gallery.page import Addresses
from gallery.stills import THEMES, card_file, still_file, take_stills
from ui.page_parts.lessons.curriculum import paths

_MOST_BYTES = 270_000  # of a film; two lanes with the picture of every way, and how-large, take most


def build(films: Sequence[Film], folder: Path, addresses: Addresses, browser: Browser | None) -> list[str]:
    """Write the gallery, and return what is wrong with it. Without a browser it has no pictures."""
    (folder / "films").mkdir(parents=True, exist_ok=True)
    for film, site in zip(films, _sites(films, addresses, pictures=browser is not None), strict=True):
        (folder / film.file).write_text(film.write(site), "utf-8")
    problems = [
        f"{film.file}: {size:,} bytes, more than {_MOST_BYTES:,}"
        for film in films
        if (size := (folder / film.file).stat().st_size) > _MOST_BYTES
    ]
    if browser:
        problems += take_stills(browser, films, folder)
    stills = (
        {film.slug: (folder / still_file(film, THEMES[0])).read_text("utf-8") for film in films}
        if browser
        else {}
    )
    index = index_page.index_page(films, addresses, pictures=bool(stills))
    (folder / index_page.FILE).write_text(index, "utf-8")
    by_slug = {film.slug: film for film in films}
    for path in paths():
        (folder / slides.file_of(path)).write_text(slides.slides(path, by_slug, addresses, stills), "utf-8")
    if of_texts := texts(films):
        (folder / rows.FILE).write_text(rows.rows_page(of_texts, addresses), "utf-8")
    (folder / ".nojekyll").touch()  # GitHub Pages serves the files as they are
    return problems


def _sites(films: Sequence[Film], addresses: Addresses, *, pictures: bool) -> Iterator[Site]:
    """Yield what each film's page has besides the film. The films before and after it are of its kind."""
    for number, film in enumerate(films):
        before, after = (
            _beside(films[other], film) if 0 <= other < len(films) else None
            for other in (number - 1, number + 1)
        )
        yield Site(
            description=film.about,
            address=addresses.of(film.file),
            picture=addresses.of(card_file(film)) if pictures else "",
            home=Link("All films", f"../{index_page.FILE}#{index_page.anchor(film.section)}"),
            before=before,
            after=after,
            embeds=tuple(embeds_of(addresses.of(film.file) or film.file.partition("/")[2], film.title)),
        )


def _beside(other: Film, film: Film) -> Link | None:
    """Return a link to a film of the same kind, from the page of another one."""
    if other.plays is not film.plays:
        return None
    return Link(other.title, other.opens.partition("/")[2])
