"""Encodings: the text of a file's bytes, and the encodings that are likely if they are not UTF-8."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from charset_normalizer import from_bytes

from bpe import BPEError
from bpe.formats.opened import kind_of

# The longer mark first: UTF-32's begins with UTF-16's.
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_UTF8 = "utf-8"
_WESTERN = "cp1252"
ENCODINGS: Mapping[str, str] = {
    _UTF8: "UTF-8",
    _WESTERN: "Western European (Windows-1252)",
    "cp1250": "Central European (Windows-1250)",
    "cp1251": "Cyrillic (Windows-1251)",
    "koi8-r": "Cyrillic (KOI8-R)",
    "cp1253": "Greek (Windows-1253)",
    "cp1254": "Turkish (Windows-1254)",
    "cp1255": "Hebrew (Windows-1255)",
    "cp1256": "Arabic (Windows-1256)",
    "cp1257": "Baltic (Windows-1257)",
    "cp874": "Thai (Windows-874)",
    "cp932": "Japanese (Shift JIS)",
    "euc-jp": "Japanese (EUC-JP)",
    "gb18030": "Chinese, simplified (GB 18030)",
    "big5": "Chinese, traditional (Big5)",
    "cp949": "Korean (UHC)",
    "utf-16-le": "UTF-16, little-endian",
    "utf-16-be": "UTF-16, big-endian",
    "utf-32-le": "UTF-32, little-endian",
    "utf-32-be": "UTF-32, big-endian",
}

# A guess looks at these only; UTF-8 and UTF-16 show by themselves.
_GUESSED = tuple(name for name in ENCODINGS if not name.startswith("utf"))
_MOST_LIKELY = 6  # encodings offered
_SAMPLE = 100_000  # bytes that a guess looks at
_PART = 1 << 20  # bytes that are searched for letters
_FEW = 8  # bytes beyond ASCII that are too few to tell a language by
_PREVIEW = 24  # characters of a preview
_BEYOND = re.compile(rb"[\x80-\xff]")
_BEYOND_ASCII = bytes(range(0x80, 0x100))
_CONTROLS = bytes({*range(0x09), *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F})

# What Windows-1252 has beside letters and is common in texts: quotation marks, dashes and some signs.
_WESTERN_SIGNS = frozenset("€‚„…†‰‹‘’“”•–—™›\u00a0¡£§©«\u00ad®°·»¿")
_WESTERN_LETTER = re.compile(
    r"(?<=[A-Za-zÀ-ÖØ-öø-ÿŠŒŽšœžŸ])[À-ÖØ-öø-ÿŠŒŽšœžŸ]|[À-ÖØ-öø-ÿŠŒŽšœžŸ](?=[A-Za-zÀ-ÖØ-öø-ÿ])"
)

# No text has these; archives, pictures and programs do, near their beginning.
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_PLAIN = "save it as plain text (.txt), or copy its text and paste it"

# A part of a packed document -> what the document is, and what to do with it. Its first bytes are those of an archive.
_PACKED = {
    b"word/": f"a Word file: {_PLAIN}",
    b"ppt/": f"a PowerPoint file: {_PLAIN}",
    b"xl/": "an Excel file: save the sheet as CSV, or copy its cells and paste them",
    b"opendocument.text": f"an OpenDocument text: {_PLAIN}",
    b"opendocument.spreadsheet": "an OpenDocument table: save the sheet as CSV, or copy its cells and paste them",
    b"opendocument.presentation": f"an OpenDocument presentation: {_PLAIN}",
    b"application/epub+zip": "an e-book (EPUB): open it, copy some of its text and paste it",
    b".iwa": f"a Pages, Numbers or Keynote file: {_PLAIN}",
}
_PICTURE = "a picture: type the words that you see in it, or copy them and paste them"

# First bytes of other documents
_DOCUMENTS = {
    b"%PDF-": "a PDF file: select its text, copy it and paste it",
    b"{\\rtf": f"a rich text file (RTF): {_PLAIN}",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": f"an old Office file: {_PLAIN}",
    b"\x89PNG\r\n": _PICTURE,
    b"\xff\xd8\xff": _PICTURE,
    b"GIF87a": _PICTURE,
    b"GIF89a": _PICTURE,
    b"II*\0": _PICTURE,
    b"MM\0*": _PICTURE,
    b"8BPS\0\1": _PICTURE,
    b"\0\0\1\0": _PICTURE,
}

# The beginning of a character of UTF-8 without its end: at least two of its bytes, or the first one at the end.
_CUT = re.compile(
    rb"[\xe0-\xef][\x80-\xbf](?![\x80-\xbf])|[\xf0-\xf4][\x80-\xbf]{1,2}(?![\x80-\xbf])|[\xc2-\xf4]\Z"
)


def read_bytes(content: bytes, name: str, chosen: str = "") -> _Reading:
    r"""Return the text of a file: by its byte-order mark, as UTF-8, or by the chosen or else the most likely encoding.

    Raises BPEError if the content is no text.

    >>> read_bytes(b"\xef\xbb\xbflow", "a.txt").text
    'low'
    >>> read_bytes(b"un caf\xe9 noir", "a.txt").note
    'byte 7 (line 1) is not UTF-8, so it was read as Western European (Windows-1252).'
    """
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if content.startswith(mark) and encoding != _UTF8:
            return _marked(content, len(mark), encoding, name)
    if document := _document_of(content):
        raise BPEError(f"{name} is {document}.")
    if _CONTROL.search(content[:4096]) and (kind := kind_of(content)):
        raise BPEError(f"{name}: expected text, got {kind}.")
    text_bytes = content.removeprefix(codecs.BOM_UTF8)
    mark_note = "" if text_bytes is content else "a byte-order mark (utf-8) was removed."
    wide = _without_mark(text_bytes)
    try:
        if not wide:
            return _Reading(text_bytes.decode(_UTF8), mark_note)
        first_bad = 0
    except UnicodeDecodeError as error:
        first_bad = error.start
    likely = _likely_encodings(text_bytes, name) if not wide else (wide, _UTF8)
    encoding = chosen if chosen in likely else likely[0]
    text = text_bytes.decode(encoding, "replace")
    if wide:
        half = "every other byte is 0" if "16" in wide else "three of every four bytes are 0"
        note = f"{half}, so it was read as {ENCODINGS[encoding]}."
        return _Reading(text, note, likely)
    line = text_bytes.count(b"\n", 0, first_bad) + 1
    where = f"byte {first_bad + len(content) - len(text_bytes) + 1:,} (line {line:,}) is"
    bad = text.count("\ufffd") - text_bytes.count("\ufffd".encode())
    if encoding != _UTF8:
        note = f"{where} not UTF-8, so it was read as {ENCODINGS[encoding]}."
    elif bad == 1:
        note = f"{where} not UTF-8. It is read as �."
    else:
        note = f"{where} the first of {bad:,} parts that are not UTF-8. Each is read as �."
    return _Reading(text, note, likely, first_bad)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Files that can be read in several ways: one is not UTF-8, or one holds records with several fields."""

    files: tuple[tuple[str, bytes], ...]
    previews: Mapping[str, str]  # likely encoding -> some characters of the first such file
    fields: Mapping[str, str]  # field of the records -> its first text; "" stands for the file as it is
    field: str  # the one that was read


