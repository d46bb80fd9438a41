"""Encoders, compared with readable oracles on trained, shuffled and typed vocabularies and words of any length."""

import base64
import random
import time
from dataclasses import replace
from itertools import accumulate, pairwise, product

import pytest
import tiktoken
import tokenizers
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import models

import bpe
from bpe import VARIANTS, BPEError, Pair, Symbol, train
from bpe.encoding.encoders import _LONG_TOKEN, ENCODERS, textbook_of
from bpe.encoding.explain import Explanation
from bpe.encoding.merging import NOT_MADE, SHORT_WORD, EncoderInput, _stay_apart, apply_steps, merge_table
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats import FORMATS
from bpe.formats.hugging_face.reading import read_tokenizer
from bpe.formats.tiktoken_ranks import merges_of_ranks, read_ranks
from bpe.text.normalizing import Normalizer
from tests.bpe.encoding.naive_encoders import (
    BYTES,
    ORACLES,
    by_textbook,
    encoded,
    encoder,
    naive_longest,
    naive_rank,
    spelled,
    trained,
    vocabulary,
)
from tests.bpe.text.random_texts import examples
from tests.material import texts
from tests.naive import naive_encode

# Small cases that a reader can check

LADDER = [(b"a", b"b"), (b"ab", b"c"), (b"d", b"e"), (b"c", b"de"), (b"b", b"c")]


@pytest.mark.parametrize(
    ("slug", "text", "tokens"),
    [
        pytest.param("rank", "abcde", "abc de", id="rank: a+b, ab+c, d+e; nothing is left for c+de"),
        pytest.param("rank", "bcde", "b cde", id="rank: d+e before b+c"),
        pytest.param("longest", "abcde", "ab cde", id="longest: the token that comes later when lengths tie"),
        pytest.param("prefix", "abcde", "abc de", id="prefix"),
        pytest.param("fewest", "abcde", "abc de", id="fewest: of two ways the longer token first"),
        pytest.param("fewest", "abcdeabcde", "abc de abc de", id="fewest: twice"),
        pytest.param("longest", "xabcx", "x abc x", id="longest: unknown letters stay"),
        pytest.param("rank", "", "", id="nothing"),
    ],
)
def test_a_small_word_is_encoded(slug: str, text: str, tokens: str) -> None:
    known = vocabulary(LADDER, frequencies={b"cde": 5, b"abc": 3})
    assert encoded(slug, known, text) == [token.encode() for token in tokens.split()]


def test_the_lowest_id_wins_where_length_and_frequency_tie() -> None:
    assert encoded("longest", vocabulary(tokens=[b"bc", b"ab"]), "abc") == [b"a", b"bc"]
    assert encoded("longest", vocabulary(tokens=[b"ab", b"bc"]), "abc") == [b"ab", b"c"]


def test_merges_run_left_to_right_without_overlap() -> None:
    known = vocabulary([(b"a", b"a")])
    assert encoded("rank", known, "aaaaa") == [b"aa", b"aa", b"a"]


def test_rules_apply_a_merge_once_where_rank_returns_to_it() -> None:
    edited = vocabulary([(b"ab", b"c"), (b"a", b"b")])  # the first uses the token that the second makes
    assert encoded("rank", edited, "abc") == [b"abc"]
    assert encoded("rules", edited, "abc") == [b"ab", b"c"]


def test_rank_applies_a_merge_everywhere_before_it_chooses_the_next() -> None:
    edited = vocabulary([(b"ab", b"a"), (b"a", b"b")])
    assert encoded("rank", edited, "abab") == [b"ab", b"ab"]  # one at a time, left to right, would give aba b


def test_two_merges_may_make_the_same_token() -> None:
    known = vocabulary([(b"a", b"b"), (b"b", b"c"), (b"ab", b"c"), (b"a", b"bc")])
    assert encoded("rank", known, "abc") == [b"abc"]


