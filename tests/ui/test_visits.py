"""Visits in which a person does anything in any order, and what a visit remembers."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test
from streamlit.testing.v1 import AppTest

import bpe
from bpe import BPEError
from film.training_feed import training_feed
from film.windows import WINDOW
from tests.app import (
    LONGEST_RUN,
    component_id,
    events,
    open_app,
    open_page,
    resting_step,
    run,
    send,
    send_state,
    take_row,
)
from tests.bpe.text.random_texts import TIMES
from tests.film.readers import tokens_of
from tests.material.hostile_texts import hostile_texts, payloads
from tests.visit import Visit
from ui.choices import share_file
from ui.choices.link import _read_link
from ui.choices.text_link import fragment_of, read_fragment
from ui.shown import navigation
from ui.trainings.corpus import from_files, from_text
from ui.trainings.settings import SETTINGS
from ui.view import component as message
from ui.view import token_grid
from ui.view.text import in_markdown
from ui.view.token_grid import Pick, _read_pick


@pytest.mark.slow
def test_after_any_actions_the_page_is_whole_and_the_grid_shows_what_the_core_computes() -> None:
    run_state_machine_as_test(
        Visit,
        settings=settings(
            max_examples=3 * TIMES,
            stateful_step_count=10,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),  # a visit is slow, and a busy machine slower
            # A failed visit is printed as it was: a search for a shorter one takes minutes.
            phases=[Phase.generate],
        ),
    )


# A slot of the session, and the step of a grid, which the session remembers over pages and reruns.


def use_a_slot() -> None:
    import streamlit as st

    from ui.view.visit import Slot

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
    return resting_step(app, "watch")


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
    other = step_of(take_row(app, "corpus_sample", "which-goes-first"))
    assert other != 7
    assert step_of(take_row(app, "corpus_sample", "low-lower-newest-widest")) == 7


def test_a_script_is_a_page_by_its_first_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "watch.py").write_text('"""Watch: train."""\n', "utf-8")
    (tmp_path / "ratios.py").write_text('"""Ratios: how long tokens are.\n\nMore.\n"""\n', "utf-8")
    monkeypatch.setattr(navigation, "_FOLDER", tmp_path)
    rows = dict(navigation._pages())
    assert list(rows) == ["watch", "ratios"]
    row = rows["ratios"]
    assert (row.title, row.purpose, row.sentence) == ("Ratios", *["How long tokens are."] * 2)
    assert row.next[0] in navigation.PAGES


def test_a_lesson_s_step_goes_before_the_one_remembered() -> None:
    def script() -> None:
        from ui.view import token_grid

        token_grid._of("watch").window = 9
        token_grid._remember("watch", "a text", 3, 12)
        token_grid.begin_at("watch", "a text", 8)

    memory = AppTest.from_function(script, default_timeout=LONGEST_RUN).run().session_state["_grids"]["watch"]
    assert memory == token_grid._GridMemory(steps={"a text": 8})


# Messages of components: whatever a browser sends, the page is whole, and so is the next one.

# What a value of a message may be, in JSON. Streamlit itself refuses what is no JSON.
FORGED = [
    '"7"', '"\\ud800"', "NaN", "1e999", "-1", "1" + "0" * 400, "null", "true", "[[]]", "{}", '"\\u0663"',
    '{"rank": 0, "left": [300], "right": "o", "pair": [1, 2]}', '{"rank": NaN, "pair": ["zz", "6c"]}',
    '{"rank": -1, "left": [108], "right": [111], "pair": ["6c", "6f"]}',
    '{"paste": 7, "words": ["a"], "pattern": "\\ud83d", "encode_text": "\\ud83d"}', '"count-merge-repeat 999"',
]  # fmt: skip
NO_STATE = ["[]", "7", "null", '"text"', '{"x": 1}']
# The readers get all of these, each page one of every kind: a run of a page takes a fifth of a second.
TO_PAGES = ['"\\ud800"', "NaN", "1" + "0" * 400, "[[]]", *FORGED[-3:]]
STATES = {  # component -> the page it is on, and what it reports there as state
    "watch": ("watch", "step", "window"),
    "lesson_card": ("lessons", "beat"),
    "lesson-why-subwords": ("lessons", "step", "window"),
    "encode": ("encode", "step", "window"),
    "compare_stage": ("compare", "step", "window"),
    "why": ("encode", "place"),
}
EVENTS: dict[str, dict[str, tuple[str, ...]]] = {  # page -> its components, and the events that these send
    "watch": {
        "watch": ("pick", "all", "undo", "pressed", "undo_way"),
        "choices_row": ("stage",),
        "field_corpus_text": ("typed",),
    },
    "compare": {"compare_stage": ("pick",)},
    "lessons": {"lesson_card": ("lesson", "restored")},
    "encode": {"field_encode_text": ("typed",)},
    "vocabulary": {"merge_tree": ("chosen",)},
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["rank", "pair", "left", "right", "step", "a"]), inner)
    ),
    max_leaves=8,
)
READERS: list[Callable[[object], object]] = [
    message.whole_number(0, 9),
    message.text(5),
    message.one_of(("a", "b")),
    message.texts(("a", "step"), 5),
    message.octets,
    message.pair_of(message.octets),
    _read_pick,
]


def open_any(page: str) -> AppTest:
    """Open a page. The first one has the choices in AppTest."""
    return open_app() if page == "watch" else open_page(page)


# Grids are read by the same function on all pages, so those beside Watch's are tried once a week.
@pytest.mark.parametrize(
    "key",
    [
        pytest.param(
            key, marks=pytest.mark.slow if key in ("watch", "lesson_card", "why") else pytest.mark.weekly
        )
        for key in STATES
    ],
)
def test_a_forged_state_of_a_component_is_ignored(key: str) -> None:
    page, *names = STATES[key]
    app = run(open_any(page))  # the page alone, as in each later run
    visible = [part.value for part in (*app.metric, *app.caption)]
    forged = [", ".join(f'"{name}": {value}' for name in names) for value in TO_PAGES]
    for state in [*(f"{{{values}}}" for values in forged), *NO_STATE[:2]]:
        send_state(app, key, state)
    assert [part.value for part in (*run(app).metric, *app.caption)] == visible
    assert component_id(app, key)


@pytest.mark.parametrize("page", EVENTS)
def test_forged_events_of_components_are_ignored(page: str) -> None:
    """A run gets one value as every event of the page: one that is taken for true changes the page or fails in it."""
    app = open_any(page)
    for value in TO_PAGES:
        send(app, *(events(app, key, names, value) for key, names in EVENTS[page].items()))
    for key in EVENTS[page]:
        assert component_id(run(app), key)


@pytest.mark.parametrize("state", NO_STATE)
def test_what_is_no_state_has_no_value(state: str) -> None:
    assert message.read(json.loads(state), "step", message.whole_number(0, 9)) is None


@pytest.mark.parametrize("value", FORGED)
def test_a_reader_accepts_a_forged_value_as_it_expects_it_or_not_at_all(value: str) -> None:
    for reader in READERS:
        read = reader(json.loads(value))
        assert read is None or isinstance(read, int | str | bytes | dict | list | tuple | Pick)


@given(JSON)
def test_a_reader_accepts_what_it_expects_or_nothing(value: object) -> None:
    for reader in READERS:
        reader(value)


def test_readers_accept_what_components_send() -> None:
    assert _read_pick({"rank": 3, "left": [108], "right": [111, 0], "number": 1}) == Pick(3, b"l", b"o\0")
    assert message.texts(("a", "b"), 9)({"a": "x\ud800", "b": 7, "c": "y"}) == {"a": "x\ufffd"}
    assert message.whole_number(0, 9)(True) is None


# Hundreds of texts, links and share files: each is taken as it is, or refused with one sentence.

UNRULY = re.compile("[\0\u202a-\u202e\u2066-\u2069]")
VARIANTS = [slug for slug, row in bpe.VARIANTS.items() if row.configure is None]
LINKED = ["corpus_source", "corpus_sample", "picks", "step", *SETTINGS]
VALUES = [
    "",
    "\0",
    "-1",
    "9" * 5_000,
    "1e9",
    "NaN",
    "٣",
    "a" * 100_000,
    "0.0-0.0",
    "<b>*x*",
    "low\0\u202eevil\u2066",
    "\ud83d",
    *payloads()[:4],
]
ANY_JSON: list[Any] = [
    None,
    True,
    -1,
    10**400,
    float("nan"),
    1.5,
    "",
    "\0",
    "low\0\u202eevil\u2066\u200f",
    ["a\0b \u202ec", "\u2067d"],
    {"a\0\u202e": 1},
    "a\nb",
    "\ud800",
    "x" * 9_999,
    [],
    [[]],
    {},
    {"a": 1},
]


def is_one_sentence(text: str) -> bool:
    """Return whether a message is one sentence, which nothing in it turns around when it is drawn."""
    drawn = in_markdown(text, most=2_000)
    return len(text) < 400 and len(text.splitlines()) == 1 and not UNRULY.search(drawn)


def refusal(content: bytes) -> str:
    """Return why a share file is refused; "" if it is read."""
    try:
        share_file.read_share_file(content)
    except BPEError as error:
        return str(error)
    return ""


def test_every_text_is_drawn_as_the_core_splits_it_and_comes_back_from_its_ids() -> None:
    battery = hostile_texts()
    assert len(battery) >= 250
    for number, (name, text) in enumerate(battery.items()):
        trace = bpe.train(text, variant=VARIANTS[number % len(VARIANTS)], merges=12)
        feed = training_feed(trace, text)
        assert feed["text"]["total"] <= WINDOW
        for k in (0, len(trace.steps) // 2, len(trace.steps)):
            assert tokens_of(feed, k) == trace.segment(text, k), name
        tokenizer = trace.tokenizer()
        if trace.variant.lossless:
            assert tokenizer.decode(tokenizer.encode(text)) == text, name


def test_every_text_comes_back_from_a_file_a_link_and_a_share_file() -> None:
    recipe = {"preset": "none", "variant": "bytes", "tie_break": "first", "merges": 3}
    for name, text in hostile_texts().items():
        if not text.strip():
            continue
        assert from_files([("a.txt", text.encode())]).documents == (text,), name
        fragment = fragment_of("paste", from_text(text))
        assert fragment is None or read_fragment(fragment) == ("paste", text), name
        file = {"format": share_file.FORMAT, "recipe": recipe, "corpus": {"title": text, "documents": [text]}}
        assert share_file.read_share_file(json.dumps(file).encode()).corpus.documents == (text,), name


def test_no_value_of_a_link_is_more_than_ignored() -> None:
    assert len(LINKED) * len(VALUES) >= 80
    for key in LINKED:
        for value in VALUES:
            values, ignored = _read_link({key: value})
            assert (key in values) != bool(ignored), (key, value)
            assert all(map(is_one_sentence, ignored)), (key, value)


def test_no_field_of_a_share_file_is_more_than_refused() -> None:
    recipe: dict[str, Any] = {"preset": "none", "variant": "bytes", "tie_break": "first", "merges": 3}
    corpus = {"title": "T", "documents": ["low"]}
    whole: dict[str, Any] = {"format": share_file.FORMAT, "recipe": recipe, "corpus": corpus}
    fields = [("recipe", key) for key in (*SETTINGS, "picks")]
    fields += [("corpus", key) for key in ("title", "documents", "words")]
    assert len(fields) * len(ANY_JSON) >= 80
    for part, key in fields:
        for value in ANY_JSON:
            content = json.dumps({**whole, part: {**whole[part], key: value}}).encode()
            if problem := refusal(content):
                assert is_one_sentence(problem), (key, value)
