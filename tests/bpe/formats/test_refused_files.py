"""Files that cannot be written or read are refused: the sentence names the token, the line or the field."""

import base64
import contextlib
import gzip
import json
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import ENCODERS, VARIANTS, BPEError, Tokenizer, train
from bpe.formats import FORMATS
from bpe.formats.hugging_face.reading import read_tokenizer
from bpe.formats.merges_txt import read_merges
from bpe.formats.opened import MOST_GAPS
from bpe.formats.opening import open_tokenizer
from bpe.formats.vocab_json import read_vocabulary
from tests.bpe.formats.hugging_face_files import changed
from tests.bpe.text.random_texts import examples

# Tokenizers that cannot be written


def lines(text: str) -> Tokenizer:
    return train(text, variant="custom", pattern=".+", unit="characters", merges=2).tokenizer()


def sequence(*kinds: str) -> dict[str, object]:
    return {"type": "Sequence", "pretokenizers": [{"type": kind} for kind in kinds]}


@pytest.mark.parametrize(
    ("slug", "tokenizer", "message"),
    [
        (
            "merges-txt",
            train("a</w> a</w>", variant="char-eow", merges=9).tokenizer(),
            "would be read as the marker </w>",
        ),
        ("vocab-json", train("▁ ▁", variant="char-metaspace", merges=0).tokenizer(), "would be read as the marker ▁"),
        ("merges-txt", lines("a b a b"), "a space ends a token there"),
        ("merges-txt", lines("a\rb a\rb"), "a carriage return ends a token there"),
        (
            "merges-txt",
            train("a\nb a\nb", variant="char-metaspace", merges=2).tokenizer(),
            "a line break ends a token there",
        ),
        (
            "vocab-json",
            train("<s> <s>", variant="bytes-whitespace", merges=9, special_tokens=["<s>"]).tokenizer(),
            "both the special token '<s>' and a learned token that reads the same",
        ),
        ("tokenizer-json", train("low", variant="char-eow").tokenizer(), "has no end-of-word symbol of its own"),
        ("tokenizer-json", train("low", variant="char-eow-lines").tokenizer(), "cannot say how “Char"),
        ("tiktoken", train("low", variant="char-eow").tokenizer(), "holds bytes, and the variant “Char"),
        ("tiktoken", Tokenizer.from_vocabulary("a", "bytes"), "must hold all 256 bytes"),
    ],
    ids=[
        "a literal end of word", "a literal ▁", "a space", "a carriage return", "a line break", "a special token",
        "an end-of-word symbol", "a variant of ours", "characters", "bytes missing",
    ],
)  # fmt: skip
def test_a_token_that_would_be_misread_is_refused(slug: str, tokenizer: Tokenizer, message: str) -> None:
    with pytest.raises(BPEError, match=message):
        FORMATS[slug].write(tokenizer)


@pytest.mark.parametrize(
    "space", ["\u00a0", "\t", "\u2028", "\x85"], ids=["no-break", "tab", "line separator", "next line"]
)
def test_other_white_space_is_no_separator(space: str) -> None:
    tokenizer = lines(f"a{space}b")
    assert read_merges(FORMATS["merges-txt"].write(tokenizer), tokenizer.variant).merges == tokenizer.merges


def test_ranks_refuse_merges_that_do_not_follow_from_the_tokens() -> None:
    bytes_in_order = [bytes([value]) for value in range(256)]
    merges = [(b"a", b"b"), (b"b", b"c"), (b"a", b"bc"), (b"ab", b"c")]
    tokenizer = Tokenizer(VARIANTS["bytes"], [*bytes_in_order, b"ab", b"bc", b"abc"], merges)
    with pytest.raises(BPEError, match=r"a \+ bc \(merge 3\) cannot be derived"):
        FORMATS["tiktoken"].write(tokenizer)


# Files that cannot be read

RANKS = "".join(f"{base64.b64encode(bytes([n])).decode()} {n}\n" for n in range(256))


