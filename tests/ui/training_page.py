"""A page that runs one training for each number of merges in a list."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.app import LONGEST_RUN, run
from tests.ui.gate import TEXT, Gate
from tests.waiting import LONG
from ui.trainings.corpus import Corpus
from ui.trainings.running_training import Begin, Pace, _Steps

# The first merge can be watched at once, and a stop interrupts none.
PACE = Pace(wait=0.2, preview=-1.0, merge=LONG)


def page(corpus: "Corpus", pace: "Pace", begin: "Callable[..., _Steps]") -> None:
    """Draw a page with one training for every number of merges asked for. Streamlit runs its source alone."""
    import streamlit as st

    from ui.trainings import training
    from ui.trainings.recipe import Recipe

    recipes = [Recipe("paper", "char-eow", "first", merges) for merges in st.session_state["asked"]]
    for trace in training.required_traces(corpus, recipes, pace, begin):
        st.metric("merges", len(trace.steps))


def opened(begin: Begin, *merges: int, pace: Pace = PACE, corpus: Corpus = TEXT) -> AppTest:
    """Return the page with trainings of these numbers of merges, which begin this way."""
    kwargs = {"corpus": corpus, "pace": pace, "begin": begin}
    return ask(AppTest.from_function(page, default_timeout=LONGEST_RUN, kwargs=kwargs), *merges)


def asked(gate: Gate, *merges: int, corpus: Corpus = TEXT) -> AppTest:
    """Return the page with one or two trainings of these numbers of merges, which pause at the gate."""
    app = opened(gate.begin, *merges, corpus=corpus)
    gate.wait_for(*merges)
    return run(app)


def ask(app: AppTest, *merges: int) -> AppTest:
    """Ask for trainings of these numbers of merges, and return the page."""
    app.session_state["asked"] = merges
    return run(app)
