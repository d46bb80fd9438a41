"""What is below the first screen of Watch: a chart, the tables, and what can be saved and shared."""

import streamlit as st

from bpe import Trace
from film.page import film_page
from ui.saving import export_tokenizer, save_film, save_picture
from ui.sidebar.sidebar import Choice
from ui.watch import asked_step, details
from ui.watch.grid_feed import link_to_step


def draw(trace: Trace, choice: Choice, step: int) -> None:
    """Draw it for the step at which the grid rests."""
    details.draw_curves(trace, step)
    details.draw_tables(trace, step)
    with st.container(horizontal=True):
        link_to_step(choice, step)
        asked_step.draw_link(trace, choice, step)
        export_tokenizer(trace, step)
        text, title = choice.corpus.training_text, choice.corpus.title
        save_film(lambda: film_page(trace, text, title=title, step=step), step, len(trace.steps))
        save_picture("watch", f"{choice.corpus.title} · {choice.recipe.title}")
