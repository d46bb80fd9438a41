"""The tab itself."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from bpe import Trace
from bpe.analysis.audit import KINDS, Finding, Findings, Kind, Removal, Texts, audit_steps, remove_tokens
from bpe.analysis.vocabulary import LONGEST_SHOWN, in_short
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats import FORMATS
from bpe.symbols import Symbol
from bpe.text.display import counted
from film.labels import short_chip_label
from ui import visit
from ui.choices.choices import Choice
from ui.choices.corpus import from_sample, samples
from ui.components.chip_table import Chips, Column, chip_table
from ui.components.chip_table import Kind as CellKind
from ui.saving import save_as
from ui.show.menus import choose, menu
from ui.show.tables import MOST_ROWS, csv_button
from ui.show.text import well_formed
from ui.step_slider import cache_key, tokenizer
from ui.streamlit_gaps.popover import open_popover
from ui.visit import Slot
from ui.vocabulary.held_out_text import own_text
from ui.work.byte_cache import digest_of
from ui.work.long_work import Says, SharedWork, shown

KIND = "audit_kind"
LONGEST_IN_CELL = 64  # bytes of a token
MOST_TABLE_HEIGHT = 330  # pixels

# {kind: ids of the chosen rows}, of the audit with the name under ""
CHOSEN: Slot[dict[str, Any]] = Slot("_audit_chosen", dict)
KEY, OWN_TEXT = "audit_by", "audit_own_text"
YOURS, OWN = "yours", "own"
MOST_CHARACTERS = 1_000_000  # of a text of one's own
SHORT_TEXT = 200_000  # characters
LINK = {"audit": (KEY, visit.slug(*samples(), OWN))}
WHOLE_KINDS = "audit_remove"


def audit_tab(trace: Trace, choice: Choice, step: int) -> None:
    """Draw the tab."""
    st.caption(
        "An audit lists tokens that a text never uses, or that no text seems to give.",
        help="Each token costs a row in a model’s table. The audit also lists tokens that may confuse a model, such as "
        "those that it hardly saw in training.",
    )
    reference = _choose_reference(choice)
    if reference is None:
        return
    opened = tokenizer(trace, choice, step)
    if not opened.merges:
        st.info("There is no merged token to look at yet. Move the slider above to a later merge.")
        return
    result = _audited(cache_key(trace, choice, step), opened, reference)
    if result is not None:
        name, findings = result
        rows = _findings_table(name, findings, opened)
        _removal_section(name, opened, findings, rows)


def linked() -> dict[str, str | int | None]:
    """Return the link parameter of the text; empty for the chosen one."""
    slug = st.session_state.get(KEY)
    return {"audit": None if slug in (None, YOURS) else str(slug)}


def _sentence(removal: Removal, findings: Findings) -> str:
    """Return what the removal means for the text, and what stays although it was chosen."""
    unused = {finding.symbol for slug in ("unreachable", "never", "inside") for finding in findings[slug]}
    used = sum(symbol not in unused for symbol in removal.removed)
    text = "The text is split as before. All other tokens keep their ids."
    if used:
        text = (
            f"The text contains {counted(used, 'removed token')}, so it is split differently without "
            f"{'it' if used == 1 else 'them'}. All other tokens keep their ids."
        )
    if removal.needed:
        stays = "stays, since it is a part" if len(removal.needed) == 1 else "stay, since they are parts"
        text += f" {counted(len(removal.needed), 'chosen token')} {stays} of tokens that you keep."
    return text


def _findings_table(name: str, findings: Findings, tokenizer: Tokenizer) -> frozenset[int]:
    """Draw the kinds and the table of one of them. Return the ids of the rows that are chosen, of all kinds."""
    if CHOSEN.read().get("") != name:
        CHOSEN.write({"": name})
    titles = {slug: f"{KINDS[slug].title}: {len(rows):,}" for slug, rows in findings.items()}
    first = next(iter([slug for slug, rows in findings.items() if rows] or titles))
    slug = choose(st.pills, "What the audit lists", titles, KIND, first, required=True)
    kind, rows = KINDS[slug], findings[slug]
    st.caption(_about(kind, rows))
    if rows:
        _draw_table(name, slug, rows, tokenizer)
    chosen = CHOSEN.read()
    return frozenset(number for of_kind, ids in chosen.items() if of_kind for number in ids)


def _about(kind: Kind, rows: Sequence[Finding]) -> str:
    """Return what holds for the tokens of a kind, and how many there are for each reason."""
    if not rows:
        return kind.none
    reasons = Counter(one.because for one in rows if one.because).most_common()
    return kind.about + "".join(f" {counted(times, 'token')}: {why}." for why, times in reasons)


def _draw_table(name: str, slug: str, rows: Sequence[Finding], tokenizer: Tokenizer) -> None:
    first_rows, columns = rows[:MOST_ROWS], _columns_of(slug)

    def choose(positions: Sequence[int]) -> None:
        CHOSEN.read()[slug] = frozenset(first_rows[row].id for row in positions)

    caption = counted(len(rows), "token")
    if len(rows) > len(first_rows):
        caption += f"; {len(first_rows)} are shown, the file has all"
    st.caption(f"{caption}. Choose rows to remove single tokens.")
    chips = Chips(partial(short_chip_label, tokenizer.variant, longest=LONGEST_IN_CELL), tokenizer.ids.get)
    reason: CellKind = "tokens" if any(one.tokens for one in first_rows) else "text"
    kinds: dict[str, CellKind] = {"id": "number", "token": "tokens", KINDS[slug].why: reason}
    chip_table(
        [Column(title, kinds.get(title, "prose")) for title in columns],
        [
            (one.id, chips(one.symbol), chips(*one.tokens) if one.tokens else one.why, one.because)[
                : len(columns)
            ]
            for one in first_rows
        ],
        chips,
        key=f"audit_table_{slug}_{name[:12]}",
        label=f"{KINDS[slug].title}, one token per row",
        height=MOST_TABLE_HEIGHT,
        marked=_chosen_rows(slug, first_rows),
        mark=choose,
    )
    csv_button(
        f"Download {counted(len(rows), 'token')} (CSV)",
        columns,
        partial(_finding_rows, slug, rows, tokenizer.variant.label, LONGEST_SHOWN),
        name=f"audit-{slug}",
        key="download_audit",
    )


def _chosen_rows(slug: str, first_rows: Sequence[Finding]) -> list[int]:
    ids = CHOSEN.read().get(slug, ())
    return [row for row, finding in enumerate(first_rows) if finding.id in ids]


def _columns_of(slug: str) -> tuple[str, ...]:
    """Return the heads of the columns of a kind."""
    kind = KINDS[slug]
    return ("id", "token", *filter(None, (kind.why, kind.because)))


def _finding_rows(
    slug: str, rows: Sequence[Finding], label: Callable[[Symbol], str], longest: int
) -> Iterator[tuple[Any, ...]]:
    """Yield one row of `_columns_of` for each finding; the middle of a long token is left out."""
    size = len(_columns_of(slug))
    for finding in rows:
        yield (finding.id, in_short(finding.symbol, label, longest), finding.reason(label), finding.because)[
            :size
        ]


@dataclass(frozen=True, slots=True)
class _Reference:
    """A text by which tokens are judged."""

    digest: str  # hash of the text
    texts: Texts
    is_short: bool  # an audit by it takes seconds


def _choose_reference(choice: Choice) -> _Reference | None:
    """Draw the choice and return the text; None while the viewer's own is empty."""
    titles = {YOURS: "Your text"}
    titles |= {slug: sample.title for slug, sample in samples().items() if sample.kind == "text"}
    titles[OWN] = "A text of my own"
    slug = menu("Which text decides whether a token is used?", titles, KEY)
    if slug == OWN:
        return _own_text()
    corpus = choice.corpus if slug == YOURS else from_sample(slug)
    texts = corpus.documents if corpus.frequencies is None else corpus.frequencies
    return _Reference(corpus.digest, texts, corpus.characters <= SHORT_TEXT)


