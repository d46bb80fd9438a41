"""Batches: many texts encoded at once, in other processes if there are any; and tokenizers as files."""

import pickle
import pkgutil
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

from bpe.checks import check_text, shortened_repr
from bpe.encoding.encoders import Encoder
from bpe.symbols import BPEError

TASKS = 16  # of an executor, for one batch: each gets the tokenizer and a part of the texts

# By name: formats import tokenizers, so tokenizers cannot import formats.
_FORMATS = f"{__name__.removesuffix('encoding.batch')}formats"


class Encodes(Protocol):
    """A tokenizer."""

    def encode(self, text: str, encoder: str | Encoder = "rank", allow_special: bool = False) -> list[int]:
        """Return the ids of a text."""


def encode_batch(
    tokenizer: Encodes,
    texts: Iterable[str],
    encoder: str | Encoder = "rank",
    allow_special: bool = False,
    executor: Executor | None = None,
) -> list[list[int]]:
    """Return the ids of each text, in order, as `encode` gives them.

    executor: any `concurrent.futures.Executor` (a process pool, dask's `Client.get_executor()`), whose workers encode
        the texts. The tokenizer is pickled for them.
    """
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        raise BPEError(f"texts must be a list of texts, got {shortened_repr(texts)}.")
    given = list(texts)
    for number, text in enumerate(given, start=1):
        check_text(text, f" number {number} of the batch")
    if executor is None:
        return [tokenizer.encode(text, encoder, allow_special) for text in given]
    if not hasattr(executor, "submit"):
        raise BPEError(
            f"executor must be a concurrent.futures.Executor or None, got {shortened_repr(executor)}."
        )
    whole = pickle.dumps(tokenizer)  # once for all tasks
    futures = [
        executor.submit(encode_in_worker, whole, part, encoder, allow_special) for part in _parts(given)
    ]
    return list(chain.from_iterable(future.result() for future in futures))


def _parts(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the texts in at most TASKS parts of about as many characters."""
    most = sum(map(len, texts)) // TASKS + 1
    start = size = 0
    for end, text in enumerate(texts, start=1):
        size += len(text)
        if size >= most:
            yield texts[start:end]
            start, size = end, 0
    if start < len(texts):
        yield texts[start:]


def encode_in_worker(
    whole: bytes, texts: Sequence[str], encoder: str | Encoder, allow_special: bool
) -> list[list[int]]:
    """Return the ids of each text. `whole` is the pickled tokenizer."""
    tokenizer: Encodes = pickle.loads(whole)  # noqa: S301  # only what encode_batch has pickled comes here
    return [tokenizer.encode(text, encoder, allow_special) for text in texts]


def open_files(paths: Sequence[str | Path]) -> Any:
    """Return the tokenizer of one file, or of two that belong together. Raises BPEError for what it cannot read."""
    if not paths or not all(isinstance(path, str | Path) for path in paths):
        raise BPEError(f"A tokenizer needs the paths of its files, got {shortened_repr(paths)}.")
    opened: Any = pkgutil.resolve_name(f"{_FORMATS}.opening:open_tokenizer")
    return opened({str(path): _content(Path(path)) for path in paths}).tokenizer


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BPEError(f"{path}: cannot be read: {error.strerror or error}.") from None


def save(tokenizer: Encodes, path: str | Path, format: str | None = None) -> None:
    """Write the tokenizer to a file. The name tells the format (tokenizer.json, .tiktoken, .model, merges.txt,
    vocab.json).

    format: a slug of the format, if the name does not tell it. Raises BPEError for what the file cannot hold; then
        nothing is written.
    """
    row: Any = pkgutil.resolve_name(f"{_FORMATS}:format_named")(str(path), format)
    content: bytes = row.content(tokenizer)
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise BPEError(f"{path}: cannot be written: {error.strerror or error}.") from None
