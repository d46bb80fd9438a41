"""A tokenizer.json without its merges: what a training begins with that reads text as another tokenizer does."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from bpe.checkpoints import with_checkpoints
from bpe.encoding.tokenizer import Tokenizer, symbol_texts
from bpe.formats.hugging_face.normalizers import METASPACE
from bpe.formats.hugging_face.parts import Part
from bpe.formats.hugging_face.reading import (
    BYTE_TOKEN,
    FileSource,
    check_depth,
    open_json_object,
    spells_bytes,
)
from bpe.formats.hugging_face.writing import parts_of_file
from bpe.settings.alphabets import REMAPPED
from bpe.symbols import Symbol


def without_merges(tokenizer: Tokenizer, documents: Sequence[str]) -> Tokenizer:
    """Return a tokenizer that reads text as the given one does, with the initial symbols of a text and no merges.

    Its ids begin anew, in the order of `train_new_from_iterator` of Hugging Face's transformers: the added tokens and
    others that the file names; with `byte_fallback`, the bytes; then all 256 bytes, or the characters of the text.
    There, only special ones of the added tokens stay; here, all do.

    Raises BPEError for a tokenizer that no tokenizer.json describes.
    """
    whole = parts_of_file(tokenizer)
    first = _named(whole)
    suffix, prefix = (
        str(whole["model"].get(name) or "") for name in ("end_of_word_suffix", "continuing_subword_prefix")
    )
    if spells_bytes(whole.get("pre_tokenizer")):
        letters = sorted(REMAPPED.values())
        alphabet = [*letters, *(letter + suffix for letter in letters)]
    else:
        texts = [tokenizer.normalise(document).text for document in with_checkpoints(documents)]
        every = sorted({METASPACE, *chain.from_iterable(texts)})
        spelled = [*every, *(one + suffix for one in every), *(prefix + one for one in every)]
        alphabet = [*_used(_opened(whole, [*first, *spelled]), texts, suffix, prefix)]
    opened = _opened(whole, [*first, *alphabet])
    source = tokenizer.source
    if isinstance(source, FileSource) and isinstance(opened.source, FileSource):
        opened = replace(opened, source=replace(opened.source, merges_as_texts=source.merges_as_texts))
    return opened


def _named(whole: Part) -> dict[str, None]:
    """Return the tokens that the file names or needs besides its merges, each once."""
    model, padding = whole["model"], whole.get("padding")
    named: dict[str, None] = {entry["content"]: None for entry in whole.get("added_tokens") or ()}
    if model.get("unk_token") is not None:
        named[model["unk_token"]] = None

    def note(token: str) -> int:
        named[token] = None
        return 0

    check_depth(whole.get("post_processor"), "post_processor")
    _with_ids(whole.get("post_processor"), note)
    if isinstance(padding, dict) and padding.get("pad_token") in model["vocab"]:
        named[padding["pad_token"]] = None
    if model.get("byte_fallback"):
        named |= dict.fromkeys(filter(BYTE_TOKEN.fullmatch, model["vocab"]))
    named.pop("", None)  # an added token that the library ignores
    return named


def _used(tokenizer: Tokenizer, texts: Iterable[str], suffix: str, prefix: str) -> Iterator[str]:
    """Yield the characters of the words of normalised texts, and those that stand at a word's end or inside it.

    A character of the text may be in no word: a space at which words are split.
    """
    used: set[Symbol] = set()
    split, spell = tokenizer.variant.split, tokenizer.variant.spell
    for text in texts:
        for pre_token in with_checkpoints(set(split(text))):
            used.update(spell(pre_token))
    assert tokenizer.source
    text_of = symbol_texts(tokenizer.source, tokenizer.vocabulary)
    spelled = {text_of[symbol] for symbol in used - tokenizer.variant.own_symbols if symbol in text_of}
    plain = {one.removesuffix(suffix).removeprefix(prefix) if len(one) > 1 else one for one in spelled}
    yield from sorted(plain)
    yield from sorted(spelled - plain)


def _opened(whole: Part, tokens: Iterable[str]) -> Tokenizer:
    """Return the tokenizer of a file with these tokens, in the order of their ids, and no merges."""
    vocab = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
    padding = whole.get("padding")
    if isinstance(padding, dict) and padding.get("pad_token") in vocab:
        padding = {**padding, "pad_id": vocab[padding["pad_token"]]}
    added = whole.get("added_tokens")
    again = {
        **whole,
        "added_tokens": added and [{**entry, "id": vocab.get(entry["content"], 0)} for entry in added],
        "post_processor": _with_ids(whole.get("post_processor"), vocab.__getitem__),
        "padding": padding,
        "model": {**whole["model"], "vocab": vocab, "merges": []},
    }
    return open_json_object({name: part for name, part in again.items() if name in whole}).tokenizer


def _with_ids(part: Any, id_of: Callable[[str], int]) -> Any:
    """Return a part of a post-processor with new ids beside the tokens that it names.

    >>> _with_ids({"sep": ["</s>", 2], "cls": ["<s>", 0]}, ["<s>", "</s>"].index)
    {'sep': ['</s>', 1], 'cls': ['<s>', 0]}
    >>> _with_ids({"<s>": {"id": "<s>", "ids": [7], "tokens": ["<s>"]}}, ["<s>", "</s>"].index)
    {'<s>': {'id': '<s>', 'ids': [0], 'tokens': ['<s>']}}
    """
    match part:
        case [str(token), int()]:
            return [token, id_of(token)]
        case {"ids": list(), "tokens": list(tokens)} if all(isinstance(token, str) for token in tokens):
            return {**part, "ids": list(map(id_of, tokens))}
        case dict():
            return {name: _with_ids(value, id_of) for name, value in part.items()}
        case list():
            return [_with_ids(value, id_of) for value in part]
    return part
