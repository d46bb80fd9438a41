"""The system's Chromium: find and start it, wait until a page is drawn, and collect its errors."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit
from weakref import WeakSet

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from harness.app_server import RUNNING, twice
from harness.fresh import renew

# What a page does that is not ready in time, so that the log of a failed run explains itself.

# What `ready` looks at, and which nodes change within a second: each with the nearest test id or class around it.
_ACTIVITY = """async () => {
    const { notes } = window;
    const named = (node) => {
      const parts = [];
      for (let one = node; one && parts.length < 7; one = one.parentNode ?? one.host) {
        const key = one.getAttribute?.('class')?.match(/st-key-\\S+/)?.[0] ?? '';
        const name = `${one.dataset?.testid ?? one.getAttribute?.('class') ?? ''} ${key}`.trim();
        if (name) parts.unshift(name.slice(0, 60));
      }
      return parts.join(' > ');
    };
    notes.changing = [];
    await new Promise((done) => { setTimeout(done, 1000); });
    const changing = {};
    for (const { target, type, attributeName } of notes.changing) {
      const name = `${named(target)}: ${attributeName ?? type}`;
      changing[name] = (changing[name] ?? 0) + 1;
    }
    const changes = notes.changing.length;
    const most = Object.entries(changing).sort((one, other) => other[1] - one[1]).slice(0, 12);
    notes.changing = null;
    const app = document.querySelector('[data-testid=stApp]');
    const texts = (names) => [...document.querySelectorAll(names)].map((node) => node.innerText.slice(0, 300));
    const ago = (time) => `${Math.round(performance.now() - time)} ms ago`;
    return {
      address: location.href,
      connection: app?.dataset.testConnectionState,
      script: app?.dataset.testScriptState,
      'last asked': ago(notes.asked),
      'last answered': ago(notes.answered),
      'messages sent': notes.messages,
      'elements drawn': document.querySelectorAll('[data-testid=stMain] [data-testid=stElementContainer]').length,
      skeletons: [...document.querySelectorAll('[data-testid=stSkeleton], [data-testid=stAppSkeleton]')].map(named),
      playing: document.querySelectorAll('[data-playing=true]').length,
      status: texts('[data-testid=stStatusWidget], [data-testid=stSpinner], [data-testid=stProgress], [role=alert]'),
      'changes in a second': changes,
      'changing nodes': Object.fromEntries(most),
    };
}"""


def _describe_activity(page: Page) -> str:
    """Return what keeps a page from being ready, and the end of its server's output."""
    account = json.dumps(page.evaluate(_ACTIVITY), indent=1, ensure_ascii=False)
    parts = urlsplit(page.url)
    app = RUNNING.get(f"{parts.scheme}://{parts.netloc}")
    return f"The page is not ready:\n{account}\nIts server wrote last:\n{app.output()[-3000:] if app else '(unknown)'}"


NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
_FLAGS = (
    "--no-sandbox",  # the root user of a container has no sandbox
    "--disable-gpu",  # the same pixels on every machine
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",  # Chromium's own requests are not the page's
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",  # a container's /dev/shm may hold 64 MB only
)
# A page reuses the renderer of the page before it.
_ONE_RENDERER = ("--disable-site-isolation-trials", "--renderer-process-limit=1")
# Most of a test is opening a page. Chromium parses a script while it arrives even if its cache holds the compiled one,
# and optimises functions that run for a second only: without both, opening a page takes a quarter less.
OPENS_QUICKLY = "--js-flags=--no-script-streaming --no-maglev --no-turbofan"
_READY_SECONDS = 60
STILL_FRAMES = 6

