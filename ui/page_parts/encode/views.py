"""The views below the result: a registry, and the control that opens one of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from bpe import BPEError, Trace
from bpe.analysis.decoding import decode_steps, read_ids, round_trip_rows
from bpe.encoding.encoders import DEFAULT_ENCODER
from bpe.encoding.tokenizer import UNKNOWN_ID, Tokenizer
from bpe.text.normalizing import Normalised
from film.labels import chip_label
from film.textbook_code import decoding_lines
from ui.choices.choices import Choice
from ui.page_parts.encode.comparisons import encoders_view
from ui.page_parts.encode.controls import Setting
from ui.page_parts.encode.encoded_text import Encoded, beginning, losses
from ui.trainings.memory_budget import fragment
from ui.view import visit
from ui.view.aligned_rows import aligned_rows
from ui.view.boundary_picker import boundaries_of, boundary_picker
from ui.view.decoding import decoding
from ui.view.listing import listing
from ui.view.menus import segments
from ui.view.text import in_markdown
from ui.view.text_field import text_field
from ui.view.visit import Slot, nothing

# The ids last suggested
_SUGGESTED_IDS: Slot[str | None] = Slot("_encode_ids_suggested", nothing)
_IDS = "encode_ids"
_MOST_SUGGESTED = 300  # ids
_MOST_DRAWN = 400  # ids
_MOST_CODE_CHIPS = 16  # symbols beside the code
_MOST_TYPED = 200_000  # characters
_MOST_REPORTED = 5  # bad ids
_SHORT_TEXT = 400  # characters
_KEY = "encode_view"


def open_view(trace: Trace, choice: Choice, setting: Setting, encoded: Encoded) -> None:
    """Draw the control that chooses a view, and the chosen view."""
    view = segments("Look closer", {slug: row.title for slug, row in VIEWS.items()}, _KEY, "why")
    visit.write({"view": None if view == "why" else view})
    VIEWS[view].draw(trace, choice, setting, encoded)


def _decode_view(trace: Trace, choice: Choice, setting: Setting, encoded: Encoded) -> None:
    """Draw the field for the ids, their decoding, and the round trip of the text."""
    _suggest_ids(", ".join(map(str, encoded.ids[:_MOST_SUGGESTED])))
    ids = text_field(
        "Ids to decode",
        key=_IDS,
        most=_MOST_TYPED,
        placeholder="Paste ids: 264 32 98, or [264, 32, 98]",
        says="These are the ids of the text above until you change them. Empty the field to get them back.",
        suggestion=_SUGGESTED_IDS.read(),
    )
    try:
        steps = list(decode_steps(setting.tokenizer, read_ids(ids)))
    except BPEError as error:
        st.error(in_markdown(str(error), 300))
        return
    if not steps:
        st.info(
            "Paste some ids. Each is looked up in the vocabulary, and the bytes of its token are appended."
        )
        return
    decoding(steps[:_MOST_DRAWN], setting.tokenizer, key="decoding")
    if len(steps) > _MOST_DRAWN:
        st.caption(
            f"The picture shows the first {_MOST_DRAWN:,} of {len(steps):,} ids. The text below is complete."
        )
    _report([step.problem for step in steps if step.problem])
    good = [step.number for step in steps if step.token is not None and step.number is not None]
    st.code(setting.tokenizer.decode(good), language=None, wrap_lines=True)
    _decoding_code(setting.tokenizer, good)
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


def _decoding_code(tokenizer: Tokenizer, ids: Sequence[int]) -> None:
    """Draw the code that decodes, closed at first, with the first symbols; of a file that decodes by itself, none."""
    if tokenizer.source and tokenizer.source.decode:
        return
    variant = tokenizer.variant
    chips = [
        chip_label(variant, tokenizer.vocabulary[number]) for number in ids[:_MOST_CODE_CHIPS] if number >= 0
    ]
    listing(
        decoding_lines(variant), key="decoding_code", values={"select": chips}, marker=variant.marker_text
    )


def _suggest_ids(ids: str) -> None:
    """Put the text's ids into the field. They follow the text until the viewer changes them."""
    before = _SUGGESTED_IDS.read()
    if st.session_state.get(_IDS, before) in (before, ""):
        st.session_state[_IDS] = ids
    _SUGGESTED_IDS.write(ids)


def _report(problems: list[str]) -> None:
    if problems:
        more = f"  \n… and {len(problems) - _MOST_REPORTED:,} more." if len(problems) > _MOST_REPORTED else ""
        st.warning("  \n".join(in_markdown(problem, 200) for problem in problems[:_MOST_REPORTED]) + more)


def _round_trip(setting: Setting, encoded: Encoded) -> None:
    """Draw the text decoded from its ids, with every difference marked."""
    st.header("The round trip of the text above")
    text = encoded.typed
    part = text if len(text) <= _SHORT_TEXT else text[: beginning(text, setting)]
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
    aligned_rows(round_trip_rows(part, back), key="round_trip", label="The text as typed, and as decoded")
    if len(part) < len(text):
        st.caption(f"The picture shows the first {len(part):,} of {len(text):,} characters.")


def _why_view(trace: Trace, choice: Choice, setting: Setting, encoded: Encoded) -> None:
    """Draw the text's boundaries, and the explanation for the chosen one."""
    if setting.typed or not setting.tokenizer.merges:
        st.info("There are no merges to explain here. The tokens come straight from the vocabulary.")
        return
    _boundaries(setting, encoded.normalised[: beginning(encoded.normalised.text, setting)])


@fragment
def _boundaries(setting: Setting, text: Normalised) -> None:
    tokenizer = setting.tokenizer
    words = tokenizer.words(text)
    boundaries = boundaries_of(tokenizer, words)
    if not boundaries.kinds:
        st.caption("The text is a single symbol, so there is nothing to merge.")
        return
    about = (
        "Dashed: not merged. Dotted: merged. "
        "Solid: the text was split here before training, so no merge may cross."
    )
    if setting.encoder.slug != DEFAULT_ENCODER:
        about += " The answer is about the encoder “Lowest rank first”, the usual one for learned merges."
    st.caption("Click a gap to see why the symbols beside it were, or were not, merged.", help=about)
    digest = hashlib.sha256(
        repr((setting.cache_key[:2], text.text)).encode("utf-8", "surrogatepass")
    ).hexdigest()[:16]
    explain = partial(tokenizer.explain_words, words)
    boundary_picker(boundaries, explain, tokenizer, key=f"why-{digest}")


@dataclass(frozen=True, slots=True)
class _View:
    """One view and the function that draws it."""

    title: str
    draw: Callable[[Trace, Choice, Setting, Encoded], None]


VIEWS = {
    "why": _View("Why (not) merged?", _why_view),
    "encoders": _View("Encoders side by side", encoders_view),
    "decode": _View("Decode", _decode_view),
}
_FORMER = frozenset(
    {"published", "variants", "words"}
)  # views that an old link may name; it opens the first one
LINK = {
    "view": (_KEY, lambda text: text if text in VIEWS else next(iter(VIEWS)) if text in _FORMER else None)
}
