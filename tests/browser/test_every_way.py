"""The picture of every way in a browser: its dots follow the playhead, and its nodes tell words and move it."""

import re
from io import BytesIO

import pytest
from PIL import Image, ImageChops
from PIL.GifImagePlugin import GifImageFile
from playwright.sync_api import Locator, Page, expect

import bpe
from film.page import film_page
from harness.chromium import enter, grid, ready
from tests import ROOT
from tests.browser.compare_page import TEXTBOOK, opened
from tests.browser.conftest import NewPage, Open
from tests.browser.grid_page import at, press
from ui.choices.text_link import fragment_of
from ui.trainings.corpus import from_text


def dots(page: Page) -> list[tuple[float, float]]:
    """Return where the dots are, when they rest."""
    places = "dots => dots.map(dot => [Number(dot.getAttribute('cx')), Number(dot.getAttribute('cy'))])"
    before: list[tuple[float, float]] = []
    while True:
        now = page.get_by_test_id("way-dot").evaluate_all(places)
        if now == before:
            return [(x, y) for x, y in now]
        before = now
        page.wait_for_timeout(120)


@pytest.fixture(scope="module")
def watch(shared_page: Page) -> Page:
    """Open Watch once, and wait for the picture."""
    enter(shared_page, "/")
    expect(shared_page.get_by_test_id("every-way-sentence")).to_contain_text("432 ways ")
    return shared_page


def node(merges: int) -> str:
    """Return the selector of the nodes after so many merges."""
    return f".every-way .node[data-merges='{merges}']"


def test_the_dot_goes_with_the_playhead(watch: Page) -> None:
    press(watch, "Home")
    at(watch, 0)
    (start,) = dots(watch)
    press(watch, "ArrowRight")
    at(watch, 1)
    (after,) = dots(watch)
    assert after[0] > start[0]
    press(watch, "End")
    at(watch, 12)
    (end,) = dots(watch)
    assert end[0] > after[0]


def test_pointing_at_a_node_shows_the_words_as_chips(watch: Page) -> None:
    watch.locator(node(3)).hover()
    tip = watch.get_by_test_id("every-way-tip")
    expect(tip).to_contain_text("After 3 merges")
    expect(tip.locator(".word")).to_have_count(2)
    expect(tip.locator(".word").first.locator(".chip")).to_have_text(["n", "e", "w", "est</w>"])
    watch.mouse.move(2, 2)
    expect(tip).to_be_hidden()


def test_arrows_go_from_node_to_node_and_enter_moves_the_playhead(watch: Page) -> None:
    press(watch, "Home")
    at(watch, 0)
    watch.locator(node(0)).focus()
    watch.keyboard.press("ArrowRight")
    expect(watch.locator(".every-way .node:focus")).to_have_attribute("data-merges", "1")
    watch.keyboard.press("ArrowRight")
    watch.keyboard.press("ArrowRight")
    expect(watch.locator(".every-way .node:focus")).to_have_attribute("aria-label", "After 3 merges: est</w>")
    watch.keyboard.press("Enter")
    at(watch, 3)
    expect(grid(watch)).to_have_attribute("data-step", "3")


def test_the_picture_fills_the_window_and_the_keys_still_play(watch: Page) -> None:
    press(watch, "Home")
    at(watch, 0)
    letters = watch.locator(f"{node(3)} text").first
    watch.get_by_test_id("present-every-way").scroll_into_view_if_needed()
    small = letters.bounding_box()
    watch.get_by_test_id("present-every-way").click()
    large = letters.bounding_box()
    assert small is not None
    assert large is not None
    assert large["height"] > 1.1 * small["height"]
    (start,) = dots(watch)
    watch.keyboard.press("ArrowRight")
    watch.keyboard.press("ArrowRight")
    assert dots(watch)[0][0] > start[0]
    press(watch, "Home")  # where the banner above is as high as before
    at(watch, 0)
    watch.keyboard.press("Escape")
    again = letters.bounding_box()
    assert again is not None
    assert (again["width"], again["height"]) == (small["width"], small["height"])
    assert abs(again["y"] - small["y"]) < 1  # px


