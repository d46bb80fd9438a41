"""The answer of the page Languages: a sentence, the chart of the measure, a table, and files with every measure."""

from collections.abc import Sequence

import streamlit as st

from bpe.analysis.language_metrics import METRICS, Metric, metric_csv, metric_json, values_of
from bpe.analysis.languages import Measured
from bpe.text.display import counted
from ui.languages.choices import Choices
from ui.languages.dots import Values, dot_rows, in_order
from ui.languages.own_files import Named
from ui.show.charts import draw_chart
from ui.show.tables import frame
from ui.show.text import in_markdown

ALL = "all texts"  # the name of the one row of a measure of all texts together


def draw(choices: Choices, tokenizers: Sequence[Named], table: Sequence[Measured]) -> None:
    """Draw everything below the controls."""
    row = choices.measure
    values = pivot(table, choices.base, row)
    names = [named.name for named in tokenizers]
    st.header(in_markdown(sentence(values, names, row, choices.base), 400), anchor=False)
    title = f"{row.title}, {choices.base} = 1" if row.takes_base else row.title
    dark = st.context.theme.type == "dark"
    number_format = ".0%" if row.is_share else f",.{0 if row.slug == 'tokens' else min(row.decimals, 2)}f"
    draw_chart(dot_rows(values, names, title=title, number_format=number_format, dark=dark), "measures_chart")
    _explain(row, choices, table)
    columns = ("text", *names)
    st.dataframe(
        frame(columns, [(name, *(values[name][one] for one in names)) for name in in_order(values)]),
        hide_index=True,
        height="content" if len(values) <= 20 else "auto",
        key="measures_table",
        column_config={
            name: st.column_config.NumberColumn(
                format="percent"
                if row.is_share
                else "localized"
                if not row.decimals
                else f"%.{row.decimals}f"
            )
            for name in names
        },
    )
    _draw_files(choices, tokenizers, table)


def pivot(table: Sequence[Measured], base: str, row: Metric) -> Values:
    """Return the measure's values by text and tokenizer; a measure of all texts has one row for them."""
    values: dict[str, dict[str, float | None]] = {}
    for one, measures in zip(table, values_of(table, base), strict=True):
        values.setdefault(ALL if row.of_all else one.text, {})[one.tokenizer] = measures[row.slug]
    return values


def sentence(values: Values, tokenizers: Sequence[str], row: Metric, base: str) -> str:
    """Return the largest and the smallest largest value, in words: whose text pays most, under which tokenizer.

    >>> rows = {"en": {"A": 1.0, "B": 1.0}, "hi": {"A": 4.0, "B": 1.5}}
    >>> sentence(rows, ["A", "B"], METRICS["premium"], "en")
    'Under A, hi needs 4.0 times as many tokens as en; under B, no text needs more than 1.5 times as many.'
    """
    known = [
        (value, name, tokenizer)
        for name, of_text in values.items()
        for tokenizer, value in of_text.items()
        if value is not None and not (row.takes_base and name == base)
    ]
    if not known:
        return f"None of these texts has a value for “{row.title}”."
    if not row.takes_base:
        least, most = min(known), max(known)
        number = "{:.1%}" if row.is_share else f"{{:,.{row.decimals}f}}"
        ends = [f"{number.format(value)} ({name}, {tokenizer})" for value, name, tokenizer in (least, most)]
        return f"{row.title}: from {ends[0]} to {ends[1]}."
    worst = {tokenizer: max(one for one in known if one[2] == tokenizer) for tokenizer in tokenizers}
    value, name, tokenizer = max(worst.values())
    text = f"Under {tokenizer}, {name} needs {value:.1f} times as many tokens as {base}"
    fairest = min(worst.values())
    if fairest[2] == tokenizer:
        return f"{text}."
    return f"{text}; under {fairest[2]}, no text needs more than {fairest[0]:.1f} times as many."


def _explain(row: Metric, choices: Choices, table: Sequence[Measured]) -> None:
    content = " Compare only texts that say the same thing, such as translations." if row.same_content else ""
    st.caption(f"{row.title}: {row.formula}.{content} **{row.does_not_predict}** ({row.source}.)")
    notes = []
    if choices.left_out:
        notes.append(f"The last {counted(choices.left_out, 'character')} of the texts are left out.")
    unknown = [one for one in table if one.unknown]
    if unknown:
        worst = max(unknown, key=lambda one: one.unknown)
        notes.append(
            f"{worst.tokenizer} has no token for {counted(worst.unknown, 'part')} of {worst.text}, so its numbers "
            "for that text say little."
        )
    if notes:
        st.caption(in_markdown(" ".join(notes), 600))


def _draw_files(choices: Choices, tokenizers: Sequence[Named], table: Sequence[Measured]) -> None:
    sources = {named.name: named.about for named in tokenizers}
    with st.container(horizontal=True):
        st.download_button(
            "All measures (CSV)",
            data=lambda: metric_csv(table, choices.base).encode("utf-8", "replace"),
            file_name="measures.csv",
            mime="text/csv",
            on_click="ignore",
            key="measures_csv",
        )
        st.download_button(
            "All measures (JSON)",
            data=lambda: metric_json(table, choices.base, choices.texts, sources).encode("utf-8", "replace"),
            file_name="measures.json",
            mime="application/json",
            on_click="ignore",
            key="measures_json",
        )
    with st.expander("What these figures do not tell you"):
        st.markdown(
            "\n".join(
                f"- **{one.title}** ({one.formula}). {one.does_not_predict} *{one.source}.*"
                for one in METRICS.values()
            )
        )
