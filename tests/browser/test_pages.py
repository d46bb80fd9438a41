"""Every page opens from its link, fits the window in both themes, and everyone can use it."""

from collections.abc import Sequence
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests import ROOT
from tests.browser.chromium import ready, visit, wider
from tests.browser.conftest import NewPage

THEMES: list[Literal["light", "dark"]] = ["light", "dark"]
# axe-core's rules to apply in each theme, the light one first: all of them, then what another theme can change.
RULES: dict[str, Sequence[str]] = {"light": (), "dark": ("color-contrast",)}
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))


def opened(page: Page, name: str) -> Page:
    """Open a page, and wait until it is drawn and not the message that something went wrong."""
    visit(page, f"/{name}")
    assert page.locator("[data-testid=stException]").count() == 0
    assert page.locator("h1").count() == 1
    return page


def in_theme(page: Page, theme: Literal["light", "dark"]) -> None:
    """Switch the page to a theme and wait until it is drawn in it."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(
        "theme => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme === theme",
        arg=theme,
    )


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.slow
def test_a_page_fits_the_window_and_everyone_can_use_it(shared_page: Page, name: str) -> None:
    page = shared_page
    page.set_viewport_size({"width": 1280, "height": 800})
    opened(page, name)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        for theme in THEMES:
            in_theme(page, theme)
            ready(page)
            assert wider(page) == 0, (width, theme)
            assert width < 1280 or violations(page, RULES[theme]) == [], theme


def violations(page: Page, rules: Sequence[str] = (), part: str = "") -> list[str]:
    """Return what axe-core finds on the current page, or in one part of it: rule, element, remedy.

    rules: their names; without any, all rules.
    Streamlit greys the label of a disabled widget too, which axe reads as text: WCAG requires no contrast of either.
    The area of Streamlit's file field has the role of a mere box and a name: nothing that a page can change.
    """
    disabled = "element => !!element.closest('[data-testid=stElementContainer]')?.querySelector(':disabled')"
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    return [
        f"{violation['id']}: {node['html'][:160]}: {node['failureSummary']}"
        for violation in Axe().run(page, part or None, options).response["violations"]
        for node in violation["nodes"]
        if violation["id"] != "presentation-role-conflict" or "stFileUploaderDropzone" not in node["html"]
        if not (violation["id"] == "color-contrast" and page.locator(node["target"][0]).evaluate(disabled))
    ]


# Bytes in a real browser: cells highlight those above and below them, by mouse and keys, whatever the width.


def rows(page: Page) -> Locator:
    return page.locator("[data-testid=aligned-rows]").first


def lit(page: Page) -> list[str]:
    """Return the texts of the lit cells, row by row."""
    return rows(page).locator(".cell.on").all_inner_texts()


def wide(page: Page, address: str) -> Page:
    """Open an address in the page, whatever width and theme an earlier test gave it."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(color_scheme="light")
    visit(page, address)
    return page


def test_a_byte_lights_its_character_and_its_token(shared_page: Page) -> None:
    page = wide(shared_page, "/bytes?preset=hf-bytelevel")
    rows(page).locator(".cell.continuation").first.hover()
    assert lit(page) == ["😊", "U+1F60A", "9F", "Ł", "9F"]
    note = page.locator("[data-testid=aligned-note]").first
    expect(note).to_contain_text("continuation byte")


def test_the_rows_are_walked_by_keys(shared_page: Page) -> None:
    page = wide(shared_page, "/bytes?preset=hf-bytelevel")
    rows(page).get_by_role("gridcell").first.focus()
    assert lit(page) == ["A", "U+0041", "41", "A", "A"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert lit(page) == ["😊", "U+1F60A", "F0", "ð", "F0"]


def test_lead_and_continuation_bytes_differ_in_shape(shared_page: Page) -> None:
    page = wide(shared_page, "/bytes")

    def shape(kind: str) -> tuple[str, str]:
        cell = rows(page).locator(f".bands .cell.{kind}").first
        read = "element => [getComputedStyle(element).borderRadius, getComputedStyle(element).borderStyle]"
        radius, style = cell.evaluate(read)
        return radius, style

    assert len({shape("ascii"), shape("lead"), shape("continuation")}) == 3


def test_normal_forms_change_the_rows(page: Page) -> None:
    visit(page, "/bytes?text=%C3%A9")
    expect(rows(page).locator("[data-row=code-points] .cell")).to_have_count(1)
    page.locator(".st-key-bytes_form").get_by_text("NFD", exact=True).click()
    expect(rows(page).locator("[data-row=code-points] .cell")).to_have_count(2)


def test_a_long_text_is_broken_into_bands_that_fit(new_page: NewPage) -> None:
    page = new_page(theme="dark", width=390, height=844)
    visit(page, "/bytes?text=the%20lowest%20newest%20%F0%9F%98%8A%20and%20more")
    bands = rows(page).locator(".band")
    expect(bands.nth(2)).to_be_visible()
    for band in bands.all():
        box = band.bounding_box()
        assert box
        assert box["x"] + box["width"] <= 390
