"""The view “Encoders side by side”: the text under every encoder, with differences marked, and a table."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from bpe import Symbol, Trace
from bpe.analysis.alignment import mark_differences, token_row, typed_row
from bpe.analysis.compression import measure
from bpe.encoding.encoders import ENCODERS, Encoder
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.counting import next_safe_cut
from bpe.text.display import counted
from bpe.text.normalizing import Normalised
from published.rows import PUBLISHED
from ui import visit
from ui.choices.choices import Choice
from ui.choices.settings import AS_PUBLISHED
from ui.choices.tokenizer_files import tokenizer_for_now
from ui.components.aligned_rows import aligned_rows
from ui.components.chip_table import plain_table
from ui.encode.controls import VOCABULARY_ENCODERS, Setting, set_text
from ui.encode.encoded_text import MOST_IN_ROWS, Encoded, beginning, refusal, typed_part
from ui.show.text import in_markdown
from ui.step_slider import cache_key
from ui.token_count import fewest_sentence, token_counts

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
    aligned_rows(
        rows, tokenizer.ids, key="encoders_rows", label="The same text under each encoder", differs=marks
    )
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
                in_markdown(word), key=f"differing_{number}", on_click=set_text, args=(word,), type="tertiary"
            )


_KEY = "encode_published"
_FIRST = ("gpt-4o", "qwen", "deepseek", "mistral")
_MOST_SPLIT = 50_000  # characters


def _slugs(text: str) -> list[str] | None:
    """Return the tokenizers that a link names; None if it names an unknown one."""
    slugs = list(dict.fromkeys(text.split("~")))
    return slugs if set(slugs) <= PUBLISHED.keys() else None


_LINK_NAME = "split_by"
LINK = {_LINK_NAME: (_KEY, _slugs)}


def published_view(trace: Trace, choice: Choice, setting: Setting, encoded: Encoded) -> None:
    """Draw a row for each chosen tokenizer, who needs the fewest tokens, and a button that opens each of them."""
    slugs = _choose()
    visit.write({_LINK_NAME: None if tuple(slugs) == _FIRST else "~".join(slugs) or None})
    if not slugs:
        st.info("Choose at least one tokenizer.")
        return
    with st.spinner(f"Opening {counted(len(slugs), 'tokenizer')} …"):
        tokenizers = {slug: tokenizer_for_now(slug) for slug in slugs}
    text = setting.text[:_MOST_SPLIT]
    tokens = token_counts([text], tokenizers)
    st.markdown(in_markdown(fewest_sentence(tokens), most=500))
    drawn = setting.text[:MOST_IN_ROWS]
    rows = [
        typed_row(drawn, tokenizers[slug], slug, f"{PUBLISHED[slug].name} · {tokens[slug]:,}")
        for slug in slugs
    ]
    spelled = [row for row in rows if row is not None]
    marks = mark_differences(spelled)
    aligned_rows(spelled, {}, key="published_rows", label="The same text under each tokenizer", differs=marks)
    notes = [
        f"{PUBLISHED[slug].name} changes this text before splitting it, so its row is left out."
        for slug, row in zip(slugs, rows, strict=True)
        if row is None
    ]
    if len(drawn) < len(setting.text):
        notes.append(
            f"The rows show the first {len(drawn):,} of {len(setting.text):,} characters; the numbers count "
        )
        notes[-1] += "all of them." if len(text) == len(setting.text) else f"the first {len(text):,}."
    if notes:
        st.caption(in_markdown(" ".join(notes), most=600))
    _draw_ways_in(slugs)


def _choose() -> list[str]:
    """Draw the tokenizers to choose from, and return the chosen ones in the order of the menu."""
    chosen = st.session_state.get(_KEY)
    if not isinstance(chosen, list) or not all(one in list(PUBLISHED) for one in chosen):
        st.session_state[_KEY] = list(_FIRST)
    st.pills(
        "How do these tokenizers split your text?",
        list(PUBLISHED),
        selection_mode="multi",
        key=_KEY,
        format_func=lambda slug: PUBLISHED[slug].name,
        persist_state="session",
    )
    return [slug for slug in PUBLISHED if slug in st.session_state[_KEY]]


def _draw_ways_in(slugs: Sequence[str]) -> None:
    """Draw a button for each tokenizer that makes it the one of all pages."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.caption("Use on all pages:", width="content")
        for slug in slugs:
            st.button(
                in_markdown(PUBLISHED[slug].name),
                key=f"open_{slug}",
                on_click=_open,
                args=(slug,),
                help=in_markdown(
                    f"{PUBLISHED[slug].maker}, {PUBLISHED[slug].years}: {PUBLISHED[slug].models}."
                ),
            )


def _open(slug: str) -> None:
    """Take the merges from a published tokenizer. A callback."""
    st.session_state["recipe_source"] = AS_PUBLISHED
    st.session_state["published"] = slug
