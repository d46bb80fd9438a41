"""Print what a process in the app's container may do. `containers` runs this in one.

Its argument is a JSON object: what to connect to -> host and port.
"""

import json
import os
import socket
import sys
from pathlib import Path

FOLDERS = ("/", "/app", "/var/tmp", "/tmp")


def writes(folder: str) -> bool:
    """Return whether a file can be created in a folder."""
    try:
        (Path(folder) / "probe").touch()
    except OSError:
        return False
    return True


def connects(host: str, port: int) -> bool:
    """Return whether something at this address accepts a connection."""
    try:
        socket.create_connection((host, port), timeout=2).close()
    except OSError:
        return False
    return True


def capabilities() -> int:
    """Return how many of root's capabilities this process could get."""
    status = Path("/proc/self/status").read_text("ascii")
    return next(
        int(line.split()[1], 16).bit_count() for line in status.splitlines() if line.startswith("CapBnd")
    )


if __name__ == "__main__":
    print(f"user {os.getuid()}, group {os.getgid()}, {capabilities()} capabilities")
    print("can write to", *(folder for folder in FOLDERS if writes(folder)))
    for name, address in json.loads(sys.argv[1]).items():
        print("reaches" if connects(*address) else "does not reach", name)
