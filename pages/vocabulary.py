"""Vocabulary: where each token comes from, and where it is used."""

from functools import partial

import streamlit as st

from ui.choices import choices
from ui.choices.share_file import draw_link
from ui.gaps.first_frame import first_frame
from ui.page_parts.vocabulary import token_table
from ui.page_parts.vocabulary.growth import draw_growth
from ui.shown import navigation, same_text, step_slider
from ui.shown.saving import draw_share, export_tokenizer
from ui.trainings import training
from ui.view import visit

navigation.enter()
visit.read("vocabulary", token_table.LINK | step_slider.LINK)
choice = choices.required()
trace = training.required_trace(choice.corpus, choice.recipe)
result = st.container()
step = step_slider.at_step(trace)
vocabulary = token_table.vocabulary_at(trace, choice, step)
with result:
    token_table.token_table(trace, choice, vocabulary, step)
token_table.token_details(trace, vocabulary, step)
if first_frame("vocabulary", grid=False):
    draw_growth(trace, step)
token_table.link_search()
visit.write(token_table.linked() | step_slider.linked(trace, step))
with navigation.share_place():
    draw_share(
        "vocabulary",
        {
            "Link": partial(draw_link, choice.corpus, choice.recipe, choice.fragment),
            "Tokenizer": partial(export_tokenizer, trace, step),
        },
    )
same_text.draw(choice.corpus.reading_text, same_text.TOKENIZERS, same_text.ENCODE, same_text.BYTES)