def place(page: Page) -> tuple[float, float, float]:
    """Return the top and the bottom of the picture, and the top of the transport."""
    picture, transport = (
        page.get_by_test_id("every-way").bounding_box(),
        page.get_by_test_id("transport").bounding_box(),
    )
    assert picture
    assert transport
    return picture["y"], picture["y"] + picture["height"], transport["y"]


@pytest.mark.parametrize("text", ["", "banana"])
def test_few_ways_are_seen_without_scrolling(shared_page: Page, text: str) -> None:
    page = shared_page
    enter(page, f"/#{fragment_of('paste', from_text(text))}" if text else "/")
    expect(page.get_by_test_id("every-way-sentence")).to_contain_text("48 ways" if text else "432 ways")
    for width, height in ((1280, 720), (1280, 1600), (1024, 768), (820, 1180), (768, 1024)):
        page.set_viewport_size({"width": width, "height": height})
        ready(page)
        top, bottom, transport = place(page)
        numbers = page.get_by_test_id("live-numbers").bounding_box()
        assert numbers
        assert numbers["y"] + numbers["height"] <= top, (width, height)
        assert bottom <= transport + 1, (width, height)
        assert transport < height, (width, height)
        assert page.get_by_test_id("viewport").evaluate("one => one.scrollHeight <= one.clientHeight + 1"), (
            "cut"
        )
        drawing = page.locator(".every-way .scroll")
        assert drawing.evaluate(
            "one => one.scrollHeight <= one.clientHeight && one.scrollWidth <= one.clientWidth"
        )
    page.set_viewport_size({"width": 1280, "height": 720})
    ready(page)
    small = scale_of(page)
    expect(page.get_by_test_id("unfold-every-way")).to_be_hidden()  # it fills the window instead
    page.get_by_test_id("present-every-way").click()
    assert scale_of(page) > small
    page.keyboard.press("Escape")
    assert scale_of(page) == small


@pytest.mark.parametrize(
    ("text", "finding"),
    [("a a a", "No pairs ever tie"), ("she sells sea shells by the sea shore", "1,408,264,704,000 ways")],
)
def test_one_way_and_many_ways_are_below_the_transport(shared_page: Page, text: str, finding: str) -> None:
    page = shared_page
    enter(page, f"/#{fragment_of('paste', from_text(text))}")
    sentence = page.get_by_test_id("every-way-sentence")
    expect(sentence.filter(has_text=finding)).to_be_visible()
    expect(sentence).to_have_count(1)  # the picture of the text before is gone
    ready(page)
    top, _, transport = place(page)
    assert top > transport


def test_compare_has_a_dot_for_each_lane_and_a_press_adds_a_branch_of_the_chosen_one(
    shared_page: Page,
) -> None:
    page = opened(shared_page, TEXTBOOK)
    page.get_by_role("tab", name="Every way").click()
    ready(page)
    expect(page.get_by_test_id("way-dot")).to_have_count(2)
    press(page, "Home")
    press(page, "ArrowRight")
    at(page, 1)
    one, other = dots(page)
    assert one[0] != other[0] or abs(one[1] - other[1]) > 30  # on nodes of their own
    press(page, "End")
    at(page, 12)
    one, other = dots(page)  # they meet
    assert one[0] == other[0]
    assert abs(one[1] - other[1]) < 20

    page.locator(f"{node(2)}[aria-label$=': st</w>']").click()
    expect(taken(page, "compare")).to_contain_text("A branch of “First occurrence” now gets there")
    expect(page.get_by_test_id("way-dot")).to_have_count(3)
    page.locator(".st-key-every_way_undo_compare button").click()
    expect(page.get_by_test_id("way-dot")).to_have_count(2)
    second = page.get_by_test_id("every-way").get_by_role(
        "button", name="Last in dictionary order", exact=True
    )
    expect(second).to_have_attribute("aria-pressed", "false")
    second.click()
    expect(second).to_have_attribute("aria-pressed", "true")
    page.locator(f"{node(1)}[aria-label$=': es']").click()
    expect(taken(page, "compare")).to_contain_text("A branch of “Last in dictionary order” now gets there")
    expect(page.get_by_test_id("way-dot")).to_have_count(3)


