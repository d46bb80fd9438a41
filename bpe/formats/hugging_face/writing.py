"""tokenizer.json, written: all that Hugging Face's `tokenizers` needs, how text is split included.

What was opened from such a file is written with all its other parts untouched: `again`. For other tokenizers, `_new`
describes how text is split and joined.
"""

import json
from collections.abc import Mapping
from typing import Any

from bpe.encoding.tokenizer import Tokenizer, symbol_texts, token_texts
from bpe.formats.hugging_face.normalizers import TYPED_METASPACE
from bpe.formats.hugging_face.parts import FILE, Part
from bpe.formats.hugging_face.reading import FileSource, Template
from bpe.formats.hugging_face.variants import BYTE_LEVEL, PARTS, SLUG, sequence_of, split_at
from bpe.formats.regexes import compile_shared
from bpe.formats.spelling import spell_vocabulary
from bpe.symbols import END_OF_WORD, BPEError, Symbol
from bpe.text.normalizing import NORMALIZATIONS
from bpe.text.variants import Variant

_LOSSES = ("Removed",)  # behaviors of a Split that leave text out


def write_tokenizer(tokenizer: Tokenizer) -> str:
    """Return the tokenizer as the library loads it. Raises BPEError for a part or a token the file cannot hold.

    The library treats text differently in two ways: it reads special tokens in any text, and it drops unknown
    characters if there is no unknown token.
    """
    return json.dumps(parts_of_file(tokenizer), ensure_ascii=False, indent=2) + "\n"


def parts_of_file(tokenizer: Tokenizer) -> Part:
    """Return the parts of the file. Raises BPEError as `write_tokenizer` does."""
    is_opened = isinstance(tokenizer.source, FileSource)
    if not is_opened or tokenizer.variant.first:
        check_described(tokenizer.variant)
    if isinstance(tokenizer.source, Template):
        source = tokenizer.source
        if source.refusal:
            raise BPEError(source.refusal)
        texts = token_texts(source, tokenizer.vocabulary, tokenizer.merges)
        text_of = _merge_texts(tokenizer, source, texts)
        vocab = {text: number for number, text in enumerate(texts) if text and number not in tokenizer.gaps}
        merges = [[text_of[left], text_of[right]] for left, right in tokenizer.merges]
        return {**source.whole, "model": {**source.whole["model"], "vocab": vocab, "merges": merges}}
    return _again(tokenizer) if is_opened else _new(tokenizer)


def check_described(variant: Variant) -> None:
    """Raise BPEError for a variant that the file cannot describe. That of a file depends on the file."""
    if variant.slug == SLUG:
        return
    if variant.slug not in PARTS and not variant.pattern:
        raise BPEError(_other_variant(variant))
    if variant.pattern:
        compile_shared(variant.pattern, ("", f"{FILE} cannot hold the variant's pattern"))
    if variant.first and not variant.first.split_pattern and not variant.lossless:
        raise BPEError(
            f"{FILE} cannot describe superwords of the variant {variant.slug!r}, which drops text; trace.json can."
        )
    if variant.first:
        compile_shared(variant.second_pattern, ("", "The pattern of the second stage"))


def _other_variant(variant: Variant) -> str:
    """Return why the file cannot hold a variant that is not in PARTS, and which files can."""
    if variant.marker == END_OF_WORD and variant.marker_is_symbol:
        return (
            f"{FILE} has no end-of-word symbol of its own, as {variant.marker_text} is here; "
            "merges.txt, vocab.json and trace.json have."
        )
    others = "subword-nmt codes, merges.txt and vocab.json" if variant.marker else "merges.txt and vocab.json"
    return f"{FILE} cannot say how “{variant.title}” splits text; {others} can hold its merges and tokens."


def _again(tokenizer: Tokenizer) -> Part:
    """Return the file that the tokenizer was opened from, with the tokenizer's vocabulary and merges."""
    source = tokenizer.source
    assert isinstance(source, FileSource)
    texts = token_texts(source, tokenizer.vocabulary, tokenizer.merges)
    text_of = _merge_texts(tokenizer, source, texts)
    merges = [[text_of[left], text_of[right]] for left, right in tokenizer.merges]
    present = {text: number for number, text in enumerate(texts) if text and number not in tokenizer.gaps}
    vocab = {text: number for text, number in present.items() if number not in source.outside}
    if vocab.keys() != {text for number, text in enumerate(source.texts) if number not in source.outside} - {
        None
    }:
        # The library numbers added tokens anew, after the vocabulary, unless the vocabulary lists them.
        vocab = present
    model = dict(source.whole["model"])
    spaced = source.merges_as_texts and not any(" " in part for merge in merges for part in merge)
    model |= {"vocab": vocab, "merges": [" ".join(merge) for merge in merges] if spaced else merges}
    whole = {**source.whole, "model": model}
    if whole.get("added_tokens"):
        whole["added_tokens"] = [
            {**entry, "id": present[entry["content"]]}
            for entry in whole["added_tokens"]
            if entry["content"] in present
        ]
    if tokenizer.variant.first:
        whole["pre_tokenizer"] = _second_split_of(whole.get("pre_tokenizer"), tokenizer.variant)
    return whole


