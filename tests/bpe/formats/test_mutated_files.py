"""Tokenizer files with something wrong, some hundreds of them: each is opened or refused in one sentence."""

import base64
import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

import bpe
from bpe import PRESETS, BPEError
from bpe.checkpoints import checkpoints
from bpe.formats import FORMATS
from bpe.formats.opening import _named, open_tokenizer
from bpe.formats.sentencepiece.model import _fields_of, decimal_field, message_field, number_field

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
        slug: FORMATS[slug].trace_content(trace, MERGES).decode()
        for slug in ("tokenizer-json", "merges-txt", "tiktoken")
    }
    return files | {"subword-nmt": FORMATS["subword-nmt"].trace_content(attached, MERGES).decode()}


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


# Several things wrong at once, in files of every kind

WRONG: list[Any] = [
    *VALUES, 0, 1, 2**31, 2**64, -(10**400), 1e308, -0.5, "a", " ", "\udfff", "\U0001f600", "▁", "##", "<0x41>",
    "[UNK]", "(a+)+", "\\", "\ufeff", [["a", 1]], [["a", "b", "c"]], {"id": 0, "content": "\ud800"}, {"": {}},
    ["\udc80", 0],
]  # fmt: skip
BYTES = [b"", b"\0", b"\xff", b"\xed\xa0\x80", b"\n", b"a" * 70_000, b"\x80" * 12, b"\x0a\x05"]
MOST_WRONG = 3  # things in one file


def whole_objects() -> dict[str, Any]:
    """Return the JSON of a file of each kind, by name."""
    files = exported()
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    pieces = [
        ["<unk>", 0.0],
        ["▁", -1.0],
        ["a", -1.5],
        ["ab", -2],
        *([f"<0x{n:02X}>", -9.0] for n in range(256)),
    ]
    words = {text: number for number, text in enumerate(["[UNK]", "a", "##b", "[CLS]"])}
    tokens = [bytes([number]) for number in range(256)] + [b"ab", b"abc"]
    return {
        "BPE": json.loads(files["tokenizer-json"]),
        "Unigram": {
            "added_tokens": [{"id": 0, "content": "<unk>", "special": True}],
            "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKC"}, {"type": "Lowercase"}]},
            "pre_tokenizer": metaspace,
            "model": {"type": "Unigram", "unk_id": 0, "vocab": pieces, "byte_fallback": True},
        },
        "Unigram of few pieces": {"model": {"type": "Unigram", "unk_id": 0, "vocab": pieces[:4]}},
        "WordPiece": {
            "normalizer": {"type": "BertNormalizer", "lowercase": True},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "model": {
                "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": words
            },
        },
        "tekken": {
            "config": {"pattern": r"\w+|\s+", "default_vocab_size": 262, "default_num_special_tokens": 4},
            "vocab": [
                {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
                for rank, token in enumerate(tokens)
            ],
            "special_tokens": [
                {"rank": rank, "token_str": text, "is_control": True} for rank, text in enumerate(["<unk>", "<s>"])
            ],
        },
    }  # fmt: skip


def model_fields(kind: int) -> list[bytes]:
    """Return the fields of a SentencePiece model: 1 for Unigram, 2 for BPE."""
    texts = [
        ("<unk>", 0.0, 2),
        ("<s>", 0.0, 3),
        *((text, -float(n), 1) for n, text in enumerate(["▁", "a", "b", "ab"])),
    ]
    pieces = [
        message_field(1, message_field(1, text.encode()) + decimal_field(2, score) + number_field(3, part))
        for text, score, part in texts
    ]
    return [*pieces, message_field(2, number_field(3, kind)), message_field(3, message_field(1, b"identity"))]


def wrong_json(chance: random.Random, whole: Any) -> bytes:
    """Return the JSON of a file in which some values, keys or places are others."""
    whole = copy.deepcopy(whole)
    for _ in range(chance.randint(1, MOST_WRONG)):
        part, key = whole, None
        for _ in range(chance.randint(1, 5)):  # a path downwards
            keys = list(part) if isinstance(part, dict) else range(len(part))
            if not keys:
                break
            before, key = part, chance.choice(keys)
            part = before[key]
            if not isinstance(part, dict | list):
                break
        if key is None:
            continue
        match chance.randrange(5):
            case 0:
                del before[key]
            case 1 if isinstance(before, dict):
                before[chance.choice(["", "type", "\ud800", "vocab", "a" * 70_000])] = before.pop(key)
            case 2 if isinstance(before, list):
                before.append(copy.deepcopy(before[key]))
            case 3:
                before[key] = type(before[key])() if before[key] is not None else {}
            case 4 if isinstance(part, str):
                before[key] = part + chance.choice(["\ud800", "\0", " ", "é", "\u0301"])
            case _:
                before[key] = copy.deepcopy(chance.choice(WRONG))
    front = chance.choice([b"", b"", b" ", b"\xef\xbb\xbf", b"\n\t"])
    return front + json.dumps(whole).encode()