# Records what `ready` needs: when the page last asked its server for something and when the server last answered,
# since a busy one reports late that a script runs; how much was sent; and the number of changes, also within shadow
# roots.
NOTES = """() => {
  if (window.notes) return;
  const notes = (window.notes = {
    changes: 0, seen: -1, still: 0, asked: 0, answered: 0, messages: 0, bytes: 0,
    changing: null, left: false, mustReload: false,
  });
  const observer = new MutationObserver((changes) => {
    notes.changes += changes.length;
    notes.changing?.push(...changes);
  });
  const observe = (root) => {
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    return root;
  };
  observe(document);
  const error = console.error;
  console.error = (...parts) => error(...parts, new Error('at').stack); // a test's complaint names the caller
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (...options) { return observe(attach.apply(this, options)); };
  window.WebSocket = class extends window.WebSocket {
    constructor(...options) {
      super(...options);
      this.addEventListener('message', ({ data }) => {
        notes.answered = performance.now();
        notes.bytes += data.byteLength;
      });
    }
    send(message) {
      if (this.left) return; // what leaves the page with its former session
      notes.asked = performance.now();
      notes.messages += 1;
      super.send(message);
    }
  };
}"""


def find_chromium() -> str | None:
    """Return the path of the browser to drive: the variable CHROMIUM, or the first of NAMES that is installed."""
    actual = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    return shutil.which(actual) if actual else None


def launch(playwright: Playwright, executable: str, *flags: str) -> Browser:
    """Start a headless Chromium; a failed start is repeated once."""
    return twice(
        lambda: playwright.chromium.launch(executable_path=executable, headless=True, args=[*_FLAGS, *flags])
    )


@contextmanager
def kept_profile(playwright: Playwright, executable: str, url: str) -> Iterator[BrowserContext]:
    """Keep a profile on disk until the block ends. Relative addresses belong to the server at `url`.

    Its cache and its one renderer hold Streamlit's scripts as they were compiled for an earlier page, which is half of
    the work of opening one.
    """
    with tempfile.TemporaryDirectory(prefix="merge-by-merge-", ignore_cleanup_errors=True) as folder:
        profile = twice(
            lambda: playwright.chromium.launch_persistent_context(
                folder,
                executable_path=executable,
                headless=True,
                args=[*_FLAGS, *_ONE_RENDERER, OPENS_QUICKLY],
                base_url=url,
            )
        )
        yield profile
        profile.close()


# Also when the script has ended: Streamlit loads a widget's code when it first shows one, and until then a skeleton
# holds its place; a component draws when its module has been loaded; and a script that calls st.rerun ends twice, the
# first time perhaps with nothing drawn. So the page counts as drawn when frames pass in which nothing changes.
STILL = """([frames]) => {
    const { notes } = window;
    const unanswered = notes.asked > notes.answered && performance.now() - notes.asked < 10_000;
    const app = document.querySelector(
        '[data-testid=stApp][data-test-connection-state=CONNECTED][data-test-script-state=notRunning]');
    const loading = document.querySelector('[data-testid=stSkeleton], [data-testid=stAppSkeleton]');
    const drawn = document.querySelector('[data-testid=stMain] [data-testid=stElementContainer]');
    const still = app && drawn && !loading && !unanswered && notes.changes === notes.seen;
    notes.still = still ? notes.still + 1 : 0;
    notes.seen = notes.changes;
    return notes.still >= frames;
}"""


def ready(page: Page, seconds: float = _READY_SECONDS) -> None:
    """Wait until the page is connected, its script has ended, and all of it has been drawn.

    Raises a TimeoutError, with what the page and its server were doing, if that takes too long.
    """
    page.evaluate(NOTES)
    page.evaluate("() => { window.notes.still = 0; }")
    try:
        page.wait_for_function(STILL, arg=[STILL_FRAMES], timeout=seconds * 1000)
    except PlaywrightTimeout as error:
        error.add_note(_describe_activity(page))
        raise
    page.evaluate("() => document.fonts.ready.then(() => null)")


def navigate(page: Page, address: str) -> None:
    """Go to another address of the app in the page that is open, as Back and Forward do: its scripts stay loaded.

    The session on the server stays too. `ready` waits for the result.
    """
    page.evaluate(
        "(address) => { history.pushState(null, '', address); dispatchEvent(new PopStateEvent('popstate')); }",
        address,
    )


