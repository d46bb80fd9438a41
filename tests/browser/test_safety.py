"""Texts that would run as markup are shown as they are, whichever way they come."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import FilePayload, Locator, Page, Request, WebSocket, expect

from harness.app_server import AppServer, serve
from harness.chromium import (
    close_choice,
    enter,
    grid,
    navigate,
    open_choice,
    open_share,
    ready,
    run_first,
)
from tests import ROOT
from tests.browser.conftest import NewPage
from tests.material.hostile_texts import MARKUP, RUN, payloads
from ui.choices.text_link import fragment_of
from ui.page_parts.lessons.contents import lessons
from ui.trainings.corpus import from_text

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
    open_choice(page, "text")
    page.locator(".st-key-corpus_upload input[type=file]").set_input_files([text])
    expect(page.locator("[data-testid=token-grid]").first).to_contain_text("p a y l o a d")
    unharmed(page, "Watch")
    viewport = grid(page).get_by_test_id("viewport")
    viewport.click(position={"x": 60, "y": 30})  # the card of a token
    unharmed(page, "a token")
    for tab in ("Pairs", "Step log"):
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
    open_share(page)
    share: FilePayload = {"name": f"{NAME}.json", "mimeType": "application/json", "buffer": NAME.encode()}
    page.locator(".st-key-share_or_open input[type=file]").set_input_files([share])
    unharmed(page, "a share file")


# Messages with user text in Chromium: the text is shown as it is, and nothing in it is interpreted.

# {key of a message: [its text, names of the elements in it]}
MESSAGES = """() => Object.fromEntries([...document.querySelectorAll('[class*="st-key-"]')].map((box) => {
  const key = [...box.classList].find((name) => name.startsWith('st-key-')).slice(7);
  const text = box.querySelector('[data-testid=stMarkdownContainer], [data-testid=stCaptionContainer]');
  return [key, text ? [text.textContent, [...text.querySelectorAll('*')].map((part) => part.localName)] : null];
}))"""
CHANNELS = ("error", "caption", "markdown", "button")  # as in the page
PLAIN = {"p", "small", "span"}  # that hold the text itself, or nothing


@pytest.fixture
def messages(executable: str) -> Iterator[AppServer]:
    """Start a server of the page with messages."""
    with serve(ROOT / "tests/browser/messages_page.py") as app:
        yield app


def test_user_text_in_a_message_is_shown_literally(messages: AppServer, new_page: NewPage) -> None:
    page = new_page(server=messages)
    page.goto("/")
    expect(page.locator(f".st-key-{CHANNELS[-1]}_{len(payloads()) - 1}")).to_be_visible()
    ready(page)
    visible = page.evaluate(MESSAGES)
    wrong = {
        f"{channel}: {text}": visible.get(f"{channel}_{number}")
        for number, text in enumerate(payloads())
        for channel in CHANNELS
        if not _is_literal(visible.get(f"{channel}_{number}"), text)
    }
    assert not wrong


def _is_literal(message: tuple[str, list[str]] | None, text: str) -> bool:
    return message is not None and message[0].strip() == text.strip() and set(message[1]) <= PLAIN


# What a visitor types is in no request, no log and no query of the address, before and after a reload. Below, a
# workflow types into every field of every page once a week.

MARKER = "qzvsecret"
FIELDS = "textarea, input[type=text]:not([role=combobox]):not([readonly])"
CHOICES = ("text", "tokenizer")  # whose menus have text fields
# Address -> the least number of text fields that it must show, those in the menus of its choices included.
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
SAMPLE = next(iter(PAGES))  # the choices; the others are typed into once a week


def _fill(field: Locator, text: str) -> None:
    field.fill(text)
    field.press("Control+Enter" if field.evaluate("field => field.localName") == "textarea" else "Enter")


def _fill_all(page: Page, part: Locator) -> int:
    """Type into each text field of a part of the page, and return how many it has. Typing can remove later ones."""
    fields = part.locator(FIELDS).locator("visible=true")
    number = 0
    while number < fields.count():
        _fill(fields.nth(number), f"{MARKER}{number} 7")
        ready(page)
        number += 1
    return number


@pytest.mark.parametrize(
    ("address", "least"),
    [
        pytest.param(*row, id=row[0], marks=() if row[0] == SAMPLE else pytest.mark.weekly)
        for row in PAGES.items()
    ],
)
def test_what_is_typed_is_in_no_request(page: Page, server: AppServer, address: str, least: int) -> None:
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request))
    enter(page, address)
    filled = _fill_all(page, page.locator("body"))
    line = page.get_by_test_id("merges-from")
    if line.count():  # on a page about another text, the choices and the training text are behind it
        line.click()
        ready(page)
        filled = _fill_all(page, page.locator("body"))
    for choice in CHOICES:
        if page.get_by_test_id(f"choice-{choice}").count():
            open_choice(page, choice)
            filled += _fill_all(page, page.get_by_test_id("stPopoverBody"))
            close_choice(page)
    assert filled >= least
    _assert_kept(page, requests, server)


def _assert_kept(page: Page, requests: list[Request], server: AppServer) -> None:
    """Reload the page, and fail if a typed text was in a request, an address before #, or what the server wrote."""
    before = page.url
    page.reload()
    ready(page)
    page.wait_for_timeout(500)
    sent = [
        text
        for request in requests
        for text in (request.url.partition("#")[0], request.headers.get("referer", ""))
    ]
    addresses = [address.partition("#")[0] for address in (before, page.url)]
    assert MARKER not in "".join((*sent, *addresses, server.output()))


