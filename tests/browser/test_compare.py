"""Compare in a browser: one playhead for all lanes, differences marked, one click to the first divergence."""

import re

import pytest
from playwright.sync_api import Page, expect

from film.modules import BROWSER, join_scripts
from harness.chromium import (
    close_choice,
    enter,
    grid,
    open_choice,
    ready,
    take_away,
    wider,
)
from tests.browser.compare_page import TEXTBOOK, opened, steps
from tests.browser.grid_page import at, press


@pytest.fixture(scope="module")
def opened_once(shared_page: Page) -> Page:
    """Open the comparison of the textbook's words for all tests that only read it."""
    return opened(shared_page, TEXTBOOK)


@pytest.fixture
def textbook(opened_once: Page) -> Page:
    """Return the page that tests share, of 1280 × 800 and at its last step, from which a test goes where it needs."""
    opened_once.set_viewport_size({"width": 1280, "height": 800})
    press(opened_once, "End")
    for lane in (0, 1):
        at(opened_once, 12, lane)
    return opened_once


@pytest.mark.quick
def test_the_answer_comes_first(textbook: Page) -> None:
    expect(textbook.locator("h1")).to_have_text("Compare")
    expect(textbook.locator("h2").first).to_contain_text("low, lower, newest, widest")
    expect(textbook.locator(".st-key-new_text p").first).to_contain_text("no more than luck: 1 of 17 words")


@pytest.mark.quick
def test_lanes_share_one_playhead(textbook: Page) -> None:
    for key, step in (("ArrowLeft", "11"), ("Home", "0"), ("ArrowRight", "1"), ("End", "12")):
        press(textbook, key)
        for lane in (0, 1):
            expect(grid(textbook, lane)).to_have_attribute("data-step", step)
    assert grid(textbook, 0).get_attribute("data-text") != ""
    assert textbook.locator("[data-testid=transport]").count() == 1


def test_one_click_leads_to_the_first_divergence(textbook: Page) -> None:
    expect(textbook.get_by_test_id("divergence")).to_contain_text("3 pairs tied at 9")
    textbook.get_by_test_id("go-to-divergence").click()
    expect(grid(textbook, 0)).to_have_attribute("data-step", "0")
    expect(grid(textbook, 1)).to_have_attribute("data-step", "0")


def test_a_figure_lights_its_own_lane_and_the_strip_all_of_them(textbook: Page) -> None:
    press(textbook, "Home")
    for lane in (0, 1):
        at(textbook, 0, lane)
    one, other = grid(textbook, 0), grid(textbook, 1)
    other.locator("[data-counts=pair]").focus()
    expect(other).to_have_attribute("data-lit", "pair")
    expect(one).to_have_attribute("data-lit", "")
    expect(other.get_by_test_id("live")).to_have_text(re.compile(r"^\S+ \+ \S+: "))
    textbook.get_by_test_id("strip").locator("[data-rank='0']").focus()
    for grid_of_lane in (one, other):
        expect(grid_of_lane).to_have_attribute("data-lit", "merge")
        expect(grid_of_lane.get_by_test_id("live")).to_have_text(re.compile(r"^Merge 1, "))


def test_the_strip_shows_what_each_lane_took_and_leads_there(textbook: Page) -> None:
    strip = textbook.get_by_test_id("strip")
    assert strip.locator(".column[data-differs]").evaluate_all(
        "all => all.map((one) => one.dataset.rank)"
    ) == list("01356")
    textbook.get_by_test_id("strip-differences").click()
    expect(strip.locator(".column")).to_have_count(5)
    strip.locator("[data-rank='5']").click()
    expect(grid(textbook, 1)).to_have_attribute("data-step", "5")
    expect(strip.locator(".column.now")).to_have_attribute("data-rank", "5")
    assert "First occurrence makes ne" in str(strip.locator(".column.now").get_attribute("aria-label"))


LAST = "[...globalThis[Symbol.for('merge-by-merge')].groups.get('compare').lanes].find((one) => one.lane.index === 3)"
# Drags and releases the scrubber. Returns the last lane's step and picture before, after, and when drawn again.
DRAGGED = """(scrubber) => {
  const last = %s;
  const tell = (kind) => scrubber.dispatchEvent(new Event(kind, {bubbles: true}));
  const seen = () => [last.step, last.root.querySelector('canvas.cells').toDataURL()];
  for (const step of [200, 40, 120]) { scrubber.value = step; tell('input'); }
  const dragged = seen();
  tell('change');
  const free = seen();
  last.relayout();
  return [dragged, free, seen()];
}"""


def test_what_waits_while_the_scrubber_is_dragged_is_true_when_it_is_let_go(page: Page) -> None:
    enter(page, "/compare?corpus_sample=story&merges=300&lanes=first~pair-max~last~shortest")
    expect(grid(page, 3)).to_have_attribute("data-steps", "300")
    page.wait_for_function(f"{LAST}.visibleArea.isSeen() === false")  # below the window's edge
    layers = grid(page).locator(".layer").evaluate_all("(all) => all.map((one) => one.className)")
    # What differs is marked over the tokens, not under them.
    assert layers == ["layer cells", "layer rings", "layer marks"]
    dragged, free, anew = page.get_by_test_id("scrubber").evaluate(DRAGGED % LAST)
    assert [dragged[0], free[0], anew[0]] == [120, 120, 120]
    assert dragged[1] != free[1] == anew[1]
    for number in range(4):
        expect(grid(page, number).get_by_test_id("headline")).to_contain_text("Merge 121 of 300")
    expect(page.get_by_test_id("strip").locator(".column.now")).to_have_attribute("data-rank", "120")


