"""The Content-Security-Policy of deploy/, added by a proxy: every page draws under it, without a complaint."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests import ROOT
from tests.browser.app_server import AppServer
from tests.browser.chromium import grid, navigate, ready
from tests.browser.conftest import NewPage
from tests.browser.shipping.policy_proxy import proxied

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
# A violation of the policy is an error in the console, which fails the test when it ends.
VIOLATE = """() => new Promise((resolve) => {
  addEventListener('securitypolicyviolation', (event) => resolve(event.violatedDirective), { once: true });
  const picture = document.createElement('img');
  picture.src = 'http://127.0.0.2/picture.png';
  document.body.append(picture);
  setTimeout(() => resolve('nothing'), 2_000);
})"""


@pytest.fixture
def header() -> str:
    """Return the header as the proxy of deploy/ sets it."""
    written = (ROOT / "deploy/content_security_policy.caddy").read_text("utf-8")
    (policy,) = re.findall(r'^header Content-Security-Policy "(.*)"$', written, re.MULTILINE)
    return f"Content-Security-Policy: {policy}"


@pytest.mark.slow
def test_every_page_draws_under_the_policy(new_page: NewPage, server: AppServer, header: str) -> None:
    with proxied(server, header) as app:
        page = new_page(server=app)
        answer = page.goto("/")
        assert answer
        assert answer.headers["content-security-policy"] == header.partition(": ")[2]
        ready(page)
        for name in PAGES:
            navigate(page, f"/{name}")
            ready(page)
            expect(page.locator("h1")).to_have_count(1)
            expect(page.get_by_test_id("stException")).to_have_count(0)
        navigate(page, "/watch")
        ready(page)
        expect(grid(page)).to_have_attribute("data-step", "0")
        page.context.close()


@pytest.mark.slow
def test_the_policy_keeps_requests_on_this_machine(chromium: Browser, server: AppServer, header: str) -> None:
    with proxied(server, header) as app:
        page = chromium.new_page(base_url=app.url)
        page.goto("/_stcore/health")
        assert page.evaluate(VIOLATE) == "img-src"
        page.close()
