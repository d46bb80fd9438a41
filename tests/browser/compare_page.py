"""The page Compare in a browser: an address, opening it, and the steps of its lanes."""

from playwright.sync_api import Page, expect

from harness.chromium import enter, grid

TEXTBOOK = "/compare?corpus_sample=low-lower-newest-widest&lanes=first~pair-max"


def opened(page: Page, address: str) -> Page:
    """Open an address and wait until its lanes are drawn."""
    enter(page, address)
    expect(grid(page)).to_have_attribute("data-steps", "12")
    return page


def steps(page: Page) -> list[str | None]:
    return [root.get_attribute("data-step") for root in page.locator("[data-testid=token-grid]").all()]
