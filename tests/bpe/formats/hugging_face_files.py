"""Tokenizers of Hugging Face's library whose added tokens are those of published models."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import tokenizers
from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, trainers

from bpe import Tokenizer, train
from bpe.formats.hugging_face.writing import write_tokenizer
from bpe.formats.tiktoken_ranks import O200K_PATTERN
from bpe.text.patterns import GPT4_PATTERN
from tests.material import texts
from tests.material.texts import SENTENCES

# Tokenizers of Hugging Face's library, each with another way to prepare a text, as published ones have it.

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
PREFIX = {"continuing_subword_prefix": "##"}
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
    "bloom, a set in a set": (
        None, P.Sequence([split(r" ?[^(\s|[.,!?…。，、।۔،])]+"), byte_level()]), {}, ALL_BYTES
    ),
    "gpt 1": (
        N.BertNormalizer(lowercase=True), P.BertPreTokenizer(), {"unk_token": "<unk>", **SUFFIX}, SUFFIX
    ),
    "herbert": (
        N.BertNormalizer(lowercase=False, strip_accents=False), P.BertPreTokenizer(), {"unk_token": "<unk>"}, {}
    ),
    "bert, accents only": (
        N.BertNormalizer(clean_text=False, handle_chinese_chars=False, strip_accents=True, lowercase=False),
        P.BertPreTokenizer(), {"unk_token": "<unk>"}, {},
    ),
    "punctuation": (None, P.Punctuation(), {"unk_token": "<unk>"}, {}),
    "punctuation, contiguous, in bytes": (
        None, P.Sequence([P.Punctuation("contiguous"), byte_level(True)]), {}, ALL_BYTES
    ),
    "falcon": (
        None,
        P.Sequence(
            [P.Punctuation("contiguous"), byte_level(True), P.Digits(), split("[0-9][0-9][0-9]")]
        ),
        {}, ALL_BYTES,
    ),
    "splits after bytes, space in front": (
        N.NFKC(), P.Sequence([byte_level(True, True), split("Ġ", "merged_with_next"), P.Digits(True)]), {}, ALL_BYTES
    ),
    "digits after bytes": (None, P.Sequence([byte_level(True), P.Digits()]), {}, ALL_BYTES),
    "digits, a space in front of every piece of bytes": (
        None, P.Sequence([P.Digits(), byte_level(True, True)]), {}, ALL_BYTES
    ),
    "words, a space in front of each, digits after bytes": (
        N.NFKC(), P.Sequence([P.Whitespace(), byte_level(True, True), P.Digits(True)]), {}, ALL_BYTES
    ),
    "words, metaspace": (N.NFKC(), P.Sequence([P.WhitespaceSplit(), P.Metaspace()]), {"unk_token": "<unk>"}, {}),
    "digits, metaspace, signs": (
        N.Replace(Regex(r"\s+"), " "), P.Sequence([P.Digits(True), P.Metaspace(), P.Punctuation()]),
        {"unk_token": "<unk>"}, {},
    ),
    "signs, metaspace first": (
        None, P.Sequence([P.Punctuation(), P.Metaspace(prepend_scheme="first")]), {"unk_token": "<unk>"}, {}
    ),
    "vowels removed, metaspace first": (
        None, P.Sequence([split(r"[aeiou]+", "removed"), P.Metaspace(prepend_scheme="first")]),
        {"unk_token": "<unk>"}, {},
    ),
    "words, metaspace first": (
        N.Strip(), P.Sequence([P.WhitespaceSplit(), P.Metaspace(prepend_scheme="first", split=False)]),
        {"unk_token": "<unk>"}, {},
    ),
    "white space removed, metaspace first": (
        N.Sequence([N.NFC(), N.Strip()]), P.Metaspace(prepend_scheme="first"), {"unk_token": "<unk>"}, {}
    ),
    "letters left out, metaspace first": (
        N.Replace(Regex("[aeiouA ]"), ""), P.Metaspace(prepend_scheme="first"), {"unk_token": "<unk>"}, {}
    ),
    "several letters replaced, metaspace first": (
        N.Replace(Regex("[a-zA-Z ]{1,3}"), "y"), P.Metaspace(prepend_scheme="first"), {"unk_token": "<unk>"}, {}
    ),
    "accents removed, metaspace first": (
        N.StripAccents(), P.Metaspace(prepend_scheme="first"), {"unk_token": "<unk>"}, {}
    ),
    "bert, metaspace first": (
        N.BertNormalizer(), P.Metaspace(prepend_scheme="first"), {"unk_token": "<unk>"}, {}
    ),
    "prefix inside words": (
        N.Lowercase(), P.Whitespace(), {"unk_token": "<unk>", **PREFIX}, {**PREFIX, "limit_alphabet": 60}
    ),
    "another prefix, unknowns together": (
        None, P.Metaspace(), {"unk_token": "<unk>", "fuse_unk": True, "continuing_subword_prefix": "@@"},
        {"continuing_subword_prefix": "@@", "limit_alphabet": 40},
    ),
    "prefix, no unknown token": (None, P.BertPreTokenizer(), PREFIX, {**PREFIX, "limit_alphabet": 60}),
    "delimiter": (None, P.CharDelimiterSplit("-"), {"unk_token": "<unk>"}, {}),
    "dropout": (None, P.Whitespace(), {"unk_token": "<unk>", "dropout": 0.0}, {}),
    "no pre-tokenizer": (None, None, {"unk_token": "<unk>"}, {}),
}  # fmt: skip


def library(name: str, size: int = 900) -> Any:
    """Return a tokenizer of Hugging Face's library, trained with these parts."""
    return tokenizers.Tokenizer.from_str(_trained(name, size))


