"""The scripts of the components are files of the server, and no element brings one."""

import gzip

import pytest
from starlette.requests import Request
from starlette.responses import Response

from film.modules import BROWSER
from tests import ROOT
from tests.app import open_app, open_page
from ui.view.served import _PAGES, _answer, release

MOST = 500  # bytes of an element's script


def asked(folder: str, file: str, **headers: str) -> Response:
    """Return the answer to a browser that asks for a file."""
    names = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    parameters = {"release": folder, "file": file}
    return _answer(Request({"type": "http", "headers": names, "path_params": parameters}))


@pytest.mark.parametrize("page", ["watch", "compare", "encode", "lessons", "vocabulary"])
def test_an_element_brings_neither_script_nor_sheet(page: str) -> None:
    app = open_app() if page == "watch" else open_page(page)
    sent = [one.proto for one in app.get("bidi_component")]
    assert {"token_grid", "choice_list", "chip_table", "lesson"} & {one.component_name for one in sent}
    assert max(len(one.js_content) for one in sent) < MOST
    assert {one.css_content for one in sent} == {""}


def test_each_component_has_its_file() -> None:
    entries = [*BROWSER.glob("*/main.js"), *(ROOT / "ui").rglob("main.js")]
    names = sorted(f"{entry.parent.name}.js" for entry in entries if entry.parent.name not in _PAGES)
    assert sorted(release().files) == sorted([*names, "shared.js"])


def test_a_file_stays_with_the_browser_for_good() -> None:
    answer = asked(release().name, "shared.js", accept_encoding="gzip, br")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["content-encoding"] == "gzip"
    assert gzip.decompress(bytes(answer.body)) == release().files["shared.js"]
    plain = asked(release().name, "shared.js", accept_encoding="identity")
    assert "content-encoding" not in plain.headers
    assert plain.body == release().files["shared.js"]


@pytest.mark.parametrize("path", [("0123456789abcdef", "shared.js"), (release().name, "absent.js")])
def test_a_file_of_another_release_is_not_there(path: tuple[str, str]) -> None:
    answer = asked(*path)
    assert answer.status_code == 404
    assert answer.headers["cache-control"] == "no-store"


def test_a_sheet_is_in_the_file_of_its_component() -> None:
    """With `styled` around what draws it."""
    assert b'export default styled(mount(createPicture),"' in release().files["every_way.js"]
    assert b"styled" not in release().files["first_frame.js"]
