"""The presenter view as a lecturer uses it, with a clicker in the hand and a mouse on the desk."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.app_server import AppServer
from harness.chromium import enter, grid, ready
from tests import ROOT
from tests.browser.conftest import NewPage
from tests.browser.grid_page import LONG, follow, followed, pairs_in_sight, press, show
from tests.browser.stage_walk import path_of, walk, walk_stop
from tests.browser.test_lessons import card, open_lesson
from tests.waiting import until
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.curriculum import Stop

PRESENTING = re.compile("presenting")
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
    expect(badge(page)).to_have_text(re.compile("^3 pairs tied at 9: .* A real choice"))
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


def test_tools_for_a_mouse_come_with_the_pointer_and_leave(page: Page) -> None:
    enter(page, "/lessons?lesson=the-first-tie&beat=2")
    page.mouse.move(200, 200)
    page.keyboard.press("p")
    tools = [page.get_by_test_id("transport").first, page.get_by_test_id("lesson-next").locator("..")]
    for tool in tools:
        expect(tool).to_have_css("opacity", "0")
    page.mouse.move(300, 300)
    page.mouse.move(320, 300)
    for tool in tools:
        expect(tool).to_have_css("opacity", "1")
    for tool in tools:
        expect(tool).to_have_css("opacity", "0")  # after a moment
    page.keyboard.press("p")
    for tool in tools:
        expect(tool).to_have_css("opacity", "1")


CHIPS = "(all) => all.map((chip) => chip.getBoundingClientRect()).map(({ top, height }) => [top, height])"


def test_a_word_of_ones_own_is_large_and_never_breaks(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"text": "banana", "pairs": 1})
    chips = grid(page).locator(".viewport .box:visible")
    assert min(height for _, height in chips.evaluate_all(CHIPS)) > 60
    press(page, "p")
    expect(grid(page)).to_have_class(re.compile("presenting"))
    tops = {round(top) for top, _ in chips.evaluate_all(CHIPS)}
    assert len(tops) == 1
    press(page, "p")


def test_letters_with_spaces_between_them_are_one_line_in_their_order(page: Page) -> None:
    enter(page, "/lessons?lesson=strawberry&beat=2")
    page.keyboard.press("p")
    expect(grid(page)).to_have_class(re.compile("presenting"))
    chips = grid(page).locator(".viewport .box:visible")
    assert len({round(top) for top, _ in chips.evaluate_all(CHIPS)}) == 1
    letters = "".join(grid(page).locator(".viewport .letter").all_inner_texts())
    assert re.sub("[^a-z]", "", letters) == "strawberry"
    page.evaluate(NOTE_WRITING)  # the text is about ids: they stand below the letters, and are as large
    page.keyboard.press("End")
    until(lambda: page.evaluate("window.written").count("363") >= 3, "the id of each r")
    smallest = page.evaluate("() => { forget(); return smallest; }")
    assert smallest > 0.8 * letters_of(page)
    page.keyboard.press("Escape")


# Note what is written on a canvas from now on, and the height of the smallest id.
NOTE_WRITING = """() => {
  window.written = [];
  window.smallest = Infinity;
  const { prototype } = CanvasRenderingContext2D;
  const { fillText } = prototype;
  window.forget = () => { prototype.fillText = fillText; };
  prototype.fillText = function (text, ...where) {
    written.push(text);
    if (/^[0-9]{3}$/.test(text)) smallest = Math.min(smallest, parseFloat(this.font.match(/([0-9.]+)px/)[1]));
    return fillText.call(this, text, ...where);
  };
}"""


def letters_of(page: Page) -> float:
    """Return the height of the letters in a grid's chips, in pixels."""
    letter = grid(page).locator(".viewport .letter").first
    return float(letter.evaluate("letter => parseFloat(getComputedStyle(letter).fontSize)"))


def test_the_code_of_a_beat_tells_one_merge(page: Page) -> None:
    enter(page, "/lessons?lesson=count-merge-repeat&beat=9")
    lines = page.get_by_test_id("code").locator("li")
    for size in (False, True):
        chips = [
            lines.filter(has_text=line).locator("button .chip") for line in ("max(counts", "merges.append")
        ]
        expect(chips[0]).to_have_text(["p", "un"])  # the last merge before this step; the next one is p + ug
        expect(chips[1]).to_have_text(["p", "un"])
        if not size:
            small = lines.first.evaluate(LETTERS_OF_LINE)
            page.keyboard.press("p")
    until(lambda: lines.first.evaluate(LETTERS_OF_LINE) > 1.5 * small, "code that fills the stage")
    expect(lines.last).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")


