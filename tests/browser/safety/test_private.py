"""What a visitor types is in no request, no log and no query of the address, before and after a reload."""

import re

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.app_server import AppServer
from tests.browser.chromium import enter, ready

MARKER = "qzvsecret"
FIELDS = "textarea, input[type=text]:not([role=combobox]):not([readonly])"
# Address -> the least number of text fields that it must show.
PAGES = {
    "/?corpus_source=paste&preset=none&variant=custom&second_stage=own": 3,
    "/?corpus_source=words": 1,
    "/compare?corpus_sample=low-lower-newest-widest&lanes=first~first_0.2": 1,
    "/encode": 1,
    "/encode?source=typed": 2,
    "/encode?view=decode": 2,
    "/vocabulary": 1,
    "/bytes": 2,
    "/glossary": 1,
}


def _fill(field: Locator, text: str) -> None:
    field.fill(text)
    field.press("Control+Enter" if field.evaluate("field => field.localName") == "textarea" else "Enter")


@pytest.mark.slow
@pytest.mark.parametrize(("address", "least"), PAGES.items())
def test_what_is_typed_is_in_no_request(page: Page, server: AppServer, address: str, least: int) -> None:
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request))
    enter(page, address)
    fields = page.locator(FIELDS).locator("visible=true")
    expect(fields.nth(least - 1)).to_be_visible()
    for number in range(fields.count()):
        _fill(fields.nth(number), f"{MARKER}{number} 7")
        ready(page)
    before = page.url
    page.reload()
    ready(page)
    page.wait_for_timeout(500)
    sent = [
        text
        for request in requests
        for text in (request.url.partition("#")[0], request.headers.get("referer", ""))
    ]
    assert MARKER not in "".join(
        (*sent, before.partition("#")[0], page.url.partition("#")[0], server.output())
    )


# Page -> its parameter, as links of older releases have it, and the field that shows it.
OLDER = {
    "/encode": ("text", ".st-key-encode_text textarea"),
    "/bytes": ("text", ".st-key-bytes_text textarea"),
    "/vocabulary": ("find", ".st-key-vocabulary_find input"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("path", "field"), [(path, field) for path, (_, field) in OLDER.items()])
def test_an_older_link_opens_and_its_text_moves_behind_the_number_sign(
    page: Page, path: str, field: str
) -> None:
    name = OLDER[path][0]
    enter(page, f"{path}?{name}=low+%23&seed=x")
    expect(page.locator(field)).to_have_value("low #")
    page.wait_for_function("location.hash.startsWith('#typed=') && !location.search.includes('low')")
    link = page.url
    expect(page).to_have_url(re.compile(r"#typed=[\w-]+$"))
    page.reload()
    ready(page)
    expect(page.locator(field)).to_have_value("low #")
    page.evaluate("sessionStorage.clear()")
    enter(page, "/glossary")
    page.evaluate("sessionStorage.clear()")
    page.goto(link)
    ready(page)
    expect(page.locator(field)).to_have_value("low #")
    page.wait_for_function("location.hash.startsWith('#typed=')")
    expect(page.locator("meta[name=referrer]")).to_have_attribute("content", "no-referrer")
