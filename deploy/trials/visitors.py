"""Visitors of the hosted app: browsers with cookies of their own, and what they saw."""

import http.client
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page, sync_playwright

from deploy.trials.hosted import BASE, Front
from tests.browser.chromium import Complaints, find_chromium, launch, ready

PAGES = ("", "compare", "encode", "vocabulary", "bytes", "lessons", "languages", "glossary")
COOKIE = "process"  # names the process of a visitor


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a browser."""
    executable = find_chromium()
    if executable is None:
        sys.exit("This needs Chromium. Debian's package is chromium.")
    with sync_playwright() as playwright:
        browser = launch(playwright, executable)
        yield browser
        browser.close()


@dataclass(slots=True)
class Visitor:
    """A browser with cookies of its own, and what it complained about."""

    page: Page
    complaints: Complaints
    processes: list[str] = field(default_factory=list)  # the one of each page that was opened
    sockets: list[str] = field(default_factory=list)  # addresses of the connections that its pages kept

    def open(self, path: str) -> None:
        """Open a page of the app, wait until it is drawn, and record the process that served it."""
        self.page.goto(f"/{BASE}/{path}")
        ready(self.page)
        self.processes.append(self.cookies[COOKIE])

    @property
    def cookies(self) -> dict[str, str]:
        """{name: value} of its cookies."""
        listed = self.page.context.cookies()
        return {cookie.get("name", ""): cookie.get("value", "") for cookie in listed}


def visitor(browser: Browser, front: Front) -> Visitor:
    """Return a new visitor, who has opened nothing yet."""
    # No browser knows who signed a certificate that Caddy made itself. `answers` verifies it.
    page = browser.new_context(base_url=front.url, ignore_https_errors=front.authority is not None).new_page()
    complaints = Complaints(f"{front.url}/{BASE}")
    complaints.listen(page)
    one = Visitor(page, complaints)
    page.on("websocket", lambda socket: one.sockets.append(socket.url))
    return one


def read_pages(browser: Browser, front: Front) -> str:
    """Let a new visitor open all pages, and return a sentence on what the browser saw."""
    one = visitor(browser, front)
    for path in PAGES:
        one.open(path)
    secure = sum(address.startswith("wss://") for address in one.sockets)
    seen = (
        f"{len(PAGES)} pages at {front.url}/{BASE}/, {secure} of {len(one.sockets)} connections wss, cookies:"
    )
    return f"{' '.join([seen, *one.cookies])}\n{errors_of(one)}"


def errors_of(*visitors: Visitor) -> str:
    """Return a line on what the browsers of these visitors complained about, and each complaint below it."""
    complaints = [complaint for one in visitors for complaint in one.complaints.heard]
    return "\n  ".join([f"console errors and requests elsewhere: {len(complaints)}", *complaints])


def redirected(front: Front) -> str:
    """Return where the HTTP address of the app leads: to the usual port, since only the trial uses another one."""
    connection = http.client.HTTPConnection(front.host, front.http, timeout=5)
    connection.request("GET", f"/{BASE}/")
    return connection.getresponse().headers["Location"]


def encryption(front: Front) -> str:
    """Return a sentence on a front that answers with a valid certificate, and where its HTTP address leads."""
    return f"HTTPS with a certificate that is valid for {front.host}; HTTP leads to {redirected(front)}"
