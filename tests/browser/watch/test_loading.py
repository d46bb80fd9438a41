"""Loading: the grid comes first, and everything else afterwards."""

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import ready, run_first
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
@pytest.mark.parametrize("path", ["/", "/lessons?lesson=count-merge-repeat", "/compare", "/encode"])
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
        "/lessons?lesson=count-merge-repeat": ".st-key-lesson",
        "/compare": ".st-key-lanes",
        "/encode": ".st-key-encode_encoder",
    }
    for part in [late[path]] + [".st-key-merges"] * ("lesson" not in path):
        expect(page.locator(part).first).to_be_attached()
