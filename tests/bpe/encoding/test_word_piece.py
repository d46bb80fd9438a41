"""WordPiece: the printed results of Hugging Face's course, a naive twin, and what Hugging Face's library learns."""

import random
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import islice, takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, pre_tokenizers
from tokenizers.models import BPE, WordPiece
from tokenizers.trainers import BpeTrainer, WordPieceTrainer

from bpe.encoding import word_piece
from bpe.encoding.word_piece import Score, _by_count, _by_parts, encode, merges
from tests.bpe.text.random_texts import examples
from ui.choices.corpus import from_sample

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}

# Hugging Face's course, chapter 6.6: the words of its listing, with their counts, and the pieces that it prints.
COURSE = {
    "This": 3, "is": 2, "the": 1, "Hugging": 1, "Face": 1, "Course": 1, ".": 4, "chapter": 1, "about": 1,
    "tokenization": 1, "section": 1, "shows": 1, "several": 1, "tokenizer": 1, "algorithms": 1, "Hopefully": 1,
    ",": 1, "you": 1, "will": 1, "be": 1, "able": 1, "to": 1, "understand": 1, "how": 1, "they": 1, "are": 1,
    "trained": 1, "and": 1, "generate": 1, "tokens": 1,
}  # fmt: skip
COURSE_ALPHABET = [
    "##a", "##b", "##c", "##d", "##e", "##f", "##g", "##h", "##i", "##k", "##l", "##m", "##n", "##o", "##p", "##r",
    "##s", "##t", "##u", "##v", "##w", "##y", "##z", ",", ".", "C", "F", "H", "T", "a", "b", "c", "g", "h", "i", "s",
    "t", "u", "w", "y",
]  # fmt: skip
COURSE_PIECES = [
    "ab", "##fu", "Fa", "Fac", "##ct", "##ful", "##full", "##fully", "Th", "ch", "##hm", "cha", "chap", "chapt",
    "##thm", "Hu", "Hug", "Hugg", "sh", "th", "is", "##thms", "##za", "##zat", "##ut",
]  # fmt: skip


def pieces(words: Mapping[str, int], number: int, score: Score = _by_parts) -> list[str]:
    return [merge.piece for merge in islice(merges(words, score), number)]


def test_the_first_example_of_the_course_is_reproduced() -> None:
    first, second, _ = islice(merges(HUG), 3)
    assert (first.left, first.right, first.score, first.tied) == ("##g", "##s", Fraction(1, 20), 1)
    assert (first.count, first.counts) == (5, (20, 5))
    assert (first.piece, second.piece) == ("##gs", "hu")
    assert second.score == Fraction(1, 36)  # as every pair that is left, since all of them hold ##u


def test_the_third_merge_of_the_course_does_not_follow_from_its_formula() -> None:
    # It gives hu + ##g and hu + ##gs the score 1/15 and merges the former. But ##g still occurs 15 times.
    third = list(islice(merges(HUG), 3))[-1]
    assert (third.piece, third.score, third.tied) == ("hugs", Fraction(1, 15), 1)
    assert _by_parts(10, 15, 15) == Fraction(2, 45)  # hu + ##g, less than 1/21


def test_the_listing_of_the_course_is_reproduced() -> None:
    assert sorted(word_piece.alphabet(COURSE)) == COURSE_ALPHABET
    assert pieces(COURSE, len(COURSE_PIECES)) == COURSE_PIECES


def test_words_of_the_course_are_encoded_as_printed() -> None:
    vocabulary = {*COURSE_ALPHABET, *COURSE_PIECES}
    assert encode("Hugging", vocabulary) == ["Hugg", "##i", "##n", "##g"]
    assert encode("HOgging", vocabulary) == ["[UNK]"]


# A naive twin: a word is its letters and the set of cuts between them.


