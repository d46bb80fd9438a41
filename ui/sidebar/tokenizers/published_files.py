"""Published tokenizers: opened once for all sessions, and used as files are, with an id that names them."""

from bpe.formats.opened import Opened
from published.opening import open_published
from published.rows import PUBLISHED
from ui.sidebar.tokenizers import tokenizer_files
from ui.sidebar.tokenizers.tokenizer_files import TokenizerFile
from ui.sidebar.tokenizers.tokenizer_splits import SPLITS
from ui.work import limits
from ui.work.byte_cache import ByteCache

MOST_CACHED = limits.PUBLISHED.value() * 10**6  # bytes of the published tokenizers that stay open
PREFIX = "published-"  # of an id; the slug follows

_CACHE: ByteCache[Opened] = ByteCache(MOST_CACHED)


def published_file(slug: str) -> TokenizerFile:
    """Return a published tokenizer. It is opened if it is not open."""
    row = PUBLISHED[slug]
    opened = _CACHE.get(slug, lambda: open_published(slug))
    return TokenizerFile(PREFIX + slug, row.sha256, row.title, (), next(iter(SPLITS)), opened, slug)


def is_open(slug: str) -> bool:
    """Return whether a published tokenizer is open, so that it can be used at once."""
    return _CACHE.find(slug) is not None


def slug_of(file_id: str) -> str:
    """Return the slug of a published tokenizer's id; "" for another id."""
    slug = file_id.removeprefix(PREFIX) if file_id.startswith(PREFIX) else ""
    return slug if slug in PUBLISHED else ""


def by_id(file_id: str) -> TokenizerFile | None:
    """Return the tokenizer of an id: a published one, or one that the session has opened; None if there is none."""
    slug = slug_of(file_id)
    return published_file(slug) if slug else tokenizer_files.remembered().get(file_id)
