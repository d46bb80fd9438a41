"""The tokenizer: text -> ids -> text, every step on the way, offsets, errors, and why two neighbours are not merged."""

import gc
import random
import tracemalloc
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe import VARIANTS, BPEError, custom_variant, train
from bpe.encoding.encoders import ENCODERS
from bpe.encoding.tokenizer import _MOST_CACHED_CHARACTERS, Tokenizer, _TokenCache
from bpe.formats.hugging_face.reading import read_tokenizer
from bpe.formats.opened import Opened
from bpe.formats.tiktoken_ranks import O200K_PATTERN
from bpe.text.normalizing import Normalised
from tests.bpe.formats.hugging_face_files import MODEL_FILES
from tests.bpe.text.random_texts import examples
from tests.material import texts

encoder = pytest.mark.parametrize("encoder", ENCODERS)
variant = pytest.mark.parametrize("variant", VARIANTS)

any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
NEWEST = texts.TOYS["newest"]


def trained(variant: str, merges: int = 60, **settings: Any) -> Tokenizer:
    return train(texts.SENTENCES, variant=variant, merges=merges, **settings).tokenizer()


@cache
def shared(variant: str) -> Tokenizer:
    """Return the tokenizer of a variant, trained once."""
    return trained(variant)


# Text -> ids -> text


@encoder
@pytest.mark.parametrize("variant", [slug for slug, row in VARIANTS.items() if row.lossless])
@examples(20)
@given(text=any_text)
def test_a_lossless_variant_decodes_to_every_text(encoder: str, variant: str, text: str) -> None:
    tokenizer = shared(variant)
    assert tokenizer.decode(tokenizer.encode(text, encoder)) == text


@encoder
@variant
@examples(8)
@given(text=any_text)
def test_tokens_join_to_the_text_as_the_variant_keeps_it(encoder: str, variant: str, text: str) -> None:
    tokenizer = shared(variant)
    assert tokenizer.variant.decode(tokenizer.tokens(text, encoder)) == tokenizer.variant.normalise(text)


@variant
def test_words_of_the_corpus_keep_their_training_segmentation(variant: str) -> None:
    trace = train(texts.SENTENCES, variant=variant, merges=60)
    for (word, _), pre_token in zip(trace.words_at(60), trace.pre_tokens, strict=True):
        assert tuple(trace.tokenizer().word_tokens(pre_token)) == word


@pytest.mark.parametrize("special", [(), ("<unk>",)], ids=["no unknown token", "an unknown token"])
def test_an_unknown_character_is_a_token_of_its_bytes_with_one_id(special: tuple[str, ...]) -> None:
    unknown = special[0] if special else None
    tokenizer = train(
        "low lower", variant="char-eow", merges=2, special_tokens=special, unknown_token=unknown
    ).tokenizer()
    number = 0 if special else -1
    assert tokenizer.tokens("l字w") == [b"l", "字".encode(), b"w", b"\xff"]
    assert tokenizer.encode("字😀")[:2] == [number, number]
    assert tokenizer.decode([number]) == (unknown or "\ufffd")


def test_special_tokens_are_read_only_if_allowed() -> None:
    tokenizer = trained("bytes-gpt2", special_tokens=["<|end|>", "<|end|>x"])
    text = "an<|end|>x<|end|> an"
    assert not {0, 1} & set(tokenizer.encode(text))
    assert [number for number in tokenizer.encode(text, allow_special=True) if number < 2] == [1, 0]
    assert tokenizer.tokens("<|end|>", allow_special=True) == [b"<|end|>"] != tokenizer.tokens("<|end|>")
    for allow_special in (False, True):
        assert tokenizer.decode(tokenizer.encode(text, allow_special=allow_special)) == text


def test_words_around_a_special_token_come_back_without_a_space() -> None:
    tokenizer = train("low lower", merges=3, special_tokens=["<|end|>"]).tokenizer()
    assert (
        tokenizer.decode(tokenizer.encode("low<|end|>lower low", allow_special=True)) == "low<|end|>lower low"
    )


