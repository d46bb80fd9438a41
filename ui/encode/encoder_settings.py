"""The settings of an encoder, drawn from its row in the registry. The link holds those that differ from the default."""

import streamlit as st

from bpe.encoding.encoders import ENCODERS, Encoder, EncoderSetting, parts_of
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted
from ui.visit import page_link


def _name(slug: str, setting: EncoderSetting) -> str:
    """Return the parameter of the link."""
    return f"{slug}_{setting.name}"


def _key(slug: str, setting: EncoderSetting) -> str:
    return f"encode_{_name(slug, setting)}"


def _reader(setting: EncoderSetting) -> page_link.Read:
    if isinstance(setting.step, int):
        return page_link.whole_number(int(setting.least), int(setting.most))
    return page_link.decimal(setting.least, setting.most)


LINK: dict[str, tuple[str, page_link.Read]] = {
    _name(slug, setting): (_key(slug, setting), _reader(setting))
    for slug, row in ENCODERS.items()
    for setting in row.settings
}


def choose_settings(row: Encoder) -> Encoder:
    """Draw a field for each setting of the encoder, and return the encoder with the values."""
    if not row.settings:
        return row
    fields = st.columns(len(row.settings), gap="small")
    values = {}
    for setting, field in zip(row.settings, fields, strict=True):
        key = _key(row.slug, setting)
        st.session_state.setdefault(key, setting.default)
        with field:
            values[setting.name] = st.number_input(
                setting.title,
                min_value=setting.least,
                max_value=setting.most,
                step=setting.step,
                key=key,
                help=setting.about,
                persist_state="session",
            )
    # A value between two steps could be so close to 1 that encoding takes minutes.
    rounded = {
        setting.name: round(round(values[setting.name] / setting.step) * setting.step, 6)
        for setting in row.settings
    }
    return row.using(**{name: value for name, value in rounded.items() if value != row.value_of[name]})


def left_out(row: Encoder, tokenizer: Tokenizer) -> str:
    """Return how many merged tokens the encoder leaves out, as a sentence; empty for one that uses them all.

    >>> import bpe
    >>> left_out(ENCODERS["trimmed"], bpe.train("low low lower", merges=5).tokenizer())
    '4 of 5 merged tokens are left out.'
    """
    if not row.needs_counts or not tokenizer.frequencies:
        return ""
    merged = {left + right for left, right in tokenizer.merges}
    least = int(row.value_of.get("threshold", 1))  # without a threshold, a token must be in use
    rare = parts_of(tokenizer.merges, tokenizer.frequencies, least)
    return f"{len(rare):,} of {counted(len(merged), 'merged token')} {'is' if len(merged) == 1 else 'are'} left out."


def put(row: Encoder, **values: float) -> None:
    """Put values into the fields of an encoder. A callback, so that the fields are drawn afterwards."""
    for setting in row.settings:
        if setting.name in values:
            st.session_state[_key(row.slug, setting)] = setting.checked(values[setting.name])


def linked(row: Encoder) -> dict[str, str | int | None]:
    """Return the link parameters of all encoders' settings; None for those of other encoders and for defaults."""
    changed = dict(row.values)
    return {
        _name(slug, setting): f"{changed[setting.name]:.12g}"
        if slug == row.slug and setting.name in changed
        else None
        for slug, other in ENCODERS.items()
        for setting in other.settings
    }
