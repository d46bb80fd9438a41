"""Tokenizers: those that a visitor can use, and one way to open each, wherever it comes from.

`Known` says what pages ask of a tokenizer, open or not. A file is opened once for each content, for all sessions; a
session gets only what it has opened itself.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakValueDictionary

import streamlit as st

from bpe import BPEError, Tokenizer
from bpe.formats.opened import Opened, title_of_files
from bpe.formats.opening import FOLDER_FILES, open_tokenizer
from published.packing import open_published
from published.rows import PUBLISHED
from ui.trainings import limits
from ui.trainings.byte_cache import ByteCache, size_of
from ui.trainings.file_reading import read_files
from ui.trainings.settings import AS_PUBLISHED, FROM_FILE, SPLITS
from ui.view.visit import Slot, large

MOST_BYTES = 40_000_000  # of all files of one tokenizer
_MOST_CACHED = 200_000_000  # bytes of the tokenizers that are cached for all sessions
_MOST_OF_SESSION = 150_000_000  # bytes of memory of the tokenizers that one session remembers
_MOST_FILES = 6  # tokenizers that one session remembers
_ID_LENGTH = 16
_NAMED, _FILE = "published-", "file-"  # begin an id; the slug follows, or a hash

Files = tuple[tuple[str, bytes], ...]  # (name, content)


@dataclass(frozen=True, slots=True, eq=False)
class TokenizerFile:
    """A tokenizer that a session has opened, from one file or from two that belong together."""

    id: str  # names content and split
    digest: str  # SHA-256 of the content
    name: str
    files: Files
    split: str  # slug of SPLITS
    opened: Opened
    short_name: str  # in few letters

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer."""
        return self.opened.tokenizer

    @property
    def memory(self) -> int:
        """About how many bytes of memory it takes, with its files."""
        return size_of((self.opened, self.files))


# {id: opened file}, the last used at the end
_TOKENIZERS: Slot[dict[str, TokenizerFile]] = large(Slot("_tokenizers", dict))
# The id of the chosen file
_TOKENIZER: Slot[str] = Slot("_tokenizer", str)
# What is wrong with the last upload
_TOKENIZER_PROBLEM: Slot[str] = Slot("_tokenizer_problem", str)


def open_files(files: Sequence[tuple[str, bytes]], split: str) -> TokenizerFile:
    """Return the tokenizer of the files. Raises BPEError, with a sentence, if they cannot be read."""
    size = sum(len(content) for _, content in files)
    if size > MOST_BYTES:
        raise BPEError(
            f"A tokenizer's files may have at most {MOST_BYTES // 10**6} MB, got {size / 10**6:.0f} MB."
        )
    names = [name for name, _ in files]
    if len(set(names)) < len(names):
        raise BPEError(f"There are two files with the name {names[0]}: remove one of them.")
    digest = contents_digest([content for _, content in files])
    opened = _CACHE.get(f"{digest} {split}", lambda: _open(files, split))
    name = title_of_files(names)
    file_id = _FILE + hashlib.sha256(f"{digest} {split}".encode()).hexdigest()[:_ID_LENGTH]
    return TokenizerFile(file_id, digest, name, tuple(files), split, opened, name)


def _open(files: Sequence[tuple[str, bytes]], split: str) -> Opened:
    return read_files(open_tokenizer, [content for _, content in files], (dict(files), SPLITS[split].variant))


def open_newest(files: Sequence[tuple[str, bytes]], split: str) -> TokenizerFile:
    """Return the tokenizer of the last two files if they belong together, else that of the last one.

    Other files of a folder, such as added_tokens.json, belong to a vocab.json and its merges.txt.

    So a file that was uploaded before, and is still in the field, does not block a new one. Raises BPEError, with a
    sentence, if neither can be read.
    """
    *others, (name, _) = files[-2:]
    if len(files) > 1 and any(one.endswith(FOLDER_FILES) for one, _ in files):
        return open_files(files, split)
    if not others:
        return open_files(files, split)
    try:
        return open_files(files[-2:], split)
    except BPEError as error:
        other = others[0][0]
        if other.endswith(".json") and not name.endswith(".json"):
            # A list of merges can be read alone, but the vocab.json beside it may hold other ids.
            raise BPEError(f"{error} To open {name} alone, remove {other}.") from None
    return open_files(files[-1:], split)


def contents_digest(contents: Sequence[bytes]) -> str:
    """Return a hash of the contents, whatever their order."""
    parts = sorted(hashlib.sha256(content).hexdigest() for content in contents)
    return parts[0] if len(parts) == 1 else hashlib.sha256(" ".join(parts).encode()).hexdigest()


# By content and split, of all sessions. Several visitors who open the same file wait for the first one.
_CACHE: ByteCache[Opened] = ByteCache(_MOST_CACHED)


def remember(file: TokenizerFile) -> None:
    """Add a file to those of the session. The ones used least recently are forgotten when they are too many."""
    files = _TOKENIZERS.read()
    files.pop(file.id, None)
    files[file.id] = file
    while len(files) > _MOST_FILES or (
        len(files) > 1 and sum(one.memory for one in files.values()) > _MOST_OF_SESSION
    ):
        del files[next(iter(files))]


