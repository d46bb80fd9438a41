"""Files: the real libraries load them and encode the same, and reading them back gives the same tokenizer."""

import base64
import io
import json
from typing import Any

import pytest
import tiktoken
import tokenizers
from subword_nmt.apply_bpe import BPE

from bpe import VARIANTS, BPEError, Tokenizer, train
from bpe.formats import FORMATS
from bpe.formats.hugging_face.reading import read_tokenizer
from bpe.formats.hugging_face.writing import write_tokenizer
from bpe.formats.merges_txt import read_merges
from bpe.formats.tiktoken_ranks import read_ranks
from bpe.formats.vocab_json import read_vocabulary
from bpe.settings.alphabets import REMAPPED
from bpe.text.patterns import GPT2_PATTERN, GPT4_PATTERN
from tests.bpe.formats.hugging_face.changed_file import changed
from tests.material import texts

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
    if tokenizer.variant.unit == "characters" and tokenizer.unknown is None:
        assert back.variant.drops_unknown  # as the library does: another variant
        assert back.encode(texts.SENTENCES) == tokenizer.encode(texts.SENTENCES)
        return
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
