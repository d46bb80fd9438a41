"""Streamlit's gaps: each file says what is missing and when it can go, and nothing private of Streamlit's is elsewhere.

Where something that they stand on is gone, the pages open all the same, and the log names what they run without.
"""

import ast
import asyncio
import json
import logging
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send
from streamlit import config, dataframe_util
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime import app_session
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.testing.v1 import AppTest

from harness.app_server import AppServer, cpu_seconds, serve
from harness.viewer import LONGEST_WAIT, Viewer
from tests import ROOT
from tests.app import LONGEST_RUN, open_page, run, send_event, sent
from tests.waiting import until
from ui.gaps import page_addresses
from ui.gaps.first_frame import _Turns
from ui.gaps.late_messages import _in_time, _to_their_end
from ui.gaps.message_checks import check_messages
from ui.gaps.page_addresses import _ELEMENTS, _STATIC, PageAbove
from ui.gaps.put_before import _LOG, GoneError, put_before
from ui.gaps.theme_once import keep_theme
from ui.gaps.upload_limits import UploadLimits
from ui.page_parts.first_page import routes
from ui.page_parts.lessons.stages import GROUP
from ui.shown.navigation import _WITH_GRID, PAGES
from ui.view.served import release

GAPS = ROOT / "ui" / "gaps"
# Streamlit documents these modules, or the packages that build on Streamlit import them.
PUBLIC = {"streamlit", "streamlit.delta_generator", "streamlit.web"}
CODE = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py")), *sorted((ROOT / "ui").rglob("*.py"))]

# What is renamed before the app is loaded -> what the log must then name.
RENAMED = {
    "a method of its session": (
        "from streamlit.runtime.app_session import AppSession as owner\n"
        "owner.ask_rerun = owner.request_rerun; del owner.request_rerun",
        "a report is of the page that is shown",
    ),
    "the parameters of that method": (
        "from streamlit.runtime.app_session import AppSession as owner\n"
        "owner.request_rerun = lambda self, state, reason=None: None",
        "a report is of the page that is shown",
    ),
    "a function that unpacks values": (
        "import streamlit.runtime.state.common as owner\n"
        "owner.unpack = owner.unpack_widget_state_value; del owner.unpack_widget_state_value",
        "a value fits its widget",
    ),
    "the parameters of a registration": (
        "from streamlit.runtime.state.session_state import SessionState as owner\n"
        "register = owner.register_widget\n"
        "owner.register_widget = lambda self, metadata, user_key, scope=None: register(self, metadata, user_key)",
        "a value fits its widget",
    ),
    "the parameters with which a queue is emptied": (
        "from streamlit.runtime.forward_msg_queue import ForwardMsgQueue as owner\n"
        "clear = owner.clear\n"
        "owner.clear = lambda self, *given, **named: clear(self, *given, **named)",
        "a queue that is sent whole",
    ),
    "the function that makes the theme a message": (
        "from streamlit.runtime import app_session as owner\n"
        "owner.fill = owner._populate_theme_msg; del owner._populate_theme_msg",
        "a theme that is made once",
    ),
    "the context of a run": (
        "import streamlit.runtime.scriptrunner as owner\ndel owner.get_script_run_ctx",
        "knowing who is still there",
    ),
}
ORDER = "an order in which the grid comes first"  # stands on the context of a run too
OPEN = """
import logging
import sys

logging.basicConfig(stream=sys.stdout)
{renamed}
from streamlit.testing.v1 import AppTest

app = AppTest.from_file("app.py", default_timeout=60).run()
assert not app.exception, app.exception
print("title:", app.title[0].value)
"""


def private_imports(source: str) -> set[str]:
    """Return the modules of Streamlit's that a source imports and that are no public interface."""
    nodes = list(ast.walk(ast.parse(source)))
    froms = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    whole = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return {name for name in froms | whole if name.partition(".")[0] == "streamlit"} - PUBLIC


def test_what_is_private_to_streamlit_is_named_in_one_folder() -> None:
    elsewhere = {
        path.relative_to(ROOT).as_posix(): names
        for path in CODE
        if GAPS not in path.parents and (names := private_imports(path.read_text("utf-8")))
    }
    assert elsewhere == {}
    assert private_imports((GAPS / "late_messages.py").read_text("utf-8"))


