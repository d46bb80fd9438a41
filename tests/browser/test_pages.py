"""What holds for every page: it opens from its link, fits the window in both themes, and everyone can use it."""

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests import ROOT
from tests.browser.app_server import AppServer
from tests.browser.chromium import ready
from tests.browser.conftest import NewPage

THEMES: list[Literal["light", "dark"]] = ["light", "dark"]
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))


def opened(page: Page, name: str) -> Page:
    """The page, drawn, and not the message that something went wrong."""
    page.goto(f"/{name}")
    ready(page)
    assert page.locator("[data-testid=stException]").count() == 0
    assert page.locator("h1").count() == 1
    return page


@pytest.mark.parametrize("name", PAGES)
def test_a_fresh_server_may_be_asked_for_any_page_first(
    new_page: NewPage, fresh_server: AppServer, name: str
) -> None:
    # Streamlit would run the page's file without app.py: see ARCHITECTURE.md, traps.
    page = opened(new_page(server=fresh_server), name)
    assert page.locator("[data-testid=stSidebar] .st-key-corpus_source").count() == 1


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_the_window_and_everyone_can_use_it(new_page: NewPage, name: str, width: int) -> None:
    page = opened(new_page(width=width), name)
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        page.wait_for_function(
            "theme => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme === theme",
            arg=theme,
        )
        wider = page.evaluate(
            "() => { const main = document.querySelector('[data-testid=stMain]');"
            " return main.scrollWidth - main.clientWidth }"
        )
        assert wider <= 0, theme
        assert violations(page) == [], theme


def violations(page: Page) -> list[str]:
    """What axe-core finds on the page as it stands: rule, element, what to do.

    Streamlit greys the label of a disabled widget too, which axe reads as text: WCAG asks no contrast of either.
    """
    disabled = "element => !!element.closest('[data-testid=stElementContainer]')?.querySelector(':disabled')"
    return [
        f"{violation['id']}: {node['html'][:160]}: {node['failureSummary']}"
        for violation in Axe().run(page).response["violations"]
        for node in violation["nodes"]
        if not (violation["id"] == "color-contrast" and page.locator(node["target"][0]).evaluate(disabled))
    ]
