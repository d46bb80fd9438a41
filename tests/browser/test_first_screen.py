"""The first screen: what a page is about, and the controls that move it, are in sight without scrolling."""

import re
from collections.abc import Iterable
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.chromium import enter, grid, ready, run_first
from tests.browser.conftest import NewPage
from tests.browser.grid_page import guess
from ui.choices.text_link import fragment_of
from ui.trainings.corpus import from_text

LAPTOPS = ((1280, 720), (1440, 900))
LEAST_TEXT = 160  # pixels of a lane's text over the transport: four lines
MOST_ABOVE = 180  # pixels from the top of the window to the sentence on the next merge


def at_size(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    ready(page)


def hidden_parts(page: Page, parts: dict[str, Locator]) -> dict[str, object]:
    """Return {name: box} of the parts that the window does not show as a whole."""
    size = page.viewport_size
    assert size
    boxes = {name: part.bounding_box() for name, part in parts.items()}
    return {
        name: box
        for name, box in boxes.items()
        if not box
        or min(box["x"], box["y"]) < 0
        or box["x"] + box["width"] > size["width"]
        or box["y"] + box["height"] > size["height"]
    }


def assert_the_page_scrolls_below_its_transport(page: Page) -> None:
    """Assert that the grid is as high as its text, and that its words and the transport over it are in sight."""
    transport = page.get_by_test_id("transport")
    assert hidden_parts(page, {"transport": transport}) == {}
    viewport = page.get_by_test_id("viewport")
    assert viewport.evaluate("element => element.scrollHeight <= element.clientHeight")
    grid_box, transport_box = viewport.bounding_box(), transport.bounding_box()
    assert grid_box
    assert transport_box
    assert transport_box["y"] - grid_box["y"] >= 200


def overlapping(parts: Iterable[Locator]) -> bool:
    """Return whether some part begins above the end of the part before it."""
    boxes = [box for part in parts if (box := part.bounding_box())]
    return any(upper["y"] + upper["height"] > lower["y"] for upper, lower in pairwise(boxes))


# What is on the screen when Play has selected its first pair.
PLAYED = """() => {
  const found = (root) =>
    root.querySelector('.transport') ??
    [...root.querySelectorAll('*')].map(({ shadowRoot }) => shadowRoot && found(shadowRoot)).find(Boolean);
  const transport = found(document);
  window.played = [];
  window.addEventListener('mbm:step', ({ detail }) => {
    if (!detail.playing || detail.beat !== 'select') return;
    played.push({
      transport: transport.getBoundingClientRect().bottom <= innerHeight,
      old: document.documentElement.hasAttribute('data-merges-play'),
    });
  });
}"""


def test_watch_explains_itself_and_is_whole_on_a_laptop(new_page: NewPage) -> None:
    page = new_page(width=1280, height=720)
    enter(page, "/")
    expect(page.locator("h1")).to_have_text("Watch")
    expect(page.locator(".st-key-page_sentence")).to_contain_text("Press Play. Lesson 1 explains it.")
    menu = page.locator("[data-testid=stTopNavLink]")
    assert menu.all_inner_texts() == [
        "Lessons",
        "Tokenizers",
        "Watch",
        "Compare",
        "Encode",
        "Vocabulary",
        "Bytes",
        "Glossary",
        "Give a talk",
    ]
    parts = {
        "badge": page.get_by_test_id("tie-badge"),
        "grid": grid(page).locator(".card"),
        "numbers": page.get_by_test_id("live-numbers"),
        "transport": page.get_by_test_id("transport"),
    }
    table = {"table": page.get_by_test_id("pair-table")}
    for width, height in LAPTOPS:
        at_size(page, width, height)
        assert hidden_parts(page, parts | table) == {}, (width, height)
        assert not overlapping(parts.values())
        headline = page.get_by_test_id("headline").bounding_box()
        assert headline
        assert headline["y"] <= MOST_ABOVE
        viewport = page.get_by_test_id("viewport")
        assert viewport.evaluate("element => element.scrollHeight <= element.clientHeight"), (
            "the text is cut off"
        )

    # The legend and the drawing options are one press away, and a press elsewhere puts them away.
    view = page.get_by_test_id("view")
    shapes = page.get_by_test_id("shapes")
    expect(shapes).to_be_hidden()
    view.click()
    expect(shapes).to_contain_text("about to merge")
    assert hidden_parts(page, {"options": page.locator(".settings")}) == {}
    page.get_by_test_id("option-view").select_option("words")
    page.keyboard.press("Escape")
    expect(shapes).to_be_hidden()
    expect(view).to_be_focused()
    view.press("Enter")
    expect(shapes).to_be_visible()
    page.get_by_test_id("headline").click()
    expect(shapes).to_be_hidden()

    # While merges are played, the transport stays in sight and the numbers that are old are pale.
    at_size(page, 1280, 720)
    page.evaluate(PLAYED)
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("() => played.length > 0")
    page.get_by_role("button", name="Pause").click()
    assert page.evaluate("() => played[0]") == {"transport": True, "old": True}
    expect(page.locator("html")).not_to_have_attribute("data-merges-play", re.compile(""))


def test_the_link_to_the_first_lesson_stays_in_its_tab_and_visit(page: Page) -> None:
    enter(page, "/?merges=7")
    tabs = len(page.context.pages)
    page.get_by_role("link", name="lesson 1").click()
    expect(page).to_have_url(re.compile("/lessons"))
    ready(page)
    expect(page.locator("h1")).to_have_text("Lessons")
    assert len(page.context.pages) == tabs
    page.locator("[data-testid=stTopNavLink]", has_text="Watch").click()
    expect(page.get_by_test_id("choice-merges")).to_contain_text("7")


WORDS = "the quick brown foxes jump over twelve lazy dogs and sleepy cats"
# Texts that are drawn in different ways: as text alone, and as one that scrolls.
OWN_TEXTS = {"a text": WORDS, "a long text": f"{WORDS} and more " * 9}


@pytest.mark.parametrize("text", OWN_TEXTS.values(), ids=OWN_TEXTS)
def test_the_numbers_below_a_text_end_above_the_player(shared_page: Page, text: str) -> None:
    page = shared_page
    enter(page, f"/#{fragment_of('paste', from_text(text))}")
    expect(page.get_by_test_id("choice-text")).to_contain_text("Your text")
    ready(page)
    for width, height in ((1280, 720), (1110, 800), (1920, 1080)):
        at_size(page, width, height)
        numbers, player = (
            page.get_by_test_id("live-numbers").bounding_box(),
            page.locator(".dock").bounding_box(),
        )
        assert numbers
        assert player
        assert numbers["y"] + numbers["height"] <= player["y"], (width, height)
        assert player["y"] + player["height"] <= height, (width, height)


# The lower edge of the first row of each lane.
FIRST_ROWS = """() => [...globalThis[Symbol.for('merge-by-merge')].groups.get('compare').lanes].map((lane) => {
  const [{ top, metrics }] = lane.layouts;
  return lane.elements.viewport.getBoundingClientRect().top + top + metrics.pitch;
})"""


def test_compare_shows_its_lanes_and_their_transport_on_the_first_screen(new_page: NewPage) -> None:
    page = new_page(width=1280, height=720)
    enter(page, "/compare")
    answer = {"words": page.get_by_test_id("disputed"), "bar": page.get_by_test_id("verdict-bar")}
    transport = {"transport": page.get_by_test_id("transport")}
    expect(answer["bar"]).to_contain_text("random tie-breaks explain")  # everything is measured
    expect(page.locator(".st-key-evidence_stop")).to_have_count(0)  # nor is the progress above the lanes
    names = ("your-text", "choice-lanes", "choice-text", "choice-tokenizer", "choice-ties", "choice-merges")
    field, *menus = [box for name in names if (box := page.get_by_test_id(name).bounding_box())]
    assert len(menus) == 5
    lefts = [box["x"] for box in (field, *menus)]
    assert lefts == sorted(lefts)
    assert len({round(box["y"] + box["height"] / 2) for box in menus}) == 1
    for width, height in LAPTOPS:
        at_size(page, width, height)
        assert hidden_parts(page, answer | transport) == {}, (width, height)
        dock = transport["transport"].bounding_box()
        for number in (0, 1):
            text = grid(page, number).get_by_test_id("viewport").bounding_box()
            assert dock
            assert text
            assert dock["y"] - text["y"] >= LEAST_TEXT, (width, height)

    # A phone shows a row of both, between the answer and what it rests on.
    at_size(page, 390, 844)
    rows = page.evaluate(FIRST_ROWS)
    player = page.locator(".stage-slot").bounding_box()
    assert player
    assert len(rows) == 2
    assert max(rows) <= player["y"]
    assert not overlapping(
        [
            page.locator(".st-key-verdict h2"),
            page.get_by_test_id("lane-stage"),
            page.locator(".st-key-how_decided"),
            answer["words"],
            page.get_by_test_id("strip"),
        ]
    )


def test_play_and_the_slider_are_in_sight_on_every_stage(new_page: NewPage) -> None:
    page = new_page(width=1280, height=720)
    stages = (
        "/lessons?lesson=does-it-matter&beat=4",
        "/compare?corpus_sample=story&merges=60&lanes=first~pair-max",
    )
    for address in stages:
        enter(page, address)
        parts = {name: page.get_by_test_id(name) for name in ("transport", "scrubber", "after")}
        for width, height in ((1280, 720), (1024, 768)):
            at_size(page, width, height)
            assert hidden_parts(page, parts) == {}, (address, width)
    expect(page.get_by_test_id("choice-lanes")).to_have_text(re.compile("^Lanes\\s+First occurrence, "))

    # On a phone the slider has a row of its own, with the number of merges.
    at_size(page, 390, 844)
    slider, number = (page.get_by_test_id(name).bounding_box() for name in ("scrubber", "after"))
    play = page.get_by_role("button", name="Play (Space)").bounding_box()
    assert slider
    assert number
    assert play
    assert min(slider["y"], number["y"]) > play["y"] + play["height"]
    assert slider["width"] > 150


ROWS = """table => {
  const rows = [...table.querySelectorAll('tbody tr')];
  const chips = (row) => [...row.querySelectorAll('.pairing .chip')];
  const tops = (row) => new Set(chips(row).map((one) => one.getBoundingClientRect().top));
  return {
    pair: table.querySelector('th.pair').getBoundingClientRect().width,
    heights: [...new Set(rows.map((row) => Math.round(row.getBoundingClientRect().height)))],
    wrapped: rows.filter((row) => tops(row).size > 1).length,
    becomes: getComputedStyle(table.querySelector('th.becomes')).display,
    outside: rows.filter((row) => row.getBoundingClientRect().right > table.getBoundingClientRect().right + 1).length,
  };
}"""


def test_the_pair_table_stays_readable_where_it_is_narrow(page: Page) -> None:
    enter(page, "/?step=6")
    table = page.get_by_test_id("pair-table")
    for width, height in ((1280, 720), (1024, 768), (800, 768)):
        at_size(page, width, height)
        visible = table.evaluate(ROWS)
        assert visible["pair"] >= 64, width
        assert len(visible["heights"]) == 1, width
        assert (visible["wrapped"], visible["outside"]) == (0, 0), width
    assert visible["becomes"] == "none"
    assert_the_page_scrolls_below_its_transport(page)


RESTS = 200  # ms; a pointer that stands still for 250 ms has come to rest
LIT = "root => root.classList.contains('lighting')"
COVERS = """root => {
  const card = root.querySelector('[data-testid=token-details]').getBoundingClientRect();
  const over = ({ left, right, top, bottom }) =>
    left < card.right - 1 && right > card.left + 1 && top < card.bottom - 1 && bottom > card.top + 1;
  return [...root.querySelectorAll('.letter.char')].filter((one) => one.textContent === 'e')
    .filter((one) => over(one.getBoundingClientRect())).length;
}"""


def test_a_pointer_that_crosses_the_grid_lights_nothing_and_one_that_rests_covers_nothing(page: Page) -> None:
    enter(page, "/")
    letter = grid(page).locator(".letter.char", has_text="e").first
    box = letter.bounding_box()
    assert box
    grid(page).evaluate(
        """root => {
          window.lights = 0;
          addEventListener('pointermove', () => {
            const now = performance.now();
            window.pause = Math.max(window.pause, now - window.moved);
            window.moved = now;
          }, true);
          new MutationObserver(() => { if (root.classList.contains('lighting')) window.lights += 1; })
            .observe(root, { attributes: true, attributeFilter: ['class'] });
        }"""
    )
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for _ in range(8):
        page.evaluate("() => Object.assign(window, { lights: 0, pause: 0, moved: performance.now() })")
        page.mouse.move(x - 60, y)
        page.mouse.move(x + 60, y, steps=12)
        page.mouse.move(5, 5)
        page.wait_for_timeout(400)
        if page.evaluate("window.pause") < RESTS:
            break  # a busy machine can hold the pointer for so long that it rests
    assert page.evaluate("window.pause") < RESTS
    assert page.evaluate("window.lights") == 0
    page.mouse.move(x, y)
    expect(grid(page).get_by_test_id("token-details")).to_be_visible()
    assert grid(page).evaluate(LIT)
    assert grid(page).evaluate(COVERS) == 0


def test_on_a_phone_menu_grid_and_legend_are_made_for_a_thumb(new_page: NewPage) -> None:
    page = new_page(width=390, height=844, has_touch=True, is_mobile=True)
    enter(page, "/")
    assert_the_page_scrolls_below_its_transport(page)
    page.get_by_test_id("view").tap()
    expect(page.locator(".keys .touch")).to_have_text(
        "Tap a token to see what it is made of. Swipe for one merge."
    )
    expect(page.locator(".keys kbd").first).to_be_hidden()
    page.get_by_test_id("view").tap()
    page.get_by_role("tab", name="Pairs").tap()
    pairs = page.locator(".st-key-pairs_table")
    expect(pairs).to_be_visible()
    guess(page)
    expect(page.get_by_test_id("answer")).to_have_text("Choose two neighbouring tokens.")
    expect(page.locator(".st-key-watch_next_merge")).to_be_hidden()
    expect(page.get_by_test_id("every-way")).to_be_hidden()
    expect(pairs).to_be_hidden()  # the first one is the answer
    expect(page.get_by_text("and the pairs are hidden while you guess")).to_be_visible()
    page.get_by_test_id("stop-guessing").tap()
    expect(page.locator(".st-key-watch_next_merge")).to_be_visible()
    expect(page.get_by_test_id("every-way")).to_be_visible()
    expect(pairs).to_be_visible()
    expect(page.get_by_text("hidden while you guess")).to_be_hidden()
    page.locator(
        "[data-testid=stExpandSidebarButton], [data-testid=stSidebarCollapsedControl] button"
    ).first.click()
    sidebar = page.locator("[data-testid=stSidebar]")
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    page.get_by_role("link", name="Lessons").click()
    expect(sidebar).to_have_attribute("data-collapsed", "true")
    ready(page)
    for _ in range(2):  # the first beat that shows a grid is the third
        page.get_by_test_id("lesson-next").tap()
        ready(page)
    expect(grid(page).locator(".card")).to_be_visible()
    text = page.get_by_test_id("lesson-told")
    assert hidden_parts(page, {"text": text}) == {}  # before anybody scrolls
    upper, lower = text.bounding_box(), grid(page).locator(".card").bounding_box()
    assert upper
    assert lower
    assert upper["y"] + upper["height"] <= lower["y"]
    page.keyboard.press("p")
    expect(page.get_by_test_id("corner-leave")).to_be_in_viewport()
    expect(page.get_by_test_id("corner")).to_have_css("opacity", "1")
    expect(page.get_by_test_id("corner-keys")).to_be_hidden()
    page.get_by_test_id("corner-leave").click()
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    page.reload()
    ready(page)
    expect(sidebar).to_have_attribute("data-collapsed", "true")  # nor is the page that is opened next


# Loading: the grid comes first, and everything else afterwards.

# Notes whether a chart, a table, a menu or the code of one was there when the grid drew its first frame, and where the
# grid is from then on.
NOTE = """() => {
  [window.early, window.tops] = [null, []];
  const follow = (grid) => {
    const { top, height } = grid.getBoundingClientRect();
    if (height) window.tops.push(top);
    requestAnimationFrame(() => follow(grid));
  };
  const look = () => {
    const found = (root) => [
      ...root.querySelectorAll('[data-testid=token-grid]'),
      ...[...root.querySelectorAll('*')].flatMap((host) => (host.shadowRoot ? found(host.shadowRoot) : [])),
    ];
    const drawn = found(document).find((grid) => grid.dataset.text);
    if (!drawn) return requestAnimationFrame(look);
    follow(drawn);
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    window.early = [
      ...document.querySelectorAll('.stPlotlyChart, .stDataFrame'),
      ...document.querySelectorAll('.st-key-lesson, .st-key-choice_encoder'),
      ...document.querySelectorAll('[data-testid=stSidebar] :is(.stSelectbox, .stNumberInput, .stButton)'),
      ...loaded.filter((name) => /PlotlyChart|DataFrame/.test(name)),
    ].length;
  };
  look();
}"""

LINE = 40  # px


# Page -> what comes last on it. What Compare and Lessons draw early stays in its place in test_early.py.
LAST = {
    "/": ".st-key-curves_place",
    "/encode": ".st-key-choice_encoder",
}


def test_a_grid_is_there_before_any_chart_table_or_menu_and_stays_in_its_place(new_page: NewPage) -> None:
    page = new_page(own_tab=True)
    run_first(page, f"({NOTE})()")
    for path, last in LAST.items():
        page.goto(path)
        ready(page)
        assert page.evaluate("() => window.early") == 0, path
        tops = page.evaluate("() => window.tops")
        assert max(tops) - min(tops) < LINE, path
        for part in (last, "[data-testid=choice-merges]"):
            expect(page.locator(part).first).to_be_attached()
