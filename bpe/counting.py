"""Counting: how often each pre-token occurs, in a text, in many documents, or in files of any size.

Equal pre-tokens are counted once and weighted, in order of first appearance. Training on them gives the same merges as
training on the whole text, the rule "first occurrence" included.
"""

import json
import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path

from bpe.symbols import BPEError
from bpe.variants import CUT_BEFORE_LAST_SPACE, VARIANTS, Variant

CHUNK_CHARACTERS = 1 << 20
LAST_SPACE = re.compile(r" (?=\S)")  # the space at CUT_BEFORE_LAST_SPACE
FUTURES_AHEAD = 16  # chunks on their way to an executor at a time: what bounds the memory

Counts = dict[str, int]


def count_text(text: str, variant: Variant) -> Counts:
    """Frequency of each pre-token of one document, in order of first appearance."""
    if variant.cut is CUT_BEFORE_LAST_SPACE:
        return _count_stretches(text, variant.split)
    return dict(Counter(variant.split(text)))


def _count_stretches(text: str, split: Callable[[str], list[str]]) -> Counts:
    """`Counter(split(text))` for a pattern under which the text may be cut at LAST_SPACE, some two times faster.

    Equal stretches are counted, and the pattern sees each once.
    """
    first, *others = LAST_SPACE.split(text)
    counts: defaultdict[str, int] = defaultdict(int, Counter(split(first)))
    stretches = Counter(others)
    frequencies, lengths = iter(stretches.values()), map(len, stretches)
    frequency = place = end = 0
    for pre_token in split(" " + " ".join(stretches)) if stretches else ():
        if place == end:  # it begins the next stretch
            frequency = next(frequencies)
            end += 1 + next(lengths)
        place += len(pre_token)
        counts[pre_token] += frequency
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


def chunks(path: str | Path, variant: Variant, size: int = CHUNK_CHARACTERS) -> Iterator[str]:
    """The file's text in parts of about `size` characters, cut only where no pre-token is cut.

    UTF-8, a byte-order mark dropped. A variant that cannot be cut (`bytes`, `custom`) gives the file in one part.
    Raises BPEError for a file that cannot be read or is not UTF-8.
    """
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            if variant.cut is None:
                yield file.read()
                return
            rest = ""
            while block := file.read(size):
                rest += block
                if cut := _last_cut(rest, variant):
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


def _last_cut(text: str, variant: Variant) -> int:
    assert variant.cut is not None
    window = 1 << 10
    while True:
        start = max(len(text) - window, 1)
        cut = 0
        # One character short of the end: what follows the cut must be known.
        for match in variant.cut.finditer(text, start, len(text) - 1):
            cut = match.start()
        if cut or start == 1:
            return cut
        window *= 8


def count_words(
    files: str | Path | Iterable[str | Path],
    variant: str | Variant = "bytes-gpt2",
    executor: Executor | None = None,
    on_chunk: Callable[[int], object] | None = None,
    prepare: Callable[[str], Iterable[str]] | None = None,
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
    total: Counts = {}
    texts = (chunk for path in paths for chunk in chunks(path, row))
    parts = ((len(text), list(prepare(text)) if prepare else [text]) for text in texts)
    for characters, counts in _counted(parts, row, executor):
        _add(total, counts)
        if on_chunk:
            on_chunk(characters)
    return total


Part = tuple[int, list[str]]  # of a file: its characters, and the documents in it


def _counted(
    parts: Iterator[Part], variant: Variant, executor: Executor | None
) -> Iterator[tuple[int, Counts]]:
    if executor is None:
        for characters, documents in parts:
            yield characters, count_documents(documents, variant)
        return
    waiting: deque[tuple[int, Future[bytes]]] = deque()
    for characters, documents in parts:
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
