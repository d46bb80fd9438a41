"""Loading: the grid comes first, everything else afterwards, and keys that are pressed meanwhile are not lost."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import enter, grid, ready
from tests.browser.conftest import NewPage

# Notes whether a chart, a table, a menu or the code of one was there when the grid drew its first frame.
NOTE = """() => {
  window.early = null;
  const look = () => {
    const hosts = [...document.querySelectorAll('*')].filter((element) => element.shadowRoot);
    const grids = hosts.flatMap((host) => [...host.shadowRoot.querySelectorAll('[data-testid=token-grid]')]);
    if (!grids.some((grid) => grid.dataset.text)) return requestAnimationFrame(look);
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    window.early = [
      ...document.querySelectorAll('.stPlotlyChart, .stDataFrame, .st-key-lanes, .st-key-lesson'),
      ...document.querySelectorAll('[data-testid=stSidebar] :is(.stSelectbox, .stNumberInput, .stButton)'),
      ...loaded.filter((name) => /PlotlyChart|DataFrame/.test(name)),
    ].length;
  };
  look();
}"""


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/lessons", "/compare", "/encode"])
def test_a_grid_is_there_before_any_chart_table_or_menu_is_loaded(new_page: NewPage, path: str) -> None:
    page = new_page()
    page.add_init_script(f"({NOTE})()")
    page.goto(path)
    ready(page)
    assert page.evaluate("() => window.early") == 0
    late = {"/": ".stPlotlyChart", "/lessons": ".st-key-lesson", "/compare": ".st-key-lanes"}
    for part in (
        late.get(path, ".stCode"),
        ".st-key-play_tale" if path == "/lessons" else ".st-key-merges",
    ):
        expect(page.locator(part).first).to_be_attached()


@pytest.mark.slow
def test_keys_pressed_before_the_grid_is_there_reach_it(page: Page) -> None:
    enter(page, "/glossary")
    page.locator("[data-testid=stSidebarNavLink]").filter(has_text="Watch").click()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    ready(page)
    expect(grid(page)).to_have_attribute("data-step", "2")


@pytest.mark.slow
def test_keys_typed_into_a_field_on_a_page_without_a_grid_stay_there(page: Page) -> None:
    enter(page, "/glossary")
    page.locator("[data-testid=stSidebarNavLink]").filter(has_text="Bytes").click()
    field = page.locator("[class*=st-key-bytes_text] :is(textarea, input)").first
    field.press("End")
    field.press(" ")
    field.press("p")
    expect(field).to_have_value(re.compile(" p$"))
    page.locator("[data-testid=stSidebarNavLink]").filter(has_text="Watch").click()
    ready(page)
    expect(grid(page)).to_have_attribute("data-step", "0")
