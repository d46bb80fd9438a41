"""Encoders side by side: the same text cut by each, differences marked."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from bpe import Symbol, Trace
from bpe.analysis.alignment import mark_differences, token_row
from bpe.analysis.compression import measure
from bpe.encoding.encoders import ENCODERS
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.safe_cuts import next_safe_cut
from ui.components.aligned_rows import aligned_rows
from ui.encode.controls import BY_VOCABULARY, TEXT, Setting
from ui.encode.encoded_text import Encoded
from ui.encode.work_limit import refusal
from ui.show import tables
from ui.show.text import in_markdown
from ui.sidebar.sidebar import Choice
from ui.step_slider import cache_key

MOST_SHOWN = 240  # characters drawn in rows
MOST_SEARCHED = 1_500  # words of the corpus looked at for an example
MOST_EXAMPLES = 6
LONGEST_EXAMPLE = 30
MOST_COUNTED = 50_000  # characters counted for the table
MOST_LOOKS = 5_000_000  # of each encoder, as the guard counts them: some seconds
COLUMNS = (
    "encoder",
    "tokens",
    "characters per token",
    "words cut differently",
    "who does so",
    "why it is not counted",  # left out where all are
)
Line = tuple[str, int | None, float | None, int | None, str, str]


def shown_part(text: str, setting: Setting) -> str:
    """The beginning of the text that is drawn in rows, cut where no pre-token is."""
    end = next_safe_cut(text, setting.tokenizer.variant, MOST_SHOWN)
    return text[: end if end <= 2 * MOST_SHOWN else MOST_SHOWN]


def draw(trace: Trace, choice: Choice, setting: Setting, made: Encoded) -> None:
    """A row for each encoder, and what each costs."""
    tokenizer = setting.tokenizer
    slugs = BY_VOCABULARY if setting.typed else tuple(ENCODERS)
    text = shown_part(made.text, setting)
    rows = [
        replace(
            token_row(text, tokenizer.tokens(text, slug), tokenizer.variant, tokenizer.ids),
            slug=slug,
            title=ENCODERS[slug].title,
        )
        for slug in slugs
    ]
    marks = mark_differences(rows)
    aligned_rows(
        rows, tokenizer.ids, key="encoders_rows", label="The same text under each encoder", differs=marks
    )
    counted = made.text[: next_safe_cut(made.text, tokenizer.variant, MOST_COUNTED)][: 2 * MOST_COUNTED]
    lines = _lines(made.name, tokenizer, slugs, counted)
    refused = any(line[-1] for line in lines)
    st.dataframe(
        tables.frame(
            COLUMNS if refused else COLUMNS[:-1], [line if refused else line[:-1] for line in lines]
        ),
        hide_index=True,
        key="encoders_table",
        column_config={
            "words cut differently": st.column_config.NumberColumn(
                help="Different pre-tokens that are cut otherwise than in the first row that is counted"
            )
        },
    )
    if not any(map(any, marks)):
        st.caption("Here all of them agree, as they do on most words.")
    # The result's name alone does not say the corpus where the vocabulary was typed by hand.
    name = (cache_key(trace, choice, setting.step), made.name)
    _examples(_differing_words(name, trace, setting, slugs))
    if len(text) < len(made.text):
        st.caption(
            f"The rows show the first {len(text):,} of {len(made.text):,} characters, "
            f"the table counts {len(counted):,}."
        )


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _lines(name: object, _tokenizer: Tokenizer, _slugs: Sequence[str], _text: str) -> list[Line]:
    return _counted(_tokenizer, _slugs, _text)


def _counted(tokenizer: Tokenizer, slugs: Sequence[str], text: str) -> list[Line]:
    """A row of COLUMNS for each encoder; numbers only of those that the guard lets cut the text."""
    words = Counter(tokenizer.variant.split(text))
    first: list[Sequence[Symbol]] = []
    lines: list[Line] = []
    for slug in slugs:
        title, who = ENCODERS[slug].title, ENCODERS[slug].who
        refused = refusal(tokenizer, slug, text, MOST_LOOKS)
        if refused is not None:
            lines.append((title, None, None, None, who, refused))
            continue
        cuts: list[Sequence[Symbol]] = [tuple(tokenizer.word_tokens(word, slug)) for word in words]
        first = first or cuts
        tokens = sum(len(cut) * times for cut, times in zip(cuts, words.values(), strict=True))
        other = sum(own != before for own, before in zip(cuts, first, strict=True))
        lines.append((title, tokens, round(measure(text, tokens).characters_per_token, 3), other, who, ""))
    return lines


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _differing_words(name: object, _trace: Trace, _setting: Setting, _slugs: Sequence[str]) -> list[str]:
    return _differing(_trace, _setting, _slugs)


def _differing(trace: Trace, setting: Setting, slugs: Sequence[str]) -> list[str]:
    """Words of the corpus that the encoders cut differently."""
    variant = setting.tokenizer.variant
    found: list[str] = []
    for pre_token in trace.pre_tokens[:MOST_SEARCHED]:
        if len(pre_token) > LONGEST_EXAMPLE or variant.normalise(pre_token).strip() == setting.text.strip():
            continue
        cuts = {tuple(setting.tokenizer.word_tokens(pre_token, slug)) for slug in slugs}
        if len(cuts) > 1:
            found.append(pre_token.strip())
        if len(found) == MOST_EXAMPLES:
            break
    return list(dict.fromkeys(found))


def _examples(found: Sequence[str]) -> None:
    """Words to try."""
    if not found:
        st.caption("No word of the corpus is cut differently by any two of them.")
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.caption("Words of the corpus they cut differently:", width="content")
        for number, word in enumerate(found):
            st.button(
                in_markdown(word), key=f"differing_{number}", on_click=_take, args=(word,), type="tertiary"
            )


def _take(word: str) -> None:
    st.session_state[TEXT] = word