def enter(page: Page, address: str) -> None:
    """Open an address of the app in a new session, and wait until it is drawn.

    A page that shows the app keeps its scripts, which saves more than a second of a processor. Use `page.goto` and
    `ready` for a claim about loading.
    """
    page.mouse.move(0, 0)
    if page.url == "about:blank" or not renew(page, address):
        page.goto(address)
    ready(page)


def visit(page: Page, address: str) -> None:
    """Go to an address and wait until it is drawn; in the same session, unless another test has left the page.

    Settings that an earlier step has changed are not those of the address.
    """
    if page.url == "about:blank" or page.evaluate("() => window.notes.left"):
        return enter(page, address)
    page.mouse.move(0, 0)
    page.evaluate("() => { document.activeElement?.blur(); localStorage.clear(); sessionStorage.clear(); }")
    navigate(page, address)
    return ready(page)


def open_choice(page: Page, name: str) -> None:
    """Open the menu of a choice above the page: text, tokenizer, ties, merges or Compare's lanes."""
    button = page.get_by_test_id(f"choice-{name}")
    line = page.get_by_test_id("merges-from")  # on a page about another text, it opens to the row of choices
    if line.count() and not button.is_visible():
        line.click()
    if button.get_attribute("aria-expanded") != "true":
        button.click()
    page.locator(f".st-key-menu_{name}").wait_for()
    ready(page)


def take_row(page: Page, row: str) -> None:
    """Take a row of the open menu, such as `tie-last`, and wait until it is chosen."""
    option = page.get_by_test_id(row)
    option.click()
    page.locator(f"[data-testid={row}][aria-selected=true]").wait_for()
    ready(page)


def close_choice(page: Page) -> None:
    """Close the open menu of a choice, if there is one."""
    if page.get_by_test_id("stPopoverBody").count():
        page.keyboard.press("Escape")
        page.get_by_test_id("stPopoverBody").wait_for(state="detached")
        ready(page)


def open_share(page: Page) -> None:
    """Open the part of the menu of texts that saves a share file or opens one."""
    open_choice(page, "text")
    page.locator(".st-key-share_or_open summary").click()
    ready(page)


def take_away(page: Page, part: str) -> None:
    """Open Share at the top right of the page, and one of its parts, by the name of its tab: Link, Film, Picture."""
    if not page.get_by_test_id("stPopoverBody").count():
        page.locator(".st-key-page_share").get_by_role("button").click()
    page.get_by_test_id("stPopoverBody").wait_for()
    ready(page)
    page.get_by_role("tab", name=part, exact=True).click()
    ready(page)


def grid(page: Page, number: int = 0) -> Locator:
    """Return the token grid's root; `number` picks one of several. Locators look into shadow roots by themselves."""
    return page.locator("[data-testid=token-grid]").nth(number)


def wider(page: Page) -> int:
    """Return by how many pixels the page is wider than its window."""
    return int(
        page.locator("[data-testid=stMain]").evaluate(
            "(main) => Math.max(0, main.scrollWidth - main.clientWidth)"
        )
    )


@dataclass(slots=True)
class Complaints:
    """A record of what must not happen on a page: console errors, exceptions, requests to other hosts."""

    home: str  # the app's URL, with its path if it has one
    heard: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        """Record the page's errors from now on."""
        page.on("console", lambda message: self._console(message))  # a bound method would need a __dict__
        page.on("pageerror", lambda error: self.heard.append(f"exception: {error}"))
        page.on("crash", lambda _: self.heard.append("the page crashed"))
        page.on("request", lambda request: self._request(request.url))
        page.on("websocket", lambda socket: self._request(socket.url))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.heard.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _request(self, url: str) -> None:
        scheme, host, *_ = urlsplit(url)
        if scheme in {"http", "https", "ws", "wss"} and host != urlsplit(self.home).netloc:
            self.heard.append(f"request to another host: {url}")


CHANGED: WeakSet[Page] = WeakSet()  # pages that no other test may get


def run_first(page: Page, script: str) -> None:
    """Run a script first in each document of the page. As nothing takes it back, no other test gets the page."""
    page.add_init_script(script)
    CHANGED.add(page)