EVERY_FIELD = ", ".join(
    (
        "textarea:not([readonly], [data-filled])",
        "input:not([readonly], [disabled], [data-filled], [type=checkbox], [type=radio], [type=range], [type=file])",
    )
)
MENUS = "[data-testid=stPopoverButton], [data-testid^=choice-]"
FOLDED = "[role=tab][aria-selected=false], summary"
MOST_FIELDS = 40  # of one part of a page


def _exercises() -> dict[str, str]:
    """Return {kind of exercise: the address of the first beat that has one}."""
    asked: dict[str, str] = {}
    for slug, lesson in lessons().items():
        for number, beat in enumerate(lesson.beats, start=1):
            if beat.exercise:
                asked.setdefault(beat.exercise.kind, f"/lessons?lesson={slug}&beat={number}")
    return asked


EVERYWHERE = (
    *PAGES,
    "/",
    "/tokenizers",
    *_exercises().values(),
)


def _type_everywhere(page: Page, part: Locator) -> int:
    """Type the marker with keys into every field of a part that has not had it, and return how many show it."""
    fields = part.locator(EVERY_FIELD).locator("visible=true")
    shown = 0
    for _ in range(MOST_FIELDS):
        if not fields.count():
            break
        # The last first: the first is one's own text, which ends what is chosen for another.
        field = fields.last.element_handle()
        field.evaluate("field => { field.dataset.filled = ''; field.focus(); }")
        page.keyboard.press("Control+A")
        page.keyboard.type(MARKER)
        shown += bool(field.evaluate("(field, marker) => field.value.includes(marker)", MARKER))
        page.keyboard.press(
            "Control+Enter" if field.evaluate("field => field.localName") == "textarea" else "Enter"
        )
        ready(page)
    return shown


def _unfold(page: Page, part: Locator) -> int:
    """Type into every field of a part, also into those behind its tabs and folds."""
    shown = _type_everywhere(page, part)
    folded = part.locator(FOLDED).locator("visible=true")
    for number in range(MOST_FIELDS):
        if number >= folded.count():
            break
        folded.nth(number).click()
        ready(page)
        shown += _type_everywhere(page, part)
    return shown


@pytest.mark.weekly
@pytest.mark.parametrize("address", EVERYWHERE)
def test_what_is_typed_into_any_field_of_a_page_is_in_no_request(
    page: Page, server: AppServer, address: str
) -> None:
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request))
    enter(page, address)
    shown = _unfold(page, page.get_by_test_id("stMain"))
    for number in range(page.locator(MENUS).count()):
        menu = page.locator(MENUS).nth(number)
        if not menu.is_visible():
            continue
        menu.click()
        ready(page)
        shown += _unfold(page, page.get_by_test_id("stPopoverBody"))
        close_choice(page)
    assert shown
    _assert_kept(page, requests, server)


