"""Files: the real libraries load them and encode the same, and reading them back gives the same tokenizer."""

import base64
import contextlib
import io
import json
from typing import Any

import pytest
import tiktoken
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from subword_nmt.apply_bpe import BPE

from bpe import ENCODERS, VARIANTS, BPEError, Tokenizer, train
from bpe.formats import FORMATS
from bpe.formats.merges_txt import read_merges
from bpe.formats.read_tokenizer_json import read_tokenizer
from bpe.formats.tiktoken_ranks import read_ranks
from bpe.formats.tokenizer_json import write_tokenizer
from bpe.formats.vocab_json import read_vocabulary
from bpe.settings.alphabets import REMAPPED
from bpe.text.patterns import GPT2_PATTERN, GPT4_PATTERN
from tests import texts

PROBES = [
    "",
    "the quick brown fox",
    "  two  spaces,\n\nlines\tand tabs ",
    "naïve café, Straße, ﬁne",
    "敏捷的棕色狐狸 😀👩‍👩‍👧",
    "it's we'll I'D 1234567 3.14 (x**2)!=1e-9",
    texts.SENTENCES,
]
CORPUS = texts.SENTENCES + "\n" + "\n".join(texts.TOYS.values())
IN_JSON = ["bytes", "bytes-gpt2", "bytes-gpt4", "bytes-whitespace", "char-metaspace", "char-eow-attached"]


def trained(variant: str, **settings: Any) -> Tokenizer:
    return train(CORPUS, variant=variant, **{"merges": 200, **settings}).tokenizer()


def with_unknown(variant: str) -> Tokenizer:
    return trained(variant, special_tokens=["<pad>", "<unk>"], unknown_token="<unk>")


# Reading files back


@pytest.mark.parametrize("make", [trained, with_unknown], ids=["no special tokens", "special tokens"])
@pytest.mark.parametrize("variant", IN_JSON)
def test_a_tokenizer_json_is_read_as_it_was_written(variant: str, make: Any) -> None:
    tokenizer = make(variant)
    back = read_tokenizer(write_tokenizer(tokenizer))
    for field in ("variant", "vocabulary", "merges", "special_tokens", "unknown", "normalization"):
        assert getattr(back, field) == getattr(tokenizer, field), field


@pytest.mark.parametrize("variant", sorted(VARIANTS.keys() - {"bytes"}))
def test_merges_and_vocabulary_are_read_as_they_were_written(variant: str) -> None:
    # In char-metaspace a line break is a character of a word, and merges.txt cannot hold one.
    text = " ".join(CORPUS.split())
    tokenizer = train(text, variant=variant, merges=200, special_tokens=["<pad>", "<unk>"]).tokenizer()
    merges, vocabulary = (FORMATS[slug].write(tokenizer) for slug in ("merges-txt", "vocab-json"))
    assert read_merges(merges, tokenizer.variant).merges == tokenizer.merges
    back = read_vocabulary(vocabulary, tokenizer.variant, merges, special_tokens=["<unk>", "<pad>"])
    assert (back.vocabulary, back.merges) == (tokenizer.vocabulary, tokenizer.merges)
    assert (back.special_tokens, back.special_ids) == (("<pad>", "<unk>"), (0, 1))


@pytest.mark.parametrize("variant", ["bytes", "bytes-gpt2", "bytes-gpt4", "bytes-whitespace"])
def test_ranks_are_read_with_their_merges(variant: str) -> None:
    tokenizer = trained(variant)
    back = read_ranks(FORMATS["tiktoken"].write(tokenizer), tokenizer.variant)
    assert (back.vocabulary, back.merges) == (tokenizer.vocabulary, tokenizer.merges)


def test_ranks_after_special_tokens_are_read_with_their_names() -> None:
    tokenizer = trained("bytes-gpt2", special_tokens=["<|end|>"])
    content = FORMATS["tiktoken"].write(tokenizer)
    assert read_ranks(content, tokenizer.variant, ["<|end|>"]).vocabulary == tokenizer.vocabulary
    with pytest.raises(BPEError, match="ranks begin at 1: name the 1 special tokens before it, got 0"):
        read_ranks(content, tokenizer.variant)


