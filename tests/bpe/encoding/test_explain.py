"""Explanations: why two neighbours were merged, or were not."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import VARIANTS, BPEError, Pair, Symbol, Tokenizer, train
from bpe.encoding.explain import Explanation
from tests.bpe.text.random_texts import examples
from tests.material import texts

NEWEST = texts.TOYS["newest"]


def of_bytes(merges: list[Pair]) -> Tokenizer:
    alphabet = [bytes([value]) for value in range(256)]
    tokens = dict.fromkeys(
        symbol for left, right in merges for symbol in (left, right, left + right) if symbol[1:]
    )
    return Tokenizer(VARIANTS["bytes"], [*alphabet, *tokens], merges)


HUG: list[Pair] = [
    (b"u", b"g"),
    (b"h", b"u"),
    (b"h", b"ug"),
    (b"b", b"c"),
    (b"ab", b"c"),
    (b"x", b"yz"),
    (b" ", b" "),
]


@pytest.mark.parametrize(
    ("text", "boundary", "kind", "sentence", "ranks"),
    [
        ("hug", 1, "merged", "Merge 1 joined u and g into ug here.", (0,)),
        ("hug", 0, "merged", "Merge 3 joined h and ug into hug here.", (2,)),
        ("pu", 0, "no rule", "No learned merge joins p and u.", ()),
        ("qhug", 0, "no rule", "No learned merge joins q and hug.", ()),
        ("ugh", 1, "no rule", "No learned merge joins ug and h.", ()),
        (
            "bug", 0, "no rule", "No learned merge joins b and ug.", (),
        ),
        (
            "abc", 0, "unreachable",
            "abc is in the vocabulary, but only ab + c (merge 5) makes it, and here we have a + bc.", (4,),
        ),
        (
            "xyz", 0, "unreachable",
            "Merge 6 joins x and yz, but yz is never a single token after this boundary, "
            "so the merge cannot be used.", (5,),
        ),
        (
            "   ", 1, "taken first",
            "Merge 7 joins · and ·, but it had already used the left ·: "
            "merges run left to right, without overlap.", (6,),
        ),
    ],
)  # fmt: skip
def test_a_boundary_is_explained_in_one_sentence(
    text: str, boundary: int, kind: str, sentence: str, ranks: tuple[int, ...]
) -> None:
    explanation = of_bytes(HUG).explain(text, boundary)
    assert (explanation.kind, explanation.sentence, explanation.ranks) == (kind, sentence, ranks)


def explained(merges: list[Pair], text: str, boundary: int) -> Explanation:
    return of_bytes(merges).explain(text, boundary)


def test_the_left_neighbour_was_merged_first() -> None:
    explanation = explained([(b"a", b"b"), (b"b", b"c")], "abc", 1)
    assert (explanation.kind, explanation.rank) == ("taken first", 1)
    assert explanation.sentence == (
        "Merge 2 joins b and c, but merge 1 came first and made the left neighbour b part of ab."
    )


def test_the_right_neighbour_was_merged_first() -> None:
    explanation = explained([(b"b", b"c"), (b"a", b"b")], "abc", 0)
    assert (explanation.kind, explanation.ranks) == ("taken first", (1, 0))
    assert "merge 1 came first and made the right neighbour b part of bc" in explanation.sentence


def test_two_tokens_that_were_never_neighbours() -> None:
    explanation = explained([(b"x", b"a"), (b"b", b"c"), (b"a", b"bc")], "xabc", 1)
    assert (explanation.kind, explanation.ranks) == ("never together", (2, 0, 1))
    assert explanation.sentence.endswith("but merge 1 used up a before merge 2 made bc.")


def test_one_step_merges_a_token_away_and_makes_its_neighbour() -> None:
    explanation = explained([(b"a", b"b"), (b"b", b"ab")], "abab", 1)
    assert (explanation.kind, explanation.ranks) == ("never together", (1, 0))
    assert explanation.sentence.endswith("but merge 1 used up b in the step that made ab.")


def test_a_wall_between_pre_tokens() -> None:
    tokenizer = train(NEWEST, merges=5).tokenizer()
    explanation = tokenizer.explain("low lowest", 3)
    assert (explanation.kind, explanation.left, explanation.right) == ("wall", b"\xff", b"low")


def test_an_unknown_character_has_no_merge() -> None:
    tokenizer = train(NEWEST, merges=5).tokenizer()
    assert tokenizer.explain("l字", 0).sentence == "字 is not in the vocabulary, so no merge can use it."


def test_a_boundary_that_does_not_exist_is_refused() -> None:
    for boundary in (-1, 2):
        with pytest.raises(BPEError, match=r"The boundary must be from 0 to 1, got"):
            of_bytes(HUG).explain("hug", boundary)
    with pytest.raises(BPEError, match=r"no boundary"):
        of_bytes(HUG).explain("h", 0)


@examples(40)
@given(text=st.text("abc", min_size=2, max_size=10), seed=st.integers(0, 20))
def test_every_boundary_of_any_merges_is_explained(text: str, seed: int) -> None:
    draw = random.Random(seed)
    parts: list[Symbol] = [b"a", b"b", b"c", b"ab", b"bc", b"ca", b"aa", b"abc"]
    merges = list({(draw.choice(parts), draw.choice(parts)): None for _ in range(8)})
    tokenizer = of_bytes(merges)
    closing, _ = tokenizer.encode_boundaries(text)
    for boundary, number in enumerate(closing):
        assert (tokenizer.explain(text, boundary).kind == "merged") == (number >= 0)
