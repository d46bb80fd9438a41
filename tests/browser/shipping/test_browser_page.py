"""The page that trains in the browser alone, from a plain web server: Python loads, trains, and the film plays."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from deploy.browser.build import PYODIDE, build
from tests.browser.chromium import Complaints
from tests.static_server import served

PYTHON_MILLISECONDS = 120_000  # thirty times what an idle machine takes


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Build the page and serve it."""
    if not PYODIDE.exists():
        pytest.skip("no Pyodide: npm ci brings it")  # .ci/run has called it, and forbids skips
    build(tmp_path)
    with served(tmp_path) as url:
        yield url.rstrip("/")


@pytest.mark.slow
def test_the_page_trains_on_a_text_and_plays_its_film(chromium: Browser, address: str) -> None:
    page = chromium.new_page(base_url=address, viewport={"width": 390, "height": 800})
    complaints = Complaints(address)
    complaints.listen(page)
    page.goto("/")
    status = page.get_by_role("status")
    expect(status).to_contain_text("Ready.", timeout=PYTHON_MILLISECONDS)
    page.get_by_label("Trainer").select_option("subword-nmt")
    page.get_by_label("Merges").fill("4")
    page.get_by_label("Text").fill("low low low low low lower lower newest newest newest <b>bold</b>")
    page.get_by_role("button", name="Train").click()
    expect(status).to_contain_text("Trained in", timeout=PYTHON_MILLISECONDS)
    grid = page.frame_locator("#film").get_by_test_id("token-grid")
    expect(grid).to_have_attribute("data-steps", "4")
    grid.locator(".viewport").click()
    page.keyboard.press("End")
    expect(grid).to_have_attribute("data-step", "4")
    expect(page.get_by_role("link", name="Save film")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    page.get_by_label("Text").fill(" ")
    page.get_by_role("button", name="Train").click()
    expect(status).to_have_text("Type or paste a text first.", timeout=PYTHON_MILLISECONDS)

    # Stop ends the worker in the middle of its work, and Python loads again.
    page.get_by_label("Text").fill("".join(chr(97 + n * n % 23) for n in range(600_000)))
    page.get_by_role("button", name="Train").click()
    page.get_by_role("button", name="Stop").click()
    expect(status).to_contain_text("Ready.", timeout=PYTHON_MILLISECONDS)
    assert complaints.heard == []
    page.close()