def test_a_tokenizer_whose_special_ids_come_last_keeps_them() -> None:
    tokenizer = trained("bytes-gpt2")
    content = json.loads(write_tokenizer(tokenizer))
    content["added_tokens"] = [{"id": len(tokenizer.vocabulary), "content": "<|endoftext|>", "special": True}]
    back = read_tokenizer(json.dumps(content))
    assert back.special_ids == (len(tokenizer.vocabulary),)
    assert back.encode("the") == tokenizer.encode("the")
    assert read_tokenizer(write_tokenizer(back)).vocabulary == back.vocabulary


# Loading files with the libraries


@pytest.mark.parametrize("variant", IN_JSON)
def test_hugging_face_loads_a_tokenizer_json_and_encodes_the_same(variant: str) -> None:
    tokenizer = with_unknown(variant)
    theirs = tokenizers.Tokenizer.from_str(write_tokenizer(tokenizer))
    for text in PROBES:
        ids = tokenizer.encode(text)
        assert theirs.encode(text).ids == ids, text
        if tokenizer.variant.unit == "bytes" or tokenizer.unknown not in ids:
            assert theirs.decode(ids, skip_special_tokens=False) == tokenizer.decode(ids)


def test_hugging_face_normalises_the_same_way() -> None:
    tokenizer = trained(
        "char-metaspace", normalization="NFKC", special_tokens=["<unk>"], unknown_token="<unk>"
    )
    theirs = tokenizers.Tokenizer.from_str(write_tokenizer(tokenizer))
    text = "ﬁne ① ⅷ e\u0301le\u0300ve"
    assert theirs.encode(text).ids == tokenizer.encode(text)


def test_hugging_face_finds_special_tokens_before_it_normalises_too() -> None:
    tokenizer = trained("bytes-gpt2", normalization="NFKC", special_tokens=["<ﬁn>"])
    theirs = tokenizers.Tokenizer.from_str(write_tokenizer(tokenizer))
    text = "ﬁne<ﬁn> ﬁne <fin>"
    ids = tokenizer.encode(text, allow_special=True)
    assert theirs.encode(text).ids == ids
    assert ids.count(0) == 1
    assert tokenizer.decode(ids) == "fine<ﬁn> fine <fin>"


