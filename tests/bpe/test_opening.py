"""Opened files: a tokenizer that a library saved encodes here as it encodes there."""

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
import tiktoken
import tokenizers
from subword_nmt.apply_bpe import BPE
from subword_nmt.learn_bpe import learn_bpe
from tokenizers import AddedToken, Regex, models, normalizers, pre_tokenizers, processors, trainers

import bpe
from bpe import VARIANTS, BPEError, Tokenizer
from bpe.encoding.merge_table import merge_table
from bpe.formats.hf_pre_tokenizers import read_pre_tokenizer
from bpe.formats.opened import Opened
from bpe.formats.opening import open_tokenizer
from bpe.formats.published import ENCODINGS, O200K_PATTERN
from bpe.formats.read_tokenizer_json import open_tokenizer_json
from bpe.text.patterns import GPT2_PATTERN, GPT4_PATTERN
from tests import texts
from tests.many_strings import STRINGS

CORPUS = texts.languages() + texts.source()[:20_000]
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
QWEN = LLAMA3.replace("{1,3}", "")
CLIP = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
DEEPSEEK = [
    r"\p{N}{1,3}",
    "[一-龥぀-ゟ゠-ヿ]+",
    r"[!-/:-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
]
P, N = pre_tokenizers, normalizers


def byte_level(pattern: bool = False, prefix: bool = False) -> Any:
    return P.ByteLevel(add_prefix_space=prefix, use_regex=pattern)


def split(pattern: str, behavior: str = "isolated", invert: bool = False) -> Any:
    return P.Split(Regex(pattern), behavior, invert)


