"""The introduction that a page shows while there is no text."""

import streamlit as st

from ui.show.text import in_markdown
from ui.sidebar import expected_tokenizer, recipe_source
from ui.sidebar.corpus import REQUESTS

ONE_SENTENCE = "Byte pair encoding glues together the most frequent pair of neighbours, again and again."


def title(*, plays: bool) -> str:
    """Return the title of Watch. With a text it also says what to press."""
    return f"{ONE_SENTENCE} :gray[Press Play, or] [start with lesson 1](/lessons)." if plays else ONE_SENTENCE


def draw(problem: str) -> None:
    """Draw what is missing or wrong, the algorithm in three sentences, and a button that chooses a sample."""
    sentence = in_markdown(problem, most=500)
    if problem in REQUESTS:
        st.info(sentence, icon=":material/edit_note:")
    else:
        st.error(sentence, icon=":material/error:")
    st.markdown(
        "1. Spell every word in its smallest pieces: characters or bytes.\n"
        "2. Count all pairs of neighbours, and join the most frequent pair into one token, everywhere.\n"
        "3. Repeat until you reach the limit. If several pairs share the highest count, that is a tie, and a rule has "
        "to decide."
    )
    st.button("Use a sample instead", on_click=lambda: st.session_state.update(corpus_source="sample"))


# The introduction that a page shows while it waits for a tokenizer's file.


def draw_tokenizer(problem: str) -> None:
    """Draw what is missing, which files can be opened and where people have them, and the way back to training."""
    st.info(in_markdown(problem, most=500), icon=":material/folder_open:")
    st.markdown(
        "Then this page applies the tokenizer's merges to your text, one after the other. You can open:\n"
        "- **tokenizer.json**: on a model's page at Hugging Face, among its files. `tokenizer.save` writes it too.\n"
        "- **vocab.json** and **merges.txt**, both at once: older models such as GPT-2 and RoBERTa have them.\n"
        "- **.tiktoken**: the encodings of OpenAI's models. Llama 3's `tokenizer.model` has this format too, and the "
        "JSON of js-tiktoken holds the same.\n"
        "- **tokenizer.model**: SentencePiece's BPE models, such as those of Llama 2, Mistral 7B and Gemma. Export "
        "writes one again.\n"
        "- **tekken.json**: Mistral's models since 2024.\n"
        "- **Codes**: the file that `subword-nmt learn-bpe` writes.\n"
        "- What **Export tokenizer** saves on Watch, Encode or Vocabulary."
    )
    with st.container(horizontal=True):
        st.button("Train on the text instead", key="train_instead", on_click=recipe_source.train_instead)
        expected_tokenizer.draw_way_out()
