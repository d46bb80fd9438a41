"""Save picture in Chromium: the files hold what the engine computed, in the sizes that the page says."""

import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

import bpe
from harness.chromium import enter, grid, ready, take_away
from tests.browser.everyone import opened
from tests.browser.grid_page import open_view
from tests.browser.test_pages import in_theme
from ui.trainings.corpus import from_sample

SAMPLE = "low-lower-newest-widest"
STEP, MERGES = 3, 12
SVG = "{http://www.w3.org/2000/svg}"


def saved(page: Page, kind: str) -> bytes:
    """Press a button and return the file."""
    with page.expect_download() as download:
        page.locator(f".st-key-save_{kind} button.save").click()
    assert download.value.suggested_filename.endswith(f".{kind}")
    return Path(download.value.path()).read_bytes()


def png_size(content: bytes) -> tuple[int, int]:
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    return width, height


def skip_blocks(content: bytes, at: int) -> int:
    """Return the position after a GIF's sub-blocks."""
    while content[at]:
        at += content[at] + 1
    return at + 1


def gif_frames(content: bytes) -> tuple[int, int, list[int]]:
    """Return width, height and the hundredths of a second that each frame of a GIF lasts."""
    assert content[:6] == b"GIF89a"
    width, height, fields = struct.unpack("<HHB", content[6:11])
    at = 13 + (3 << ((fields & 7) + 1) if fields & 0x80 else 0)
    delays: list[int] = []
    while content[at] != 0x3B:
        if content[at] == 0x21:
            if content[at + 1] == 0xF9:
                delays.append(struct.unpack("<H", content[at + 4 : at + 6])[0])
            at = skip_blocks(content, at + 2)
        else:
            assert content[at] == 0x2C
            fields = content[at + 9]
            table = 3 << ((fields & 7) + 1) if fields & 0x80 else 0
            at = skip_blocks(content, at + 10 + table + 1)
    assert at == len(content) - 1
    return width, height, delays


def test_a_page_saves_its_grid_as_svg_png_and_gif(page: Page) -> None:
    enter(page, f"/?corpus_sample={SAMPLE}&preset=paper&step={STEP}")
    expect(grid(page)).to_have_attribute("data-step", str(STEP))
    open_view(page)
    page.get_by_test_id("option-view").select_option("text")
    take_away(page, "Picture")
    corpus = from_sample(SAMPLE)
    trace = bpe.train(corpus.training_text, merges=MERGES, **bpe.PRESETS["paper"].settings)

    root = ElementTree.fromstring(saved(page, "svg"))
    assert isinstance(corpus.training_text, str)
    labels = [trace.variant.label(token) for token in trace.segment(corpus.training_text, STEP)]
    marker = trace.variant.label(bpe.END_OF_WORD)
    # A tab stands for the marker, which the title spells; the letters are drawn.
    titles = [group.findtext(f"{SVG}title") for group in root.iter(f"{SVG}g")]
    assert titles == [label if marker in label else None for label in labels]
    letters = [
        "".join(part for text in group.iter(f"{SVG}text") for part in text.itertext())
        for group in root.iter(f"{SVG}g")
    ]
    assert letters == [label.removesuffix(marker) for label in labels]
    words = " ".join("".join(text.itertext()) for text in root.iter(f"{SVG}text"))
    assert corpus.title in words
    assert f"{trace.steps[STEP].tied} pairs tied at {trace.steps[STEP].count}." in words
    size = int(root.attrib["width"]), int(root.attrib["height"])
    assert png_size(saved(page, "png")) == (2 * size[0], 2 * size[1])
    expect(page.locator(".st-key-save_png p")).to_contain_text(f"{2 * size[0]:,} × {2 * size[1]:,} px")

    gif = page.locator(".st-key-save_gif")
    gif.get_by_label("first merge").fill("1")
    gif.get_by_label("last merge").fill("999")
    gif.get_by_label("Speed").select_option("2")
    beforehand = gif.get_by_test_id("gif-size")
    expect(beforehand).to_have_text(re.compile(r"^13 frames, [\d,]+ × [\d,]+ px, about 0\.\d\d MB"))
    promised = beforehand.inner_text()
    width, height, delays = gif_frames(content := saved(page, "gif"))
    assert f"{width:,} × {height:,} px" in promised
    megabytes = float(promised.partition("about ")[2].split()[0])
    assert 0.5 < megabytes * 1e6 / len(content) < 2
    assert delays == [50] * MERGES + [100]
    expect(beforehand).to_have_text(f"Saved: {max(len(content), 10_000) / 1e6:.2f} MB.")
    assert width == size[0]

    gif.locator("button.save").evaluate(
        "(button) => { button.click(); button.getRootNode().querySelector('[data-testid=gif-stop]').click(); }"
    )
    expect(beforehand).to_have_text("Stopped: nothing was saved.")
    expect(gif.locator("button.save")).to_be_enabled()


