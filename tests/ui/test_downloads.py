"""Files to save: each has an address that only its visitor knows, and none is a 404 while others' pages run."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from urllib.error import HTTPError

import pytest
import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from streamlit.testing.v1 import AppTest

from bpe import BPEError
from harness.app_server import AppServer
from harness.viewer import Viewer
from tests.waiting import LONG
from ui.view import downloads
from ui.view.downloads import _answer

BUTTON = "Download all merges (CSV)"


def page(makes: list[object], meanwhile: object, disabled: bool) -> None:
    """Draw a page with a button, or, without anything to make, with none."""
    from ui.view import downloads  # AppTest runs this text alone

    downloads.begin_run()
    meanwhile()  # type: ignore[operator]
    for make in makes:
        downloads.download_button(
            "Save",
            make,  # type: ignore[arg-type]
            "größte.csv",
            key="save table.1",
            mime="text/csv",
            disabled=disabled,
        )
    downloads.end_run()


def visit(
    *makes: Callable[[], bytes], meanwhile: Callable[[], object] = list, disabled: bool = False
) -> AppTest:
    """Open the page."""
    return AppTest.from_function(page, args=([*makes], meanwhile, disabled)).run()


def secret(app: AppTest) -> str:
    kept: str = app.session_state[downloads.FILES.key].secret
    return kept


def get(secret: str, name: str = "save-table-1") -> Response:
    """Ask for a file, as a browser does."""
    scope = {"type": "http", "method": "GET", "path_params": {"secret": secret, "name": name}}
    with ThreadPoolExecutor(1) as thread:  # a browser's test may own the loop of this one
        return thread.submit(lambda: asyncio.run(_answer(Request(scope)))).result()


def test_a_file_has_its_name_and_nothing_in_it_runs() -> None:
    answer = get(secret(app := visit(lambda: b"low")))
    assert not app.exception
    assert (answer.status_code, answer.body) == (200, b"low")
    assert answer.headers["content-type"].partition(";")[0] == "text/csv"
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''gr%C3%B6%C3%9Fte.csv"
    assert answer.headers["cache-control"] == "no-store"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_file_is_made_when_it_is_asked_for() -> None:
    made: list[bytes] = []

    def make() -> bytes:
        made.append(b"low")
        return b"".join(made)

    app = visit(make)
    assert made == []
    assert [get(secret(app)).body for _ in range(2)] == [b"low", b"lowlow"]


def test_a_visit_has_an_address_of_its_own_until_it_ends() -> None:
    before = secret(visit(lambda: b"before"))
    address = secret(visit(lambda: b"now"))
    assert len(address) >= 32
    assert address != before
    assert get(address).body == b"now"
    assert [get(name).status_code for name in ("", "a" * 32)] == [404, 404]
    st.cache_resource.clear()  # as Streamlit does with what a session has, when its tab is closed
    assert get(address).status_code == 404


def test_a_button_can_be_pressed_while_it_is_drawn_anew_and_not_when_it_is_gone() -> None:
    makes = [lambda: b"low"]
    secrets: list[str] = []
    answers: list[int] = []

    def ask() -> None:
        answers.extend(get(one).status_code for one in secrets)

    app = AppTest.from_function(page, args=(makes, ask, False)).run()
    secrets.append(secret(app))
    makes.clear()
    app.run()
    assert answers == [200]  # while the run that does not draw it was running
    assert get(secrets[0]).status_code == 404


def test_a_button_that_cannot_be_pressed_has_no_file() -> None:
    assert get(secret(visit(lambda: b"low", disabled=True))).status_code == 404


@pytest.mark.parametrize("error", [BPEError("no room"), MemoryError()], ids=type)
def test_a_file_that_does_not_fit_is_refused_with_a_sentence(error: Exception) -> None:
    def make() -> bytes:
        raise error

    answer = get(secret(visit(make)))
    assert answer.status_code == 503
    assert bytes(answer.body).decode() == (str(error) or downloads._NO_MEMORY)


@pytest.mark.slow  # needs a server
def test_eight_visitors_get_their_files_while_all_go_on_and_nobody_when_they_have_left(
    app_server: AppServer,
) -> None:
    async def save(viewer: Viewer) -> bytes:
        content = b""
        for step in range(3):
            await viewer.report(2 * step + 1)
            content = await viewer.press(BUTTON)
            await viewer.report(2 * step + 2)
        return content

    async def gone(viewer: Viewer) -> None:
        async with asyncio.timeout(LONG):
            with suppress(HTTPError):
                while True:
                    await viewer.press(BUTTON)

    async def together(server: AppServer) -> list[bytes]:
        viewers = [Viewer(server.url, f"/?corpus_sample=story&preset=none&merges={20 + n}") for n in range(8)]
        await asyncio.gather(*(viewer.open() for viewer in viewers))
        contents = await asyncio.gather(*map(save, viewers))
        assert len({viewer.files for viewer in viewers}) == len(viewers)
        for viewer in viewers:
            await viewer.close()
        await asyncio.gather(*map(gone, viewers))
        return contents

    before = len(app_server.output())
    contents = asyncio.run(together(app_server))
    assert "Traceback" not in app_server.output()[before:]
    assert [len(content.splitlines()) for content in contents] == [1 + 20 + n for n in range(8)]
