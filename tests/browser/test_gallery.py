"""The gallery in Chromium, from disk and from a plain web server under a path."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

import bpe
from gallery import rows
from gallery.build import build
from gallery.films import film_of_lesson
from gallery.page import Addresses
from gallery.slides import slides
from harness.chromium import grid
from published.packing import open_published
from tests.browser.readable import has_ink, not_on_top
from tests.shipping.static_server import served
from tests.shipping.test_gallery import some_films
from tests.waiting import until
from ui.page_parts.lessons.curriculum import paths
from ui.trainings.corpus import from_sample, samples

OWN = "she sells sea shells"
PATH = "some/path"  # of the gallery on the web server
Motion = Literal["reduce", "no-preference"]


@pytest.fixture(scope="module")
def root(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that has a small gallery, with its pictures, under PATH."""
    folder = tmp_path_factory.mktemp("site")
    assert build(some_films(), folder / PATH, Addresses(), chromium) == []
    return folder


@contextmanager
def opened(
    chromium: Browser, home: str, width: int = 1280, *, touch: bool = False, motion: Motion = "reduce"
) -> Iterator[Page]:
    """Open a page until the block ends. Fail for any message in the console, and for a request beyond `home`.

    Without motion the first page's film does not play by itself.
    """
    context = chromium.new_context(
        viewport={"width": width, "height": 800}, has_touch=touch, is_mobile=touch, reduced_motion=motion
    )
    page = context.new_page()
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(f"{request.failure}: {request.url}"))
    yield page
    context.close()
    left = "net::ERR_ABORTED"  # what was on its way when the page was left
    assert [failure for failure in failed if not failure.startswith(left)] == []
    assert [url for url in asked if not url.startswith(home)] == []
    assert [text for text in heard if not text.endswith("/favicon.ico") and "404" not in text] == []


def merge_own_words(page: Page | FrameLocator) -> None:
    """Type on the first page, by keyboard, and check that its film merges the words as the engine does."""
    root = page.get_by_test_id("token-grid").first
    expect(root).to_have_attribute("data-tied", "3")  # the example begins with a tie
    field = page.get_by_test_id("own-text")
    field.fill(OWN)
    trace = bpe.train(OWN, merges=100)
    expect(root).to_have_attribute("data-steps", str(len(trace.steps)))
    field.press("Tab")
    page.get_by_test_id("scrubber").first.press("ArrowRight")
    expect(root).to_have_attribute("data-step", "1")
    expect(root).to_have_attribute("data-tokens", str(trace.tokens_total(1)))
    expect(page.get_by_test_id("pair-table").locator("tbody tr")).to_have_count(len(trace.pair_counts(1)))


def walk(page: Page, home: str) -> None:
    """Follow the links of the gallery as a visitor does."""
    page.goto(f"{home}index.html")
    merge_own_words(page)
    images = page.locator("picture img")
    expect(images).to_have_count(4)
    for image in images.all():
        image.scroll_into_view_if_needed()
    page.wait_for_function("() => [...document.images].every((image) => image.naturalWidth > 300)")
    page.reload()
    expect(page.get_by_test_id("own-text")).to_have_value(OWN)  # the address has it
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the films")).to_be_focused()
    page.locator("a", has_text="aaabdaaabac").last.press("Enter")  # it plays
    expect(grid(page)).to_have_attribute("data-step", re.compile("[1-9]"))
    page.get_by_test_id("site-home").click()
    page.locator("a", has_text="Count, merge, repeat").last.click()
    expect(grid(page)).to_have_attribute("data-step", "0")
    page.get_by_test_id("site-after").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The first step is a tie")


def test_the_gallery_works_from_disk_and_from_a_server_under_a_path(chromium: Browser, root: Path) -> None:
    home = f"{(root / PATH).as_uri()}/"
    with opened(chromium, home) as page:
        page.goto(f"{home}index.html")
        page.locator("a", has_text="aaabdaaabac").last.click()
        expect(page.get_by_test_id("site-home")).to_be_visible()
        page.goto(f"{home}films/text-aaabdaaabac.html#step=1&play=1")
        expect(grid(page)).to_have_attribute("data-step", "3")
    with served(root) as address, opened(chromium, address) as page:
        walk(page, f"{address}{PATH}/")


def test_the_rows_show_how_each_tokenizer_reads_the_text_and_lead_to_its_film(
    chromium: Browser, root: Path
) -> None:
    home = f"{(root / PATH).as_uri()}/"
    with opened(chromium, home) as page:
        page.goto(f"{home}index.html")
        page.get_by_role("link", name=rows.TITLE).click()
        row = page.get_by_test_id("split-gpt-4o")
        expect(row).to_be_visible()
        page.goto(f"{home}{rows.FILE}#toString")  # no text has this name, so the first one is shown
        page.reload()
        expect(row).to_be_visible()
        ids = open_published("gpt-4o").tokenizer.encode(from_sample("aaabdaaabac").reading_text)
        expect(row).to_have_attribute("data-count", str(len(ids)))
        page.get_by_role("button", name="Show ids").click()
        expect(row.locator(".chip .id")).to_have_text([str(number) for number in ids])
        page.get_by_role("link", name="Watch a tokenizer learn").click()
        expect(grid(page)).to_be_visible()