# name -> (normalizer, pre-tokenizer, options of the model, options of the trainer)
SUFFIX, OTHER_SUFFIX = {"end_of_word_suffix": "</w>"}, {"end_of_word_suffix": "@@"}
ALL_BYTES = {"initial_alphabet": P.ByteLevel.alphabet()}
PIPELINES: dict[str, tuple[Any, Any, dict[str, Any], dict[str, Any]]] = {
    "gpt2": (None, byte_level(True), {}, ALL_BYTES),
    "gpt2, space in front": (None, byte_level(True, True), {}, ALL_BYTES),
    "gpt2, nfc": (N.NFC(), byte_level(True), {}, ALL_BYTES),
    "gpt2, bytes missing": (None, byte_level(True), {"unk_token": "<unk>"}, {}),
    "roberta": (None, byte_level(True), {"unk_token": "<unk>"}, ALL_BYTES),
    "llama 3": (None, P.Sequence([split(LLAMA3), byte_level()]), {"ignore_merges": True}, ALL_BYTES),
    "qwen 2": (N.NFC(), P.Sequence([split(QWEN), byte_level()]), {}, ALL_BYTES),
    "gpt 4": (None, P.Sequence([split(GPT4_PATTERN), byte_level()]), {}, ALL_BYTES),
    "o200k": (None, P.Sequence([split(O200K_PATTERN), byte_level()]), {}, ALL_BYTES),
    "deepseek": (None, P.Sequence([*map(split, DEEPSEEK), byte_level()]), {}, ALL_BYTES),
    "starcoder": (None, P.Sequence([P.Digits(individual_digits=True), byte_level(True)]), {}, ALL_BYTES),
    "bloom": (None, P.Sequence([split(r" ?[^\s.,!?…。，、।۔،]+"), byte_level()]), {}, ALL_BYTES),
    "one word": (None, byte_level(), {}, ALL_BYTES),
    "bytes of words": (None, P.Sequence([P.WhitespaceSplit(), byte_level()]), {}, ALL_BYTES),
    "removed matches": (None, P.Sequence([split(r"[aeiou]+", "removed"), byte_level()]), {}, ALL_BYTES),
    "only matches": (None, P.Sequence([split(r"\p{L}+|\p{N}", "removed", True), byte_level()]), {}, ALL_BYTES),
    "clip": (
        N.Sequence([N.NFC(), N.Replace(Regex(r"\s+"), " "), N.Lowercase()]),
        P.Sequence([split(CLIP, "removed", True), byte_level(True)]),
        {"unk_token": "<unk>", "end_of_word_suffix": "</w>"},
        {**ALL_BYTES, "end_of_word_suffix": "</w>"},
    ),
    "metaspace": (None, P.Metaspace(), {"unk_token": "<unk>"}, {}),
    "metaspace, nfkc": (N.NFKC(), P.Metaspace(), {"unk_token": "<unk>"}, {}),
    "metaspace, first": (None, P.Metaspace(prepend_scheme="first"), {"unk_token": "<unk>"}, {}),
    "metaspace, never": (None, P.Metaspace(prepend_scheme="never"), {"unk_token": "<unk>"}, {}),
    "metaspace, one word": (None, P.Metaspace(split=False), {"unk_token": "<unk>"}, {}),
    "metaspace, unknowns together": (None, P.Metaspace(), {"unk_token": "<unk>", "fuse_unk": True}, {}),
    "llama 2": (
        N.Sequence([N.Prepend("▁"), N.Replace(" ", "▁")]),
        None,
        {"unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True},
        {"special_tokens": ["<unk>", "<s>", "</s>", *(f"<0x{value:02X}>" for value in range(256))]},
    ),
    "gemma": (
        N.Replace(" ", "▁"),
        P.Split(" ", "merged_with_previous"),
        {"unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True},
        {"special_tokens": ["<unk>", "<s>", "</s>", *(f"<0x{value:02X}>" for value in range(256))]},
    ),
    "whitespace": (None, P.Whitespace(), {"unk_token": "<unk>"}, {}),
    "whitespace, lower case": (
        N.Sequence([N.NFD(), N.StripAccents(), N.Lowercase(), N.Strip()]), P.Whitespace(), {"unk_token": "<unk>"}, {}
    ),
    "between spaces": (None, P.WhitespaceSplit(), {"unk_token": "<unk>"}, {}),
    "hf characters": (None, P.WhitespaceSplit(), {"unk_token": "<unk>", **SUFFIX}, SUFFIX),
    "suffix on signs": (None, P.Whitespace(), {"unk_token": "<unk>", **OTHER_SUFFIX}, OTHER_SUFFIX),
    "merged with next": (None, split(r"[-_,]", "merged_with_next"), {"unk_token": "<unk>"}, {}),
    "merged with previous": (None, split(r"[-_,]+", "merged_with_previous"), {"unk_token": "<unk>"}, {}),
    "contiguous": (None, split(r"[aeiou]", "contiguous"), {"unk_token": "<unk>"}, {}),
    "no pre-tokenizer": (None, None, {"unk_token": "<unk>"}, {}),
}  # fmt: skip


def library(name: str, size: int = 900) -> Any:
    """Return a tokenizer of Hugging Face's library, trained with these parts."""
    normalizer, pre_tokenizer, model, trainer = PIPELINES[name]
    tokens = tokenizers.Tokenizer(models.BPE(**model))
    if normalizer:
        tokens.normalizer = normalizer
    if pre_tokenizer:
        tokens.pre_tokenizer = pre_tokenizer
    settings = {"special_tokens": ["<unk>", "<|end|>"], "show_progress": False, **trainer}
    # What no pre-tokenizer splits is one word, which is slow to train on.
    corpus = [line for line in CORPUS.split("\n") if line]
    tokens.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=size, **settings))
    # Byte tokens are no special tokens: a text that spells one out does not mean it.
    content = json.loads(tokens.to_str())
    if model.get("byte_fallback"):
        content["added_tokens"] = content["added_tokens"][:3]
        tokens = tokenizers.Tokenizer.from_str(json.dumps(content))
    return tokens


def ids_of(theirs: Any, text: str) -> list[int]:
    encoding: list[int] = theirs.encode(text, add_special_tokens=False).ids
    return encoding


def ours_of(tokenizer: Tokenizer, text: str) -> list[int]:
    """Return the ids, special tokens read as the library reads them; what the library drops is dropped."""
    return [number for number in tokenizer.encode(text, allow_special=True) if number >= 0]


@pytest.mark.parametrize("name", PIPELINES)
def test_a_tokenizer_json_encodes_as_its_library(name: str) -> None:
    theirs = library(name)
    tokenizer = open_tokenizer_json(theirs.to_str()).tokenizer
    assert len(tokenizer.merges) > 100
    different = [
        (text, ours_of(tokenizer, text), ids_of(theirs, text))
        for text in STRINGS
        if ours_of(tokenizer, text) != ids_of(theirs, text)
    ][:3]
    assert different == []


@pytest.mark.parametrize("name", PIPELINES)
def test_a_tokenizer_json_is_replayed_as_it_encodes(name: str) -> None:
    tokenizer = open_tokenizer_json(library(name).to_str()).tokenizer
    text = "\n".join(STRINGS[:90])
    trace = bpe.replay(text, tokenizer)
    assert trace.segment(text, len(trace.steps)) == tokenizer.tokens(text)
    assert trace.steps