def doubt_of(files: Sequence[tuple[str, bytes]], readings: Sequence[_Reading]) -> Doubt | None:
    """Return the doubt about the encoding of these files; None if all are UTF-8 or have a mark."""
    for (_, content), reading in zip(files, readings, strict=True):
        if reading.likely:
            previews = {one: _preview(content, one, reading.first_bad) for one in reading.likely}
            return Doubt(tuple(files), previews, {}, "")
    return None


@dataclass(frozen=True, slots=True)
class _Reading:
    """The text of a file, and how it was read."""

    text: str
    note: str = ""  # a sentence for the user; "" for plain UTF-8
    likely: tuple[str, ...] = ()  # encodings to choose from, the guess first; empty if there is no doubt
    first_bad: int = 0  # the first byte that is not UTF-8


def _document_of(content: bytes) -> str:
    r"""Return what kind of document a file is if it is not plain text, and what to do with it; "" for any other file.

    >>> _document_of(b"%PDF-1.7 ...")
    'a PDF file: select its text, copy it and paste it'
    """
    if content.startswith(b"PK\x03\x04"):
        return next((what for part, what in _PACKED.items() if part in content), "")
    if (content[:4] == b"RIFF" and content[8:12] == b"WEBP") or content[4:12] in (b"ftypheic", b"ftypavif"):
        return _PICTURE
    if content.startswith(b"BM") and content[6:10] == bytes(4):  # a text may begin with BM
        return _PICTURE
    return next((what for mark, what in _DOCUMENTS.items() if content.startswith(mark)), "")