DIFFERING = """(root) => {
  const { lanes } = globalThis[Symbol.for('merge-by-merge')].groups.get('compare');
  const lane = [...lanes].find((one) => one.root === root);
  const { cells } = lane.layouts[0];
  const alone = [...Array(cells.size).keys()].filter((cell) => lane.differsAt(cells, cell, cell + 1));
  return [lane.visibleMarks.differs, alone.length];
}"""


def test_differing_tokens_are_marked_in_place(textbook: Page) -> None:
    """Before merge 0 every symbol stands alone in both lanes; after it `es` and `t</w>` do not, in two words."""
    for key, step, marked in (
        ("Home", 0, 0),
        ("ArrowRight", 1, 4),
    ):  # the t and the </w> of newest and widest
        press(textbook, key)
        at(textbook, step)
        assert grid(textbook, 0).evaluate(DIFFERING) == [True, marked]


def test_on_a_telephone_lanes_stack_and_nothing_is_wider(textbook: Page) -> None:
    textbook.set_viewport_size({"width": 390, "height": 844})
    ready(textbook)
    first, second = (grid(textbook, number).bounding_box() for number in (0, 1))
    assert first is not None
    assert second is not None
    assert second["y"] >= first["y"] + first["height"] - 1
    assert wider(textbook) == 0


PAINTED = """() => {
  %s
  const context = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const seen = (colour) => {
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const apart = (hue, [l, c]) => {
    const theirs = seen(`oklch(${l} ${c} ${hue})`);
    return Math.max(...seen(oklch(l, c, hue)).map((value, at) => Math.abs(value - theirs[at])));
  };
  const kinds = [[0.96, 0.065], [0.84, 0.072], [0.52, 0.11], [0.4, 0.07], [0.27, 0.07], [0.75, 0.09]];
  return Math.max(...[...Array(72).keys()].flatMap((at) => kinds.map((kind) => apart(5 * at, kind))));
}"""


def test_colours_are_those_that_a_browser_makes_of_oklch(page: Page) -> None:
    assert page.evaluate(PAINTED % join_scripts(BROWSER / "shared/colour.js")) <= 1  # of 255


# Which lanes Compare shows: a link, and a third lane.


def test_the_link_to_copy_is_the_address_and_the_step_and_opens_the_same_view(page: Page) -> None:
    opened(page, f"{TEXTBOOK}~first_0.1")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label("Name of the branch").fill("mine & yours")
    page.get_by_label("Name of the branch").press("Enter")
    expect(page).to_have_url(re.compile("#typed="))
    expect(grid(page, 2).get_by_role("heading")).to_have_text("mine & yours")
    page.locator("[data-testid=token-grid] .viewport").first.press("End")
    expect(grid(page)).to_have_attribute("data-step", "12")
    take_away(page, "Link")
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert link == page.url
    assert "&step=12#typed=" in link
    page.goto("about:blank")  # whoever receives the link opens it anew
    opened(page, link)
    assert steps(page) == ["12", "12", "12"]
    expect(grid(page, 2)).to_contain_text("mine & yours")


BROKEN = """() => {
  const { lanes } = globalThis[Symbol.for('merge-by-merge')].groups.get('compare');
  const broken = ({ cells: { words, firstCell: at }, line }) =>
    words.filter((_, n) => line[at[n]] !== line[at[n + 1] - 1]);
  return [...lanes].map((lane) => lane.layouts.flatMap(broken).length);
}"""


def in_line(page: Page) -> bool:
    """Return whether the words of all lanes begin at one height."""
    boxes = [viewport.bounding_box() for viewport in page.get_by_test_id("viewport").all()]
    return len({round(box["y"]) for box in boxes if box}) == 1


def test_three_lanes_stand_in_line_break_no_word_and_stay_in_line_when_one_goes(page: Page) -> None:
    opened(page, f"{TEXTBOOK}~last")
    assert page.evaluate(BROKEN) == [0, 0, 0]
    for step, key in enumerate(("Home", "ArrowRight", "ArrowRight")):  # ties, and at the last none
        page.locator("body").press(key)
        for lane in range(3):
            at(page, step, lane)
        assert in_line(page)
    grid(page).evaluate("(root) => { root.dataset.kept = 'yes' }")
    open_choice(page, "lanes")
    page.locator(".st-key-lanes input").first.press("Backspace")
    expect(page.get_by_test_id("token-grid")).to_have_count(2)
    close_choice(page)
    assert in_line(page)
    expect(grid(page)).to_have_attribute("data-kept", "yes")  # the lanes that stay are the same elements
    at(page, 2)


def test_where_finished_tokenizers_are_replayed_nothing_is_said_of_ties(page: Page) -> None:
    enter(page, "/compare?corpus_sample=which-goes-first&lanes=published-gpt-2~published-gpt-4")
    expect(page.get_by_test_id("strip-differences")).to_be_visible()
    expect(page.get_by_test_id("strip-ties")).to_have_count(0)
    expect(page.get_by_test_id("strip-legend")).not_to_contain_text("tied")
    enter(page, "/compare?corpus_sample=which-goes-first&lanes=published-gpt-2~first")
    expect(page.get_by_test_id("strip-ties")).to_be_visible()
    expect(page.get_by_test_id("strip-legend")).to_contain_text("tied")