def log_of_a_start(renamed: str) -> str:
    """Return what the app logs when it opens after these changes of Streamlit. It must open without an error."""
    done = subprocess.run(
        [sys.executable, "-c", OPEN.format(renamed=renamed)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "title: " in done.stdout
    return done.stdout


@pytest.mark.slow
def test_the_pages_open_when_streamlit_has_renamed_all_of_it() -> None:
    log = log_of_a_start("\n".join(renamed for renamed, _ in RENAMED.values()))
    assert [missing for _, missing in RENAMED.values() if missing not in log] == []
    missing = {missing for _, missing in RENAMED.values()} | {ORDER}
    assert log.count("Merge by Merge runs without") == len(missing)


@pytest.mark.weekly
@pytest.mark.parametrize("name", RENAMED)
def test_the_pages_open_when_streamlit_has_renamed(name: str) -> None:
    renamed, missing = RENAMED[name]
    log = log_of_a_start(renamed)
    assert missing in log
    assert log.count("Merge by Merge runs without") == 1 + (ORDER in log)
    assert (ORDER in log) is (name == "the context of a run")


class Session:
    """Stands for a class of Streamlit's."""

    def receive(self, message: str) -> str:
        return f"received {message}"


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setattr(Session, "receive", Session.receive)  # restores it afterwards
    return Session()


def test_a_check_changes_or_ends_a_call(session: Session) -> None:
    put_before(Session, "receive", ["message"], lambda _, message: (message.upper(),) if message else None)
    assert session.receive("low") == "received LOW"
    assert session.receive("") is None
    put_before(Session, "receive", ["message"], lambda _, message: ("never",))
    assert session.receive("low") == "received LOW"


def test_a_check_that_fails_goes_and_the_call_goes_on(session: Session) -> None:
    messages: list[str] = []

    def note(record: logging.LogRecord) -> bool:
        messages.append(record.getMessage())
        return False

    def check(_: Session, message: str) -> tuple[str]:
        raise AttributeError(f"nothing is left of {message}")

    put_before(Session, "receive", ["message"], check)
    _LOG.addFilter(note)
    assert [session.receive("low"), session.receive("low")] == ["received low", "received low"]
    _LOG.removeFilter(note)
    assert messages == [
        "Merge by Merge runs without the check before Session.receive: AttributeError: nothing is left of low"
    ]


@pytest.mark.parametrize(("name", "parameters"), [("send", ["message"]), ("receive", ["message", "at"])])
def test_a_method_that_is_gone_gets_no_check(session: Session, name: str, parameters: list[str]) -> None:
    with pytest.raises(GoneError, match=f"Session.{name}"):
        put_before(Session, name, parameters, lambda *given: given)
    assert session.receive("low") == "received low"


def test_no_list_and_no_dictionary_of_a_component_is_taken_for_a_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = open_page("encode")
    asked: list[object] = []
    monkeypatch.setattr(dataframe_util, "determine_data_format", asked.append)
    run(app)
    assert sent(app, "field_encode_text")["name"]
    assert asked == []


# Uploads: one visitor, and all together, can make the server store so many bytes and no more.

MB = 10**6


class Uploads:
    """Stores files as Streamlit does, behind limits of 3 MB for a visitor and 5 for all."""

    def __init__(self) -> None:
        self.files = MemoryUploadedFileManager("/upload")
        self.limits = UploadLimits(self._store, 3 * MB, 5 * MB, lambda: self.files.file_storage)
        self.meanwhile: Callable[[], object] = list  # called while a file is on its way

    def put(self, session: str, name: str, size: int, said: str | None = None) -> str:
        """Send a file, with what is said of its size. Return the answer; "" if the file is stored."""
        sent: list[Message] = []
        scope = {
            "type": "http",
            "method": "PUT",
            "path": f"/some/base/_stcore/upload_file/{session}/{name}",
            "headers": [(b"content-length", (said or str(size)).encode())],
        }
        body = iter([{"type": "http.request", "body": b"x" * size}])

        async def receive() -> Message:
            return next(body)

        async def send(message: Message) -> None:
            sent.append(message)

        with suppress(
            StopIteration
        ):  # nothing in it waits, and a browser's test may own the loop of this thread
            self.limits(scope, receive, send).send(None)
        assert next(body, None) is None, "a browser reads no answer before it has sent everything"
        answers = [one["status"] for one in sent if one["type"] == "http.response.start"]
        assert answers in ([], [413])
        return b"".join(one.get("body", b"") for one in sent).decode()

    async def _store(self, scope: Scope, receive: Receive, _send: Send) -> None:
        session, name = scope["path"].split("/")[-2:]
        self.meanwhile()
        self.files.add_file(session, UploadedFileRec(name, name, "text/plain", (await receive())["body"]))


def test_a_visitor_s_files_have_a_sum() -> None:
    uploads = Uploads()
    assert uploads.put("me", "a", 2 * MB) == ""
    assert uploads.put("me", "b", 2 * MB).startswith(
        "You can upload at most 3 MB in all: remove a file first"
    )
    assert [one.name for one in uploads.files.get_files("me", ["a", "b"])] == ["a"]
    assert uploads.put("me", "a", 3 * MB) == ""  # in the place of the first
    uploads.files.remove_file("me", "a")
    assert uploads.put("me", "b", 2 * MB) == ""


def test_the_files_of_all_visitors_have_a_sum() -> None:
    uploads = Uploads()
    assert [uploads.put("me", "a", 3 * MB), uploads.put("you", "a", 2 * MB)] == ["", ""]
    assert uploads.put("third", "a", 1).startswith("Other visitors have filled")
    uploads.files.remove_session_files("me")
    assert uploads.put("third", "a", 1) == ""


def test_files_on_their_way_count() -> None:
    uploads = Uploads()
    answers: list[str] = []

    def meanwhile() -> None:
        uploads.meanwhile = list
        answers.extend(uploads.put(session, "b", 2 * MB) for session in ("me", "you", "third"))

    uploads.meanwhile = meanwhile
    assert uploads.put("me", "a", 2 * MB) == ""
    assert [answer.partition(" ")[0] for answer in answers] == ["You", "", "Other"]


@pytest.mark.parametrize("said", ["", "-1", "1e3", "9" * 5_000])
def test_a_file_that_does_not_say_its_size_counts_as_the_largest(said: str) -> None:
    assert Uploads().put("me", "a", 1, said or "none").startswith("You can upload at most 3 MB")


@pytest.mark.slow  # starts a server
def test_the_server_answers_413_and_keeps_nothing() -> None:
    text = (
        b"low " * 475_000
    )  # four of these, each nearly the 2 MB of one upload, are what a visitor may store

    async def problems(url: str) -> list[str]:
        viewer = Viewer(url, "/?corpus_source=upload&preset=none&merges=5")
        await viewer.open()
        for number in range(4):
            await viewer.upload(f"{number}.txt", text)
        with pytest.raises(urllib.error.HTTPError, match="413"):
            await viewer.upload("one more.txt", text)
        await viewer.close()
        return viewer.problems

    with serve(variables={"MERGE_BY_MERGE_MOST_UPLOAD_MB": "2"}) as server:
        assert asyncio.run(problems(server.url)) == []


# Stop inside a fragment ends the work first, and then runs the whole page.


def page(stop: object) -> None:
    import streamlit as st

    from ui.trainings.long_work import _stop_button

    _stop_button(st.container(), "stop", stop)  # type: ignore[arg-type]  # AppTest runs this text without imports


def test_a_click_stops_the_work_and_runs_the_whole_page(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setattr(st, "rerun", lambda: calls.append("page"))
    app = AppTest.from_function(page, args=(lambda: calls.append("stop"),), default_timeout=LONGEST_RUN).run()
    assert calls == []
    app.button(key="stop").click().run()
    assert calls == ["stop", "page"]


# A report of a page that is being left does not empty the next page: asked of the app's own server.

QUIET = 1.5  # seconds without a message, after the end of a run, in which another run would begin


def request(viewer: Viewer, page: str, fragment: str = "") -> BackMsg:
    """Return a request for a page, or for one of the grid's fragment on it."""
    message = BackMsg()
    message.rerun_script.page_script_hash = page
    message.rerun_script.fragment_id = fragment
    if fragment:
        state = WidgetState(id=viewer.grid, json_value=json.dumps({"step": 3}))
        message.rerun_script.widget_states.widgets.append(state)
    return message


async def until_quiet(viewer: Viewer, seconds: float = QUIET) -> list[ForwardMsg]:
    """Return the messages that arrive until a run has ended and no other one begins for so many seconds."""
    messages: list[ForwardMsg] = []
    patience = float(LONGEST_WAIT)
    while True:
        try:
            messages.append(await asyncio.wait_for(viewer._receive(), patience))
        except TimeoutError:
            return messages
        if messages[-1].WhichOneof("type") == "script_finished":
            patience = seconds


def sessions(messages: list[ForwardMsg]) -> list[ForwardMsg]:
    return [message for message in messages if message.WhichOneof("type") == "new_session"]


async def opened(url: str) -> tuple[Viewer, str, dict[str, str]]:
    """Open Watch. Return the viewer, the page's hash, and {address: hash} of all pages."""
    viewer = Viewer(url)
    await viewer.open()
    await viewer._send(whole(viewer, "", ""))
    messages = await until_quiet(viewer, 0.2)  # nobody has asked for another run
    menu = next(message.navigation for message in messages if message.WhichOneof("type") == "navigation")
    return (
        viewer,
        menu.page_script_hash,
        {page.url_pathname: page.page_script_hash for page in menu.app_pages},
    )


def whole(viewer: Viewer, page: str, kind: str) -> BackMsg:
    """Return a report that runs a whole page, with a value of this kind of its grid; "" for none.

    It sends the values again that were sent before, as a browser does.
    """
    message = request(viewer, page)
    message.rerun_script.widget_states.widgets.extend(viewer._drawn)
    if kind:
        state = WidgetState(id=viewer.grid)
        setattr(state, kind, "{}")
        message.rerun_script.widget_states.widgets.append(state)
    return message


# How a late report comes, and whether the next page runs already when it does, as over a slow network
LATE: dict[str, tuple[Callable[[Viewer, str], BackMsg], bool]] = {
    "of a fragment": (lambda viewer, page: request(viewer, page, viewer.fragment), False),
    "of the whole page": (lambda viewer, page: whole(viewer, page, "json_value"), False),
    "of the whole page, very late": (lambda viewer, page: whole(viewer, page, "json_value"), True),
    "of an event on the whole page": (lambda viewer, page: whole(viewer, page, "json_trigger_value"), False),
}


async def pages_after_a_late_report(
    url: str, late: Callable[[Viewer, str], BackMsg], *, runs: bool
) -> tuple[str, list[str]]:
    """Return the page that was asked for, and the pages that the server then ran.

    runs: whether the report comes only when the page runs.
    """
    viewer, visible, page_of = await opened(url)
    asked = page_of["vocabulary"]
    await viewer._send(request(viewer, asked))
    messages: list[ForwardMsg] = []
    while runs and not sessions(messages):
        messages.append(await viewer._receive())
    await viewer._send(late(viewer, visible))
    messages += await until_quiet(viewer)
    await viewer.close()
    return asked, [message.new_session.page_script_hash for message in sessions(messages)]


async def runs_after_a_report(url: str) -> int:
    """Return how many runs follow a report of the page that is shown."""
    viewer, visible, _ = await opened(url)
    await viewer._send(request(viewer, visible, viewer.fragment))
    ran = sessions(await until_quiet(viewer))
    await viewer.close()
    return len(ran)


async def pages_after_a_return(url: str) -> tuple[str, list[str]]:
    """Leave the page and choose it again at once. Return it, and the pages that the server then ran."""
    viewer, visible, page_of = await opened(url)
    for page in (page_of["vocabulary"], visible):
        await viewer._send(request(viewer, page))
    ran = [message.new_session.page_script_hash for message in sessions(await until_quiet(viewer))]
    await viewer.close()
    return visible, ran


@pytest.mark.slow
def test_a_late_report_does_not_bring_the_page_back_that_was_left(app_server: AppServer) -> None:
    for name, (late, runs) in LATE.items():
        asked, ran = asyncio.run(pages_after_a_late_report(app_server.url, late, runs=runs))
        assert ran == [asked], name
    visible, ran = asyncio.run(pages_after_a_return(app_server.url))
    assert ran[-1] == visible
    assert asyncio.run(runs_after_a_report(app_server.url)) == 1


PRESS = WidgetState(id="tree", json_trigger_value='[{"event":"chosen","value":12}]')
BEFORE = WidgetState(id="field", string_value="before")
AFTER = WidgetState(id="field", string_value="after")


class Visitor:
    """Stands for Streamlit's session of somebody who has pressed something, and whose next message arrives."""

    page_script_hash = "vocabulary"

    def __init__(self) -> None:
        self._requests = ScriptRequests()
        self._pages_manager = PagesManager("app.py")
        self._execing = True
        self.request_stop = self._requests.request_stop
        self._scriptrunner: Visitor | None = None
        self.states = self.message("vocabulary", "", BEFORE, PRESS)
        self._scriptrunner = self  # its own runner
        self._requests.request_rerun(RerunData(page_script_hash="vocabulary"))

    def has_fragment(self, fragment: str) -> bool:
        return "gone" not in fragment

    def message(
        self, page: str = "vocabulary", fragment: str = "", *states: WidgetState
    ) -> list[WidgetState]:
        """Let a message arrive. Return the values that are passed on."""
        message = ClientState(page_script_hash=page, fragment_id=fragment)
        message.widget_states.widgets.extend(states or [AFTER])
        session: Any = self
        passed = _in_time(session, message)
        assert passed
        assert passed[0]
        return list(passed[0].widget_states.widgets)

    def begins(self) -> bool:
        return self._requests.on_scriptrunner_ready().type.name == "RERUN"

    def calls(self) -> bool:
        """Let the run come to its callbacks. Return whether it calls them, with nothing that stops it meanwhile."""
        seen = SafeSessionState(SessionState(), self.stop_if_asked)
        with _to_their_end(seen, WidgetStates(widgets=self.states)):
            return not self._execing

    def stop_if_asked(self) -> None:
        """Streamlit's runner does so if it executes the page."""


@pytest.mark.parametrize("begun", [False, True], ids=["has not begun", "has not come to its callbacks"])
def test_a_press_whose_run_goes_with_the_next_message_and_happens_once(begun: bool) -> None:
    visitor = Visitor()
    assert not begun or visitor.begins()
    assert visitor.message() == [AFTER, PRESS]
    assert not visitor.calls()
    assert visitor.message() == [AFTER, PRESS]  # nobody has heard of it yet


def test_a_press_whose_callback_has_begun_does_not_happen_again() -> None:
    visitor = Visitor()
    assert visitor.begins()
    assert visitor.calls()
    assert visitor.message() == [AFTER]
    assert visitor._execing


@pytest.mark.parametrize(
    ("page", "fragment"), [("watch", ""), ("vocabulary", "a part, which joins what waits")]
)
def test_a_press_does_not_go_with_a_message_of(page: str, fragment: str) -> None:
    visitor = Visitor()
    assert visitor.message(page, fragment) == [AFTER]
    assert visitor.begins() == bool(fragment)


def test_a_press_in_a_part_that_is_gone_does_not_happen_later() -> None:
    visitor = Visitor()
    assert visitor.begins()
    assert visitor.calls()
    assert visitor.message("vocabulary", "a part that is gone", PRESS) == [PRESS]
    assert visitor.message() == [AFTER]


def stopped_while_it_calls_back() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    def press() -> None:
        run = get_script_run_ctx()
        assert run
        assert run.script_requests
        run.script_requests.request_stop()  # as Streamlit's session does when the whole page is asked for again
        st.session_state["presses"] = st.session_state.get("presses", 0) + 1

    st.button("Press", on_click=press)
    st.text("drawn")


def test_a_callback_is_called_to_its_end_when_the_page_is_asked_for_again() -> None:
    check_messages()
    app = AppTest.from_function(stopped_while_it_calls_back).run()
    app.button[0].click().run()
    assert app.session_state["presses"] == 1
    assert not app.text  # the run has ended right after it


# The queue of what is sent


def block(path: list[int], fragment: str = "") -> ForwardMsg:
    """Return a message that puts a container at a place of the page."""
    message = ForwardMsg()
    message.metadata.delta_path.extend(path)
    message.delta.fragment_id = fragment
    message.delta.add_block.allow_empty = True
    return message


def places_sent(clear: Callable[..., object]) -> list[list[int]]:
    """Return where the elements stand that a late server sends when an outer fragment runs again."""
    queue = ForwardMsgQueue()
    for one in (block([0, 0], "outer"), block([0, 0, 0], "inner"), block([0, 1])):
        queue.enqueue(one)
    clear(queue, retain_lifecycle_msgs=True, fragment_ids_this_run=["outer"])
    queue.enqueue(block([0, 0], "outer"))
    return [list(message.metadata.delta_path) for message in queue.flush()]


def test_what_waits_for_the_browser_is_sent_whole_when_a_fragment_runs_again() -> None:
    check_messages()
    clear: Any = ForwardMsgQueue.clear
    assert places_sent(clear) == [[0, 0], [0, 0, 0], [0, 1], [0, 0]]
    assert places_sent(clear.__wrapped__) == [[0, 0, 0], [0, 1], [0, 0]]  # else the gap is closed


def test_a_page_that_is_asked_for_again_drops_what_waits() -> None:
    check_messages()
    queue = ForwardMsgQueue()
    queue.enqueue(block([0, 0], "outer"))
    queue.clear(retain_lifecycle_msgs=True)
    assert queue.is_empty()


def test_nothing_of_a_new_run_takes_the_place_of_what_waits() -> None:
    check_messages()
    queue = ForwardMsgQueue()
    old, new = ForwardMsg(), ForwardMsg()
    for one, text in ((old, "old"), (new, "new")):
        one.metadata.delta_path.extend([0, 0])
        one.delta.new_element.text.body = text
    queue.enqueue(old)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["outer"])
    queue.enqueue(new)
    assert [message.delta.new_element.text.body for message in queue.flush()] == ["old", "new"]


def page_of_parts() -> None:
    """Draw a part with a part that runs again and again, and with one that belongs to it."""
    import streamlit as st

    from ui.trainings.memory_budget import fragment

    @fragment
    def outer() -> None:
        st.caption("outer")
        fragment(lambda: st.caption("belongs to it"))()
        fragment(lambda: st.caption("polls"), run_every=0.5)()

    outer()


def test_a_part_inside_another_runs_with_that_and_one_that_polls_alone() -> None:
    messages: list[ForwardMsg] = []
    ForwardMsgQueue.on_before_enqueue_msg(messages.append)
    AppTest.from_function(page_of_parts).run()
    ForwardMsgQueue.on_before_enqueue_msg(None)
    parts = {
        message.delta.new_element.markdown.body: message.delta.fragment_id
        for message in messages
        if message.delta.new_element.markdown.body
    }
    assert list(parts) == ["outer", "belongs to it", "polls"]
    assert parts["outer"] == parts["belongs to it"] != parts["polls"]
    (repeat,) = [message.auto_rerun for message in messages if message.WhichOneof("type") == "auto_rerun"]
    assert (repeat.fragment_id, repeat.interval) == (parts["polls"], 0.5)


# The theme


def themes() -> ForwardMsg:
    """Return what Streamlit tells a browser of the theme."""
    message, fill = ForwardMsg(), app_session._populate_theme_msg
    theme = message.new_session.custom_theme
    fill(theme)
    for part, section in (
        (theme.light, "theme.light"),
        (theme.dark, "theme.dark"),
        (theme.sidebar, "theme.sidebar"),
    ):
        fill(part, section)
    fill(theme.light.sidebar, "theme.light.sidebar")
    return message


def test_the_theme_is_made_once_and_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_session, "_populate_theme_msg", app_session._populate_theme_msg)  # restores it
    while (own := getattr(app_session._populate_theme_msg, "__wrapped__", None)) is not None:
        app_session._populate_theme_msg = own
    made = themes()
    assert made.new_session.custom_theme.light.primary_color
    asked: list[str] = []
    options = config.get_options_for_section

    def read(section: str) -> dict[str, Any]:
        asked.append(section)
        return options(section)

    monkeypatch.setattr(config, "get_options_for_section", read)
    keep_theme()
    assert [themes() == made, themes() == made, themes() == made] == [True] * 3
    assert len(asked) == 5
    config._on_config_parsed.send()
    assert themes() == made
    assert len(asked) == 10


# The progress of lessons

FORGED = (
    "7",
    "[" * 100_000,
    "null",
    '{"the-first-tie/2": [1, 2, false]}',
    '{"the-first-tie/2": [true, 1]}',
    '{"the-first-tie/2": ["1", 1, false]}',
    '{"the-first-tie/2": [-1, -1, false]}',
    '{"no such exercise/1": [1, 1, false]}',
)


def restored(*texts: dict[str, str]) -> AppTest:
    """Return the page Lessons of a new session, to which a tab gives these records."""
    app = open_page("lessons")
    for stored in texts:
        send_event(app, "lesson_card", "restored", json.dumps(stored))
    return run(app)


def score(app: AppTest) -> str:
    return next(caption.value for caption in app.markdown if "tried so far" in caption.value)


def records(app: AppTest) -> dict[str, str]:
    stored: dict[str, str] = sent(app, f"{GROUP}_told_progress")["told"]["progress"]["records"]
    return stored


def test_the_progress_of_a_visit_comes_back_after_a_reload() -> None:
    tab = {"exercises": '{"the-first-tie/2": [2, 2, false]}', "lessons_done": "bytes no-such-lesson"}
    app = restored(tab)
    assert score(app) == "1 exercise tried so far, 1 right."
    assert records(app) == {**tab, "lessons_done": "bytes", "place": "why-subwords 1"}


def test_a_forged_progress_is_ignored() -> None:
    app = restored(*({"exercises": record} for record in FORGED))
    assert score(app) == "0 exercises tried so far, 0 right."
    assert records(app) == {"exercises": "", "lessons_done": "", "place": "why-subwords 1"}


@pytest.mark.parametrize(
    ("place", "opens"), [("two-endings 3", "two-endings 3"), ("no-such-lesson 2", "why-subwords 1")]
)
def test_a_visit_goes_on_where_the_last_one_ended(place: str, opens: str) -> None:
    app = run(restored({"place": place}))
    assert records(app)["place"] == opens


# If many visitors come at once, a few are drawn at a time.


def concurrently(turns: _Turns, visitors: int, drawn: Callable[[], object]) -> int:
    """Let visitors draw their first screens. Return how many were drawn at the same time at most."""
    drawing: list[int] = []
    most = [0]

    def visit(number: int) -> None:
        with turns.turn():
            drawing.append(number)
            most[0] = max(most[0], len(drawing))
            drawn()
            drawing.remove(number)

    threads = [threading.Thread(target=visit, args=(number,)) for number in range(visitors)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return most[0]


def test_a_few_first_screens_are_drawn_at_a_time() -> None:
    turns = _Turns(at_once=2, most=60.0, patience=60.0)
    assert concurrently(turns, 12, lambda: time.sleep(0.002)) == 2


@pytest.mark.parametrize(
    "turns",
    [_Turns(at_once=1, most=0.01, patience=60.0), _Turns(at_once=1, most=60.0, patience=0.01)],
    ids=["turns end", "patience ends"],
)
def test_a_first_screen_that_takes_long_holds_nobody_up(turns: _Turns) -> None:
    all_there = threading.Barrier(4, timeout=30.0)
    assert concurrently(turns, 4, all_there.wait) == 4


def test_a_first_screen_that_fails_gives_its_turn_on() -> None:
    turns = _Turns(at_once=1, most=60.0, patience=60.0)
    with pytest.raises(ZeroDivisionError), turns.turn():
        raise ZeroDivisionError
    assert concurrently(turns, 2, lambda: None) == 1


def test_work_that_no_first_screen_needs_waits_until_nobody_waits_for_a_turn() -> None:
    turns = _Turns(at_once=1, most=60.0, patience=60.0)
    order: list[str] = []

    def visit(name: str) -> None:
        with turns.turn():
            order.append(name)

    def stand_back() -> None:
        turns.stand_back(time.monotonic() + 60.0)
        order.append("work")

    with turns.turn():
        second = threading.Thread(target=visit, args=("second visitor",))
        second.start()
        until(lambda: turns._waiting == 1)
        begin = time.monotonic()
        turns.stand_back(begin + 0.05)
        assert time.monotonic() - begin >= 0.05  # not longer, though somebody waits
        work = threading.Thread(target=stand_back)
        work.start()
        assert not order
    second.join()
    work.join()
    assert order == ["second visitor", "work"]
    turns.stand_back(time.monotonic() + 60.0)  # nobody waits


FRAMES = ("embed=true", "Embed=true", "embed_options=light_theme&embed=true")
SETTINGS = "tie_break=last&seed=3&merges=-4&step=5&"


@pytest.mark.slow  # opens every page
def test_every_page_is_drawn_in_a_frame(app_server: AppServer) -> None:
    """Every second one with settings, in each of the spellings."""
    before = len(app_server.output())
    paths = [f"/{page}?{SETTINGS * (at % 2)}{FRAMES[at % 3]}" for at, page in enumerate(PAGES)]

    async def problems() -> dict[str, list[str]]:
        found = {}
        for path in paths:
            viewer = Viewer(app_server.url, path)
            await viewer.open()
            await viewer.run()
            await viewer.close()
            found[path] = viewer.problems
        return found

    found = asyncio.run(problems())
    assert {path: heard for path, heard in found.items() if heard} == {}
    assert "Traceback" not in app_server.output()[before:]


@pytest.mark.slow  # needs a server
def test_an_address_of_several_parts_leads_to_its_page(app_server: AppServer) -> None:
    def led(address: str) -> tuple[str, str]:
        """Return where a browser ends up, and the kind of what it gets there."""
        request = urllib.request.Request(app_server.url + address, headers={"Accept": "text/html,*/*"})
        with urllib.request.urlopen(request) as answer:
            return answer.url.removeprefix(app_server.url), answer.headers["Content-Type"].partition(";")[0]

    assert led("/lessons/x") == ("/lessons", "text/html")
    assert led("/lessons/x/y/?lesson=bytes&a=%2F") == ("/lessons?lesson=bytes&a=%2F", "text/html")
    assert led("/a/b/c") == ("/", "text/html")
    assert led("/_stcore/health") == ("/_stcore/health", "text/plain")
    assert led("/compare") == ("/compare", "text/html")


def html_of(route: Route) -> str:
    """Return what a browser gets at the address of a page."""
    return bytes(route.endpoint(Request({"type": "http", "query_string": b""})).body).decode()


def test_a_page_names_the_scripts_that_its_first_screen_needs() -> None:
    """Streamlit's by their names in its list of files; those of its page are named there already."""
    answers = {route.path: route for route in routes() if route.path.strip("/") in ("", *PAGES)}
    pages = {path: html_of(route) for path, route in answers.items()}
    assert pages.keys() == {"/", *(f"/{name}" for name in PAGES)}
    for path, html in pages.items():
        named = re.findall(r'<link rel="modulepreload" crossorigin href="\./([^"]+)">', html)
        assert len(named) == len({*named})
        assert named[0] == f"scripts/{release().name}/shared.js"  # before Streamlit's, which are many
        assert [name for name in _ELEMENTS if f"js/{name}." not in html] == []
        of_streamlit = [name for name in named if name.startswith("static/")]
        assert all((_STATIC / name).exists() for name in of_streamlit)
        own = {
            "/": "stage",
            "/watch": "stage",
            "/lessons": "lesson_card",
            "/compare": "comparison",
            "/encode": "encoding_stage",
        }
        drawing = [own.get(path, "token_grid")] if path.strip("/") in _WITH_GRID else []
        field = [] if path in ("/lessons", "/glossary", "/talk") else ["text_field"]
        ours = [f"scripts/{release().name}/{name}.js" for name in ("shared", *drawing, *field)]
        assert [name for name in named if name not in of_streamlit] == ours


def test_a_page_opens_without_the_list_of_streamlit_s_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(page_addresses, "_STATIC", tmp_path)
    assert page_addresses._element_files() == []


@pytest.mark.parametrize(("headers", "status"), [({"content-disposition": "attachment"}, 200), ({}, 307)])
def test_a_film_that_is_saved_is_no_page(headers: dict[str, str], status: int) -> None:
    """Firefox asks for a file with the same header as for a page."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/media/film.html",
        "query_string": b"",
        "headers": [(b"accept", b"text/html,*/*")],
    }
    page = PageAbove(HTMLResponse("film", headers=headers), ["lessons"])
    with suppress(StopIteration):  # nothing in it waits, and a browser's test may own the loop of this thread
        page(scope, receive, send).send(None)
    assert [message["status"] for message in sent if message["type"] == "http.response.start"] == [status]
    assert (b"film" in [message.get("body") for message in sent]) == (status == 200)


VISITORS = 60
OPENED = ("/", "/compare", "/lessons", "/encode")
OPEN_SECONDS = 8.0  # until all have opened, on a machine that does nothing else
STEP_SECONDS = 2.0  # that a step of somebody who is there already may take meanwhile


async def sixty_at_once(server: AppServer) -> tuple[float, float]:
    """Let visitors open pages at once. Return the server's CPU seconds, and the most during a neighbour's step.

    CPU, since a machine that does other things takes longer. Python threads share one processor.
    """
    for path in OPENED:  # the first visitor of a page waits for its modules
        first = Viewer(server.url, path)
        await first.open()
        await first.close()
    neighbour = Viewer(server.url)
    await neighbour.open()
    steps: list[float] = []

    async def step() -> None:
        while True:
            await asyncio.sleep(0.1)
            begin = cpu_seconds(server)
            await neighbour.report(len(steps) % 10)
            steps.append(cpu_seconds(server) - begin)

    stepping = asyncio.create_task(step())
    begin = cpu_seconds(server)
    viewers = [Viewer(server.url, OPENED[number % len(OPENED)]) for number in range(VISITORS)]
    await asyncio.gather(*(viewer.open() for viewer in viewers))
    opening = cpu_seconds(server) - begin
    stepping.cancel()
    await asyncio.gather(stepping, return_exceptions=True)
    assert not [viewer.problems for viewer in viewers if viewer.problems]
    assert all(viewer.grid for viewer in viewers)
    for viewer in (*viewers, neighbour):
        await viewer.close()
    return opening, max(steps)


@pytest.mark.weekly  # a load that disturbs whatever else runs
@pytest.mark.skipif(sys.platform != "linux", reason="the CPU of another process is read as Linux gives it")
def test_sixty_open_the_app_at_once_and_somebody_who_is_there_goes_on() -> None:
    with serve() as server:
        opening, step = asyncio.run(sixty_at_once(server))
        assert "Traceback" not in server.output()
    assert opening <= OPEN_SECONDS
    assert step <= STEP_SECONDS
