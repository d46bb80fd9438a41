"""Start what `deploy` describes, open it in Chromium, and print what README quotes.

Run `python -m deploy.trials.check`. It needs Chromium and Caddy, and bubblewrap for the read-only file system;
Debian has all three. `python -m deploy.trials.containers` does it with containers.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser

from deploy.trials.chosen import chosen_trials
from deploy.trials.hosted import BASE, Front, Hosted, encrypted, hosted, plain
from deploy.trials.visitors import PAGES, chromium, encryption, errors_of, read_pages, visitor

VISITORS = 8


@contextmanager
def opened(
    *, front_in: Callable[[Path], Front] = plain, read_only: bool = False
) -> Iterator[tuple[Browser, Hosted]]:
    """Yield a browser and the hosted app."""
    if shutil.which("caddy") is None:
        sys.exit("This needs Caddy. Debian's package is caddy.")
    with (
        tempfile.TemporaryDirectory() as folder,
        chromium() as browser,
        hosted(Path(folder), front_in=front_in, read_only=read_only) as app,
    ):
        yield browser, app


def _over_http() -> None:
    version = subprocess.run(["caddy", "version"], capture_output=True, text=True, check=True).stdout.split()
    with opened() as (browser, app):
        print(f"Caddy {version[0]} in front of {len(app.processes)} processes, below /{BASE}/")
        visitors = [visitor(browser, app.front) for _ in range(VISITORS)]
        for number, one in enumerate(visitors):
            for path in PAGES if number == 0 else ("", PAGES[number % len(PAGES)]):
                one.open(path)
        loyal = sum(len({*one.processes}) == 1 for one in visitors)
        used = len({one.processes[0] for one in visitors})
        print(f"{VISITORS} visitors on {used} processes; {loyal} of them stayed with theirs")
        print(errors_of(*visitors))
        app.processes[0].terminate()
        app.processes[0].wait()
        for one in visitors:
            one.open("")
        used = len({one.processes[-1] for one in visitors})
        print(f"after one process has ended, all {VISITORS} open the page again, on {used} process")


def _over_https() -> None:
    with opened(front_in=encrypted) as (browser, app):
        print(encryption(app.front))
        print(read_pages(browser, app.front))


def _read_only() -> None:
    if shutil.which("bwrap") is None:
        print("read-only file system: not tried, bubblewrap is not installed")
        return
    with opened(read_only=True) as (browser, app):
        print("read-only but for /tmp, another user, no capabilities:", read_pages(browser, app.front))
        print("tracebacks:", app.app.output().count("Traceback"))


# What can be tried -> what tries it.
TRIALS: Mapping[str, Callable[[], None]] = {"http": _over_http, "https": _over_https, "read-only": _read_only}


def main() -> None:
    """Print one line for each claim."""
    for run in chosen_trials(__doc__, TRIALS):
        run()


if __name__ == "__main__":
    main()
