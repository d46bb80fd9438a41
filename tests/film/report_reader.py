"""Reads a report: its tags, its tables, and the files that it holds."""

import re
from html.parser import HTMLParser

from tests.film.film_reader import unpacked


class ReadReport(HTMLParser):
    """The tags of a report, and its tables: {id: rows of cells}, a number as the value that the page holds exactly."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.texts: list[str] = []
        self._table = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        attributes = dict(attrs)
        if (name := attributes.get("id") or "").startswith("table-"):
            self._table = name.removeprefix("table-")
            self.tables[self._table] = []
        elif tag == "section":
            self._table = ""
        if self._table and tag == "tr":
            self.tables[self._table].append([])
        elif self._table and tag in ("td", "th"):
            self.tables[self._table][-1].append("")
        elif self._table and tag == "data":
            self.tables[self._table][-1][-1] = f"={attributes['value']}"

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        rows = self.tables.get(self._table)
        if rows and self.tags[-1] in ("td", "th", "i") and rows[-1]:
            rows[-1][-1] += data


def packed(page: str, name: str) -> bytes:
    """Return a file that the page holds."""
    match = re.search(rf'data-name="{re.escape(name)}" data-kind="[^"]+">([^<]*)<', page)
    assert match
    return unpacked(match[1])