def test_special_ids_may_stand_anywhere() -> None:
    tokenizer = Tokenizer(
        VARIANTS["bytes"], [b"a", b"b", b"<|end|>"], special_tokens=["<|end|>"], special_ids=[2]
    )
    assert tokenizer.encode("ab<|end|>", allow_special=True) == [0, 1, 2]
    assert tokenizer.decode([2, 1]) == "<|end|>b"


def test_a_normalised_text_is_not_normalised_again() -> None:
    tokenizer = bpe.train("low lower", normalization="lower", merges=2).tokenizer()
    normalised: Any = tokenizer.normalise("LOW lower")
    assert normalised == Normalised("low lower")
    assert tokenizer.normalised_tokens(normalised) == tokenizer.tokens("LOW lower")
    for method in (
        tokenizer.normalise,
        tokenizer.encode,
        tokenizer.tokens,
        tokenizer.offsets,
        tokenizer.aligned,
    ):
        with pytest.raises(BPEError, match=r"must be a str, got Normalised\.$"):
            method(normalised)


def test_text_is_normalised_as_the_training_text_was() -> None:
    tokenizer = train("ﬁne ﬁne", merges=5, normalization="NFKC").tokenizer()
    assert tokenizer.encode("ﬁne") == tokenizer.encode("fine")


def test_bytes_that_are_no_character_are_replaced() -> None:
    assert shared("bytes").decode([0x41, 0xE2, 0x82]) == "A\ufffd"


def test_cached_and_new_chunks_give_the_same_tokens() -> None:
    draw = random.Random(2)
    text = "".join(draw.choices(["a", "ab", " ", "  ", "\n", " \n", "'s", ".", "12345"], k=3_000))
    whole_words = replace(shared("bytes-gpt4"), whole_words=True, one_by_one=True)
    o200k = replace(whole_words, variant=custom_variant(O200K_PATTERN))
    for tokenizer in (shared("bytes-gpt2"), shared("bytes-gpt4"), whole_words, o200k):
        assert tokenizer.variant.cut_before_spaces
        pre_tokens = tokenizer.variant.split(text)
        expected = [token for pre_token in pre_tokens for token in tokenizer.word_tokens(pre_token)]
        assert tokenizer.tokens(text) == tokenizer.tokens(text) == expected
        ids = [tokenizer.ids[token] for token in expected]
        assert tokenizer.encode(text) == tokenizer.encode(text) == ids


@pytest.mark.parametrize("variant", ["bytes-whitespace", "bytes-gpt2"])
def test_the_cache_takes_only_so_much_memory(variant: str) -> None:
    row = VARIANTS[variant]
    cache = _TokenCache(lambda words: [tuple(map(ord, word)) for word in words], row, most=1 << 20)
    text = " ".join(map(str, range(70_000, 80_000)))
    ids = [ord(character) for word in row.split(text) for character in word]
    for _ in range(2):  # the second time, some words are stored
        tracemalloc.start()
        assert list(cache.tokens(text)) == ids
        gc.collect()
        used, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        stored = len(cache._chunks) + len(cache._words)
        assert 100 < stored < 10_000
        assert used < 2 << 20


@pytest.mark.parametrize("variant", ["bytes-whitespace", "bytes-gpt2"])
def test_the_cache_holds_only_short_words(variant: str) -> None:
    tokenizer = trained(variant)
    longest, too_long = "x" * (_MOST_CACHED_CHARACTERS - 1), "x" * _MOST_CACHED_CHARACTERS
    tokenizer.encode(f"a {longest} {too_long}x b")
    cache = tokenizer._prepared["rank"].ids
    assert {len(word.strip()) for word in cache._words} == {1, len(longest)}
    assert {*cache._chunks} == ({longest, "b"} if tokenizer.variant.cut_before_spaces else set())


# Typed vocabularies