def test_a_training_without_a_merge_has_no_gif_and_says_so(page: Page) -> None:
    enter(page, f"/?corpus_sample={SAMPLE}&preset=paper&merges=0")
    take_away(page, "Picture")
    expect(page.get_by_test_id("gif-size")).to_have_text("There is no merge to show yet.")
    expect(page.locator(".st-key-save_gif button.save")).to_be_disabled()
    assert ElementTree.fromstring(saved(page, "svg")).tag == f"{SVG}svg"


# Pages on paper: light, as wide as a sheet, uncut, and without controls.

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
  const tables = shown('[data-testid=chip-table] table');
  const parts = [...tables, ...shown('.stPrintGraphic')];
  const inner = (one) => (one.querySelector('.js-plotly-plot') ?? one).getBoundingClientRect();
  const style = (name, key) => [...new Set(shown(name).map((one) => getComputedStyle(one)[key]))];
  const lanes = shown('.lanes > .grid');
  return {
    tables: tables.length,
    charts: parts.filter((one) => one.matches('.stPrintGraphic')).length,
    wide: parts.map((one) => inner(one).width).filter((width) => width > sheet + 1),
    ink: style('[data-testid=chip-table] td', 'color'),
    titles: style('.js-plotly-plot .annotation .bg', 'fill'),
    breaks: style('.stPrintGraphic', 'breakInside'),
    lanes: style('.lanes > .grid', 'display'),
    rows: new Set(lanes.map((one) => one.getBoundingClientRect().top)).size,
    columns: new Set(lanes.map((one) => one.getBoundingClientRect().left)).size,
    pressed: shown('.go, .filters').length,
  };
}"""
FOUR_LANES = "/compare?lanes=minbpe-basic~subword-nmt~hf-bytelevel~sentencepiece"


@pytest.mark.weekly  # Watch is printed in every run
def test_compare_printed_from_the_dark_theme_has_light_tables_and_fits_the_sheet(page: Page) -> None:
    opened(page, FOUR_LANES)
    in_theme(page, "dark")
    page.get_by_role("tab", name="Vocabularies").click()
    ready(page)
    page.emulate_media(media="print", color_scheme="dark")
    ready(page)
    drawn = page.evaluate(PRINTED_PARTS, SHEET)
    assert (drawn["tables"], drawn["charts"]) == (1, 0)
    assert drawn["wide"] == []
    assert set(drawn["ink"]) == {"rgb(20, 22, 28)", "rgb(91, 97, 114)"}  # of a stepping stone, the second
    # Lanes in one line stay on one sheet; a browser draws lanes over each other if a sheet's end cuts their grid.
    assert (drawn["lanes"], drawn["rows"], drawn["columns"]) == (["inline-block"], 2, 2)
    assert drawn["pressed"] == 0
    page.emulate_media(media="screen", color_scheme="dark")
    ready(page)
    screen = page.evaluate(PRINTED_PARTS, SHEET)
    assert "rgb(238, 240, 246)" in screen["ink"]
    assert len(screen["wide"]) == 1
    enter(page, "/")  # its chart keeps to the sheet, too
    page.locator(".st-key-curves_place, .stPlotlyChart").scroll_into_view_if_needed()
    page.locator(".stPlotlyChart").wait_for()
    page.emulate_media(media="print", color_scheme="dark")
    ready(page)
    chart = page.evaluate(PRINTED_PARTS, SHEET)
    assert (chart["charts"], chart["breaks"]) == (1, ["avoid"])
    assert set(chart["titles"]) <= {"rgba(0, 0, 0, 0)"}
