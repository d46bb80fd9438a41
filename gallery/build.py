"""Put the gallery into a folder: films, their pictures, the pages around them."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from playwright.sync_api import Browser

from film.html_page import Link, Site, embeds_of
from gallery import handout, index_page, notebook, notes_page, problem_sheet, slides, take_home
from gallery.films import Film
from gallery.page import Addresses
from gallery.stills import THEMES, card_file, still_file, take_stills
from gallery.take_home import problems

MOST_BYTES = 270_000  # of a film; two lanes with the picture of every way, and how-large, take most


def build(films: Sequence[Film], folder: Path, addresses: Addresses, browser: Browser | None) -> list[str]:
    """Write the gallery, and return what is wrong with it. Without a browser it has no pictures."""
    (folder / "films").mkdir(parents=True, exist_ok=True)
    for film, site in zip(films, sites(films, addresses, pictures=browser is not None), strict=True):
        (folder / film.file).write_text(film.write(site), "utf-8")
    problems = [
        f"{film.file}: {size:,} bytes, more than {MOST_BYTES:,}"
        for film in films
        if (size := (folder / film.file).stat().st_size) > MOST_BYTES
    ]
    if browser:
        problems += take_stills(browser, films, folder)
    stills = (
        {film.slug: (folder / still_file(film, THEMES[0])).read_text("utf-8") for film in films}
        if browser
        else {}
    )
    for file, page in _pages(films, addresses, stills):
        (folder / file).write_text(page, "utf-8")
    (folder / ".nojekyll").touch()  # GitHub Pages serves the files as they are
    return problems


def _pages(
    films: Sequence[Film], addresses: Addresses, stills: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    yield index_page.FILE, index_page.index_page(films, addresses, pictures=bool(stills))
    by_slug = {film.slug: film for film in films}
    yield notes_page.FILE, notes_page.notes_page(by_slug, addresses)
    yield slides.FILE, slides.slides(by_slug, addresses, stills)
    yield handout.FILE, handout.handout(addresses)
    on_paper = list(problems())
    yield problem_sheet.FILE, problem_sheet.problem_sheet(on_paper, addresses)
    yield problem_sheet.SOLUTIONS, problem_sheet.solution_sheet(on_paper, addresses)
    yield take_home.FILE, take_home.questions(on_paper)
    yield from take_home.exercises()
    yield notebook.FILE, notebook.notebook()


def sites(films: Sequence[Film], addresses: Addresses, *, pictures: bool) -> Iterator[Site]:
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
