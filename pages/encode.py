"""Encode: encode new text with the learned merges, step by step."""

from functools import partial

import streamlit as st

from ui.choices import choices
from ui.choices.share_file import draw_link
from ui.gaps.first_frame import first_frame, later
from ui.page_parts import talk
from ui.page_parts.encode import controls, stage, views
from ui.page_parts.encode.encoded_text import encode
from ui.page_parts.encode.result_tables import draw_ids, token_table
from ui.shown import navigation, same_text
from ui.shown.saving import draw_share, export_tokenizer, save_picture
from ui.shown.token_count import draw_way_to_rows
from ui.trainings import training
from ui.view import visit

navigation.enter()
visit.read("encode", controls.LINK | views.LINK)
choice = choices.required()
trace = training.required_trace(choice.corpus, choice.recipe)
with navigation.page_field():
    controls.text_field(trace, choice)
    options = st.container(key="encode_menu")
picture = st.container(key="encode_picture")
with options, later():
    setting = controls.encode_controls(trace, choice, picture)
if setting is None:
    st.stop()
if not setting.text.strip():
    picture.info(
        "Type a text above. It is split into pre-tokens and spelled in symbols, and the learned merges join them."
    )
    st.stop()
answer = stage.answer_so_far(choice, setting)
with picture:
    stage.draw(setting, answer, ends=not talk.is_stop("encode"))
if not first_frame("encode"):
    st.stop()
encoded = encode(setting)
if encoded is None:
    st.stop()
answer = stage.answer_of(choice, setting, encoded, answer)
with st.container(horizontal=True, vertical_alignment="center", key="encode_ways"):
    draw_ids(encoded)
    if answer.count:
        draw_way_to_rows(answer.count, "encode")
token_table(setting.tokenizer, encoded)
views.open_view(trace, choice, setting, encoded)
parts = {
    "Link": partial(draw_link, choice.corpus, choice.recipe, choice.fragment),
    "Picture": partial(save_picture, "encode", f"{choice.corpus.name_elsewhere} · {choice.recipe.title}"),
}
if not setting.typed:
    parts["Tokenizer"] = partial(export_tokenizer, trace, setting.step)
with navigation.share_place():
    draw_share("encode", parts)
same_text.draw(setting.text, same_text.TRAIN, same_text.BYTES)