@pytest.mark.parametrize(
    ("slug", "variant", "content", "message"),
    [
        ("merges-txt", "char-eow", "a b\nc d e\n", "merges.txt, line 2: expected two symbols, got 3"),
        ("merges-txt", "char-eow", "a b\n\nc d\n", "merges.txt, line 2: expected two symbols, got 0"),
        ("merges-txt", "bytes", "#version: 0.2\na b\na Ж\n", "line 3: expected GPT-2's remapped bytes, got 'Ж'"),
        ("merges-txt", "bytes", "a b \nc d\n", "line 1: expected two symbols, got 2, with more than one space"),
        ("merges-txt", "char-eow", "#version: 0.2\na b</w>\n", "line 1: with a version line, </w> is attached"),
        ("merges-txt", "char-eow-attached", "e </w>\n", "line 1: expected a token of the variant “Characters, the"),
        ("vocab-json", "char-eow", '{"a": 0,\n"b" 1}', "vocab.json, line 2, column 5: expected JSON"),
        ("vocab-json", "char-eow", "[" * 100_000, "vocab.json: expected JSON that can be read"),
        ("vocab-json", "char-eow", "[1]", "vocab.json, the file: expected an object, got"),
        ("vocab-json", "char-eow", '{"a": "x"}', 'the vocabulary, "a": expected a whole number, got "x"'),
        ("vocab-json", "char-eow", '{"a": true}', "expected a whole number, got true"),
        ("vocab-json", "char-eow", '{"a": 0, "b": 0}', 'the id 0 is given to "a" and "b"'),
        ("vocab-json", "char-eow", '{"a": 0, "b": 900000}', '"b": expected an id from 0 to 131,073, got'),
        ("vocab-json", "char-eow", '{"a": 0, "b": -1}', '"b": expected an id from 0 to 131,073, got -1'),
        ("vocab-json", "char-eow", '{"\\ud800": 0}', r"token 0: .*lone surrogates, got U\+D800"),
        ("tiktoken", "bytes", "YQ==\n", r"ranks.tiktoken, line 1: expected a token and its rank, got 1 field."),
        ("tiktoken", "bytes", "Y!Q= 0\n", "line 1: expected a token in base64, got 'Y!Q='"),
        ("tiktoken", "bytes", "YQ== ٣\n", "line 1: expected a rank"),
        ("tiktoken", "bytes", "YQ== 0\nYg== 0\n", "line 2: the rank 0 is already on line 1"),
        ("tiktoken", "bytes", "YQ== 0\nYQ== 1\n", "line 2: expected a new token"),
        ("tiktoken", "bytes", "YQ== 0\n", "expected all 256 bytes, but the byte 0 is missing"),
        ("tiktoken", "bytes", RANKS + "YWI= 300000\n", "ranks must run without large gaps, but the rank 256 is"),
        ("tiktoken", "bytes", "", "expected tokens and their ranks, got nothing"),
        ("subword-nmt", "char-metaspace", "a b\n", "codes.txt ends words with </w>: choose a variant that does, got"),
        ("subword-nmt", "char-underscore", "a b\n", "codes.txt ends words with </w>: choose a variant that does, got"),
        ("tiktoken", "char-eow", RANKS, "holds bytes: choose a variant of bytes, got “Characters, end-of-word symbol”"),
    ],
)  # fmt: skip
def test_a_broken_file_is_refused_with_its_line_or_field(
    slug: str, variant: str, content: str, message: str
) -> None:
    with pytest.raises(BPEError, match=message.replace("(", r"\(").replace("+ ", r"\+ ")):
        FORMATS[slug].read(content, VARIANTS[variant])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", "tokenizer.json, model: expected an object, got null"),
        (
            changed(byte_fallback=True, vocab={"<0x00>": 0}, merges=[], pre_tokenizer=None),
            "model.byte_fallback: expected a token for every byte, but <0x01> is missing",
        ),
        (changed(continuing_subword_prefix="##"), "model.continuing_subword_prefix: not supported with the pre-tok"),
        (
            changed(continuing_subword_prefix="##", pre_tokenizer=None, end_of_word_suffix="</w>"),
            "model: end_of_word_suffix, byte_fallback and ignore_merges are not supported with continuing_subword",
        ),
        (changed(merges=[["a"]]), r"model.merges\[0\]: expected two symbols, got \[\"a\"\]"),
        (changed(merges=["a b c"]), r"model.merges\[0\]: expected two symbols"),
        (changed(merges=[["a", "q"]]), r"tokenizer.json: Merge 1: the vocabulary must contain 'aq'"),
        (changed(vocab=[]), "model.vocab: expected an object"),
        (changed(unk_token="<unk>"), 'must contain the special token "<unk>"'),
        (changed(pre_tokenizer={"type": "UnicodeScripts"}), "pre_tokenizer: .UnicodeScripts. is not supported"),
        (
            changed(normalizer={"type": "Precompiled", "precompiled_charsmap": "*"}),
            "normalizer.precompiled_charsmap: expected base64",
        ),
        (
            changed(pre_tokenizer=sequence("ByteLevel", "Metaspace")),
            "pre_tokenizer: Metaspace is not supported after ByteLevel",
        ),
        (
            changed(pre_tokenizer=sequence("ByteLevel", "ByteLevel")),
            "pre_tokenizer: expected one ByteLevel in a Sequence, got 2",
        ),
        (changed(normalizer={"type": "Nmt"}), "normalizer: .Nmt. is not supported; supported are NFC"),
        (changed(added_tokens=[{"content": "x"}]), r"added_tokens\[0\].id: expected a whole number, got null"),
        (changed(added_tokens=[{"content": "a", "id": -1}]), r"added_tokens\[0\].id: expected an id from 0 on, got -1"),
    ],
)  # fmt: skip
def test_an_unsupported_tokenizer_json_is_refused_with_its_field(content: str, message: str) -> None:
    with pytest.raises(BPEError, match=message):
        read_tokenizer(content)


