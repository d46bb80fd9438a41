"""Opening: the tokenizer of one file, or of two that belong together, whatever format they have."""

import codecs
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from traceback import format_tb
from typing import Any

from bpe.checkpoints import from_checkpoint
from bpe.formats import BY_MARK, FORMATS
from bpe.formats.hugging_face.parts import FILE
from bpe.formats.hugging_face.reading import open_json_file, open_json_object
from bpe.formats.hugging_face.variants import PARTS
from bpe.formats.merges_txt import FILE as MERGES
from bpe.formats.merges_txt import (
    HUGGING_FACE,
    REMAPPED_CHARACTERS,
    SUFFIX,
    VERSION_MARK,
    VOCABULARY_FILE,
    is_subword_vocabulary,
    list_merges,
    merge_lines,
    open_with_vocabulary,
    refuse_counts,
    variant_of_merges,
)
from bpe.formats.opened import (
    File,
    Opened,
    expect,
    guess,
    in_id_order,
    not_bpe,
    read_json,
    short_json,
    text_of,
)
from bpe.formats.vocab_json import FILE as VOCABULARY
from bpe.formats.vocab_json import assemble, token_ids
from bpe.settings.alphabets import REMAPPED
from bpe.symbols import BPEError
from bpe.text.display import listed as and_listed
from bpe.text.variants import VARIANTS, Variant

_LOG = logging.getLogger(__name__)

# What may lie in a folder beside vocab.json and merges.txt, as Hugging Face's transformers saves it.
_ADDED_TOKENS, _SPECIAL_TOKENS, _CONFIG = (
    "added_tokens.json",
    "special_tokens_map.json",
    "tokenizer_config.json",
)
FOLDER_FILES = (_ADDED_TOKENS, _SPECIAL_TOKENS, _CONFIG)
_FLAGS = ("single_word", "lstrip", "rstrip", "normalized")

# Source: openai/CLIP, clip/simple_tokenizer.py; huggingface/transformers, convert_slow_tokenizer.py (CLIPConverter).
# The list that CLIP's own code reads, unpacked; it takes the first 48,894 of its 262,144 merges.
_CLIP_LIST = '"bpe_simple_vocab_16e6.txt#version'
_CLIP_MERGES = 49_152 - 256 - 2
_CLIP_UNKNOWN = "<|endoftext|>"
_CLIP_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
_CLIP_FILE: Mapping[str, Any] = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "normalizer": {
        "type": "Sequence",
        "normalizers": [
            {"type": "NFC"},
            {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "},
            {"type": "Lowercase"},
        ],
    },
    "pre_tokenizer": {
        "type": "Sequence",
        "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": _CLIP_PATTERN}, "behavior": "Removed", "invert": True},
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        ],
    },
    "post_processor": None,
    "decoder": {
        "type": "Sequence",
        "decoders": [
            {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
            {"type": "Replace", "pattern": {"Regex": rf"{SUFFIX}(?![\s\S])"}, "content": ""},
            {"type": "Replace", "pattern": {"String": SUFFIX}, "content": " "},
        ],
    },
}
_CLIP_MODEL: Mapping[str, Any] = {
    "type": "BPE",
    "dropout": None,
    "continuing_subword_prefix": "",
    "end_of_word_suffix": SUFFIX,
    "fuse_unk": False,
    "byte_fallback": False,
}
_BYTE_OF = {character: bytes([value]) for value, character in REMAPPED.items()}