LETTERS_OF_LINE = "line => parseFloat(getComputedStyle(line.querySelector('code')).fontSize)"


def test_at_the_end_of_two_lanes_their_words_alone_are_there(page: Page) -> None:
    enter(page, "/lessons?lesson=does-the-tie-matter&beat=8")
    page.keyboard.press("p")
    page.keyboard.press("Home")  # at once
    expect(page.get_by_test_id("lane-stage")).to_have_class(PRESENTING)
    headlines = [grid(page, lane).get_by_test_id("headline") for lane in range(2)]
    expect(grid(page)).to_have_attribute("data-step", "0")
    for headline in headlines:
        expect(headline).to_be_visible()
    page.keyboard.press("End")
    for headline in headlines:
        expect(headline).to_be_hidden()
    page.keyboard.press("Escape")
    for headline in headlines:
        expect(headline).to_be_visible()


# A lesson that compares two trainings: their stage beside the card, in the page and in the presenter view.

# The stage of two lanes: its box, the box of each lane's words, and whether all words are in sight.
LANES = """() => {
  const { lanes, stage } = globalThis[Symbol.for('merge-by-merge')].groups.get('lesson');
  const box = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height };
  };
  const views = [...lanes].map(({ root }) => root.querySelector('.viewport'));
  return {
    stage: box(stage.root),
    words: views.map(box),
    whole: views.every((view) => view.scrollHeight <= view.clientHeight && view.scrollWidth <= view.clientWidth),
  };
}"""


