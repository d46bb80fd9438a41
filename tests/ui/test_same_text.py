"""A text goes from page to page in a press, and no page that cannot take it is offered."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.app import open_app, open_page, run
from ui.page_parts import tokenizers_page
from ui.trainings.corpus import MOST_IN_BYTES

TEXT = "slow slower slowest"
# page, the state in which it has TEXT -> the doors that it offers
FROM: dict[str, dict[str, object]] = {
    "watch": {"corpus_source": "paste", "corpus_text": TEXT},
    "compare": {"corpus_source": "paste", "corpus_text": TEXT},
    "vocabulary": {"corpus_source": "paste", "corpus_text": TEXT},
    "encode": {"encode_text": TEXT},
    "bytes": {"bytes_text": TEXT},
}
FIELDS = {
    "watch": "corpus_text",
    "encode": "encode_text",
    "bytes": "bytes_text",
    "tokenizers": "tokenizers_text",
}


@pytest.fixture(autouse=True)
def _opens_no_tokenizer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizers_page, "PUBLISHED", {})


def doors(app: AppTest) -> dict[str, str]:
    """Return {page: key of the button that goes there}."""
    keys = (button.key or "" for button in app.button)
    return {key.removeprefix("same_text_"): key for key in keys if key.startswith("same_text_")}


def _opened(page: str) -> AppTest:
    """Return the app on this page, with TEXT in its field; Compare alone would open with its sample."""
    app = open_app(None, **FROM[page])
    if page != "watch":
        app.switch_page(f"pages/{page}.py")
    return run(app)


@pytest.mark.parametrize("page", FROM)
def test_every_page_with_a_text_takes_it_to_its_neighbours(page: str) -> None:
    app = _opened(page)
    others = set(doors(app))
    assert len(others) == (2 if page == "encode" else 3)  # Encode's line leads to Tokenizers
    assert page not in others
    for at, other in enumerate(others):
        app = _opened(page) if at else app
        app.button(key=f"same_text_{other}").click()
        run(app)
        assert app.session_state[FIELDS[other]] == TEXT
        if other == "watch":
            assert app.session_state["corpus_source"] == "paste"


def test_what_a_page_cannot_take_is_not_offered() -> None:
    assert not doors(open_page("encode", encode_text=" "))
    long = "low " * (MOST_IN_BYTES // 4 + 1)
    assert set(doors(open_app(corpus_source="paste", corpus_text=long))) == {"encode", "tokenizers"}