def test_a_marker_counts_as_one_letter_for_longest() -> None:
    attached = EncoderInput(VARIANTS["char-eow-attached"], {b"ab": 0, b"bc\xff": 1}, (), {})
    word = VARIANTS["char-eow-attached"].spell("abc")
    assert list(ENCODERS["longest"].prepared(attached).encode(word)) == [b"a", b"bc\xff"]


# The textbook's functions, on trained tokenizers of every variant

HOSTILE = st.text(st.sampled_from("ab _</w>▁é😊\n\t '1\u0301\ufffd\U0010ffff"), max_size=24)


@encoder
@given(text=HOSTILE, new=HOSTILE, slug=st.sampled_from(list(VARIANTS)))
def test_the_textbook_encodes_as_the_encoder_does(encoder: str, text: str, new: str, slug: str) -> None:
    tokenizer = train(text * 2, slug, merges=12).tokenizer()
    for pre_token in tokenizer.variant.split(new):
        word = tokenizer.variant.spell(pre_token)
        assert tuple(tokenizer.word_tokens(pre_token, encoder)) == by_textbook(
            encoder, tokenizer._input, word
        )


def test_a_tokenizer_that_takes_whole_words_has_a_textbook_of_its_own() -> None:
    known = replace(vocabulary([(b"a", b"b")], [b"abc"]), whole_words=True)
    assert by_textbook("rank", known, spelled("abc")) == (b"abc",) == tuple(encoded("rank", known, "abc"))
    assert by_textbook("rank", known, spelled("abcc")) == (b"ab", b"c", b"c")
    assert textbook_of(ENCODERS["trimmed"], replace(known, frequencies={b"ab": 1})) == ()
    assert textbook_of(ENCODERS["rank"], replace(known, equal_ranks={b"ab": 0})) == ()


# Comparisons with the oracles

letters = st.text("abc", max_size=8)


@st.composite
def edited_merges(draw: st.DrawFn) -> list[Pair]:
    """Draw merges in any order. Their parts may or may not be made by other merges."""
    parts = st.sampled_from([b"a", b"b", b"c", b"aa", b"ab", b"ba", b"bc", b"aab", b"abc", b"abab"])
    return draw(st.lists(st.tuples(parts, parts), max_size=12, unique=True))


@encoder
@examples(40)
@given(merges=edited_merges(), text=letters, seed=st.integers(0, 3))
def test_edited_merges_encode_as_the_oracle_does(
    encoder: str, merges: list[Pair], text: str, seed: int
) -> None:
    draw = random.Random(seed)
    known = vocabulary(merges, frequencies={left + right: draw.randint(0, 2) for left, right in merges})
    assert tuple(encoded(encoder, known, text)) == ORACLES[encoder](known, spelled(text))


@encoder
@examples(40)
@given(
    tokens=st.lists(
        st.binary(min_size=1, max_size=4).map(lambda b: bytes(97 + c % 3 for c in b)), max_size=8
    ),
    text=letters,
)
def test_typed_tokens_encode_as_the_oracle_does(encoder: str, tokens: list[bytes], text: str) -> None:
    known = vocabulary(tokens=tokens)
    assert tuple(encoded(encoder, known, text)) == ORACLES[encoder](known, spelled(text))


@encoder
@examples(20)
@given(merges=edited_merges(), text=letters)
def test_the_steps_lead_to_the_tokens(encoder: str, merges: list[Pair], text: str) -> None:
    ready = ENCODERS[encoder].prepared(vocabulary(merges))
    word = spelled(text)
    assert apply_steps(word, ready.steps(word)) == list(ready.encode(word))


@examples(40)
@given(text=st.text("ab", max_size=40))
def test_rank_and_rules_agree_for_trained_merges(text: str) -> None:
    known = trained("ab", 500, 60)
    assert (
        encoded("rank", known, text)
        == encoded("rules", known, text)
        == list(naive_rank(known, spelled(text)))
    )


