"""The gallery's pages, without a browser: every link leads somewhere, nothing is loaded from elsewhere."""

import base64
import hashlib
import html
import json
import re
from pathlib import Path

import pytest

from film.html_page import Link, Site
from gallery import rows
from gallery.__main__ import _parser
from gallery.build import _MOST_BYTES, build
from gallery.films import _COMPARISONS, Film, _film_of_lanes, all_films, film_of_lesson, film_of_text
from gallery.index_page import index_page
from gallery.page import _LICENSE_ADDRESS, _LICENSE_NAME, Addresses
from gallery.slides import _IN_APP, file_of
from published.packing import open_published
from published.rows import PUBLISHED
from tests import ROOT
from tests.film.readers import data_of
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.curriculum import LessonPath, _minutes_of, paths
from ui.trainings import corpus as corpora

pytestmark = pytest.mark.slow

SITE = "https://example.org/bpe/"
LESSONS = ("count-merge-repeat", "the-first-tie")
SCRIPTED = ("index.html", rows.FILE, *map(file_of, paths()))  # pages with films or rows inside


def some_films() -> list[Film]:
    """Return a film of each kind, and two lessons."""
    return [
        *(film_of_lesson(lessons()[slug]) for slug in LESSONS),
        _film_of_lanes(*_COMPARISONS[0]),
        film_of_text(corpora.samples()["aaabdaaabac"]),
    ]


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small gallery without pictures."""
    folder = tmp_path_factory.mktemp("gallery")
    assert build(some_films(), folder, Addresses(SITE), None) == []
    return folder


def test_on_paper_a_sentence_has_its_first_numbers(gallery: Path) -> None:
    pages = {path.name: path.read_text("utf-8") for path in gallery.glob("*.html")}
    assert [name for name, page in pages.items() if "{merges" in page or "{tokens" in page] == []
    assert "all the words together need 50 tokens" in pages["slides-45.html"]


def test_every_link_leads_to_a_file_of_the_gallery(gallery: Path) -> None:
    links = [
        (page, href)
        for page in gallery.glob("*.html")
        for href in re.findall(r'(?:href|src|srcset)="([^"]+)"', page.read_text("utf-8"))
    ]
    for page in gallery.glob("films/*.html"):
        site = data_of(page.read_text("utf-8"))["site"]
        links += [(page, site[name]["address"]) for name in ("home", "before", "after") if site[name]]
    ours = [(page, href) for page, href in links if not href.startswith(("http", "#"))]
    assert len(ours) > 20
    missing = [href for page, href in ours if not (page.parent / href.partition("#")[0]).resolve().is_file()]
    assert missing == []
    index = (gallery / "index.html").read_text("utf-8")
    anchors = {
        href.partition("#")[2] for page, href in ours if page.parent.name == "films" and "index" in href
    }
    within = {href[1:] for page, href in links if page.name == "index.html" and href.startswith("#")}
    anchors |= {anchor for anchor in within if not anchor.startswith("text=")}  # puts a text into the field
    assert "paths" in anchors
    assert all(f'id="{anchor}"' in index for anchor in anchors)


def test_every_page_admits_only_its_own_style_sheets_and_scripts_only_with_films(gallery: Path) -> None:
    for page in gallery.glob("*.html"):
        text = page.read_text("utf-8")
        sheets = re.findall(r"<style[^>]*>(.+?)</style>", text, re.DOTALL)
        hashes = {
            f"'sha256-{base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()}'"
            for sheet in sheets
        }
        (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
        directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
        assert set(directives.pop("style-src").split()) == hashes
        assert ("script-src" in directives) == ("<script" in text) == (page.name in SCRIPTED)
        scripts = directives.pop("script-src", "'sha256-")
        assert all(source.startswith("'sha256-") for source in scripts.split())
        assert directives == dict.fromkeys(("default-src", "base-uri", "form-action"), "'none'") | {
            "img-src": "'self'"
        }
        assert not re.search(r' style="| on\w+="', text)


def test_the_first_page_is_light_enough_for_the_first_merge_of_ones_own_words(gallery: Path) -> None:
    assert len((gallery / "index.html").read_bytes()) < _MOST_BYTES
    said = re.search(
        r"\| the gallery on a web server \| (\d+) kB, to", (ROOT / "docs/hosting.md").read_text("utf-8")
    )
    assert said
    assert (
        0.95 < len(index_page(all_films(), Addresses(), pictures=True).encode()) / 1_000 / int(said[1]) < 1.05
    )


def test_the_rows_of_a_sample_are_those_of_each_published_tokenizer(gallery: Path) -> None:
    page = (gallery / rows.FILE).read_text("utf-8")
    held = json.loads(page.partition('id="rows">')[2].partition("</script>")[0])
    text = corpora.from_sample("aaabdaaabac").reading_text
    assert list(held) == ["aaabdaaabac"]
    sent = {row["slug"]: [cell[3] for cell in row["cells"]] for row in held["aaabdaaabac"]["rows"]}
    assert sent == {slug: open_published(slug).tokenizer.encode(text) for slug in PUBLISHED}


def test_a_film_says_what_it_is_where_it_is_linked(gallery: Path) -> None:
    film = film_of_lesson(lessons()[LESSONS[0]])
    text = (gallery / film.file).read_text("utf-8")
    assert f"<title>{film.title}</title>" in text
    assert f'<meta name="description" content="{film.about}">' in text
    assert f'<meta property="og:url" content="{SITE}{film.file}">' in text
    assert "og:image" not in text  # there are no pictures here
    codes = {embed["name"]: embed["code"] for embed in data_of(text)["site"]["embeds"]}
    assert set(codes) == {"Web page", "reveal.js", "Quarto", "Jupyter", "Moodle"}
    assert all(f"{SITE}{film.file}#" in code for code in codes.values())
    assert len(text.encode()) < _MOST_BYTES


def test_the_cards_have_the_minutes_of_the_curriculum_and_the_paths_are_all_there(gallery: Path) -> None:
    index = (gallery / "index.html").read_text("utf-8")
    for slug in LESSONS:
        lesson = lessons()[slug]
        minutes = f"{_minutes_of(lesson)} min" + ("" if lesson.number else " · for the curious")
        assert f'<strong>{lesson.title}</strong> <span class="minutes">{minutes}<' in index
    assert all(path.title in index for path in paths())
    for path in paths():
        assert f'href="{file_of(path)}"' in index


def test_the_gallery_names_its_licence_and_so_does_the_readme(gallery: Path) -> None:
    index = (gallery / "index.html").read_text("utf-8")
    readme, licence = ((ROOT / name).read_text("utf-8") for name in ("README.md", "LICENSE-lessons.md"))
    assert "(LICENSE-lessons.md)" in readme
    for text in (index, f"{readme}{licence}"):
        assert _LICENSE_NAME in " ".join(text.split())
        assert _LICENSE_ADDRESS in text


def test_what_only_the_app_has_is_said_on_the_page_of_a_film_and_not_on_a_slide() -> None:
    film = film_of_lesson(lessons()["the-first-tie"])
    assert data_of(film.write(Site(home=Link("All films", "../index.html"))))["note"]
    assert data_of(film.write(Site()))["note"] == ""


def test_the_folder_is_an_argument_or_an_option() -> None:
    assert (
        _parser().parse_args(["site"]).folder == _parser().parse_args(["-o", "site"]).output == Path("site")
    )
    with pytest.raises(SystemExit):
        _parser().parse_args(["site", "-o", "other"])


@pytest.mark.parametrize(
    "address", ["https://a b", 'https://a"b', "https://a/<b>", "https://\udcff", "javascript:alert(1)"]
)
def test_an_address_that_no_page_can_hold_is_refused(address: str) -> None:
    with pytest.raises(SystemExit):
        _parser().parse_args(["--url", address])
    assert _parser().parse_args(["--url", "https://[::1]:80/~bpe/"]).url == "https://[::1]:80/~bpe/"


MOST_OF_SLIDES = 1_800_000  # bytes


@pytest.mark.parametrize("path", paths(), ids=lambda path: path.slug)
def test_the_slides_hold_every_stop_of_the_path_and_the_films_of_its_lessons(
    gallery: Path, path: LessonPath
) -> None:
    text = (gallery / file_of(path)).read_text("utf-8")
    assert text.count('<section class="slide') == len(path.stops) + 2  # and the first and the last slide
    for number, stop in enumerate(path.stops, start=1):
        assert f"<h1>{number}. {html.escape(stop.title)}</h1>" in text
    named = {
        f"{number}-{stop.page or stop.lesson.slug}": stop for number, stop in enumerate(path.stops, start=1)
    }
    held = {name: stop for name, stop in named.items() if stop.page or stop.lesson.slug in LESSONS}
    assert set(re.findall(r'id="film-([^"]+)"', text)) == held.keys()
    assert held
    assert text.count(html.escape(_IN_APP)) == len(named) - len(held)  # the lessons that this gallery lacks
    for name, stop in held.items():
        (data,) = re.findall(rf'id="film-{name}">(.+?)</script>', text)
        film = json.loads(data)
        assert film["title"] == html.escape(stop.title)
        (shell,) = re.findall(rf'id="shell-{film["shell"]}">(.+?)</script>', text)
        assert "<title>{title}</title>" in json.loads(shell)
    assert text.count('id="shell-') == 1  # all lessons have one player
    assert len(text.encode()) < MOST_OF_SLIDES
    assert "merges the most frequent pair of neighbours" in text  # what is printed in place of a film
