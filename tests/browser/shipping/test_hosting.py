"""The app as deploy/ hosts it for a class: behind Caddy, below a path, in two processes, with its policy."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from deploy.try_hosting import BASE, Hosted, Visitor, encrypted, hosted, redirected, visitor
from tests import ROOT
from tests.browser.app_server import AppServer, serve
from tests.browser.chromium import grid, ready
from tests.browser.conftest import NewPage
from ui.visit import OPENING_SAMPLES

pytestmark = pytest.mark.weekly


@pytest.fixture(scope="module")
def caddy() -> None:
    """Skip a test where this machine has no Caddy."""
    if shutil.which("caddy") is None:
        pytest.skip("no Caddy: Debian's package is called caddy")  # .ci/run installs it, and forbids skips


@pytest.fixture(scope="module")
def app(executable: str, caddy: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """Host the app."""
    with hosted(tmp_path_factory.mktemp("hosted")) as running:
        yield running


@pytest.fixture
def encrypted_app(executable: str, caddy: None, tmp_path: Path) -> Iterator[Hosted]:
    """Host the app with HTTPS, in one process."""
    with hosted(tmp_path, processes=1, front_in=encrypted) as running:
        yield running


@pytest.fixture
def cloud(executable: str) -> Iterator[AppServer]:
    """Start the app as Community Cloud does. It ends after the pages that use it."""
    with serve(ROOT / "deploy" / "cloud" / "streamlit_app.py") as app:
        yield app


def cookies(one: Visitor) -> dict[str, tuple[bool, bool, str]]:
    """Return for each cookie of a visitor: whether scripts cannot read it, whether it needs HTTPS, its SameSite."""
    every = one.page.context.cookies()
    return {str(one["name"]): (one["httpOnly"], one["secure"], one["sameSite"]) for one in every}


def test_each_visitor_stays_with_a_process_and_all_are_used(chromium: Browser, app: Hosted) -> None:
    visitors: list[Visitor] = []
    while len({one.processes[0] for one in visitors}) < len(app.processes):
        assert len(visitors) < 12, "twelve visitors, all on one process"
        visitors.append(visitor(chromium, app.front))
        visitors[-1].open("")
    first, last = visitors[0], visitors[-1]
    assert cookies(first)["process"] == (True, False, "Lax")
    first.page.get_by_role("link", name="Compare", exact=True).click()
    # The app adds the sample that Compare begins with, a moment after the page is there.
    sample = OPENING_SAMPLES["compare"]
    expect(first.page).to_have_url(f"{app.app.url}/{BASE}/compare?corpus_sample={sample}")
    ready(first.page)
    expect(first.page.get_by_role("heading", level=1)).to_have_text("Compare")
    for one in (first, last):
        one.open("watch")
        expect(grid(one.page)).to_have_attribute("data-step", "0")
        assert len({*one.processes}) == 1
    assert [one.complaints.heard for one in visitors] == [[] for _ in visitors]

    # A process that has ended: its visitor is led to another one, and stays there.
    app.processes[0].terminate()
    app.processes[0].wait()
    for one in (first, last):
        one.open("")
        one.open("lessons")
    assert len({one.processes[-1] for one in (first, last)}) == 1
    assert all(one.processes[-2] == one.processes[-1] for one in (first, last))
    for one in visitors:
        one.page.context.close()


def test_over_https_the_page_talks_to_its_process_over_wss(chromium: Browser, encrypted_app: Hosted) -> None:
    assert redirected(encrypted_app.front) == f"https://localhost/{BASE}/"
    one = visitor(chromium, encrypted_app.front)
    answer = one.page.goto(f"/{BASE}/")
    assert answer
    policy = (ROOT / "deploy" / "content_security_policy.caddy").read_text("utf-8")
    assert answer.headers["content-security-policy"] in policy
    ready(one.page)
    expect(grid(one.page)).to_have_attribute("data-step", "0")
    assert [address.split(":")[0] for address in one.sockets] == ["wss"]
    # Streamlit's script reads its cookie and sends it with an upload.
    assert cookies(one) == {"process": (True, True, "Lax"), "_streamlit_xsrf": (False, True, "Lax")}
    assert one.complaints.heard == []
    one.page.context.close()


def test_the_entry_of_community_cloud_shows_the_app(cloud: AppServer, new_page: NewPage) -> None:
    page = new_page(server=cloud)
    page.goto("/compare")  # the first request that this server gets
    ready(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare")
    page.goto("/")
    ready(page)
    expect(grid(page)).to_have_attribute("data-step", "0")
