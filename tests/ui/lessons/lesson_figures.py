"""The facts of lessons that state one figure: for each kind, the figure from the training."""

import sys
import unicodedata
from collections.abc import Callable
from itertools import takewhile

import bpe
from bpe.analysis.compression import tokens_needed
from bpe.text.display import merge_number
from bpe.text.patterns import alternatives
from tests.ui.lessons.lesson_claim import Claim
from ui.lessons.evidence import models
from ui.sidebar.corpus import from_sample


def number_of_merge(claim: Claim) -> int:
    """Return the number, for people, of the merge that makes a token, or else of the next merge."""
    rank = claim.merged.index(claim.symbol(claim.token)) if "token" in claim.fact else claim.step
    return int(merge_number(rank).replace(",", ""))


def shared_bytes(claim: Claim) -> int:
    """Return with how many equal bytes two texts begin."""
    pairs = zip(claim.text.encode(), claim.fact["with"].encode(), strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


def pattern_parts(claim: Claim) -> list[str]:
    """Return the alternatives of the beat's pattern."""
    assert claim.beat.pattern
    return alternatives(claim.beat.pattern.pattern)


def pattern_pieces(claim: Claim) -> int:
    """Return how many pieces the beat's pattern makes, or those of one meaning."""
    assert claim.beat.pattern
    return sum(claim.fact.get("of", meaning) == meaning for _, meaning in claim.beat.pattern.pieces)


def merges_of_one_occurrence(claim: Claim) -> int:
    """Return how many merges there are between two steps. Raises LookupError unless each replaces one pair."""
    steps = claim.trace.steps[claim.fact["from"] : claim.to]
    if any((step.count, step.replaced) != (1, 1) for step in steps):
        raise LookupError("a pair of these merges occurs more than once")
    return len(steps)


def longest_number(claim: Claim) -> int:
    """Return the most digits that a merge joins to a token without other characters."""
    return max(len(token.strip()) for token in claim.merged if token.strip().isdigit())


def has_category(token: bytes, category: str) -> bool:
    """Return whether a token holds a character of a general category of Unicode, such as P, or Pd within it."""
    text = token.decode("utf-8", "ignore")
    return any(unicodedata.category(character).startswith(category) for character in text)


# Kinds that state a figure as `is` -> the figure from the training.
FIGURES: dict[str, Callable[[Claim], object]] = {
    "alternative": lambda claim: pattern_parts(claim).index(claim.text) + 1,
    "alternatives": lambda claim: len(pattern_parts(claim)),
    "alphabet_size": lambda claim: len(claim.trace.alphabet),
    "blank_tokens": lambda claim: sum(token.isspace() for token in claim.tokenizer.tokens(claim.text)),
    "bytes": lambda claim: len(claim.text.encode()),
    "bytes_per_token": lambda claim: round(
        len(claim.line(claim.fact["line"]).encode()) / claim.line_tokens(claim.fact["line"])
    ),
    "byte": lambda claim: int(claim.hex, 16),
    "characters": lambda claim: len(claim.text),
    "code_space": lambda claim: sys.maxunicode + 1,
    "corpus_words": lambda claim: sum(claim.trace.frequencies),
    "difference": lambda claim: claim.of[0] - claim.of[1],
    "encoded_length": lambda claim: len(claim.tokenizer.encode(claim.text, claim.encoder)),
    "frequency": lambda claim: dict(zip(claim.trace.pre_tokens, claim.trace.frequencies, strict=True))[
        claim.fact["word"]
    ],
    "id": lambda claim: claim.trace.id_of(claim.symbol(claim.token)),
    "in_use": lambda claim: claim.trace.in_use(claim.step),
    "in_words": lambda claim: sum(
        claim.symbol(claim.token) in word for word, _ in claim.trace.words_at(claim.step)
    ),
    "largest_tie": lambda claim: max(step.tied for step in claim.trace.steps),
    "length": lambda claim: claim.trace.variant.length(claim.symbol(claim.token)),
    "letters": lambda claim: claim.text.count(claim.letter),
    "longest_number": longest_number,
    "line_bytes": lambda claim: len(claim.line(claim.fact["line"]).encode()),
    "line_count": lambda claim: len(claim.lesson.corpus.reading_text.splitlines()),
    "line_tokens": lambda claim: claim.line_tokens(claim.fact["line"]),
    "marks": lambda claim: sum(unicodedata.category(character).startswith("M") for character in claim.text),
    "merge_number": number_of_merge,
    "merges_of_one_occurrence": merges_of_one_occurrence,
    "min_count": lambda claim: bpe.PRESETS[claim.preset].settings["min_count"],
    "model_size": lambda claim: models()[claim.model].size,
    "models": lambda claim: sum(
        claim.fact.get("algorithm", model.algorithm) == model.algorithm for model in models().values()
    ),
    "occurs": lambda claim: claim.lesson.corpus.reading_text.count(claim.text),
    "pair_count": lambda claim: claim.trace.pair_counts(claim.step).get(claim.pair_of(claim.pair), 0),
    "pattern_pieces": pattern_pieces,
    "percent": lambda claim: round(100 * claim.of[0] / claim.of[1]),
    "percent_more": lambda claim: round(100 * claim.of[0] / claim.of[1]) - 100,
    "pre_tokens": lambda claim: len(claim.trace.variant.split(claim.text)),
    "percent_over_first_line": lambda claim: round(
        100 * claim.line_tokens(claim.fact["line"]) / claim.line_tokens(1) - 100
    ),
    "power": lambda claim: claim.base**claim.exponent,
    "product": lambda claim: claim.of[0] * claim.of[1],
    "ratio": lambda claim: round(claim.of[0] / claim.of[1]),
    "runs": lambda claim: len(claim.beat.runs.under if claim.beat.runs else ()),
    "sample_tokens": lambda claim: tokens_needed(claim.trace, from_sample(claim.sample).reading_text)[
        claim.step
    ],
    "special_id": lambda claim: claim.tokenizer.encode(claim.text, allow_special=True)[0],
    "token_count": lambda claim: claim.trace.token_counts(claim.step).get(claim.symbol(claim.token), 0),
    "tied_in": lambda claim: (
        bpe.train(claim.text, **{**claim.lesson.recipe.settings, "merges": 1}).steps[0].tied
    ),
    "tokens_total": lambda claim: claim.trace.tokens_total(claim.step),
    "tokens_with": lambda claim: sum(has_category(token, claim.category) for token in claim.merged),
    "typed_tokens": lambda claim: len(claim.lesson.vocabulary.split()),
    "utf8_starts": shared_bytes,
    "unknown": lambda claim: [
        number == claim.tokenizer.unknown for number in claim.tokenizer.encode(claim.text, claim.encoder)
    ].count(True),
    "vocabulary_size": lambda claim: len(claim.trace.vocabulary(claim.step)),
    "windows": lambda claim: -(-claim.of[0] // claim.of[1]),
    "word_length": lambda claim: len(claim.word),
    "words": lambda claim: len(claim.trace.pre_tokens),
}
