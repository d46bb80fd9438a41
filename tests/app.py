"""The whole app without a browser, for tests of pages."""

from collections.abc import Mapping

from streamlit.testing.v1 import AppTest

from tests import ROOT


def open_app(link: Mapping[str, str] | None = None, **session: object) -> AppTest:
    """Return the app after its first run, opened with the parameters of a link or with session values."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for parameter, text in (link or {}).items():
        app.query_params[parameter] = text
    for key, value in session.items():
        app.session_state[key] = value
    return run(app)


def open_page(page: str, link: Mapping[str, str] | None = None, **session: object) -> AppTest:
    """Open the app on a page of this name, with a link's parameters or with session values."""
    app = open_app(link, **session)
    app.switch_page(f"pages/{page}.py")
    return run(app)


def run(app: AppTest) -> AppTest:
    """Run the app once more, which must not fail, and return it."""
    app.run()
    assert not app.exception, [one.stack_trace for one in app.exception]
    return app


def type_text(app: AppTest, text: str, source: str = "paste") -> AppTest:
    """Paste this text, or type it as a word list, and return the app."""
    choose_source(app, source)
    app.text_area(key="corpus_text").set_value(text)
    return run(app)


def choose_source(app: AppTest, source: str) -> AppTest:
    """Choose another source of the text and return the app."""
    app.session_state["corpus_source"] = source
    return run(app)


def numbers(app: AppTest) -> dict[str, str]:
    """Return the value of each tile by its label."""
    return {tile.label: tile.value for tile in app.metric}
