"""Start what this folder describes, open it in Chromium, and print what README quotes.

Run `python -m deploy.check`. It needs Chromium and Caddy, and bubblewrap for the read-only file system; Debian has all
three. `python -m deploy.containers` does it with containers.
"""

import http.client
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from deploy.hosted import BASE, Front, Hosted, encrypted, hosted, plain
from deploy.trials import chosen_trials
from tests.browser.chromium import Complaints, find_chromium, launch, ready

VISITORS = 8
PAGES = ("", "compare", "encode", "vocabulary", "bytes", "lessons", "languages", "glossary")
COOKIE = "process"  # names the process of a visitor


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
        cookies = {cookie.get("name"): cookie.get("value") for cookie in self.page.context.cookies()}
        self.processes.append(cookies[COOKIE] or "")


def visitor(chromium: Browser, app: Hosted) -> Visitor:
    """Return a new visitor, who has opened nothing yet."""
    # No browser knows who signed a certificate that Caddy made itself. `hosted` verifies it.
    page = chromium.new_context(
        base_url=app.app.url, ignore_https_errors=app.front.authority is not None
    ).new_page()
    complaints = Complaints(f"{app.app.url}/{BASE}")
    complaints.listen(page)
    one = Visitor(page, complaints)
    page.on("websocket", lambda socket: one.sockets.append(socket.url))
    return one


def redirected(front: Front) -> str:
    """Return where the HTTP address of the app leads: to the usual port, since only the trial uses another one."""
    connection = http.client.HTTPConnection(front.host, front.http, timeout=5)
    connection.request("GET", f"/{BASE}/")
    return connection.getresponse().headers["Location"]


@contextmanager
def opened(
    *, front_in: Callable[[Path], Front] = plain, read_only: bool = False
) -> Iterator[tuple[Browser, Hosted]]:
    """Yield a browser and the hosted app."""
    executable = find_chromium()
    if executable is None or shutil.which("caddy") is None:
        sys.exit("This needs Chromium and Caddy. Debian's packages are chromium and caddy.")
    with (
        tempfile.TemporaryDirectory() as folder,
        hosted(Path(folder), front_in=front_in, read_only=read_only) as app,
        sync_playwright() as playwright,
    ):
        chromium = launch(playwright, executable)
        yield chromium, app
        chromium.close()


def _over_http() -> None:
    version = subprocess.run(["caddy", "version"], capture_output=True, text=True, check=True).stdout.split()
    with opened() as (chromium, app):
        print(f"Caddy {version[0]} in front of {len(app.processes)} processes, below /{BASE}/")
        visitors = [visitor(chromium, app) for _ in range(VISITORS)]
        for number, one in enumerate(visitors):
            for path in PAGES if number == 0 else ("", PAGES[number % len(PAGES)]):
                one.open(path)
        loyal = sum(len({*one.processes}) == 1 for one in visitors)
        used = len({one.processes[0] for one in visitors})
        print(f"{VISITORS} visitors on {used} processes; {loyal} of them stayed with theirs")
        complaints = [complaint for one in visitors for complaint in one.complaints.heard]
        print(f"console errors and requests elsewhere: {len(complaints)}", *complaints, sep="\n  ")
        app.processes[0].terminate()
        app.processes[0].wait()
        for one in visitors:
            one.open("")
        used = len({one.processes[-1] for one in visitors})
        print(f"after one process has ended, all {VISITORS} open the page again, on {used} process")


def _over_https() -> None:
    with opened(front_in=encrypted) as (chromium, app):
        print(
            f"HTTPS with a certificate that is valid for {app.front.host}; HTTP leads to {redirected(app.front)}"
        )
        one = visitor(chromium, app)
        for path in PAGES:
            one.open(path)
        secure = sum(address.startswith("wss://") for address in one.sockets)
        cookies = {cookie.get("name") for cookie in one.page.context.cookies()}
        print(
            f"{len(PAGES)} pages over HTTPS, {secure} of {len(one.sockets)} connections wss, cookies:",
            *cookies,
        )
        print(
            f"console errors and requests elsewhere: {len(one.complaints.heard)}",
            *one.complaints.heard,
            sep="\n  ",
        )


def _read_only() -> None:
    if shutil.which("bwrap") is None:
        print("read-only file system: not tried, bubblewrap is not installed")
        return
    with opened(read_only=True) as (chromium, app):
        one = visitor(chromium, app)
        for path in PAGES:
            one.open(path)
        errors = len(one.complaints.heard) + app.app.output().count("Traceback")
        print(f"read-only but for /tmp, another user, no capabilities: {len(PAGES)} pages, {errors} errors")


# What can be tried -> what tries it.
TRIALS: Mapping[str, Callable[[], None]] = {"http": _over_http, "https": _over_https, "read-only": _read_only}


def main() -> None:
    """Print one line for each claim."""
    chosen = chosen_trials(__doc__, TRIALS)
    for run in chosen:
        run()


if __name__ == "__main__":
    main()
