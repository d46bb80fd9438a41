"""Shared fields: what a share file holds, as JSON. It imports little, since a separate process reads large files."""

import json
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import Any

from bpe.symbols import BPEError
from ui.view.text import SURROGATES

FORMAT = "merge-by-merge share file, version 1"
_FIELDS = ("format", "corpus", "recipe", "tokenizer", "held_out")
_MOST_PARTS = 10_000  # lists and objects; a share file has some dozens


def shared_fields(content: bytes) -> dict[str, Any]:
    """Return the fields of a share file. Raises BPEError for another file, and for what no text may hold."""
    try:
        shared = json.loads(content)
    except (ValueError, RecursionError):
        raise BPEError("This is not a share file: it must be JSON that this app has saved.") from None
    if not isinstance(shared, dict) or shared.get("format") != FORMAT:
        raise BPEError(f"This is not a share file: its field “format” must say “{FORMAT}”.")
    fields = {name: shared[name] for name in _FIELDS if name in shared}
    if any(SURROGATES.search(text) for text in _texts(fields)):
        raise BPEError("The share file must hold whole characters only, and it has a lone surrogate.")
    return fields


def _texts(fields: dict[str, Any]) -> Iterator[str]:
    """Yield every text in what JSON holds. Raises BPEError for more lists and objects than a share file has."""
    waiting: list[Any] = [fields]
    parts = 0
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            parts += 1
            if parts > _MOST_PARTS:
                raise BPEError(f"The share file must hold at most {_MOST_PARTS:,} lists and objects.")
            waiting += value
            if isinstance(value, dict):
                waiting += value.values()


def kind_of_object(content: bytes) -> str:
    """Return "share file" or "tokenizer" for a file that holds such a JSON object; "" for any other."""
    if content.removeprefix(BOM_UTF8).lstrip()[:1] != b"{":
        return ""
    try:
        fields = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    if str(fields.get("format", "")).startswith("merge-by-merge"):
        return "share file"
    return "tokenizer" if "model" in fields else ""
