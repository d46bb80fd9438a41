"""Rows of `VARIANTS` as a tokenizer.json describes them: pre-tokenizer, decoder and end-of-word suffix."""

from collections.abc import Mapping
from types import MappingProxyType

from bpe.formats.hugging_face.parts import Part
from bpe.text.patterns import GPT4_PATTERN

BYTE_LEVEL: Part = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
_GPT2: Part = {**BYTE_LEVEL, "use_regex": True}
_WHITE_SPACE: Part = {"type": "WhitespaceSplit"}
_METASPACE: Part = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
_SUFFIX = "</w>"


def split_at(pattern: str) -> Part:
    """Return the pre-tokenizer that isolates the matches of a pattern."""
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def sequence_of(*parts: Part) -> Part:
    """Return the pre-tokenizer that applies some in a row."""
    return {"type": "Sequence", "pretokenizers": list(parts)}


# Variant -> (pre-tokenizer, decoder, end-of-word suffix). The library does not support the other variants.
PARTS: Mapping[str, tuple[Part, Part, str | None]] = MappingProxyType(
    {
        "bytes": (BYTE_LEVEL, BYTE_LEVEL, None),
        "bytes-gpt2": (_GPT2, _GPT2, None),
        "bytes-gpt4": (sequence_of(split_at(GPT4_PATTERN), BYTE_LEVEL), BYTE_LEVEL, None),
        "bytes-whitespace": (sequence_of(_WHITE_SPACE, BYTE_LEVEL), BYTE_LEVEL, None),
        "char-metaspace": (_METASPACE, _METASPACE, None),
        "char-eow-attached": (_WHITE_SPACE, {"type": "BPEDecoder", "suffix": _SUFFIX}, _SUFFIX),
    }
)
