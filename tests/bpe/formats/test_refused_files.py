"""Files that cannot be written or read are refused: the sentence names the token, the line or the field."""

import base64
import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import ENCODERS, VARIANTS, BPEError, Tokenizer, train
from bpe.formats import FORMATS
from bpe.formats.hugging_face.reading import read_tokenizer
from bpe.formats.merges_txt import read_merges
from bpe.formats.vocab_json import read_vocabulary
from tests.bpe.formats.hugging_face.changed_file import changed
from tests.bpe.text.random_texts import examples

# Tokenizers that cannot be written


def lines(text: str) -> Tokenizer:
    return train(text, variant="custom", pattern=".+", unit="characters", merges=2).tokenizer()


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
        ("merges-txt", "char-eow", "a b\nc d\na b\n", "line 3: the merge 'a b' is already in line 1"),
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
        ("tiktoken", "bytes", "YQ== 0\nYg== 0\n", "line 2: the rank 0 is already in line 1"),
        ("tiktoken", "bytes", "YQ== 0\nYQ== 1\n", "line 2: expected a new token"),
        ("tiktoken", "bytes", "YQ== 0\n", "expected all 256 bytes, but the byte 0 is missing"),
        ("tiktoken", "bytes", RANKS + "YWI= 300000\n", "ranks must run without large gaps, but the rank 256 is"),
        ("tiktoken", "bytes", "", "expected tokens and their ranks, got nothing"),
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
        (changed(type="Unigram"), r"model.type: expected 'BPE', got \"Unigram\""),
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
        (changed(merges=[["a", "q"], ["a", "q"]]), r'merges\[1\]: the merge \["a", "q"\] is already at \[0\]'),
        (changed(merges=[["a", "q"]]), r"tokenizer.json: Merge 1: the vocabulary must contain 'aq'"),
        (changed(vocab=[]), "model.vocab: expected an object"),
        (changed(unk_token="<unk>"), 'must contain the special token "<unk>"'),
        (changed(pre_tokenizer={"type": "UnicodeScripts"}), "pre_tokenizer: .UnicodeScripts. is not supported"),
        (
            changed(normalizer={"type": "Precompiled", "precompiled_charsmap": "*"}),
            "normalizer.precompiled_charsmap: expected base64",
        ),
        (changed(normalizer={"type": "Nmt"}), "normalizer: .Nmt. is not supported; supported are NFC"),
        (changed(added_tokens=[{"content": "x"}]), r"added_tokens\[0\].id: expected a whole number, got null"),
        (changed(added_tokens=[{"content": "a", "id": 3}]), r"added_tokens\[0\].id: expected \d+, as in model.vocab"),
    ],
)  # fmt: skip
def test_an_unsupported_tokenizer_json_is_refused_with_its_field(content: str, message: str) -> None:
    with pytest.raises(BPEError, match=message):
        read_tokenizer(content)


# Only BPEError is raised, whatever the file

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 300) | st.text(max_size=3) | st.just("</w>"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
FIELDS = [
    "added_tokens", "normalizer", "pre_tokenizer", "vocab", "merges", "unk_token", "end_of_word_suffix", "type",
]  # fmt: skip


@examples(100)
@given(
    slug=st.sampled_from(list(FORMATS)), variant=st.sampled_from(list(VARIANTS)), content=st.text(max_size=30)
)
def test_any_text_is_read_or_refused(slug: str, variant: str, content: str) -> None:
    with contextlib.suppress(BPEError):
        FORMATS[slug].read(content, VARIANTS[variant]).encode("a b")


@examples(100)
@given(field=st.sampled_from(FIELDS), value=json_values)
def test_any_field_of_a_tokenizer_json_is_read_or_refused(field: str, value: object) -> None:
    with contextlib.suppress(BPEError):
        read_tokenizer(changed(**{field: value})).encode("a b", allow_special=True)


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
