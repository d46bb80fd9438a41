"""Texts that would run as markup are shown as they are, whichever way they come."""

from urllib.parse import quote

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.chromium import navigate, ready
from tests.material.hostile_texts import MARKUP, RUN

LIVE_PAYLOADS = """() => {
  const inside = (root) => [...root.querySelectorAll('*')].flatMap((element) => [
    ...(element.matches('[data-payload]') ? [element.outerHTML] : []),
    ...(element.matches('a[href*=evil], a[href^=javascript]') ? [element.outerHTML] : []),
    ...(element.shadowRoot ? inside(element.shadowRoot) : []),
  ]);
  return inside(document);
}"""
NAME = "<img data-payload src=x onerror=window.ran=1>"
SHARE = quote("<img src=x onerror=window.ran=1>")


def unharmed(page: Page, where: str) -> None:
    """Fail if a payload has run, or has become an element of the page. A request elsewhere fails the test by itself."""
    ready(page)
    assert page.evaluate("window.ran") is None, where
    assert page.evaluate(LIVE_PAYLOADS) == [], where


@pytest.mark.slow
def test_nothing_runs_and_nothing_leaves(page: Page) -> None:
    page.goto(
        f"/?corpus_source=upload&merges=40&preset=none&variant={SHARE}&pattern={SHARE}&tie_break={SHARE}"
    )
    unharmed(page, "a link")
    text: FilePayload = {
        "name": f"{NAME}.txt",
        "mimeType": "text/plain",
        "buffer": "\n".join(MARKUP).encode(),
    }
    page.locator(".st-key-corpus_upload input[type=file]").set_input_files([text])
    expect(page.locator("[data-testid=token-grid]").first).to_contain_text("p a y l o a d")
    unharmed(page, "Watch")
    for tab in ("Words", "Tokens in use", "Step log"):
        page.get_by_role("tab", name=tab).click()
        unharmed(page, tab)
    for address in (
        "/compare",
        f"/encode?text={quote(NAME + RUN)}",
        "/vocabulary",
        f"/bytes?text={quote(NAME)}",
    ):
        navigate(page, address)
        unharmed(page, address)
    page.get_by_role("button", name="Share or open").click()
    share: FilePayload = {"name": f"{NAME}.json", "mimeType": "application/json", "buffer": NAME.encode()}
    page.locator("[data-testid=stPopoverBody] input[type=file]").set_input_files([share])
    unharmed(page, "a share file")
