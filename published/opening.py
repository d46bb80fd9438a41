"""Opening a published tokenizer."""

from dataclasses import replace

from bpe.formats.opened import Opened
from published.packing import unpack
from published.rows import PUBLISHED


def open_published(slug: str) -> Opened:
    """Return the tokenizer of a row of PUBLISHED. It is opened anew at every call: keep it if you need it again."""
    row = PUBLISHED[slug]
    return replace(unpack(row.path.read_bytes()), kind=f"{row.maker}, {row.years}")
