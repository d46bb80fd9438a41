"""The tab itself."""

import streamlit as st

from bpe import Trace
from ui.sidebar.sidebar import Choice
from ui.step_slider import cache_key, tokenizer
from ui.vocabulary.audit.auditing import audited
from ui.vocabulary.audit.findings_table import findings_table
from ui.vocabulary.audit.reference import choose_reference
from ui.vocabulary.audit.removal import removal_section


def audit_tab(trace: Trace, choice: Choice, step: int) -> None:
    """Draw the tab."""
    st.caption(
        "Each token costs a row in a model’s table. An audit lists tokens that a text never uses, tokens that no "
        "text seems to give, and tokens that may confuse a model, such as those that it hardly saw in training."
    )
    reference = choose_reference(choice)
    if reference is None:
        return
    opened = tokenizer(trace, choice, step)
    if not opened.merges:
        st.info("There is no merged token to look at yet. Move the slider above to a later merge.")
        return
    result = audited(cache_key(trace, choice, step), opened, reference)
    if result is not None:
        name, findings = result
        rows = findings_table(name, findings, opened.variant)
        removal_section(name, opened, findings, rows)