def open_tokenizer(files: Mapping[str, bytes], variant: Variant | None = None) -> Opened:
    """Return the tokenizer of a file, or of a vocab.json and its merges.txt. `files` maps a name to its bytes.

    subword-nmt's codes may come with their vocabulary, whose counts the encoder `trimmed` needs.
    The other files of such a folder may come with these: added_tokens.json, special_tokens_map.json and
    tokenizer_config.json. A tokenizer.json among them says everything by itself.

    tokenizer.json says how text is split, and so do tekken.json, SentencePiece's models and OpenAI's .tiktoken files.
    For other files `variant` does; by default it is guessed from the tokens. Raises BPEError, with the file and the
    line or field, for what cannot be read.
    """
    if len(files) == 1:
        ((name, content),) = files.items()
        with _named(name):
            return _open_one(File(name, content), variant)
    texts = {name: text_of(name, content) for name, content in files.items()}
    with _foreseen(" and ".join(sorted(texts))):
        return _open_folder(texts, variant)


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Turn every error that is raised in the `with` into a BPEError whose sentence names the file."""
    try:
        with _foreseen(name):
            yield
    except BPEError as error:
        raise error.in_file(name) from None


def _open_one(file: File, variant: Variant | None) -> Opened:
    """Return the tokenizer of a file, which is a list of merges unless another format finds its mark in it."""
    if file.name.endswith(FOLDER_FILES):
        raise BPEError(
            "expected the file of a tokenizer, got one that lies beside it: add vocab.json and merges.txt."
        )
    row = next((row for row in BY_MARK if row.sniff(file)), FORMATS["merges-txt"])
    if row.slug == "merges-txt" and "[UNK]" in file.text[: 1 << 16].splitlines():  # the vocab.txt of BERT
        raise not_bpe("WordPiece")
    if row.is_text:
        refuse_counts(file)
    if row.slug == "merges-txt" and variant is None:
        merges = merge_lines(file.text)
        is_list = file.text.startswith(_CLIP_LIST)
        if is_list:
            merges = merges[1 : 1 + _CLIP_MERGES]  # the first line reads like one
        if is_list or _are_of_clip(merges):
            # CLIP gives ids to the bytes, to those that end words, to the merges, and to two special tokens.
            special = ("<|startoftext|>", _CLIP_UNKNOWN)
            ends = [character + SUFFIX for character in REMAPPED.values()]
            tokens = dict.fromkeys([*REMAPPED.values(), *ends, *map("".join, merges), *special])
            return _open_clip({token: id for id, token in enumerate(tokens)}, merges, special, "merges.txt")
    assert row.opener
    return row.opener(file, variant)


@contextmanager
def _foreseen(name: str) -> Iterator[None]:
    """Raise BPEError, with a file's name, for an error in the `with` that no reader foresaw, and log it.

    The log has its type and where it was raised, and nothing of what the file holds. What a checkpoint raises, and
    MemoryError, pass.
    """
    try:
        yield
    except (BPEError, MemoryError):
        raise
    except Exception as error:  # whatever it is: a visitor gets one sentence, and the log the rest
        if from_checkpoint(error):
            raise
        frames = "".join(format_tb(error.__traceback__))
        _LOG.error("A file cannot be read: %s\n%s", type(error).__name__, frames)
        raise BPEError(
            f"expected the file of a tokenizer, but a part of it cannot be read ({type(error).__name__}).",
            name,
        ) from None


def _open_folder(texts: Mapping[str, str], variant: Variant | None) -> Opened:
    """Return the tokenizer of several files that belong together."""
    for name, text in texts.items():
        beside = all(other.endswith((*FOLDER_FILES, VOCABULARY, MERGES)) for other in texts if other != name)
        if beside and text.lstrip().startswith("{") and '"model"' in text:
            with _named(name):
                whole = read_json(text, FILE)
                if isinstance(whole.get("model"), dict):
                    opened = open_json_file(whole)
                    others = and_listed(sorted(texts.keys() - {name}))
                    note = f"{name} says everything about the tokenizer: {others} is not used."
                    return replace(opened, ignored=(note, *opened.ignored))
    more = {kind: name for name in texts for kind in FOLDER_FILES if name.endswith(kind)}
    two = {name: text for name, text in texts.items() if name not in more.values()}
    if len(two) != 2:
        raise BPEError(
            "Expected one file, or vocab.json and merges.txt, with or without added_tokens.json; "
            f"got {and_listed(sorted(texts))}."
        )
    parts: dict[str, dict[str, Any]] = {}
    for kind, name in more.items():
        with _named(name):
            parts[kind] = read_json(texts[name], kind)
    try:
        added = _added_entries(parts)
    except BPEError as error:
        raise error.in_file(more[error.file]) from None
    return _open_two(two, variant, added)


def _added_entries(parts: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the added tokens of such files, by id, as a tokenizer.json lists them. Raises BPEError for a wrong one."""
    special: set[str] = set()
    for kind in (_SPECIAL_TOKENS, _CONFIG):
        for name, value in parts.get(kind, {}).items():
            if name.endswith(("_token", "_tokens")):
                for one in value if isinstance(value, list) else [value]:
                    text = one.get("content") if isinstance(one, dict) else one
                    special |= {text} if isinstance(text, str) else set()
    entries: dict[str, dict[str, Any]] = {}
    for token, number in parts.get(_ADDED_TOKENS, {}).items():
        entries[token] = {
            "id": expect(number, int, _ADDED_TOKENS, short_json(token)),
            "special": token in special,
        }
    decoder = parts.get(_CONFIG, {}).get("added_tokens_decoder")
    for key, entry in expect(
        {} if decoder is None else decoder, dict, _CONFIG, "added_tokens_decoder"
    ).items():
        field = f"added_tokens_decoder, {short_json(key)}"
        if not (key.isascii() and key.isdigit() and len(key) < 10):
            raise BPEError(f"expected an id, got {short_json(key)}.", _CONFIG, "added_tokens_decoder")
        token = expect(expect(entry, dict, _CONFIG, field).get("content"), str, _CONFIG, f"{field}.content")
        flags = {
            name: expect(entry.get(name, False), bool, _CONFIG, f"{field}.{name}")
            for name in ("special", *_FLAGS)
        }
        entries[token] = {"id": int(key), **flags}
    return [
        {**dict.fromkeys(_FLAGS, False), **entry, "content": token}
        for token, entry in sorted(entries.items(), key=lambda item: item[1]["id"])
    ]