def test_a_typed_vocabulary_encodes_the_articles_example() -> None:
    tokenizer = Tokenizer.from_vocabulary("errrr</w> tain</w> moun est</w> high the</w> a</w>")
    ids = tokenizer.encode("the highest mountain", "longest")
    assert tokenizer.tokens("the highest mountain", "longest") == [
        b"the\xff", b"high", b"est\xff", b"moun", b"tain\xff",
    ]  # fmt: skip
    assert tokenizer.decode(ids) == "the highest mountain"
    assert tokenizer.encode("a cat", "longest") == [7, 0, 0, 0, 0]


def test_a_typed_marker_is_read_at_its_end_of_the_word_only() -> None:
    for typed, row in [("</w>est", "char-eow"), ("t▁h", "char-metaspace")]:
        tokenizer = Tokenizer.from_vocabulary(typed, row)
        assert tokenizer.vocabulary[1] == typed.encode(), "elsewhere the characters are just characters"
    with pytest.raises(BPEError, match=r"Token 2 must hold at least one character"):
        Tokenizer.from_vocabulary("a </w>", "char-eow-attached")


def test_typed_tokens_must_be_texts_and_their_counts_a_mapping() -> None:
    nothing: Any = 3
    with pytest.raises(BPEError, match="Expected tokens, and token -> count; got 3"):
        Tokenizer.from_vocabulary(nothing)
    with pytest.raises(BPEError, match="got 3"):
        Tokenizer.from_vocabulary("a", frequencies=nothing)


# Errors


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([0, 999], r"from 0 to \d+, or -1 for an unknown character; got 999 at position 1"),
        ([-2], r"got -2 at position 0"),
        (["1"], r"got '1' at position 0"),
        ([True], r"got True at position 0"),
    ],
    ids=["too large", "negative", "a text", "a truth value"],
)
def test_a_bad_id_is_named_with_its_position(ids: list[int], message: str) -> None:
    with pytest.raises(BPEError, match=message):
        shared("char-eow").decode(ids)


def test_a_lone_surrogate_is_named_with_its_position() -> None:
    with pytest.raises(BPEError, match=r"U\+D800 at position 2"):
        shared("bytes").encode("ab\ud800")


def test_an_unknown_encoder_is_refused() -> None:
    with pytest.raises(BPEError, match="encoder must be one of rank, rules"):
        shared("bytes").encode("a", "shortest")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"vocabulary": [b"a", b"a"]}, "must be listed once, got 'a' as id 0 and id 1"),
        ({"vocabulary": [b"a"], "merges": [(b"a", b"b")]}, "Merge 1: the vocabulary must contain 'b'"),
        ({"vocabulary": [b"a", b"aa"], "merges": [(b"a", b"a")] * 2}, r"got a \+ a as merge 1 and merge 2"),
        ({"vocabulary": [b"a"], "special_tokens": ["<s>"]}, "must contain the special token '<s>' as id 0"),
        ({"vocabulary": [b"a", b""]}, "A token must not be empty, got an empty one as id 1"),
        ({"vocabulary": [b"a"], "unknown": 7}, "unknown token's id must be in the vocabulary, got 7"),
    ],
    ids=["token twice", "part missing", "merge twice", "special token missing", "empty", "unknown id"],
)
def test_a_vocabulary_that_does_not_fit_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(BPEError, match=message):
        Tokenizer(VARIANTS["bytes"], **fields)


# Steps


@encoder
@variant
def test_steps_lead_from_the_initial_symbols_to_the_tokens(encoder: str, variant: str) -> None:
    tokenizer, text = shared(variant), "the quick brown fox; die Straße, die Füße 敏捷"
    segmentation = [tokenizer.variant.spell(pre_token) for pre_token in tokenizer.variant.split(text)]
    for step_number, step in enumerate(tokenizer.encode_steps(text, encoder)):
        changed = [
            number
            for number, (old, new) in enumerate(zip(segmentation, step.segmentation, strict=True))
            if old != new
        ]
        assert step.number == step_number
        assert changed == (list(step.words) if step.closes else [])
        flat = [symbol for word in step.segmentation for symbol in word]
        assert flat.count(step.token) >= len(step.places)
        assert b"".join(flat) == b"".join(symbol for word in segmentation for symbol in word)
        segmentation = step.segmentation
    assert [symbol for word in segmentation for symbol in word] == tokenizer.tokens(text, encoder)