def remembered() -> dict[str, TokenizerFile]:
    """Return the files that the session has opened, by id, the last one at the end."""
    return _TOKENIZERS.read()


def choose(file_id: str) -> None:
    """Make a remembered file the chosen one; "" for none."""
    _TOKENIZER.write(file_id)
    _TOKENIZER_PROBLEM.forget()


def report(problem: str) -> None:
    """Store the sentence why the last upload was not opened."""
    _TOKENIZER_PROBLEM.write(problem)


def problem() -> str:
    """Return the sentence why the last upload was not opened; "" if it was."""
    return _TOKENIZER_PROBLEM.read()


def current() -> TokenizerFile | None:
    """Return the file whose merges the chosen recipe takes."""
    return remembered().get(_TOKENIZER.read())


# Bytes of the published tokenizers that stay open, a third of what the app may hold. All seven take 200 MB: where they
# fit, the page Tokenizers answers while one types.
_MOST_PUBLISHED = limits.MEMORY.value() * 10**6 // 3
_PUBLISHED: ByteCache[Opened] = ByteCache(_MOST_PUBLISHED)
# Those that somebody uses, cached or not: opened again, one would be in memory twice.
_IN_USE: WeakValueDictionary[str, Opened] = WeakValueDictionary()


def published_file(slug: str) -> TokenizerFile:
    """Return a published tokenizer, opened once for all sessions, with an id that names it.

    Raises MemoryFullError, with a sentence, if there is no memory for it.
    """
    row = PUBLISHED[slug]
    opened = _PUBLISHED.get(slug, lambda: _opened(slug))
    return TokenizerFile(_NAMED + slug, row.sha256, row.title, (), next(iter(SPLITS)), opened, row.name)


def tokenizer_for_now(slug: str) -> Tokenizer:
    """Return a published tokenizer for one use. It stays open only if there is room, so that it closes no other one."""
    opened = _PUBLISHED.find(slug)
    if opened is None:
        opened = _opened(slug)
        if _PUBLISHED.size + size_of(opened) <= _MOST_PUBLISHED:
            _PUBLISHED.put(slug, opened)
    return opened.tokenizer


def tokenizer_if_open(slug: str) -> Tokenizer | None:
    """Return a published tokenizer that is open; None if it would have to be opened."""
    opened = _PUBLISHED.find(slug) or _IN_USE.get(slug)
    return opened.tokenizer if opened else None


def _opened(slug: str) -> Opened:
    """Return a published tokenizer that is not cached: the one that somebody uses, or else a new one."""
    opened = _IN_USE.get(slug)
    if opened is None:
        opened = _IN_USE[slug] = open_published(slug)
    return opened


@dataclass(frozen=True, slots=True)
class Known:
    """A tokenizer that the visitor can use, open or not."""

    id: str  # of a recipe and of a lane of Compare
    slug: str  # of its row on Tokenizers, and in links to that page
    title: str
    name: str  # in few letters
    chosen_by: Mapping[str, str]  # the settings with which all pages take its merges
    rival: str  # id of the one beside which Compare first shows it; "" for a trainer
    is_named: bool  # whether a link can name it

    def choose(self) -> None:
        """Take the merges from it on all pages. Call it before the controls are drawn, or in a callback."""
        st.session_state.update(self.chosen_by)
        if self.id in remembered():
            choose(self.id)


def known() -> list[Known]:
    """Return the tokenizers that the visitor can use: published ones, then the files that the session has opened."""
    return [*map(_published, PUBLISHED), *map(_own, remembered().values())]


def find(file_id: str) -> Known | None:
    """Return the tokenizer with this id; None if the visitor can use none."""
    return next((one for one in known() if one.id == file_id), None)


def by_id(file_id: str) -> TokenizerFile | None:
    """Return the tokenizer with this id, opened; None if the visitor can use none.

    Raises MemoryFullError, with a sentence, if there is no memory for it.
    """
    slug = file_id.removeprefix(_NAMED) if file_id.startswith(_NAMED) else ""
    return published_file(slug) if slug in PUBLISHED else remembered().get(file_id)


def is_file(name: str) -> bool:
    """Return whether this is the id of a file, which another session may have opened."""
    return name.startswith(_FILE)


def named(slug: str) -> str:
    """Return the id of a published tokenizer."""
    return _NAMED + slug


def _published(slug: str) -> Known:
    row = PUBLISHED[slug]
    rival = next(other for other, one in PUBLISHED.items() if one.maker != row.maker)
    chosen_by = {"recipe_source": AS_PUBLISHED, "published": slug}
    return Known(named(slug), slug, row.title, row.name, chosen_by, named(rival), is_named=True)


def _own(file: TokenizerFile) -> Known:
    return Known(file.id, file.id, file.name, file.name, {"recipe_source": FROM_FILE}, "", is_named=False)
