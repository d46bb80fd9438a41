"""Counts the pre-tokens of texts and files of any size, on one core or on many."""

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path

from bpe.checkpoints import checkpoint
from bpe.checks import at_least, look_up, shortened_repr
from bpe.symbols import BPEError
from bpe.text.variants import VARIANTS, Variant

_READ_CHARACTERS = 1 << 20
_Prepare = Callable[[str], Iterable[str]]  # text -> documents
_WINDOW = 1 << 20  # characters that are searched for a cut at once
_LOOKAHEAD = 2  # characters that the patterns read after a cut

# Training needs no more than these frequencies, in order of first appearance: it learns the same merges from them as
# from the text itself, the rule "first occurrence" included.
_CHUNK_CHARACTERS = 1 << 16  # split at a time, so that no list holds all pre-tokens of a long text
MOST_FUTURES = 16  # chunks submitted to an executor and not yet added up; bounds the memory
Counts = dict[str, int]  # pre-token -> frequency, in order of first appearance
_PreparedChunk = tuple[int, list[str]]  # (characters of the chunk, its documents)


def count_words(
    files: str | Path | Iterable[str | Path],
    variant: str | Variant = "bytes-gpt2",
    executor: Executor | None = None,
    on_chunk: Callable[[int], object] | None = None,
    prepare: _Prepare | None = None,
    read_characters: int = _READ_CHARACTERS,
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
    chunks = (chunk for path in paths for chunk in _read_chunks(path, row, size, prepare))
    prepared = ((len(chunk), list(prepare(chunk)) if prepare else [chunk]) for chunk in chunks)
    for characters, counts in _count_chunks(prepared, row, executor):
        _add(total, counts)
        if on_chunk:
            on_chunk(characters)
    return total


def count_documents(documents: Iterable[str], variant: Variant) -> Counts:
    """Return the frequencies over several documents. No pre-token crosses two of them."""
    total: Counts = {}
    for document in documents:
        _add(total, _count_text(document, variant))
    return total


def split_into_chunks(text: str, variant: Variant, size: int) -> Iterator[str]:
    """Yield the text in chunks of at least `size` characters. Their pre-tokens are those of the whole text.

    Yields the whole text at once for a variant without safe cuts (`bytes`, `custom`).

    >>> from bpe import VARIANTS
    >>> list(split_into_chunks("one two three four", VARIANTS["bytes-gpt2"], 4))
    ['one two', ' three', ' four']
    """
    if variant.safe_cut is None:
        if text:
            yield text  # not a slice of it, which would not know its parts: bpe/text/added_tokens.py
        return
    start = 0
    while start < len(text):
        end = next_safe_cut(text, variant, start + size)
        yield text[start:end]
        start = end


def next_safe_cut(text: str, variant: Variant, position: int) -> int:
    """Return the first safe cut at or after a position; the end of the text if there is none.

    >>> from bpe import VARIANTS
    >>> next_safe_cut("one two", VARIANTS["char-eow"], 1)
    3
    """
    if variant.safe_cut is None or position >= len(text):
        return len(text)
    while position < len(text):
        checkpoint()
        match = variant.safe_cut.search(text, position, position + _WINDOW)
        if match:
            return match.start()
        position += _WINDOW - _LOOKAHEAD
    return len(text)


def _read_chunks(
    path: str | Path,
    variant: Variant,
    size: int = _READ_CHARACTERS,
    prepare: _Prepare | None = None,
    context: int = 1 << 10,  # compared on each side of a cut if the text is prepared
) -> Iterator[str]:
    """Yield the file's text in chunks of about `size` characters. Their pre-tokens are those of the whole file.

    The file must be UTF-8; a byte-order mark is dropped. Yields the file at once for a variant without safe cuts
    (`bytes`, `custom`). `prepare` is the function that the caller will apply to each chunk: the file is then cut only
    where the cut leaves the pre-tokens of the prepared text unchanged, as `context` characters on each side show.
    Raises BPEError for a file that cannot be read or is not UTF-8.
    """
    if not isinstance(path, str | Path):
        raise BPEError(f"A file must be given as a path, got {shortened_repr(path)}.")
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            if variant.safe_cut is None:
                yield file.read()
                return
            rest = ""
            while block := file.read(size):
                rest += block
                if cut := _last_safe_cut(rest, variant, prepare, context):
                    yield rest[:cut]
                    rest = rest[cut:]
            if rest:
                yield rest
    except UnicodeDecodeError as error:
        raise BPEError(
            f"{path}: expected UTF-8, got the byte 0x{error.object[error.start]:02X}. Save the file as UTF-8."
        ) from None
    except OSError as error:
        raise BPEError(f"{path}: cannot be read: {error.strerror or error}.") from None
    except ValueError as error:  # a name with a NUL or a lone surrogate
        raise BPEError(f"{shortened_repr(str(path))} is not the name of a file: {error}.") from None


def _last_safe_cut(text: str, variant: Variant, prepare: _Prepare | None, context: int) -> int:
    """Return the last safe cut; 0 if there is none. A cut at the very end is not safe: what follows is unknown."""
    assert variant.safe_cut is not None
    end = len(text) - (context if prepare else 1)
    window = 1 << 10
    while end > 1:
        start = max(end - window, 1)
        for match in reversed(list(variant.safe_cut.finditer(text, start, end))):
            if prepare is None or _keeps_pre_tokens(text, match.start(), variant, prepare, context):
                return match.start()
        if start == 1:
            break
        window *= 8
    return 0


def _keeps_pre_tokens(text: str, cut: int, variant: Variant, prepare: _Prepare, context: int) -> bool:
    """Return whether the prepared text has the same pre-tokens after the cut, as it has not inside a special token."""

    def pre_tokens(part: str) -> list[str]:
        return [pre_token for document in prepare(part) for pre_token in variant.split(document)]

    start, end = max(cut - context, 0), cut + context
    return pre_tokens(text[start:end]) == pre_tokens(text[start:cut]) + pre_tokens(text[cut:end])


def _count_text(text: str, variant: Variant) -> Counts:
    """Return the frequency of each pre-token of one document, in order of first appearance."""
    counts: Counter[str] = Counter()
    for chunk in split_into_chunks(text, variant, _CHUNK_CHARACTERS):
        checkpoint()
        counts.update(variant.split(chunk))
    return dict(counts)


def _add(total: Counts, counts: Counts) -> None:
    for pre_token, frequency in counts.items():
        total[pre_token] = total.get(pre_token, 0) + frequency


def _count_chunks(
    chunks: Iterator[_PreparedChunk], variant: Variant, executor: Executor | None
) -> Iterator[tuple[int, Counts]]:
    if executor is None:
        for characters, documents in chunks:
            yield characters, count_documents(documents, variant)
        return
    pending: deque[tuple[int, Future[bytes]]] = deque()
    for characters, documents in chunks:
        task = json.dumps([variant.slug, variant.pattern, variant.unit, documents]).encode()
        pending.append((characters, executor.submit(_count_in_worker, task)))
        if len(pending) >= MOST_FUTURES:
            characters, future = pending.popleft()
            yield characters, json.loads(future.result())
    for characters, future in pending:
        yield characters, json.loads(future.result())


def _count_in_worker(task: bytes) -> bytes:
    """Return the counts of a chunk. Task: JSON of [variant, its pattern and unit, documents]; result: JSON of Counts.

    One string of bytes is sent between processes many times faster than a dict of as many small objects.
    """
    slug, pattern, unit, documents = json.loads(task)
    variant = VARIANTS[slug]
    if variant.configure:
        variant = variant.configure(pattern, unit)
    return json.dumps(count_documents(documents, variant)).encode()
