"""Opening: the tokenizer of one file, or of two that belong together, whatever format they have.

The first bytes are checked before the file is read, so that an error can name an archive or a picture.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from traceback import format_tb
from typing import Any

from bpe.checkpoints import from_checkpoint
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.hugging_face.parts import FILE as TOKENIZER_JSON
from bpe.formats.hugging_face.read_tokenizer_json import open_json_object
from bpe.formats.json_fields import in_id_order, read_json, short_json, shortened
from bpe.formats.merges_txt import VERSION_MARK, read_merges
from bpe.formats.opened import Opened
from bpe.formats.sentencepiece.model_file import is_model
from bpe.formats.sentencepiece.opening_model import open_model
from bpe.formats.spelling import alphabet_of
from bpe.formats.tiktoken.published import published_encoding
from bpe.formats.tiktoken.tekken import is_tekken, open_tekken
from bpe.formats.tiktoken.tiktoken_ranks import read_ranks
from bpe.formats.vocab_json import FILE as VOCABULARY
from bpe.formats.vocab_json import read_vocabulary
from bpe.settings.alphabets import REMAPPED
from bpe.symbols import BPEError
from bpe.text.display import merge_name
from bpe.text.variants import VARIANTS, Variant

LOG = logging.getLogger(__name__)
MOST_BYTES = 1 << 27  # of one file: several times the largest tokenizer.json that we know

_KINDS = {
    b"\x1f\x8b": "a gzip archive: unpack it first",
    b"PK": "a zip archive: unpack it first",
    b"7z\xbc\xaf": "a 7z archive: unpack it first",
    b"Rar!": "a RAR archive: unpack it first",
    b"BZh": "a bzip2 archive: unpack it first",
    b"\xfd7zXZ": "an xz archive: unpack it first",
    b"\x28\xb5\x2f\xfd": "a zstandard archive: unpack it first",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"RIFF": "a RIFF file, such as a WebP picture or a sound",
    b"%PDF": "a PDF document",
    b"SQLite format 3": "a database",
    b"\x7fELF": "a program",
    b"MZ": "a program",
    **{bytes([0x80, version]): "a pickle, which is never opened" for version in range(2, 6)},
    b"GGUF": "the weights of a model",
    b"\x89HDF": "the weights of a model",
    b"\x93NUMPY": "an array of numbers",
    b"\xd0\xcf\x11\xe0": "a document of an office program",
    b"\xff\xfe": "a text in UTF-16 or UTF-32: save it as UTF-8",
    b"\xfe\xff": "a text in UTF-16: save it as UTF-8",
    b"\0\0\xfe\xff": "a text in UTF-32: save it as UTF-8",
    b"version https://git-lfs": "a pointer of Git LFS: download the file itself",
    b"<!DOCTYPE": "a web page",
    b"<!doctype": "a web page",
    b"<html": "a web page",
    b"<?xml": "an XML document",
}
# Base64 and a rank. What ends with = is base64: no list of merges begins with such a merge.
_RANK_LINE = re.compile(r"[A-Za-z0-9+/]+={0,2} \d+(?:\s|\Z)|[^\s=]{2,3}={1,2} \S")
FIRST_LINES = 20  # which tell a list of merges from another text
_SHARE_FILE = re.compile(r'\{\s*"format": *"merge-by-merge ')
_REMAPPED = frozenset(REMAPPED.values())


def open_tokenizer(files: Mapping[str, bytes], variant: Variant | None = None) -> Opened:
    """Return the tokenizer of a file, or of a vocab.json and its merges.txt. `files` maps a name to its bytes.

    tokenizer.json says how text is split, and so do tekken.json, SentencePiece's models and OpenAI's .tiktoken files.
    For other files `variant` does; by default it is guessed from the tokens. Raises BPEError, with the file and the
    line or field, for what cannot be read.
    """
    if len(files) == 1:
        ((name, content),) = files.items()
        with named(name):
            if len(content) <= MOST_BYTES and is_model(content):
                return open_model(content)
    texts = {name: text_of(name, content) for name, content in files.items()}
    if len(texts) == 2:
        with _foreseen(" and ".join(sorted(texts))):
            return _open_two(texts, variant)
    if len(texts) != 1:
        raise BPEError(f"Expected one file, or vocab.json and merges.txt; got {len(texts)} files.")
    ((name, text),) = texts.items()
    with named(name):
        return _open_one(text, variant)


@contextmanager
def named(name: str) -> Iterator[None]:
    """Read a file in the `with`. Whatever is raised for the file becomes a BPEError whose sentence has its name."""
    try:
        with _foreseen(name):
            yield
    except BPEError as error:
        raise error.in_file(name) from None


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
    except Exception as error:
        if from_checkpoint(error):
            raise
        frames = "".join(format_tb(error.__traceback__))
        LOG.error("A file cannot be read: %s\n%s", type(error).__name__, frames)
        raise BPEError(
            f"expected the file of a tokenizer, but a part of it cannot be read ({type(error).__name__}).",
            name,
        ) from None


def kind_of(content: bytes) -> str:
    r"""Return what a file is by its first bytes, such as "a PNG picture"; "" if it may be a text in UTF-8.

    >>> kind_of(b"PK\x03\x04")
    'a zip archive: unpack it first'
    """
    return next((kind for start, kind in _KINDS.items() if content.startswith(start)), "")


def text_of(name: str, content: bytes) -> str:
    """Return the text of a file. Raises BPEError for one that is too large, or that is no text in UTF-8."""
    if len(content) > MOST_BYTES:
        raise BPEError(
            f"expected a file of at most {MOST_BYTES >> 20} MB, got {len(content) >> 20} MB.", name
        )
    kind = kind_of(content)
    if kind:
        raise BPEError(f"expected the file of a tokenizer, got {kind}.", name)
    if b"\0" in content[:4096]:
        raise BPEError(
            "expected the file of a tokenizer, got a file that is not text: it contains the byte 0.", name
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BPEError(
            f"expected UTF-8, got the byte 0x{content[error.start]:02X}.", name, f"line {line}"
        ) from None


def _open_one(text: str, variant: Variant | None) -> Opened:
    start = text[:200].lstrip()
    if start.startswith("{"):
        if _SHARE_FILE.match(start):
            raise BPEError("expected a tokenizer, got a share file, which holds a text and settings.")
        if '"steps"' in text[:100_000] and '"schema"' in text[:1000]:
            raise BPEError("expected a tokenizer, got a trace: it is for programs, and cannot be opened.")
        return _open_object(read_json(text, TOKENIZER_JSON))
    if start.startswith("[") and text.rstrip().endswith("]"):
        raise BPEError("expected the file of a tokenizer, got a JSON array.")
    if _RANK_LINE.match(text):
        return _open_ranks(text, variant)
    if not start:
        raise BPEError("expected the file of a tokenizer, got an empty file.")
    _check_lines(text)
    merges = _merge_lines(text)
    row = variant or _variant_of_merges(merges, text.startswith(VERSION_MARK))
    kind = "subword-nmt codes" if row.marker_text == "</w>" else "merges.txt"
    tokenizer = read_merges(text, row)
    _check_parts(tokenizer)
    return Opened(tokenizer, (*_guess(row, variant),), kind, says_split=False)


def _open_object(whole: dict[str, Any]) -> Opened:
    """Return the tokenizer of a file's JSON object."""
    numbers = sum(type(value) is int for value in whole.values())
    if whole and numbers == len(whole):
        raise BPEError("expected tokenizer.json, got a vocabulary: add the merges.txt that belongs to it.")
    if is_tekken(whole):
        return open_tekken(whole)
    if "model" not in whole:
        raise BPEError('expected tokenizer.json, got JSON without the field "model".')
    return open_json_object(whole)