def test_two_trainings_share_a_stage_beside_the_card(new_page: NewPage) -> None:
    page = open_lesson(new_page(), "no-rule-gives-that", 2)
    lanes, transport = page.get_by_test_id("lanes"), page.get_by_test_id("transport")
    names = ["First in dictionary order", "First occurrence"]
    assert lanes.locator("h3").all_inner_texts() == names
    tops = {words["y"] for words in page.evaluate(LANES)["words"]}
    assert len(tops) == 1
    expect(transport).to_have_count(1)
    page.keyboard.press("p")
    for width, height in ((1280, 720), (1920, 1080), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        ready(page)
        view = page.evaluate(LANES)
        beside = card(page).bounding_box()
        assert beside
        box = {name: round(value) for name, value in view["stage"].items()}
        assert box == {"x": 0, "y": 0, "width": round(beside["x"]), "height": height}
        assert view["whole"] or width == 1024, (width, height)  # there, words scroll within their lane
        assert all(words["y"] + words["height"] <= height for words in view["words"])
        expect(transport).to_be_in_viewport(ratio=1)  # over the words, when the pointer moves
    page.keyboard.press("PageDown")  # to a beat with one grid, and back
    expect(lanes).to_have_count(0)
    expect(grid(page)).to_have_class(re.compile("presenting"))
    expect(grid(page)).to_have_attribute("data-step", "2")  # the beat's, though this grid is a new one
    expect(transport).to_be_in_viewport()
    page.keyboard.press("PageUp")
    expect(lanes.locator("h3")).to_have_text(names)
    both = lanes.get_by_test_id("token-grid")
    expect(both).to_have_count(2)
    for one in (both.first, both.last):
        expect(one).to_have_attribute("data-step", "4")
    expect(page.get_by_test_id("lesson-astray")).to_be_hidden()
    expect(transport).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(card(page)).not_to_have_class(re.compile("presenting"))
    assert page.get_by_test_id("grid-transport").get_by_test_id("transport").is_visible()


# From one new text to the next, the stage never shows two grids at once: Streamlit keeps what a run has
# replaced.

# Notes in every frame how many grids are visible, until the page is left.
COUNT_GRIDS = """() => {
  window.mostGrids = 0;
  const shown = (root) => [...root.querySelectorAll('*')].reduce((sum, element) => sum
    + Number(element.dataset?.testid === 'token-grid' && element.checkVisibility())
    + (element.shadowRoot ? shown(element.shadowRoot) : 0), 0);
  const look = () => {
    window.mostGrids = Math.max(window.mostGrids, shown(document));
    requestAnimationFrame(look);
  };
  look();
}"""


# How many chips are in part above or below what the viewport of a grid shows
CUT = """(viewport) => {
  const {top, bottom} = viewport.getBoundingClientRect();
  const boxes = [...viewport.querySelectorAll('.chips .box')].map((box) => box.getBoundingClientRect());
  return boxes.filter((box) => [top, bottom].some((edge) => box.top < edge - 1 && box.bottom > edge + 1)).length;
}"""


def test_a_long_text_on_a_stage_ends_between_two_rows(new_page: NewPage) -> None:
    page = new_page(width=1280, height=720)
    enter(page, "/compare?merges=9")
    page.get_by_test_id("your-text").fill((ROOT / "sample_corpora" / "story.txt").read_text("utf-8")[:850])
    page.get_by_test_id("your-text").press("Control+Enter")
    expect(grid(page)).to_contain_text("T")
    ready(page)
    press(page, "p")
    viewports = page.locator(".presenting .viewport")
    expect(viewports).to_have_count(2)
    for width, height in ((1280, 720), (1100, 800)):
        page.set_viewport_size({"width": width, "height": height})
        ready(page)
        for viewport in viewports.all():
            assert viewport.evaluate("element => element.scrollHeight > element.clientHeight + 1")
            assert viewport.locator(".chips .box").count()
        until(lambda: all(viewport.evaluate(CUT) == 0 for viewport in viewports.all()), "no row is cut")


def test_one_grid_is_on_the_stage_while_a_beat_changes(page: Page) -> None:
    open_lesson(page, "strawberry", 3)
    page.evaluate(COUNT_GRIDS)
    for beat in (3, 4, 3):
        page.get_by_role("button", name=f"Step {beat + 1}", exact=True).click()
        expect(card(page)).to_have_attribute("data-beat", str(beat))
        ready(page)
    assert page.evaluate("() => window.mostGrids") == 1


# The stage of a lesson shows what its text is about: the pair that it names, at the step that it speaks of.


def hexadecimal(left: str, right: str) -> str:
    return f"{left.encode().hex()} {right.encode().hex()}"


def wait_for_pair(page: Page, pair: str, lane: int = 0) -> None:
    """Wait until a lane shows a pair without scrolling."""
    until(lambda: pair in pairs_in_sight(page, lane), f"{pair} in sight of lane {lane}")


def test_each_lane_is_at_the_merge_that_the_text_speaks_of_and_shows_its_pair(page: Page) -> None:
    open_lesson(page, "does-it-matter", 6)
    ready(page)
    expect(grid(page, 1)).to_have_attribute("data-step", "98")
    page.keyboard.press("PageDown")  # the answer
    expect(card(page)).to_have_attribute("data-answered", "true")
    for lane, (step, merge, pair) in enumerate(((97, "E+A→EA", "EA"), (98, "A+I→AI", "AI"))):
        expect(grid(page, lane)).to_have_attribute("data-step", str(step))
        expect(grid(page, lane).locator(".headline .merge")).to_have_text(merge)
        wait_for_pair(page, hexadecimal(*pair), lane)


def test_a_grid_scrolls_to_the_pair_that_the_answer_names(page: Page) -> None:
    open_lesson(page, "no-spaces", 2)
    page.keyboard.press("PageDown")
    expect(card(page)).to_have_attribute("data-answered", "true")
    wait_for_pair(page, f"{'。'.encode().hex()} ff")


def test_a_text_stays_where_it_is_through_a_lesson_so_that_the_words_do_not_jump(page: Page) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    open_lesson(page, "count-merge-repeat")
    page.keyboard.press("p")
    expect(card(page)).to_have_class(re.compile("presenting"))
    places = set()
    for number, beat in enumerate(lessons()["count-merge-repeat"].beats):
        expect(card(page)).to_have_attribute("data-beat", str(number))
        for _ in range(2 if beat.question else 1):
            ready(page)
            places.add("above" in (card(page).get_attribute("class") or ""))
            page.keyboard.press("PageDown")
    assert len(places) == 1


# The pages without a grid present one picture each, with the keys that every stage has.

# The page, the root of its picture, and what the next key shows
PICTURES = (
    ("vocabulary", "merge-tree", ""),
    ("bytes", "aligned-rows", ""),
    ("tokenizers", "splits", ""),
    ("glossary", "terms", "the next term, and the one before"),
    ("talk", "talk-paths", ""),
)
LEAST_LETTERS = 0.02  # of the window's height
# The height of the smallest letters in sight, as a share of the window's, and whether all of the picture is in sight.
LETTERS_OF_PICTURE = """(root) => {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const sizes = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const { parentElement: one } = text;
    if (!text.data.trim() || !one.checkVisibility({ visibilityProperty: true })) continue;
    const { fontSize } = getComputedStyle(one);
    sizes.push(parseFloat(fontSize) * (one.currentCSSZoom ?? 1) / innerHeight);
  }
  const whole = root.scrollWidth <= root.clientWidth + 1 && root.scrollHeight <= root.clientHeight + 1;
  return [Math.min(...sizes), whole];
}"""


@pytest.mark.parametrize(("name", "picture", "turns"), PICTURES, ids=[name for name, _, _ in PICTURES])
def test_a_page_without_a_grid_presents_its_picture(page: Page, name: str, picture: str, turns: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"/{name}")
    ready(page)
    root = page.get_by_test_id(picture).last
    dialog = page.get_by_role("dialog", name="Presenter view")
    expect(root).to_be_visible()
    page.keyboard.press("p")
    expect(dialog).to_have_count(1)
    expect(root).to_have_class(PRESENTING)
    assert dialog.evaluate("dialog => dialog.matches(':modal')")
    for width, height in ((1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        until(lambda: root.evaluate(LETTERS_OF_PICTURE)[1], "all of the picture in sight")
        assert root.evaluate(LETTERS_OF_PICTURE)[0] >= LEAST_LETTERS, (width, height)
    page.keyboard.press("?")
    keys = page.get_by_test_id("help").locator("visible=true")
    expect(keys).to_contain_text("leave the presenter view")
    expect(keys).to_contain_text(turns)
    page.keyboard.press("Escape")  # the list, not the stage
    expect(keys).to_have_count(0)
    page.keyboard.press("b")
    black = page.get_by_test_id("black-out").locator("visible=true")
    expect(black).to_have_count(1)
    page.keyboard.press("ArrowRight")  # any key brings the picture back
    expect(black).to_have_count(0)
    page.mouse.move(300, 300)
    page.mouse.move(320, 300)
    expect(page.get_by_role("button", name="Leave the presenter view")).to_be_visible()
    before = root.inner_text()
    page.keyboard.press("PageDown")
    assert (root.inner_text() != before) == bool(turns)
    page.reload()
    ready(page)
    expect(root).to_have_class(PRESENTING)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(root).not_to_have_class(PRESENTING)


def test_number_keys_lead_from_stage_to_stage(page: Page) -> None:
    enter(page, "/watch")
    page.keyboard.press("p")
    expect(grid(page)).to_have_class(PRESENTING)
    dialog = page.get_by_role("dialog", name="Presenter view")
    for number, picture in (("6", "merge-tree"), ("7", "aligned-rows"), ("8", "terms"), ("3", "token-grid")):
        page.keyboard.press(number)
        expect(page.get_by_test_id(picture).last).to_have_class(PRESENTING)
        ready(page)
        expect(dialog).to_have_count(1)
    page.keyboard.press("p")
    expect(dialog).to_have_count(0)


# Every beat of every lesson, and the pages of the talks, in the sizes of a hall: nothing is cut, covered, small or
# empty. The whole course takes a quarter of an hour, so CI walks one lesson and a workflow the rest.

SAMPLE = ("counted-and-replaced",)
PAGES = 90  # minutes of the talk that stops on every page that a talk has


@pytest.mark.parametrize("slug", SAMPLE)
def test_a_room_can_read_every_beat_and_finds_what_its_text_names(page: Page, slug: str) -> None:
    assert list(walk(page, lessons()[slug])) == []


@pytest.mark.weekly
@pytest.mark.parametrize("slug", [slug for slug in lessons() if slug not in SAMPLE])
def test_a_room_can_read_the_rest_of_the_course(page: Page, slug: str) -> None:
    assert list(walk(page, lessons()[slug])) == []


@pytest.mark.weekly
@pytest.mark.parametrize(
    "stop", [stop for stop in path_of(PAGES).stops if stop.page], ids=lambda stop: stop.page
)
def test_a_room_can_read_the_pages_of_a_talk(page: Page, stop: Stop) -> None:
    assert list(walk_stop(page, path_of(PAGES), stop)) == []
