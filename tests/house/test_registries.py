"""A new choice is one row: no code outside the core names a row, and menus and limits work with a new row."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise

import pytest

import bpe
from bpe.settings.pieces import PIECE_RULES
from film.live import live_settings
from tests import ROOT
from ui.view import visit

REGISTRIES = {"VARIANTS", "TIE_BREAKS", "ENCODERS", "PRESETS"}
SLUGS = {slug for registry in REGISTRIES for slug in getattr(bpe, registry)}
# The one module that may name rows: those shown before any choice.
FIRST_VISIT = ROOT / "ui" / "view" / "visit.py"
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [
        ROOT / "app.py",
        *(path for layer in ("film", "pages", "ui") for path in (ROOT / layer).rglob("*.py")),
    ]
    if path != FIRST_VISIT
)
# Slugs with other meanings too. They are refused only where they are used as a choice.
ORDINARY_WORDS = {
    "bytes",  # a unit, a column, a page
    "first",  # a key of a feed
    "last",  # a key of a feed
    "paper",  # plotly's word for the drawing area
    "rank",  # a column, a key of a pick
    "rules",  # the plural on the screen
}
CHOICES = {
    "variant",
    "tie_break",
    "encoder",
    "preset",
    "rule",
    "rules",
    "trainer",
    "trainers",
    "lane",
    "lanes",
}
OTHER_CHOICES = {"unit", "show"}  # compared with an ordinary word, they mean the other thing


def literals(node: ast.AST | None) -> Iterator[ast.Constant]:
    """Yield the texts of a literal, or of the literals in a tuple, list, set or conditional expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        for element in node.elts:
            yield from literals(element)
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from literals(value)


def name_of(node: ast.AST | None) -> str:
    """Return the last name of an expression: `rule` of `shared.rule`, of `row["rule"]` and of `rule`; else ""."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript):
        return name_of(node.slice)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def chosen(node: ast.AST) -> Iterator[ast.Constant]:
    """Yield the literals that this node uses as a choice: compares, looks up in a registry, or gives such a name."""
    named: list[tuple[str, ast.AST | None]] = []
    if isinstance(node, ast.Compare):
        for left, right in pairwise([node.left, *node.comparators]):
            if not {name_of(left), name_of(right)} & OTHER_CHOICES:
                yield from literals(left)
                yield from literals(right)
    elif isinstance(node, ast.Subscript) and name_of(node.value) in REGISTRIES:
        yield from literals(node.slice)
    elif isinstance(node, ast.keyword):
        named = [(node.arg or "", node.value)]
    elif isinstance(node, ast.Dict):
        named = [(name_of(key), value) for key, value in zip(node.keys, node.values, strict=True)]
    elif isinstance(node, ast.Assign):
        named = [(name_of(target), node.value) for target in node.targets]
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr):
        named = [(name_of(node.target), node.value)]
    elif isinstance(node, ast.arguments):
        positional = [*node.posonlyargs, *node.args]
        defaults = [*node.defaults, *node.kw_defaults]
        given = [*positional[len(positional) - len(node.defaults) :], *node.kwonlyargs]
        named = [(argument.arg, default) for argument, default in zip(given, defaults, strict=True)]
    for name, value in named:
        if name.lower() in CHOICES:
            yield from literals(value)


def rows_named(source: str) -> list[tuple[int, str]]:
    """Return (line, slug) of every literal in a source that names a row of a registry."""
    actual: set[tuple[int, str]] = set()
    for node in ast.walk(ast.parse(source)):
        actual |= {(one.lineno, str(one.value)) for one in chosen(node) if one.value in SLUGS}
        if isinstance(node, ast.Constant) and node.value in SLUGS - ORDINARY_WORDS:
            actual.add((node.lineno, str(node.value)))
    return sorted(actual)


def test_no_code_outside_the_core_names_a_row() -> None:
    actual = {path: rows_named((ROOT / path).read_text(encoding="utf-8")) for path in FILES}
    assert {path: rows for path, rows in actual.items() if rows} == {}


def test_a_first_visit_begins_with_rows_that_exist() -> None:
    assert set(visit.COMPARED_RULES) <= bpe.TIE_BREAKS.keys()
    assert len(visit.COMPARED_RULES) == 2
    assert set(visit.COMPARED_TRAINERS) <= bpe.PRESETS.keys()
    assert visit.TYPED_VARIANT in bpe.VARIANTS


def test_a_page_that_trains_offers_the_rows_of_the_registries() -> None:
    live = live_settings()
    variants = [{name: row[name] for name in ("slug", "title", "brief")} for row in live["variants"]]
    left_out = {slug for slug, row in bpe.VARIANTS.items() if row.configure}
    assert variants == [
        {"slug": slug, "title": row.title, "brief": row.brief}
        for slug, row in bpe.VARIANTS.items()
        if slug not in left_out
    ]
    assert [(row["slug"], row["title"], row["brief"], row["menu"]) for row in live["rules"]] == [
        (slug, row.title, row.brief, row.menu) for slug, row in bpe.TIE_BREAKS.items()
    ]


def test_the_page_s_trainer_names_no_row() -> None:
    alphabets = set(bpe.ALPHABETS)  # orders that it computes; Python writes the others
    for path in (ROOT / "film/browser/trainer").rglob("*.js"):
        code = re.sub(r"//.*|/\*[\s\S]*?\*/", "", path.read_text("utf-8"))
        texts = set(re.findall(r'"((?:[^"\\]|\\.)*)"', code))
        assert texts & SLUGS - ORDINARY_WORDS == set(), path.name
        assert path.name == "text.js" or texts & (alphabets - {"value"}) == set(), path.name


def test_a_registry_s_keys_are_its_rows_slugs() -> None:
    for registry in (bpe.VARIANTS, bpe.TIE_BREAKS, bpe.ENCODERS, bpe.PRESETS, PIECE_RULES):
        assert [row.slug for row in registry.values()] == list(registry)


def test_no_page_asks_what_kind_of_training_it_shows() -> None:
    """What follows from a replay is asked of `Trace.origin`: an `if` about the kind forgets the kinds to come."""
    for layer in ("command_line", "pages", "ui"):
        for path in (ROOT / layer).rglob("*.py"):
            asks = [
                node.lineno
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
                if isinstance(node, ast.Attribute) and node.attr == "replayed"
            ]
            assert asks == [], path.relative_to(ROOT)


@pytest.mark.slow
def test_menus_and_guards_take_rows_that_nobody_knew() -> None:
    """Runs in its own process, whose registries accept new rows: see tests/house/made_up_rows.py."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.house.made_up_rows"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
