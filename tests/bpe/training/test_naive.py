"""The oracle agrees with worked examples that were published or checked by hand."""

import random
from typing import Any

import pytest

import bpe
from bpe.settings.request import read_request
from bpe.symbols import END_OF_WORD, Pair
from bpe.text.variants import VARIANTS
from bpe.trace.merge_log import MergeLog
from bpe.training.pair_index import estimate_threshold
from tests.naive import naive_encode, naive_train, naive_words

E = END_OF_WORD
FIRST_TEXTBOOK = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
SECOND_TEXTBOOK = {"low": 5, "lowest": 2, "newest": 6, "wider": 3}


def learned(words: dict[str, int], rule: str, merges: int) -> list[bytes]:
    variant = VARIANTS["char-eow"]
    spelled = {variant.spell(word): frequency for word, frequency in words.items()}
    return [left + right for (left, right), _, _ in naive_train(spelled, rule, merges, variant=variant)]


@pytest.mark.parametrize(
    ("words", "rule", "tokens"),
    [
        pytest.param(FIRST_TEXTBOOK, "first", [b"es", b"est", b"est" + E, b"lo"], id="first of three tied"),
        pytest.param(
            FIRST_TEXTBOOK, "pair-max", [b"t" + E, b"st" + E, b"est" + E, b"ow"], id="greatest of three tied"
        ),
        pytest.param(
            SECOND_TEXTBOOK, "first", [b"we", b"wes", b"west", b"west" + E], id="first of four tied"
        ),
        pytest.param(
            SECOND_TEXTBOOK, "pair-min", [b"es", b"est", b"est" + E, b"west" + E], id="smallest of four tied"
        ),
    ],
)
def test_textbook_words_merge_as_published(words: dict[str, int], rule: str, tokens: list[bytes]) -> None:
    assert learned(words, rule, 4) == tokens


def test_cs336_notes_learn_the_published_merges_and_counts() -> None:
    text = "low low low low low lower lower widest widest widest newest newest newest newest newest newest"
    variant = VARIANTS["bytes-whitespace"]
    steps = naive_train(naive_words(text, variant), "names-max", 6, variant=variant)
    expected = [(b"st", 9), (b"est", 9), (b"ow", 7), (b"low", 7), (b"west", 6), (b"ne", 6)]
    assert [(left + right, count) for (left, right), count, _ in steps] == expected


def test_five_pairs_tie_for_the_first_merge_of_highest_higher() -> None:
    variant = VARIANTS["char-eow"]
    words = naive_words("highest higher lower lowest cooler coolest", variant)
    pair, count, tied = naive_train(words, "first", 1, variant=variant)[0]
    assert (pair, count) == ((b"e", b"s"), 3)
    assert tied == [(b"e", b"s"), (b"s", b"t"), (b"t", E), (b"e", b"r"), (b"r", E)]


def test_a_letter_lottery_goes_to_the_first_or_the_last_place() -> None:
    variant = VARIANTS["bytes"]
    words = naive_words("the sky is blue", variant)
    assert naive_train(words, "first", 1, variant=variant)[0][0] == (b"t", b"h")
    assert naive_train(words, "last", 1, variant=variant)[0][0] == (b"u", b"e")


def test_lowest_rank_is_applied_everywhere_before_the_next() -> None:
    merges: list[Pair] = [(b"u", b"g"), (b"h", b"u")]
    assert naive_encode((b"h", b"u", b"g"), merges) == (b"h", b"ug")


# Pair index: the pruning threshold affects the speed of training, never the merges.

RNG = random.Random(7)
TEXT = " ".join("".join(RNG.choices("abc", weights=(5, 3, 1), k=RNG.randint(1, 9))) for _ in range(400))


def learned_with(
    rule: str, variant: str, threshold: int | None = None, **settings: Any
) -> tuple[list[list[int]], str]:
    """Return everything that a training decides, with pairs pruned at this threshold."""
    request = read_request(variant, rule, **settings)
    trace = bpe.Training(request, request.count(TEXT), threshold).finish().trace()
    return [getattr(trace.log, field).tolist() for field in MergeLog.FIELDS], trace.stopped


@pytest.mark.parametrize("threshold", [2, 5, 40, 10**9])
@pytest.mark.parametrize("variant", ["bytes-gpt2", "bytes"])
@pytest.mark.parametrize("rule", [rule for rule in bpe.TIE_BREAKS if rule != "manual"])
def test_a_wrong_threshold_changes_nothing(rule: str, variant: str, threshold: int) -> None:
    assert learned_with(rule, variant, threshold, merges=150) == learned_with(rule, variant, 1, merges=150)


@pytest.mark.parametrize("threshold", [None, 50])
def test_a_wrong_threshold_stops_at_the_same_merge(threshold: int | None) -> None:
    unpruned = [learned_with("first", "bytes-gpt2", 1, merges=10_000, min_count=count) for count in (3, 1)]
    assert [stopped for _, stopped in unpruned] == ["min_count", "no pairs"]
    assert unpruned == [
        learned_with("first", "bytes-gpt2", threshold, merges=10_000, min_count=count) for count in (3, 1)
    ]


@pytest.mark.parametrize(
    ("frequencies", "positions", "merges", "threshold"),
    [
        ([9, 5, 4, 1], 20, 2, 6),  # half as much again as the word of rank 2
        ([1], 1_000, 10, 5),  # one long word: a twentieth of 100 positions per merge
        ([9, 5, 4, 1], 20, 10, 1),  # every word may be completed
        ([9], 20, 0, 1),
        ([], 0, 10, 1),
    ],
)
def test_the_threshold_is_estimated_from_the_words(
    frequencies: list[int], positions: int, merges: int, threshold: int
) -> None:
    assert estimate_threshold(frequencies, positions, merges) == threshold
