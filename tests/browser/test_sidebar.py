"""A tokenizer from a file in a real browser: opened, played on Watch, a lane on Compare, used by Encode."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_server import AppServer
from tests.browser.chromium import enter, grid, navigate, ready, run_first
from tests.browser.conftest import NewPage
from tests.browser.grid_page import press
from tests.material.texts import SENTENCES
from tests.material.trained_tokenizers import hugging_face

NAME = "<b>my</b>.json"


@pytest.mark.slow
def test_a_file_plays_on_watch_stands_on_compare_and_encodes(page: Page) -> None:
    library = hugging_face(SENTENCES * 3)
    merges = json.loads(library.to_str())["model"]["merges"]
    enter(page, "/?recipe_source=file&corpus_sample=story")
    expect(page.get_by_text("which no link can contain").first).to_be_visible()
    page.locator(".st-key-tokenizer_upload input[type=file]").set_input_files(
        {"name": NAME, "mimeType": "application/json", "buffer": library.to_str().encode()}
    )
    expect(grid(page)).to_have_attribute("data-step", "0")
    ready(page)
    expect(page.get_by_text(f"of its {len(merges)} merges apply to this text").first).to_be_visible()
    assert page.locator("main b", has_text="my").count() == 0  # the file's name is no markup
    steps = int(grid(page).get_attribute("data-steps") or 0)
    assert 0 < steps <= len(merges)
    badge = grid(page).get_by_test_id("counts-badge")
    expect(badge).to_contain_text("Training on this text would choose")
    assert grid(page).get_by_test_id("tie-badge").is_hidden()
    assert grid(page).get_by_test_id("pick").count() == 0
    expect(grid(page).get_by_test_id("headline")).to_contain_text("of the tokenizer")
    press(page, "ArrowRight", "ArrowRight")
    expect(grid(page)).to_have_attribute("data-step", "2")
    press(page, "End")
    expect(grid(page)).to_have_attribute("data-step", str(steps))
    ready(page)

    navigate(page, "/compare")
    ready(page)
    lanes = page.locator("[data-testid=token-grid]")
    expect(lanes).to_have_count(2)
    expect(page.locator(".st-key-verdict h2")).to_contain_text("held-out")

    navigate(page, "/encode")
    ready(page)
    text = "The lowest towers are ☃"
    field = page.locator(".st-key-encode_text textarea")
    field.fill(text)
    field.press("Control+Enter")
    ids = ", ".join(map(str, library.encode(text).ids))
    expect(page.get_by_text(f"[{ids}]").first).to_be_visible()


# The folded sidebar: a line that says the choice, each part of which opens its menu, and few controls in sight.

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


# A link that holds a text of one's own, in Chromium: it reproduces the view, and no request contains the text.

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


# Typed text in Chromium: neither half a character, nor a reload, nor a tap on the menu does it any harm.

# What the server sends is read 400 ms later: until then the browser's messages carry the texts that it had before.
LATE = """(() => {
  window.WebSocket = class extends window.WebSocket {
    read = Promise.resolve();
    set onmessage(receive) {
      this.addEventListener('message', (event) => {
        const late = new Promise((done) => setTimeout(done, 400));
        this.read = Promise.all([this.read, late]).then(() => receive(event));
      });
    }
  };
})()"""


@pytest.mark.slow
def test_typed_text_survives_a_reload_and_a_tap_on_the_menu_on_a_slow_connection(new_page: NewPage) -> None:
    page = new_page(has_touch=True)
    run_first(page, LATE)
    enter(page, "/encode")
    field = page.locator(".st-key-encode_text textarea")
    field.evaluate(
        """(area) => {
          area.focus();
          area.select();
          document.execCommand("insertText", false, "low \\ud83d lower");
        }"""
    )
    expect(field).to_have_value("low \ufffd lower")
    field.press("Control+Enter")
    expect(grid(page)).to_have_attribute("data-text", "low \ufffd lower")
    page.reload()
    ready(page)
    expect(field).to_have_value("low \ufffd lower")
    expect(page.get_by_test_id("stException")).to_have_count(0)

    menu = page.get_by_test_id("stSidebarNav")
    away = menu.get_by_role("link", name="Vocabulary")
    # A click of a script leaves no field, so that Streamlit never sends the second text.
    leave_by: dict[str, Callable[[], object]] = {
        "words left by a tap": away.tap,
        "words that are never sent": lambda: away.evaluate("(link) => link.click()"),
    }
    for typed, leave in leave_by.items():
        field.fill(typed)
        leave()
        expect(page).to_have_url(re.compile("/vocabulary"))
        ready(page)
        menu.get_by_role("link", name="Encode").tap()
        expect(grid(page)).to_have_attribute("data-text", typed)
        expect(field).to_have_value(typed)

    long = " ".join(["slowest"] * 60)  # the link holds shorter ones only, so this is in the tab alone
    field.fill(long)
    expect(grid(page)).to_have_attribute("data-text", long)
    page.reload()
    expect(grid(page)).to_have_attribute("data-text", long)
    expect(field).to_have_value(long)
