"""File chunks: a text file of any size, read in chunks that end at safe cuts."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from bpe.checks import shortened_repr
from bpe.symbols import BPEError
from bpe.text.variants import Variant

READ_CHARACTERS = 1 << 20
CONTEXT_CHARACTERS = 1 << 10  # compared on each side of a cut if the text is prepared

Prepare = Callable[[str], Iterable[str]]  # text -> documents


def read_chunks(
    path: str | Path,
    variant: Variant,
    size: int = READ_CHARACTERS,
    prepare: Prepare | None = None,
    context: int = CONTEXT_CHARACTERS,
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


def _last_safe_cut(text: str, variant: Variant, prepare: Prepare | None, context: int) -> int:
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


def _keeps_pre_tokens(text: str, cut: int, variant: Variant, prepare: Prepare, context: int) -> bool:
    """Return whether the prepared text has the same pre-tokens after the cut, as it has not inside a special token."""

    def pre_tokens(part: str) -> list[str]:
        return [pre_token for document in prepare(part) for pre_token in variant.split(document)]

    start, end = max(cut - context, 0), cut + context
    return pre_tokens(text[start:end]) == pre_tokens(text[start:cut]) + pre_tokens(text[cut:end])
