"""Counting: how often each pre-token occurs, in a text, in many documents, or in files of any size.

Training needs no more than these frequencies, in order of first appearance: it learns the same merges from them as from
the text itself, the rule "first occurrence" included.
"""

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path

from bpe.checkpoints import checkpoint
from bpe.checks import at_least, look_up, shortened_repr
from bpe.symbols import BPEError
from bpe.text.long_texts.file_chunks import READ_CHARACTERS, Prepare, read_chunks
from bpe.text.long_texts.safe_cuts import split_into_chunks
from bpe.text.variants import VARIANTS, Variant

CHUNK_CHARACTERS = 1 << 16  # split at a time, so that no list holds all pre-tokens of a long text
MOST_FUTURES = 16  # chunks submitted to an executor and not yet added up; bounds the memory

Counts = dict[str, int]  # pre-token -> frequency, in order of first appearance
PreparedChunk = tuple[int, list[str]]  # (characters of the chunk, its documents)


def count_text(text: str, variant: Variant) -> Counts:
    """Return the frequency of each pre-token of one document, in order of first appearance."""
    counts: Counter[str] = Counter()
    for chunk in split_into_chunks(text, variant, CHUNK_CHARACTERS):
        checkpoint()
        counts.update(variant.split(chunk))
    return dict(counts)


def count_documents(documents: Iterable[str], variant: Variant) -> Counts:
    """Return the frequencies over several documents. No pre-token crosses two of them."""
    total: Counts = {}
    for document in documents:
        _add(total, count_text(document, variant))
    return total


def count_words(
    files: str | Path | Iterable[str | Path],
    variant: str | Variant = "bytes-gpt2",
    executor: Executor | None = None,
    on_chunk: Callable[[int], object] | None = None,
    prepare: Prepare | None = None,
    read_characters: int = READ_CHARACTERS,
) -> Counts:
    """Return the frequency of every pre-token in the files, in order of first appearance. Each file is a document.

    Files are read in chunks, so memory grows with the distinct pre-tokens, not with the files.

    executor: any `concurrent.futures.Executor` (a process pool, dask's `Client.get_executor()`), whose workers count
        the chunks; they are added up here, in order.
    on_chunk: called with the number of characters of each chunk, once it is counted.
    prepare: turns a chunk into documents, as `TrainingRequest.documents` does for a preset that normalises its text.
    read_characters: about how many characters a chunk has.

    Raises BPEError for a file that cannot be read or is not UTF-8.
    """
    row = look_up("variant", VARIANTS, variant)
    paths = [files] if isinstance(files, str | Path) else files
    if not isinstance(paths, Iterable):
        raise BPEError(f"files must be a path or several, got {shortened_repr(files)}.")
    if executor is not None and not hasattr(executor, "submit"):
        raise BPEError(
            f"executor must be a concurrent.futures.Executor or None, got {shortened_repr(executor)}."
        )
    size = at_least(1, "read_characters", read_characters)
    total: Counts = {}
    chunks = (chunk for path in paths for chunk in read_chunks(path, row, size, prepare))
    prepared = ((len(chunk), list(prepare(chunk)) if prepare else [chunk]) for chunk in chunks)
    for characters, counts in _count_chunks(prepared, row, executor):
        _add(total, counts)
        if on_chunk:
            on_chunk(characters)
    return total


def _add(total: Counts, counts: Counts) -> None:
    for pre_token, frequency in counts.items():
        total[pre_token] = total.get(pre_token, 0) + frequency


def _count_chunks(
    chunks: Iterator[PreparedChunk], variant: Variant, executor: Executor | None
) -> Iterator[tuple[int, Counts]]:
    if executor is None:
        for characters, documents in chunks:
            yield characters, count_documents(documents, variant)
        return
    pending: deque[tuple[int, Future[bytes]]] = deque()
    for characters, documents in chunks:
        task = json.dumps([variant.slug, variant.pattern, variant.unit, documents]).encode()
        pending.append((characters, executor.submit(count_in_worker, task)))
        if len(pending) >= MOST_FUTURES:
            characters, future = pending.popleft()
            yield characters, json.loads(future.result())
    for characters, future in pending:
        yield characters, json.loads(future.result())


def count_in_worker(task: bytes) -> bytes:
    """Return the counts of a chunk. Task: JSON of [variant, its pattern and unit, documents]; result: JSON of Counts.

    One string of bytes is sent between processes many times faster than a dict of as many small objects.
    """
    slug, pattern, unit, documents = json.loads(task)
    variant = VARIANTS[slug]
    if variant.configure:
        variant = variant.configure(pattern, unit)
    return json.dumps(count_documents(documents, variant)).encode()
