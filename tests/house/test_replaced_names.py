"""Tests give our functions what they need as arguments. What they replace in our modules instead has a reason here."""

import ast
from collections.abc import Iterator
from functools import cache

from tests import ROOT
from tests.house.test_architecture import OURS

# {(test, what it replaces): why no argument would do}
REASONS = {
    ("tests/ui/conftest.py", "training.PACE"): "AppTest runs whole pages, which nobody gives an argument.",
    ("tests/ui/conftest.py", "long_work.WAIT"): "The same.",
    ("tests/ui/choices/test_settings.py", "SETTINGS[row.key]"): (
        "The claim is that one more row of the table is enough for whole pages."
    ),
    ("tests/ui/choices/test_settings.py", "ui.lessons.choosing.lessons"): (
        "A lesson file cannot name a setting that only this test adds."
    ),
    ("tests/ui/test_trainings.py", "TrainingWatch.ask"): (
        "The training must end between two lines of one function, where nothing else is called."
    ),
    ("tests/command_line/ctrl_c.py", "command_line.terminal.progress_reports"): (
        "A command reports by the clock, and Ctrl-C must come at the same merge on every machine."
    ),
}


QUOTES = "'"


def replaced(source: str) -> Iterator[str]:
    """Yield the names in our modules that a test replaces with monkeypatch."""
    tree = ast.parse(source)
    ours = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom | ast.Import)
        for alias in node.names
        if ((getattr(node, "module", None) or alias.name).partition(".")[0]) in OURS
    }
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) > 1):
            continue
        owner, name = node.args[0], node.args[1]
        called = ast.unparse(node.func)
        if isinstance(owner, ast.Constant) and isinstance(owner.value, str):
            if called.startswith("monkeypatch.") and owner.value.partition(".")[0] in OURS:
                yield owner.value
        elif ast.unparse(owner).partition(".")[0] not in ours:
            continue
        elif called in ("monkeypatch.setitem", "monkeypatch.delitem"):
            yield f"{ast.unparse(owner)}[{ast.unparse(name)}]"
        elif called in ("monkeypatch.setattr", "monkeypatch.delattr"):
            yield f"{ast.unparse(owner)}.{ast.unparse(name).strip(QUOTES)}"


@cache
def all_replaced() -> set[tuple[str, str]]:
    """Return (test, name) for every name in our modules that some test replaces."""
    sources = {path: path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")}
    return {
        (path.relative_to(ROOT).as_posix(), name)
        for path, source in sources.items()
        if "monkeypatch" in source
        for name in replaced(source)
    }


def test_what_a_test_replaces_in_our_modules_has_a_reason() -> None:
    assert sorted(all_replaced() - REASONS.keys()) == []


def test_no_reason_is_left_over() -> None:
    assert sorted(REASONS.keys() - all_replaced()) == []


def test_a_name_is_seen_however_it_is_replaced() -> None:
    source = (
        "import sys\nfrom bpe.training import trainer as t\nfrom streamlit import runtime\n"
        "monkeypatch.setattr(t, 'LIMIT', 1)\nmonkeypatch.setattr('ui.work.limits.MOST', 1)\n"
        "monkeypatch.setitem(t.ROWS, 'row', 1)\nmonkeypatch.setattr(t._CACHE, name, 1)\n"
        "monkeypatch.setattr(runtime, 'exists', 1)\nmonkeypatch.setattr(sys, 'argv', [])\n"
    )
    assert [*replaced(source)] == ["t.LIMIT", "ui.work.limits.MOST", "t.ROWS['row']", "t._CACHE.name"]
