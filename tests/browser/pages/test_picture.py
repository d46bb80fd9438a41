"""Save picture in Chromium: the files hold what the engine computed, in the sizes that the page says."""

import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

import bpe
from tests.browser.chromium import enter, grid
from tests.browser.grid.grid_page import open_view
from ui.sidebar.corpus import from_sample

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


@pytest.mark.slow
def test_a_page_saves_its_grid_as_svg_png_and_gif(page: Page) -> None:
    enter(page, f"/?corpus_sample={SAMPLE}&preset=paper&step={STEP}")
    expect(grid(page)).to_have_attribute("data-step", str(STEP))
    open_view(page)
    page.get_by_test_id("option-view").select_option("text")
    page.get_by_role("button", name="Save picture").click()
    corpus = from_sample(SAMPLE)
    trace = bpe.train(corpus.training_text, merges=MERGES, **bpe.PRESETS["paper"].settings)

    root = ElementTree.fromstring(saved(page, "svg"))
    tokens = ["".join(group.itertext()) for group in root.iter(f"{SVG}g")]
    assert isinstance(corpus.training_text, str)
    assert tokens == [trace.variant.label(token) for token in trace.segment(corpus.training_text, STEP)]
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


@pytest.mark.slow
def test_a_training_without_a_merge_has_no_gif_and_says_so(page: Page) -> None:
    enter(page, f"/?corpus_sample={SAMPLE}&preset=paper&merges=0")
    page.get_by_role("button", name="Save picture").click()
    expect(page.get_by_test_id("gif-size")).to_have_text("There is no merge to show yet.")
    expect(page.locator(".st-key-save_gif button.save")).to_be_disabled()
    assert ElementTree.fromstring(saved(page, "svg")).tag == f"{SVG}svg"
