"""Session state has owners: each private value is a slot of one module, which alone reads and writes it."""

import ast
import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping

import pytest
from streamlit.testing.v1 import AppTest

from tests import ROOT
from tests.app import LONGEST_RUN, open_app, run
from ui.components import grid_memory

FILES = sorted(
    path for path in [ROOT / "app.py", *(ROOT / "pages").glob("*.py"), *(ROOT / "ui").rglob("*.py")]
)
SOURCES = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in FILES}
PRIVATE = re.compile(r"_[a-z]\w*")


def slots(source: str) -> Iterator[tuple[str, str]]:
    """Yield (name, key) of every slot that a module defines."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.AnnAssign | ast.Assign) and is_slot(node.value):
            call = node.value
            assert isinstance(call, ast.Call)
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            yield ast.unparse(target), ast.literal_eval(call.args[0])


def is_slot(node: ast.AST | None) -> bool:
    """Return whether this is `Slot(…)`."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith("Slot")


def taken_slots(source: str, owned: Mapping[str, Container[str]]) -> set[str]:
    """Return the slots that a source takes from other modules. owned: {module: its slots}."""
    nodes = list(ast.walk(ast.parse(source)))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    modules = {
        alias.asname or alias.name: f"{node.module}.{alias.name}" for node in imports for alias in node.names
    }
    by_name = {
        alias.name
        for node in imports
        for alias in node.names
        if alias.name in owned.get(node.module or "", ())
    }
    of_modules = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.attr in owned.get(modules.get(node.value.id, ""), ())
    }
    return by_name | of_modules


SLOTS = {
    path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): dict(slots(source))
    for path, source in SOURCES.items()
}


def private_keys(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of every literal that looks like a private key, except those of widgets and of slots."""
    nodes = list(ast.walk(ast.parse(source)))
    allowed = {id(node.value) for node in nodes if isinstance(node, ast.keyword) and node.arg == "key"}
    allowed |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    allowed |= {id(node.args[0]) for node in nodes if isinstance(node, ast.Call) and is_slot(node)}
    for node in nodes:
        texts: list[str] = []
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in allowed:
            texts = [node.value]
        elif isinstance(node, ast.Call) and "session_state" in ast.unparse(node.func):
            texts = [one.arg or "" for one in node.keywords]
        elif isinstance(node, ast.Subscript) and "session_state" in ast.unparse(node.value):
            texts = [str(part.value) for part in ast.walk(node.slice) if isinstance(part, ast.Constant)]
        if isinstance(node, ast.expr):
            yield from ((node.lineno, text) for text in texts if PRIVATE.fullmatch(text))


def test_private_keys_are_those_of_slots() -> None:
    named = {path: list(private_keys(source)) for path, source in SOURCES.items()}
    assert {path: keys for path, keys in named.items() if keys} == {}


@pytest.mark.parametrize(
    "source",
    [
        'st.session_state["_grid"] = 1',
        'KEY = "_steps"',
        'st.session_state.get("_x", 0)',
        "st.session_state.update(_ignored=[])",
        'st.session_state[f"_grid_{key}"]',
    ],
)
def test_a_private_key_is_seen_wherever_it_stands(source: str) -> None:
    assert list(private_keys(source))


def test_no_two_slots_have_one_key() -> None:
    keys = Counter(key for of_file in SLOTS.values() for key in of_file.values())
    assert [key for key, number in keys.items() if number > 1] == []
    assert keys["_choice"] == 1


def test_only_its_own_module_touches_a_slot() -> None:
    taken = {path: taken_slots(source, SLOTS) for path, source in SOURCES.items()}
    assert {path: names for path, names in taken.items() if names} == {}


def test_a_slot_that_another_module_takes_is_seen() -> None:
    owned = {"ui.owner": dict(slots('GRIDS: Slot[int] = Slot("_grids", int)'))}
    assert owned == {"ui.owner": {"GRIDS": "_grids"}}
    assert taken_slots("from ui.owner import GRIDS", owned) == {"GRIDS"}
    assert taken_slots("from ui import owner\nowner.GRIDS.read()", owned) == {"GRIDS"}
    assert taken_slots("from ui import limits\nlimits.GRIDS", owned) == set()


def use_a_slot() -> None:
    import streamlit as st

    from ui.visit.slot import Slot

    slot: Slot[list[int]] = Slot("_test", list)
    slot.read().append(1)
    slot.read().append(2)
    st.text(str(slot.read()))
    slot.write([3])
    st.text(str(slot.read()))
    slot.forget()
    slot.forget()
    st.text(str(slot.read()))


def test_a_slot_reads_writes_and_forgets() -> None:
    app = AppTest.from_function(use_a_slot, default_timeout=LONGEST_RUN).run()
    assert not app.exception
    assert [text.value for text in app.text] == ["[1, 2]", "[3]", "[]"]


# The step of a grid


def grid_on(app: AppTest) -> str:
    """Return the key of the grid's element: it names what it shows."""
    starts: dict[str, int] = app.session_state["_grids"]["watch"].starts
    return next(reversed(starts))


def rest_at(app: AppTest, step: int) -> AppTest:
    """Move the page's grid, as the browser reports it, and run the page."""
    app.session_state[grid_on(app)] = {"step": step}
    return run(app)


def step_of(app: AppTest) -> int:
    """Return the step that the page shows."""
    return int(app.session_state["_grid_group_steps"]["watch"])


def away_and_back(app: AppTest) -> AppTest:
    app.switch_page("pages/bytes.py")
    run(app)
    app.switch_page("pages/watch.py")
    return run(app)


def test_a_grid_is_found_where_it_was_left() -> None:
    app = open_app({"merges": "12"})
    assert step_of(app) == 0
    assert step_of(away_and_back(rest_at(app, 7))) == 7


def test_a_shorter_training_does_not_move_the_step_of_a_longer_one() -> None:
    app = rest_at(open_app({"merges": "12"}), 7)
    for merges, step in ((4, 4), (12, 7), (10, 7)):
        app.number_input(key="merges").set_value(merges)
        assert step_of(run(app)) == step
    rest_at(app, 2)
    app.number_input(key="merges").set_value(4)
    assert step_of(run(app)) == 2


def test_each_text_has_a_step_of_its_own() -> None:
    app = rest_at(open_app({"merges": "12"}), 7)
    app.selectbox(key="corpus_sample").select("which-goes-first")
    other = step_of(run(app))
    assert other != 7
    app.selectbox(key="corpus_sample").select("low-lower-newest-widest")
    assert step_of(run(app)) == 7


def test_a_lesson_s_step_goes_before_the_one_remembered() -> None:
    def script() -> None:
        from ui.components import grid_memory

        grid_memory.of("watch").window = 9
        grid_memory.remember("watch", "a text", 3, 12)
        grid_memory.begin_at("watch", "a text", 8)

    memory = AppTest.from_function(script, default_timeout=LONGEST_RUN).run().session_state["_grids"]["watch"]
    assert memory == grid_memory.GridMemory(steps={"a text": 8})
