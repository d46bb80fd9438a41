"""The installed app in a real browser: started by its command in another folder, it keeps its own configuration."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_server import AppServer, free_port, stop, wait_until_healthy
from tests.browser.chromium import grid, ready
from tests.browser.conftest import NewPage
from tests.shipping.installed import environment, install


@pytest.mark.weekly
def test_the_installed_app_opens_and_listens_on_this_machine_only(new_page: NewPage, tmp_path: Path) -> None:
    installed = install(tmp_path / "site")
    port = free_port()
    server = AppServer(f"http://127.0.0.1:{port}", tmp_path / "server.log")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "words.txt").write_text("low lower lowest", "utf-8")
    with server.log.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "merge_by_merge", "words.txt", "--port", str(port), "--no-browser"],
            cwd=elsewhere,
            env={**environment(installed), "HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until_healthy(server, process)
        assert open_addresses(port) == {"127.0.0.1"}
        page: Page = new_page(server=server)
        page.goto("/")
        ready(page)
        # The file that it was started with.
        expect(grid(page)).to_have_attribute("data-text", "low lower lowest")
        page.goto("/lessons")
        ready(page)
        expect(grid(page)).to_be_visible()
    finally:
        stop(process)


def open_addresses(port: int) -> set[str]:
    """Return the addresses of this machine at which something answers at the port."""
    with socket.socket(type=socket.SOCK_DGRAM) as way_out:
        way_out.connect(("192.0.2.1", 9))  # sends nothing, but chooses the address that others would reach
        outward = str(way_out.getsockname()[0])
    answers: set[str] = set()
    for address in ("127.0.0.1", outward):
        with socket.socket() as probe:
            probe.settimeout(2)
            if probe.connect_ex((address, port)) == 0:
                answers.add(address)
    return answers
