"""The tokenizer without the tokens that the viewer chose: what the removal means, and the files that hold it."""

from collections.abc import Callable

import streamlit as st

from bpe.analysis.audit import KINDS, Findings
from bpe.analysis.removal import Removal, remove_tokens
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats import FORMATS, Format
from bpe.text.display import counted
from ui.show.text import in_markdown
from ui.streamlit_gaps.popover import open_popover
from ui.work.byte_cache import digest_of

WHOLE_KINDS = "audit_remove"


def removal_section(name: str, tokenizer: Tokenizer, findings: Findings, rows: frozenset[int]) -> None:
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
    st.caption(sentence(removal, findings))
    popover = open_popover("Save the smaller tokenizer", "download", "audit_export")
    if popover is not None:
        with popover, st.spinner("Trying the formats …"):
            for row in FORMATS.values():
                if row.write_trace is None:
                    _draw_format(row, removal.tokenizer)


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


def sentence(removal: Removal, findings: Findings) -> str:
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


def _draw_format(row: Format, tokenizer: Tokenizer) -> None:
    reason = row.refusal_of(tokenizer)
    st.download_button(
        row.title,
        data=_content(row, tokenizer),
        file_name=row.file_name,
        disabled=bool(reason),
        key=f"audit_export_{row.slug}",
        on_click="ignore",
        width="stretch",
    )
    st.caption(in_markdown(reason or row.about, most=500))


def _content(row: Format, tokenizer: Tokenizer) -> Callable[[], bytes]:
    return lambda: row.content(tokenizer)