def test_in_a_lesson_it_unfolds_and_waits_for_the_answer(shared_page: Page) -> None:
    page = shared_page
    enter(page, "/lessons?lesson=does-the-tie-matter&beat=2")
    picture, sentence = page.get_by_test_id("every-way"), page.get_by_test_id("every-way-sentence")
    table = page.get_by_role("table", name="Every way to break the ties")
    expect(picture).to_have_attribute("data-unfolded", "1")
    expect(sentence).to_be_hidden()
    expect(table).to_be_hidden()
    expect(page.locator(node(1)).first).to_be_visible()
    expect(page.locator(node(3))).to_be_hidden()
    page.keyboard.press("PageDown")
    expect(picture).to_have_attribute("data-unfolded", "3")
    expect(page.locator(node(3))).to_be_visible()
    expect(sentence).to_contain_text("6 ways ")
    expect(sentence).to_be_visible()
    expect(table).to_have_count(1)
    page.keyboard.press("PageDown")  # the next picture begins where this one ended
    expect(picture).to_have_attribute("data-unfolded", "12", timeout=15_000)
    expect(page.locator(node(12))).to_be_visible()


def taken(page: Page, group: str) -> Locator:
    """Return the sentence below the picture about the node that was pressed last."""
    return (
        page.get_by_test_id("every-way-taken")
        if group == "watch"
        else page.locator(f".st-key-every_way_taken_{group}")
    )


def test_pressing_a_node_takes_the_training_there_and_undo_takes_it_back(shared_page: Page) -> None:
    page = shared_page
    enter(page, "/")
    expect(page.get_by_test_id("every-way-sentence")).to_be_visible()
    page.locator(f"{node(2)}[aria-label$=': st</w>']").focus()
    page.keyboard.press("Enter")
    expect(taken(page, "watch")).to_contain_text(
        "“First occurrence” now gets there after 2 merges, with picks at merges 1 and 2. The rule decides the rest."
    )
    ready(page)
    at(page, 2)  # the playhead is there, too
    expect(page.locator(f"{node(2)}[aria-label$=': st</w>']")).to_be_visible()
    page.get_by_test_id("undo-way").click()
    expect(taken(page, "watch")).to_be_hidden()
    expect(page.get_by_test_id("picks")).to_have_count(0)


def test_a_picture_of_a_part_gives_the_finding_then_the_reason_and_no_text_touches_its_frame(
    shared_page: Page,
) -> None:
    page = shared_page
    enter(page, "/compare?corpus_sample=ties&lanes=first~last")
    page.get_by_role("tab", name="Every way").click()
    sentence, note = page.get_by_test_id("every-way-sentence"), page.get_by_test_id("every-way-note")
    expect(sentence).to_contain_text(" different splits are possible once every pair ", timeout=30_000)
    reason = note.get_by_text("After that, ")
    expect(note).to_contain_text("We stopped listing after ")
    expect(reason).to_be_hidden()
    note.locator("summary").press("Enter")
    expect(reason).to_be_visible()
    close = page.locator(".every-way svg").first.evaluate(
        """drawing => {
            const end = drawing.closest(".scroll").getBoundingClientRect().right;
            const rights = [...drawing.querySelectorAll("text")].map(text => text.getBoundingClientRect().right);
            return rights.filter(right => right > end - 8).length;
        }"""
    )
    assert not close