# Only BPEError is raised, whatever the file


@given(
    slug=st.sampled_from(list(FORMATS)), variant=st.sampled_from(list(VARIANTS)), content=st.text(max_size=30)
)
def test_any_text_is_read_or_refused(slug: str, variant: str, content: str) -> None:
    with contextlib.suppress(BPEError):
        FORMATS[slug].read(content, VARIANTS[variant]).encode("a b")


@examples(80)
@given(
    tokens=st.lists(st.text("ab▁</w> é", max_size=4), max_size=6, unique=True),
    variant=st.sampled_from(list(VARIANTS)),
    special=st.integers(0, 2),
)
def test_any_vocabulary_is_read_or_refused(tokens: list[str], variant: str, special: int) -> None:
    numbers = {token: number for number, token in enumerate(tokens)}
    with contextlib.suppress(BPEError):
        tokenizer = read_vocabulary(json.dumps(numbers), VARIANTS[variant], special_tokens=tokens[:special])
        tokenizer.encode("a b", allow_special=True)
        for encoder in ENCODERS:
            tokenizer.decode(tokenizer.encode("a b", encoder))


# Files that are broken, huge or something else: one sentence that names the part, in bounded time.

RANKED = "".join(f"{base64.b64encode(bytes([value])).decode()} {value}\n" for value in range(256)).encode()


def model(**fields: object) -> bytes:
    """Return a tokenizer.json with these fields in its model."""
    plain = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}
    return json.dumps({"model": {**plain, **fields}}).encode()


def ranks(*tokens: bytes) -> bytes:
    lines = [f"{base64.b64encode(token).decode()} {256 + number}\n" for number, token in enumerate(tokens)]
    return RANKED + "".join(lines).encode()


def replaced(old: str, new: str) -> bytes:
    content = model().decode()
    assert old in content
    return content.replace(old, new).encode()


def normalizing(normalizer: object) -> bytes:
    """Return a tokenizer.json with this normalizer."""
    return json.dumps({**json.loads(model()), "normalizer": normalizer}).encode()


PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)
CASES: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "got an empty file"),
    "a gzip bomb": (gzip.compress(bytes(5_000_000)), "got a gzip archive: unpack it first"),
    "a zip archive": (b"PK\x03\x04" + bytes(50), "got a zip archive: unpack it first"),
    "a picture": (PNG, "got a PNG picture"),
    "a pickle": (b"\x80\x04\x95" + bytes(20), "got a pickle, which is never opened"),
    "bytes": (b"ab\0cd", "got a file that is not text: it contains the byte 0"),
    "no UTF-8": (b"a b\nc \xe9\n", "line 2: expected UTF-8, got the byte 0xE9"),
    "deep nesting": (b'{"model": ' + b"[" * 300_000, "it is nested too deeply"),
    "deep objects": (b'{"model": ' * 100_000, "it is nested too deeply"),
    "a deep pre-tokenizer": (
        b'{"pre_tokenizer": ' + b'{"type": "Sequence", "pretokenizers": [' * 400 + b"]}" * 400
        + b', "model": {"vocab": {}, "merges": []}}',
        "pre_tokenizer: expected parts nested at most 20 deep",
    ),
    "an array": (b"[1, 2]", "expected the file of a tokenizer, got a JSON array"),
    "a vocabulary alone": (b'{"a": 0}', "got a vocabulary: add the merges.txt"),
    "cut off": (model()[:-9], r", line 1, column \d+: expected JSON, but the file ends here"),
    "cut after its first character": (b"{", ", line 1, column 2: expected JSON, but the file ends here"),
    "cut within a text": (b'{"model": {"type": "BP', "column 20: expected JSON, but the file ends within this text"),
    "a vocabulary with the token model": (b'{"a": 0, "model": 1}', "got a vocabulary: add the merges.txt"),
    "settings of a model": (b'{"model_type": "gpt2"}', 'got JSON without the field "model"'),
    "UTF-16": ("a b".encode("utf-16"), "got a text in UTF-16 or UTF-32: save it as UTF-8"),
    "a page that says that nothing is here": (b"404: Not Found", "got a text that begins with '404: Not Found'"),
    "lines that end with a carriage return": (b"#version: 0.2\ra b\r", "line 1: expected a line feed at the end"),
    "a negative rank": (b"YQ== -1\n", "line 1: expected a rank, a whole number"),
    "a key twice": (replaced('"b": 1', '"a": 1'), 'must have each key once, got "a" twice'),
    "a field twice": (replaced('"type": "BPE"', '"type": "BPE", "type": "BPE"'), 'got "type" twice'),
    "an id twice": (replaced('"b": 1', '"b": 0'), 'the id 0 is given to "a" and "b"'),
    "NaN": (replaced('"b": 1', '"b": NaN'), "expected JSON, got NaN, which is not a number"),
    "Infinity": (replaced('"b": 1', '"b": -Infinity'), "expected JSON, got -Infinity"),
    "1e400": (replaced('"b": 1', '"b": 1e400'), "expected numbers that can be read, got 1e400"),
    "10^400": (replaced('"b": 1', f'"b": 1{"0" * 400}'), 'model.vocab, "b": expected an id from 0 to'),
    "10^5000": (replaced('"b": 1', f'"b": 1{"0" * 5000}'), "a number has too many digits"),
    "a fraction": (replaced('"b": 1', '"b": 1.5'), 'model.vocab, "b": expected a whole number, got 1.5'),
    "an id far away": (replaced('"b": 1', '"b": 4000000000'), 'model.vocab, "b": expected an id from 0 to'),
    "half a character": (replaced('"b": 1', '"\\ud800": 1'), r"lone surrogates, got U\+D800"),
    "half a character in a merge": (model(merges=[["a", "\ud800"]]), r"merges\[0\]: .*lone surrogates"),
    "a merge that does not exist": (model(merges=[["a", "x"]]), "Merge 1: the vocabulary must contain 'a?x'"),
    "a merge of nothing": (model(merges=[["", "a"]]), r"merges\[0\]: expected a token"),
    "merges that are no list": (model(merges={"a": "b"}), "model.merges: expected an array, got"),
    "a vocabulary that is no object": (model(vocab=["a"]), "model.vocab: expected an object, got"),
    "a page that reads like merges": (b"<html> <body>\n</body> </html>\n", "got a web page"),
    "merges of parts that nothing makes": (b"#version: 0.2\na b\nabc d\n", "Merge 2 needs 'abc', which no merge makes"),
    "a list without merges": (b"#version: 0.2\n", "expected at least one merge, got none"),
    "added tokens in an object": (
        json.dumps({**json.loads(model()), "added_tokens": {}}).encode(),
        "added_tokens: expected an array",
    ),
    "an empty token": (model(vocab={"": 0, "a": 1, "b": 2, "ab": 3}), "token 0: expected a token"),
    "a long token": (model(vocab={"a" * 70_000: 0}, merges=[]), "token 0: expected a token of at most 65,536"),
    "a long merge line": (b"a" * 5_000_000 + b" " + b"b" * 5_000_000, "line 1: expected a token of at most 65,536"),
    "a line of spaces": (b"a " * 1_000_000, "got a text that begins with 'a a a"),
    "two columns too many": (b"a b c 3\nb c d 2\n", "got a text that begins with 'a b c 3'"),
    "bytes missing": (b"YQ== 0\nYg== 1\n", "expected all 256 bytes, but the byte 0 is missing"),
    "a rank twice": (RANKED + b"YWI= 7\n", "line 257: the rank 7 is already on line 8"),
    "a token twice": (RANKED + b"YQ== 256\n", "line 257: expected a new token, got 'YQ=='"),
    "no base64": (RANKED + b"Y!Q= 256\n", "line 257: expected a token in base64, got 'Y!Q='"),
    "a rank of many digits": (RANKED + b"YWI= " + b"9" * 10_000 + b"\n", "line 257: expected a rank, a whole number"),
    "a rank far away": (RANKED + b"YWI= 99999999\n", "ranks must run without large gaps"),
    "too many bytes": (ranks(*(bytes([number]) * 40_000 for number in range(120))), "of at most 4,194,304 bytes"),
    "an added token with a text as its id": (
        json.dumps({**json.loads(model()), "added_tokens": [{"id": "3", "content": "<s>"}]}).encode(),
        r'added_tokens\[0\]\.id: expected a whole number, got "3"',
    ),
    "a long replacement": (
        normalizing({"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 101}),
        "normalizer.content: expected at most 100 characters, got 101",
    ),
    "a long text in front": (
        normalizing({"type": "Prepend", "prepend": "a" * 5_000_000}),
        "normalizer.prepend: expected at most 100 characters, got 5,000,000",
    ),
    "too much beside the model": (
        json.dumps({**json.loads(model()), "post_processor": [[]] * 300_000}).encode(),
        "upload: expected at most 262,144 values beside the vocabulary and the merges",
    ),
    "a slow pattern": (
        json.dumps(
            {
                **json.loads(model()),
                "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "a{500}{500}{500}"}, "behavior": "Isolated"},
            }
        ).encode(),
        "expected repeats of at most 1,000 in all",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_broken_file_gives_one_sentence(name: str) -> None:
    content, message = CASES[name]
    with pytest.raises(BPEError, match=message) as error:
        open_tokenizer({"upload": content})
    sentence = str(error.value)
    assert len(sentence) < 400
    assert "\n" not in sentence
    assert sentence.startswith("upload")


def test_a_gap_of_ranks_has_a_limit() -> None:
    def last_rank(number: int) -> dict[str, bytes]:
        return {"upload": RANKED + b"YWI= %d\n" % number}

    assert open_tokenizer(last_rank(256 + MOST_GAPS)).tokenizer.encode("ab") == [256 + MOST_GAPS]
    with pytest.raises(BPEError, match="ranks must run without large gaps, but the rank 256 is missing"):
        open_tokenizer(last_rank(257 + MOST_GAPS))


@pytest.mark.parametrize(("length", "parts"), [(100, 1), (9, 12)])
def test_a_normalizer_cannot_fill_the_memory(length: int, parts: int) -> None:
    replace = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * length}
    content = normalizing({"type": "Sequence", "normalizers": [replace] * parts})
    tokenizer = open_tokenizer({"upload": content}).tokenizer
    with pytest.raises(BPEError, match=r"would make this text more than [12]0 times as long"):
        tokenizer.encode("a" * 2_000)


def test_a_cycle_of_merges_is_no_danger() -> None:
    # Merges make tokens longer, so they cannot run in a circle.
    with pytest.raises(BPEError, match="the vocabulary must contain"):
        open_tokenizer({"upload": model(merges=[["a", "b"], ["ab", "a"]])})
    ours = open_tokenizer(
        {"upload": model(vocab={"a": 0, "aa": 1, "aaa": 2}, merges=[["aa", "a"], ["a", "aa"], ["a", "a"]])}
    )
    assert ours.tokenizer.tokens("aaaaa") == [b"aaa", b"aa"]


HUGE: dict[str, Callable[[], bytes]] = {
    "half a million tokens": lambda: model(
        vocab={"a": 0, "b": 1, "ab": 2, " ": 3, **{f"t{n}": n for n in range(4, 500_000)}}
    ).replace(b'{"model"', b'{"decoder": {"type": "Fuse"}, "model"', 1),
    "3,000 ranks that no merge makes": lambda: ranks(
        *(bytes(range(256)) * 3 + bytes([n // 256, n % 256]) for n in range(3_000))
    ),
    "long runs": lambda: ranks(*(b"a" * (n + 2) for n in range(1_500))),
    "a chain of merges": lambda: b"#version: 0.2\n" + b"".join(b"a" * n + b" a\n" for n in range(1, 2_500)),
}  # fmt: skip


LONG_TO_READ = ("half a million tokens", "long runs")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.weekly if name in LONG_TO_READ else pytest.mark.slow)
        for name in HUGE
    ],
)
def test_a_huge_file_is_read_in_bounded_time(name: str) -> None:
    content = HUGE[name]()
    start = time.process_time()
    tokenizer = open_tokenizer({"upload": content}).tokenizer
    assert tokenizer.decode(tokenizer.encode("ab aa")) == "ab aa"
    assert time.process_time() - start < 60  # a few seconds; before there were bounds, minutes


def test_two_files_must_belong_together() -> None:
    vocabulary = b'{"a": 0, "b": 1, "ab": 2}'
    assert open_tokenizer({"x.json": vocabulary, "y.txt": b"#version: 0.2\na b\n"}).tokenizer.encode(
        "ab"
    ) == [2]
    for files in ({"x": vocabulary, "y": vocabulary}, {"x": b"a b\n", "y": b"a b\n"}):
        with pytest.raises(BPEError, match=r"Expected vocab\.json and merges\.txt, got x and y"):
            open_tokenizer(files)
    with pytest.raises(BPEError, match="got x, y and z"):
        open_tokenizer({"x": b"", "y": b"", "z": b""})
