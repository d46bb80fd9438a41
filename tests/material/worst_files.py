"""The worst files of a size: JSON and lines that become many times as many bytes of objects."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

# What is repeated in a list
ITEMS: Mapping[str, bytes] = MappingProxyType(
    {
        "empty lists": b"[],",
        "lists of a list": b"[[]],",
        "nested lists": b"[" * 40 + b"]" * 40 + b",",
        "empty objects": b"{},",
        "objects of an object": b'{"":{}},',
        "objects of a number": b'{"":0},',
        "duplicate keys": b'{"":0,"":0},',
        "short texts": b'"ab",',
        "emoji": '"😀",'.encode(),
        "escapes": b'"\\u4e2d",',
        "numbers": b"300,",
        "decimal numbers": b"0.5,",
    }
)
# A whole tokenizer.json of each model, with a field "x" that no reader uses and that holds the items
MODELS: Mapping[str, bytes] = MappingProxyType(
    {
        "BPE": b'"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":[["a","b"]]},"x":[',
        "WordPiece": b'"model":{"type":"WordPiece","vocab":{"[UNK]":0}},"x":[',
        "a broken model": b'"model":[',
    }
)
SPACES: Mapping[str, bytes] = MappingProxyType(
    {"": b"", "after a space": b" ", "after a BOM and lines": b"\xef\xbb\xbf\r\n\t"}
)


def of_items(size: int, items: bytes, front: bytes, end: bytes, last: bytes = b"0") -> bytes:
    """Return so many bytes at most: items, the last of which may be another, between a beginning and an end."""
    return front + items * ((size - len(front) - len(end) - len(last)) // len(items)) + last + end


def keys(size: int) -> bytes:
    """Return a vocabulary of as many short tokens as fit."""
    front = b'{"model":{"type":"BPE","merges":[],"vocab":{"a":0'
    tokens = b"".join(b',"%x":%d' % (number, number) for number in range(1, size // 14))
    return front + tokens[: size - len(front) - 2].rpartition(b",")[0] + b"}}}"


def pieces(size: int) -> bytes:
    """Return a SentencePiece model of as many pieces as fit."""
    piece = b"\n\x0e\n\x07%07x\x15\x00\x00\x80\x3f"
    return b"".join(piece % number for number in range(size // 16))


OTHERS: Mapping[str, Callable[[int], bytes]] = MappingProxyType(
    {
        "keys": keys,
        "pieces": pieces,
        "deep lists": lambda size: b'{"model":' + b"[" * (size - 9),
        "deep objects": lambda size: b'{"a":' * (size // 5),
        "one long text": lambda size: b'{"model":"' + "😀".encode() + b"a" * (size - 16) + b'"}',
        "merges": lambda size: b"a b\n" * (size // 4),
        "lines": lambda size: b"\n" * size,
        "a vocabulary of WordPiece": lambda size: b"[UNK]\n" + b"ab\n" * (size // 3 - 2),
        "ranks": lambda size: b"YQ== 0\n" * (size // 7),
        "tekken.json": lambda size: of_items(
            size, b'{"rank":0,"token_bytes":"YQ=="},', b'{"config":{"default_vocab_size":9},"vocab":[', b"]}"
        ),
        "Unigram": lambda size: of_items(
            size, b'["a",0],', b'{"model":{"type":"Unigram","unk_id":0,"vocab":[', b"]}}"
        ),
        "a share file": lambda size: of_items(
            size,
            b"[],",
            b' {"format":"merge-by-merge share file, version 1","recipe":{},"corpus":{"title":"a","documents":[',
            b"]}}",
        ),
        "a share file of short texts": lambda size: of_items(
            size,
            b'"ab",',
            b' {"format":"merge-by-merge share file, version 1","recipe":{},"corpus":{"title":"a","documents":[',
            b"]}}",
            b'"ab"',
        ),
    }
)


def worst_files() -> Mapping[str, Callable[[int], bytes]]:
    """Return how each of the files is made in a size, by name."""
    files = dict(OTHERS)
    broken = "a broken model"
    for name, items in ITEMS.items():
        files[f"{name} after a space in {broken}"] = _in_model(items, b" {" + MODELS[broken])
    for model, front in MODELS.items():
        for spaces, white in SPACES.items():
            files[f"objects of an object {spaces} in {model}"] = _in_model(
                ITEMS["objects of an object"], white + b"{" + front
            )
    return files


def _in_model(items: bytes, front: bytes) -> Callable[[int], bytes]:
    return lambda size: of_items(size, items, front, b"]}")
