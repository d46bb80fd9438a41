"""Counting: how often each pre-token occurs, in a text, in many documents, or in files of any size.

Equal pre-tokens are counted once and weighted, in order of first appearance. Training on them gives the same merges as
training on the whole text, the rule "first occurrence" included.
"""

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path

from bpe.symbols import BPEError
from bpe.text.safe_cuts import split_into_chunks
from bpe.text.variants import VARIANTS, Variant

CHUNK_CHARACTERS = 1 << 20
PART_CHARACTERS = 1 << 16  # of a text that has places for a cut
AROUND = 1 << 10  # characters on each side of a cut that are looked at when the text is prepared
FUTURES_AHEAD = 16  # chunks on their way to an executor at a time: what bounds the memory

Counts = dict[str, int]


def count_text(text: str, variant: Variant) -> Counts:
    """Frequency of each pre-token of one document, in order of first appearance."""
    counts: Counter[str] = Counter()
    for part in split_into_chunks(
        text, variant, PART_CHARACTERS
    ):  # in parts: no list of all its pre-tokens at once
        counts.update(variant.split(part))
    return dict(counts)


def count_documents(documents: Iterable[str], variant: Variant) -> Counts:
    """Frequencies over several documents; no pre-token reaches across two."""
    total: Counts = {}
    for document in documents:
        _add(total, count_text(document, variant))
    return total


def _add(total: Counts, counts: Counts) -> None:
    for pre_token, frequency in counts.items():
        total[pre_token] = total.get(pre_token, 0) + frequency


Prepare = Callable[[str], Iterable[str]]  # text -> documents


def chunks(
    path: str | Path, variant: Variant, size: int = CHUNK_CHARACTERS, prepare: Prepare | None = None
) -> Iterator[str]:
    """The file's text in parts of about `size` characters, cut only where no pre-token is cut.

    UTF-8, a byte-order mark dropped. A variant that cannot be cut (`bytes`, `custom`) gives the file in one part. With
    `prepare` a cut is made only where the prepared text around it has the same pre-tokens with the cut as without.
    Raises BPEError for a file that cannot be read or is not UTF-8.
    """
    if not isinstance(path, str | Path):
        raise BPEError(f"A file must be named by a path, got {path!r}.")
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            if variant.safe_cut is None:
                yield file.read()
                return
            rest = ""
            while block := file.read(size):
                rest += block
                if cut := _last_cut(rest, variant, prepare):
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
    except ValueError as error:  # a name with a NUL or half a character in it
        raise BPEError(f"{str(path)!r} is no name of a file: {error}.") from None


def _last_cut(text: str, variant: Variant, prepare: Prepare | None) -> int:
    """The last place for a cut; 0 if there is none. What follows the place must be known, so not at the very end."""
    assert variant.safe_cut is not None
    end = len(text) - (AROUND if prepare else 1)
    window = 1 << 10
    while end > 1:
        start = max(end - window, 1)
        for match in reversed(list(variant.safe_cut.finditer(text, start, end))):
            if prepare is None or _same_pre_tokens(text, match.start(), variant, prepare):
                return match.start()
        if start == 1:
            break
        window *= 8
    return 0


def _same_pre_tokens(text: str, place: int, variant: Variant, prepare: Prepare) -> bool:
    """Whether a cut leaves the pre-tokens as they are: not inside a special token, nor where preparing looks ahead."""

    def pre_tokens(part: str) -> list[str]:
        return [pre_token for document in prepare(part) for pre_token in variant.split(document)]

    start, end = max(place - AROUND, 0), place + AROUND
    return pre_tokens(text[start:end]) == pre_tokens(text[start:place]) + pre_tokens(text[place:end])


def count_words(
    files: str | Path | Iterable[str | Path],
    variant: str | Variant = "bytes-gpt2",
    executor: Executor | None = None,
    on_chunk: Callable[[int], object] | None = None,
    prepare: Prepare | None = None,
) -> Counts:
    """Frequency of every pre-token in the files, each a document, in order of first appearance.

    Read in chunks, so memory grows with the distinct pre-tokens, not with the files. With an `executor` (any
    `concurrent.futures.Executor`: a process pool, dask's `Client.get_executor()`) chunks are counted by its workers and
    added up here, in order. `on_chunk` is called with each chunk's characters. `prepare` turns a chunk into documents,
    as `Recipe.documents` does for a preset that normalises its text. Raises BPEError as `chunks` does.
    """
    if isinstance(variant, str) and variant not in VARIANTS:
        raise BPEError(f"variant must be one of {', '.join(VARIANTS)}; got {variant!r}.")
    row = VARIANTS[variant] if isinstance(variant, str) else variant
    paths = [files] if isinstance(files, str | Path) else files
    if not isinstance(paths, Iterable):
        raise BPEError(f"files must be a path or several, got {files!r}.")
    if executor is not None and not hasattr(executor, "submit"):
        raise BPEError(f"executor must be a concurrent.futures.Executor or None, got {executor!r}.")
    total: Counts = {}
    texts = (chunk for path in paths for chunk in chunks(path, row, prepare=prepare))
    prepared = ((len(text), list(prepare(text)) if prepare else [text]) for text in texts)
    for characters, counts in _counted(prepared, row, executor):
        _add(total, counts)
        if on_chunk:
            on_chunk(characters)
    return total


Part = tuple[int, list[str]]  # of a file: its characters, and the documents in it


def _counted(
    prepared: Iterator[Part], variant: Variant, executor: Executor | None
) -> Iterator[tuple[int, Counts]]:
    if executor is None:
        for characters, documents in prepared:
            yield characters, count_documents(documents, variant)
        return
    waiting: deque[tuple[int, Future[bytes]]] = deque()
    for characters, documents in prepared:
        part = json.dumps([variant.slug, variant.pattern, variant.unit, documents]).encode()
        waiting.append((characters, executor.submit(count_part, part)))
        if len(waiting) >= FUTURES_AHEAD:
            characters, future = waiting.popleft()
            yield characters, json.loads(future.result())
    for characters, future in waiting:
        yield characters, json.loads(future.result())


def count_part(part: bytes) -> bytes:
    """What a worker does: JSON of [variant, its pattern and unit, documents] -> JSON of their counts.

    One string of bytes travels many times faster than a dict of as many small objects.
    """
    slug, pattern, unit, documents = json.loads(part)
    variant = VARIANTS[slug]
    if variant.configure:
        variant = variant.configure(pattern, unit)
    return json.dumps(count_documents(documents, variant)).encode()
