"""A tokenizer from a file in a real browser: opened, played on Watch, a lane on Compare, used by Encode."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from bpe import TIE_BREAKS
from harness.app_server import AppServer
from harness.chromium import (
    close_choice,
    enter,
    grid,
    navigate,
    open_choice,
    ready,
    run_first,
    take_away,
    take_row,
    wider,
)
from tests.browser.conftest import NewPage
from tests.browser.grid_page import press
from tests.browser.test_watch import PASTE
from tests.material.texts import SENTENCES
from tests.material.trained_tokenizers import hugging_face
from ui.trainings.corpus import from_sample

NAME = "<b>my</b>.json"


def test_a_file_plays_on_watch_stands_on_compare_and_encodes(page: Page) -> None:
    library = hugging_face(SENTENCES * 3)
    merges = json.loads(library.to_str())["model"]["merges"]
    enter(page, "/?recipe_source=file&corpus_sample=story")
    expect(page.get_by_text("which no link can contain").first).to_be_visible()
    open_choice(page, "tokenizer")
    page.locator(".st-key-tokenizer_upload input[type=file]").set_input_files(
        {"name": NAME, "mimeType": "application/json", "buffer": library.to_str().encode()}
    )
    count = page.get_by_test_id("token-count")
    expect(count).to_have_text(f"{len(library.encode(from_sample('story').reading_text).ids):,}")
    ready(page)
    expect(page.get_by_text(f"of its {len(merges)} merges apply to this text").first).to_be_visible()
    assert page.locator("main b", has_text="my").count() == 0  # the file's name is no markup
    steps = int(grid(page).get_attribute("data-steps") or 0)
    assert 0 < steps <= len(merges)
    expect(grid(page)).to_have_attribute("data-step", str(steps))
    close_choice(page)
    page.get_by_test_id("from-start").click()
    expect(grid(page)).to_have_attribute("data-step", "0")
    badge = grid(page).get_by_test_id("counts-badge")
    expect(badge).to_contain_text("Training on this text would choose")
    assert grid(page).get_by_test_id("tie-badge").is_hidden()
    assert grid(page).get_by_test_id("pick").count() == 0
    assert page.locator(".scrub.tied").count() == 0  # nothing was counted: no bars, and no legend of them
    assert page.get_by_test_id("pair-table").count() == 0
    expect(page.locator(".st-key-listed_merges")).to_be_visible()
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
    expect(page.locator(".st-key-verdict h2")).to_contain_text("are split differently")

    navigate(page, "/encode")
    ready(page)
    text = "The lowest towers are ☃"
    field = page.locator(".st-key-field_encode_text textarea")
    field.fill(text)
    field.press("Control+Enter")
    ids = ", ".join(map(str, library.encode(text).ids))
    page.get_by_role("button", name=f"Copy {len(library.encode(text).ids)} ids").click()
    expect(page.get_by_text(f"[{ids}]").first).to_be_visible()


# The row of choices: a line that says the choice, each part of which opens its menu, and few controls in sight.


def test_the_choices_are_in_one_row_above_the_grid_and_none_moves_another(new_page: NewPage) -> None:
    page = new_page()
    choices = ("choice-text", "choice-tokenizer", "choice-ties", "choice-merges")
    enter(page, "/")
    rule = "first"
    for width, height, other in ((1280, 800, "longest"), (1024, 768, "first"), (390, 844, "longest")):
        page.set_viewport_size({"width": width, "height": height})
        ready(page)
        boxes = [page.get_by_test_id(name).bounding_box() for name in ("your-text", *choices)]
        field, *buttons = [box for box in boxes if box]
        assert len(buttons) == 4
        assert len({box["y"] for box in buttons}) == 1
        if width > 390:
            assert buttons[0]["y"] <= field["y"] < buttons[0]["y"] + buttons[0]["height"]
        text = grid(page).get_by_test_id("viewport").bounding_box()
        assert text
        assert buttons[0]["y"] < text["y"] < height
        assert wider(page) == 0
        expect(page.get_by_test_id("choice-ties")).to_have_text(
            re.compile(f"^Ties\\s+{TIE_BREAKS[rule].title}")
        )

        open_choice(page, "ties")
        expect(page.get_by_test_id("choice-list")).not_to_have_css("height", "0px")  # its rows are there
        menu = page.get_by_test_id("choice-list").bounding_box()
        grid_before = grid(page).bounding_box()
        take_row(page, f"tie-{other}")
        expect(page.get_by_test_id("choice-ties")).to_contain_text(TIE_BREAKS[other].title)
        ready(page)
        assert page.get_by_test_id("choice-list").bounding_box() == menu
        grid_after = grid(page).bounding_box()
        assert grid_before
        assert grid_after
        assert (grid_after["x"], grid_after["y"]) == (grid_before["x"], grid_before["y"])
        assert [page.get_by_test_id(name).bounding_box() for name in choices] == buttons
        rule = other
        close_choice(page)


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_ones_own_text_is_one_press_away_and_its_picture_stays_in_sight(
    new_page: NewPage, size: tuple[int, int]
) -> None:
    page = new_page(width=size[0], height=size[1])
    enter(page, "/")
    before = grid(page).bounding_box()
    page.get_by_test_id("your-text").click()
    page.keyboard.type("hug pug hugs pun")
    expect(grid(page)).to_have_attribute("data-text", "hug pug hugs pun")
    expect(page.get_by_test_id("your-text")).to_be_focused()
    page.keyboard.type(" bun")
    expect(grid(page)).to_have_attribute("data-text", "hug pug hugs pun bun")
    expect(page.get_by_text("It trains half a second after you stop typing.")).to_be_visible()
    expect(grid(page).get_by_test_id("viewport")).to_be_in_viewport()
    # The open field hides nothing that it answers.
    page.get_by_test_id("your-text").fill("hug pug hugs pun " * 150)
    expect(grid(page)).to_have_attribute("data-text", re.compile("^(hug pug hugs pun ?){9}"))
    opened = page.locator(".st-key-field_corpus_text .text-field").bounding_box()
    answer = grid(page).get_by_test_id("headline").bounding_box()
    assert opened
    assert answer
    assert opened["y"] + opened["height"] <= answer["y"]
    page.get_by_test_id("your-text").press("End")
    page.keyboard.press("Escape")  # and folds to its first words
    expect(page.locator(".st-key-field_corpus_text .text-field")).not_to_have_attribute("data-open", "")
    assert page.get_by_test_id("your-text").evaluate("field => [field.scrollLeft, field.scrollTop]") == [0, 0]
    after = grid(page).bounding_box()
    assert before
    assert after
    assert (after["x"], after["y"]) == (before["x"], before["y"])

    page.get_by_test_id(
        "your-text"
    ).click()  # what is pressed meanwhile stays under the pointer until it is released
    headline = grid(page).get_by_test_id("headline")
    pushed = headline.bounding_box()
    assert pushed
    page.mouse.move(pushed["x"] + 5, pushed["y"] + 5)
    page.mouse.down()
    expect(page.get_by_test_id("your-text")).not_to_be_focused()
    assert headline.bounding_box() == pushed
    page.mouse.up()
    expect(page.locator(".st-key-field_corpus_text .text-field")).not_to_have_attribute("data-open", "")
    folded = headline.bounding_box()
    assert folded
    assert folded["y"] < pushed["y"]

    page.get_by_test_id("your-text").fill("")  # the picture stays until there is a new text
    page.wait_for_timeout(1_000)
    expect(grid(page)).to_have_attribute("data-text", re.compile("^hug pug hugs pun"))


def test_two_presses_of_keys_set_ones_own_text_moving(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    enter(page, "/")
    page.evaluate("() => navigator.clipboard.writeText('hug pug hugs pun')")
    page.keyboard.press("Control+v")
    expect(grid(page)).to_have_attribute("data-text", "hug pug hugs pun")
    expect(page.get_by_test_id("your-text")).not_to_be_focused()
    ready(page)
    page.keyboard.press("Space")
    expect(grid(page)).to_have_attribute("data-step", re.compile("[1-9]"))

    page.get_by_test_id("your-text").click()
    expect(page.get_by_text("Press Esc, then Space, to play it.")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Home")  # is a key of the grid again
    expect(grid(page)).to_have_attribute("data-step", "0")

    # Whoever chooses to type, in the menu, has the cursor in the field.
    open_choice(page, "text")
    page.locator(".st-key-corpus_source button").filter(has_text="Word list").click()
    expect(page.get_by_test_id("your-text")).to_be_focused()


# What a browser does with a file that is dropped on an empty part of the page.
DROP = """([name, content]) => {
  const data = new DataTransfer();
  data.items.add(new File([new Uint8Array(content)], name));
  for (const type of ['dragover', 'drop']) {
    document.querySelector('[data-testid=stMain]')
      .dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }
}"""


def test_what_is_pasted_or_dropped_anywhere_on_the_page_is_taken(page: Page) -> None:
    enter(page, "/")
    page.evaluate(PASTE, "slow slower slowest")
    expect(grid(page)).to_have_attribute("data-text", "slow slower slowest")
    page.evaluate(DROP, ["a.txt", list(b"hug pug hug")])
    expect(grid(page)).to_have_attribute("data-text", "hug pug hug")
    expect(page.get_by_test_id("choice-text")).to_contain_text("a.txt")
    page.evaluate(DROP, ["cat.png", list(b"\x89PNG\r\n\x1a\n")])
    expect(page.locator(".st-key-drop_problem")).to_contain_text("cat.png")
    expect(grid(page)).to_have_attribute("data-text", "hug pug hug")


def test_on_encode_what_is_typed_pasted_or_dropped_is_encoded_and_nothing_is_trained_on(page: Page) -> None:
    enter(page, "/bytes")
    page.get_by_test_id("stTopNavLink").filter(has_text="Encode").click()  # the line of the menus stays
    ready(page)
    field, line = page.get_by_test_id("page-text"), page.get_by_test_id("merges-from")
    learned = line.text_content()
    expect(page.get_by_label("Text to encode")).to_have_attribute("data-testid", "page-text")
    expect(page.get_by_test_id("your-text")).to_have_count(0)
    expect(page.get_by_test_id("choice-ties")).not_to_be_visible()
    page.evaluate(PASTE, "slow slower")
    expect(grid(page)).to_have_attribute("data-text", "slow slower")
    page.evaluate(DROP, ["a.txt", list(b"lowest widest")])
    expect(grid(page)).to_have_attribute("data-text", "lowest widest")
    expect(field).to_have_value("lowest widest")
    field.fill("newer")
    expect(grid(page)).to_have_attribute("data-text", "newer")
    expect(line).to_have_text(learned or "")

    # The line opens to the training text and the four menus, stays open while one chooses there, and folds by Escape.
    open_choice(page, "ties")
    take_row(page, "tie-longest")
    close_choice(page)
    expect(line).to_contain_text("longest token")
    training = page.get_by_test_id("training-text")
    training.fill("hug pug hugs")
    training.press("Control+Enter")
    expect(line).to_contain_text("“hug pug hugs”")
    expect(training).to_be_visible()
    expect(field).to_have_value("newer")
    training.press("Escape")
    page.get_by_test_id("choice-merges").focus()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("choice-ties")).not_to_be_visible()
    expect(line).to_be_focused()

    page.reload()  # both texts are kept
    ready(page)
    expect(field).to_have_value("newer")
    expect(line).to_contain_text("“hug pug hugs”")


def test_a_menu_that_is_closed_while_a_file_is_on_its_way_is_gone_and_the_file_opens(page: Page) -> None:
    enter(page, "/")
    open_choice(page, "text")
    page.locator(".st-key-corpus_source button").filter(has_text="Upload").click()
    ready(page)
    expect(grid(page)).to_have_attribute("data-text", re.compile("^low lower"))  # until there is a file
    menu = page.get_by_test_id("stPopoverBody")
    held: list[Route] = []
    page.route("**/upload_file/**", lambda route: held.append(route))
    ways: dict[str, Callable[[], object]] = {
        "escape": lambda: page.keyboard.press("Escape"),
        "elsewhere": lambda: grid(page).get_by_test_id("headline").click(),
        "its button": page.get_by_test_id("choice-text").click,
    }
    try:
        for number, (name, close) in enumerate(ways.items()):
            text = f"hug pug {name}"
            open_choice(page, "text")
            with page.expect_request("**/upload_file/**"):  # the sign of work is there before the request is
                page.locator(".st-key-corpus_upload input[type=file]").set_input_files(
                    {"name": f"{number}.txt", "mimeType": "text/plain", "buffer": text.encode()}
                )
            expect(menu.get_by_test_id("stFileChipIconSpinner")).to_be_visible()
            close()
            expect(menu, name).to_be_hidden()
            held.pop().continue_()
            expect(grid(page)).to_have_attribute("data-text", re.compile(f"{text}$"))
            expect(menu, name).to_have_count(0)
    finally:
        page.unroute("**/upload_file/**")


def test_the_picture_stays_until_there_is_a_tokenizer_s_file(page: Page) -> None:
    enter(page, "/?merges=7")
    before = grid(page).bounding_box()
    open_choice(page, "tokenizer")
    page.locator(".st-key-recipe_source button").filter(has_text="File").click()
    ready(page)
    expect(page.locator(".st-key-tokenizer_upload")).to_be_visible()
    expect(grid(page)).to_have_attribute("data-steps", "7")
    assert grid(page).bounding_box() == before
    expect(page.get_by_test_id("choice-tokenizer")).to_contain_text("Paper")
    expect(page.get_by_test_id("choice-merges")).to_contain_text("7")
    page.locator(".st-key-tokenizer_upload input[type=file]").set_input_files(
        {
            "name": NAME,
            "mimeType": "application/json",
            "buffer": hugging_face(SENTENCES * 3).to_str().encode(),
        }
    )
    expect(page.get_by_text("merges apply to this text").first).to_be_visible()
    expect(page.get_by_test_id("choice-tokenizer")).to_contain_text(NAME)
    expect(page.get_by_test_id("choice-merges")).to_contain_text("All")


# A link that holds a text of one's own, in Chromium: it reproduces the view, and no request contains the text.

TEXT = "Zwölf <b>Boxkämpfer</b> & 7 # Füchse?\n  x"


def test_a_link_to_a_short_text_reproduces_text_recipe_and_step(page: Page, server: AppServer) -> None:
    before = len(server.output())
    enter(page, "/?corpus_source=paste&preset=hf-bytelevel&merges=7&step=3")
    area = page.locator(".st-key-field_corpus_text textarea")
    area.fill(TEXT)
    area.press("Control+Enter")
    expect(grid(page)).to_have_attribute("data-text", TEXT)
    take_away(page, "Link")
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
    area.fill("low " * 500)
    area.press("Control+Enter")
    ready(page)
    take_away(page, "Link")
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


def test_typed_text_survives_a_reload_and_a_tap_on_the_menu_on_a_slow_connection(new_page: NewPage) -> None:
    page = new_page(has_touch=True)
    run_first(page, LATE)
    enter(page, "/encode")
    field = page.locator(".st-key-field_encode_text textarea")
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

    menu = page.get_by_test_id("stTopNav")
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


def test_a_field_that_somebody_has_emptied_stays_empty_until_the_page_is_loaded_again(page: Page) -> None:
    enter(page, "/encode")
    field = page.locator(".st-key-field_encode_text textarea")
    field.fill("zq low lower lowest")
    field.press("Control+Enter")
    expect(grid(page)).to_have_attribute("data-text", "zq low lower lowest")
    page.wait_for_timeout(2_000)  # in which the page receives the text of its link, too
    field.fill("")
    field.press("Control+Enter")
    ready(page)
    page.wait_for_timeout(1_000)  # in which a text would be given back
    expect(field).to_have_value("")
    page.reload()
    ready(page)
    expect(field).to_have_value(re.compile("^(?!zq)"))  # Encode suggests another one


def test_where_cookies_are_blocked_the_page_says_why_no_file_opens(new_page: NewPage) -> None:
    page = new_page(own_tab=True)
    page.context.new_cdp_session(page).send("Emulation.setDocumentCookieDisabled", {"disabled": True})
    page.goto("/?corpus_source=upload")
    ready(page)
    page.evaluate(DROP, ["own.txt", list(b"low lower")])
    expect(page.locator(".merges-drop")).to_contain_text("blocks cookies")
    open_choice(page, "text")
    said = page.locator(".st-key-corpus_upload [data-testid=stFileUploader]").evaluate(
        "(field) => getComputedStyle(field, '::after').content"
    )
    assert "blocks cookies" in said
    other = new_page(own_tab=True)
    enter(other, "/")
    assert other.locator("html[data-merges-no-cookies]").count() == 0


# The browser of somebody who blocks what pages store, or whose storage is full.
FULL = (
    "() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; }"
)


def test_where_the_browser_stores_nothing_the_page_says_that_a_reload_loses_the_text(
    new_page: NewPage,
) -> None:
    page = new_page(
        own_tab=True
    )  # another test's page would have the text, as after a server that begins anew
    page.goto("/")
    ready(page)
    field = page.get_by_test_id("your-text")
    sentence = page.get_by_text("Your browser stores nothing for this page: a reload loses this text.")
    field.click()
    field.press_sequentially("low low")
    expect(page.get_by_text("It trains half a second after you stop typing.")).to_be_visible()
    page.wait_for_timeout(1_000)
    ready(page)
    expect(sentence).to_have_count(0)
    page.evaluate(FULL)
    field.press_sequentially(" lower")
    expect(sentence).to_be_visible()
    expect(field).to_have_value("low low lower")
