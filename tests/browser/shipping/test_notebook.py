"""The grid as a widget in a real JupyterLab: the page and Python share its step."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.chromium import Complaints, grid
from tests.browser.shipping.jupyter_server import NOTEBOOK, TOKEN, jupyter

TRAINING = """import bpe
from merge_by_merge.notebook import TokenGrid
text = "low lower newest widest"
grid = TokenGrid(bpe.train(text, variant="char-eow", merges=9), text, step=2)
grid"""
CELLS = (TRAINING, "print('step', grid.step)", "grid.step = 5", "grid")
LOAD_MILLISECONDS = 90_000


def run_cell(page: Page, number: int) -> None:
    """Run one cell of the notebook."""
    page.locator(".jp-Cell .cm-content").nth(number).click()
    page.keyboard.press("Shift+Enter")


def begin(page: Page) -> None:
    """Run the first cell. JupyterLab forgets it if the kernel is not quite there yet, whatever its indicator says."""
    ran = page.locator(".jp-Cell").first.locator(".jp-InputPrompt", has_text=re.compile(r"\[[0-9]"))
    dialog = page.locator("dialog.jp-Dialog")
    for _ in range(5):
        if dialog.is_visible():  # busy, JupyterLab asks which kernel to use before it has started one
            dialog.locator(".jp-mod-accept").click()
        with suppress(PlaywrightTimeout):
            page.locator(".jp-Cell .cm-content").first.click(timeout=5_000)
            page.keyboard.press("Shift+Enter")
            ran.wait_for(timeout=20_000)
            return
    raise AssertionError("the first cell did not run")


@pytest.mark.weekly
def test_page_and_python_share_the_step(chromium: Browser) -> None:
    with jupyter(CELLS) as lab:
        page = chromium.new_page(base_url=lab.url)
        complaints = Complaints(lab.url)
        complaints.listen(page)
        page.goto(f"/lab/tree/{NOTEBOOK}?token={TOKEN}")
        kernel = page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")
        kernel.wait_for(timeout=LOAD_MILLISECONDS)
        begin(page)
        first = grid(page)
        expect(first).to_have_attribute("data-step", "2", timeout=LOAD_MILLISECONDS)
        expect(first).to_have_attribute("data-theme", "light")

        # A key outside the grid is the notebook's; inside, it makes a step, which Python learns.
        page.keyboard.press("Escape")
        page.keyboard.press("ArrowRight")
        expect(first).to_have_attribute("data-step", "2")
        first.locator(".viewport").click()
        page.keyboard.press("ArrowRight")
        expect(first).to_have_attribute("data-step", "3")
        page.keyboard.press("Escape")
        printed = page.locator(".jp-OutputArea-output pre").first
        for _ in range(5):  # Python learns the step a moment later
            run_cell(page, 1)
            with suppress(AssertionError):
                expect(printed).to_have_text("step 3\n", timeout=4_000)
                break
        expect(printed).to_have_text("step 3\n")

        # Python sets the step, and every view of the grid follows.
        run_cell(page, 3)
        second = grid(page, 1)
        expect(second).to_have_attribute("data-step", "3")
        run_cell(page, 2)
        for view in (first, second):
            expect(view).to_have_attribute("data-step", "5")

        page.get_by_role("menuitem", name="Settings", exact=True).click()
        page.get_by_text("Theme", exact=True).hover()
        page.get_by_text("JupyterLab Dark", exact=True).click()
        expect(first).to_have_attribute("data-theme", "dark")
        assert complaints.heard == []
        page.close()
