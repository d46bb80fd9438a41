"""Ask the app of this container whether it answers, for HEALTHCHECK. Ends with 1 if it does not."""

import os
import sys
import urllib.error
import urllib.request


def is_healthy(port: int, base: str) -> bool:
    """Return whether the app answers at this port, below the address `base`, which may be ""."""
    path = "/".join(part for part in (base.strip("/"), "_stcore/health") if part)
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


if __name__ == "__main__":
    sys.exit(not is_healthy(8501, os.environ.get("STREAMLIT_SERVER_BASE_URL_PATH", "")))
