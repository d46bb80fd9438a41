"""SentencePiece models that the library trains, small ones, each with other options."""

import io
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

import sentencepiece

from tests.material.hostile_texts import STRINGS
from tests.material.texts import SENTENCES

PIECES = 480

OPTIONS: Mapping[str, dict[str, Any]] = MappingProxyType(
    {
        "as the library does by default": {},
        "identity": {"normalization_rule_name": "identity"},
        "NFKC": {"normalization_rule_name": "nfkc", "remove_extra_whitespaces": False},
        "NFKC and lower case, no space in front": {
            "normalization_rule_name": "nmt_nfkc_cf",
            "add_dummy_prefix": False,
        },
        "as Llama 2": {
            "normalization_rule_name": "identity",
            "remove_extra_whitespaces": False,
            "byte_fallback": True,
            "split_digits": True,
            "allow_whitespace_only_pieces": True,
        },
        "pieces of one's own": {"user_defined_symbols": ["\u2581\u2581", "ab", "<s2>", "1", "e\u0301", "\n"]},
        "control pieces": {"control_symbols": ["[INST]"], "character_coverage": 0.99},
        "a space behind": {"treat_whitespace_as_suffix": True},
        "across words": {"split_by_whitespace": False},
    }
)


@cache
def trained(name: str, model_type: str = "bpe") -> bytes:
    """Return the file of a model with these options, trained on some strings and sentences."""
    model = io.BytesIO()
    lines = [line for text in (*STRINGS[::3], *SENTENCES) for line in text.split("\n") if line]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=model,
        model_type=model_type,
        vocab_size=PIECES + 256 * bool(OPTIONS[name].get("byte_fallback")),
        hard_vocab_limit=False,
        minloglevel=2,
        **{"character_coverage": 0.98, **OPTIONS[name]},
    )
    return model.getvalue()
