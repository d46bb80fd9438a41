"""Tokenizers of Hugging Face's library whose added tokens are those of published models."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import tokenizers
from tokenizers import AddedToken, decoders, models, trainers

from tests.bpe.formats.hugging_face.pipelines import CORPUS, PIPELINES, library

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