def _own_text() -> _Reference | None:
    text = own_text("Text that decides which tokens are used", OWN_TEXT, MOST_CHARACTERS)
    if not text.strip():
        st.info("Paste or type a text, then press Ctrl+Enter or leave the field.")
        return None
    return _Reference(digest_of(text), [well_formed(text)], len(text) <= SHORT_TEXT)


def _audited(
    key: object, tokenizer: Tokenizer, reference: _Reference, wait: float | None = None
) -> tuple[str, Findings] | None:
    """Return the audit's name and findings. Before they are there, draw progress with a Stop and return None.

    Sessions that ask for the same audit share it.

    key: identifies the tokenizer.
    wait: seconds before progress is drawn.
    """
    name = digest_of(key, reference.digest)

    def compute(work: SharedWork[Findings]) -> None:
        for share, findings in audit_steps(tokenizer, reference.texts):
            work.report(share, findings or None)

    says = Says(
        lambda: "Trying every token …",
        "The audit was stopped before its end, so there is no result.",
        "Audit again",
        "Audit again",
    )
    findings = shown("audit", f"audit {name}", compute, says, is_short=reference.is_short, wait=wait)
    return None if findings is None else (name, findings)


def _removal_section(name: str, tokenizer: Tokenizer, findings: Findings, rows: frozenset[int]) -> None:
    """Draw the choice of whole kinds, and what is removed together with the chosen rows."""
    st.subheader("Remove tokens", anchor=False)
    ids = rows | _choose_kinds(findings)
    if not ids:
        st.caption("Choose a whole kind here, or rows of the table above. Then save the smaller tokenizer.")
        return
    with st.spinner("Removing …"):
        removal = _removal(digest_of(name, sorted(ids)), tokenizer, ids, findings)
    before = len(tokenizer.vocabulary) - len(tokenizer.gaps)
    st.metric(
        "Vocabulary",
        f"{before - len(removal.removed):,}",
        f"{-len(removal.removed):,} tokens" if removal.removed else "nothing removed",
        delta_color="off",
        delta_arrow="off",
    )
    st.caption(_sentence(removal, findings))
    popover = open_popover("Save the smaller tokenizer", "download", "audit_export")
    if popover is not None:
        with popover, st.spinner("Trying the formats …"):
            for row in FORMATS.values():
                if row.write_trace is None:
                    smaller = removal.tokenizer
                    save_as(
                        row,
                        partial(row.content, smaller),
                        row.refusal_of(smaller) or "",
                        row.about,
                        "audit_export",
                    )


def _choose_kinds(findings: Findings) -> frozenset[int]:
    """Draw the kinds whose tokens the text does not need, and return the ids of those that are chosen."""
    titles = {slug: KINDS[slug].title for slug, rows in findings.items() if rows and KINDS[slug].may_remove}
    if not titles:
        return frozenset()
    if not set(st.session_state.get(WHOLE_KINDS) or ()) <= titles.keys():
        st.session_state[WHOLE_KINDS] = []
    chosen = st.pills(
        "All tokens of a kind",
        tuple(titles),
        selection_mode="multi",
        key=WHOLE_KINDS,
        format_func=titles.__getitem__,
        persist_state="session",
    )
    return frozenset(finding.id for slug in chosen for finding in findings[slug])


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _removal(key: str, _tokenizer: Tokenizer, _ids: frozenset[int], _findings: Findings) -> Removal:
    """Remove the tokens. A session caches the last removal, named by the audit and the ids."""
    return remove_tokens(_tokenizer, _ids, {finding.symbol for finding in _findings["unreachable"]})