@pytest.mark.weekly
def test_the_code_that_embeds_a_film_is_copied_and_shows_no_links_of_the_gallery(
    chromium: Browser, root: Path
) -> None:
    with served(root) as address:
        context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.goto(f"{address}{PATH}/films/text-aaabdaaabac.html")
        page.get_by_test_id("embed").locator("summary").click()
        page.get_by_role("button", name="Copy for Web page").click()
        expect(page.get_by_role("button", name="Copy for Web page")).to_have_text("Copied")
        code = page.evaluate("() => navigator.clipboard.readText()")
        context.close()
        (root / PATH / "films" / "lecture.html").write_text(f"<!doctype html>{code}", "utf-8")
        with opened(chromium, address) as page:
            page.goto(f"{address}{PATH}/films/lecture.html")
            frame = page.frame_locator("iframe")
            expect(frame.get_by_test_id("token-grid")).to_have_attribute("data-step", "0")
            expect(frame.get_by_test_id("site-home")).to_have_count(0)
            expect(frame.get_by_test_id("embed")).to_have_count(0)


@pytest.mark.weekly
def test_the_first_film_plays_by_itself_until_its_visitor_types(chromium: Browser, root: Path) -> None:
    home = f"{(root / PATH).as_uri()}/"
    with opened(chromium, home, width=390, touch=True, motion="no-preference") as page:
        page.goto(f"{home}index.html")
        film = grid(page)
        in_sight = "(box) => box.getBoundingClientRect().top + 150 < innerHeight"  # two words at least
        assert film.locator(".viewport").evaluate(in_sight)
        expect(film).to_have_attribute("data-step", re.compile("[1-9]"))
        assert page.evaluate("() => location.hash") == ""  # the visitor has done nothing yet
        page.get_by_test_id("own-text").focus()
        expect(film).to_have_attribute("data-step", "0")
        expect(film).to_have_attribute("data-playing", "false")
        page.emulate_media(reduced_motion="reduce")
        merge_own_words(page)
        themes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
        for theme in themes:
            page.emulate_media(color_scheme=theme)
            expect(film).to_have_attribute("data-theme", theme)
            # A telephone's innerWidth grows with the page.
            assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        page.goto(f"{home}index.html#")
        page.reload()
        page.get_by_role("link", name=re.compile("^Start: [0-9]+ minutes$")).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Count, merge, repeat")


@pytest.mark.weekly
def test_a_film_that_is_saved_from_the_first_page_plays(
    chromium: Browser, root: Path, tmp_path: Path
) -> None:
    home, saved = f"{root.as_uri()}/{PATH}/", tmp_path / "film.html"
    with opened(chromium, home) as page:
        page.goto(f"{home}index.html")
        merge_own_words(page)
        with page.expect_download() as download:
            page.get_by_test_id("own-save").click()
        download.value.save_as(saved)
    with opened(chromium, saved.as_uri()) as page:
        page.goto(saved.as_uri())
        steps = len(bpe.train(OWN, merges=100).steps)
        expect(page.get_by_test_id("token-grid").first).to_have_attribute("data-steps", str(steps))
        assert page.evaluate("document.adoptedStyleSheets.length") == 2  # of all parts, and of the page


def test_the_first_page_merges_own_words_in_a_frame_without_an_origin(chromium: Browser, root: Path) -> None:
    """As slides embed it, in a sandbox."""
    (root / PATH / "frame.html").write_text(
        '<!doctype html><title>slides</title><iframe sandbox="allow-scripts" src="index.html" width="1000"'
        ' height="700"></iframe>',
        "utf-8",
    )
    with served(root) as address, opened(chromium, address) as page:
        page.goto(f"{address}{PATH}/frame.html")
        merge_own_words(page.frame_locator("iframe"))


FOLLOW_AT_ONCE = """() => {
    document.querySelector("[data-testid=own-text]").dispatchEvent(new Event("input", { bubbles: true }));
    document.querySelector("a[href='#paths']").click();
    return new Promise((resolve) => setTimeout(resolve, 1000));
}"""