def test_hugging_face_loads_merges_txt_and_vocab_json(tmp_path: Any) -> None:
    tokenizer = trained("bytes-gpt2")
    for slug in ("merges-txt", "vocab-json"):
        (tmp_path / FORMATS[slug].file_name).write_text(FORMATS[slug].write(tokenizer), encoding="utf-8")
    theirs = tokenizers.ByteLevelBPETokenizer(str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt"))
    for text in PROBES:
        assert theirs.encode(text).ids == tokenizer.encode(text), text


@pytest.mark.parametrize(
    "library",
    [
        tokenizers.ByteLevelBPETokenizer(),
        tokenizers.SentencePieceBPETokenizer(),
        tokenizers.CharBPETokenizer(bert_normalizer=False, split_on_whitespace_only=True),
    ],
    ids=["byte level", "metaspace", "characters"],
)
def test_a_file_that_hugging_face_saved_encodes_the_same(library: Any) -> None:
    library.train_from_iterator([CORPUS], vocab_size=600, min_frequency=2, show_progress=False)
    tokenizer = read_tokenizer(library.to_str())
    for text in PROBES:
        assert tokenizer.encode(text) == library.encode(text).ids, text


@pytest.mark.parametrize("variant", ["bytes-gpt2", "bytes-gpt4"])
def test_tiktoken_loads_ranks_and_encodes_the_same(variant: str) -> None:
    tokenizer = trained(variant)
    lines = FORMATS["tiktoken"].write(tokenizer).splitlines()
    ranks = {base64.b64decode(token): int(rank) for token, rank in map(str.split, lines)}
    pattern = {"bytes-gpt2": GPT2_PATTERN, "bytes-gpt4": GPT4_PATTERN}[variant]
    theirs = tiktoken.Encoding("ours", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    for text in PROBES:
        assert theirs.encode_ordinary(text) == tokenizer.encode(text), text


@pytest.mark.parametrize(
    ("variant", "version"), [("char-eow-attached", (0, 2)), ("char-eow-lines", (0, 2)), ("char-eow", (0, 1))]
)
def test_subword_nmt_loads_merges_and_segments_the_same(variant: str, version: tuple[int, int]) -> None:
    tokenizer = trained(variant)
    theirs = BPE(io.StringIO(FORMATS["merges-txt"].write(tokenizer)))
    assert theirs.version == version
    for word in CORPUS.split():
        tokens = [tokenizer.variant.spelled(token).decode() for token in tokenizer.word_tokens(word)]
        # The library strips the marker, and drops a lone one.
        cut = [token.removesuffix("</w>") for token in tokens if token != "</w>"]
        assert theirs.segment(word).split("@@ ") == cut, word


# Tokenizers that cannot be written


def lines(text: str) -> Tokenizer:
    return train(text, variant="custom", pattern=".+", unit="characters", merges=2).tokenizer()


@pytest.mark.parametrize(
    ("slug", "tokenizer", "message"),
    [
        (
            "merges-txt",
            train("a</w> a</w>", variant="char-eow", merges=9).tokenizer(),
            "would be read as the marker </w>",
        ),
        ("vocab-json", train("▁ ▁", variant="char-metaspace", merges=0).tokenizer(), "would be read as the marker ▁"),
        ("merges-txt", lines("a b a b"), "a space ends a token there"),
        ("merges-txt", lines("a\rb a\rb"), "a carriage return ends a token there"),
        (
            "merges-txt",
            train("a\nb a\nb", variant="char-metaspace", merges=2).tokenizer(),
            "a line break ends a token there",
        ),
        (
            "vocab-json",
            train("<s> <s>", variant="bytes-whitespace", merges=9, special_tokens=["<s>"]).tokenizer(),
            "both the special token '<s>' and a learned token that reads the same",
        ),
        ("tokenizer-json", train("low", variant="char-eow").tokenizer(), "has no end-of-word symbol. Choose a byte"),
        ("tokenizer-json", train("low", variant="char-eow-lines").tokenizer(), "cannot describe the variant “Char"),
        ("tiktoken", train("low", variant="char-eow").tokenizer(), "holds bytes, and the variant “Char"),
        ("tiktoken", Tokenizer.from_vocabulary("a", "bytes"), "must hold all 256 bytes"),
    ],
    ids=[
        "a literal end of word", "a literal ▁", "a space", "a carriage return", "a line break", "a special token",
        "an end-of-word symbol", "a variant of ours", "characters", "bytes missing",
    ],
)  # fmt: skip
def test_a_token_that_would_be_misread_is_refused(slug: str, tokenizer: Tokenizer, message: str) -> None:
    with pytest.raises(BPEError, match=message):
        FORMATS[slug].write(tokenizer)


@pytest.mark.parametrize(
    "space", ["\u00a0", "\t", "\u2028", "\x85"], ids=["no-break", "tab", "line separator", "next line"]
)
def test_other_white_space_is_no_separator(space: str) -> None:
    tokenizer = lines(f"a{space}b")
    assert read_merges(FORMATS["merges-txt"].write(tokenizer), tokenizer.variant).merges == tokenizer.merges


def test_ranks_refuse_merges_that_do_not_follow_from_the_tokens() -> None:
    bytes_in_order = [bytes([value]) for value in range(256)]
    merges = [(b"a", b"b"), (b"b", b"c"), (b"a", b"bc"), (b"ab", b"c")]
    tokenizer = Tokenizer(VARIANTS["bytes"], [*bytes_in_order, b"ab", b"bc", b"abc"], merges)
    with pytest.raises(BPEError, match=r"a \+ bc \(merge 3\) cannot be derived"):
        FORMATS["tiktoken"].write(tokenizer)


# Files that cannot be read

RANKS = "".join(f"{base64.b64encode(bytes([n])).decode()} {n}\n" for n in range(256))


@pytest.mark.parametrize(
    ("slug", "variant", "content", "message"),
    [
        ("merges-txt", "char-eow", "a b\nc d e\n", "merges.txt, line 2: expected two symbols, got 3"),
        ("merges-txt", "char-eow", "a b\n\nc d\n", "merges.txt, line 2: expected two symbols, got 0"),
        ("merges-txt", "bytes", "#version: 0.2\na b\na Ж\n", "line 3: expected GPT-2's remapped bytes, got 'Ж'"),
        ("merges-txt", "char-eow", "a b\nc d\na b\n", "line 3: the merge 'a b' is already in line 1"),
        ("merges-txt", "char-eow", "#version: 0.2\na b</w>\n", "line 1: with a version line, </w> is attached"),
        ("merges-txt", "char-eow-attached", "e </w>\n", "line 1: expected a token of the variant “Characters, the"),
        ("vocab-json", "char-eow", '{"a": 0,\n"b" 1}', "vocab.json, line 2: expected JSON"),
        ("vocab-json", "char-eow", "[" * 100_000, "vocab.json: expected JSON that can be read"),
        ("vocab-json", "char-eow", "[1]", "vocab.json, the file: expected an object, got"),
        ("vocab-json", "char-eow", '{"a": "x"}', 'the vocabulary, "a": expected a whole number, got "x"'),
        ("vocab-json", "char-eow", '{"a": true}', "expected a whole number, got true"),
        ("vocab-json", "char-eow", '{"a": 0, "b": 0}', 'the id 0 is given to "a" and "b"'),
        ("vocab-json", "char-eow", '{"a": 0, "b": 900000}', '"b": expected an id from 0 to 131,073, got'),
        ("vocab-json", "char-eow", '{"a": 0, "b": -1}', '"b": expected an id from 0 to 131,073, got -1'),
        ("vocab-json", "char-eow", '{"\\ud800": 0}', r"token 0: .*lone surrogates, got U\+D800"),
        ("tiktoken", "bytes", "YQ==\n", r"ranks.tiktoken, line 1: expected a token and its rank, got 1 fields"),
        ("tiktoken", "bytes", "Y!Q= 0\n", "line 1: expected a token in base64, got 'Y!Q='"),
        ("tiktoken", "bytes", "YQ== ٣\n", "line 1: expected a rank"),
        ("tiktoken", "bytes", "YQ== 0\nYg== 0\n", "line 2: the rank 0 is already in line 1"),
        ("tiktoken", "bytes", "YQ== 0\nYQ== 1\n", "line 2: expected a new token"),
        ("tiktoken", "bytes", "YQ== 0\n", "expected all 256 bytes, but the byte 0 is missing"),
        ("tiktoken", "bytes", RANKS + "YWI= 300000\n", "ranks must run without large gaps, but the rank 256 is"),
        ("tiktoken", "bytes", "", "expected tokens and their ranks, got nothing"),
        ("tiktoken", "char-eow", RANKS, "holds bytes: choose a variant of bytes, got “Characters, end-of-word symbol”"),
    ],
)  # fmt: skip
def test_a_broken_file_is_refused_with_its_line_or_field(
    slug: str, variant: str, content: str, message: str
) -> None:
    with pytest.raises(BPEError, match=message.replace("(", r"\(").replace("+ ", r"\+ ")):
        FORMATS[slug].read(content, VARIANTS[variant])


WRITTEN = write_tokenizer(trained("bytes-gpt2", merges=3))


def changed(**model: object) -> str:
    content = json.loads(WRITTEN)
    content |= {field: model.pop(field) for field in list(model) if field in content}
    content["model"] |= model
    return json.dumps(content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", "tokenizer.json, model: expected an object, got null"),
        (changed(type="Unigram"), r"model.type: expected 'BPE', got \"Unigram\""),
        (
            changed(byte_fallback=True, vocab={"<0x00>": 0}, merges=[], pre_tokenizer=None),
            "model.byte_fallback: expected a token for every byte, but <0x01> is missing",
        ),
        (changed(continuing_subword_prefix="##"), "model.continuing_subword_prefix: expected"),
        (changed(merges=[["a"]]), r"model.merges\[0\]: expected two symbols, got \[\"a\"\]"),
        (changed(merges=["a b c"]), r"model.merges\[0\]: expected two symbols"),
        (changed(merges=[["a", "q"], ["a", "q"]]), r'merges\[1\]: the merge \["a", "q"\] is already at \[0\]'),
        (changed(merges=[["a", "q"]]), r"tokenizer.json: Merge 1: the vocabulary must contain 'aq'"),
        (changed(vocab=[]), "model.vocab: expected an object"),
        (changed(unk_token="<unk>"), 'must contain the special token "<unk>"'),
        (changed(pre_tokenizer={"type": "BertPreTokenizer"}), "pre_tokenizer: .BertPreTokenizer. is not supported"),
        (changed(normalizer={"type": "Precompiled"}), "normalizer: .Precompiled. is not supported; supported are NFC"),
        (changed(added_tokens=[{"content": "x"}]), r"added_tokens\[0\].id: expected a whole number, got null"),
        (changed(added_tokens=[{"content": "a", "id": 3}]), r"added_tokens\[0\].id: expected \d+, as in model.vocab"),
    ],
)  # fmt: skip
def test_an_unsupported_tokenizer_json_is_refused_with_its_field(content: str, message: str) -> None:
    with pytest.raises(BPEError, match=message):
        read_tokenizer(content)


def test_older_ways_to_write_a_tokenizer_json_are_read() -> None:
    tokenizer = read_tokenizer(changed(merges=["l o"], vocab={"l": 0, "o": 1, "lo": 2}, ignore_merges=True))
    assert tokenizer.tokens("lo") == [b"lo"]
    own = [{"type": "Split", "pattern": {"Regex": r"\d|\D+"}, "behavior": "Isolated"}, {"type": "ByteLevel",
            "add_prefix_space": False, "use_regex": False}]  # fmt: skip
    tokenizer = read_tokenizer(changed(pre_tokenizer={"type": "Sequence", "pretokenizers": own}))
    assert tokenizer.variant.split("ab12") == ["ab", "1", "2"]


def test_remapped_bytes_are_those_of_gpt2() -> None:
    tokenizer = trained("bytes-gpt2", alphabet="gpt2-bytes")
    assert list(json.loads(FORMATS["vocab-json"].write(tokenizer)))[:256] == list(REMAPPED.values())
    assert "Ġt" in FORMATS["merges-txt"].write(tokenizer).replace(" ", "")


# Only BPEError is raised, whatever the file

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 300) | st.text(max_size=3) | st.just("</w>"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
FIELDS = [
    "added_tokens", "normalizer", "pre_tokenizer", "vocab", "merges", "unk_token", "end_of_word_suffix", "type",
]  # fmt: skip


@settings(max_examples=300)
@given(
    slug=st.sampled_from(list(FORMATS)), variant=st.sampled_from(list(VARIANTS)), content=st.text(max_size=30)
)
def test_any_text_is_read_or_refused(slug: str, variant: str, content: str) -> None:
    with contextlib.suppress(BPEError):
        FORMATS[slug].read(content, VARIANTS[variant]).encode("a b")


@settings(max_examples=300)
@given(field=st.sampled_from(FIELDS), value=json_values)
def test_any_field_of_a_tokenizer_json_is_read_or_refused(field: str, value: object) -> None:
    with contextlib.suppress(BPEError):
        read_tokenizer(changed(**{field: value})).encode("a b", allow_special=True)


@settings(max_examples=200)
@given(
    tokens=st.lists(st.text("ab▁</w> é", max_size=4), max_size=6, unique=True),
    variant=st.sampled_from(list(VARIANTS)),
    special=st.integers(0, 2),
)
def test_any_vocabulary_is_read_or_refused(tokens: list[str], variant: str, special: int) -> None:
    numbers = {token: number for number, token in enumerate(tokens)}
    with contextlib.suppress(BPEError):
        tokenizer = read_vocabulary(json.dumps(numbers), VARIANTS[variant], special_tokens=tokens[:special])
        tokenizer.encode("a b", allow_special=True)
        for encoder in ENCODERS:
            tokenizer.decode(tokenizer.encode("a b", encoder))
