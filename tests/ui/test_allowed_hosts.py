"""Who opens the app under a name that it does not allow reads a sentence; what cannot be a host ends the start."""

import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from harness.app_server import AppServer, serve
from ui.gaps.allowed_hosts import _OPTION, _REFUSAL, checks_of_hosts, hosts_of, is_host

VARIABLE = "STREAMLIT_SERVER_ALLOWED_HOSTS"


@pytest.fixture(scope="module")
def app() -> Iterator[AppServer]:
    """Start the app for two names, separated by a comma. 127.0.0.1 is none of them."""
    with serve(variables={VARIABLE: "localhost,class.example.edu"}) as running:
        yield running


def answer(app: AppServer, path: str, *, host: str, accept: str = "text/html,*/*") -> tuple[int, str]:
    """Return the status and the text that a browser gets which has opened the app under this name."""
    request = urllib.request.Request(app.url + path, headers={"Host": host, "Accept": accept})
    try:
        with urllib.request.urlopen(request, timeout=10) as got:
            return got.status, got.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.mark.parametrize("path", ["/", "/watch", "/no/such/page"])
@pytest.mark.parametrize(
    ("host", "name"),
    [("127.0.0.1:8501", "127.0.0.1"), ("[::1]:80", "::1"), ("<b>.example", "of this address")],
)
def test_who_is_refused_reads_one_sentence(app: AppServer, path: str, host: str, name: str) -> None:
    assert answer(app, path, host=host) == (403, _REFUSAL.format(name=name, option=_OPTION))


@pytest.mark.parametrize("host", ["localhost:8080", "class.example.edu", "Class.Example.edu.:443"])
def test_each_of_several_names_is_allowed(app: AppServer, host: str) -> None:
    status, text = answer(app, "/watch", host=host)
    assert (status, "<!doctype html>" in text.lower()) == (200, True)


def test_what_asks_for_no_page_is_answered_under_any_name(app: AppServer) -> None:
    assert answer(app, "/_stcore/health", host="127.0.0.1", accept="*/*") == (200, "ok")


@pytest.mark.parametrize(
    "wrong",
    [
        "http://class.example.edu",
        "class.example.edu:8080",
        "class.example.edu/class",
        "a b!",
        "192.0.2",
        "ünı.edu",
    ],
)
def test_the_app_does_not_start_for_what_cannot_be_a_host(wrong: str) -> None:
    assert not all(map(is_host, hosts_of([wrong])))


def test_what_cannot_be_a_host_ends_the_program_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamlit.get_option", lambda option: ["localhost, http://localhost"])
    with pytest.raises(SystemExit, match=r"but it holds 'http://localhost'\.$"):
        checks_of_hosts()


@pytest.mark.weekly  # starts a server
def test_the_start_ends_with_a_sentence() -> None:
    with (
        pytest.raises(RuntimeError, match=r"but it holds 'http://localhost'\.") as failed,
        serve(variables={VARIABLE: "localhost, http://localhost"}),
    ):
        pass
    assert "Traceback" not in str(failed.value)


def test_names_for_all_and_for_subdomains_are_hosts() -> None:
    assert all(
        map(is_host, ["*", "*.streamlit.app", "localhost", "class.example.edu.", "192.0.2.7", "2001:db8::1"])
    )
