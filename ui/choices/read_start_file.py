"""Read a file that may be anything: a text, a share file, or a tokenizer. Errors are one sentence.

It is that of `merge-by-merge FILE`, or what the viewer drops on the page.
"""

from collections.abc import Sequence
from pathlib import Path

from bpe import BPEError
from bpe.formats.merges_txt import VERSION_MARK
from ui.choices import corpus_controls, recipe_source, share_file
from ui.choices.shared_fields import kind_of_object
from ui.choices.start_file import StartFile
from ui.trainings import corpus as corpora
from ui.trainings.file_reading import read_files
from ui.trainings.settings import SETTINGS
from ui.trainings.tokenizer_files import MOST_BYTES as MOST_OF_TOKENIZER
from ui.trainings.tokenizer_files import Files, open_files
from ui.view.text import well_formed

_TOKENIZER_NAMES = {"tokenizer.json", "vocab.json"}


def read_start_file(path: Path) -> StartFile:
    """Return what is in a file. Raises BPEError if there is no such file, or if it cannot be opened."""
    # A file's name need not be UTF-8, and the page could not show it.
    return read_opened([(well_formed(path.name), _content(path))])


def read_opened(files: Sequence[tuple[str, bytes]]) -> StartFile:
    """Return what is in files, (name, content) each: texts, one share file, or the one or two files of a tokenizer.

    Raises BPEError if they cannot be opened.
    """
    kinds = [read_files(kind_of_object, [content], (content,)) for _, content in files]
    if kinds == ["share file"]:
        return StartFile(share_file.read_share_file(files[0][1]).put)
    if any(_is_tokenizer(name, content, kind) for (name, content), kind in zip(files, kinds, strict=True)):
        return _tokenizer(tuple(files))
    return _texts(files)


def _content(path: Path) -> bytes:
    most = MOST_OF_TOKENIZER
    try:
        if path.is_dir():
            raise BPEError(f"{path} is a folder: name one file.")
        if path.exists() and not path.is_file():
            raise BPEError(f"{path} is not a regular file, so it cannot be opened.")
        size = path.stat().st_size
        if size > most:
            raise BPEError(f"{path.name} is {size / 10**6:.1f} MB. At most {most // 10**6} MB can be opened.")
        return path.read_bytes()
    except FileNotFoundError:
        raise BPEError(f"There is no file {path}.") from None
    except OSError as error:
        raise BPEError(f"{path} cannot be read: {error.strerror}.") from None


def _is_tokenizer(name: str, content: bytes, kind: str) -> bool:
    if name in _TOKENIZER_NAMES or name.endswith(".tiktoken"):
        return True
    return kind == "tokenizer" or content.startswith(VERSION_MARK.encode())


def _tokenizer(files: Files) -> StartFile:
    open_files(files, str(SETTINGS["file_split"].default))  # cached for the sessions; raises for what is none

    return StartFile(lambda: recipe_source.open_in_this_run(files))


def _texts(files: Sequence[tuple[str, bytes]]) -> StartFile:
    corpus, doubt = corpora.read_files(files)
    return StartFile(lambda: corpus_controls.put_files(corpus, doubt), corpus)
