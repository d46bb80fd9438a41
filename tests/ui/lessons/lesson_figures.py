"""The facts of lessons that state one figure: for each kind, the figure from the training."""

import io
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import takewhile
from typing import Any

import regex
import sentencepiece

import bpe
from bpe.analysis.compression import tokens_needed
from bpe.encoding.encoders import DEFAULT_ENCODER, Encoder
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.counting import _count_text
from bpe.text.display import merge_number
from bpe.text.patterns import alternatives
from published.packing import open_published
from published.rows import PUBLISHED
from tests.material.novel import novel
from tests.ui.lessons import lesson_checks
from tests.ui.lessons.lesson_checks import Claim, trained
from ui.choices.corpus import from_sample
from ui.lessons.evidence import models
from ui.lessons.lesson import Beat, Fact, Lesson, read_recipe


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
    return alternatives(claim.beat.shown["pattern"].pattern)


def pattern_pieces(claim: Claim) -> int:
    """Return how many pieces the beat's pattern makes, or those of one meaning."""
    return sum(claim.fact.get("of", meaning) == meaning for _, meaning in claim.beat.shown["pattern"].pieces)


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
TRACE_FIGURES: dict[str, Callable[[Claim], object]] = {
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
    "choices": lambda claim: sum(
        claim.fact["from"] <= rank < claim.until for rank in claim.trace.all_rivals()
    ),
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
    "runs": lambda claim: len(claim.beat.shown["runs"].under),
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
    "words_differ": lambda claim: sum(
        one != other
        for one, other in zip(
            claim.own.words_at(claim.step + 1), claim.trace.words_at(claim.step + 1), strict=True
        )
    ),
    "words": lambda claim: len(claim.trace.pre_tokens),
}


# The facts of lessons about published vocabularies.

Split = Callable[[str], list[str]]
HEX = re.compile(r"(?:<0x[0-9A-F]{2}>)+")


@cache
def vocabulary(slug: str) -> Tokenizer:
    return open_published(slug).tokenizer


def labels(tokenizer: Tokenizer, text: str, encoder: str | Encoder = DEFAULT_ENCODER) -> list[str]:
    """Return the tokens of a text, with bytes written as in lessons: E0 A4."""
    plain = (tokenizer.variant.label(token) for token in tokenizer.tokens(text, encoder))
    return [HEX.sub(lambda match: " ".join(re.findall("0x(..)", match[0])), label) for label in plain]


def split_by_published(claim: Claim) -> Split:
    return lambda text: labels(vocabulary(claim.by), text)


def letters(claim: Claim) -> int:
    """Return how many tokens of a published vocabulary are whole characters with one of a script among them."""
    of_script = regex.compile(rf"\p{{{claim.script}}}")
    return sum(bool(of_script.search(_text(token))) for token in vocabulary(claim.by).vocabulary)


def _text(token: bytes) -> str:
    """Return the characters of a token; an empty text for parts of characters."""
    try:
        return token.decode()
    except UnicodeDecodeError:
        return ""


def own_lines(claim: Claim) -> list[int]:
    return [
        claim.line_tokens(number)
        for number in range(1, len(claim.lesson.corpus.reading_text.splitlines()) + 1)
    ]


PUBLISHED_FIGURES: dict[str, Callable[[Claim], Any]] = {
    "length_of": lambda claim: len(claim.text),
    "line_total": lambda claim: sum(own_lines(claim)),
    "published_length": lambda claim: len(vocabulary(claim.by).encode(claim.text)),
    "published_letters": letters,
}

PUBLISHED_CHECKS: dict[str, Callable[[Claim], bool]] = {
    "line_range": lambda claim: [min(own_lines(claim)), max(own_lines(claim))] == claim.are,
    "published_ids": lambda claim: list(vocabulary(claim.by).encode(claim.text)) == claim.are,
    "published_pieces": lambda claim: list(vocabulary(claim.by).variant.split(claim.text)) == claim.are,
}


# Check the facts of lessons that need more than one training: Unigram, draws, encoders, costs, a
# novel.

Words = tuple[tuple[str, int], ...]  # with their frequencies; hashable


