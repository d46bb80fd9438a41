"""Decoders of a tokenizer.json: how Hugging Face's tokenizers joins tokens, as the file spells them, to a text.

Source: huggingface/tokenizers, decoders/.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from bpe.formats.hugging_face.normalizers import METASPACE
from bpe.formats.hugging_face.parts import FILE, Part, option, parts_of, pattern_of, type_of
from bpe.formats.opened import expect
from bpe.settings.alphabets import REMAPPED
from bpe.symbols import BPEError

_Texts = list[str]
# The tokens, or what an earlier decoder made of them -> fewer or other texts.
_Decoder = Callable[[_Texts], _Texts]

_UNMAPPED = {character: bytes([value]) for value, character in REMAPPED.items()}
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")


def read_decoder(part: object) -> Callable[[Sequence[str]], str] | None:
    """Return the function that joins tokens to a text; None for an unknown decoder.

    Without a decoder, the library puts a space between tokens.

    >>> decode = read_decoder({"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]})
    >>> decode and decode(["a", "<0xC3>", "<0xA9>"])
    'aé'
    """
    if part is None:
        return " ".join
    try:
        decoder = _read(part, "decoder") if isinstance(part, dict) else None
    except BPEError:
        return None
    if decoder is None:
        return None
    return lambda tokens: "".join(decoder(list(tokens)))


def _read(part: object, field: str) -> _Decoder | None:
    kind = type_of(part, field)
    assert isinstance(part, dict)
    return _DECODERS[kind](part, field) if kind in _DECODERS else None


def _sequence(part: Part, field: str) -> _Decoder | None:
    inner = [_read(one, field) for one in parts_of(part, "decoders", field)]

    def decode(texts: _Texts) -> _Texts:
        for one in inner:
            assert one is not None
            texts = one(texts)
        return texts

    return None if None in inner else decode


def _byte_level(part: Part, field: str) -> _Decoder:
    def decode(texts: _Texts) -> _Texts:
        return [b"".join(map(_bytes_of, texts)).decode("utf-8", "replace")]

    return decode


def _bytes_of(text: str) -> bytes:
    try:
        return b"".join(map(_UNMAPPED.__getitem__, text))
    except KeyError:  # an added token, which is its own text
        return text.encode()


def _metaspace(part: Part, field: str) -> _Decoder:
    older = "always" if option(part, "add_prefix_space", bool, True, field) else "never"
    prepends = option(part, "prepend_scheme", str, older, field) != "never"
    sign = option(part, "replacement", str, METASPACE, field)

    def decode(texts: _Texts) -> _Texts:
        return [
            text.replace(sign, "" if prepends and number == 0 else " ") for number, text in enumerate(texts)
        ]

    return decode


def _suffix(part: Part, field: str) -> _Decoder:
    suffix = expect(part.get("suffix"), str, FILE, f"{field}.suffix")

    def decode(texts: _Texts) -> _Texts:
        last = len(texts) - 1
        return [text.replace(suffix, "" if number == last else " ") for number, text in enumerate(texts)]

    return decode if suffix else lambda texts: texts


def _replace(part: Part, field: str) -> _Decoder:
    pattern = pattern_of(part, field)
    content = expect(part.get("content"), str, FILE, f"{field}.content")
    return lambda texts: [pattern.sub(lambda match: content, text) for text in texts]


def _byte_fallback(part: Part, field: str) -> _Decoder:
    def decode(texts: _Texts) -> _Texts:
        decoded: _Texts = []
        for are_bytes, run in groupby(texts, key=lambda text: _BYTE.fullmatch(text) is not None):
            part = list(run)
            decoded += [_of_bytes(part)] if are_bytes else part
        return decoded

    return decode


def _of_bytes(texts: _Texts) -> str:
    values = bytes(int(text[3:5], 16) for text in texts)
    try:
        return values.decode()
    except UnicodeDecodeError:
        return "\ufffd" * len(values)


def _fuse(part: Part, field: str) -> _Decoder:
    return lambda texts: ["".join(texts)]


def _strip(part: Part, field: str) -> _Decoder:
    content = expect(part.get("content"), str, FILE, f"{field}.content")
    start, stop = (option(part, name, int, 0, field) for name in ("start", "stop"))

    def decode(texts: _Texts) -> _Texts:
        return [_stripped(text, content, start, stop) for text in texts]

    return decode


def _stripped(text: str, content: str, start: int, stop: int) -> str:
    while start and text.startswith(content):
        text, start = text[len(content) :], start - 1
    while stop and text.endswith(content):
        text, stop = text[: len(text) - len(content)], stop - 1
    return text


# decoders/wordpiece.rs
_CLEANED = (
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
)


def _word_piece(part: Part, field: str) -> _Decoder:
    prefix = option(part, "prefix", str, "##", field)
    cleans = option(part, "cleanup", bool, True, field)

    def decode(texts: _Texts) -> _Texts:
        return [clean(_after(text, number)) for number, text in enumerate(texts)]

    def _after(text: str, number: int) -> str:
        if number == 0:
            return text
        return text.removeprefix(prefix) if text.startswith(prefix) else " " + text

    def clean(text: str) -> str:
        for before, after in _CLEANED if cleans else ():
            text = text.replace(before, after)
        return text

    return decode


_DECODERS: Mapping[str, Callable[[Part, str], _Decoder | None]] = {
    "Sequence": _sequence,
    "ByteLevel": _byte_level,
    "Metaspace": _metaspace,
    "BPEDecoder": _suffix,
    "WordPiece": _word_piece,
    "Replace": _replace,
    "ByteFallback": _byte_fallback,
    "Fuse": _fuse,
    "Strip": _strip,
}
