"""A SentencePiece model as a tokenizer.json: the parts with which Hugging Face's tokenizers does the same."""

from collections.abc import Sequence
from typing import Any

from bpe.formats.hugging_face.file_source import Template
from bpe.formats.hugging_face.normalizers import METASPACE
from bpe.formats.sentencepiece.model_file import CONTROL, FILE, UNKNOWN, ModelFile, Normalizing, Piece
from bpe.formats.sentencepiece.pieces_variant import Vocabulary

Part = dict[str, Any]


def as_template(model: ModelFile, vocabulary: Vocabulary) -> Template:
    """Return the tokenizer.json of a model, or why there is none."""
    texts = tuple(piece.text for piece in model.pieces)
    refusal = _refusal(model, vocabulary)
    return Template(texts, {} if refusal else _whole(model, vocabulary), refusal)


def _refusal(model: ModelFile, vocabulary: Vocabulary) -> str:
    """Return the sentence that names a part which tokenizer.json cannot hold; "" if there is none."""
    if model.normalizing.charsmap:
        return (
            f"tokenizer.json cannot hold normalizer_spec.precompiled_charsmap of {FILE} exactly: Hugging Face's "
            "tokenizers applies this table in another way. merges.txt and vocab.json hold the tokens."
        )
    rules = model.normalizing
    unlike = {
        "trainer_spec.treat_whitespace_as_suffix": model.space_behind,
        "normalizer_spec.escape_whitespaces": not rules.escapes_spaces,
        "normalizer_spec.remove_extra_whitespaces without add_dummy_prefix": rules.strips_spaces
        and not rules.dummy_prefix,
    }
    for field, is_so in unlike.items():
        if is_so:
            return f"tokenizer.json cannot hold {field} of {FILE}; merges.txt and vocab.json hold the tokens."
    if vocabulary.user_defined:
        example = repr(vocabulary.user_defined[0][:40])
        return (
            f"tokenizer.json cannot hold the user-defined pieces of {FILE}, such as {example}: the library would add "
            "a space behind each. merges.txt and vocab.json hold the tokens."
        )
    return ""


def _whole(model: ModelFile, vocabulary: Vocabulary) -> Part:
    normalizer, front = _normalizer(model.normalizing), model.normalizing.dummy_prefix
    decoders: list[Part] = [
        {"type": "Replace", "pattern": {"String": METASPACE}, "content": " "},
        *([{"type": "ByteFallback"}] if model.byte_fallback else []),
        {"type": "Fuse"},
        *([{"type": "Strip", "content": " ", "start": 1, "stop": 0}] if front else []),
    ]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": list(_added(model.pieces)),
        "normalizer": normalizer,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": {"type": "Sequence", "decoders": decoders},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": vocabulary.unknown,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": True,
            "byte_fallback": model.byte_fallback,
            "ignore_merges": False,
        },
    }


def _added(pieces: Sequence[Piece]) -> Sequence[Part]:
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return [
        {"id": number, "content": piece.text, **flags}
        for number, piece in enumerate(pieces)
        if piece.kind in (CONTROL, UNKNOWN)
    ]


def _normalizer(rules: Normalizing) -> Part:
    steps: list[Part] = [{"type": "Prepend", "prepend": " "}] if rules.dummy_prefix else []
    if rules.strips_spaces:  # the space in front makes one of all spaces there
        steps.append({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "})
    steps.append({"type": "Replace", "pattern": {"String": " "}, "content": METASPACE})
    if rules.strips_spaces:
        steps.append({"type": "Replace", "pattern": {"Regex": rf"{METASPACE}+(?![\s\S])"}, "content": ""})
    return {"type": "Sequence", "normalizers": steps}
