"""A tokenizer.json that Hugging Face's library saved encodes here as it encodes there."""

import json

import pytest
import tokenizers
from tokenizers import AddedToken, decoders, processors

import bpe
from bpe.encoding.merging import merge_table
from bpe.formats.hugging_face.pre_tokenizers import read_pre_tokenizer
from bpe.formats.hugging_face.reading import open_tokenizer_json
from tests.bpe.formats.hugging_face.model_files import MODEL_FILES
from tests.bpe.formats.hugging_face.pipelines import PIPELINES, ids_of, library, ours_of, split
from tests.material.many_strings import STRINGS, one_in_six


@pytest.mark.parametrize("name", PIPELINES)
def test_a_tokenizer_json_encodes_as_its_library(name: str) -> None:
    theirs = library(name)
    tokenizer = open_tokenizer_json(theirs.to_str()).tokenizer
    assert len(tokenizer.merges) > 100
    different = [
        (text, ours_of(tokenizer, text), ids_of(theirs, text))
        for text in STRINGS
        if ours_of(tokenizer, text) != ids_of(theirs, text)
    ][:3]
    assert different == []


@pytest.mark.parametrize("name", PIPELINES)
def test_a_tokenizer_json_is_replayed_as_it_encodes(name: str) -> None:
    tokenizer = open_tokenizer_json(library(name).to_str()).tokenizer
    text = "\n".join(STRINGS[:90])
    trace = bpe.replay(text, tokenizer)
    assert trace.segment(text, len(trace.steps)) == tokenizer.tokens(text)
    assert trace.steps


def test_special_tokens_are_found_as_the_library_finds_them() -> None:
    theirs = library("llama 3")
    theirs.add_special_tokens(["<|eot|>", "<|eot|>x"])
    theirs.add_tokens(["ordinary token"])
    theirs.add_special_tokens([AddedToken("<mask>", lstrip=True)])
    opened = open_tokenizer_json(theirs.to_str())
    for text in ["a<|eot|> b<|eot|>x", "an ordinary token<|end|>", "<|end|><|end|>", *STRINGS[:20]]:
        assert opened.tokenizer.encode(text, allow_special=True) == ids_of(theirs, text), text
    ids = ids_of(theirs, "a<|eot|>b")
    assert opened.tokenizer.decode(ids) == theirs.decode(ids, skip_special_tokens=False)
    assert [note for note in opened.ignored if "decoder" not in note] == []


@pytest.mark.parametrize("name", sorted({*PIPELINES, *MODEL_FILES}))
def test_offsets_are_those_of_the_library_in_the_text_that_was_typed(name: str) -> None:
    """Not where the library leaves characters out: what follows them then has wrong offsets there."""
    theirs = library(name) if name in PIPELINES else MODEL_FILES[name]()
    theirs.post_processor = processors.ByteLevel(trim_offsets=False)
    theirs.encode_special_tokens = True
    tokenizer = open_tokenizer_json(theirs.to_str()).tokenizer
    for text in one_in_six(STRINGS, name):
        if not tokenizer.variant.drops_unknown:
            assert tokenizer.offsets(text) == theirs.encode(text).offsets, text


def test_a_list_with_every_way_to_make_a_token_encodes_and_replays_alike() -> None:
    # As lists converted from a vocabulary have them: Llama's.
    content = json.loads(library("llama 3").to_str())
    vocab = content["model"]["vocab"]
    every = [
        (vocab[token], vocab[token[:end]], vocab[token[end:]], [token[:end], token[end:]])
        for token in vocab
        for end in range(1, len(token))
        if token[:end] in vocab and token[end:] in vocab and token not in ("<unk>", "<|end|>")
    ]
    content["model"]["merges"] = [merge for *_, merge in sorted(every)]
    theirs = tokenizers.Tokenizer.from_str(json.dumps(content))
    tokenizer = open_tokenizer_json(json.dumps(content)).tokenizer
    assert len(tokenizer.merges) > len(vocab) - 258  # more than one way to make some tokens
    assert merge_table(tokenizer.merges).ordered is False
    for text in STRINGS:
        assert ours_of(tokenizer, text) == ids_of(theirs, text), text
        trace = bpe.replay(text, tokenizer)
        assert trace.segment(text, len(trace.steps)) == tokenizer.tokens(text), text


