"""An audit in a thread, with progress and a Stop. Sessions that ask for the same audit share it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from bpe.analysis.audit import Findings, audit_steps
from bpe.encoding.tokenizer import Tokenizer
from ui.show.text import in_markdown
from ui.streamlit_gaps.stop_button import stop_button
from ui.visit import Slot, large, nothing
from ui.vocabulary.audit.reference import Reference
from ui.work.byte_cache import digest_of
from ui.work.jobs import WatchedWork, line, watch
from ui.work.memory_budget import fragment

WAIT = 0.8  # seconds for which the page waits before it shows progress
POLLING = 0.5  # seconds between two looks at the progress


@dataclass(frozen=True, slots=True)
class Audit:
    """A session's watch of an audit."""

    name: str  # hash of tokenizer and text
    watched: WatchedWork[Findings]


# The audit on the page, on its way or done
AUDIT: Slot[Audit | None] = large(Slot("_audit", nothing))


def audited(key: object, tokenizer: Tokenizer, reference: Reference) -> tuple[str, Findings] | None:
    """Return the audit's name and findings. Before they are there, draw progress with a Stop and return None.

    `key` identifies the tokenizer.
    """
    audit = AUDIT.read()
    name = digest_of(key, reference.digest)
    if audit is None or audit.name != name:
        if audit is not None:
            audit.watched.stop()
        audit = Audit(name, watch(f"audit {name}", _computing(tokenizer, reference)))
        AUDIT.write(audit)
        audit.watched.work.job.is_short = reference.is_short
        audit.watched.start()
        audit.watched.work.job.ended.wait(WAIT)
    work = audit.watched.work
    if work.is_complete and work.result is not None:
        return name, work.result
    if audit.watched.is_running:
        row = st.container(horizontal=True, vertical_alignment="center")
        with row:
            _draw_progress(audit.watched)
        stop_button(row, "audit_stop", audit.watched.stop)
        return None
    if audit.watched.problem:
        st.error(in_markdown(audit.watched.problem, most=500))
    else:
        st.warning("The audit was stopped before its end, so there is no result.")
    st.button("Audit again", key="audit_again", on_click=audit.watched.start)
    return None


def _computing(tokenizer: Tokenizer, reference: Reference) -> Callable[[Callable[..., None]], None]:
    def compute(report: Callable[[float, Findings | None], None]) -> None:
        for share, findings in audit_steps(tokenizer, reference.texts):
            report(share, findings or None)

    return compute


@partial(fragment, run_every=POLLING)
def _draw_progress(watched: WatchedWork[Findings]) -> None:
    """Draw how much is done; run the page again when all is."""
    watched.look()
    job = watched.work.job
    job.ended.wait(0.3)  # a short audit then needs no second run of the page
    if job.ended.is_set():
        st.rerun()
    st.progress(watched.work.share, text=line(job.ahead) if job.ahead else "Trying every token …")
