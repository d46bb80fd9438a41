"""People count merges from 1, on every page; a rank from 0 stays in files and links."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app import open_page

FROM_0 = re.compile(r"\b(merges?|step) (0\b|00)", re.IGNORECASE)
# page -> session values that open what shows merges there
PAGES: dict[str, dict[str, Any]] = {
    "watch": {"details": "Step log"},
    "compare": {"lanes": ["first", "first_0.1", "pair-max"], "compare_details": "Tie map"},
    "encode": {},
    "vocabulary": {},
    "bytes": {},
    "lessons": {},
}


def texts(app: AppTest) -> Iterator[str]:
    """Yield every string that the page sends to the browser: labels, captions, help, charts, data of components."""
    stack: list[object] = [app._tree]
    while stack:
        node = stack.pop()
        if hasattr(node, "proto") and node.proto is not None:
            yield str(node.proto)
        stack += getattr(node, "children", {}).values()


@pytest.mark.parametrize("page", PAGES)
def test_no_page_counts_merges_from_0(page: str) -> None:
    app = open_page(page, **PAGES[page])
    sent = list(texts(app))
    assert len(sent) > 10
    for text in sent:
        assert not FROM_0.search(text), text
    columns: list[tuple[str, list[Any]]] = [
        (str(title), list(cells.dropna())) for table in app.dataframe for title, cells in table.value.items()
    ]
    for element in app.get("bidi_component"):
        if "chooses" in (sent := json.loads(element.proto.json)):
            columns += [
                (title, [row[at] for row in sent["rows"] if isinstance(row[at], int)])
                for at, (title, *_) in enumerate(sent["columns"])
            ]
    for title, cells in columns:
        if title.startswith("merge") and title != "merges done":
            assert min(cells, default=1) >= 1