BEHAVIORS = ["isolated", "removed", "merged_with_previous", "merged_with_next", "contiguous"]


@pytest.mark.parametrize("invert", [False, True])
@pytest.mark.parametrize("behavior", BEHAVIORS)
@pytest.mark.parametrize("pattern", ["-", "-+", r"\s+(?!\S)|\s", r"[^-]"])
def test_split_cuts_as_its_library(pattern: str, behavior: str, invert: bool) -> None:
    theirs = split(pattern, behavior, invert)
    part = json.loads(theirs.__getstate__())
    ours = read_pre_tokenizer(part)
    for text in ["a--b-c--", "---", "-a", "a-", "", "a b   c \n d", *STRINGS[:40]]:
        assert ours.split(text) == [piece for piece, _ in theirs.pre_tokenize_str(text)], text


@pytest.mark.parametrize(
    ("name", "text", "decoded"),
    [
        ("gpt2", "Fox  jumps\n", "Fox  jumps\n"),
        ("llama 3", "Fox  jumps\n字", "Fox  jumps\n字"),
        ("clip", "The Fox  jumps", "the fox jumps"),
        ("metaspace", "The fox  jumps", "The fox  jumps"),
        ("metaspace, never", "the fox", "the fox"),
        ("llama 2", "The fox 𒀀\n\n jumps", "The fox 𒀀\n\n jumps"),
        ("hf characters", "The fox  jumps", "The fox jumps"),
    ],
)
def test_with_an_unknown_decoder_ids_are_joined_to_the_text_as_the_file_keeps_it(
    name: str, text: str, decoded: str
) -> None:
    content = json.loads(library(name).to_str())
    tokenizer = open_tokenizer_json(json.dumps({**content, "decoder": {"type": "CTC"}})).tokenizer
    assert tokenizer.decode(tokenizer.encode(text)) == decoded


@pytest.mark.parametrize(
    ("normalizer", "read"),
    [
        ({"type": "Replace", "pattern": {"String": "zzz in front"}, "content": " in front"}, " ab a"),
        ({"type": "Prepend", "prepend": " in front"}, " in front ab a"),
        ({"type": "Prepend", "prepend": "▁"}, " ab a"),
        ({"type": "Prepend", "prepend": " "}, " ab a"),
    ],
)
def test_with_an_unknown_decoder_the_first_space_is_dropped_only_if_the_file_adds_one(
    normalizer: dict[str, object], read: str
) -> None:
    alphabet = {character: number for number, character in enumerate(" abzinfrot▁")}
    model = {"type": "BPE", "vocab": {**alphabet, "ab": len(alphabet)}, "merges": ["a b"], "unk_token": "z"}
    content = {"model": model, "normalizer": normalizer, "decoder": {"type": "CTC"}}
    tokenizer = open_tokenizer_json(json.dumps(content)).tokenizer
    assert tokenizer.decode(tokenizer.encode(" ab a")) == read


DECODERS = {
    "none": None,
    "word pieces": decoders.WordPiece(),
    "word pieces as they are": decoders.WordPiece("##", cleanup=False),
}


@pytest.mark.parametrize("name", DECODERS)
def test_ids_are_joined_as_the_library_joins_them(name: str) -> None:
    theirs = library("prefix inside words")
    theirs.decoder = DECODERS[name]
    opened = open_tokenizer_json(theirs.to_str())
    for text in ["Don't do not! Is it 's, what?", *STRINGS[::4]]:
        ids = ids_of(theirs, text)
        assert opened.tokenizer.decode(ids) == theirs.decode(ids, skip_special_tokens=False), text
    assert ("puts a space between tokens" in "".join(opened.ignored)) == (name == "none")