def wrong_model(chance: random.Random, fields: list[bytes]) -> bytes:
    """Return a SentencePiece model in which some fields, or fields of fields, are others."""
    fields = list(fields)
    for _ in range(chance.randint(1, MOST_WRONG)):
        at = chance.randrange(len(fields))
        ((number, value),) = _fields_of(fields[at])
        assert isinstance(value, bytes)
        inner = list(_fields_of(value))
        one = chance.randrange(len(inner))
        other = inner[one][0]
        wrong = chance.choice([
            message_field(other, chance.choice(BYTES)),
            number_field(other, chance.choice([0, 1, 2, 7, 2**31, 2**64 - 1])),
            decimal_field(other, chance.choice([0.0, float("nan"), float("inf"), -1e38])),
        ])  # fmt: skip
        kept = [field_of(*inner[two]) for two in range(len(inner)) if two != one]
        match chance.randrange(5):
            case 0 if len(fields) > 1:
                del fields[at]
                continue
            case 1:
                fields.append(fields[at])
            case _:
                fields[at] = message_field(number, b"".join([*kept[:one], wrong, *kept[one:]]))
                continue
        break
    content = b"".join(fields)
    return content if chance.random() < 0.8 else content[: chance.randrange(len(content))]


def field_of(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return number_field(number, value)
    return (
        bytes([number << 3 | 5]) + value if len(value) == 4 and number == 2 else message_field(number, value)
    )


def wrong_files(number: int, seed: int) -> Iterator[dict[str, bytes]]:
    """Yield so many files, or pairs of files, with something wrong."""
    chance = random.Random(seed)
    objects, texts = whole_objects(), exported()
    models = [model_fields(kind) for kind in (1, 2)]
    vocabulary, merges = {"a": 0, "b": 1, "ab": 2}, b"#version: 0.2\na b\n"
    for _ in range(number):
        match chance.randrange(8):
            case 0:
                yield {"tokenizer.model": wrong_model(chance, chance.choice(models))}
            case 1:
                yield {"vocab.json": wrong_json(chance, vocabulary), "merges.txt": merges}
            case 2:
                content = chance.choice(list(texts.values())).encode()
                at = chance.randrange(len(content))
                yield {"my file": content[:at] + chance.choice(BYTES) + content[at + chance.randrange(3) :]}
            case _:
                yield {"my file": wrong_json(chance, objects[chance.choice(list(objects))])}


def assert_one_sentence(capsys: pytest.CaptureFixture[str], number: int, seed: int) -> None:
    opened = 0
    for files in wrong_files(number, seed):
        try:
            open_tokenizer(files).tokenizer.encode("low <b> ab\U0001f600")
            opened += 1
        except BPEError as error:
            sentence = str(error)
            assert len(sentence.splitlines()) == 1, (files, sentence)
            assert len(sentence) < 400, (files, sentence)
            assert any(name in sentence for name in files), (files, sentence)
        # An error that no reader foresaw is a fault, though whoever opened the file got a sentence.
        logged = capsys.readouterr().err
        assert not logged, (files, logged)
    assert number / 20 < opened < number * 0.8


def test_a_file_with_several_things_wrong_is_opened_or_refused_in_one_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert_one_sentence(capsys, 400, 1)


@pytest.mark.weekly  # some minutes
def test_20_000_files_with_several_things_wrong_are_opened_or_refused_in_one_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert_one_sentence(capsys, 20_000, 2)


def test_an_error_that_no_reader_foresaw_is_one_sentence_and_a_line_of_the_log(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sentence = r"^my\.json: expected .* a part of it cannot be read \(KeyError\)\.$"
    with pytest.raises(BPEError, match=sentence), _named("my.json"):
        raise KeyError("a secret of the file")
    logged = capsys.readouterr().err
    assert "in test_an_error" in logged
    assert "a secret of the file" not in logged.replace('raise KeyError("a secret of the file")', "")


def test_what_a_checkpoint_raises_ends_the_opening_as_it_is() -> None:
    model = b"".join(model_fields(2))

    def stop() -> None:
        raise KeyError("stopped")

    with checkpoints(stop), pytest.raises(KeyError, match="stopped"):
        open_tokenizer({"tokenizer.model": model})
