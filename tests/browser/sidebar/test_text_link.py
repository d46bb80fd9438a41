"""A link that holds a text of one's own, in Chromium: it reproduces the view, and no request contains the text."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_server import AppServer
from tests.browser.chromium import enter, grid, ready

TEXT = "Zwölf <b>Boxkämpfer</b> & 7 # Füchse?\n  x"


@pytest.mark.slow
def test_a_link_to_a_short_text_reproduces_text_recipe_and_step(page: Page, server: AppServer) -> None:
    before = len(server.output())
    enter(page, "/?corpus_source=paste&preset=hf-bytelevel&merges=7&step=3")
    area = page.locator(".st-key-corpus_text textarea")
    area.fill(TEXT)
    area.press("Control+Enter")
    expect(grid(page)).to_have_attribute("data-text", TEXT)
    page.get_by_role("button", name="Share or open").click()
    address = page.get_by_test_id("address")
    expect(address).to_contain_text("#text=")
    link = address.inner_text()
    expect(page.get_by_text("Your text is in the part after #")).to_be_visible()

    attributes = ("data-text", "data-steps", "data-step")
    view = {attribute: grid(page).get_attribute(attribute) for attribute in attributes}
    enter(page, "/vocabulary")  # nothing of the text is left in the browser
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(link.replace("?", "?seed=x&"))  # the app corrects this address before the text is read
    ready(page)
    expect(area).to_have_value(TEXT)
    for attribute, value in view.items():
        expect(grid(page)).to_have_attribute(attribute, value or "")
    fragment = link.partition("#")[2]
    assert page.evaluate("window.location.hash") == ""
    assert all(fragment[5:25] not in written for written in (*requests, server.output()[before:]))

    expect(page.get_by_text("“x”")).to_be_visible()
    page.evaluate("(fragment) => { window.location.hash = fragment; }", fragment[:-4])  # loads no page
    expect(page.get_by_text("The link does not contain the whole text")).to_be_visible()
    expect(area).to_have_value(TEXT)
    page.get_by_role("button", name="Share or open").click()
    area.fill("low " * 500)
    area.press("Control+Enter")
    expect(page.get_by_text("A link can contain a text of at most 1,500 characters")).to_be_visible()
    expect(address).to_have_count(0)
