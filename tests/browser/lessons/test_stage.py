"""The presenter view as a lecturer uses it, with a clicker in the hand and a mouse on the desk."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app_server import AppServer
from tests.browser.chromium import enter, grid, ready
from tests.browser.conftest import NewPage
from tests.browser.grid.grid_page import LONG, follow, followed, press, show

NOT_RELOADED = "() => { window.kept = true; }"

# Select the pair with the table in sight, with the table hidden, and without motion. Return where the flying chips
# begin, where the row's chips are, and whether the second flight begins inside the grid.
FLIGHTS = """(root) => {
  const group = [...globalThis[Symbol.for('merge-by-merge')].groups.values()]
    .find(({ lanes }) => [...lanes].some((lane) => lane.root === root));
  const [table] = group.tables;
  const areas = (chips) => [...chips].map((chip) => chip.getBoundingClientRect());
  const corners = (chips) => areas(chips).map(({ left, top }) => [Math.round(left), Math.round(top)]);
  const select = () => {
    while (group.playhead.beat !== 'count') group.playhead.previousBeat();
    group.playhead.nextBeat();
    const copies = [...root.querySelectorAll('.flight.chip')];
    for (const flight of copies.flatMap((copy) => copy.getAnimations())) {
      flight.pause();
      flight.currentTime = 0;
    }
    return copies;
  };
  const fromTable = corners(select());
  const row = corners(table.querySelectorAll('tr.chosen .pairing .chip'));
  table.style.display = 'none';
  const grid = root.querySelector('.viewport').getBoundingClientRect();
  const inside = areas(select()).map(({ left, top }) => left > grid.left && top > grid.top);
  table.removeAttribute('style');
  group.playhead.motion = false;
  const still = select().length;
  group.playhead.motion = true;
  return { fromTable, row, inside, still };
}"""


def badge(page: Page) -> Locator:
    """Return the sentence about a tie."""
    return page.get_by_test_id("tie-badge")


@pytest.mark.slow
def test_a_clicker_drives_watch_and_a_reload_comes_back(page: Page) -> None:
    enter(page, "/watch?step=0")
    page.evaluate(NOT_RELOADED)
    page.keyboard.press("F5")  # what a clicker sends to start a show
    expect(grid(page)).to_have_class(re.compile("presenting"))
    assert page.evaluate("() => window.kept") is True
    beats = []
    for _ in range(2):
        page.keyboard.press("PageDown")
        beats.append(grid(page).get_attribute("data-beat"))
    assert beats == ["count", "select"]
    page.wait_for_timeout(1_500)  # longer than a merge takes
    expect(badge(page)).to_have_text(
        re.compile("^3 pairs tied at 9: it comes first in the text, at newest. A real choice.")
    )
    page.keyboard.press("PageDown")
    expect(grid(page)).to_have_attribute("data-beat", "settle")
    expect(page.get_by_test_id("live-numbers")).to_contain_text("Tokens86")
    for key in ("PageUp", "b"):
        page.keyboard.press(key)
    expect(page.get_by_test_id("black-out")).to_be_visible()
    page.keyboard.press(".")
    expect(page.get_by_test_id("black-out")).to_be_hidden()
    page.keyboard.press("Shift+ArrowRight")
    expect(page).to_have_url(re.compile(r"\bstep=1\b"))
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(grid(page)).to_have_attribute("data-beat", "select")
    flights = grid(page).evaluate(FLIGHTS)
    assert flights["fromTable"] == flights["row"]
    assert len(flights["row"]) == 2
    assert (flights["inside"], flights["still"]) == ([True, True], 0)
    ready(page)
    page.reload()
    ready(page)
    expect(grid(page)).to_have_class(re.compile("presenting"))
    expect(page.get_by_test_id("pair-table")).to_have_class(re.compile("presenting"))
    expect(grid(page)).to_have_attribute("data-step", "1")
    expect(grid(page)).to_have_attribute("data-beat", "select")
    page.keyboard.press("Shift+F5")
    expect(grid(page)).not_to_have_class(re.compile("presenting"))
    page.reload()
    ready(page)
    expect(grid(page)).not_to_have_class(re.compile("presenting"))


def test_play_plays_on_the_stage_and_fast_play_tells_what_it_makes(
    new_page: NewPage, grids: AppServer
) -> None:
    page = show(new_page, grids, {**LONG, "pairs": 1})
    press(page, "p", "f")
    expect(page.get_by_test_id("mode-film")).to_have_attribute("aria-pressed", "true")
    page.get_by_test_id("speed").select_option(label="12/s")
    follow(page)
    page.keyboard.press("PageDown")  # the menu has given the focus back
    expect(grid(page)).to_have_attribute("data-playing", "true")
    page.wait_for_function("() => film.length > 8")
    page.keyboard.press("PageDown")
    expect(grid(page)).to_have_attribute("data-playing", "false")
    fast = [beat for beat in followed(page) if beat.beat == "fast" and beat.step > 1]
    assert fast
    counts = [int(match[1].replace(",", "")) for beat in fast if (match := COUNTED.search(beat.headline))]
    assert len(counts) == len(fast)
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]
    assert not any("?" in beat.headline for beat in fast)


COUNTED = re.compile(r"([\d,]+) tokens")


@pytest.mark.slow
def test_the_way_out_shows_when_the_mouse_moves(page: Page) -> None:
    enter(page, "/watch")
    page.keyboard.press("p")
    corner = page.get_by_test_id("corner")
    expect(corner).not_to_have_class(re.compile("awake"))
    page.mouse.move(300, 300)
    page.mouse.move(320, 300)
    expect(corner).to_have_class(re.compile("awake"))
    page.get_by_role("button", name="Keys", exact=True).click()
    expect(page.get_by_test_id("help")).to_contain_text("leave the presenter view")
    page.set_viewport_size({"width": 1920, "height": 1080})  # letters are larger, and the list still fits
    expect(page.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("heading", name="Keys")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    page.mouse.move(340, 300)
    page.get_by_role("button", name="Leave the presenter view").click()
    expect(grid(page)).not_to_have_class(re.compile("presenting"))
