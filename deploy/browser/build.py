"""Build the page that trains in the browser alone, as a folder for any web server.

`npm ci && python -m deploy.browser.build FOLDER`. With `--regex WHEEL` the page has the real package `regex`, in the
wheel that Pyodide's project builds of it; otherwise a stand-in.
"""

import argparse
import html
import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import bpe
from film.page import film_page

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PYODIDE = ROOT / "node_modules" / "pyodide"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
OWN = ("page.js", "page.css", "worker.js")
SUFFIXES = {".py", ".js", ".css", ".html", ".md"}


def build(folder: Path, pyodide: Path = PYODIDE, regex_wheel: Path | None = None) -> dict[str, int]:
    """Write the page into a folder. Return its files with their sizes in bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyodide").mkdir(exist_ok=True)
    for name in RUNTIME:
        shutil.copy(pyodide / name, folder / "pyodide" / name)
    for name in OWN:
        shutil.copy(HERE / name, folder / name)
    page = (HERE / "page.html").read_text("utf-8").replace("{policy}", html.escape(policy()))
    (folder / "index.html").write_text(page, "utf-8")
    with zipfile.ZipFile(folder / "python.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _layers():
            archive.write(path, path.relative_to(ROOT).as_posix())
        archive.write(HERE / "session.py", "session.py")
        if regex_wheel is None:
            archive.write(HERE / "regex_stand_in.py", "regex.py")
        else:
            _add_wheel(archive, regex_wheel)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.stat().st_size for path in files}


def policy() -> str:
    """Return the page's Content-Security-Policy. The frame inherits it, so it also admits the scripts of a film."""
    film = film_page(bpe.train("a", merges=1), "a")
    scripts, styles = (" ".join(_hashes(film, kind)) for kind in ("script-src", "style-src"))
    return (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {scripts}; style-src 'self' {styles}; "
        "connect-src 'self'; worker-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hashes(film: str, kind: str) -> list[str]:
    match = re.search(rf"{kind} ([^;]+);", html.unescape(film))
    assert match
    return match[1].split()


def _layers() -> Iterator[Path]:
    for layer in ("bpe", "film"):
        for path in sorted((ROOT / layer).rglob("*")):
            if path.suffix in SUFFIXES and "__pycache__" not in path.parts:
                yield path


def _add_wheel(archive: zipfile.ZipFile, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as source:
        for name in source.namelist():
            archive.writestr(name, source.read(name))


def main() -> None:
    """Build the page and print the sizes of its files."""
    parser = argparse.ArgumentParser(description="Build the page that trains in the browser alone.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pyodide", type=Path, default=PYODIDE, help="the folder of npm's package pyodide")
    parser.add_argument("--regex", type=Path, help="Pyodide's wheel of regex, in place of the stand-in")
    options = parser.parse_args()
    if not (options.pyodide / RUNTIME[0]).exists():
        parser.exit(
            1, f"There is no {RUNTIME[0]} in {options.pyodide}: run npm ci first, or name the folder.\n"
        )
    sizes = build(options.folder, options.pyodide, options.regex)
    for name, size in sizes.items():
        print(f"{size / 1000:>9,.0f} kB  {name}")
    print(f"{sum(sizes.values()) / 1000:>9,.0f} kB  together")


if __name__ == "__main__":
    main()
