"""The view “Decode”: ids to text, token by token, and the round trip of the text above with its losses marked."""

import streamlit as st

from bpe import BPEError, Trace
from bpe.analysis.text_rows.decoding import decode_steps, read_ids, round_trip_rows
from bpe.encoding.tokenizer import UNKNOWN_ID
from ui.components.aligned_rows import aligned_rows
from ui.components.decoding import decoding
from ui.encode.controls import Setting
from ui.encode.encoded_text import Encoded, beginning, losses
from ui.show.text import in_markdown
from ui.sidebar.sidebar import Choice
from ui.streamlit_gaps.kept_text import kept_text
from ui.visit.slot import Slot, nothing

# The ids last suggested
SUGGESTED_IDS: Slot[str | None] = Slot("_encode_ids_suggested", nothing)

IDS = "encode_ids"
MOST_SUGGESTED = 300  # ids
MOST_DRAWN = 400  # ids
MOST_TYPED = 200_000  # characters
MOST_REPORTED = 5  # bad ids
SHORT_TEXT = 400  # characters


def decode_view(trace: Trace, choice: Choice, setting: Setting, encoded: Encoded) -> None:
    """Draw the field for the ids, their decoding, and the round trip of the text."""
    _suggest_ids(", ".join(map(str, encoded.ids[:MOST_SUGGESTED])))
    st.text_area(
        "Ids to decode",
        key=IDS,
        height=96,
        max_chars=MOST_TYPED,
        placeholder="Paste ids: 264 32 98, or [264, 32, 98]",
        persist_state="session",
    )
    suggestions = {IDS: SUGGESTED_IDS.read()}
    kept_text({IDS: IDS}, (IDS,), key="_kept_ids", restore=_restore, suggestions=suggestions)
    st.caption("These are the ids of the text above until you change them. Empty the field to get them back.")
    try:
        steps = list(decode_steps(setting.tokenizer, read_ids(st.session_state[IDS] or "")))
    except BPEError as error:
        st.error(in_markdown(str(error), 300))
        return
    if not steps:
        st.info(
            "Paste some ids. Each is looked up in the vocabulary, and the bytes of its token are appended."
        )
        return
    decoding(steps[:MOST_DRAWN], setting.tokenizer, key="decoding")
    if len(steps) > MOST_DRAWN:
        st.caption(
            f"The picture shows the first {MOST_DRAWN:,} of {len(steps):,} ids. The text below is complete."
        )
    _report([step.problem for step in steps if step.problem])
    good = [step.number for step in steps if step.token is not None and step.number is not None]
    st.code(setting.tokenizer.decode(good), language=None, wrap_lines=True)
    if steps[-1].pending:
        st.caption(
            f"The last bytes, {steps[-1].pending.hex(' ').upper()}, begin a character that no id completes, "
            "so they are decoded as U+FFFD."
        )
    if any(step.number == UNKNOWN_ID for step in steps):
        st.caption(
            f"The id {UNKNOWN_ID} marks a character that is not in the vocabulary. It is decoded as U+FFFD, �."
        )
    _round_trip(setting, encoded)


def _suggest_ids(ids: str) -> None:
    """Put the text's ids into the field. They follow the text until the viewer changes them."""
    before = SUGGESTED_IDS.read()
    if st.session_state.get(IDS, before) in (before, ""):
        st.session_state[IDS] = ids
    SUGGESTED_IDS.write(ids)


def _restore(texts: dict[str, str]) -> None:
    if IDS in texts and st.session_state.get(IDS) in (SUGGESTED_IDS.read(), "", None):
        st.session_state[IDS] = texts[IDS]


def _report(problems: list[str]) -> None:
    if problems:
        more = f"  \n… and {len(problems) - MOST_REPORTED:,} more." if len(problems) > MOST_REPORTED else ""
        st.warning("  \n".join(in_markdown(problem, 200) for problem in problems[:MOST_REPORTED]) + more)


def _round_trip(setting: Setting, encoded: Encoded) -> None:
    """Draw the text decoded from its ids, with every difference marked."""
    st.header("The round trip of the text above")
    text = encoded.typed
    part = text if len(text) <= SHORT_TEXT else beginning(text, setting)
    tokenizer = setting.tokenizer
    back = tokenizer.decode(tokenizer.encode(part, setting.encoder))
    if encoded.returns:
        st.markdown("**Nothing is lost**: the ids give back every character of the text.")
        return
    if part == back:
        st.markdown(
            f"The first {len(part):,} characters come back unchanged, but something after them does not."
        )
        return
    st.markdown(in_markdown(f"Lost on the way: {losses(tokenizer, encoded)}.", 400))
    aligned_rows(round_trip_rows(part, back), {}, key="round_trip", label="The text as typed, and as decoded")
    if len(part) < len(text):
        st.caption(f"The picture shows the first {len(part):,} of {len(text):,} characters.")
