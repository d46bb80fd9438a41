"""From one new text to the next, the stage never shows two grids at once: Streamlit keeps what a run has replaced."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import ready
from tests.browser.lessons.test_lessons import card, open_lesson

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


@pytest.mark.slow
def test_one_grid_is_on_the_stage_while_a_beat_changes(page: Page) -> None:
    open_lesson(page, "strawberry", 3)
    page.evaluate(COUNT_GRIDS)
    for beat in (3, 4, 3):
        page.get_by_role("button", name=f"Step {beat + 1}", exact=True).click()
        expect(card(page)).to_have_attribute("data-beat", str(beat))
        ready(page)
    assert page.evaluate("() => window.mostGrids") == 1