@cache
def _trained(name: str, size: int) -> str:
    """Return the file of a tokenizer. Training takes most of the time of the tests that use it."""
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
    return json.dumps(content)


def ids_of(theirs: Any, text: str) -> list[int]:
    encoding: list[int] = theirs.encode(text, add_special_tokens=False).ids
    return encoding


def ours_of(tokenizer: Tokenizer, text: str) -> list[int]:
    """Return the ids, special tokens read as the library reads them; what the library drops is dropped."""
    return [number for number in tokenizer.encode(text, allow_special=True) if number >= 0]


UNSPELLED = ("\u200d", "‼", "⌚", "🏴\u200d☠️", "–", "a–")
SPACES = [" " * number for number in range(24, 1, -1)]


def plain(*texts: str, **flags: bool) -> list[Any]:
    return [AddedToken(text, **{"normalized": False, **flags}) for text in texts]


def joined_bytes(space_first: bool = True) -> Any:
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    return decoders.Sequence([*steps, *([decoders.Strip(" ", 1, 0)] if space_first else [])])


def neox() -> Any:
    theirs = library("gpt2", 1500)
    theirs.add_tokens(plain(*SPACES, normalized=True))
    theirs.decoder = decoders.ByteLevel()
    return theirs


def phi() -> Any:
    theirs = library("gpt2, nfc", 1500)
    theirs.add_tokens(plain(*SPACES, "\t\t"))
    theirs.decoder = decoders.ByteLevel()
    return theirs


def roberta() -> Any:
    theirs = library("gpt2, space in front")
    theirs.add_special_tokens(plain("<mask>", lstrip=True) + plain("<s>", rstrip=True))
    theirs.decoder = decoders.ByteLevel()
    return theirs


def all_flags() -> Any:
    theirs = library("gpt2, space in front")
    theirs.add_special_tokens(plain("<s>", rstrip=True, normalized=True))
    theirs.add_tokens(plain("the", single_word=True, lstrip=True) + plain("other", "er fox"))
    theirs.decoder = decoders.ByteLevel()
    return theirs


def llama2_by_trainer() -> Any:
    """Llama 2's parts as the library's trainer makes them: the byte tokens are in added_tokens as well."""
    normalizer, _, model, trainer = PIPELINES["llama 2"]
    theirs = tokenizers.Tokenizer(models.BPE(**model))
    theirs.normalizer = normalizer
    lines = [line for line in CORPUS.split("\n") if line]
    theirs.train_from_iterator(lines, trainers.BpeTrainer(vocab_size=900, show_progress=False, **trainer))
    theirs.decoder = joined_bytes()
    return theirs


def llama2_added() -> Any:
    theirs = library("llama 2")
    theirs.add_tokens([*plain("the", "  ", "\n\n"), AddedToken("the fox", normalized=True)])
    theirs.decoder = joined_bytes()
    return theirs


def gemma() -> Any:
    """Gemma's parts: some added tokens are also what merges make."""
    theirs = library("gemma")
    theirs.add_tokens(plain("\n\n", "th", "the", "<table>"))
    theirs.decoder = joined_bytes(space_first=False)
    return theirs


def lower_case() -> Any:
    theirs = library("whitespace, lower case")
    theirs.add_tokens([*plain("THE", "ö"), AddedToken("Fox", normalized=True)])
    return theirs


def no_unknown(name: str, decoder: Any) -> Callable[[], Any]:
    def make() -> Any:
        content = json.loads(library(name).to_str())
        content["model"]["unk_token"] = None
        theirs = tokenizers.Tokenizer.from_str(json.dumps(content))
        theirs.decoder = decoder
        return theirs

    return make


def command_r() -> Any:
    """Command-R's parts: tokens spelled with characters that stand for no byte, and one of them learned as well."""
    content = json.loads(library("gpt2, nfc", 1500).to_str())
    vocabulary = content["model"]["vocab"]
    for token in UNSPELLED:
        vocabulary[token] = len(vocabulary)
    content["added_tokens"] = [
        {**entry, "id": vocabulary[entry["content"]]} for entry in content["added_tokens"]
    ]
    content["decoder"] = {
        "type": "ByteLevel",
        "add_prefix_space": True,
        "trim_offsets": True,
        "use_regex": True,
    }
    return tokenizers.Tokenizer.from_str(json.dumps(content))


MODEL_FILES: Mapping[str, Callable[[], Any]] = {
    "gpt-neox": neox,
    "phi": phi,
    "roberta": roberta,
    "all flags": all_flags,
    "llama 2 by the trainer": llama2_by_trainer,
    "llama 2, added": llama2_added,
    "gemma": gemma,
    "lower case": lower_case,
    "command r": command_r,
    "bytes missing, no unknown token": no_unknown("gpt2, bytes missing", decoders.ByteLevel()),
    "metaspace, no unknown token": no_unknown("metaspace", decoders.Metaspace()),
}


# A tokenizer.json with some of its fields changed.

WRITTEN = write_tokenizer(train(SENTENCES, "bytes-gpt2", merges=3).tokenizer())


def changed(**model: object) -> str:
    content = json.loads(WRITTEN)
    content |= {field: model.pop(field) for field in list(model) if field in content}
    content["model"] |= model
    return json.dumps(content)