def test_a_step_names_the_merge_its_positions_and_the_words_changed() -> None:
    tokenizer = train(NEWEST, merges=5).tokenizer()
    steps = list(tokenizer.encode_steps("low lowest low"))
    assert [(step.rank, step.token) for step in steps] == [
        (0, b"es"), (1, b"est"), (2, b"est\xff"), (3, b"lo"), (4, b"low"),
    ]  # fmt: skip
    low = steps[-1]
    assert (low.pair, low.words, low.places, low.closes) == ((b"lo", b"w"), [0, 1, 2], [0, 4, 11], [1, 5, 12])
    assert low.segmentation == [(b"low", b"\xff"), (b"low", b"est\xff"), (b"low", b"\xff")]


def test_longest_goes_through_all_words_at_once_and_prefix_word_by_word() -> None:
    tokenizer = Tokenizer.from_vocabulary("ab abc x", "bytes-whitespace")
    actual = {
        slug: [(step.token, list(step.places)) for step in tokenizer.encode_steps("xab abcx", slug)]
        for slug in ENCODERS
    }
    assert actual["longest"] == [(b"abc", [3]), (b"ab", [1]), (b"x", [0, 6])]
    assert actual["prefix"] == actual["fewest"] == [(b"x", [0]), (b"ab", [1]), (b"abc", [3]), (b"x", [6])]
    assert actual["rank"] == []


@encoder
def test_closing_steps_give_every_segmentation(encoder: str) -> None:
    tokenizer, text = shared("bytes-gpt2"), "the quick brown fox, the lazy dog"
    closing, steps = tokenizer.encode_boundaries(text, encoder)
    assert len(closing) == len(text.encode()) - 1
    for step in steps:
        closed = {boundary for boundary, number in enumerate(closing) if 0 <= number <= step.number}
        tokens = [len(symbol) for word in step.segmentation for symbol in word]
        ends = {sum(tokens[:count]) - 1 for count in range(1, len(tokens))}
        assert closed == set(range(len(closing))) - ends


def test_encoding_by_rank_closes_boundaries_as_training_did() -> None:
    trace = train(texts.SENTENCES, variant="bytes-gpt2", merges=60)
    text = texts.SENTENCES[:300]
    closing, steps = trace.tokenizer().encode_boundaries(text)
    assert [steps[number].rank if number >= 0 else -1 for number in closing] == trace.boundaries(text)


# Offsets


@encoder
@variant
def test_offsets_cover_the_characters_of_each_token(encoder: str, variant: str) -> None:
    tokenizer, text = shared(variant), "  the quick\n\n brown  fox; 敏捷 的😀 "
    tokens = tokenizer.tokens(text, encoder)
    spans = tokenizer.offsets(text, encoder)
    assert len(spans) == len(tokens)
    for token, (start, end) in zip(tokens, spans, strict=True):
        visible = tokenizer.variant.decode([token])
        if "\ufffd" not in visible:
            assert text[start:end].strip() == visible.strip()


def test_part_of_a_character_spans_the_whole_character() -> None:
    merges = [(b"\x9f", b"\x98")]
    tokenizer = Tokenizer(VARIANTS["bytes"], [*(bytes([value]) for value in range(256)), b"\x9f\x98"], merges)
    assert tokenizer.offsets("À😊") == [(0, 1), (0, 1), (1, 2), (1, 2), (1, 2)]


def test_a_marker_without_a_space_spans_the_first_character_as_in_hugging_face() -> None:
    tokenizer = train("a b", variant="char-metaspace", merges=0).tokenizer()
    assert tokenizer.offsets("a b") == [(0, 1), (0, 1), (1, 2), (2, 3)]


# Tokenizers are opened, saved and used for many texts at once.

TEXTS = [*texts.SENTENCES.split(". "), "", "<s>  x", texts.source()[:3_000]] * 3