def _merge_texts(
    tokenizer: Tokenizer, source: FileSource | Template, texts: list[str]
) -> Mapping[Symbol, str]:
    """Return how the file spells the symbols of the merges. Raises BPEError for a new one that it would misread."""
    text_of = symbol_texts(source, tokenizer.vocabulary)
    known = {text: symbol for symbol, text in text_of.items()}
    first_new = len(source.texts)
    for symbol, text in zip(tokenizer.vocabulary[first_new:], texts[first_new:], strict=True):
        if not symbol:
            continue
        if known.setdefault(text, symbol) != symbol:
            raise BPEError(f"{FILE} cannot hold the new token {text[:60]!r}: another token reads the same.")
        text_of[symbol] = text
    return text_of


def _second_split_of(part: object, variant: Variant) -> Part:
    """Return the pre-tokenizer of a second stage: that of the file, with the looser pattern in place of its splits.

    Raises BPEError for a file that leaves text out, or that does not spell bytes: the words of the second stage would
    not be those of the first, one after the other.
    """
    inner = [part]
    if isinstance(part, dict) and part.get("type") == "Sequence":
        inner = list(part.get("pretokenizers", []))
    last = inner[-1] if inner else None
    kinds = [one.get("type") if isinstance(one, dict) else None for one in inner]
    loses = any(isinstance(one, dict) and one.get("behavior") in _LOSSES for one in inner)
    if (
        not isinstance(last, dict)
        or kinds[-1] != "ByteLevel"
        or loses
        or not set(kinds) <= {"Split", "Digits", "ByteLevel"}
    ):
        raise BPEError(
            "superwords need a pre_tokenizer that keeps all text and ends with ByteLevel; that of this file "
            f"is {' and '.join(map(str, kinds))}. Learn merges inside words, or write trace.json.",
            FILE,
        )
    return sequence_of(split_at(variant.second_pattern), {**last, "use_regex": False})


def _new(tokenizer: Tokenizer) -> Part:
    variant = tokenizer.variant
    if variant.slug == SLUG:
        raise BPEError(
            f"{FILE} can be written only for a tokenizer that was opened from one; this one can be written as "
            "merges.txt and vocab.json, if its tokens can be spelled there."
        )
    if tokenizer.normalizer not in (None, TYPED_METASPACE):
        raise BPEError(
            f"{FILE} cannot describe the normalizer of this tokenizer: {tokenizer.normalizer.about}."
        )
    split, join, suffix = _described(variant)
    spelled = spell_vocabulary(tokenizer, FILE)
    text_of = {symbol: spelled[number] for symbol, number in tokenizer.ids.items()}
    special = zip(tokenizer.special_ids, tokenizer.special_tokens, strict=True)
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    form = tokenizer.normalization
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": number, "content": token, **flags} for number, token in special],
        "normalizer": {"type": NORMALIZATIONS[form].hugging_face} if form else None,
        "pre_tokenizer": split,
        "post_processor": None,
        "decoder": join,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None if tokenizer.unknown is None else spelled[tokenizer.unknown],
            "continuing_subword_prefix": None,
            "end_of_word_suffix": suffix,
            "fuse_unk": variant.joins_unknown,
            "byte_fallback": False,
            "ignore_merges": tokenizer.whole_words,
            "vocab": {token: number for number, token in enumerate(spelled) if token},
            "merges": [[text_of[left], text_of[right]] for left, right in tokenizer.merges],
        },
    }


def _described(variant: Variant) -> tuple[Part, Part, str | None]:
    """Return the pre-tokenizer, the decoder and the end-of-word suffix of a variant."""
    if variant.first:
        return sequence_of(split_at(variant.second_pattern), BYTE_LEVEL), BYTE_LEVEL, None
    if not variant.pattern:
        return PARTS[variant.slug]
    matches: dict[str, Any] = {**split_at(variant.pattern), "behavior": "Removed", "invert": True}
    if variant.unit == "bytes":
        return sequence_of(matches, BYTE_LEVEL), BYTE_LEVEL, None
    return matches, {"type": "Fuse"}, None