@pytest.mark.weekly
def test_a_link_to_the_first_page_brings_the_words_and_links_within_it_leave_them(
    chromium: Browser, root: Path
) -> None:
    home = f"{(root / PATH).as_uri()}/"
    with opened(chromium, home) as page:
        page.goto(f"{home}index.html#text=low+lower&rule=last&variant=bytes-gpt2&merges=5&step=2")
        trace = bpe.train("low lower", "bytes-gpt2", tie_break="last", merges=5)
        root_of_grid = grid(page)
        expect(root_of_grid).to_have_attribute("data-step", "2")
        expect(root_of_grid).to_have_attribute("data-tokens", str(trace.tokens_total(2)))
        # The film writes its address a moment after a training. Then, too, it leaves the link's.
        page.evaluate(FOLLOW_AT_ONCE)
        expect(page).to_have_url(re.compile("#paths$"))
        expect(page.get_by_test_id("own-text")).to_have_value("low lower")
        expect(root_of_grid).to_have_attribute("data-step", "2")
    with opened(chromium, home) as page:
        page.goto(f"{home}index.html#text=low+lo")
        expect(page.get_by_test_id("own-status")).to_contain_text("The end of the link is missing")
        expect(page.get_by_test_id("own-text")).to_have_value("low lo")


@pytest.mark.weekly
def test_a_first_text_is_trained_as_its_row_says_and_shows_its_ways(chromium: Browser, root: Path) -> None:
    home = f"{(root / PATH).as_uri()}/"
    first = [sample for sample in samples().values() if sample.first]
    with opened(chromium, home) as page:
        page.goto(f"{home}index.html")
        ways = page.get_by_test_id("every-way-sentence")
        told = [ways.inner_text()]  # of the example
        for sample in first:
            page.get_by_role("link", name=sample.title, exact=True).first.click()
            text = from_sample(sample.slug).reading_text
            trace = bpe.train(text, **bpe.PRESETS[sample.preset].settings, merges=sample.merges)
            expect(page.get_by_test_id("own-text")).to_have_value(text)
            expect(grid(page)).to_have_attribute("data-steps", str(sample.merges))
            expect(grid(page)).to_have_attribute("data-tokens", str(trace.tokens_total(0)))
            expect(ways).not_to_have_text(told[-1])  # the page brings the picture of its ways along
            expect(ways).to_be_visible()
            told.append(ways.inner_text())
        assert len(first) == 6
        assert len(set(told)) == 7
        page.get_by_test_id("own-text").fill("hug pug pun bun hugs")
        expect(page.locator("section.ways")).to_be_hidden()


SLIDES = """<!doctype html><title>slides</title><iframe src="film.html#step=0" width="900" height="620"></iframe>
<p>0</p><script>let slide = 0;
addEventListener("keydown", ({ key }) => key === "ArrowRight" && (document.querySelector("p").textContent = ++slide));
</script>"""


@pytest.mark.weekly
def test_escape_gives_the_keys_from_the_film_back_to_the_slides(chromium: Browser, root: Path) -> None:
    films = root / PATH / "films"
    (films / "slides.html").write_text(SLIDES.replace("film.html", "text-aaabdaaabac.html"), "utf-8")
    with served(root) as address, opened(chromium, address) as page:
        page.goto(f"{address}{PATH}/films/slides.html")
        film, slide = page.frame_locator("iframe"), page.locator("p")
        tokens = film.get_by_test_id("token-grid").first
        expect(tokens).to_have_attribute("data-step", "0")
        page.keyboard.press("ArrowRight")
        expect(slide).to_have_text("1")
        film.locator(".viewport").click()
        page.keyboard.press("Escape")  # closes the card of the token, if the click met one
        film.locator("h1").click()
        page.keyboard.press("ArrowRight")
        expect(tokens).to_have_attribute("data-step", "1")
        page.keyboard.press("Escape")
        page.keyboard.press("ArrowRight")
        expect(slide).to_have_text("2")
        expect(tokens).to_have_attribute("data-step", "1")


SCROLLS = "() => document.documentElement.scrollHeight - innerHeight"


