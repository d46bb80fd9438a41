"""The whole app without a browser, for tests of pages."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from streamlit.components.v2 import manifest_scanner
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest, local_script_runner

from film.feed import ChipLabel
from tests import ROOT
from tests.waiting import LONG
from ui.gaps.first_frame import DRAWS_AT_ONCE

# Each AppTest asks every installed package for components, which takes more time than our page. None comes or goes.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
LONGEST_RUN = 3 * LONG  # seconds for one run of a page, which may wait for a training in it


def open_app(link: Mapping[str, str] | None = None, **session: object) -> AppTest:
    """Return the app after its first run, opened with the parameters of a link or with session values."""
    return run(_new_app(link or {}, session))


def open_page(page: str, link: Mapping[str, str] | None = None, **session: object) -> AppTest:
    """Open the app on a page of this name, with a link's parameters or with session values.

    Further runs are of the page alone: open the app and switch to the page where the choices matter later.
    """
    app = _new_app(link or {}, session)
    app.switch_page(f"pages/{page}.py")
    return run(app)


def _new_app(link: Mapping[str, str], session: Mapping[str, object]) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LONGEST_RUN)
    for parameter, text in link.items():
        app.query_params[parameter] = text
    app.session_state[DRAWS_AT_ONCE.key] = True  # no browser tells that a first frame is drawn
    for key, value in session.items():
        app.session_state[key] = value
    return app


def run(app: AppTest) -> AppTest:
    """Run the app once more, which must not fail, and return it."""
    app.run()
    assert not app.exception, [one.stack_trace for one in app.exception]
    return app


def type_text(app: AppTest, text: str, source: str = "paste") -> AppTest:
    """Paste this text, or type it as a word list, and return the app."""
    return type_into(choose_source(app, source), "corpus_text", text)


def text_in(app: AppTest, key: str) -> str:
    """Return what the field for this text shows."""
    text = sent(app, f"field_{key}")["text"]  # None for the one that has come from the browser
    return str(app.session_state[key] if text is None else text)


def type_into(app: AppTest, key: str, text: str) -> AppTest:
    """Type this text into its field, and return the app after the run that follows."""
    number = sent(app, f"field_{key}")["received"] + 1
    return send_event(app, f"field_{key}", "typed", json.dumps({"number": number, "text": text}))


def choose_source(app: AppTest, source: str) -> AppTest:
    """Choose another source of the text and return the app."""
    app.session_state["corpus_source"] = source
    return run(app)


def tokens_shown(app: AppTest) -> str:
    """Return how many tokens the text has, as Watch says it; "" without a training."""
    sentences = (re.search(r"The text has ([0-9,]+) tokens? there", caption.value) for caption in app.caption)
    return next((sentence[1] for sentence in sentences if sentence), "")


def captions(app: AppTest) -> list[str]:
    """Return the captions of the page, each with what its “?” says."""
    return [f"{caption.value} {caption.proto.help}".rstrip() for caption in app.caption]


def caption_text(app: AppTest) -> str:
    """Return the captions of the page in one text, a line each."""
    return "\n".join(captions(app))


def without_tabs(label: ChipLabel) -> str:
    """Return the text of a chip's label, its markers spelled."""
    return re.sub("[\ufffe\uffff]", "", "".join(label))


def chip_rows(app: AppTest, key: str) -> list[dict[str, object]]:
    """Return the rows of the chip table whose key begins so, by title; a cell of tokens is their labels with spaces.

    A title that stands below the name of a group begins with it, as in `First occurrence: pair`.
    """
    table = sent(app, key)
    labels = [without_tabs(label) for label in table["tokens"]]

    def spelled(cell: object) -> object:
        return " ".join(labels[at] for at in cell) if isinstance(cell, list) else cell

    titles = [f"{group}: {title}" if group else title for title, *_, group in table["columns"]]
    return [dict(zip(titles, map(spelled, row), strict=True)) for row in table["rows"]]


def column_kinds(app: AppTest, key: str) -> dict[str, str]:
    """Return what the cells of each column of a chip table hold, by title."""
    return {title: kind for title, kind, *_ in sent(app, key)["columns"]}


def sent(app: AppTest, key: str) -> Any:
    """Return what the app sends to the component whose key begins so."""
    elements = (one.proto for one in app.get("bidi_component"))
    return next(json.loads(one.bytes) for one in elements if f"-{key}" in one.id)


def resting_step(app: AppTest, key: str) -> int:
    """Return the step at which the page shows the grid with this key."""
    memory: Any = app.session_state["_grids"][key]
    (name,) = memory.names.values()
    return min(int(memory.steps[name]), int(sent(app, key)["feed"]["last"]))


def component_id(app: AppTest, key: str) -> str:
    """Return the id of the component on the page whose key begins so."""
    ids = [str(element.proto.id) for element in app.get("bidi_component")]
    return next(name for name in ids if re.search(rf"-{re.escape(key)}(-[0-9a-f]+)?$", name))


def send(app: AppTest, *states: WidgetState) -> AppTest:
    """Run the app with these values of widgets or components, as a browser sends them, and return it."""
    message = app._tree.get_widget_states()
    message.widgets.extend(states)
    app._run(message)
    assert not app.exception, [one.stack_trace for one in app.exception]
    return app


def send_state(app: AppTest, key: str, state: str) -> AppTest:
    """Send the state of a component as JSON, or as what only claims to be JSON."""
    return send(app, WidgetState(id=component_id(app, key), json_value=state))


def row_titles(app: AppTest, setting: str) -> list[str]:
    """Return the titles of the list that draws a setting."""
    sent = next(
        json.loads(one.proto.bytes) for one in app.get("bidi_component") if f"-{setting}_list" in one.proto.id
    )
    return [title for _, title, *_ in sent["rows"]]


def take_row(app: AppTest, setting: str, slug: str) -> AppTest:
    """Take a row of the list that draws a setting, and return the app."""
    return send_event(app, f"{setting}_list", "taken", json.dumps(slug))


def send_event(app: AppTest, key: str, event: str, value: str) -> AppTest:
    """Send an event of a component with a value in JSON."""
    return send(app, events(app, key, (event,), value))


def events(app: AppTest, key: str, names: Iterable[str], value: str) -> WidgetState:
    """Return the message of a component that sends these events at once, each with a value in JSON."""
    text = ", ".join(f'{{"event": "{name}", "value": {value}}}' for name in names)
    return WidgetState(id=_make_trigger_id(component_id(app, key), "events"), json_trigger_value=f"[{text}]")


def _wait_for_the_end(runner: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
    """Wait until the thread of a page ends. AppTest looks every millisecond, 5 % of the CPU of the tests of pages."""
    assert runner._script_thread
    runner._script_thread.join(timeout)
    if not runner.script_stopped():
        _stop_it(runner, 0)


_stop_it = local_script_runner.require_widgets_deltas
local_script_runner.require_widgets_deltas = _wait_for_the_end
