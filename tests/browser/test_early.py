"""Watch, Compare and Lessons before Streamlit has started: the page of the address draws them, Streamlit takes over."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from harness.chromium import enter, grid, ready, run_first
from tests.browser.conftest import NewPage
from tests.browser.grid_page import at

STREAMLIT = re.compile(r"/static/js/index\.[^/]*\.js$")
# Two on either side of where the page changes its layout; the others once a week.
SIZES = [
    (1280, 720),
    (1024, 768),
    *(pytest.param(*size, marks=pytest.mark.weekly) for size in ((1440, 900), (1920, 1080))),
]
PARTS = ("token-grid", "pair-table", "every-way", "transport")
LANES = ("lanes", "transport", "strip", "divergence")
OF_LESSON = ("lesson", "lesson-subject")


def opened_early(page: Page, address: str = "/") -> Callable[[], None]:
    """Open an address without Streamlit's script. Return a function that lets it come, and waits for the page."""
    held: list[Route] | None = []

    def hold(route: Route) -> None:
        if held is None:
            route.continue_()
        else:
            held.append(route)

    page.route(STREAMLIT, hold)
    page.goto(address, wait_until="commit")

    def start() -> None:
        nonlocal held
        coming, held = held or [], None
        for route in coming:
            route.continue_()
        expect(page.get_by_test_id("early-stage")).to_have_count(0)
        ready(page)
        page.unroute(STREAMLIT, hold)

    return start


def places(page: Page, parts: tuple[str, ...]) -> dict[str, list[float]]:
    """Return where the title and these parts are, and how large."""
    boxes = {name: page.get_by_test_id(name).bounding_box() for name in parts}
    boxes["title"] = page.locator("h1").bounding_box()
    return {name: [box["x"], box["y"], box["width"], box["height"]] for name, box in boxes.items() if box}


def moved(early: dict[str, list[float]], late: dict[str, list[float]]) -> dict[str, object]:
    """Return what is elsewhere than before, with both places."""
    del early["title"][2:], late["title"][2:]  # only Streamlit's own has an anchor's room
    return {
        name: (box, late[name])
        for name, box in early.items()
        if any(abs(one - other) >= 1 for one, other in zip(box, late[name], strict=True))
    }


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_what_is_drawn_early_stays_where_it_is_to_the_pixel(
    new_page: NewPage, width: int, height: int
) -> None:
    page = new_page(width=width, height=height)
    start = opened_early(page)
    expect(page.get_by_role("heading", name="Watch")).to_be_visible()
    expect(page.get_by_test_id("every-way").locator("svg").first).to_be_visible()
    expect(page.get_by_test_id("pair-table")).to_contain_text("14 pairs")
    early = places(page, PARTS)
    assert len(early) == len(PARTS) + 1
    start()
    assert moved(early, places(page, PARTS)) == {}
    expect(page.get_by_test_id("token-grid")).to_have_count(1)
    expect(page.locator("h1")).to_have_count(1)


def test_a_link_with_a_sample_and_a_step_is_drawn_early_and_a_reload_goes_on_where_one_was(
    page: Page,
) -> None:
    start = opened_early(page, "/?corpus_sample=banana&tie_break=last&step=2")
    expect(grid(page)).to_have_attribute("data-text", re.compile("^banana"))
    at(page, 2)
    page.keyboard.press("ArrowRight")
    at(page, 3)
    early = places(page, PARTS)
    expect(page.get_by_test_id("stApp")).to_have_count(0)
    start()
    assert moved(early, places(page, PARTS)) == {}
    at(page, 3)
    expect(page.locator(".st-key-watch_figures")).to_contain_text("After 3 of ")
    expect(page).to_have_url(re.compile("step=3&corpus_sample=banana&.*tie_break=last"))
    start = opened_early(page, page.url)
    at(page, 3)
    expect(page.get_by_test_id("stApp")).to_have_count(0)
    start()
    at(page, 3)
    expect(page.get_by_test_id("token-grid")).to_have_count(1)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_first_lesson_is_there_early_and_stays_where_it_is_with_the_beat_that_keys_have_led_to(
    new_page: NewPage, width: int, height: int
) -> None:
    page = new_page(width=width, height=height)
    start = opened_early(page, "/lessons")
    card = page.get_by_test_id("lesson")
    expect(page.get_by_role("heading", name="Lessons")).to_be_visible()
    expect(card).to_have_attribute("data-beat", "0")
    expect(page.get_by_test_id("lesson-subject").locator(".chip").first).to_be_visible()
    page.keyboard.press("Space")
    expect(card).to_have_attribute("data-beat", "1")
    early = places(page, OF_LESSON)
    assert len(early) == len(OF_LESSON) + 1
    expect(page.get_by_test_id("stApp")).to_have_count(0)
    start()
    assert moved(early, places(page, OF_LESSON)) == {}
    expect(card).to_have_count(1)
    expect(page.locator("h1")).to_have_count(1)
    expect(card).to_have_attribute("data-beat", "1")
    expect(page).to_have_url(re.compile("beat=2"))
    page.keyboard.press("Space")
    expect(card).to_have_attribute("data-beat", "2")
    expect(page).to_have_url(re.compile("beat=3"))