@pytest.mark.parametrize("encoder", ENCODERS)
def test_an_encoder_repeats_the_training_if_its_row_says_so(encoder: str) -> None:
    trace = train(texts.SENTENCES, variant="bytes-gpt2", merges=150)
    tokenizer = trace.tokenizer()
    final = [list(word) for word, _ in trace.words_at(150)]
    again = [list(tokenizer.word_tokens(pre_token, encoder)) for pre_token in trace.pre_tokens]
    assert (again == final) == ENCODERS[encoder].repeats_training


def test_a_word_taken_whole_closes_its_own_boundaries_only() -> None:
    tokenizer = Tokenizer(VARIANTS["bytes-whitespace"], [b"a", b"b", b"c", b"abc"], whole_words=True)
    assert tokenizer.tokens("abc ba ca") == [b"abc", b"b", b"a", b"c", b"a"]
    assert tokenizer.encode_boundaries("abc ba ca")[0] == [0, 0, -1, -1, -1, -1]


def test_one_by_one_closes_the_boundary_inside_each_pair() -> None:
    merges = [(b"ab", b"c"), (b"a", b"b")]  # out of order
    symbols = [b"a", b"b", b"c", b"ab", b"abc"]
    tokenizer = Tokenizer(VARIANTS["bytes-whitespace"], symbols, merges, one_by_one=True)
    assert tokenizer.tokens("abcab") == [b"abc", b"ab"]
    assert tokenizer.encode_boundaries("abcab")[0] == [0, 1, -1, 2]
    assert tokenizer.encode_boundaries("") == ([], [])


@pytest.mark.parametrize("slug", ["longest", "prefix", "fewest"])
def test_a_word_of_one_known_symbol_is_looked_up(slug: str) -> None:
    steps = Tokenizer.from_vocabulary("x", "bytes-whitespace").encode_steps("x", slug)
    assert [step.token for step in steps] == [b"x"]


def test_the_text_begins_before_its_first_special_token_only() -> None:
    normalizer = Normalizer("marks the beginning", lambda text, begins: f"^{text}" if begins else text)
    symbols = [b"<s>", b"a", b"^"]
    tokenizer = Tokenizer(VARIANTS["bytes"], symbols, special_tokens=["<s>"], normalizer=normalizer)
    assert tokenizer.tokens("a<s>a", allow_special=True) == [b"^", b"a", b"<s>", b"a"]


# Long words are encoded as short ones are, and in time that grows with their length.

LONG_WORDS = {
    "one letter": "a" * 1_001,
    "letters at random": "".join(random.Random(3).choices("ab", k=500)),
    "a long run in between": "b" + "a" * 700 + "bab" + "a" * 200,
}


@pytest.mark.parametrize("slug", ["rank", "rules"])
@pytest.mark.parametrize("text", LONG_WORDS.values(), ids=LONG_WORDS)
def test_long_words_are_encoded_as_short_ones(slug: str, text: str) -> None:
    known = trained("ab", 500, 60)
    assert len(text) > SHORT_WORD
    assert tuple(encoded(slug, known, text)) == naive_rank(known, spelled(text))


@pytest.mark.parametrize("slug", ["longest", "prefix"])
@pytest.mark.parametrize("text", LONG_WORDS.values(), ids=LONG_WORDS)
def test_tokens_too_long_to_slice_are_found(slug: str, text: str) -> None:
    runs = [b"a" * length for length in (1, 2, 63, _LONG_TOKEN, _LONG_TOKEN + 1, 100, 200, 333)]
    known = vocabulary(tokens=[b"b", b"ab", *runs, b"b" + b"a" * 199, b"a" * 199 + b"b"])
    oracle = {"longest": naive_longest, "prefix": ORACLES["prefix"]}[slug]
    assert tuple(encoded(slug, known, text)) == oracle(known, spelled(text))


