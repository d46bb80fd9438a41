"""Loading: the grid comes first, everything else afterwards, and keys that are pressed meanwhile are not lost."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.chromium import enter, grid, ready, run_first
from tests.browser.conftest import NewPage

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
    delete document.documentElement?.dataset.mergesSettings; // folded, as on a first visit
    const hosts = [...document.querySelectorAll('*')].filter((element) => element.shadowRoot);
    const grids = hosts.flatMap((host) => [...host.shadowRoot.querySelectorAll('[data-testid=token-grid]')]);
    const drawn = grids.find((grid) => grid.dataset.text);
    if (!drawn) return requestAnimationFrame(look);
    follow(drawn);
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    window.early = [
      ...document.querySelectorAll('.stPlotlyChart, .stDataFrame'),
      ...document.querySelectorAll('.st-key-lanes, .st-key-lesson, .st-key-encode_encoder'),
      ...document.querySelectorAll('[data-testid=stSidebar] :is(.stSelectbox, .stNumberInput, .stButton)'),
      ...loaded.filter((name) => /PlotlyChart|DataFrame/.test(name)),
    ].length;
  };
  look();
}"""

LINE = 40  # px


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/lessons", "/compare", "/encode"])
def test_a_grid_is_there_before_any_chart_table_or_menu_and_stays_in_its_place(
    new_page: NewPage, path: str
) -> None:
    page = new_page()
    run_first(page, f"({NOTE})()")
    page.goto(path)
    ready(page)
    assert page.evaluate("() => window.early") == 0
    tops = page.evaluate("() => window.tops")
    assert max(tops) - min(tops) < LINE
    late = {
        "/": ".stPlotlyChart",
        "/lessons": ".st-key-lesson",
        "/compare": ".st-key-lanes",
        "/encode": ".st-key-encode_encoder",
    }
    for part in (
        late[path],
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
def test_keys_pressed_before_the_first_script_of_streamlit_reach_the_grid(new_page: NewPage) -> None:
    page, held = new_page(), list[Route]()
    page.route("**/static/js/index.*.js", lambda route: held.append(route))
    page.goto("/", wait_until="commit")
    page.wait_for_function("() => window.earlyKeys")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("() => window.earlyKeys.length === 2")
    for route in held:
        route.continue_()
    page.unroute_all()  # the page stays open for other tests
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