# Page -> its parameter, as links of older releases have it, and the field that shows it.
OLDER = {
    "/encode": ("text", ".st-key-field_encode_text textarea"),
    "/bytes": ("text", ".st-key-field_bytes_text textarea"),
    "/vocabulary": ("find", ".st-key-vocabulary_find input"),
}


@pytest.mark.parametrize(
    ("path", "field"),
    [
        pytest.param(path, field, marks=() if path == "/encode" else pytest.mark.weekly)
        for path, (_, field) in OLDER.items()
    ],
)
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


LINKED = f"#{fragment_of('paste', from_text('low lower lowest'))}"


# Swallows the first message that brings a link's fragment, as a run of the page can do.
SWALLOW = """() => {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    const isIt = !window.swallowed && new TextDecoder().decode(data).includes('text=');
    if (isIt) window.swallowed = true;
    else send.call(this, data);
  };
}"""


def test_a_text_in_a_link_opens_though_no_source_is_named_and_its_first_message_is_lost(
    new_page: NewPage,
) -> None:
    page = new_page()
    run_first(page, f"({SWALLOW})()")
    page.goto(f"/?merges=9{LINKED}")
    expect(grid(page)).to_have_attribute("data-text", "low lower lowest", timeout=60_000)
    assert page.evaluate("window.swallowed")
    expect(page).to_have_url(re.compile(r"corpus_source=paste&merges=9"))
    field = page.locator(".st-key-field_corpus_text textarea")
    field.fill("zebra")
    field.press("Control+Enter")
    expect(grid(page)).to_have_attribute("data-text", "zebra", timeout=60_000)
    page.wait_for_timeout(1_500)  # it is not sent again
    assert grid(page).get_attribute("data-text") == "zebra"


def _shown(page: Page) -> tuple[str | None, str | None]:
    """Return the text of the grid and its number of merges."""
    return grid(page).get_attribute("data-text"), grid(page).get_attribute("data-steps")


def _record(page: Page, messages: list[bytes]) -> None:
    """Append what the server sends to the page from now on."""

    def receive(frame: str | bytes) -> None:
        messages.append(frame if isinstance(frame, bytes) else frame.encode())

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", receive)

    page.on("websocket", listen)


def test_two_who_opened_one_link_change_their_own_text_and_settings_only(new_page: NewPage) -> None:
    tabs = [new_page(), new_page()]  # they share no storage
    received: list[list[bytes]] = [[], []]
    for page, messages in zip(tabs, received, strict=True):
        _record(page, messages)
        page.goto(f"/?corpus_source=paste&merges=9{LINKED}")
        ready(page)
        expect(grid(page)).to_have_attribute("data-text", "low lower lowest")  # first it has the sample
    texts = ("zebra zebras qzvone", "yak yaks yaks qzvtwo")
    for page, text in zip(tabs, texts, strict=True):
        page.bring_to_front()  # behind the other, it would be drawn once a second
        page.locator(".st-key-field_corpus_text textarea").fill(text)
        page.locator(".st-key-field_corpus_text textarea").press("Control+Enter")
        expect(grid(page)).to_have_attribute("data-text", text)
    open_choice(tabs[1], "merges")
    tabs[1].locator(".st-key-merges input").fill("4")
    tabs[1].locator(".st-key-merges input").press("Enter")
    expect(tabs[1]).to_have_url(re.compile("merges=4"))
    tabs[0].bring_to_front()
    tabs[0].reload()
    ready(tabs[0])
    assert [_shown(page) for page in tabs] == [(texts[0], "9"), (texts[1], "4")]
    for messages, own, other in zip(received, texts, reversed(texts), strict=True):
        sent = b"".join(messages)
        assert own.encode() in sent
        assert other.split()[-1].encode() not in sent
