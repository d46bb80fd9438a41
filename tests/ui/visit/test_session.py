"""A slot of the session, and the step of a grid, which the session remembers over pages and reruns."""

from streamlit.testing.v1 import AppTest

from tests.app import LONGEST_RUN, open_app, run
from ui.components import token_grid


def use_a_slot() -> None:
    import streamlit as st

    from ui.visit import Slot

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
        from ui.components import token_grid

        token_grid.of("watch").window = 9
        token_grid.remember("watch", "a text", 3, 12)
        token_grid.begin_at("watch", "a text", 8)

    memory = AppTest.from_function(script, default_timeout=LONGEST_RUN).run().session_state["_grids"]["watch"]
    assert memory == token_grid.GridMemory(steps={"a text": 8})
