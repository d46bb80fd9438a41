"""Settings that few trainings need: limits for the length of tokens and for the characters that they are made of."""

import bpe
from bpe.symbols import END_OF_WORD
from ui.sidebar.recipes.setting import Number, Setting, Share, Values

MOST_LENGTH, MOST_CHARACTERS = 1_000, 1_114_112
LEAST_COVERAGE = 0.5


def _has_characters(values: Values) -> bool:
    row = bpe.VARIANTS[str(values["variant"])]
    return (values.get("unit", row.unit) if row.configure else row.unit) == "characters"


def _can_cut_words(values: Values) -> bool:
    marker = bpe.VARIANTS[str(values["variant"])].marker
    return _has_characters(values) and marker != END_OF_WORD and not values.get("limit_alphabet")


ROWS = (
    Setting(
        "max_token_length",
        "ties",
        Number(2, MOST_LENGTH),
        "Tokens shorter than",
        placeholder=lambda _: "any length",
        is_rare=True,
        more=lambda _: (
            "In bytes or characters, whichever the variant starts with. Two of them may always be merged. This is the "
            "max_token_length of Hugging Face's trainer."
        ),
    ),
    Setting(
        "limit_alphabet",
        "words",
        Number(1, MOST_CHARACTERS),
        "Characters, at most",
        placeholder=lambda _: "all",
        is_rare=True,
        shown_when=_has_characters,
        more=lambda _: (
            "Rarer characters are taken out of the words before training, so the characters beside them become "
            "neighbours. This is the limit_alphabet of Hugging Face's trainer."
        ),
    ),
    Setting(
        "character_coverage",
        "words",
        Share(LEAST_COVERAGE),
        "Share of the text to cover",
        placeholder=lambda _: "1: every character",
        is_rare=True,
        shown_when=_can_cut_words,
        more=lambda _: (
            "Training uses only the most frequent characters, as many as cover this share of the text. Nothing is "
            "merged across a rarer one. This is SentencePiece's character_coverage."
        ),
    ),
)
