"""Forged values of widgets: whatever a browser sends in place of a value, the page is whole, and so is the next run."""

import asyncio
import json
import re
from collections.abc import Iterable

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from harness.app_server import AppServer
from harness.viewer import Viewer
from tests import ROOT
from tests.app import component_id, open_app, open_page, run, send, take_row, tokens_shown
from tests.forged import forged, hostile_values, lost_file, widget_id, widget_ids
from ui.gaps.widget_messages import _EVENTS

# Page, and the values of a session that show more of its widgets.
VISITS: dict[str, tuple[str, dict[str, object]]] = {
    "watch": (
        "watch",
        {
            "variant": "custom",
            "preset": "none",
            "tie_break": "random",
            "corpus_source": "paste",
            "corpus_text": "low lower",
            "details": "Pairs",
        },
    ),
    "watch, from a file": ("watch", {"recipe_source": "file"}),
    "compare": ("compare", {"compare_details": "Vocabularies"}),
    "encode": ("encode", {"encode_view": "decode"}),
    "encode, typed": ("encode", {"encode_source": "typed", "encode_view": "encoders"}),
    "vocabulary": ("vocabulary", {}),
    "tokenizers": (
        "tokenizers",
        {
            "tokenizers_text": "",
            "corpus_source": "sample",
            "corpus_sample": "languages",
            "merges": 9,
            "measured_by": ["trained"],
            "measured_texts": "own",
        },
    ),
    "bytes": ("bytes", {"bytes_text": "low " * 50}),
    "lessons": ("lessons", {}),
}
# A visit takes seconds. These show nearly every kind of widget; the others are made once a week.
IN_CI = {"watch", "compare"}
NOT_A_NUMBER = float("nan")
# Widget of Watch -> values that do not fit it.
IGNORED = {
    "merges": [WidgetState(double_value=NOT_A_NUMBER), WidgetState(string_value="3")],
    "variant": [WidgetState(json_value="{"), WidgetState(double_value=1)],
    "corpus_source": [WidgetState(string_value="paste"), WidgetState(bool_value=True)],
}
LISTED = ("preset", "tie_break", "corpus_sample")  # settings of Watch that are drawn as lists


def open_visit(name: str) -> AppTest:
    page, session = VISITS[name]
    return open_app(None, **session) if page == "watch" else open_page(page, None, **session)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name in IN_CI else pytest.mark.weekly) for name in VISITS],
)
def test_no_value_of_any_widget_breaks_a_visit(name: str) -> None:
    """Every widget receives every value once: in each run another one."""
    app, values = open_visit(name), hostile_values()
    for first in range(len(values)):
        widgets = enumerate(widget_ids(app), start=first)
        send(app, *(forged(widget, values[number % len(values)]) for number, widget in widgets))
    run(app)


def test_a_file_that_the_server_does_not_have_is_ignored() -> None:
    visits = {
        "watch": (["share_file", "corpus_upload"], {"corpus_source": "upload"}),
        "compare": (["test_upload", "lane_upload"], {"compare_details": "Encode under each"}),
    }
    for page, (keys, session) in visits.items():
        app = open_app(None, **session) if page == "watch" else open_page(page, None, **session)
        send(app, *(forged(widget_id(app, key), lost_file()) for key in keys))
        for key in keys:
            assert not app.session_state[key]


def test_a_value_that_does_not_fit_its_widget_leaves_it_as_it_was() -> None:
    app = open_app()
    visible, chosen = tokens_shown(app), {key: app.session_state[key] for key in (*IGNORED, *LISTED)}
    for key in LISTED:
        take_row(app, key, "no such slug")
        assert {key: app.session_state[key] for key in chosen} == chosen
    for values in zip(*IGNORED.values(), strict=True):
        send(app, *(forged(widget_id(app, key), value) for key, value in zip(IGNORED, values, strict=True)))
        assert {key: app.session_state[key] for key in chosen} == chosen
    assert tokens_shown(app) == visible


def test_a_value_of_no_widget_is_ignored() -> None:
    app = open_app()
    names = ("", "x", "merges", "$$", "$$ID-0-x", "_grids")
    send(app, *(WidgetState(id=name, string_value="7") for name in names))
    send(app, *(WidgetState(id=name, json_value="null") for name in names))
    run(app)


def test_an_event_is_no_state_so_that_no_page_answers_it_for_ever() -> None:
    """Each event of each list on Watch, as a state that stays: the page runs once."""
    app = open_app({"merges": "20"})
    before = {key: app.session_state[key] for key in LISTED}
    for states in (
        [{"taken": slug} for slug in before.values()],
        [{"taken": ["a"]}] * len(LISTED),
        [{"acted": True}] * len(LISTED),
    ):
        messages = (
            WidgetState(id=component_id(app, f"{key}_list"), json_value=json.dumps(state))
            for key, state in zip(LISTED, states, strict=True)
        )
        send(app, *messages)
        assert not any(app.session_state[f"{key}_list"] for key in LISTED)
    assert {key: app.session_state[key] for key in LISTED} == before


def test_every_event_of_a_component_is_known_as_one() -> None:
    def names(pattern: str, folders: Iterable[str], kind: str) -> set[str]:
        files = (file for folder in folders for file in (ROOT / folder).rglob(f"*.{kind}"))
        return {name for file in files for name in re.findall(pattern, file.read_text("utf-8"))}

    states = names(r'setStateValue\(\s*"(\w+)"', ("ui", "film"), "js")
    heard = names(r"on_(\w+)_change\b[=\"]", ("ui",), "py")
    assert (heard | names(r'setTriggerValue\(\s*"(\w+)"', ("ui", "film"), "js")) - states == _EVENTS
    assert not _EVENTS & states


# What is no value of a component, in the log of the app's own server.


async def lines_of_forged_messages(server: AppServer) -> dict[str, list[str]]:
    """Return {what a browser has sent: the lines that the server's log has for it}."""
    lines: dict[str, list[str]] = {}
    seen = 0

    def note(name: str) -> None:
        nonlocal seen
        output = server.output()
        lines[name], seen = output[seen:].splitlines(), len(output)

    viewer = Viewer(server.url)
    await viewer.open()
    note("a visit")
    for text in (
        "",
        "no JSON",
        json.dumps("no JSON"),
        json.dumps("[" * 100),
        json.dumps({"step": "no JSON"}),
    ):
        for widget in {**viewer.widgets}.values():
            await viewer.run([WidgetState(id=widget, json_value=text)])
        note(text)
    assert viewer.problems == []
    await viewer.close()
    return lines


@pytest.mark.slow
def test_a_forged_value_costs_the_log_no_line(app_server: AppServer) -> None:
    lines = asyncio.run(lines_of_forged_messages(app_server))
    del lines["a visit"]
    assert {name: logged for name, logged in lines.items() if logged} == {}
