"""Which lanes Compare shows: the branch of a pick, real trainers with one click, a third lane, and links."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import enter, grid, ready
from tests.browser.compare.compare_page import TEXTBOOK, opened, steps
from tests.browser.conftest import NewPage
from tests.browser.grid.grid_page import at


@pytest.mark.slow
def test_a_step_of_watch_s_link_does_not_follow_to_compare(page: Page) -> None:
    enter(page, "/watch?step=9")
    expect(grid(page)).to_have_attribute("data-step", "9")
    page.get_by_role("link", name="Compare").first.click()
    expect(page.locator("[data-testid=token-grid]")).to_have_count(2)
    ready(page)
    assert steps(page) == ["0", "0"]


@pytest.mark.slow
def test_what_if_is_one_click_in_a_lane_and_stands_in_the_link(page: Page) -> None:
    opened(page, TEXTBOOK)
    page.get_by_test_id("go-to-divergence").click()
    grid(page, 0).get_by_test_id("pick").first.click()
    expect(page.locator("[data-testid=token-grid]")).to_have_count(3)
    ready(page)
    expect(page).to_have_url(re.compile(r"lanes=first~first_0\.1~pair-max"))
    expect(page.get_by_role("button", name=re.compile("^Undo .+ at merge 1$"))).to_be_visible()


@pytest.mark.slow
def test_the_link_to_copy_is_the_address_and_the_step_and_opens_the_same_view(page: Page) -> None:
    opened(page, f"{TEXTBOOK}~first_0.1")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label("Name of the branch").fill("mine & yours")
    page.get_by_label("Name of the branch").press("Enter")
    expect(page).to_have_url(re.compile("#typed="))
    page.locator("[data-testid=token-grid] .viewport").first.press("End")
    expect(grid(page)).to_have_attribute("data-step", "12")
    page.get_by_role("button", name="Share or open").click()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert link == page.url
    assert "&step=12#typed=" in link
    page.goto("about:blank")  # whoever receives the link opens it anew
    opened(page, link)
    assert steps(page) == ["12", "12", "12"]
    expect(grid(page, 2)).to_contain_text("mine & yours")


@pytest.mark.slow
def test_six_trainers_with_one_click(new_page: NewPage) -> None:
    page = new_page(height=2400)
    enter(page, "/compare?corpus_sample=which-goes-first")
    page.get_by_role("button", name="What would the real trainers do?").click()
    expect(page.locator("[data-testid=token-grid]")).to_have_count(6)
    expect(page.locator("h2").first).to_contain_text(
        "The only word of the training text is split differently"
    )
    ready(page)
    heading, lanes = (page.locator(name).bounding_box() for name in ("h1", "[data-testid=stMultiSelect]"))
    assert heading
    assert lanes
    assert lanes["y"] < heading["y"] + heading["height"] / 2 < lanes["y"] + lanes["height"]  # on one line
    assert heading["x"] + heading["width"] < lanes["x"]
    for fact in ("checked against tokenizers", "checked against sentencepiece"):
        expect(page.get_by_text(fact).first).to_be_visible()


@pytest.mark.slow
def test_user_text_is_never_markup(new_page: NewPage) -> None:
    page = new_page(height=2000)
    enter(page, "/compare?corpus_source=paste&lanes=first~last")
    area = page.get_by_label("Your text")
    area.fill("<img src=x onerror=alert(1)> <b>bold</b> :red[x] $y$ " * 4)
    area.press("Control+Enter")
    expect(page.get_by_test_id("strip")).to_be_visible()
    ready(page)
    assert (
        page.locator("[data-testid=stMain] b:text-is('bold'), [data-testid=stMain] img[src=x]").count() == 0
    )


BROKEN = """() => {
  const { lanes } = globalThis[Symbol.for('merge-by-merge')].groups.get('compare');
  const broken = ({ cells: { words, firstCell: at }, line }) =>
    words.filter((_, n) => line[at[n]] !== line[at[n + 1] - 1]);
  return [...lanes].map((lane) => lane.layouts.flatMap(broken).length);
}"""


@pytest.mark.slow
def test_three_lanes_stand_in_line_and_break_no_word(page: Page) -> None:
    opened(page, f"{TEXTBOOK}~last")
    assert page.evaluate(BROKEN) == [0, 0, 0]
    for step, key in enumerate(("Home", "ArrowRight", "ArrowRight")):  # ties, and at the last none
        page.locator("body").press(key)
        for lane in range(3):
            at(page, step, lane)
        boxes = [viewport.bounding_box() for viewport in page.get_by_test_id("viewport").all()]
        assert len({box["y"] for box in boxes if box}) == 1
    page.set_viewport_size({"width": 390, "height": 844})
    ready(page)
    boxes = [viewport.bounding_box() for viewport in page.get_by_test_id("viewport").all()]
    assert len({box["x"] for box in boxes if box}) == 1  # below each other
