"""The findings of an audit, one kind at a time: a table whose rows can be chosen, and a file with all rows."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import streamlit as st

from bpe.analysis.audit import KINDS, Finding, Findings, Kind
from bpe.analysis.vocabulary import LONGEST_SHOWN, in_short
from bpe.symbols import Symbol
from bpe.text.display import counted
from bpe.text.sentence_label import sentence_label
from bpe.text.variant import Variant
from ui.show.tables import MOST_ROWS, csv_button, frame
from ui.visit import Slot

KIND = "audit_kind"
LONGEST_IN_CELL = 64  # bytes of a token

# {kind: ids of the chosen rows}, of the audit with the name under ""
CHOSEN: Slot[dict[str, Any]] = Slot("_audit_chosen", dict)


def findings_table(name: str, findings: Findings, variant: Variant) -> frozenset[int]:
    """Draw the kinds and the table of one of them. Return the ids of the rows that are chosen, of all kinds."""
    if CHOSEN.read().get("") != name:
        CHOSEN.write({"": name})
    titles = {slug: f"{KINDS[slug].title}: {len(rows):,}" for slug, rows in findings.items()}
    if st.session_state.get(KIND) not in titles:
        st.session_state[KIND] = next(iter([slug for slug, rows in findings.items() if rows] or titles))
    slug = str(
        st.pills(
            "What the audit lists",
            tuple(titles),
            key=KIND,
            format_func=titles.__getitem__,
            required=True,
            persist_state="session",
        )
    )
    kind, rows = KINDS[slug], findings[slug]
    st.caption(_about(kind, rows))
    if rows:
        _draw_table(name, slug, rows, variant)
    chosen = CHOSEN.read()
    return frozenset(number for of_kind, ids in chosen.items() if of_kind for number in ids)


def _about(kind: Kind, rows: Sequence[Finding]) -> str:
    """Return what holds for the tokens of a kind, and how many there are for each reason."""
    if not rows:
        return kind.none
    reasons = Counter(one.because for one in rows if one.because).most_common()
    return kind.about + "".join(f" {counted(times, 'token')}: {why}." for why, times in reasons)


def _draw_table(name: str, slug: str, rows: Sequence[Finding], variant: Variant) -> None:
    first_rows, columns = rows[:MOST_ROWS], columns_of(slug)
    key = f"audit_table_{slug}_{name[:12]}"

    def choose() -> None:
        selected = st.session_state[key].selection.rows
        CHOSEN.read()[slug] = frozenset(first_rows[row].id for row in selected if 0 <= row < len(first_rows))

    caption = counted(len(rows), "token")
    if len(rows) > len(first_rows):
        caption += f"; {len(first_rows)} are shown, the file has all"
    st.caption(f"{caption}. Choose rows to remove single tokens.")
    st.dataframe(
        frame(columns, list(finding_rows(slug, first_rows, sentence_label(variant), LONGEST_IN_CELL))),
        hide_index=True,
        height=min(320, 38 + 35 * len(first_rows)),
        key=key,
        on_select=choose,
        selection_mode="multi-row",
        selection_default={"selection": {"rows": _selected_rows(slug, first_rows)}},
        alt=f"{KINDS[slug].title}, one token per row",
        column_config={"id": st.column_config.NumberColumn(format="%d")},
    )
    csv_button(
        f"Download {counted(len(rows), 'token')} (CSV)",
        columns,
        partial(finding_rows, slug, rows, variant.label, LONGEST_SHOWN),
        name=f"audit-{slug}",
        key="download_audit",
    )


def _selected_rows(slug: str, first_rows: Sequence[Finding]) -> list[int]:
    ids = CHOSEN.read().get(slug, ())
    return [row for row, finding in enumerate(first_rows) if finding.id in ids]


def columns_of(slug: str) -> tuple[str, ...]:
    """Return the heads of the columns of a kind."""
    kind = KINDS[slug]
    return ("id", "token", *filter(None, (kind.why, kind.because)))


def finding_rows(
    slug: str, rows: Sequence[Finding], label: Callable[[Symbol], str], longest: int
) -> Iterator[tuple[Any, ...]]:
    """Yield one row of `columns_of` for each finding; the middle of a long token is left out."""
    size = len(columns_of(slug))
    for finding in rows:
        yield (finding.id, in_short(finding.symbol, label, longest), finding.reason(label), finding.because)[
            :size
        ]