def naive_pieces(words: Mapping[str, int], number: int, score: Score) -> list[str]:
    cuts = {word: list(range(len(word) + 1)) for word in words}
    learned: list[str] = []

    def spelled(word: str) -> list[str]:
        ends = zip(cuts[word], cuts[word][1:], strict=False)
        return [("##" if start else "") + word[start:end] for start, end in ends]

    while len(learned) < number:
        every = [(piece, words[word]) for word in words for piece in spelled(word)]
        neighbours = [
            (pair, words[word])
            for word in words
            for pair in zip(spelled(word), spelled(word)[1:], strict=False)
        ]
        if not neighbours:
            break

        def total(what: object, among: list[tuple[str, int]] | list[tuple[tuple[str, str], int]]) -> int:
            return sum(frequency for item, frequency in among if item == what)

        candidates = list(dict.fromkeys(pair for pair, _ in neighbours))
        # `max` returns the first of several equal ones.
        best = max(
            candidates,
            key=lambda pair: score(total(pair, neighbours), total(pair[0], every), total(pair[1], every)),
        )
        learned.append(best[0] + best[1][2:])
        for word in words:
            position = 0
            while position + 2 < len(cuts[word]):
                if tuple(spelled(word)[position : position + 2]) == best:
                    del cuts[word][position + 1]
                position += 1
    return learned


@pytest.mark.parametrize("score", [_by_parts, _by_count])
@examples(25)
@given(words=st.dictionaries(st.text("abc", min_size=1, max_size=6), st.integers(1, 9), max_size=5))
def test_the_merges_are_those_of_the_naive_twin(score: Score, words: dict[str, int]) -> None:
    assert pieces(words, 8, score) == naive_pieces(words, 8, score)


@given(word=st.text("abc", min_size=1, max_size=8), number=st.integers(0, 12))
def test_pieces_join_to_the_word(word: str, number: int) -> None:
    words = {"abcabc": 3, "cab": 2, "bacca": 4, "abba": 1}
    vocabulary = {*word_piece.alphabet(words), *pieces(words, number)}
    split = encode(word, vocabulary)
    assert split == ["[UNK]"] or "".join(piece.removeprefix("##") for piece in split) == word


# Hugging Face's library


def repeated(words: Mapping[str, int]) -> list[str]:
    return [" ".join([word] * frequency) for word, frequency in words.items()]


def library_pieces(words: Mapping[str, int], size: int, *, as_bpe: bool) -> set[str]:
    """Return the vocabulary of its WordPieceTrainer, or that of its BPE with the prefix ##."""
    tokenizer = Tokenizer(BPE() if as_bpe else WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if as_bpe:
        prefixed = BpeTrainer(vocab_size=size, continuing_subword_prefix="##", show_progress=False)
        tokenizer.train_from_iterator(repeated(words), prefixed)
    else:
        tokenizer.train_from_iterator(repeated(words), WordPieceTrainer(vocab_size=size, show_progress=False))
    return set(tokenizer.get_vocab())


def uneven(words: list[str], seed: int) -> dict[str, int]:
    """Return the words with very different frequencies, so that few pairs tie."""
    draw = random.Random(seed)
    return {word: draw.randint(1, 3_000) for word in dict.fromkeys(words)}


STORY = from_sample("story").documents[0].split()
LISTS = {
    "the course's five words": HUG,
    "words of the story": uneven(STORY[:150], seed=1),
    "other words of the story": uneven(STORY[900:1_000], seed=2),
}


@pytest.mark.parametrize("words", LISTS.values(), ids=LISTS)
def test_hugging_faces_word_piece_trainer_learns_what_its_bpe_with_a_prefix_learns(
    words: dict[str, int],
) -> None:
    # The library numbers ## letters in the order of a hash map and breaks ties by these numbers. So we compare the
    # merges before the first tie.
    learned = [merge.piece for merge in takewhile(lambda merge: merge.tied == 1, merges(words, _by_count))]
    letters = set("".join(words))  # the library has every letter with and without ##
    expected = {*letters, *word_piece.alphabet(words), *learned}
    assert len(learned) >= 3
    assert library_pieces(words, len(expected), as_bpe=False) == expected
    assert library_pieces(words, len(expected), as_bpe=True) == expected
    assert {
        *word_piece.alphabet(words),
        *pieces(words, len(learned)),
    } != expected  # by the score of WordPiece


def test_the_library_encodes_with_the_longest_piece_first_and_gives_up_whole_words() -> None:
    words = Counter(STORY)
    vocabulary = [word_piece.UNKNOWN, *word_piece.alphabet(words), *pieces(words, 60)]
    library = Tokenizer(
        WordPiece({piece: number for number, piece in enumerate(vocabulary)}, unk_token="[UNK]")
    )
    for word in [*words, "unlit", "Übel", "lighthousekeepers"]:
        assert encode(word, vocabulary) == library.encode(word).tokens