@cache
def unigram(words: Words, size: int) -> sentencepiece.SentencePieceProcessor:
    """Train SentencePiece's Unigram on words, one to a line."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([word for word, frequency in words for _ in range(frequency)]),
        model_writer=model,
        model_type="unigram",
        vocab_size=size,
        character_coverage=1.0,
        normalization_rule_name="identity",
        num_threads=1,
        minloglevel=2,
    )
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())


def words_of(claim: Claim) -> Words:
    return tuple(claim.counted_words.items())


def split_by_bpe(claim: Claim) -> Split:
    return lambda word: labels(claim.tokenizer, word, claim.encoder)


def split_by_unigram(claim: Claim) -> Split:
    model = unigram(words_of(claim), claim.size)
    assert model.get_piece_size() == claim.size
    return lambda word: list(model.encode(word, out_type=str))


SPLITS: Mapping[str, Callable[[Claim], Split]] = {
    "bpe": split_by_bpe,
    "unigram": split_by_unigram,
    **dict.fromkeys(PUBLISHED, split_by_published),
}


def agreement(claim: Claim) -> bool:
    """Train on the first half of the corpus and check on how many different words of each half the encoders agree.

    Words of the first half are known. Of the second half only those count that are new.
    """
    words = claim.lesson.corpus.reading_text.split()
    half = words[: len(words) // 2]
    tokenizer = bpe.train(" ".join(half), **claim.lesson.recipe.settings).tokenizer()
    encoders = [slug for slug, row in bpe.ENCODERS.items() if not (row.settings or row.needs_counts)]

    def agreeing(some: set[str]) -> list[int]:
        same = [len({tuple(tokenizer.tokens(word, slug)) for slug in encoders}) == 1 for word in some]
        return [sum(same), len(some)]

    return bool(
        (agreeing(set(half)), agreeing(set(words) - set(half)), len(encoders))
        == (claim.known, claim.unseen, claim.encoders)
    )


def saves_most(claim: Claim) -> bool:
    """Check that so many merges save more tokens of a line than of any other, in number and in percent."""
    before, after = claim.own.tokenizer(0), claim.own.tokenizer(claim.merges)
    needed = [
        (len(before.encode(line)), len(after.encode(line)))
        for line in claim.lesson.corpus.reading_text.splitlines()
    ]
    saved = [first - last for first, last in needed]
    shares = [number / first for number, (first, _) in zip(saved, needed, strict=True)]
    at = claim.fact["line"] - 1
    return bool(saved[at] == max(saved) and shares[at] == max(shares))


def words_changed(claim: Claim) -> int:
    """Return in how many distinct words, summed over all merges, a merge changes something."""
    trace = claim.trace
    return sum(len(set(trace.boundaries(word)) - {-1}) for word in trace.pre_tokens)


def drawn(claim: Claim) -> int:
    """Return how many seeds, from 0, give these tokens."""
    dropout = claim.encoder
    label, text = claim.trace.variant.label, claim.text
    counts = Counter(
        tuple(map(label, claim.tokenizer.tokens(text, dropout.using(seed=seed))))
        for seed in range(claim.seeds)
    )
    if "different" in claim.fact:
        assert len(counts) == claim.different
    return counts[tuple(claim.tokens)]


def corpus_length(claim: Claim) -> int:
    """Return how many tokens the whole corpus needs."""
    split = SPLITS[claim.by](claim)
    return sum(len(split(word)) * frequency for word, frequency in claim.counted_words.items())


def words_split_differently(claim: Claim) -> int:
    """Return how many of the corpus's words these encoders split differently."""
    tokenizer = claim.tokenizer  # one for all words: it prepares each encoder once
    return sum(
        len({tuple(tokenizer.tokens(word, encoder)) for encoder in claim.encoders}) > 1
        for word in claim.counted_words
    )


RELATIVE_FIGURES: dict[str, Callable[[Claim], Any]] = {
    "drawn": drawn,
    "encode_steps": lambda claim: len(list(claim.tokenizer.encode_steps(claim.text, claim.encoder))),
    "initial_symbols": lambda claim: len(claim.tokenizer.variant.spell(claim.text)),
    "corpus_length": corpus_length,
    "rounded": lambda claim: round(claim.of[0] / claim.of[1]),
    "sum": lambda claim: sum(claim.of),
    "unigram_prefix": lambda claim: unigram(words_of(claim), claim.size).encode("the", out_type=str)[0][0],
    "product": lambda claim: claim.of[0] * claim.of[1],
    "tokens_in_sample": lambda claim: claim.tokenizer.tokens(
        from_sample(claim.sample).documents[0], claim.encoder
    ).count(claim.symbol(claim.token)),
    "split_differently": words_split_differently,
    "words_changed": words_changed,
}