def _open_two(
    texts: Mapping[str, str], variant: Variant | None, added: Sequence[dict[str, Any]] = ()
) -> Opened:
    objects = [name for name, text in texts.items() if text.lstrip().startswith("{")]
    counts = [name for name, text in texts.items() if is_subword_vocabulary(text)]
    if not objects and len(counts) == 1:
        (vocabulary,) = counts
        (codes,) = texts.keys() - {vocabulary}
        try:
            return open_with_vocabulary(texts[codes], texts[vocabulary], variant)
        except BPEError as error:
            raise error.in_file(vocabulary if error.file == VOCABULARY_FILE else codes) from None
    listed = " and ".join(sorted(texts))
    if len(objects) != 1:
        which = "Both are" if objects else "Neither is"
        raise BPEError(f"Expected vocab.json and merges.txt, got {listed}. {which} a JSON object.")
    (vocabulary,) = objects
    (merges,) = texts.keys() - {vocabulary}
    if not texts[merges].strip():
        raise BPEError("expected a list of merges, got an empty file.", merges)
    try:
        return _open_pair(texts[vocabulary], texts[merges], variant, added)
    except BPEError as error:
        named_here = {VOCABULARY: vocabulary, _ADDED_TOKENS: _ADDED_TOKENS}
        raise error.in_file(named_here.get(error.file, merges)) from None


def _open_pair(
    vocabulary: str, merges: str, variant: Variant | None, added: Sequence[dict[str, Any]]
) -> Opened:
    in_order = in_id_order(token_ids(vocabulary), VOCABULARY, "the vocabulary")
    tokens = [token for token in in_order if token]
    parts = merge_lines(merges)
    merged = {left + right for left, right in parts} | {part for pair in parts for part in pair}
    if variant is None and _ends_words(parts) and REMAPPED_CHARACTERS.issubset(tokens):
        special = [
            token
            for token in tokens
            if token not in merged and token.removesuffix(SUFFIX) not in REMAPPED_CHARACTERS
        ]
        return _open_clip(token_ids(vocabulary), parts, special, "vocab.json and merges.txt")
    row = variant or variant_of_merges(parts, merges.startswith(VERSION_MARK))
    if not variant and row.marker_text == SUFFIX:
        row = VARIANTS["char-eow-attached"]
    special = [token for token in tokens if token not in merged and not _is_initial(token, row)]
    unknown = next((token for token in ("<unk>", "[UNK]") if token in special), None)
    listed = list_merges(merges, row, HUGGING_FACE)
    if added:
        try:
            opened = _open_with_added(token_ids(vocabulary), parts, row, (special, unknown), added)
        except BPEError as error:
            raise error.in_file(_ADDED_TOKENS) from None
        kind = "vocab.json, merges.txt and added tokens"
        return Opened(opened.tokenizer, (*guess(row, variant), *opened.ignored), kind, says_split=False)
    tokenizer = assemble(VOCABULARY, row, in_order, listed.merges, special, unknown, one_by_one=True)
    notes = [*guess(row, variant), *listed.notes]
    if special:
        named = ", ".join(map(short_json, special[:3])) + (
            f" and {len(special) - 3:,} more" if len(special) > 3 else ""
        )
        notes.append(
            f"vocab.json does not say which tokens are special. No merge makes these, so they are: {named}."
        )
    notes.append(
        f"Tokens that were added later are not in these files. If there is an {_ADDED_TOKENS}, open it with them."
    )
    return Opened(tokenizer, tuple(notes), "vocab.json and merges.txt", says_split=False)


