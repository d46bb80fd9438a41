"""What the menu Tokenizer shows: the first words of the text as each trainer spells them, and what a text costs."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import Any

import streamlit as st

import bpe
from bpe import BPEError, Symbol, Tokenizer
from bpe.text.display import counted
from film.labels import chip_label
from published.rows import PUBLISHED
from ui.choices import tokenizer_files
from ui.choices.corpus import Corpus
from ui.choices.settings import FREE, SETTINGS, Menu
from ui.choices.shown_training import shown_corpus, shown_trainings
from ui.components.chip_table import Chips
from ui.components.choice_list import Contents, ListRow
from ui.work.byte_cache import ByteCache, digest_of

MOST_WORDS = 2  # of the text, that a row spells
MOST_CHARACTERS = 20  # of these words
MOST_MEASURED = 4_000  # characters of a text whose tokens are counted when the menu opens
SECTIONS = {"characters": "Begin with characters", "bytes": "Begin with bytes"}

_COUNTS: ByteCache[int] = ByteCache(200_000)


def preset_rows(slugs: Iterable[str]) -> list[ListRow]:
    """Return the rows of these presets, those that begin with characters first."""
    presets = [bpe.PRESETS[slug] for slug in slugs if slug != FREE]
    rows: list[ListRow] = []
    for unit, title in SECTIONS.items():
        of_unit = [row for row in presets if bpe.VARIANTS[row.settings["variant"]].unit == unit]
        rows += [
            ListRow(row.slug, row.title, row.brief or row.about, _more(row), "" if at else title)
            for at, row in enumerate(of_unit)
        ]
    kind = SETTINGS["preset"].kind
    assert isinstance(kind, Menu)
    return [*rows, ListRow(FREE, kind.titles[FREE], "variant and rule as you set them", "", "Your own")]


def _more(row: bpe.Preset) -> str:
    differs = f"\nDiffers: {row.deviations}" if row.deviations else ""
    return f"{row.about}\nSource: {row.source}\nChecked against: {row.checked}{differs}"


def presets(step: int) -> Contents | None:
    """Return what the list of presets shows: the first words of the text, as each spells them at the start."""
    corpus = shown_corpus()
    if corpus is None:
        return Contents()
    free = {key: st.session_state.get(key) for key in ("variant", "pattern", "unit")}
    settings: dict[str, Mapping[str, Any]] = {slug: row.settings for slug, row in bpe.PRESETS.items()}
    settings[FREE] = {
        key: value for key, value in free.items() if value and (key == "variant" or _is_custom(free))
    }
    words = first_words(corpus)
    shown, tokens = spelled({slug: (words, own) for slug, own in settings.items()}, _ids())
    trainers = counted(len(bpe.PRESETS), "trainer")
    return Contents(
        headline=("Train like …", "Each row spells the first words of your text as training begins."),
        words=shown,
        tokens=tokens,
        foot=f"{trainers}, each compared with the original, merge for merge.",
    )


def spelled(
    rows: Mapping[str, tuple[str, Mapping[str, Any]]], ids: Mapping[Symbol, int]
) -> tuple[dict[str, list[list[int]]], dict[str, Any]]:
    """Return the words of each row as a training spells them at the start, and the tokens to which they refer.

    rows: {slug: (words, settings of the training)}. ids: those that colour the tokens on the page.
    """
    chips, shown = Chips(lambda _: "", ids.get), dict[str, list[list[int]]]()
    for slug, (words, settings) in rows.items():
        try:
            trace = bpe.train(words, **{**settings, "merges": 0, "min_count": 1})
        except BPEError:  # such as a pattern that matches none of it
            continue
        of_row = replace(chips, label=partial(chip_label, trace.variant))  # all rows refer to the same tokens
        pre_tokens = chain.from_iterable(map(trace.variant.split, trace.request.documents(words)))
        shown[slug] = [of_row(*trace.segment_word(word, 0)) for word in islice(pre_tokens, MOST_WORDS + 1)]
    return shown, chips.sent()


def first_words(corpus: Corpus) -> str:
    """Return the first words of a text, for a row of a menu."""
    words: list[str] = []
    for word in islice(_words(corpus), MOST_WORDS):
        if words and sum(map(len, words)) + len(word) > MOST_CHARACTERS:
            break
        words.append(word[:MOST_CHARACTERS])
    return " ".join(words)


def _words(corpus: Corpus) -> Iterable[str]:
    if corpus.frequencies is not None:
        return iter(corpus.frequencies)
    return chain.from_iterable(document[:1_000].split() for document in corpus.documents)


def _is_custom(free: Mapping[str, object]) -> bool:
    variant = bpe.VARIANTS.get(str(free["variant"]))
    return variant is not None and variant.configure is not None


def _ids() -> Mapping[Symbol, int]:
    """Return the ids that colour the initial symbols on the page."""
    for one in shown_trainings():
        if not one.trace.replayed:
            return {symbol: one.trace.id_of(symbol) for symbol in one.trace.alphabet}
    return {}


def published_rows(slugs: Iterable[str]) -> list[ListRow]:
    """Return the rows of these published tokenizers."""
    rows = [PUBLISHED[slug] for slug in slugs]
    return [
        ListRow(
            row.slug,
            row.title,
            f"{counted(row.merges, 'merge')} · {row.maker}: {row.models}",
            _licence(row.slug),
        )
        for row in rows
    ]


def _licence(slug: str) -> str:
    source = PUBLISHED[slug].source
    return f"From {source.package} {source.version}, {source.licence}"


def published(step: int) -> Contents | None:
    """Return what the list of published tokenizers shows: how many tokens those make of the text that are open.

    None is opened for it, which would take seconds.
    """
    corpus = shown_corpus()
    figures: dict[str, str] = {}
    if corpus is not None and corpus.characters <= MOST_MEASURED:
        for slug in PUBLISHED:
            tokenizer = tokenizer_files.tokenizer_if_open(slug)
            if tokenizer is not None:
                name = digest_of("tokens", f"{corpus.digest} {slug}")
                count = _COUNTS.get(name, partial(_count, tokenizer, corpus.reading_text))
                figures[slug] = counted(count, "token")
    rest = "Tokens of your text, for the tokenizers that have been opened before." if figures else ""
    return Contents(headline=("Published tokenizers", rest), figures=figures)


def _count(tokenizer: Tokenizer, text: str) -> int:
    return len(tokenizer.encode(text))
