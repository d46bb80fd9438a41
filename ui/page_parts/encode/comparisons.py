"""The view “Encoders side by side”: the text under every encoder, with differences marked, and a table."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from bpe import Symbol, Trace
from bpe.analysis.alignment import mark_differences, token_row
from bpe.analysis.compression import measure
from bpe.encoding.encoders import ENCODERS, Encoder
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.counting import next_safe_cut
from bpe.text.normalizing import Normalised
from ui.choices.choices import Choice
from ui.page_parts.encode.controls import TEXT, VOCABULARY_ENCODERS, Setting
from ui.page_parts.encode.encoded_text import Encoded, beginning, refusal, typed_part
from ui.shown.step_slider import cache_key
from ui.view.aligned_rows import aligned_rows
from ui.view.chip_table import plain_table
from ui.view.text import in_markdown
from ui.view.text_field import put

_MOST_SEARCHED = 1_500  # words of the corpus to search for examples
_MOST_EXAMPLES = 6
_LONGEST_EXAMPLE = 30  # characters
_MOST_COUNTED = 50_000  # characters counted for the table
_MOST_LOOKUPS = 5_000_000  # of each encoder, as `refusal` counts them: some seconds
_COLUMNS = (
    "encoder",
    "tokens",
    "characters per token",
    "words split differently",
    "used by",
    "why there are no numbers",  # left out if every encoder is counted
)
Row = tuple[str, int | None, float | None, int | None, str, str]


def encoders_view(trace: Trace, choice: Choice, setting: Setting, encoded: Encoded) -> None:
    """Draw a row for each encoder, a table of their costs, and words that they encode differently."""
    tokenizer = setting.tokenizer
    encoders = _encoders(setting)
    normalised = encoded.normalised
    text = normalised[: beginning(normalised.text, setting)]
    rows = [
        replace(
            token_row(text.text, tokenizer.normalised_tokens(text, row), tokenizer.variant, tokenizer.ids),
            slug=row.slug,
            title=row.title,
        )
        for row in encoders
    ]
    marks = mark_differences(rows)
    aligned_rows(rows, key="encoders_rows", label="The same text under each encoder", differs=marks)
    end = min(next_safe_cut(normalised.text, tokenizer.variant, _MOST_COUNTED), 2 * _MOST_COUNTED)
    counted = normalised[:end]
    typed = typed_part(tokenizer, encoded.typed, normalised, end)
    table = _cached_rows(encoded.cache_key, tokenizer, encoders, counted, typed)
    refused = any(row[-1] for row in table)
    plain_table(
        _COLUMNS if refused else _COLUMNS[:-1],
        [row if refused else row[:-1] for row in table],
        key="encoders_table",
        label="Encoders, one per row",
        prose=("used by", "why there are no numbers"),
        meanings={
            "words split differently": "How many distinct pre-tokens are split differently from the first row with "
            "numbers"
        },
    )
    if not any(map(any, marks)):
        st.caption("All encoders agree here, as they often do on words of the training text.")
    # The key of a result with a typed vocabulary does not depend on the corpus, but the examples do.
    key = (cache_key(trace, choice, setting.step), encoded.cache_key)
    _examples(_cached_examples(key, trace, setting, encoders))
    if len(text) < len(normalised):
        st.caption(
            f"The rows show the first {len(text):,} of {len(normalised):,} characters. "
            f"The table covers {len(counted):,}."
        )


def _encoders(setting: Setting) -> list[Encoder]:
    """Return the encoders that suit the vocabulary. The chosen one keeps its settings."""
    slugs = VOCABULARY_ENCODERS if setting.typed else tuple(ENCODERS)
    return [setting.encoder if slug == setting.encoder.slug else ENCODERS[slug] for slug in slugs]


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _cached_rows(
    key: object, _tokenizer: Tokenizer, _encoders: Sequence[Encoder], _text: Normalised, _typed: str
) -> list[Row]:
    return _encoder_rows(_tokenizer, _encoders, _text, _typed)


def _encoder_rows(
    tokenizer: Tokenizer, encoders: Sequence[Encoder], text: Normalised, typed: str
) -> list[Row]:
    """Return one row of COLUMNS for each encoder; without numbers if encoding the text takes too much work.

    The text was typed so before the tokenizer normalised it.
    """
    words = Counter(tokenizer.variant.split(text.text))
    first: list[Sequence[Symbol]] = []
    rows: list[Row] = []
    for row in encoders:
        title, who = row.title, row.who
        reason = refusal(tokenizer, row, text.text, _MOST_LOOKUPS)
        if reason is not None:
            rows.append((title, None, None, None, who, reason))
            continue
        segmented: list[Sequence[Symbol]] = [tuple(tokenizer.word_tokens(word, row)) for word in words]
        first = first or segmented
        tokens = sum(len(word) * times for word, times in zip(segmented, words.values(), strict=True))
        differ = sum(own != other for own, other in zip(segmented, first, strict=True))
        rows.append((title, tokens, round(measure(typed, tokens).characters_per_token, 3), differ, who, ""))
    return rows


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _cached_examples(
    key: object, _trace: Trace, _setting: Setting, _encoders: Sequence[Encoder]
) -> list[str]:
    return _differing_words(_trace, _setting, _encoders)


def _differing_words(trace: Trace, setting: Setting, encoders: Sequence[Encoder]) -> list[str]:
    """Return some words of the corpus that the encoders encode differently."""
    variant = setting.tokenizer.variant
    words: list[str] = []
    for pre_token in trace.pre_tokens[:_MOST_SEARCHED]:
        word = variant.decode(variant.spell(pre_token)).strip()  # as it is typed: without markers and ▁
        if len(pre_token) > _LONGEST_EXAMPLE or word == setting.text.strip() or "\ufffd" in word:
            continue
        segmentations = {tuple(setting.tokenizer.word_tokens(pre_token, row)) for row in encoders}
        if len(segmentations) > 1:
            words.append(word)
        if len(words) == _MOST_EXAMPLES:
            break
    return list(dict.fromkeys(words))


def _examples(words: Sequence[str]) -> None:
    """Draw a button for each word, which puts it into the text field."""
    if not words:
        st.caption("These encoders agree on every word of the training text that was tried.")
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.caption("Words of the training text that they split differently:", width="content")
        for number, word in enumerate(words):
            st.button(
                in_markdown(word), key=f"differing_{number}", on_click=put, args=(TEXT, word), type="tertiary"
            )
