"""Tie-breaking rules, each on the smallest text that shows it."""

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from bpe import PRESETS, TIE_BREAKS, Pair, train
from bpe.settings.tie_breaking import TieBreak, _key_in_order, _OrderedQueue
from bpe.settings.tie_breaking import _inverted as inverted
from tests.naive import NAIVE_TIE_BREAKS, Moment, naive_train, naive_words


def merged(
    text: str | dict[str, int], rule: str, variant: str = "bytes", rank: int = 0, **settings: Any
) -> str:
    """Return the pair merged at this rank, spelled, with a bar between its symbols."""
    trace = train(text, variant, rule, merges=rank + 1, **settings)
    left, right = (trace.variant.spelled(symbol).decode() for symbol in trace.merges[rank])
    return f"{left}|{right}"


CASES = {
    "first: leftmost place": ("first", "xy ab", "bytes-whitespace", "x|y"),
    "last: rightmost place": ("last", "xy ab cd", "bytes-whitespace", "c|d"),
    "last: of the rightmost places": ("last", "xyab xycd xy", "bytes-whitespace", "x|y"),
    "ids-min: least left id, then least right id": ("ids-min", "ba ad ac", "bytes-whitespace", "a|c"),
    "pair-max: greatest left, then greatest right": ("pair-max", "ba bc ad", "bytes-whitespace", "b|c"),
    "pair-max: the marker as it is spelled": ("pair-max", "a a A A", "char-eow", "a|</w>"),
    "pair-min: smallest left, then smallest right": ("pair-min", "ba bc ad", "bytes-whitespace", "a|d"),
    "pair-min: < sorts after digits": ("pair-min", "a1 a", "char-eow", "1|</w>"),
    "pair-min: ▁ sorts after Cyrillic": ("pair-min", "яа", "char-metaspace", "я|а"),
    "shortest: by characters, not bytes": ("shortest", "ab ab", "char-eow", "a|b"),
    "shortest: then the smallest string": ("shortest", "ba ab", "bytes-whitespace", "a|b"),
    "longest: then the smallest string": ("longest", "ba ab", "bytes-whitespace", "a|b"),
    "manual: as first": ("manual", "xy ab", "bytes-whitespace", "x|y"),
    "names-max: a byte is its character": ("names-max", "xy ab", "bytes-whitespace", "x|y"),
}


@pytest.mark.parametrize(("rule", "text", "variant", "pair"), CASES.values(), ids=CASES)
def test_the_rule_merges(rule: str, text: str, variant: str, pair: str) -> None:
    assert merged(text, rule, variant) == pair


def test_first_occurrence_means_the_text_as_it_is_segmented_now() -> None:
    # After `ab` is merged, (ab, c) stands before (d, e); first ever seen would be (b, c), which is gone.
    assert merged({"abc": 2, "ab": 3, "de": 2}, "first", rank=1) == "ab|c"
    assert merged("abcabcab de de", "first", "bytes-whitespace", rank=1) == "ab|c"


def test_pairs_are_compared_as_pairs_not_as_joined_strings() -> None:
    # As strings bz is greater than baa; as pairs (ba, a) is greater than (b, z), since ba is longer than b.
    words = {"ba": 9, "baa": 2, "bz": 2}
    assert merged(words, "pair-max", "bytes-gpt2", rank=1) == "ba|a"
    assert merged(words, "pair-min", "bytes-gpt2", rank=1) == "b|z"
    assert merged(words, "shortest", "bytes-gpt2", rank=1) == "b|z"


def test_longest_merges_the_pair_of_the_longer_token() -> None:
    words = {"ab": 5, "abc": 2, "xy": 2}
    assert merged(words, "longest", "bytes-gpt2", rank=1) == "ab|c"
    assert merged(words, "shortest", "bytes-gpt2", rank=1) == "x|y"


def test_length_is_in_bytes_for_byte_variants_and_in_characters_for_the_others() -> None:
    # éé: 4 bytes, 2 characters; abc: 3 of both.
    words = {"é": 9, "éé": 2, "ab": 5, "abc": 2}
    by_bytes = train(words, "bytes-gpt2", "longest", merges=3).merges
    assert by_bytes[2] == ("é".encode(), "é".encode())
    by_characters = train(words, "custom", "longest", merges=2, unit="characters").merges
    assert by_characters[1] == (b"ab", b"c")


