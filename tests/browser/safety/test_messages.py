"""Messages with user text in Chromium: the text is shown as it is, and nothing in it is interpreted."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests import ROOT
from tests.browser.app_server import AppServer, serve
from tests.browser.chromium import ready
from tests.browser.conftest import NewPage
from tests.material.hostile_texts import payloads

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
    with serve(ROOT / "tests/browser/apps/messages.py") as app:
        yield app


@pytest.mark.slow
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
