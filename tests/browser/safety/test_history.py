"""Back and Forward, in Chromium: one press leaves a page, and every address belongs to one page."""

from itertools import pairwise
from urllib.parse import urlsplit

import pytest

from tests.browser.chromium import enter, ready
from tests.browser.conftest import NewPage

# Title in the menu -> path. Between them, every page follows another whose parameters differ from its own.
WAY = ("Lessons", "Compare", "Encode", "Lessons")
PATHS = {title: "/" if title == "Watch" else f"/{title.lower()}" for title in WAY}


@pytest.mark.slow
def test_one_press_of_back_leaves_a_page_and_one_of_forward_returns(new_page: NewPage) -> None:
    page = new_page()
    enter(page, "/")
    before = page.evaluate("history.length")
    addresses = [page.url]
    for number, title in enumerate(WAY, 1):
        page.get_by_test_id("stSidebarNavLink").filter(has_text=title).first.click()
        page.wait_for_function("path => location.pathname === path", arg=PATHS[title])
        ready(page)
        if title == "Lessons":
            page.wait_for_function("location.search.includes('beat=')")
        page.wait_for_timeout(500)
        addresses.append(page.url)
        assert page.evaluate("history.length") == before + number
    assert all(urlsplit(one).path != urlsplit(other).path for one, other in pairwise(addresses))
    paths = [urlsplit(address).path for address in addresses]
    for move, way in (("back", paths[-2::-1]), ("forward", paths[1:])):
        for path in way:
            page.evaluate(f"history.{move}()")
            page.wait_for_function("path => location.pathname === path", arg=path)
            ready(page)
            assert urlsplit(page.url).path == path
            assert ("lesson=" in page.url) == (path == "/lessons")
