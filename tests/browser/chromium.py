"""The system's Chromium: finding and starting it, knowing when a page is drawn, hearing its complaints."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
FLAGS = (
    "--no-sandbox",  # a container's root has none
    "--disable-gpu",  # the same pixels on every machine
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",  # Chromium's own requests are not the page's
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",  # a container's /dev/shm may hold 64 MB only
)
# A page takes on the renderer of the page before it.
ONE_RENDERER = ("--disable-site-isolation-trials", "--renderer-process-limit=1")
READY_SECONDS = 60
QUIET_MILLISECONDS = 250

# Notes when the page last asked its server for something, and when that last said something: a busy server may take
# its time before it says that a script runs.
NOTE_QUESTIONS = """
window.WebSocket = class extends window.WebSocket {
  constructor(...args) {
    super(...args);
    this.addEventListener('message', () => { window.answeredAt = performance.now(); });
  }
  send(data) {
    window.askedAt = performance.now();
    super.send(data);
  }
};
"""


def find_chromium() -> str | None:
    """Path of the browser to drive: the variable CHROMIUM, or the first of NAMES that is installed."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    return shutil.which(found) if found else None


def launch(playwright: Playwright, executable: str) -> Browser:
    """A headless Chromium."""
    return playwright.chromium.launch(executable_path=executable, headless=True, args=[*FLAGS])


@contextmanager
def kept_profile(playwright: Playwright, executable: str, url: str) -> Iterator[BrowserContext]:
    """A profile on disk until the block ends, addresses being the server's at `url`.

    Its cache and its one renderer hold Streamlit's scripts as they were compiled for an earlier page, which is half of
    the work of opening one.
    """
    with tempfile.TemporaryDirectory(prefix="merge-by-merge-", ignore_cleanup_errors=True) as folder:
        profile = playwright.chromium.launch_persistent_context(
            folder, executable_path=executable, headless=True, args=[*FLAGS, *ONE_RENDERER], base_url=url
        )
        yield profile
        profile.close()


# Also when the script has ended: Streamlit loads a widget's code when it first shows one, and until then a skeleton
# holds its place; and a script that calls st.rerun ends twice, the first time perhaps with nothing drawn.
_QUIET = """([milliseconds]) => {
    const unanswered = window.askedAt > (window.answeredAt ?? 0) && performance.now() - window.askedAt < 10_000;
    const app = document.querySelector(
        '[data-testid=stApp][data-test-connection-state=CONNECTED][data-test-script-state=notRunning]');
    const loading = document.querySelector('[data-testid=stSkeleton], [data-testid=stAppSkeleton]');
    const drawn = document.querySelector('[data-testid=stMain] [data-testid=stElementContainer]');
    if (!app || loading || !drawn || unanswered) { window.quietSince = undefined; return false }
    window.quietSince ??= performance.now();
    return performance.now() - window.quietSince >= milliseconds;
}"""


def ready(page: Page) -> None:
    """Waits until the page is connected, its script has ended for good, and every part of it has been drawn."""
    page.evaluate("() => { window.quietSince = undefined }")
    page.wait_for_function(_QUIET, arg=[QUIET_MILLISECONDS], timeout=READY_SECONDS * 1000)
    page.evaluate("() => document.fonts.ready.then(() => null)")


def grid(page: Page, number: int = 0) -> Locator:
    """The token grid's root; `number` picks one of several. Locators look into shadow roots by themselves."""
    return page.locator("[data-testid=token-grid]").nth(number)


@dataclass(slots=True)
class Complaints:
    """What must not happen on a page, as it happens: console errors, exceptions, requests to other hosts."""

    home: str  # the app's URL
    heard: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        """Hears everything the page does from now on."""
        page.on("console", lambda message: self._console(message))  # a bound method would need a __dict__
        page.on("pageerror", lambda error: self.heard.append(f"exception: {error}"))
        page.on("crash", lambda _: self.heard.append("the page crashed"))
        page.on("request", lambda request: self._request(request.url))
        page.on("websocket", lambda socket: self._request(socket.url))

    def _console(self, message: ConsoleMessage) -> None:
        url = str(message.location.get("url", ""))
        if message.type == "error" and not _is_probe(url):
            self.heard.append(f"console: {message.text} ({url})")

    def _request(self, url: str) -> None:
        scheme, host, *_ = urlsplit(url)
        if scheme in {"http", "https", "ws", "wss"} and host != urlsplit(self.home).netloc:
            self.heard.append(f"request to another host: {url}")


def _is_probe(url: str) -> bool:
    """Whether Streamlit asks for its server below a page's address, as it does first for every deep link.

    It cannot know whether `/compare` is a page or the place the app is mounted at, so each time two requests
    fail before the right ones succeed.
    """
    parts = urlsplit(url).path.split("/")
    return parts[2:] in (["_stcore", "health"], ["_stcore", "host-config"])