def test_special_tokens_are_found_as_the_library_finds_them() -> None:
    theirs = library("llama 3")
    theirs.add_special_tokens(["<|eot|>", "<|eot|>x"])
    theirs.add_tokens(["ordinary token"])
    theirs.add_special_tokens([AddedToken("<mask>", lstrip=True)])
    opened = open_tokenizer_json(theirs.to_str())
    for text in ["a<|eot|> b<|eot|>x", "an ordinary token<|end|>", "<|end|><|end|>", *STRINGS[:20]]:
        assert opened.tokenizer.encode(text, allow_special=True) == ids_of(theirs, text), text
    assert opened.tokenizer.decode(ids_of(theirs, "a<|eot|>b")) == "a<|eot|>b"
    assert opened.ignored == (
        'lstrip of the added token "<mask>" is ignored.',
        'Added tokens that are not special ("ordinary token") are read in a text only where special tokens are '
        "allowed.",
    )


@pytest.mark.parametrize("name", ["gpt2", "llama 3", "qwen 2", "one word"])
def test_offsets_are_those_of_the_library(name: str) -> None:
    theirs = library(name)
    theirs.post_processor = processors.ByteLevel(trim_offsets=False)
    tokenizer = open_tokenizer_json(theirs.to_str()).tokenizer
    for text in STRINGS:
        if tokenizer.normalise(text) == text and "<" not in text:
            assert tokenizer.offsets(text) == theirs.encode(text).offsets, text


def test_a_list_with_every_way_to_make_a_token_encodes_and_replays_alike() -> None:
    # As lists converted from a vocabulary have them: Llama's.
    content = json.loads(library("llama 3").to_str())
    vocab = content["model"]["vocab"]
    every = [
        (vocab[token], vocab[token[:end]], vocab[token[end:]], [token[:end], token[end:]])
        for token in vocab
        for end in range(1, len(token))
        if token[:end] in vocab and token[end:] in vocab and token not in ("<unk>", "<|end|>")
    ]
    content["model"]["merges"] = [merge for *_, merge in sorted(every)]
    theirs = tokenizers.Tokenizer.from_str(json.dumps(content))
    tokenizer = open_tokenizer_json(json.dumps(content)).tokenizer
    assert len(tokenizer.merges) > len(vocab) - 258  # more than one way to make some tokens
    assert merge_table(tokenizer.merges).ordered is False
    for text in STRINGS:
        assert ours_of(tokenizer, text) == ids_of(theirs, text), text
        trace = bpe.replay(text, tokenizer)
        assert trace.segment(text, len(trace.steps)) == tokenizer.tokens(text), text


def test_ids_may_stand_anywhere() -> None:
    content = json.loads(library("gpt2").to_str())
    shifted = {token: 2 * number + 7 for token, number in content["model"]["vocab"].items()}
    content["model"]["vocab"] = shifted
    content["added_tokens"] = [entry | {"id": shifted[entry["content"]]} for entry in content["added_tokens"]]
    content["added_tokens"].append(content["added_tokens"][0] | {"id": 5000, "content": "<far>"})
    theirs = tokenizers.Tokenizer.from_str(json.dumps(content))
    tokenizer = open_tokenizer_json(json.dumps(content)).tokenizer
    for text in STRINGS:
        assert ours_of(tokenizer, text) == ids_of(theirs, text), text
    assert tokenizer.encode("<far>", allow_special=True) == [5000]
    with pytest.raises(BPEError, match="No token has the id 8"):
        tokenizer.decode([8])


