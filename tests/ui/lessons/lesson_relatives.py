"""Check the facts of lessons that need more than one training: WordPiece, Unigram, draws, encoders, costs, a novel."""

import io
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

import sentencepiece

import bpe
from bpe.encoding import word_piece
from bpe.text.counting import count_text
from tests.material.novel import novel
from tests.ui.lessons.lesson_claim import Claim
from tests.ui.lessons.lesson_published import PUBLISHED_SPLITS, labels
from ui.sidebar.corpus import from_sample

Words = tuple[tuple[str, int], ...]  # with their frequencies; hashable
Split = Callable[[str], list[str]]


@cache
def pieces(words: Words, merges: int) -> tuple[word_piece.PieceMerge, ...]:
    return tuple(islice(word_piece.merges(dict(words)), merges))


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


def split_by_word_piece(claim: Claim) -> Split:
    learned = pieces(words_of(claim), claim.merges)
    vocabulary = {*word_piece.alphabet(claim.counted_words), *(merge.piece for merge in learned)}
    return lambda word: word_piece.encode(word, vocabulary)


def split_by_unigram(claim: Claim) -> Split:
    model = unigram(words_of(claim), claim.size)
    assert model.get_piece_size() == claim.size
    return lambda word: list(model.encode(word, out_type=str))


SPLITS: Mapping[str, Callable[[Claim], Split]] = {
    "bpe": split_by_bpe,
    "word-piece": split_by_word_piece,
    "unigram": split_by_unigram,
    **PUBLISHED_SPLITS,
}


def piece_merge(claim: Claim) -> bool:
    """Check a merge of WordPiece, and its score as [top, bottom]."""
    merge = pieces(words_of(claim), claim.merge)[-1]
    quoted = ([merge.left, merge.right], merge.count, list(merge.counts), merge.score)
    return bool(quoted == (claim.pair, claim.count, claim.counts, Fraction(*claim.score)))


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
    "prefix": lambda claim: word_piece.CONTINUATION,
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
    """Check that counts of so many parts of the corpus, added up, give the same words and the same merges."""
    lines = claim.lesson.corpus.reading_text.splitlines(keepends=True)
    size = -(-len(lines) // claim.parts)
    total: Counter[str] = Counter()
    for start in range(0, len(lines), size):
        total.update(count_text("".join(lines[start : start + size]), claim.trace.variant))
    again = bpe.train(dict(total), **claim.lesson.recipe.settings)
    return total == claim.counted_words and again.merges == claim.trace.merges


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
    "counted_in_parts": counted_in_parts,
    "latin": lambda claim: all(
        token.rstrip(bpe.END_OF_WORD).isascii() for token in claim.merged[: claim.merges]
    ),
    "most_letters_begin": most_letters_begin,
    "novel": lambda claim: all(
        getattr(novel(), name) == value for name, value in claim.fact.items() if name != "kind"
    ),
    "piece_merge": piece_merge,
    "known": lambda claim: set(claim.symbols(claim.tokens)) <= claim.tokenizer.ids.keys(),
    "unchanged": lambda claim: sum(
        one == other
        for one, other in zip(claim.trace.words_at(claim.step), claim.trace.words_at(claim.step + 1), strict=True)
    ) > claim.more_than,
    "normal_form": lambda claim: unicodedata.normalize(claim.form, claim.text) == claim.gives,
    "pieces": lambda claim: [
        merge.piece for merge in pieces(words_of(claim), len(claim.tokens))
    ] == claim.tokens,
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