def _marked(content: bytes, start: int, encoding: str, name: str) -> _Reading:
    try:
        text = content[start:].decode(encoding)
    except UnicodeDecodeError as error:
        raise BPEError(
            f"{name} begins with the byte-order mark of {encoding}, but byte {error.start + start} does not fit."
        ) from None
    return _Reading(text, f"a byte-order mark ({encoding}) was removed.")


def _without_mark(content: bytes) -> str:
    """Return the encoding of UTF-16 or UTF-32 without a mark, which shows by its zeros; "" for anything else."""
    for width, encodings in ((4, ("utf-32-le", "utf-32-be")), (2, ("utf-16-le", "utf-16-be"))):
        for encoding, letters in zip(encodings, (0, width - 1), strict=True):
            columns = [content[start::width] for start in range(width)]
            zeros = [column.count(0) for column in columns]
            if (
                content
                and len(content) % width == 0
                and zeros[letters] == 0
                and all(zeros[i] > len(columns[i]) * 3 // 4 for i in range(width) if i != letters)
                and _decodes(content, encoding)
            ):
                return encoding
    return ""


def _decodes(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _likely_encodings(content: bytes, name: str) -> tuple[str, ...]:
    """Return the encodings that bytes which are not UTF-8 may have, the most likely first; UTF-8 is among them.

    Raises BPEError for bytes that are no text.
    """
    guess = _UTF8 if _is_nearly_utf8(content) else ""
    if not guess and len(content) - len(content.translate(None, _CONTROLS)) > len(content) // 100:
        raise BPEError(f"{name} is not text: it has many control characters. Save it as UTF-8.")
    ranked = _by_language(content)
    if not guess and _is_western(content):
        guess = _WESTERN
    if not guess and len(content) - len(content.translate(None, _BEYOND_ASCII)) < _FEW:
        guess = _UTF8
    guess = guess or next(iter(ranked), _WESTERN)
    order = dict.fromkeys((guess, _UTF8, _WESTERN, *ranked, *_GUESSED))
    fitting = (one for one in order if one in (guess, _UTF8) or _decodes(content, one))
    return tuple(islice(fitting, _MOST_LIKELY))


def _is_nearly_utf8(content: bytes) -> bool:
    """Return whether most of what is beyond ASCII is whole characters of UTF-8, or ones that were cut."""
    text = content.decode(_UTF8, "replace")
    bad = text.count("\ufffd") - content.count("\ufffd".encode())
    whole = len(text) - len(content.translate(None, _BEYOND_ASCII)) - bad
    cut = len(_CUT.findall(content))
    return whole + cut > bad - cut


def _is_western(content: bytes) -> bool:
    """Return whether nearly all that is beyond ASCII is a letter beside a letter, or a common sign, in Windows-1252."""
    if not _decodes(content, _WESTERN):
        return False
    text = content[:_PART].decode(_WESTERN)
    beyond = [character for character in text if character > "\x7f"]
    ascii_letters = sum(map(str.isalpha, text)) - sum(map(str.isalpha, beyond))
    letters = len(_WESTERN_LETTER.findall(text))
    signs = sum(map(_WESTERN_SIGNS.__contains__, beyond))
    return letters + signs >= 0.9 * len(beyond) and letters <= max(ascii_letters, _FEW)


def _by_language(content: bytes) -> list[str]:
    """Return the encodings under which a part of the content looks most like a language, the best first."""
    beyond = _BEYOND.search(content)
    first = beyond.start() if beyond else 0
    start = max(content.rfind(b"\n", 0, first), first - _SAMPLE // 2, 0)
    end = content.rfind(b"\n", start, start + _SAMPLE) if len(content) > start + _SAMPLE else len(content)
    matches = from_bytes(content[start : max(end, first + 1)], cp_isolation=list(_GUESSED))
    named = {codecs.lookup(name).name: name for name in _GUESSED}
    names = [named.get(codecs.lookup(match.encoding).name, "") for match in matches]
    return [name for name in names if name and _decodes(content, name)]


def _preview(content: bytes, encoding: str, first_bad: int) -> str:
    """Return some characters of the content in this encoding, those around the first byte that is not UTF-8."""
    before = content[max(0, first_bad - 4 * _PREVIEW) : first_bad].decode(encoding, "replace")
    after = content[first_bad : first_bad + 4 * _PREVIEW].decode(encoding, "replace")
    return " ".join((before[-_PREVIEW // 2 :] + after[: _PREVIEW // 2]).split())
