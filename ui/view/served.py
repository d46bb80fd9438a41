"""The scripts and style sheets of the components, as files of the server.

Streamlit sends the script of a component as text with each of its elements, through the web socket and uncompressed,
and again whenever the data of one change. So an element's script is one line that imports the component's file, which
the browser keeps for good. The folder has the name of the release: a hash of all files.
"""

import gzip
import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from film.modules import BROWSER, part_styles, short_script, split_scripts

_UI = Path(__file__).parents[1]
_FOLDER = "scripts"  # below the app's address
_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
_PAGES = ("film", "lesson_film")  # no components: their scripts are in the films


@dataclass(frozen=True, slots=True)
class _Release:
    """The files of all components, and the name of their folder."""

    name: str
    files: dict[str, bytes]  # by name


def routes() -> list[Route]:
    """Return what answers for the scripts."""
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    release()  # now, and not while somebody waits for the first page
    return [Route("/".join(("", *filter(None, (base, _FOLDER)), "{release}", "{file}")), _answer)]


def script_of(entry: Path) -> str:
    """Return the script of a component's elements, which imports its file.

    entry: the component's `main.js`.
    """
    # No `await` of the module: of two elements that wait for one, WebKit gives the second a module without values.
    return (
        f'const file = import(new URL("{file_of(_name(entry))}", '
        "window.__streamlit?.BACKEND_BASE_URL ?? document.baseURI)).catch((error) =>"
        f' dispatchEvent(new CustomEvent("mbm:missing", {{ cancelable: true, detail: "{release().name}" }}))'
        " ? Promise.reject(error) : new Promise(() => {}));\n"
        "export default (component) => {\nconst drawn = file.then((it) => it.default(component),"
        " (error) => { component.parentElement.textContent = error.message; });\n"
        "return () => drawn.then((end) => end?.());\n};"
    )


def file_of(name: str) -> str:
    """Return the path of a component's file, or of the shared one, below the app's address."""
    return f"{_FOLDER}/{release().name}/{name}.js"


@cache
def release() -> _Release:
    """Return the files of this release."""
    entries = [*BROWSER.glob("*/main.js"), *_UI.rglob("main.js")]
    by_name = {_name(entry): entry for entry in sorted(entries) if entry.parent.name not in _PAGES}
    shared, scripts = split_scripts(by_name, Path(__file__).with_suffix(".js"))
    files = {"shared.js": short_script(shared).encode()}
    for name, script in scripts.items():
        sheet = by_name[name].with_suffix(".css")
        files[f"{name}.js"] = short_script(_styled(script, sheet) if sheet.exists() else script).encode()
    digest = hashlib.sha256(b"".join(name.encode() + files[name] for name in sorted(files)))
    return _Release(digest.hexdigest()[:16], files)


def _name(entry: Path) -> str:
    """Return the name of a component's file: that of its folder."""
    return entry.parent.name


def _styled(script: str, sheet: Path) -> str:
    """Return a component's script that gives its elements a style sheet."""
    rules = json.dumps(part_styles(sheet), ensure_ascii=False)
    return 'import { styled } from "./shared.js";\n' + re.sub(
        r"^export default (.*);$",
        lambda default: f"export default styled({default[1]}, {rules});",
        script,
        count=1,
        flags=re.MULTILINE,
    )


def _answer(request: Request) -> Response:
    file = request.path_params["file"]
    if request.path_params["release"] != release().name or file not in release().files:
        return Response(status_code=404, headers={"Cache-Control": "no-store"})
    is_short = "gzip" in request.headers.get("Accept-Encoding", "")
    headers = _HEADERS | ({"Content-Encoding": "gzip"} if is_short else {})
    content = _short(file) if is_short else release().files[file]
    return Response(content, headers=headers, media_type="text/javascript")


@cache
def _short(file: str) -> bytes:
    return gzip.compress(release().files[file], mtime=0)
