"""The tab “Languages”: one metric of every named document over the merges, a table at one step, and a file."""

from collections.abc import Sequence

import streamlit as st

from bpe.analysis.language_metrics import METRICS, Metric
from bpe.analysis.languages import DocumentCurves, gini
from bpe.text.display import counted
from ui.language_tab import controls, parity
from ui.language_tab.curves import MOST_CHARACTERS, Lane, columns, compared, curves_of, of_one, rows
from ui.language_tab.figures import Line, metric_curves
from ui.language_tab.parity_steps import parity_section
from ui.show.charts import draw_chart, sampled
from ui.show.tables import csv_button, frame
from ui.show.text import in_chart, in_markdown
from ui.sidebar.texts.corpus import Corpus, samples
from ui.sidebar.widgets import corpus_controls

SAMPLE = "languages"
FEWEST = 2  # documents
MOST_ROWS = 20  # of a table that needs no scrolling


def languages_tab(corpus: Corpus, lanes: Sequence[Lane], step: int | None = None) -> None:
    """Draw the tab. `lanes` are trainings on this corpus; without a step of the page the tab has its own slider."""
    if len(corpus.named) < FEWEST:
        _invite()
        return
    documents = compared(corpus)
    run = parity.trained(lanes, documents)
    fair = None if run is None else run.lane
    lanes = [*lanes, *([fair] if fair else [])]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        metric = controls.choose_metric()
        lane = controls.choose_lane(lanes)
        base = controls.choose_base(list(documents))
    curves = curves_of(lane, documents)
    last = len(lane.trace.steps)
    step = controls.choose_step(last) if step is None else min(step, last)
    steps = sampled(last, step)
    lines = (
        _lines_of_lanes(metric, lanes, [curves_of(one, documents) for one in lanes], steps)
        if metric.of_all
        else _lines_of_documents(metric, curves, base, steps)
    )
    dark = st.context.theme.type == "dark"
    title = f"{metric.title} over {in_chart(curves[base].name, 20)}" if metric.takes_base else metric.title
    draw_chart(
        metric_curves(lines, steps, step, title=title, decimals=metric.decimals, dark=dark), "languages_chart"
    )
    _explain(metric)
    _draw_table(curves, base, step)
    _draw_files(corpus, curves, base, steps)
    like = parity.choose(lanes, documents)
    if run is None and parity.trained(lanes, documents):
        st.rerun()  # it has ended while the tab was drawn
    if run and run.result and fair and like:
        parity_section(run, run.result, like, curves_of(like, documents), curves_of(fair, documents))


def _invite() -> None:
    st.info(
        "Here you can compare how many tokens several texts need after every merge. Upload several files, for example "
        "one for each language, or use the sample in fourteen languages.",
        icon=":material/translate:",
    )
    st.button(
        f"Use the sample “{samples()[SAMPLE].title}”",
        key="languages_sample",
        on_click=corpus_controls.put_sample,
        args=(SAMPLE,),
    )


def _lines_of_documents(
    metric: Metric, curves: Sequence[DocumentCurves], base: int, steps: Sequence[int]
) -> list[Line]:
    highlighted = controls.choose_highlighted(curves, base)
    return [
        Line(
            document.name,
            [metric.value(curves, number, base, k) for k in steps],
            number in highlighted,
        )
        for number, document in enumerate(curves)
    ]


def _lines_of_lanes(
    metric: Metric, lanes: Sequence[Lane], curves: Sequence[Sequence[DocumentCurves]], steps: Sequence[int]
) -> list[Line]:
    """Return one line for each lane. A lane that ended earlier has no values after its end."""
    return [
        Line(
            lane.title,
            [metric.value(of_lane, 0, 0, k) if k <= len(lane.trace.steps) else None for k in steps],
            True,
        )
        for lane, of_lane in zip(lanes, curves, strict=True)
    ]


def _explain(metric: Metric) -> None:
    content = (
        " Compare only texts that say the same thing, such as translations." if metric.same_content else ""
    )
    st.caption(f"{metric.title}: {metric.formula}.{content} **{metric.does_not_predict}** ({metric.source}.)")


def _draw_table(curves: Sequence[DocumentCurves], base: int, step: int) -> None:
    """Draw the figures of every document at the step."""
    titles = ("text", *(metric.title for metric in of_one()))
    st.dataframe(
        frame(titles, [row[1 : len(titles) + 1] for row in rows(curves, base, [step])]),
        hide_index=True,
        height="content" if len(curves) <= MOST_ROWS else "auto",
        key="languages_table",
        column_config={
            metric.title: st.column_config.NumberColumn(
                format="localized" if not metric.decimals else f"%.{metric.decimals}f",
                help=f"{metric.formula}. {metric.does_not_predict} ({metric.source}.)",
            )
            for metric in of_one()
        },
    )
    inequality = gini([document.tokens[step] for document in curves])
    name = in_markdown(curves[base].name)
    st.caption(
        f"After {counted(step, 'merge')}. The premium compares each text with {name}. The Gini coefficient of all "
        f"texts is {inequality:.3f}; it is 0 if all need the same number of tokens."
    )


def _draw_files(corpus: Corpus, curves: Sequence[DocumentCurves], base: int, steps: Sequence[int]) -> None:
    csv_button(
        "Download the curves (CSV)",
        columns(),
        lambda: rows(curves, base, steps),
        name="languages",
        key="download_languages",
    )
    remarks = []
    if len(curves) < len(corpus.named):
        remarks.append(f"Only the first {len(curves)} of {len(corpus.named):,} texts are compared.")
    if any(len(corpus.named[document.name]) > document.characters for document in curves):
        remarks.append(
            f"Only the first {MOST_CHARACTERS // len(curves):,} characters of each text are used, so "
            "the texts may no longer say the same thing."
        )
    if remarks:
        st.caption(" ".join(remarks))
    with st.expander("What these figures do not tell you"):
        st.markdown(
            "\n".join(
                f"- **{metric.title}** ({metric.formula}). {metric.does_not_predict} *{metric.source}.*"
                for metric in METRICS.values()
            )
        )