def test_a_film_draws_the_ways_of_its_own_text_and_no_picture_of_other_words(open_film: Open) -> None:
    text = "low " * 5 + "lower " * 2 + "newest " * 6 + "widest " * 3
    page = open_film(film_page(bpe.train(text, merges=12), text))
    sentence = page.get_by_test_id("every-way-sentence")
    expect(sentence).to_contain_text("432 ways to break the ties, 250 vocabularies")
    (start,) = dots(page)
    page.keyboard.press("ArrowRight")
    assert dots(page)[0][0] > start[0]
    page.get_by_test_id("own-words").click()
    page.get_by_test_id("own-text").fill("hug pug pun bun hugs")
    expect(page.locator(".ways")).to_be_hidden()
    page.get_by_test_id("own-text").fill(text)
    expect(sentence).to_contain_text("432 ways")
    page.get_by_test_id("own-reset").click()
    expect(sentence).to_contain_text("432 ways")


def scale_of(page: Page) -> float:
    """Return how large the picture is drawn: 1 if its letters are as large as those of the page's chips."""
    svg = page.locator(".every-way .scroll > svg")
    return float(svg.evaluate("svg => svg.width.baseVal.value / svg.viewBox.baseVal.width"))


# Resolves when a part of the picture is out of sight.
WIDER = """scroll => new Promise(done => {
  const look = () => scroll.scrollWidth > scroll.clientWidth + 1 ? done() : requestAnimationFrame(look);
  look();
})"""


def cut(page: Page) -> float:
    """Return how many pixels of the picture are out of sight."""
    scroll = page.locator(".every-way .scroll")
    return float(scroll.evaluate("scroll => scroll.scrollWidth - scroll.clientWidth"))


def test_in_the_presenter_view_e_shows_it_as_a_stage_of_its_own(new_page: NewPage) -> None:
    page = new_page(width=1280, height=720)
    enter(page, "/")
    expect(page.get_by_test_id("every-way-sentence")).to_be_visible()
    ready(page)
    press(page, "Home")
    at(page, 0)
    page.keyboard.press("p")
    expect(grid(page)).to_have_class(re.compile("presenting"))
    for _ in range(2):
        page.keyboard.press("PageDown")
    # The pair and its tie are named, without an offer.
    expect(grid(page)).to_have_attribute("data-beat", "select")
    expect(grid(page).get_by_test_id("tie-badge")).to_contain_text("3 pairs tied at 9")
    expect(grid(page).get_by_test_id("pick")).to_have_count(0)
    page.keyboard.press("Home")
    page.keyboard.press("e")
    picture = page.get_by_test_id("every-way")
    expect(picture).to_have_class(re.compile("presenting"))
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        ready(page)
        assert scale_of(page) * 15 >= 0.02 * height  # letters that can be read from the last row
        assert cut(page) <= 1
    (start,) = dots(page)
    page.keyboard.press("PageDown")  # a clicker goes from merge to merge
    expect(grid(page)).to_have_attribute("data-step", "1")
    (after,) = dots(page)
    assert after[0] > start[0]
    page.keyboard.press("PageUp")
    expect(grid(page)).to_have_attribute("data-step", "0")
    page.keyboard.press("+")
    assert cut(page) > 1
    page.keyboard.press("0")
    assert cut(page) <= 1
    page.keyboard.press("e")
    expect(picture).not_to_have_class(re.compile("presenting"))
    expect(grid(page)).to_have_class(re.compile("presenting"))
    page.keyboard.press("e")
    page.keyboard.press("p")  # out of the view, and of the picture
    expect(picture).not_to_have_class(re.compile("presenting"))
    expect(grid(page)).not_to_have_class(re.compile("presenting"))


def test_a_lens_opens_when_it_is_pressed(open_film: Open) -> None:
    text = "ab cd ef gh ij kl"
    page = open_film(film_page(bpe.train(text, "bytes-whitespace", merges=6), text))
    lens = page.locator(".every-way .body[aria-expanded]").first
    expect(lens).to_have_attribute("aria-expanded", "false")
    chips = page.locator(".every-way .contents rect")
    few = chips.count()
    lens.click()
    expect(lens).to_have_attribute("aria-expanded", "true")
    assert chips.count() > few
    page.keyboard.press("Enter")  # it has the focus
    expect(lens).to_have_attribute("aria-expanded", "false")


