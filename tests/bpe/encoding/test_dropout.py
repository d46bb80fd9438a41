"""BPE-dropout: each segmentation of a word is as frequent as the algorithm says, and as in the libraries."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from subword_nmt.apply_bpe import encode as subword_nmt_encode
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers.models import BPE

import bpe
from bpe import VARIANTS, BPEError, Pair, Word
from bpe.encoding.merging import EncoderInput
from bpe.encoding.textbook import merge_at

DROPOUT = bpe.ENCODERS["dropout"]
# Word, merges: letters that stand for themselves.
WORDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "two ways that meet": ("lower", ("l o", "lo w", "e r", "low er")),
    "merges that overlap": ("abcd", ("a b", "b c", "c d", "ab c", "b cd", "ab cd")),
    "one merge at two positions": ("banana", ("a n", "b an", "an a", "ban ana")),
    "one merge at overlapping positions": ("aaaa", ("a a", "aa a", "aa aa")),
}
# In these, no merge is at two positions, and no merge takes a letter from another one.
ALIKE_IN_HUGGING_FACE = {
    "two ways that meet": WORDS["two ways that meet"],
    "a chain": ("abcd", ("a b", "ab c", "abc d")),
    "two chains": ("abcdef", ("d e", "a b", "de f", "ab c", "abc def")),
}
TIMES = 6_000
P = 0.4

by_word = pytest.mark.parametrize(("word", "merges"), WORDS.values(), ids=WORDS)


def pairs_of(merges: Sequence[str]) -> tuple[Pair, ...]:
    return tuple((left, right) for left, right in (map(str.encode, merge.split()) for merge in merges))


def outcomes(word: Word, merges: tuple[Pair, ...], p: float) -> Iterator[tuple[Word | None, float]]:
    """Yield every word that the next step can give, with its probability; None if every position is dropped."""
    none_before = 1.0
    for left, right in merges:
        positions = [i for i in range(len(word) - 1) if word[i : i + 2] == (left, right)]
        for number in range(1, len(positions) + 1):
            for remaining in combinations(positions, number):
                chance = none_before * (1 - p) ** number * p ** (len(positions) - number)
                yield merge_at(word, remaining), chance
        none_before *= p ** len(positions)
    yield None, none_before


@cache
def distribution(word: Word, merges: tuple[Pair, ...], p: float) -> Mapping[Word, float]:
    """Return the probability of every segmentation, by trying all draws."""
    chances: defaultdict[Word, float] = defaultdict(float)
    for after, chance in outcomes(word, merges, p):
        if after is None:
            chances[word] += chance
        else:
            for segmentation, then in distribution(after, merges, p).items():
                chances[segmentation] += chance * then
    return chances


def distance(counts: Mapping[Word, int], chances: Mapping[Word, float]) -> float:
    """Return Pearson's chi-square of the counts; infinite if one of them is impossible."""
    if counts.keys() - chances.keys():
        return float("inf")
    times = sum(counts.values())
    return sum(
        (counts.get(word, 0) - times * chance) ** 2 / (times * chance) for word, chance in chances.items()
    )


# Far above what chance gives with so few segmentations: less than once in a billion runs.
FAR = 80


def spelled(word: str) -> Word:
    return VARIANTS["bytes"].spell(word)


def known(merges: Sequence[Pair]) -> EncoderInput:
    return EncoderInput(VARIANTS["bytes"], {}, merges, {})


def ours(word: str, merges: Sequence[str], p: float) -> Counter[Word]:
    table = known(pairs_of(merges))
    return Counter(
        tuple(DROPOUT.using(p=p, seed=seed).prepared(table).encode(spelled(word))) for seed in range(TIMES)
    )


@pytest.mark.slow
@by_word
def test_segmentations_are_as_frequent_as_the_algorithm_says(word: str, merges: Sequence[str]) -> None:
    chances = distribution(spelled(word), pairs_of(merges), P)
    counts = ours(word, merges, P)
    assert distance(counts, chances) < FAR
    assert distance(counts, distribution(spelled(word), pairs_of(merges), P + 0.1)) > 2 * FAR


@by_word
def test_subword_nmt_has_the_same_frequencies(word: str, merges: Sequence[str]) -> None:
    codes = {tuple(merge.split()): rank for rank, merge in enumerate(merges)}
    random.seed(1)
    draws = [
        # Its end-of-word marker is a symbol of its own in version 0.1; no merge of ours uses it.
        subword_nmt_encode(word, codes, {}, None, "", (0, 1), {}, dropout=P)
        for _ in range(TIMES)
    ]
    counts = Counter(tuple(map(str.encode, tokens)) for tokens in draws)
    assert distance(counts, distribution(spelled(word), pairs_of(merges), P)) < FAR