def test_an_answer_before_streamlit_is_there_is_judged(page: Page) -> None:
    start = opened_early(page, "/lessons")
    card = page.get_by_test_id("lesson")
    expect(card).to_have_attribute("data-beat", "0")
    for _ in range(3):
        page.keyboard.press("Space")
    card.get_by_role("textbox").fill("harder</w>")
    card.get_by_test_id("check").click()
    expect(card.get_by_test_id("verdict")).to_have_text("Checking …")
    expect(page.get_by_test_id("stApp")).to_have_count(0)
    start()
    expect(card.get_by_test_id("verdict")).to_have_attribute("data-verdict", "wrong")
    expect(card).to_have_attribute("data-beat", "3")


def test_no_lesson_is_drawn_early_where_the_reader_left_another_one(page: Page) -> None:
    enter(page, "/lessons?lesson=bytes&beat=2")
    page.wait_for_function("() => localStorage['merge-by-merge/place'] === 'bytes 2'")
    start = opened_early(page, "/lessons")
    expect(page.get_by_test_id("early-stage")).to_have_count(0)
    start()
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-lesson", "bytes")


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_lanes_of_compare_stay_where_they_are_drawn_early(
    new_page: NewPage, width: int, height: int
) -> None:
    page = new_page(width=width, height=height)
    start = opened_early(page, "/compare")
    expect(page.get_by_role("heading", name="Compare", exact=True)).to_be_visible()
    expect(page.get_by_test_id("strip").locator(".column.now")).to_be_visible()
    early = places(page, LANES)
    assert len(early) == len(LANES) + 1
    start()
    late = places(page, LANES)
    for name, (x, y, width_of, height_of) in early.items():
        if name != "title":  # which has an anchor's room when it is Streamlit's
            assert late[name] == pytest.approx([x, late[name][1], width_of, height_of], abs=1), name
        # At some widths, lines of the answer above them are two pixels higher than its place.
        assert abs(late[name][1] - y) < 2, name
    expect(page.get_by_test_id("token-grid")).to_have_count(2)


def test_keys_on_the_early_lanes_keep_their_effect_and_the_address_is_that_of_their_text(page: Page) -> None:
    start = opened_early(page, "/compare")
    at(page, 11)
    page.keyboard.press("ArrowRight")
    at(page, 12)
    expect(page).to_have_url(re.compile("corpus_sample=ties&step=12$"))
    page.keyboard.press("p")
    expect(page.get_by_test_id("lane-stage")).to_have_class(re.compile("presenting"))
    start()
    expect(page.get_by_test_id("lane-stage")).to_have_class(re.compile("presenting"))
    page.keyboard.press("Escape")
    at(page, 12)
    assert "corpus_sample=ties&step=12" in page.url
    expect(page.get_by_test_id("choice-text")).to_contain_text("Twelve neighbours")
    page.keyboard.press("ArrowRight")
    at(page, 13, 1)


def test_a_pick_on_an_early_lane_adds_its_branch(page: Page) -> None:
    start = opened_early(page, "/compare")
    page.get_by_role("button", name=re.compile("^Pick ")).first.click()
    expect(page.get_by_test_id("stApp")).to_have_count(0)
    start()
    expect(page).to_have_url(re.compile("lanes=first~first_11.1~pair-max"))
    expect(page.get_by_test_id("token-grid")).to_have_count(3)


def test_keys_before_streamlit_is_there_keep_their_effect(page: Page) -> None:
    start = opened_early(page)
    at(page, 0)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    at(page, 2)
    expect(page.get_by_test_id("stApp")).to_have_count(0)
    start()
    at(page, 2)
    expect(page.locator(".st-key-watch_figures")).to_contain_text("After 2 of 12 merges")
    assert "step=2" in page.url
    page.keyboard.press("ArrowRight")
    at(page, 3)
    expect(page.locator(".st-key-watch_figures")).to_contain_text("After 3 of 12 merges")


