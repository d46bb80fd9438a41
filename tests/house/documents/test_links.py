"""Every relative link in a document leads to a file, and to a heading, that exists."""

import re
from pathlib import Path

import pytest

from tests import ROOT

DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#{1,6} +(.+?)[ #]*$", re.MULTILINE)
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
# [text](target), [text](target "title"), [name]: target, and the addresses of HTML elements
TARGET = re.compile(
    r'\]\(([^)\s]+)[^)]*\)|^\[[^\]]+\]:\s*(\S+)|\b(?:href|src|srcset)="([^"]+)"', re.MULTILINE
)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


def targets(text: str) -> list[str]:
    """Return the relative targets of a document's links.

    >>> targets('[a](b.md#c) `[code](no.md)` [web](https://example.org) <img src="d.png">')
    ['b.md#c', 'd.png']
    """
    every = (next(filter(None, match)) for match in TARGET.findall(CODE.sub("", text)))
    return [target for target in every if not ELSEWHERE.match(target)]


def anchors(text: str) -> set[str]:
    r"""Return the names of a document's headings in links, as GitHub makes them.

    >>> sorted(anchors("# What's new?\n## A\n## A"))
    ['a', 'a-1', 'whats-new']
    """
    names: list[str] = []
    for heading in HEADING.findall(FENCED.sub("", text)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        names.append(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return {f"{name}-{names[:i].count(name)}" if name in names[:i] else name for i, name in enumerate(names)}


def broken_links(document: Path, text: str) -> list[str]:
    """Return the targets of a document's links that do not exist."""
    broken = []
    for target in targets(text):
        path, _, anchor = target.partition("#")
        file = document.parent / path if path else document
        content = text if not path else file.read_text("utf-8") if anchor and file.is_file() else ""
        if not file.exists() or (anchor and anchor not in anchors(content)):
            broken.append(target)
    return broken


def test_every_relative_link_leads_to_a_file_and_a_heading() -> None:
    texts = {path: path.read_text("utf-8") for path in DOCUMENTS}
    broken = {path.name: wrong for path, text in texts.items() if (wrong := broken_links(path, text))}
    assert broken == {}
    assert sum(len(targets(text)) for text in texts.values()) > 20  # the links are read at all


@pytest.mark.parametrize(
    "link", ["[a](no-such-file.md)", "[a](README.md#no-such-heading)", "[a](#none)", '<img src="none.png">']
)
def test_a_link_that_leads_nowhere_is_named(link: str) -> None:
    assert len(broken_links(ROOT / "CHANGELOG.md", f"# Changes\n[a](#changes) [b](README.md)\n{link}")) == 1
