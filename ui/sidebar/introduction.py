"""What a page shows while it cannot show a training: that its text cannot be split, or that a file is missing."""

import streamlit as st

from ui.show.text import in_markdown
from ui.sidebar import expected_tokenizer, recipe_source


def draw(problem: str) -> None:
    """Draw what is wrong, and a button that chooses a sample."""
    st.error(in_markdown(problem, most=500), icon=":material/error:")
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