def _check_lines(text: str) -> None:
    """Raise BPEError, with the beginning of the text, if most of its first lines are no merges."""
    lines = [line for line in text.split("\n", FIRST_LINES)[:FIRST_LINES] if line.strip()]
    wrong = [line for line in lines if len(line.split(" ")) != 2]
    if 2 * len(wrong) > len(lines) and not text.startswith(VERSION_MARK):
        raise BPEError(
            "expected tokenizer.json, a list of merges or a .tiktoken file, "
            f"got a text that begins with {shortened(lines[0])!r}."
        )


def _check_parts(tokenizer: Tokenizer) -> None:
    """Raise BPEError for a list without merges, or with a merge whose parts nothing makes: it is no list of merges."""
    merges, variant = tokenizer.merges, tokenizer.variant
    if not merges:
        raise BPEError("expected at least one merge, got none.")
    parts = [part for pair in merges for part in pair]
    known = {left + right for left, right in merges} | set(alphabet_of(parts, variant))
    for rank, part in enumerate(parts):
        if part not in known:
            raise BPEError(
                f"{merge_name(rank // 2).capitalize()} needs {shortened(variant.label(part))!r}, which no merge makes."
            )


def _open_ranks(text: str, variant: Variant | None) -> Opened:
    published = published_encoding(text)
    if published is not None:
        return Opened(read_ranks(text, VARIANTS["bytes-gpt4"]), kind=f".tiktoken ({published.name})")
    row = variant or VARIANTS["bytes-gpt4"]
    return Opened(read_ranks(text, row), (*_guess(row, variant),), ".tiktoken", says_split=False)


