"""Read the file of `merge-by-merge FILE`: a text, a share file, or a tokenizer. Errors are one sentence."""

from pathlib import Path

from bpe import BPEError
from bpe.formats.merges_txt import VERSION_MARK
from ui.show.text import well_formed
from ui.sidebar import corpus as corpora
from ui.sidebar import corpus_controls, recipe_source, share_file
from ui.sidebar.settings import SETTINGS
from ui.sidebar.shared_fields import kind_of_object
from ui.sidebar.start_file import StartFile
from ui.sidebar.tokenizer_files import MOST_BYTES as MOST_OF_TOKENIZER
from ui.sidebar.tokenizer_files import open_files
from ui.work.file_reading import read_files

TOKENIZER_NAMES = {"tokenizer.json", "vocab.json"}


def read_start_file(path: Path) -> StartFile:
    """Return what is in a file. Raises BPEError if there is no such file, or if it cannot be opened."""
    content = _content(path)
    kind = read_files(kind_of_object, [content], (content,))
    if kind == "share file":
        return StartFile(share_file.read_share_file(content).put)
    name = well_formed(path.name)  # a file's name need not be UTF-8, and the page could not show it
    if _is_tokenizer(name, content, kind):
        return _tokenizer(name, content)
    return _text(name, content)


def _content(path: Path) -> bytes:
    most = MOST_OF_TOKENIZER
    try:
        if path.is_dir():
            raise BPEError(f"{path} is a folder: name one file.")
        if path.exists() and not path.is_file():
            raise BPEError(f"{path} is not a regular file, so it cannot be opened.")
        size = path.stat().st_size
        if size > most:
            raise BPEError(
                f"{path.name} has {size / 10**6:.1f} MB, and at most {most // 10**6} MB can be opened."
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise BPEError(f"There is no file {path}.") from None
    except OSError as error:
        raise BPEError(f"{path} cannot be read: {error.strerror}.") from None


def _is_tokenizer(name: str, content: bytes, kind: str) -> bool:
    if name in TOKENIZER_NAMES or name.endswith(".tiktoken"):
        return True
    return kind == "tokenizer" or content.startswith(VERSION_MARK.encode())


def _tokenizer(name: str, content: bytes) -> StartFile:
    files = ((name, content),)
    open_files(files, str(SETTINGS["file_split"].default))  # cached for the sessions; raises for what is none

    return StartFile(lambda: recipe_source.open_in_this_run(files))


def _text(name: str, content: bytes) -> StartFile:
    corpus, doubt = corpora.read_files([(name, content)])
    return StartFile(lambda: corpus_controls.put_files(corpus, doubt), corpus)