def test_what_is_ignored_is_named() -> None:
    theirs = library("gpt2")
    theirs.decoder = tokenizers.decoders.ByteLevel()
    theirs.post_processor = processors.ByteLevel()
    assert open_tokenizer_json(theirs.to_str()).ignored == ()
    theirs.post_processor = processors.TemplateProcessing("<|end|> $A", special_tokens=[("<|end|>", 1)])
    theirs.enable_truncation(5)
    theirs.decoder = tokenizers.decoders.WordPiece()
    content = json.loads(theirs.to_str()) | {"author": "x"}
    assert open_tokenizer_json(json.dumps(content)).ignored == (
        "truncation is ignored: a text is encoded whole.",
        "post_processor TemplateProcessing is ignored: no special tokens are added around a text.",
        "decoder WordPiece is ignored: text is joined from the tokens.",
        '"author" is ignored: we do not know this part of a tokenizer.json.',
    )


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("pre_tokenizer", {"type": "UnicodeScripts"}, r'pre_tokenizer: "UnicodeScripts" is not supported'),
        ("pre_tokenizer", {"type": "Sequence", "pretokenizers": [{"type": "X"}]}, r'pretokenizers\[0\]: "X" is not'),
        ("pre_tokenizer", {"type": "Split", "pattern": {"Regex": r"\w+$"}, "behavior": "Isolated"},
         r"pre_tokenizer.pattern: the pattern has '\\\\w\+\$' at position 0, which other libraries"),
        ("pre_tokenizer", {"type": "Split", "pattern": {"Regex": "a{9}{999}"}, "behavior": "Isolated"},
         "expected repeats of at most 1,000 in all, got 8,991"),
        ("pre_tokenizer", {"type": "Split", "pattern": {"Regex": "(a"}, "behavior": "Isolated"}, "does not compile"),
        ("pre_tokenizer", {"type": "Split", "pattern": {"String": "a"}, "behavior": "No"}, "behavior: expected one of"),
        ("normalizer", {"type": "BertNormalizer"}, 'normalizer: "BertNormalizer" is not supported'),
        ("normalizer", {"type": "Sequence", "normalizers": [{"type": "Nmt"}]}, r'normalizers\[0\]: "Nmt" is not'),
        ("model", {"type": "WordPiece"}, "model.type: expected 'BPE'"),
        ("model", {"dropout": 0.1}, "model.dropout: expected 0"),
    ],
)  # fmt: skip
def test_what_would_change_tokens_and_is_not_supported_is_refused(
    part: str, value: Any, message: str
) -> None:
    content = json.loads(library("gpt2", 300).to_str())
    content[part] = {**content["model"], **value} if part == "model" else value
    with pytest.raises(BPEError, match=message):
        open_tokenizer_json(json.dumps(content))


# Other files


def opened(variant: str | None = None, **files: str) -> Opened:
    contents = {name.replace("_", "."): content.encode() for name, content in files.items()}
    return open_tokenizer(contents, VARIANTS[variant] if variant else None)


def test_vocab_json_and_merges_txt_encode_as_their_library(tmp_path: Path) -> None:
    theirs = tokenizers.ByteLevelBPETokenizer()
    theirs.train_from_iterator([CORPUS], vocab_size=900, special_tokens=["<s>", "<unk>"], show_progress=False)
    theirs.save_model(str(tmp_path))
    vocabulary, merges = ((tmp_path / name).read_text("utf-8") for name in ("vocab.json", "merges.txt"))
    both = opened(vocab_json=vocabulary, merges_txt=merges)
    assert both.tokenizer.special_tokens == ("<s>", "<unk>")
    assert [number for text in STRINGS for number in ours_of(both.tokenizer, text)] == [
        number for text in STRINGS for number in theirs.encode(text).ids
    ]
    assert both.ignored == (
        "The file does not say how text is split; it is split as in “Bytes, GPT-2 pattern”.",
        'vocab.json does not say which tokens are special. No merge makes these, so they are: "<s>", "<unk>".',
    )
    without_version = merges.partition("\n")[2]
    for content in (merges, without_version):
        alone = opened(merges_txt=content).tokenizer
        assert [alone.tokens(text) for text in STRINGS] == [both.tokenizer.tokens(text) for text in STRINGS]


def test_codes_of_subword_nmt_segment_as_the_library() -> None:
    codes = io.StringIO()
    learn_bpe(io.StringIO(CORPUS), codes, 600)
    theirs = BPE(io.StringIO(codes.getvalue()))
    tokenizer = opened(codes_txt=codes.getvalue()).tokenizer
    assert tokenizer.variant.slug == "char-eow-lines"
    for text in STRINGS:
        for line in text.split("\n"):
            words = [word for word in line.strip("\r\n ").split(" ") if word]
            cut = [
                token.removesuffix(b"\xff").decode() if token.endswith(b"\xff") else token.decode() + "@@"
                for token in tokenizer.tokens(line)
            ]
            assert " ".join(cut).split() == theirs.segment(" ".join(words)).split(), line


def ranks_of(tokenizer: Tokenizer) -> dict[bytes, int]:
    return {symbol: rank for rank, symbol in enumerate(tokenizer.ids)}


def ranks_file(ranks: dict[bytes, int]) -> str:
    return "".join(f"{base64.b64encode(token).decode()} {rank}\n" for token, rank in ranks.items())