def _open_two(texts: Mapping[str, str], variant: Variant | None) -> Opened:
    objects = [name for name, text in texts.items() if text.lstrip().startswith("{")]
    listed = " and ".join(sorted(texts))
    if len(objects) != 1:
        which = "Both are" if objects else "Neither is"
        raise BPEError(f"Expected vocab.json and merges.txt, got {listed}. {which} a JSON object.")
    (vocabulary,) = objects
    (merges,) = texts.keys() - {vocabulary}
    if not texts[merges].strip():
        raise BPEError("expected a list of merges, got an empty file.", merges)
    try:
        return _open_pair(texts[vocabulary], texts[merges], variant)
    except BPEError as error:
        raise error.in_file(vocabulary if error.file == VOCABULARY else merges) from None


def _open_pair(vocabulary: str, merges: str, variant: Variant | None) -> Opened:
    tokens = [
        token
        for token in in_id_order(read_json(vocabulary, VOCABULARY), VOCABULARY, "the vocabulary")
        if token
    ]
    parts = _merge_lines(merges)
    row = variant or _variant_of_pair(tokens, parts, merges.startswith(VERSION_MARK))
    merged = {left + right for left, right in parts} | {part for pair in parts for part in pair}
    special = [token for token in tokens if token not in merged and not _is_initial(token, row)]
    unknown = next((token for token in ("<unk>", "[UNK]") if token in special), None)
    tokenizer = read_vocabulary(vocabulary, row, merges, special, unknown)
    notes = [*_guess(row, variant)]
    if special:
        listed = ", ".join(map(short_json, special[:3])) + (
            f" and {len(special) - 3:,} more" if len(special) > 3 else ""
        )
        notes.append(
            f"vocab.json does not say which tokens are special. No merge makes these, so they are: {listed}."
        )
    return Opened(tokenizer, tuple(notes), "vocab.json and merges.txt", says_split=False)


def _is_initial(token: str, variant: Variant) -> bool:
    bare = token.removesuffix(variant.marker_text) if variant.marker_text else token
    return len(bare) <= 1 and (variant.unit != "bytes" or bare in _REMAPPED)


def _guess(row: Variant, variant: Variant | None) -> tuple[str, ...]:
    if variant is not None:
        return ()
    return (f"The file does not say how text is split; it is split as in “{row.title}”.",)


def _merge_lines(text: str) -> list[tuple[str, str]]:
    """Return the spelled merges of all lines that are merges. `read_merges` reports wrong lines."""
    lines = (line.removesuffix("\r").split(" ", 2) for line in text.split("\n"))
    return [(parts[0], parts[1]) for parts in lines if len(parts) == 2 and all(parts)]


def _variant_of_merges(merges: list[tuple[str, str]], has_version: bool) -> Variant:
    if any(right.endswith("</w>") for _, right in merges):
        return VARIANTS["char-eow-lines" if has_version else "char-eow"]
    if all(character in _REMAPPED for pair in merges for part in pair for character in part):
        return VARIANTS["bytes-gpt2"]
    if any("▁" in part for pair in merges for part in pair):
        return VARIANTS["char-metaspace"]
    raise BPEError("the merges look like those of no known tokenizer; choose how text is split.")


def _variant_of_pair(tokens: list[str], merges: list[tuple[str, str]], has_version: bool) -> Variant:
    row = _variant_of_merges(merges, has_version)
    if row.marker_text == "</w>":
        if set(tokens) >= _REMAPPED:
            raise BPEError(
                "vocab.json spells bytes and ends words with </w>, as CLIP does: open its tokenizer.json."
            )
        return VARIANTS["char-eow-attached"]
    return row