def _open_with_added(
    vocabulary: Mapping[str, Any],
    merges: Sequence[tuple[str, str]],
    row: Variant,
    special: tuple[Sequence[str], str | None],
    added: Sequence[dict[str, Any]],
) -> Opened:
    """Return the tokenizer of a pair of files with added tokens, as of the tokenizer.json that says the same."""
    if row.slug not in PARTS:
        raise BPEError(f"Added tokens cannot be opened with the split “{row.title}”; choose another one.")
    split, join, suffix = PARTS[row.slug]
    names, unknown = special
    listed = {entry["content"] for entry in added}
    flags = {**dict.fromkeys(_FLAGS, False), "special": True}
    others = [{"id": vocabulary[name], "content": name, **flags} for name in names if name not in listed]
    model = {
        "type": "BPE",
        "unk_token": unknown,
        "end_of_word_suffix": suffix,
        "vocab": dict(vocabulary),
        "merges": list(map(list, merges)),
    }
    return open_json_object(
        {
            "version": "1.0",
            "added_tokens": [*others, *added],
            "pre_tokenizer": split,
            "decoder": join,
            "model": model,
        }
    )


def _is_initial(token: str, variant: Variant) -> bool:
    bare = token.removesuffix(variant.marker_text) if variant.marker_text else token
    return len(bare) <= 1 and (variant.unit != "bytes" or bare in REMAPPED_CHARACTERS)


def _ends_words(merges: list[tuple[str, str]]) -> bool:
    return any(right.endswith(SUFFIX) for _, right in merges)


def _are_of_clip(merges: list[tuple[str, str]]) -> bool:
    """Return whether the letters of merges are bytes: not all are of ASCII, and they join to parts of UTF-8 alone.

    Characters up to U+0143 are letters of many languages, too. But é before n would be the bytes E9 6E, which no text
    in UTF-8 has.
    """
    if not _ends_words(merges):
        return False
    others = 0
    for left, right in merges:
        text = left + right.removesuffix(SUFFIX)
        if text.isascii():
            continue
        if not all(map(REMAPPED_CHARACTERS.__contains__, text)):
            return False
        content = b"".join(map(_BYTE_OF.__getitem__, text))
        inner = next((at for at, byte in enumerate(content) if not 0x80 <= byte < 0xC0), len(content))
        try:
            codecs.getincrementaldecoder("utf-8")().decode(content[inner:])
        except UnicodeDecodeError:
            return False
        others += inner < 4 and len(content) > 1
    return others > 0


def _open_clip(
    vocabulary: Mapping[str, Any], merges: list[tuple[str, str]], special: Sequence[str], kind: str
) -> Opened:
    """Return the tokenizer of such files, as of the tokenizer.json that Hugging Face makes of them."""
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": True, "special": True}
    unknown = _CLIP_UNKNOWN if _CLIP_UNKNOWN in vocabulary else None
    opened = open_json_object(
        {
            **_CLIP_FILE,
            "added_tokens": [{"id": vocabulary[token], "content": token, **flags} for token in special],
            "model": {
                **_CLIP_MODEL,
                "unk_token": unknown,
                "vocab": dict(vocabulary),
                "merges": list(map(list, merges)),
            },
        }
    )
    note = (
        "The file does not say how text is split. Its letters are bytes, and words end with </w>, so text is split as "
        "in CLIP, in lower case."
    )
    return Opened(opened.tokenizer, (note, *opened.ignored), f"{kind} as in CLIP", says_split=False)
