"""The harness: with what tests, benchmarks and the makers of pictures drive the app.

`app_server` starts the app in its own process, `chromium` opens its pages in a browser, and `viewer` speaks to the
server as a browser does, without one.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