def counted_in_parts(claim: Claim) -> bool:
    """Check how many words each part of the corpus has, and that their counts together give the same merges."""
    lines = claim.lesson.corpus.reading_text.splitlines(keepends=True)
    size = -(-len(lines) // claim.parts)
    parts = [
        Counter(_count_text("".join(lines[start : start + size]), claim.trace.variant))
        for start in range(0, len(lines), size)
    ]
    total = sum(parts, Counter[str]())
    again = bpe.train(dict(total), **claim.lesson.recipe.settings)
    same = total == claim.counted_words and again.merges == claim.trace.merges
    return same and [part.total() for part in parts] == claim.are


def most_letters_begin(claim: Claim) -> bool:
    """Check that most letters and marks of a line have so many bytes, and that most begin with these bytes."""
    letters = [
        sign.encode() for sign in claim.line(claim.fact["line"]) if unicodedata.category(sign)[0] in "LM"
    ]
    begin = sum(letter.startswith(bytes(claim.fact["with"])) for letter in letters)
    return (
        begin > len(letters) / 2 and sum(len(letter) == claim.bytes for letter in letters) > len(letters) / 2
    )


RELATIVE_CHECKS: dict[str, Callable[[Claim], bool]] = {
    "agreement": agreement,
    "best_splits": lambda claim: unigram(words_of(claim), claim.size).nbest_encode_as_pieces(
        claim.text, len(claim.are)
    ) == claim.are,
    "first_words_with": lambda claim: [
        name
        for name, (word, _) in zip(claim.trace.pre_tokens, claim.trace.words_at(claim.step), strict=True)
        if claim.symbol(claim.token) in word
    ][: len(claim.are)] == claim.are,
    "lines_bytes": lambda claim: [
        len(line.encode()) for line in claim.lesson.corpus.reading_text.splitlines()
    ] == claim.are,
    "counted_in_parts": counted_in_parts,
    "latin": lambda claim: all(
        token.rstrip(bpe.END_OF_WORD).isascii() for token in claim.merged[: claim.merges]
    ),
    "most_letters_begin": most_letters_begin,
    "novel": lambda claim: all(
        getattr(novel(), name) == value for name, value in claim.fact.items() if name != "kind"
    ),
    "known": lambda claim: set(claim.symbols(claim.tokens)) <= claim.tokenizer.ids.keys(),
    "unchanged": lambda claim: sum(
        one == other
        for one, other in zip(claim.trace.words_at(claim.step), claim.trace.words_at(claim.step + 1), strict=True)
    ) > claim.more_than,
    "normal_form": lambda claim: unicodedata.normalize(claim.form, claim.text) == claim.gives,
    "quotes_sample": lambda claim: all(
        text in str(from_sample(claim.sample).training_text) for text in claim.texts
    ),
    "saves_most": saves_most,
    "same_ids": lambda claim: len({tuple(claim.tokenizer.encode(text)) for text in claim.texts}) == 1,
    "score": lambda claim: Fraction(claim.of[0], claim.of[1] * claim.of[2]) == Fraction(*claim.are),
    "setting": lambda claim: round(100 * claim.encoder.value_of[claim.name]) == claim.percent,
    "splits": lambda claim: list(map(SPLITS[claim.by](claim), claim.of)) == claim.are,
    "unused": lambda claim: not {
        *claim.symbols(claim.tokens)
    } & claim.trace.token_counts(claim.step).keys() and {*claim.symbols(claim.tokens)} <= {*claim.merged},
}  # fmt: skip


# Check the facts of lessons: every kind of fact is compared with bpe.train.

FIGURES = TRACE_FIGURES | RELATIVE_FIGURES | PUBLISHED_FIGURES
CHECKS = lesson_checks.CHECKS | RELATIVE_CHECKS | PUBLISHED_CHECKS


def holds(lesson: Lesson, beat: Beat, fact: Fact) -> bool:
    """Return whether a lesson's fact agrees with the training."""
    recipe = read_recipe(fact["under"]) if "under" in fact else lesson.recipe
    trace = trained(lesson.slug, recipe, fact.get("on", ""))
    claim = Claim(lesson, beat, trace, trained(lesson.slug, lesson.recipe), fact.get("step", beat.step), fact)
    if fact["kind"] in FIGURES:
        return bool(FIGURES[fact["kind"]](claim) == fact["is"])
    return CHECKS[fact["kind"]](claim)