@pytest.fixture(scope="module")
def long_way() -> str:
    """Return a film of a text whose picture is folded to its forks."""
    text = (ROOT / "sample_corpora" / "ties.txt").read_text("utf-8")
    return film_page(bpe.train(text, merges=60), text)


def test_a_long_text_is_folded_to_its_forks_and_zoom_shows_more(open_film: Open, long_way: str) -> None:
    page = open_film(long_way)
    page.set_viewport_size({"width": 1280, "height": 900})
    assert cut(page) <= 1
    nodes, small = page.locator(".every-way .node"), scale_of(page)
    folded = nodes.count()
    knot = page.locator(".every-way .knot").first
    knot.focus()
    page.keyboard.press("Enter")
    assert nodes.count() > folded
    page.get_by_role("button", name="Show the whole picture").click()
    assert nodes.count() == folded
    nodes.first.focus()
    for _ in range(4):
        page.keyboard.press("+")
    assert cut(page) > 100
    assert nodes.count() > folded
    assert scale_of(page) >= small
    scroll = page.locator(".every-way .scroll")
    box = scroll.bounding_box()
    assert box is not None
    scroll.evaluate("scroll => scroll.scrollTo(100, 0)")
    page.mouse.move(box["x"] + 300, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 260, box["y"] + 12)
    page.mouse.up()
    assert scroll.evaluate("scroll => scroll.scrollLeft") == 140
    page.keyboard.press("0")
    page.mouse.move(box["x"] + 300, box["y"] + 12)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -400)
    page.keyboard.up("Control")
    scroll.evaluate(WIDER)


@pytest.mark.weekly  # a GIF takes long; that of a grid is made in test_pictures.py
def test_it_is_saved_as_svg_png_and_gif_also_after_a_stop(open_film: Open, long_way: str) -> None:
    page = open_film(long_way)  # whose GIF takes long
    page.get_by_test_id("save-every-way-gif").click()
    page.get_by_test_id("save-every-way-stop").click()
    expect(page.get_by_test_id("save-every-way-progress")).to_have_text("Stopped: nothing was saved.")
    text = "low " * 5 + "lower " * 2 + "newest " * 6 + "widest " * 3
    page = open_film(film_page(bpe.train(text, merges=12), text))
    files = {}
    for kind in ("svg", "png", "gif"):
        with page.expect_download(timeout=180_000) as saved:
            page.get_by_test_id(f"save-every-way-{kind}").click()
        assert saved.value.suggested_filename == f"every-way.{kind}"
        files[kind] = saved.value.path().read_bytes()
    svg = files["svg"].decode()
    assert "432 ways " in svg
    assert "widest" in svg
    with Image.open(BytesIO(files["png"])) as png, Image.open(BytesIO(files["gif"])) as gif:
        assert isinstance(gif, GifImageFile)
        assert png.size == (2 * gif.size[0], 2 * gif.size[1])
        assert len(set(png.convert("L").resize((200, 60)).tobytes())) > 20  # shades
        assert gif.n_frames > 12  # the dot travels
        assert gif.info["loop"] == 0
        first = gif.convert("RGB").copy()
        gif.seek(gif.n_frames - 1)
        assert ImageChops.difference(first, gif.convert("RGB")).getbbox()


def test_four_words_are_not_folded_on_a_projector_and_scroll_on_a_telephone(open_film: Open) -> None:
    text = "low " * 5 + "lower " * 2 + "newest " * 6 + "widest " * 3
    page = open_film(film_page(bpe.train(text, merges=12), text))
    page.set_viewport_size({"width": 808, "height": 768})  # room as on Watch in a window of 1024 pixels
    expect(page.locator(".every-way .node")).to_have_count(26)
    assert cut(page) <= 1
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".every-way .scroll").evaluate(WIDER)
    expect(page.locator(".every-way .node")).to_have_count(26)