@pytest.mark.parametrize("films_inside", [1, 99])
@pytest.mark.weekly
def test_every_beat_of_the_slides_shows_a_picture_and_nothing_shines_through(
    chromium: Browser, tmp_path: Path, films_inside: int
) -> None:
    path = next(path for path in paths() if path.minutes == 45)
    told = [stop.lesson for stop in path.stops if not stop.page][-films_inside:]
    films = {lesson.slug: film_of_lesson(lesson) for lesson in told}
    file = tmp_path / "slides.html"
    still = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="120" viewBox="0 0 300 120"></svg>'
    file.write_text(slides(path, films, Addresses(), dict.fromkeys(films, still)), "utf-8")
    with opened(chromium, tmp_path.as_uri()) as page:
        page.set_viewport_size({"width": 1280, "height": 720})
        page.goto(file.as_uri())
        sheets = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page[^s]", sheets)) == len(path.stops) + 2  # one for each slide
        last = f"{len(path.stops) + 2} of "  # after the first page and the stops
        number, seen = page.locator(".at"), 0
        while not number.inner_text().startswith(last):
            if page.locator(".slide.now [data-film]").count():
                film = page.locator(".slide.now iframe").element_handle().content_frame()
                assert film
                card = film.locator("[data-testid=lesson]")
                expect(card).to_have_class(re.compile("presenting"))
                where = f"{number.inner_text()}, beat {card.get_attribute('data-beat')}"
                until(lambda: has_ink(page), f"a picture at {where}")
                assert not_on_top(film) == [], where
                expect(page.locator(".slide.now h1")).to_be_in_viewport(ratio=1)
                assert page.evaluate(SCROLLS) == 0, f"px to scroll at {where}"
                seen += 1
            page.keyboard.press("PageDown")
        assert seen >= sum(len(lesson.beats) for lesson in told)


IN_FRONT = "() => getComputedStyle(document.body, '::after').backgroundColor"


@pytest.mark.weekly
def test_a_clicker_walks_through_the_slides_and_their_films(chromium: Browser, root: Path) -> None:
    page_file = (root / PATH / "slides-45.html").as_uri()
    with opened(chromium, page_file.rpartition("/")[0]) as page:
        page.goto(page_file)
        number = page.locator(".at")
        expect(number).to_have_text(re.compile("^1 of "))
        page.keyboard.press("PageDown")
        while not page.locator(".slide.now iframe").count():  # a lesson without a film here
            page.keyboard.press("PageDown")
        film = page.frame_locator(".slide.now iframe")
        card = film.locator("[data-beat]").first
        expect(card).to_have_class(re.compile("presenting"))
        expect(card).to_have_attribute("data-beat", "0")
        here = number.inner_text()
        page.keyboard.press("PageDown")
        expect(card).to_have_attribute("data-beat", "1")
        expect(number).to_have_text(here)
        # The film takes the focus late on a slow machine. The clicker walks on all the same.
        film.locator(".viewport").first.focus()
        page.keyboard.press("PageUp")
        expect(card).to_have_attribute("data-beat", "0")
        expect(number).to_have_text(here)
        film.locator(".viewport").first.focus()
        page.keyboard.press("PageUp")
        expect(number).not_to_have_text(here)
        black, last = page.locator("body.black"), page.locator(".slide").count()
        for key in ("b", "."):
            page.keyboard.press(key)
            expect(black).to_have_count(1)
            assert page.evaluate(IN_FRONT) == "rgb(0, 0, 0)"
            page.keyboard.press("PageDown")  # brings the slide back, and goes no further
            expect(black).to_have_count(0)
        page.keyboard.press("End")
        expect(number).to_have_text(f"{last} of {last}")
        page.keyboard.press("Home")
        expect(number).to_have_text(f"1 of {last}")


@pytest.mark.weekly
def test_t_opens_the_field_in_the_film_of_a_slide_and_the_walk_goes_on(chromium: Browser, root: Path) -> None:
    page_file = (root / PATH / "slides-45.html").as_uri()
    with opened(chromium, page_file.rpartition("/")[0]) as page:
        page.goto(page_file)
        number = page.locator(".at")
        while not page.locator(".slide.now iframe").count():
            page.keyboard.press("PageDown")
        film = page.frame_locator(".slide.now iframe")
        card = film.locator("[data-beat]").first
        expect(card).to_have_class(re.compile("presenting"))
        page.keyboard.press("PageDown")
        expect(card).to_have_attribute("data-beat", "1")
        here, field = (page.url, number.inner_text()), film.get_by_test_id("stage-text")
        drawn = film.locator("[data-testid=token-grid]").locator("visible=true").first
        for end in ("Escape", "PageUp"):  # of a keyboard, and of a clicker
            page.keyboard.press("t")
            expect(field).to_be_focused()
            page.keyboard.type("nanny tn ")
            expect(drawn).to_have_attribute("data-text", re.compile("nanny.*tn"))
            page.keyboard.press("PageDown")
            expect(drawn).to_have_attribute("data-playing", "true")
            page.keyboard.press(end)
            expect(field).to_be_hidden()
            expect(card).to_have_attribute("data-beat", "1")
            assert (page.url, number.inner_text()) == here
            assert page.locator("body.speaks").count() == 0  # N was a letter
        page.keyboard.press("PageUp")
        expect(card).to_have_attribute("data-beat", "0")
        film.locator(".viewport .letter").first.click(force=True)
        expect(field).to_be_focused()
        page.keyboard.type("banana")
        expect(drawn).to_have_attribute("data-text", re.compile("banana"))
        expect(field).to_be_focused()  # a press into a film gives the slides the focus, but not now
