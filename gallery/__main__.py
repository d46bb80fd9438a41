"""Build the gallery: `python -m gallery [FOLDER] [--url https://…]`."""

import argparse
import re
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from gallery.build import build
from gallery.films import all_films
from gallery.page import Addresses
from harness.chromium import find_chromium, launch

ADDRESS = re.compile(r"[!#-&(-;=?-\[\]-~]+")  # ASCII without spaces, quotes, angle brackets and backslashes


def main() -> int:
    """Run the command line and return the exit status: 1 if something is wrong with the gallery."""
    options = _parser().parse_args()
    site = options.url.rstrip("/") + "/" if options.url else ""
    addresses = Addresses(site, (options.app or "").rstrip("/"), options.source or "")
    folder: Path = options.folder or options.output or Path("site")
    begin = time.monotonic()
    films = all_films()
    with ExitStack() as stack:
        browser = None
        if options.pictures:
            executable = find_chromium()
            if executable is None:
                print(
                    "There is no Chromium to take pictures: set CHROMIUM to its path, or use --no-pictures."
                )
                return 2
            browser = launch(stack.enter_context(sync_playwright()), executable)
            stack.callback(browser.close)
        problems = build(films, folder, addresses, browser)
    sizes = [(folder / film.file).stat().st_size for film in films]
    total = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print(f"{folder}: {len(films)} films of {min(sizes) / 1000:.0f} to {max(sizes) / 1000:.0f} kB")
    print(f"{total / 1e6:.1f} MB in all, {time.monotonic() - begin:.0f} s")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m gallery", description="Build the gallery of films.")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("folder", type=Path, nargs="?", help="where to build it (default: site)")
    where.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="the same as an option")
    parser.add_argument(
        "--url", type=_address, help="where the gallery will be: links to it then show a picture"
    )
    parser.add_argument(
        "--app", type=_address, help="the running app that the pages link to (default: no such links)"
    )
    parser.add_argument("--source", type=_address, help="the repository that the pages link to")
    parser.add_argument(
        "--no-pictures", dest="pictures", action="store_false", help="text only, without Chromium"
    )
    return parser


def _address(text: str) -> str:
    parts = urlsplit(text)
    is_whole = parts.scheme in {"http", "https"} and parts.netloc and not (parts.query or parts.fragment)
    if not is_whole or not ADDRESS.fullmatch(text):
        raise argparse.ArgumentTypeError(f"expected an address such as https://example.org/bpe, got {text!r}")
    return text


if __name__ == "__main__":
    sys.exit(main())
