"""Formats by name: which format a file's name tells."""

from pathlib import Path

from bpe.checks import shortened_repr
from bpe.formats import FORMATS, Format
from bpe.symbols import BPEError

_ENDINGS = {
    ".txt": "merges-txt",
    ".tiktoken": "tiktoken",
    ".json": "tokenizer-json",
    ".model": "sentencepiece",
}


def format_named(name: str, asked: str | None = None) -> Format:
    """Return the requested format, or the one that the name of a file tells. Raises BPEError if it tells none.

    >>> format_named("my-vocab.json").slug, format_named("words.json").slug
    ('vocab-json', 'tokenizer-json')
    """
    if asked is not None:
        if asked not in FORMATS:
            raise BPEError(f"format must be one of {', '.join(FORMATS)}; got {shortened_repr(asked)}.")
        return FORMATS[asked]
    file = Path(name).name
    for row in FORMATS.values():
        if file == row.file_name or file.endswith(tuple(sign + row.file_name for sign in "-_.")):
            return row
    slug = _ENDINGS.get(Path(name).suffix)
    if slug is None:
        raise BPEError(f"{name}: the name does not tell the format; choose one of {', '.join(FORMATS)}.")
    return FORMATS[slug]
