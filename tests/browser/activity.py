"""What a page does that is not ready in time, so that the log of a failed run explains itself."""

import json
from urllib.parse import urlsplit

from playwright.sync_api import Page

from tests.browser.app_server import RUNNING

# What `ready` looks at, and which nodes change within a second: each with the nearest test id or class around it.
_ACTIVITY = """async () => {
    const { notes } = window;
    const named = (node) => {
      const parts = [];
      for (let one = node; one && parts.length < 7; one = one.parentNode ?? one.host) {
        const key = one.getAttribute?.('class')?.match(/st-key-\\S+/)?.[0] ?? '';
        const name = `${one.dataset?.testid ?? one.getAttribute?.('class') ?? ''} ${key}`.trim();
        if (name) parts.unshift(name.slice(0, 60));
      }
      return parts.join(' > ');
    };
    notes.changing = [];
    await new Promise((done) => { setTimeout(done, 1000); });
    const changing = {};
    for (const { target, type, attributeName } of notes.changing) {
      const name = `${named(target)}: ${attributeName ?? type}`;
      changing[name] = (changing[name] ?? 0) + 1;
    }
    const changes = notes.changing.length;
    const most = Object.entries(changing).sort((one, other) => other[1] - one[1]).slice(0, 12);
    notes.changing = null;
    const app = document.querySelector('[data-testid=stApp]');
    const texts = (names) => [...document.querySelectorAll(names)].map((node) => node.innerText.slice(0, 300));
    const ago = (time) => `${Math.round(performance.now() - time)} ms ago`;
    return {
      address: location.href,
      connection: app?.dataset.testConnectionState,
      script: app?.dataset.testScriptState,
      'last asked': ago(notes.asked),
      'last answered': ago(notes.answered),
      'messages sent': notes.messages,
      'elements drawn': document.querySelectorAll('[data-testid=stMain] [data-testid=stElementContainer]').length,
      skeletons: [...document.querySelectorAll('[data-testid=stSkeleton], [data-testid=stAppSkeleton]')].map(named),
      playing: document.querySelectorAll('[data-playing=true]').length,
      status: texts('[data-testid=stStatusWidget], [data-testid=stSpinner], [data-testid=stProgress], [role=alert]'),
      'changes in a second': changes,
      'changing nodes': Object.fromEntries(most),
    };
}"""


def describe_activity(page: Page) -> str:
    """Return what keeps a page from being ready, and the end of its server's output."""
    account = json.dumps(page.evaluate(_ACTIVITY), indent=1, ensure_ascii=False)
    parts = urlsplit(page.url)
    app = RUNNING.get(f"{parts.scheme}://{parts.netloc}")
    return f"The page is not ready:\n{account}\nIts server wrote last:\n{app.output()[-3000:] if app else '(unknown)'}"