def test_a_pick_before_streamlit_is_there_is_taken(page: Page) -> None:
    start = opened_early(page)
    page.get_by_role("button", name="Pick s + t instead").click()
    expect(page.get_by_test_id("stApp")).to_have_count(0)
    start()
    expect(page.get_by_role("button", name="Undo merge 1: s + t")).to_be_visible()
    expect(page).to_have_url(re.compile("picks=0.1"))


def test_the_presenter_view_goes_on_when_streamlit_comes(page: Page) -> None:
    start = opened_early(page)
    at(page, 0)
    page.keyboard.press("p")
    expect(grid(page)).to_have_class(re.compile("presenting"))
    page.keyboard.press("ArrowRight")
    expect(grid(page)).to_have_attribute("data-beat", "count")
    start()
    expect(grid(page)).to_have_class(re.compile("presenting"))
    expect(grid(page)).to_have_attribute("data-beat", "count")
    assert page.evaluate("() => document.elementFromPoint(20, 20).shadowRoot !== null"), (
        "the menu is behind it"
    )
    page.keyboard.press("Escape")
    expect(grid(page)).not_to_have_class(re.compile("presenting"))
    expect(page.get_by_test_id("stTopNav")).to_be_visible()


@pytest.mark.parametrize(
    ("system", "chosen", "seen"),
    [
        pytest.param("dark", "", "dark", marks=pytest.mark.weekly),
        ("dark", "Light", "light"),
        pytest.param("light", "Dark", "dark", marks=pytest.mark.weekly),
    ],
)
def test_the_early_stage_has_the_theme_of_the_page(
    new_page: NewPage, system: str, chosen: str, seen: str
) -> None:
    page = new_page(theme="dark" if system == "dark" else "light")
    if chosen:
        run_first(page, f"if (location.host) localStorage.setItem('stActiveTheme-/-v2', '\"{chosen}\"')")
    start = opened_early(page)
    ink = grid(page).evaluate("(root) => getComputedStyle(root).color")
    expect(grid(page)).to_have_attribute("data-theme", seen)
    start()
    expect(grid(page)).to_have_attribute("data-theme", seen)
    assert grid(page).evaluate("(root) => getComputedStyle(root).color") == ink


def test_nothing_is_drawn_early_where_another_text_may_be_meant(new_page: NewPage) -> None:
    page = new_page()
    early = page.get_by_test_id("early-stage")
    for address in ("/#text=1.bG93", "/?step=3&embed=true"):
        start = opened_early(page, address)
        expect(early).to_have_count(0)
        expect(page.get_by_test_id("token-grid")).to_have_count(0)
        start()
        page.goto("about:blank")

    # A text that the tab keeps.
    enter(page, "/?corpus_source=paste")
    page.get_by_test_id("your-text").fill("bandana")
    page.keyboard.press("Control+Enter")
    expect(grid(page)).to_have_attribute("data-text", "bandana")
    ready(page)
    start = opened_early(page)
    expect(early).to_have_count(0)
    expect(page.get_by_test_id("token-grid")).to_have_count(0)
    start()


@pytest.mark.weekly
def test_on_a_phone_streamlit_draws_the_stage_alone(new_page: NewPage) -> None:
    page = new_page(width=390, height=844, has_touch=True, is_mobile=True)
    start = opened_early(page)
    expect(page.get_by_test_id("early-stage")).to_have_count(0)
    start()
    expect(page.get_by_test_id("token-grid")).to_have_count(1)


# Gives what is read first, the data of the page, another feed. The tab keeps no text of an earlier visit.
ANOTHER = """
if (location.host) sessionStorage.clear();
const { parse } = JSON;
JSON.parse = (...text) => {
  const data = parse(...text);
  if (data?.feed?.id && data.change) {
    data.feed.id = 'another';
    JSON.parse = parse;
  }
  return data;
};
"""


@pytest.mark.weekly
def test_another_stage_than_streamlits_makes_way_for_it(page: Page) -> None:
    run_first(page, ANOTHER)
    start = opened_early(page)
    at(page, 0)
    expect(grid(page)).to_have_attribute("data-id", "another")
    start()
    expect(page.get_by_test_id("token-grid")).to_have_count(1)
    expect(grid(page)).not_to_have_attribute("data-id", "another")
    page.keyboard.press("ArrowRight")
    at(page, 1)