@pytest.fixture(scope="module")
def opened() -> Tokenizer:
    return read_tokenizer(MODEL_FILES["gpt-neox"]().to_str())


def test_a_batch_is_encoded_text_by_text(opened: Tokenizer) -> None:
    for special in (False, True):
        each = [opened.encode(text, allow_special=special) for text in TEXTS]
        assert opened.encode_batch(TEXTS, allow_special=special) == each
        assert opened.encode_batch(iter([]), allow_special=special) == []
    dropout = bpe.ENCODERS["dropout"].using(p=0.5, seed=3)
    assert opened.encode_batch(TEXTS, dropout) == [opened.encode(text, dropout) for text in TEXTS]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("one text", "texts must be a list of texts, got 'one text'"),
        (["a", b"b"], "The text number 2 of the batch must be a str, got bytes"),
    ],
)
def test_a_wrong_batch_is_refused(opened: Tokenizer, texts: Any, message: str) -> None:
    with pytest.raises(BPEError, match=message):
        opened.encode_batch(texts)


@pytest.mark.parametrize("name", ["tokenizer.json", "ranks.tiktoken"])
def test_a_saved_tokenizer_is_the_same_when_it_is_opened(name: str, tmp_path: Path) -> None:
    tokenizer = bpe.train(texts.SENTENCES, "bytes-gpt4", merges=90).tokenizer()
    tokenizer.save(tmp_path / name)
    again = Tokenizer.from_file(tmp_path / name)
    assert (again.vocabulary, again.merges) == (tokenizer.vocabulary, tokenizer.merges)
    assert again.encode_batch(TEXTS) == tokenizer.encode_batch(TEXTS)


def test_two_files_are_one_tokenizer(tmp_path: Path) -> None:
    tokenizer = bpe.train(texts.SENTENCES, "bytes-gpt2", merges=90).tokenizer()
    files = [tmp_path / "vocab.json", tmp_path / "merges.txt"]
    for file in files:
        tokenizer.save(file)
    assert Tokenizer.from_file(*map(str, files)).encode_batch(TEXTS) == tokenizer.encode_batch(TEXTS)


def test_an_opened_file_is_saved_as_it_was(opened: Tokenizer, tmp_path: Path) -> None:
    opened.save(tmp_path / "neox.json")
    assert Tokenizer.from_file(tmp_path / "neox.json").encode(TEXTS[-1]) == opened.encode(TEXTS[-1])


def test_what_cannot_be_saved_or_opened_is_said_in_a_sentence(opened: Tokenizer, tmp_path: Path) -> None:
    with pytest.raises(
        BPEError, match=r"x\.bin: the name does not tell the format; choose one of tokenizer-json"
    ):
        opened.save("x.bin")
    with pytest.raises(BPEError, match="format must be one of tokenizer-json"):
        opened.save("x.json", format="yaml")
    with pytest.raises(BPEError, match="cannot be written: No such file or directory"):
        opened.save(tmp_path / "none" / "tokenizer.json")
    with pytest.raises(BPEError, match="cannot be read: No such file or directory"):
        Tokenizer.from_file(tmp_path / "none.json")
    with pytest.raises(BPEError, match="A tokenizer needs the paths of its files"):
        Tokenizer.from_file()
    opened.save(tmp_path / "words", format="tokenizer-json")
    assert repr(Tokenizer.from_file(tmp_path / "words")) == repr(opened)


def test_the_representation_is_short(opened: Tokenizer) -> None:
    assert (
        repr(opened) == f"<Tokenizer: {len(opened.vocabulary):,} tokens, {len(opened.merges):,} merges, file>"
    )


def test_an_id_that_no_token_has_is_not_counted() -> None:
    tokenizer = Tokenizer(bpe.VARIANTS["bytes"], [b"a", b"", b"b"], gaps=frozenset({1}))
    assert repr(tokenizer) == "<Tokenizer: 2 tokens, 0 merges, bytes>"
    assert Opened(tokenizer).about == "tokenizer.json; 0 merges, 2 tokens"