def drawn_by_hugging_face(word: str, merges: Sequence[str]) -> Counter[Word]:
    tokens = [*sorted(set(word)), *(merge.replace(" ", "") for merge in merges)]
    vocabulary = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
    pairs = [(left, right) for left, right in map(str.split, merges)]
    library = LibraryTokenizer(BPE(vocab=vocabulary, merges=pairs, dropout=P))
    return Counter(tuple(map(str.encode, library.encode(word).tokens)) for _ in range(TIMES))


@pytest.mark.parametrize(("word", "merges"), ALIKE_IN_HUGGING_FACE.values(), ids=ALIKE_IN_HUGGING_FACE)
def test_hugging_face_has_the_same_frequencies(word: str, merges: Sequence[str]) -> None:
    chances = distribution(spelled(word), pairs_of(merges), P)
    assert distance(drawn_by_hugging_face(word, merges), chances) < FAR


def test_hugging_face_draws_again_where_a_merge_has_lost_a_letter() -> None:
    # Once a + b is merged, b + c no longer fits; its entry in their queue gives a dropped c + d a second chance.
    word, merges = "abcd", ("a b", "c d", "b c")
    chances = distribution(spelled(word), pairs_of(merges), P)
    both = (b"ab", b"cd")
    assert drawn_by_hugging_face(word, merges)[both] / TIMES > chances[both] + 0.05


letters = st.text("abc", max_size=12)
parts = st.sampled_from([b"a", b"b", b"c", b"aa", b"ab", b"ba", b"bc", b"abc"])
lists = st.lists(st.tuples(parts, parts), max_size=12, unique=True)


@given(word=letters, merges=lists, seed=st.integers(0, 9))
def test_nothing_dropped_is_rank_and_everything_dropped_is_the_alphabet(
    word: str, merges: list[Pair], seed: int
) -> None:
    table = known(merges)
    rank = bpe.ENCODERS["rank"].prepared(table)
    none, all_ = (DROPOUT.using(p=p, seed=seed).prepared(table) for p in (0, 1))
    assert none.encode(spelled(word)) == rank.encode(spelled(word))
    assert list(none.steps(spelled(word))) == list(rank.steps(spelled(word)))
    # No draw falls below this p, so the code that draws must do what `rank` does.
    almost_none = DROPOUT.using(p=1e-300, seed=seed).prepared(table)
    assert list(almost_none.steps(spelled(word))) == list(rank.steps(spelled(word)))
    assert tuple(all_.encode(spelled(word))) == spelled(word)


def test_one_seed_gives_equal_words_equal_tokens_and_another_seed_other_ones() -> None:
    tokenizer = bpe.train("low low low lower lower newest newest", merges=9).tokenizer()
    half = DROPOUT.using(p=0.5)
    assert len({tuple(tokenizer.tokens("newest", half.using(seed=seed))) for seed in range(30)}) == 4
    tokens = tokenizer.tokens("newest newest", half)
    assert tokens == tokenizer.tokens("newest", half) * 2
    assert tokenizer.decode(tokenizer.encode("newest lower", half)) == "newest lower"


BAD_SETTINGS: dict[str, tuple[dict[str, object], str]] = {
    "p above 1": ({"p": 1.5}, "p must be a number from 0 to 1; got 1.5"),
    "no number": ({"p": "0.5"}, "p must be a number"),
    "not a number": ({"p": float("nan")}, "p must be a number"),
    "a truth value": ({"p": True}, "p must be a number"),
    "half a seed": ({"seed": 0.5}, "seed must be a whole number from 0 to 999,999; got 0.5"),
    "an unknown setting": ({"q": 1}, "The encoder dropout has no setting 'q'"),
}


@pytest.mark.parametrize(("values", "problem"), BAD_SETTINGS.values(), ids=BAD_SETTINGS)
def test_bad_settings_are_refused(values: dict[str, float], problem: str) -> None:
    with pytest.raises(BPEError, match=problem):
        DROPOUT.using(**values)


def test_an_encoder_without_settings_takes_none() -> None:
    with pytest.raises(BPEError, match="The encoder rank has no setting 'p'"):
        bpe.ENCODERS["rank"].using(p=0.5)
