"""The first screen: what a page is about, and the controls that move it, are in sight without scrolling."""

from collections.abc import Iterable
from itertools import pairwise

from playwright.sync_api import Locator, Page, expect

from tests.browser.chromium import grid, ready
from tests.browser.conftest import NewPage

LAPTOPS = ((1280, 720), (1440, 900))
MOST_ABOVE = 60  # pixels from the top of the window to the sentence on the next merge


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


def overlapping(parts: Iterable[Locator]) -> bool:
    """Return whether some part begins above the end of the part before it."""
    boxes = [box for part in parts if (box := part.bounding_box())]
    return any(upper["y"] + upper["height"] > lower["y"] for upper, lower in pairwise(boxes))


def test_watch_explains_itself_and_is_whole_on_a_laptop(new_page: NewPage) -> None:
    page = new_page(width=1280, height=720)
    page.goto("/")
    ready(page)
    expect(page.locator("h1")).to_contain_text("glues together the most frequent pair of neighbours")
    expect(page.locator("h1")).to_contain_text("Press Space (or Play)")
    menu = page.locator("[data-testid=stSidebarNavLink]")
    assert menu.all_inner_texts() == ["Lessons", "Watch", "Compare", "Encode", "Vocabulary", "Bytes"]
    parts = {
        "badge": page.get_by_test_id("tie-badge"),
        "grid": grid(page).locator(".card"),
        "transport": page.get_by_test_id("transport"),
        "tiles": page.locator(".st-key-tiles"),
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
    expect(shapes).to_contain_text("ties, as bars over the slider")
    assert hidden_parts(page, {"options": page.locator(".settings")}) == {}
    page.get_by_test_id("option-view").select_option("words")
    page.keyboard.press("Escape")
    expect(shapes).to_be_hidden()
    expect(view).to_be_focused()
    view.press("Enter")
    expect(shapes).to_be_visible()
    page.get_by_test_id("headline").click()
    expect(shapes).to_be_hidden()


def test_compare_shows_its_lanes_and_their_transport_on_a_laptop(new_page: NewPage) -> None:
    page = new_page(width=1280, height=720)
    page.goto("/compare")
    ready(page)
    lanes = {f"lane {number}": grid(page, number).locator(".card") for number in (0, 1)}
    transport = {"transport": page.get_by_test_id("transport")}
    for width, height in LAPTOPS:
        at_size(page, width, height)
        assert hidden_parts(page, lanes | transport) == {}, (width, height)
