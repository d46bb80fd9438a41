"""Firefox and WebKitGTK: every page opens, the grid and a film of the gallery play, and a picture is saved."""

import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from gallery.build import build
from gallery.films import film_of_text
from gallery.page import Addresses
from harness.app_server import AppServer, free_port, stop
from harness.chromium import NOTES, STILL, STILL_FRAMES
from ui.choices.text_link import fragment_of
from ui.shown.navigation import PAGES, START
from ui.trainings import corpus as corpora

# Firefox over WebDriver BiDi and WebKitGTK over WebDriver: open a page, run JavaScript in it, press a key.
#
# Playwright would download browsers of its own for both. Here those of the system are tried, as people have
# them.

START_SECONDS = 60
WAIT_SECONDS = 90  # for a state of the page, on a busy machine
WIDTH, HEIGHT = 1280, 720
# WebDriver's names.
KEYS = {
    "Enter": "\ue007",
    "Control": "\ue009",
    "Escape": "\ue00c",
    "PageDown": "\ue00f",
    "End": "\ue010",
    "ArrowRight": "\ue014",
}
# The browser that WebKitGTK brings for its tests; without it, the driver has a choice of its own.
SMALL_BROWSERS = sorted(Path("/usr/lib").glob("*/webkit*gtk-4.*/MiniBrowser"))
Call = Callable[[str, dict[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class OtherBrowser:
    """A browser that shows one page."""

    goto: Callable[[str], object]
    run: Callable[[str], Any]  # a JavaScript expression -> its value, as JSON
    press_one: Callable[[str], object]  # a key, or several that are held together: "Control+Enter"

    def press(self, *keys: str) -> None:
        """Press one key after the other and let it go."""
        for key in keys:
            self.press_one(key)

    def until(self, expression: str) -> Any:
        """Wait until an expression is true and return its value. Raises AssertionError if it does not become so."""
        end = time.monotonic() + WAIT_SECONDS
        while not (value := self.run(expression)):
            if time.monotonic() > end:
                raise AssertionError(f"not true: {expression}\n{self.run('document.body.innerText')[:2_000]}")
            time.sleep(0.1)
        return value


@contextmanager
def firefox(executable: str) -> Iterator[OtherBrowser]:
    """Start Firefox with a profile of its own."""
    port = free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, ExitStack() as stack:
        flags = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", str(port)]
        process = subprocess.Popen(
            [executable, *flags, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        stack.callback(stop, process)
        address = f"ws://127.0.0.1:{port}/session"
        socket = stack.enter_context(_patient(lambda: connect(address, max_size=None)))
        call = _over(socket)
        call("session.new", {"capabilities": {}})
        context = call("browsingContext.getTree", {})["contexts"][0]["context"]
        size = {"width": WIDTH, "height": HEIGHT}
        call("browsingContext.setViewport", {"context": context, "viewport": size})

        def run(expression: str) -> Any:
            target = {"context": context}
            request = {"expression": f"JSON.stringify({expression})", "target": target, "awaitPromise": True}
            answer = call("script.evaluate", request)
            if answer["type"] != "success":
                raise AssertionError(f"{expression}: {answer}")
            text = answer["result"].get("value")
            return None if text is None else json.loads(text)

        yield OtherBrowser(
            lambda url: call(
                "browsingContext.navigate", {"context": context, "url": url, "wait": "interactive"}
            ),
            run,
            lambda key: call("input.performActions", {"context": context, "actions": actions(key)}),
        )


def actions(key: str) -> list[dict[str, Any]]:
    """Return WebDriver's actions for pressing a key, or several that are held together, and letting go."""
    values = [KEYS.get(one, one) for one in key.split("+")]
    moves = [("keyDown", value) for value in values] + [("keyUp", value) for value in reversed(values)]
    one = {
        "type": "key",
        "id": "keyboard",
        "actions": [{"type": kind, "value": value} for kind, value in moves],
    }
    return [one]


def _over(socket: ClientConnection) -> Call:
    """Return a function that sends a command of WebDriver BiDi and returns the result."""
    sent = iter(range(1, 1_000_000))

    def call(method: str, parameters: dict[str, Any]) -> Any:
        number = next(sent)
        socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (answer := json.loads(socket.recv(timeout=WAIT_SECONDS))).get("id") != number:
            pass  # an event
        if answer["type"] == "error":
            raise AssertionError(f"{method}: {answer['message']}")
        return answer["result"]

    return call


@contextmanager
def webkit(executable: str) -> Iterator[OtherBrowser]:
    """Start WebKitGTK's small browser on a screen of its own, which nobody sees."""
    port = free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, ExitStack() as stack:
        reader, writer = os.pipe()
        screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
            pass_fds=[writer],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        stack.callback(stop, screen)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            display = pipe.readline().strip()
        environment = {**os.environ, "DISPLAY": f":{display}", "HOME": home, "XDG_RUNTIME_DIR": home}
        # The sandbox needs rights that a container does not give.
        environment |= {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
        process = subprocess.Popen(
            [executable, f"--port={port}"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        stack.callback(stop, process)
        address = f"http://127.0.0.1:{port}"
        _patient(lambda: urllib.request.urlopen(f"{address}/status", timeout=5).close())

        def call(path: str, parameters: dict[str, Any], method: str = "POST") -> Any:
            body = json.dumps(parameters).encode()
            request = urllib.request.Request(address + path, body, method=method)
            request.add_header("Content-Type", "application/json")
            with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as answer:
                return json.load(answer)["value"]

        chosen = {"args": ["--automation"], "binary": next(map(str, SMALL_BROWSERS), None)}
        options = {"webkitgtk:browserOptions": chosen} if chosen["binary"] else {}
        session = call("/session", {"capabilities": {"alwaysMatch": options}})["sessionId"]
        stack.callback(call, f"/session/{session}", {}, "DELETE")
        call(f"/session/{session}/window/rect", {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT + 60})
        yield OtherBrowser(
            lambda url: call(f"/session/{session}/url", {"url": url}),
            lambda expression: call(
                f"/session/{session}/execute/sync", {"script": f"return {expression}", "args": []}
            ),
            lambda key: call(f"/session/{session}/actions", {"actions": actions(key)}),
        )


def _patient(start: Callable[[], Any]) -> Any:
    """Return the result of `start`, which fails until what it asks has started."""
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            return start()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


BROWSERS = {"Firefox": (("firefox-esr", "firefox"), firefox), "WebKitGTK": (("WebKitWebDriver",), webkit)}


def executable_of(name: str) -> str | None:
    """Return the path of a browser's program; None if it is not installed."""
    return next(filter(None, map(shutil.which, BROWSERS[name][0])), None)


# Beside Watch, the page with most components of its own. The others are opened once a week.
SOME = ("compare",)

# `all(selector)` finds elements in shadow roots, too.
ALL = """((selector) => {
  const search = (root) => [...root.querySelectorAll('*')].flatMap((element) => [
    ...(element.matches(selector) ? [element] : []), ...(element.shadowRoot ? search(element.shadowRoot) : []),
  ]);
  return search(document);
})"""
GRID = f"{ALL}('[data-testid=token-grid]')[0]"


@pytest.fixture(scope="module", params=BROWSERS)
def browser(request: pytest.FixtureRequest) -> Iterator[OtherBrowser]:
    """Start one browser after the other."""
    executable = executable_of(request.param)
    if executable is None:
        names, _ = BROWSERS[request.param]
        pytest.skip(f"no {request.param}: install {' or '.join(names)}")  # .ci/run installs both
    with BROWSERS[request.param][1](executable) as opened:
        yield opened


def at_step(step: int) -> str:
    """Return an expression: whether the grid shows this step."""
    return f"{GRID}?.dataset.step === '{step}'"


def test_a_page_opens(app_server: AppServer, browser: OtherBrowser) -> None:
    open_pages(app_server, browser, SOME)


@pytest.mark.weekly
def test_every_page_opens(app_server: AppServer, browser: OtherBrowser) -> None:
    open_pages(app_server, browser, PAGES)


def open_pages(app: AppServer, browser: OtherBrowser, names: Iterable[str]) -> None:
    """Open pages one after the other; none shows an exception."""
    for name in names:
        browser.goto(f"{app.url}/{name}")
        browser.until("document.querySelector('[data-testid=stMain] h1, [data-testid=stMain] h2')?.innerText")
        browser.until("document.querySelector('[data-test-script-state=notRunning]') !== null")
        assert browser.run("document.querySelectorAll('[data-testid=stException]').length") == 0, name


def test_watch_merges_plays_and_fills_the_presenter_view(
    app_server: AppServer, browser: OtherBrowser
) -> None:
    browser.goto(f"{app_server.url}/?merges=5")
    browser.until(at_step(0))
    # Play, the steps and the speed are in one row.
    assert browser.until(f"{ALL}('[data-testid=transport]')[0]?.offsetHeight") < 64
    browser.press("ArrowRight")
    browser.until(at_step(1))
    browser.press(" ")
    browser.until(at_step(5))
    browser.press("p")
    browser.until(f"{GRID}.classList.contains('presenting')")
    browser.press("Escape")
    browser.until(f"!{GRID}.classList.contains('presenting')")


@pytest.mark.slow
def test_what_is_typed_and_pasted_survives_a_reload_and_a_link_brings_its_text(
    app_server: AppServer, browser: OtherBrowser
) -> None:
    home, area = app_server.url, f"{ALL}('[data-testid=your-text]')[0]"
    shows = f"{GRID}?.dataset.text"
    browser.goto(home)
    browser.until(at_step(0))
    browser.until(f"{area} !== undefined && !{area}.value")
    browser.run(f"void ({area}.focus(), {area}.select())")
    browser.press(*"abab")
    browser.until(f"{shows} === 'abab'")
    browser.run("void document.execCommand('insertText', false, ' cdcd')")  # as a paste
    browser.until(f"{shows} === 'abab cdcd'")
    assert browser.run(f"{area}.value") == "abab cdcd"
    browser.goto(browser.run("location.href"))
    browser.until(f"{shows} === 'abab cdcd'")
    browser.until(f"{area}?.value === 'abab cdcd'")
    fragment = fragment_of("paste", corpora.from_text("banana"))
    browser.goto("about:blank")
    browser.goto(f"{home}/?corpus_source=paste#{fragment}")
    browser.until(f"{area}?.value === 'banana' && {shows} === 'banana'")
    assert browser.run("location.hash") == ""
    browser.run(f"void {area}.focus()")
    browser.press("Control+a", "x", "y")  # over the link's text, and not sent yet
    browser.goto(home)
    browser.until(f"{area}?.value === 'xy' && {shows} === 'xy'")


@pytest.mark.weekly
@pytest.mark.parametrize(
    ("tab", "name", "kind"), [("Picture", "Save PNG", "image/png"), ("Film", "Save film.html", "text/html")]
)
def test_a_file_is_saved(
    app_server: AppServer, browser: OtherBrowser, tab: str, name: str, kind: str
) -> None:
    browser.goto(f"{app_server.url}/?merges=5")
    browser.until(at_step(0))
    button = f"{ALL}('[data-testid=stPopoverButton]').find((one) => one.innerText.includes('Share'))"
    browser.until(f"{button} !== undefined")
    browser.until("document.querySelector('[data-test-script-state=notRunning]') !== null")
    # A pointer misses the button if the page moves meanwhile, and a key if the focus does. So press until it is open.
    save = f"{ALL}('button').find((one) => one.textContent.includes('{name}'))"
    press = f"({ALL}('[role=tab]').find((one) => one.textContent === '{tab}') ?? {button})?.click()"
    browser.until(f"({save} === undefined && {press}, {save} !== undefined)")
    browser.run(
        "void (URL.createObjectURL = (blob) => ((window.saved = [blob.type, blob.size]), 'data:text/plain,saved'))"
    )
    browser.run(f"void {save}.click()")
    saved, size = browser.until("window.saved")
    assert saved.partition(";")[0] == kind
    assert size > 5_000


@pytest.mark.weekly
def test_a_film_of_the_gallery_plays_from_disk(browser: OtherBrowser, tmp_path: Path) -> None:
    film = film_of_text(corpora.samples()["aaabdaaabac"])
    assert build([film], tmp_path, Addresses("https://example.org/bpe/"), None) == []
    browser.goto((tmp_path / "index.html").as_uri())
    link = "document.querySelector('a[href*=\"films/\"]')"
    browser.until(f"{link} !== null")
    browser.goto(str(browser.run(f"{link}.href")))
    browser.until(f"Number({GRID}?.dataset.steps) > 1")
    browser.press("End")
    browser.until(f"{GRID}.dataset.step === {GRID}.dataset.steps")


# Back and Forward between all pages, also in Chromium: see test_history.py.

PATHS = {name: "/" if name == START else f"/{name}" for name in PAGES}
# Parameters that pages write once they are open: their addresses are complete then.
WRITTEN = {"lessons": "beat=", "compare": "corpus_sample="}
# Pages with a text field of their own, whose text is behind # in the address.
OWN = f"{ALL}('[data-testid=page-text]')[0]"
FIELDS = {"encode": OWN, "vocabulary": f"{ALL}('.st-key-vocabulary_find input')[0]", "bytes": OWN}
TYPED = "low"
# A page -> those that it is left for, and returned to from. Together these are all pairs, in both directions.
WALKS = {first: list(PAGES)[number:] for number, first in enumerate(PAGES, start=1) if number < len(PAGES)}


def until_open(browser: OtherBrowser, name: str) -> None:
    """Wait until a page is there and its address is written."""
    written = f"location.search.includes('{WRITTEN.get(name, '')}')"
    browser.until(f"location.pathname === '{PATHS[name]}' && {written}")
    browser.until(f"document.querySelector('[data-testid=stMain] h1')?.innerText === '{PAGES[name].title}'")
    until_still(browser)
    browser.until(state(name))


def until_still(browser: OtherBrowser) -> None:
    """Wait until the page's script has ended and nothing changes in the page any more."""
    browser.run(f"void (({NOTES})(), window.notes.still = 0)")
    browser.until(f"({STILL})([{STILL_FRAMES}])")


def state(name: str) -> str:
    """Return an expression for what a page must show again when Back or Forward leads to it; undefined before."""
    if name in ("watch", "compare"):
        return f"(({{step, steps}}) => step && `${{step}} of ${{steps}}`)({GRID}?.dataset ?? {{}})"
    if name == "lessons":
        card = f"{ALL}('[data-testid=lesson]')[0]"
        return f"(({{lesson, beat}}) => lesson && `${{lesson}} ${{beat}}`)({card}?.dataset ?? {{}})"
    if name in FIELDS:
        return f"(field => field && `has ${{field.value}}`)({FIELDS[name]})"
    return f"'{name}'"


def act(browser: OtherBrowser, name: str) -> None:
    """Do what changes the address of a page: a merge, a beat, or a text."""
    browser.run("void document.activeElement?.blur()")
    if name in ("watch", "compare"):
        browser.press("ArrowRight")
        browser.until("/step=[1-9]/.test(location.search)")
    elif name == "lessons":
        beat = int(browser.run(state(name)).split()[1])
        if beat < 2:
            browser.press("PageDown")
            browser.until(f"location.search.includes('beat={beat + 2}')")
    elif name in FIELDS:
        field = FIELDS[name]
        if browser.run(f"{field}.value") != TYPED:
            browser.run(f"void ({field}.focus(), {field}.select())")
            browser.press(*TYPED)
            browser.press("Control+Enter")
        browser.until("location.hash.includes('typed=')")
    until_still(browser)


def walk(browser: OtherBrowser, home: str, first: str) -> None:
    """Go from a page to others and back to it by the menu, then all the way by Back and by Forward: one press each."""
    way = [first, *(name for other in WALKS[first] for name in (other, first))]
    browser.goto(f"{home}{PATHS[first]}?merges=9")  # a setting that is not the usual one
    until_open(browser, first)
    before = browser.run("history.length")
    states: dict[str, str] = {}
    for number, name in enumerate(way):
        if number:
            link = f"{ALL}('[data-testid=stTopNavLink]')"
            browser.run(f"void {link}.find((one) => one.innerText.includes('{PAGES[name].title}')).click()")
            until_open(browser, name)
        act(browser, name)
        states[name] = browser.run(state(name))
        assert browser.run("history.length") == before + number, name
    for move, names in (("back", way[-2::-1]), ("forward", way[1:])):
        for name in names:
            browser.run(f"void history.{move}()")
            until_open(browser, name)
            browser.until(f"{state(name)} === {json.dumps(states[name])}")
            assert ("lesson=" in browser.run("location.href")) == (name == "lessons"), (move, name)
    assert browser.run("history.length") == before + len(way) - 1


@pytest.mark.weekly
@pytest.mark.parametrize("first", WALKS)
def test_between_a_page_and_the_next_ones_back_and_forward_are_one_press(
    app_server: AppServer, browser: OtherBrowser, first: str
) -> None:
    walk(browser, app_server.url, first)
