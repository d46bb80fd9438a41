"""What the menu Tokenizer shows: the first words of the text as each trainer spells them, and what a text costs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import accumulate, chain, islice
from typing import Any

import streamlit as st

import bpe
from bpe import BPEError, Symbol, Tokenizer, Trace
from bpe.text.display import counted
from film.feed import ChipLabel
from film.labels import chip_label
from published.rows import PUBLISHED
from ui.trainings import tokenizer_files
from ui.trainings.byte_cache import ByteCache, digest_of
from ui.trainings.corpus import Corpus
from ui.trainings.settings import FREE, SETTINGS, Menu
from ui.trainings.shown_training import shown_corpus
from ui.view.chip_table import Chips
from ui.view.choice_list import Contents, ListRow

_MOST_WORDS = 2  # of the text, that a row spells
_MOST_CHARACTERS = 20  # of these words
_MOST_READ = 1_000  # characters of a document
_MOST_MEASURED = 4_000  # characters of a text whose tokens are counted when the menu opens
_SECTIONS = {"characters": "Begin with characters", "bytes": "Begin with bytes"}

_COUNTS: ByteCache[int] = ByteCache(200_000)


def preset_rows(slugs: Iterable[str]) -> list[ListRow]:
    """Return the rows of these presets, those that begin with characters first."""
    presets = [bpe.PRESETS[slug] for slug in slugs if slug != FREE]
    rows: list[ListRow] = []
    for unit, title in _SECTIONS.items():
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
    shown, tokens = spelled({slug: (corpus, own) for slug, own in settings.items()})
    trainers = counted(len(bpe.PRESETS), "trainer")
    return Contents(
        headline=("Train like …", "Each row spells the first words of your text as training begins."),
        words=shown,
        tokens=tokens,
        foot=f"{trainers}, each compared with the original, merge for merge.",
    )


def spelled(
    rows: Mapping[str, tuple[Corpus, Mapping[str, Any]]],
) -> tuple[dict[str, list[list[int]]], list[ChipLabel]]:
    """Return the first words of each row as a training spells them at the start, and the tokens to which they refer.

    rows: {slug: (text, settings of the training)}
    """
    chips, shown = Chips(lambda _: ""), dict[str, list[list[int]]]()
    for slug, (corpus, settings) in rows.items():
        text = _beginning(corpus)
        try:
            trace = bpe.train(text, **{**settings, "merges": 0, "min_count": 1})
        except BPEError:  # such as a pattern that matches none of it
            continue
        of_row = replace(chips, label=partial(chip_label, trace.variant))  # all rows refer to the same tokens
        shown[slug] = [of_row(*word) for word in _first_words(trace, text, _letters_shown(corpus))]
    return shown, chips.sent()


def _beginning(corpus: Corpus) -> Mapping[str, int] | list[str]:
    """Return as much of a text as its first words need: counted words as they are."""
    if corpus.frequencies is not None:
        return dict(islice(corpus.frequencies.items(), _MOST_WORDS))
    return [document[:_MOST_READ] for document in corpus.documents[:_MOST_WORDS]]


def _letters_shown(corpus: Corpus) -> int:
    """Return how many characters besides white space the first two words have; of the first alone if both are long."""
    text = _beginning(corpus)
    words = text if isinstance(text, Mapping) else chain.from_iterable(map(str.split, text))
    first, *others = [_letters(word) for word in islice(words, _MOST_WORDS)] or [0]
    return min(_MOST_CHARACTERS, first) + sum(size for size in others if first + size <= _MOST_CHARACTERS)


def _letters(text: str) -> int:
    return sum(not character.isspace() for character in text)


def _first_words(trace: Trace, text: Mapping[str, int] | list[str], letters: int) -> Iterator[list[Symbol]]:
    """Yield the initial symbols of the first pre-tokens, up to so many characters besides white space.

    The last of them may be cut: then it has no marker at its end.
    """
    documents = [] if isinstance(text, Mapping) else trace.request.documents(text)
    pre_tokens = (
        text if isinstance(text, Mapping) else chain.from_iterable(map(trace.variant.split, documents))
    )
    for pre_token in pre_tokens:
        if letters <= 0:
            return
        symbols, known = trace.segment_word(pre_token, 0), _letters(pre_token)
        if known > letters:
            end = next(at for at in range(len(pre_token)) if _letters(pre_token[:at]) == letters)
            size = len(trace.variant.bytes_of(pre_token[:end]))
            sizes = accumulate(map(len, symbols), initial=0)
            symbols = [symbol for symbol, before in zip(symbols, sizes, strict=False) if before < size]
        yield symbols
        letters -= known


def _is_custom(free: Mapping[str, object]) -> bool:
    variant = bpe.VARIANTS.get(str(free["variant"]))
    return variant is not None and variant.configure is not None


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
    if corpus is not None and corpus.characters <= _MOST_MEASURED:
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
