"""Export tokenizer: the tokenizer at a step as a file of a real library, or the reason why a format cannot hold it."""

from collections.abc import Callable

import streamlit as st

from bpe import Trace
from bpe.formats import FORMATS, Format
from bpe.text.display import counted
from ui.show.text import in_markdown


def export_tokenizer(trace: Trace, step: int) -> None:
    """Draw the popover with a button for each format. Nothing is written before it is opened."""
    popover = st.popover(
        "Export tokenizer", icon=":material/download:", key="export_tokenizer", on_change="rerun"
    )
    if not popover.open:
        return
    with popover:
        st.write(f"The tokenizer after {counted(step, 'merge')}, as a file.")
        for row in FORMATS.values():
            reason = row.refusal(trace, step)
            st.download_button(
                row.title,
                data=_content(row, trace, step),
                file_name=row.file_name,
                disabled=reason is not None,
                key=f"export_{row.slug}",
                on_click="ignore",
                width="stretch",
            )
            st.caption(in_markdown(reason or row.about, most=500))


def _content(row: Format, trace: Trace, step: int) -> Callable[[], bytes]:
    return lambda: row.export(trace, step).encode()
