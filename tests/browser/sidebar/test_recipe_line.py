"""The folded sidebar: a line that says the choice, each part of which opens its menu, and few controls in sight."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import enter, grid, ready, run_first
from tests.browser.conftest import NewPage

MOST = 25  # controls on the first screen of Watch, eight of them pages
# Every control that can be seen without scrolling, with what it is called.
CONTROLS = """() => {
  const names = [];
  const roles = ['button', 'combobox', 'slider', 'tab', 'radio', 'switch', 'option'].map((role) => `[role=${role}]`);
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) visit(element.shadowRoot);
      if (!element.matches(`a[href], button, input, select, textarea, summary, ${roles}`)) continue;
      const { width, height, top, bottom, left, right } = element.getBoundingClientRect();
      const { visibility, opacity } = getComputedStyle(element);
      const inside = top < innerHeight && bottom > 0 && left < innerWidth && right > 0;
      const seen = visibility !== 'hidden' && opacity !== '0' && element.checkVisibility();
      if (!inside || !seen || width < 3 || height < 3) continue;
      names.push(element.ariaLabel || element.innerText || element.title);
    }
  };
  visit(document);
  return names;
}"""


def folded(page: Page, address: str = "/") -> None:
    """Open an address as a new visitor does. Other tests begin with the controls in sight."""
    run_first(page, "delete document.documentElement?.dataset.mergesSettings")
    page.goto("about:blank")
    page.goto(address)
    ready(page)
    page.evaluate("() => { delete document.documentElement.dataset.mergesSettings; localStorage.clear(); }")


@pytest.mark.slow
def test_the_first_screen_has_few_controls_and_a_line_that_says_the_choice(new_page: NewPage) -> None:
    page = new_page(width=1280, height=720)
    folded(page)
    enter(page, "/")
    line = page.get_by_test_id("recipe-line")
    expect(line).to_have_text(
        "low, lower, newest, widest · Paper · characters · first occurrence · 12 merges"
    )
    preset = page.locator(".st-key-preset input")
    expect(preset).to_be_hidden()
    page.mouse.move(700, 700)  # over the menu it would show one more
    names = page.evaluate(CONTROLS)
    assert len(names) <= MOST, "; ".join(names)

    line.get_by_role("button", name="Paper").click()  # one click to the menu of trainers
    expect(page.get_by_role("option", name="SentencePiece", exact=True)).to_be_visible()
    page.get_by_role("option", name="SentencePiece", exact=True).click()
    ready(page)
    expect(preset).to_be_visible()  # it stays as the viewer left it
    page.get_by_test_id("recipe-fold").click()
    expect(preset).to_be_hidden()
    expect(line).to_contain_text("SentencePiece")
    page.locator("[data-testid=stSidebarNavLink]").filter(has_text="Compare").click()
    ready(page)
    expect(page.locator(".st-key-preset input")).to_be_hidden()


def test_an_address_that_chooses_a_source_opens_the_controls(new_page: NewPage) -> None:
    page = new_page(width=1280, height=720)
    folded(page)
    enter(page, "/?corpus_source=paste")
    expect(page.locator(".st-key-corpus_text textarea")).to_be_visible()


@pytest.mark.slow
def test_a_typed_text_trains_by_itself(page: Page) -> None:
    enter(page, "/?corpus_source=paste")
    field = page.locator(".st-key-corpus_text textarea")
    field.press_sequentially("hug pug hugs", delay=20)
    expect(grid(page)).to_have_attribute("data-text", "hug pug hugs")
    expect(field).to_be_focused()
    field.press_sequentially(" pun", delay=20)
    expect(grid(page)).to_have_attribute("data-text", "hug pug hugs pun")
    expect(field).to_have_value("hug pug hugs pun")
