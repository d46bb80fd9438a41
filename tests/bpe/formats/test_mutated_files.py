"""Tokenizer files with one thing wrong, some hundreds of them: each is opened or refused in one sentence."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

import bpe
from bpe import PRESETS, BPEError
from bpe.formats import FORMATS
from bpe.formats.opening import open_tokenizer

TEXT = "low lower lowest, newest newest widest"
MERGES = 10
CUTS = 12  # of a text at which it is cut and changed
VALUES: list[Any] = [
    None,
    True,
    -1,
    1.5,
    10**30,
    "",
    "\0",
    "\ud800",
    "a" * 70_000,
    [],
    {},
    [[[]]],
    {"type": "BPE"},
]
DROPPED = object()
KEYS_IN_ONE_OBJECT = 6  # of a vocabulary, say; the others are alike


def exported() -> dict[str, str]:
    """Return a whole file of each format that can be opened, by its name."""
    trace = bpe.train(TEXT, merges=MERGES, **{**PRESETS["hf-bytelevel"].settings, "min_count": 1})
    attached = bpe.train(TEXT, merges=MERGES, **{**PRESETS["subword-nmt"].settings, "min_count": 1})
    files = {
        slug: FORMATS[slug].export(trace, MERGES) for slug in ("tokenizer-json", "merges-txt", "tiktoken")
    }
    return files | {"subword-nmt": FORMATS["subword-nmt"].export(attached, MERGES)}


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every part of a JSON value, few of those in one object or array."""
    inner = list(
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, part in inner[:KEYS_IN_ONE_OBJECT] if at else inner:
        yield (*at, key)
        yield from paths(part, (*at, key))


def changed(whole: Any, path: tuple[Any, ...], value: Any) -> bytes:
    """Return the JSON with another value at a path, or without it."""
    copied = copy.deepcopy(whole)
    part = copied
    for key in path[:-1]:
        part = part[key]
    if value is DROPPED:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return json.dumps(copied).encode()


def mutants() -> Iterator[tuple[str, bytes]]:
    """Yield (what is wrong, file)."""
    files = exported()
    whole = json.loads(files["tokenizer-json"])
    for path in paths(whole):
        for value in (DROPPED, *VALUES):
            yield f"{path} is {str(value)[:20]!r}", changed(whole, path, value)
    for slug, text in files.items():
        content = text.encode()
        for number in range(CUTS):
            at = len(content) * number // CUTS
            yield f"{slug} cut at {at}", content[:at]
            for octet in (b"\0", b"\xff", b"\n", b'"', b" 9" * 30):
                yield f"{slug} with {octet[:4]!r} at {at}", content[:at] + octet + content[at:]


def outcome(content: bytes) -> str:
    """Return why a file is refused, or "" if it is opened and encodes."""
    try:
        tokenizer = open_tokenizer({"a file": content}).tokenizer
        tokenizer.decode(tokenizer.encode("low <b>"))
    except BPEError as error:
        return str(error)
    return ""


def test_whole_files_are_opened() -> None:
    assert {slug: outcome(text.encode()) for slug, text in exported().items()} == dict.fromkeys(
        exported(), ""
    )


def test_every_mutated_file_is_opened_or_refused_in_one_sentence() -> None:
    outcomes = {name: outcome(content) for name, content in mutants()}
    assert len(outcomes) >= 300
    faults = {
        name: sentence
        for name, sentence in outcomes.items()
        if sentence and (len(sentence) >= 400 or len(sentence.splitlines()) != 1)
    }
    assert faults == {}
    # What is refused is told apart from what is read.
    assert sum(map(bool, outcomes.values())) > len(outcomes) / 2


@pytest.mark.parametrize("name", ["vocabulary", "merges"])
def test_one_of_two_files_can_be_wrong(name: str) -> None:
    files = {"vocabulary": b'{"a": 0, "b": 1, "ab": 2}', "merges": b"#version: 0.2\na b\n"}
    for number in range(1, len(files[name])):
        damaged = files | {name: files[name][:-number] + b"\0"}
        with pytest.raises(BPEError) as error:
            open_tokenizer(damaged)
        assert len(str(error.value).splitlines()) == 1