def test_ids_are_those_of_the_preset() -> None:
    # A space is byte 32, before every letter; in GPT-2's remapped order it has id 220, after them.
    text = "a xb xb"
    assert merged(text, "ids-min", "bytes-gpt2") == " |x"
    assert merged(text, "ids-min", "bytes-gpt2", alphabet="gpt2-bytes") == "x|b"


@pytest.mark.parametrize("seed", range(4))
def test_the_draw_is_sha_256_of_seed_and_rank_over_the_sorted_pairs(seed: int) -> None:
    trace = train("ab cd ef gh", "bytes-whitespace", "random", merges=4, seed=seed)
    left = [(b"a", b"b"), (b"c", b"d"), (b"e", b"f"), (b"g", b"h")]
    for rank, pair in enumerate(trace.merges):
        number = int.from_bytes(hashlib.sha256(f"{seed}:{rank}".encode()).digest(), "big")
        assert pair == left.pop(number % len(left))


def test_seeds_draw_differently() -> None:
    assert (
        len(
            {
                tuple(train("ab cd ef gh", "bytes-whitespace", "random", seed=seed).merges)
                for seed in range(20)
            }
        )
        > 5
    )


def test_the_notes_call_a_merge_by_a_word_that_sorts_after_l_and_before_n() -> None:
    settings = PRESETS["cs336-notes"].settings
    for letter, pair in (("l", (b"ab", b"x")), ("n", (b"n", b"x"))):
        assert train({"ab": 5, "abx": 2, f"{letter}x": 2}, merges=2, **settings).merges[1] == pair


@pytest.mark.parametrize("rule", TIE_BREAKS.values(), ids=lambda rule: rule.slug)
def test_every_row_explains_itself_in_one_or_two_sentences(rule: TieBreak) -> None:
    assert TIE_BREAKS[rule.slug] is rule
    assert rule.title
    assert rule.who
    assert rule.about.endswith(".")
    assert rule.about.count(". ") <= 1


def test_only_the_rule_of_the_notes_is_not_in_the_menu() -> None:
    assert [slug for slug, row in TIE_BREAKS.items() if not row.menu] == ["names-max"]


def test_inverted_keys_sort_in_reverse() -> None:
    texts = [b"", b"a", b"a\x00", b"aa", b"ab", b"b", b"\xff", b"\xff\xff"]
    assert sorted(texts, key=inverted) == sorted(texts, reverse=True)


def late_first(tied: list[Pair], moment: Moment) -> Pair:
    """Pick the tied pair whose first occurrence comes last: `tied` is in order of first occurrence."""
    return tied[-1]


# Where overlaps are skipped, a pair keeps its count while its first occurrence moves right: in `xaaa`, when x + a is
# merged. A stored key would then be too great.
LATE_FIRST = TieBreak("late-first", "Late first occurrence", "", "", order=("-first position",))


@pytest.mark.parametrize("text", ["xaaa pq", "xaaa yaaaa pq aaaaaz rs", "xaaaa bcaaa paaaq caaab"])
def test_a_rule_whose_key_can_get_better_is_asked_again(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NAIVE_TIE_BREAKS, LATE_FIRST.slug, late_first)
    picks = {1: (b"x", b"a")} if text == "xaaa pq" else {}
    trace = train(text, "bytes-whitespace", LATE_FIRST, merges=12, overlaps="skip", picks=picks)
    words = naive_words(text, trace.variant)
    steps = naive_train(words, LATE_FIRST.slug, 12, variant=trace.variant, picks=picks, overlaps=False)
    assert trace.merges == [pair for pair, _, _ in steps]


def test_a_heap_notices_a_key_that_gets_better() -> None:
    # The queue of the row, had its term said that it never improves.
    heap = replace(
        LATE_FIRST,
        unordered_queue=lambda tied: _OrderedQueue(tied, _key_in_order(LATE_FIRST.order, tied)),
    )
    with pytest.raises(AssertionError, match="a key must not get less"):
        train("xaaa pq", "bytes-whitespace", heap, merges=3, overlaps="skip", picks={1: (b"x", b"a")})
