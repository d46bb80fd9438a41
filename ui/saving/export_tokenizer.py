"""Export tokenizer: all merges, or the first ones, as a file of a real library; or why a format cannot hold them."""

from collections.abc import Callable, Mapping
from weakref import WeakKeyDictionary

import streamlit as st

from bpe import Trace
from bpe.formats import FORMATS, Format
from bpe.text.display import counted
from bpe.text.normalizing import NORMALIZATIONS
from ui.show.text import in_markdown
from ui.streamlit_gaps.popover import open_popover

_REFUSALS: "WeakKeyDictionary[Trace, tuple[int, Mapping[str, str | None]]]" = WeakKeyDictionary()


def export_tokenizer(trace: Trace, step: int) -> None:
    """Draw the popover with a button for each format. Nothing is written before it is opened."""
    popover = open_popover("Export tokenizer", "download", "export_tokenizer")
    if popover is None:
        return
    with popover:
        merges = _merges(trace, step)
        # Of a file's merges, a text needs some.
        exported = len(trace.tokenizer(merges).merges) if trace.replayed else merges
        st.write(f"The tokenizer after {counted(exported, 'merge')}, as a file.")
        with st.spinner("Trying the formats …"):
            reasons = refusals(trace, merges)
        for row in FORMATS.values():
            reason = reasons[row.slug]
            st.download_button(
                row.title,
                data=_content(row, trace, merges),
                file_name=row.file_name,
                disabled=reason is not None,
                key=f"export_{row.slug}",
                on_click="ignore",
                width="stretch",
            )
            st.caption(in_markdown(reason or f"{row.about}{left_out(row, trace)}", most=500))


def _merges(trace: Trace, step: int) -> int:
    """Draw the choice between all merges and those of the step in view, and return how many to export.

    All of them come first: on Watch, people often open the popover at step 0, where the tokenizer is still empty.
    """
    last = len(trace.steps)
    if step == last:
        return last
    titles = {
        "all": "The only merge" if last == 1 else f"All {last:,} merges",
        "step": f"The first {step:,} merges" if step > 1 else ("The first merge" if step else "No merge"),
    }
    if trace.replayed:
        titles = {"all": "The whole file", "step": "The merges up to this step"}
    chosen = st.segmented_control(
        "Merges to export",
        tuple(titles),
        key="export_merges",
        format_func=titles.__getitem__,
        default="all",
        required=True,
        help="The second choice exports the tokenizer of the step that the page shows.",
    )
    return step if chosen == "step" else last


def refusals(trace: Trace, step: int) -> Mapping[str, str | None]:
    """Return why each format cannot hold the trace at a step; None for one that can. Caches the last step's answer.

    Every format writes its file to find out, which takes seconds for 200,000 merges.
    """
    if trace not in _REFUSALS or _REFUSALS[trace][0] != step:
        _REFUSALS[trace] = step, {slug: row.refusal(trace, step) for slug, row in FORMATS.items()}
    return _REFUSALS[trace][1]


def left_out(row: Format, trace: Trace) -> str:
    """Return a sentence on the normalization that a file does not hold; "" if there is none."""
    form = trace.request.normalization
    if form is None or row.says_normalization:
        return ""
    return f" It does not say that {NORMALIZATIONS[form].name} comes first."


def _content(row: Format, trace: Trace, step: int) -> Callable[[], bytes]:
    return lambda: row.exported(trace, step)