@pytest.mark.parametrize("length", [700, 999, 1_000])
def test_the_fewest_long_tokens_are_found(length: int) -> None:
    tokens = encoded("fewest", vocabulary(tokens=[b"a", b"a" * 70, b"a" * 300]), "a" * length)
    assert len(tokens) == min(
        long + middle + length - 300 * long - 70 * middle
        for long in range(length // 300 + 1)
        for middle in range((length - 300 * long) // 70 + 1)
    )


@pytest.mark.parametrize("encoder", [slug for slug, row in ENCODERS.items() if not row.settings])
def test_a_run_of_30_000_letters_becomes_powers_of_two(encoder: str) -> None:
    known = trained("a", 4_096, 12)
    assert len(encoded(encoder, known, "a" * 30_000)) == 30_000 // 4_096 + (30_000 % 4_096).bit_count()


@encoder
def test_a_word_four_times_as_long_takes_about_four_times_as_long(encoder: str) -> None:
    ready = ENCODERS[encoder].prepared(trained("a", 4_096, 12))

    def seconds(length: int) -> float:
        word = spelled("a" * length)
        started = time.process_time()
        ready.encode(word)
        return time.process_time() - started

    # Quadratic time would be 16 times as long. One undisturbed run is enough to see it.
    assert any(seconds(20_000) < 8 * seconds(5_000) for _ in range(10))


# Merge lists that no training makes: what the libraries make of them is what we make of them, or we refuse.

parts = st.text("ab", min_size=1, max_size=4)
merge_lists = st.lists(st.tuples(parts, parts), max_size=14, unique=True)
corpora = st.lists(st.text("ab", max_size=30), min_size=1, max_size=4)
token_lists = st.lists(st.text("ab", min_size=2, max_size=6), max_size=12, unique=True)


@examples(100)
@given(merges=merge_lists, strings=corpora, ignore_merges=st.booleans())
def test_any_merge_list_encodes_as_in_hugging_face(
    merges: list[tuple[str, str]], strings: list[str], ignore_merges: bool
) -> None:
    tokens = dict.fromkeys(["a", "b", *(token for pair in merges for token in (*pair, "".join(pair)))])
    vocab = {token: number for number, token in enumerate(tokens)}
    theirs = tokenizers.Tokenizer(models.BPE(vocab=vocab, merges=merges, ignore_merges=ignore_merges))
    tokenizer = read_tokenizer(theirs.to_str())
    for text in strings:
        assert tokenizer.encode(text) == theirs.encode(text).ids
        check_replay(tokenizer, text)


@examples(40)
@given(text=st.text("abc", min_size=2, max_size=60))
def test_two_tokens_stay_apart_if_their_text_is_encoded_as_these_two(text: str) -> None:
    merges = train(text, "bytes", merges=20).tokenizer().merges
    made = {left + right: rank for rank, (left, right) in enumerate(merges)}
    made |= dict.fromkeys((b"a", b"b", b"c"), NOT_MADE)
    for left, right in product(made, repeat=2):
        apart = naive_encode(spelled((left + right).decode()), merges) == (left, right)
        assert _stay_apart(merge_table(merges), made, left, right) == apart, (left, right)


@examples(60)
@given(text=st.text("abc", min_size=2, max_size=60), typed=token_lists, at=st.integers(0, 20))
@example(text="ab", typed=["baab", "abaab", "ba"], at=0)  # a token that a later one is a part of
def test_the_merges_of_ranks_are_the_pairs_that_tiktoken_joins_last_in_each_token(
    text: str, typed: list[str], at: int
) -> None:
    learned = [left + right for left, right in train(text, "bytes", merges=30).tokenizer().merges]
    others = [token.encode() for token in typed]
    tokens = [t for t in dict.fromkeys((*learned[:at], *others, *learned[at:])) if len(t) > 1]
    pairs = [naive_last_pair(token, tokens) for token in tokens]
    letters = [bytes([value]) for value in range(256)]
    assert merges_of_ranks([*letters, *tokens], BYTES) == [pair for pair in pairs if pair]


def naive_last_pair(token: bytes, tokens: list[bytes]) -> Pair | None:
    """Join the leftmost of the pairs that make the token of the lowest rank, until two parts are left."""
    parts = [bytes([value]) for value in token]
    while len(parts) > 2:
        joined = [left + right for left, right in pairwise(parts)]
        best = min((tokens.index(one) for one in joined if one in tokens), default=None)
        if best is None:
            return None
        place = joined.index(tokens[best])
        parts[place : place + 2] = [tokens[best]]
    return parts[0], parts[1]


RANK_LISTS = {
    "one token of two pairs, as 215 of Llama 3's": [":.", ".:", ".:.:", ".:."],
    "a token that overlaps itself by both of its pairs": ["aa", "aaa"],
    "longest first": ["aaaa", "aaa", "aa"],
    "a part that comes later": ["abab", "ba", "aba", "ab"],
    "a token that nothing makes": ["aba", "bab", "ababa"],
}


@pytest.mark.parametrize("name", RANK_LISTS)
def test_ranks_of_several_pairs_encode_every_short_text_as_in_tiktoken(name: str) -> None:
    tokens = RANK_LISTS[name]
    tokenizer, theirs = both_of_ranks(tokens)
    letters = sorted(set("".join(tokens)) | {"b"})[:2]
    for length in range(1, 11):
        for text in map("".join, product(letters, repeat=length)):
            assert tokenizer.encode(text) == theirs.encode_ordinary(text), text


@pytest.mark.parametrize("name", RANK_LISTS)
def test_ranks_of_several_pairs_are_written_explained_and_replayed(name: str) -> None:
    tokenizer, theirs = both_of_ranks(RANK_LISTS[name])
    as_json = tokenizers.Tokenizer.from_str(FORMATS["tokenizer-json"].write(tokenizer))
    as_ranks = read_ranks(FORMATS["tiktoken"].write(tokenizer), BYTES)
    letters = sorted(set("".join(RANK_LISTS[name])) | {"b"})[:2]
    for text in map("".join, product(letters, repeat=7)):
        ids = theirs.encode_ordinary(text)
        assert as_json.encode(text).ids == as_ranks.encode(text) == ids
        for boundary in range(len(text) - 1):
            is_open = boundary + 1 in accumulate(len(theirs.decode([number])) for number in ids)
            assert (tokenizer.explain(text, boundary).kind == "merged") != is_open
        check_replay(tokenizer, text)


def both_of_ranks(tokens: list[str]) -> tuple[bpe.Tokenizer, tiktoken.Encoding]:
    ranks = {token: rank for rank, token in enumerate([*map(single, range(256)), *map(str.encode, tokens)])}
    content = "".join(f"{base64.b64encode(token).decode()} {rank}\n" for token, rank in ranks.items())
    theirs = tiktoken.Encoding("odd", pat_str=r"[\s\S]+", mergeable_ranks=ranks, special_tokens={})
    return read_ranks(content, bpe.VARIANTS["bytes"]), theirs


def test_a_word_that_no_merge_makes_is_explained() -> None:
    tokenizer, _ = both_of_ranks(["aba", "bab", "ababa"])
    assert tokenizer.encode("ababa") == [258]
    explanation = tokenizer.explain("ababa", 1)
    assert (explanation.kind, explanation.left, explanation.right, explanation.ranks) == (
        "merged",
        b"b",
        b"a",
        (),
    )
    assert explanation.sentence == (
        "ababa is in the vocabulary as a whole word, so it is one token, whatever the merges would give."
    )


@examples(100)
@given(tokens=token_lists, strings=corpora)
def test_any_ranks_encode_as_in_tiktoken(tokens: list[str], strings: list[str]) -> None:
    tokenizer, theirs = both_of_ranks(tokens)
    for text in [*strings, "".join(tokens) * 40]:  # long ones are encoded otherwise
        assert tokenizer.encode(text) == theirs.encode_ordinary(text)
        check_replay(tokenizer, text)


def single(value: int) -> bytes:
    return bytes([value])


def check_replay(tokenizer: bpe.Tokenizer, text: str) -> None:
    try:
        trace = bpe.replay(text, tokenizer)
    except BPEError:
        return
    assert trace.segment(text, len(trace.steps)) == tokenizer.tokens(text)


# Explanations: why two neighbours were merged, or were not.

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
