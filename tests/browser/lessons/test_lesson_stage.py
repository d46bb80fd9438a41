"""A lesson that compares two trainings: their stage beside the card, in the page and in the presenter view."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import grid, ready
from tests.browser.conftest import NewPage
from tests.browser.lessons.test_lessons import card, open_lesson

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


@pytest.mark.slow
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
        foot = transport.bounding_box()
        assert foot
        assert all(words["y"] + words["height"] <= foot["y"] for words in view["words"])
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
    assert page.locator(".st-key-lesson_transport").get_by_test_id("transport").is_visible()
