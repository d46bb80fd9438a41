"""JupyterLab in its own process, on this machine only, with one notebook."""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests import ROOT
from tests.browser.app_server import START_SECONDS, AppServer, free_port, stop

TOKEN = "a-token-of-the-tests"
NOTEBOOK = "grid.ipynb"


@contextmanager
def jupyter(cells: Sequence[str]) -> Iterator[AppServer]:
    """Run JupyterLab until the block ends. Its folder holds one notebook with these cells."""
    with tempfile.TemporaryDirectory(prefix="merge-by-merge-", ignore_cleanup_errors=True) as name:
        home, port = Path(name), free_port()
        work = home / "work"
        work.mkdir()
        (work / NOTEBOOK).write_text(json.dumps(_notebook(cells)), "utf-8")
        settings = home / ".jupyter/lab/user-settings/@jupyterlab/apputils-extension"
        settings.mkdir(parents=True)
        (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}', "utf-8")
        server = AppServer(f"http://127.0.0.1:{port}", home / "jupyter.log")
        command = [
            *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"),
            *(f"--port={port}", f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={work}"),
            # Nothing is asked of other servers: no newer version, and no list of extensions.
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
            "--LabApp.extension_manager=readonly",
        ]
        environment = {n: v for n, v in os.environ.items() if not n.startswith(("JUPYTER", "IPYTHON"))}
        environment |= {"HOME": name, "USERPROFILE": name, "PYTHONPATH": str(ROOT), "IPYTHONDIR": name}
        with server.log.open("wb") as log:
            process = subprocess.Popen(
                command, cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        try:
            _wait(server, process)
            yield server
        finally:
            stop(process)


def _wait(server: AppServer, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{server.url}/api/status?token={TOKEN}", timeout=1):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start at {server.url}:\n{server.output()}")


def _notebook(cells: Sequence[str]) -> dict[str, object]:
    """Return a notebook in Jupyter's format 4.5."""
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "cells": [
            {
                "cell_type": "code",
                "id": f"cell-{number}",
                "metadata": {},
                "execution_count": None,
                "outputs": [],
                "source": source,
            }
            for number, source in enumerate(cells)
        ],
    }
