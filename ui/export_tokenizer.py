"""Export tokenizer: the tokenizer at a step as a file of a real library, or the reason why a format cannot hold it."""

from collections.abc import Callable, Mapping
from weakref import WeakKeyDictionary

import streamlit as st

from bpe import Trace
from bpe.formats import FORMATS, Format
from bpe.text.display import counted
from ui.popover import open_popover
from ui.show.text import in_markdown

_REFUSALS: "WeakKeyDictionary[Trace, tuple[int, Mapping[str, str | None]]]" = WeakKeyDictionary()


def export_tokenizer(trace: Trace, step: int) -> None:
    """Draw the popover with a button for each format. Nothing is written before it is opened."""
    popover = open_popover("Export tokenizer", "download", "export_tokenizer")
    if popover is None:
        return
    with popover:
        st.write(f"The tokenizer after {counted(step, 'merge')}, as a file.")
        with st.spinner("Trying the formats …"):
            reasons = refusals(trace, step)
        for row in FORMATS.values():
            reason = reasons[row.slug]
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


def refusals(trace: Trace, step: int) -> Mapping[str, str | None]:
    """Return why each format cannot hold the trace at a step; None for one that can. Caches the last step's answer.

    Every format writes its file to find out, which takes seconds for 200,000 merges.
    """
    if trace not in _REFUSALS or _REFUSALS[trace][0] != step:
        _REFUSALS[trace] = step, {slug: row.refusal(trace, step) for slug, row in FORMATS.items()}
    return _REFUSALS[trace][1]


def _content(row: Format, trace: Trace, step: int) -> Callable[[], bytes]:
    return lambda: row.export(trace, step).encode()
