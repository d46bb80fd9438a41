"""Files that are dropped anywhere on the page: an uploader out of sight takes them, and they open by their content."""

import streamlit as st

from bpe import BPEError
from ui.show.text import in_markdown
from ui.sidebar.choices_row import DROPPED
from ui.sidebar.read_start_file import read_opened
from ui.sidebar.tokenizer_files import MOST_BYTES
from ui.visit import Slot

# How many times files were dropped: each time the uploader is a new one, so that the files are not kept
DROPS: Slot[int] = Slot("_drops", int)
# What is wrong with the files that were dropped last
DROP_PROBLEM: Slot[str] = Slot("_drop_problem", str)


def draw() -> None:
    """Draw the uploader, and what is wrong with the files that were dropped last."""
    key = f"{DROPPED}_{DROPS.read()}"
    st.file_uploader(
        "Files dropped on the page",
        key=key,
        accept_multiple_files=True,
        max_upload_size=MOST_BYTES // 10**6,
        label_visibility="collapsed",
        on_change=_open,
        args=(key,),
    )
    if problem := DROP_PROBLEM.read():
        with st.container(horizontal=True, vertical_alignment="center", key="drop_problem"):
            st.error(in_markdown(problem, most=600), icon=":material/error:")
            st.button("OK", key="drop_read", on_click=DROP_PROBLEM.forget)


def _open(key: str) -> None:
    """Open the files. A callback, since the controls above are drawn already."""
    files = [(file.name, file.getvalue()) for file in st.session_state[key] or ()]
    DROPS.write(DROPS.read() + 1)
    DROP_PROBLEM.forget()
    if not files:
        return
    try:
        read_opened(files).put()
    except BPEError as error:
        DROP_PROBLEM.write(str(error))
