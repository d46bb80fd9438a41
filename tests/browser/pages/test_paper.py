"""Pages on paper: light, as wide as a sheet, uncut, and without controls."""

import pytest
from playwright.sync_api import Page

from tests.browser.access.everyone import opened
from tests.browser.chromium import ready
from tests.browser.pages.test_pages import in_theme

pytestmark = pytest.mark.slow
SHEET = 660  # CSS pixels, less than the width of A4 and of US letter inside their margins

PRINTED = """() => {
  const grids = everyone.all().filter((one) => one.matches('.viewport'));
  const cut = grids.filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1);
  const [card, table] = ['.card', '.pairs'].map((name) => everyone.all().find((one) => one.matches(name)));
  const letters = everyone.all().filter((one) => one.matches('.grid .letter'))
    .map((one) => one.getBoundingClientRect());
  const all = (name) => everyone.all().filter((one) => one.matches(name) && one.checkVisibility());
  const shown = (name) => all(name).length;
  const isDark = (one) => {
    const [red, green, blue, seen = 1] = getComputedStyle(one).backgroundColor.match(/[0-9.]+/g).map(Number);
    return seen > 0 && red + green + blue < 3 * 128;
  };
  const written = [...document.querySelectorAll('h1, h1 *, h2, h2 *')];
  return {
    cut: cut.length,
    letters: letters.length,
    outside: letters.filter(({ right }) => right > card.getBoundingClientRect().right).length,
    above: table.getBoundingClientRect().top >= card.getBoundingClientRect().bottom,
    pressed: shown('[data-testid=transport], .take, .pick, .or, .stPopover, [data-testid=stSidebar]'),
    paper: getComputedStyle(document.querySelector('.stApp')).backgroundColor,
    ink: [...new Set(written.map((one) => getComputedStyle(one).color))],
    chips: [...new Set(all('.grid .box, .pairs .chip').map(isDark))],
    bare: all('.grid canvas').filter((one) => Number(getComputedStyle(one).opacity) >= 1).length,
    wide: Math.max(...letters.map(({ right }) => right)) - Math.min(...letters.map(({ left }) => left)),
    bars: everyone.all().filter((one) => one.matches('.pairs .meter') && one.offsetWidth).length,
  };
}"""


def test_a_page_drawn_for_paper_is_light_and_holds_the_grid_without_its_transport(page: Page) -> None:
    opened(page, "/")
    in_theme(page, "dark")
    ready(page)
    rows = page.get_by_test_id("pair-table").locator("tbody tr").count()
    page.emulate_media(media="print", color_scheme="dark")
    ready(page)
    drawn = page.evaluate(PRINTED)
    assert drawn["letters"] > 20
    assert (drawn["cut"], drawn["outside"], drawn["pressed"]) == (0, 0, 0)
    assert drawn["above"]
    assert (drawn["paper"], drawn["ink"]) == ("rgb(255, 255, 255)", ["rgb(20, 22, 28)"])
    assert drawn["bars"] == rows
    assert (drawn["chips"], drawn["bare"], drawn["wide"] <= SHEET) == ([False], 0, True)
    page.emulate_media(media="screen", color_scheme="dark")
    ready(page)
    assert page.evaluate(PRINTED)["chips"] == [True]


PRINTED_PARTS = """(sheet) => {
  const shown = (name) => everyone.all().filter((one) => one.matches(name) && one.checkVisibility());
  const parts = shown('.stPrintFixedWidth, .stPrintGraphic');
  const inner = (one) => one.querySelector('[data-testid=stDataFrameResizable], .js-plotly-plot')
    .getBoundingClientRect();
  const style = (name, key) => [...new Set(shown(name).map((one) => getComputedStyle(one)[key]))];
  const lanes = shown('.lanes > .grid');
  return {
    tables: parts.filter((one) => one.matches('.stPrintFixedWidth')).length,
    charts: parts.filter((one) => one.matches('.stPrintGraphic')).length,
    wide: parts.map((one) => inner(one).width).filter((width) => width > sheet + 1),
    filters: style('.stDataFrame canvas', 'filter'),
    titles: style('.js-plotly-plot .annotation .bg', 'fill'),
    breaks: [...new Set(parts.map((one) => getComputedStyle(one).breakInside))],
    lanes: style('.lanes > .grid', 'display'),
    rows: new Set(lanes.map((one) => one.getBoundingClientRect().top)).size,
    columns: new Set(lanes.map((one) => one.getBoundingClientRect().left)).size,
    pressed: shown('.go, .filters, .to-tabs').length,
  };
}"""
FOUR_LANES = "/compare?lanes=minbpe-basic~subword-nmt~hf-bytelevel~sentencepiece"


def test_compare_printed_from_the_dark_theme_has_light_tables_and_fits_the_sheet(page: Page) -> None:
    opened(page, FOUR_LANES)
    in_theme(page, "dark")
    page.get_by_role("tab", name="Curves").click()
    ready(page)
    page.emulate_media(media="print", color_scheme="dark")
    ready(page)
    drawn = page.evaluate(PRINTED_PARTS, SHEET)
    assert (drawn["tables"], drawn["charts"]) == (1, 1)
    assert drawn["wide"] == []
    assert drawn["filters"] == ["invert(1) hue-rotate(180deg) brightness(1.1)"]
    assert set(drawn["titles"]) <= {"rgba(0, 0, 0, 0)"}
    assert drawn["breaks"] == ["avoid"]
    # Lanes in one line stay on one sheet; a browser draws lanes over each other if a sheet's end cuts their grid.
    assert (drawn["lanes"], drawn["rows"], drawn["columns"]) == (["inline-block"], 2, 2)
    assert drawn["pressed"] == 0
    page.emulate_media(media="screen", color_scheme="dark")
    ready(page)
    screen = page.evaluate(PRINTED_PARTS, SHEET)
    assert (screen["filters"], len(screen["wide"])) == (["none"], 2)
