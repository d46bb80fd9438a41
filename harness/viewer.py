"""A viewer without a browser: it speaks to the app's server over a WebSocket, in Streamlit's protobuf messages.

It keeps what it needs of a page: the ids of components and fields, the fragments they belong to, and the errors shown.
"""

import asyncio
import json
import time
import urllib.request
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

__all__ = ["Viewer"]

_GRIDS = (
    "stage",
    "encoding_stage",
    "token_grid",
)  # the components that show a step: on Watch, on Encode, elsewhere
_FIRST_FRAME = "first_frame"
_LISTENERS = "listeners"
_NOT_THE_LAST = ForwardMsg.FINISHED_EARLY_FOR_RERUN
POLLING = 0.7  # seconds after which a browser asks again how far a training has come
LONGEST_WAIT = 300  # seconds


@dataclass(slots=True)
class Viewer:
    """One visit of the page at `path`, such as "/watch?merges=10". Open it before use."""

    url: str
    path: str = "/"
    grid: str = ""  # the id of the grid, with its text and recipe
    fragment: str = ""  # the fragment that follows the grid
    first_frame: tuple[str, str] = ("", "")  # the component that waits for a grid, and its fragment
    widgets: dict[str, str] = field(default_factory=dict)  # {key: id}, also of components, menus and tabs
    downloads: dict[str, str] = field(
        default_factory=dict
    )  # {label of a button: name of its file in `files`}
    files: str = ""  # the address of all files, below `url`
    polling: dict[str, float] = field(default_factory=dict)  # {fragment that runs again by itself: seconds}
    problems: list[str] = field(default_factory=list)  # errors that the page showed
    received: int = 0  # bytes
    _socket: ClientConnection | None = None
    _session: str = ""
    _drawn: Sequence[WidgetState] = ()  # that the first frame is drawn
    _hashes: set[str] = field(default_factory=set)  # messages that the server need not send again

    async def open(self) -> float:
        """Open the page. Return the seconds until its grid can be drawn, then wait until the page is whole."""
        address = f"ws{self.url.removeprefix('http')}/_stcore/stream"
        self._socket = await connect(
            address,
            subprotocols=[Subprotocol("streamlit")],
            origin=Origin(self.url),
            max_size=None,
            compression=None,
        )
        seconds = await self.run()
        await self.draw_the_rest()
        return seconds

    async def draw_the_rest(self) -> None:
        """Report that the grid has drawn a frame, as browsers do: the page then draws what is below it."""
        component, fragment = self.first_frame
        if component:
            self._drawn = [WidgetState(id=component, json_value=json.dumps({"drawn": True}))]
            await self.run(fragment=fragment)

    async def open_popover(self, key: str) -> None:
        """Open a popover, which stays open."""
        self._drawn = [*self._drawn, WidgetState(id=self.widgets[key], bool_value=True)]
        await self.run()

    async def close(self) -> None:
        """End the visit."""
        assert self._socket
        await self._socket.close()

    async def report(self, step: int) -> float:
        """Report that the grid rests at this step. Return the seconds until the page follows."""
        state = WidgetState(id=self.grid, json_value=json.dumps({"step": step}))
        return await self.run([state], self.fragment)

    async def run(self, states: Iterable[WidgetState] = (), fragment: str = "") -> float:
        """Ask for a run of the page, or of one of its fragments. Return the seconds until it ends."""
        begin = time.monotonic()
        await self._ask(states, fragment)
        if not fragment:
            self.polling.clear()
        while True:
            message = await self._receive()
            if message.WhichOneof("type") != "script_finished":
                continue
            if message.script_finished != _NOT_THE_LAST:
                return time.monotonic() - begin
            self.polling.clear()  # the whole page runs again

    async def follow(self, states: Iterable[WidgetState] = ()) -> None:
        """Run the page with these values, and then as often as it asks for it."""
        await self.run(states)
        while fragment := next(iter(self.polling), ""):
            await asyncio.sleep(POLLING)
            await self.run(fragment=fragment)

    async def _ask(self, states: Iterable[WidgetState], fragment: str) -> None:
        ask = BackMsg()
        rerun = ask.rerun_script
        rerun.query_string = urlsplit(self.path).query
        rerun.page_name = urlsplit(self.path).path.strip("/")
        rerun.fragment_id = fragment
        rerun.widget_states.widgets.extend([*self._drawn, *states])  # a browser sends all states every time
        rerun.cached_message_hashes.extend(self._hashes)
        rerun.context_info.color_scheme = "light"
        rerun.context_info.url = self.url + self.path
        await self._send(ask)

    async def upload(self, name: str, content: bytes, field: str = "corpus_upload") -> float:
        """Put a file into a field of the choices. Return the seconds until the page has read it."""
        ask = BackMsg()
        ask.file_urls_request.request_id = uuid.uuid4().hex
        ask.file_urls_request.file_names.append(name)
        ask.file_urls_request.session_id = self._session
        await self._send(ask)
        while (message := await self._receive()).WhichOneof("type") != "file_urls_response":
            pass
        address = message.file_urls_response.file_urls[0]
        await asyncio.to_thread(self._put, address, name, content)
        state = WidgetState(id=self.widgets[field])
        file = state.file_uploader_state_value.uploaded_file_info.add()
        file.name, file.size, file.file_id = name, len(content), address.file_id
        file.file_urls.CopyFrom(address)
        return await self.run([state])

    async def press(self, label: str) -> bytes:
        """Press a download button. Return the content of its file."""
        return await asyncio.to_thread(self._get, f"{self.url}/{self.files}/{self.downloads[label]}")

    def _get(self, address: str) -> bytes:
        with urllib.request.urlopen(address) as answer:
            content: bytes = answer.read()
        return content

    def _put(self, address: FileURLs, name: str, content: bytes) -> None:
        with urllib.request.urlopen(f"{self.url}/_stcore/health") as answer:
            cookie = str(answer.headers["Set-Cookie"]).partition(";")[0]
        limit = uuid.uuid4().hex
        head = f'--{limit}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        headers = {
            "Content-Type": f"multipart/form-data; boundary={limit}",
            "Cookie": cookie,
            "X-Xsrftoken": cookie.partition("=")[2],
        }
        body = head.encode() + content + f"\r\n--{limit}--\r\n".encode()
        request = urllib.request.Request(self.url + address.upload_url, body, headers, method="PUT")
        urllib.request.urlopen(request).close()

    async def _send(self, message: BackMsg) -> None:
        assert self._socket
        await self._socket.send(message.SerializeToString())

    async def _receive(self) -> ForwardMsg:
        """Receive the next message, and remember what it says about the page."""
        assert self._socket
        async with asyncio.timeout(
            LONGEST_WAIT
        ):  # `wait_for` of Python 3.11 can miss that the task is cancelled
            content = await self._socket.recv(decode=False)
        assert isinstance(content, bytes)
        message = ForwardMsg()
        message.ParseFromString(content)
        self.received += len(content)
        if message.metadata.cacheable:
            self._hashes.add(message.hash)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._session = message.new_session.initialize.session_id
        elif kind == "auto_rerun":
            self.polling[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        elif kind == "stop_auto_rerun":
            for fragment in message.stop_auto_rerun.fragment_ids:
                self.polling.pop(fragment, None)
        elif kind == "delta":
            self._read(message.delta)
        elif kind == "session_event" and message.session_event.HasField("script_compilation_exception"):
            self.problems.append(message.session_event.script_compilation_exception.message)
        return message

    def _read(self, delta: Delta) -> None:
        element = delta.new_element
        for _, part in (*delta.add_block.ListFields(), *element.ListFields()):
            name = getattr(part, "id", "")
            if isinstance(name, str) and name.startswith("$$ID"):
                self.widgets[name.rpartition("-")[2]] = name
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.problems.append(element.exception.message)
        elif kind == "bidi_component" and element.bidi_component.component_name in _GRIDS:
            self.grid, self.fragment = element.bidi_component.id, delta.fragment_id
        elif kind == "bidi_component" and element.bidi_component.component_name.endswith(_FIRST_FRAME):
            self.first_frame = element.bidi_component.id, delta.fragment_id
        elif kind == "download_button":
            self.downloads[element.download_button.label] = element.download_button.id.split("-", 2)[2]
        elif kind == "bidi_component" and element.bidi_component.component_name.endswith(_LISTENERS):
            self.files = json.loads(element.bidi_component.bytes)["files"]