@pytest.mark.parametrize(
    ("variant", "pattern"), [("bytes-gpt2", GPT2_PATTERN), ("bytes-gpt4", GPT4_PATTERN), (None, GPT4_PATTERN)]
)
def test_ranks_encode_as_tiktoken(variant: str | None, pattern: str) -> None:
    ranks = ranks_of(bpe.train(CORPUS, variant=variant or "bytes-gpt4", merges=900).tokenizer())
    # Tokens that no merges make: tiktoken takes such a word whole, and makes them of any two tokens that join to them.
    for token in (b" unreachable", b"Zwxq", b" qzq"):
        ranks[token] = len(ranks)
    theirs = tiktoken.Encoding("ours", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    tokenizer = opened(variant, ranks_tiktoken=ranks_file(ranks)).tokenizer
    for text in [*STRINGS, " unreachable Zwxq qzq", "xZwxqx unreachables"]:
        assert tokenizer.encode(text) == theirs.encode_ordinary(text), text
    text = " unreachable Zwxq the " + CORPUS[:3000]
    trace = bpe.replay(text, tokenizer)
    assert trace.segment(text, len(trace.steps)) == tokenizer.tokens(text)


def test_the_patterns_of_published_encodings_split_as_tiktoken_does() -> None:
    # Their files are not at hand: 256 bytes alone show how a pattern splits, since merges are made within its matches.
    ranks = ranks_of(bpe.train(CORPUS, variant="bytes", merges=2_000).tokenizer())
    from tiktoken_ext import openai_public  # it reads nothing before a constructor is called

    patterns = {row.name: row for row in ENCODINGS}
    assert openai_public.r50k_pat_str
    for name, theirs_pattern in {
        "r50k_base": openai_public.r50k_pat_str,
        "o200k_base": O200K_PATTERN,
    }.items():
        theirs = tiktoken.Encoding("ours", pat_str=theirs_pattern, mergeable_ranks=ranks, special_tokens={})
        merges = bpe.train(CORPUS, variant="bytes", merges=2_000).tokenizer().merges
        ours = Tokenizer(patterns[name].variant, tuple(ranks), merges, one_by_one=True, whole_words=True)
        assert [ours.encode(text) for text in STRINGS] == [theirs.encode_ordinary(text) for text in STRINGS]


def test_special_tokens_of_published_encodings_lie_outside_their_ranks() -> None:
    for row in ENCODINGS:
        assert len(row.sha256) == 64
        assert min(row.special_tokens.values()) >= 50256


BEHAVIORS = ["isolated", "removed", "merged_with_previous", "merged_with_next", "contiguous"]


@pytest.mark.parametrize("invert", [False, True])
@pytest.mark.parametrize("behavior", BEHAVIORS)
@pytest.mark.parametrize("pattern", ["-", "-+", r"\s+(?!\S)|\s", r"[^-]"])
def test_split_cuts_as_its_library(pattern: str, behavior: str, invert: bool) -> None:
    theirs = split(pattern, behavior, invert)
    part = json.loads(theirs.__getstate__())
    ours = read_pre_tokenizer(part)
    for text in ["a--b-c--", "---", "-a", "a-", "", "a b   c \n d", *STRINGS[:40]]:
        assert ours.split(text) == [piece for piece, _ in theirs.pre_tokenize_str(text)], text


@pytest.mark.parametrize(
    ("name", "text", "decoded"),
    [
        ("gpt2", "Fox  jumps\n", "Fox  jumps\n"),
        ("llama 3", "Fox  jumps\n字", "Fox  jumps\n字"),
        ("clip", "The Fox  jumps", "the fox jumps"),
        ("metaspace", "The fox  jumps", "The fox  jumps"),
        ("metaspace, never", "the fox", "the fox"),
        ("llama 2", "The fox 𒀀\n\n jumps", "The fox 𒀀\n\n jumps"),
        ("hf characters", "The fox  jumps", "The fox jumps"),
    ],
)
def test_ids_are_joined_to_the_text_as_the_file_keeps_it(name: str, text: str, decoded: str) -> None:
    tokenizer = open_tokenizer_json(library(name).to_str()).tokenizer
    assert tokenizer.decode(tokenizer.encode(text)) == decoded


def test_ranks_that_no_merge_list_repeats_are_refused() -> None:
    # tiktoken joins a + aaa in one text and aaa + a in another, whichever comes first.
    ranks = [*(bytes([value]) for value in range(256)), b"aaaa", b"aaa", b"aa"]
    with pytest.raises(BPEError, match="the token aaaa can be made from 3 pairs of tokens"):
        opened("bytes", ranks_tiktoken=ranks_file({token: rank for rank, token in enumerate(ranks)}))
