"""A tokenizer.json that Hugging Face's library saved encodes here as it encodes there."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import tokenizers
from tokenizers import AddedToken, decoders, processors

import bpe
from bpe import BPEError, Tokenizer
from bpe.analysis.alignment import aligned_rows
from bpe.analysis.decoding import decode_steps
from bpe.analysis.languages import document_curves
from bpe.analysis.vocabulary import entries
from bpe.comparison.words import _encoded_text
from bpe.encoding.merging import merge_table
from bpe.formats.hugging_face.pre_tokenizers import read_pre_tokenizer
from bpe.formats.hugging_face.reading import _open_tokenizer_json, read_tokenizer
from bpe.formats.hugging_face.writing import write_tokenizer
from bpe.formats.opening import open_tokenizer
from bpe.formats.sentencepiece.opening import open_model
from bpe.formats.sentencepiece.writing import write_model
from tests.bpe.formats.hugging_face_files import (
    LLAMA3,
    MODEL_FILES,
    PIPELINES,
    SPACES,
    UNSPELLED,
    ids_of,
    library,
    ours_of,
    split,
)
from tests.bpe.formats.test_written_models import trained as ours
from tests.material import texts
from tests.material.hostile_texts import STRINGS, one_in, one_in_six
from tests.material.spm_models import trained


@pytest.mark.parametrize("name", PIPELINES)
def test_a_tokenizer_json_encodes_as_its_library(name: str) -> None:
    theirs = library(name)
    tokenizer = _open_tokenizer_json(theirs.to_str()).tokenizer
    assert len(tokenizer.merges) > 100
    different = [
        (text, ours_of(tokenizer, text), ids_of(theirs, text))
        for text in one_in(2, STRINGS, name)
        if ours_of(tokenizer, text) != ids_of(theirs, text)
    ][:3]
    assert different == []


@pytest.mark.parametrize("name", PIPELINES)
def test_a_tokenizer_json_is_replayed_as_it_encodes(name: str) -> None:
    tokenizer = _open_tokenizer_json(library(name).to_str()).tokenizer
    text = "\n".join(one_in_six(STRINGS, name))
    trace = bpe.replay(text, tokenizer)
    assert trace.segment(text, len(trace.steps)) == tokenizer.tokens(text)
    assert trace.steps


LEAVE_TEXT_OUT_BEFORE = {
    "words, a space in front of each, digits after bytes"
}  # a change that comes after a split


@pytest.mark.parametrize("name", PIPELINES)
def test_a_variant_is_lossless_where_no_split_leaves_text_out(name: str) -> None:
    variant = read_tokenizer(library(name).to_str()).variant
    assert variant.lossless == (not variant.loses)
    returned = all(variant.normalise(text) == text for text in STRINGS)
    assert variant.lossless == (returned and name not in LEAVE_TEXT_OUT_BEFORE)


def test_special_tokens_are_found_as_the_library_finds_them() -> None:
    theirs = library("llama 3")
    theirs.add_special_tokens(["<|eot|>", "<|eot|>x"])
    theirs.add_tokens(["ordinary token"])
    theirs.add_special_tokens([AddedToken("<mask>", lstrip=True)])
    opened = _open_tokenizer_json(theirs.to_str())
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
    tokenizer = _open_tokenizer_json(theirs.to_str()).tokenizer
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
    tokenizer = _open_tokenizer_json(json.dumps(content)).tokenizer
    assert len(tokenizer.merges) > len(vocab) - 258  # more than one way to make some tokens
    assert merge_table(tokenizer.merges).ordered is False
    for text in STRINGS:
        assert ours_of(tokenizer, text) == ids_of(theirs, text), text
        trace = bpe.replay(text, tokenizer)
        assert trace.segment(text, len(trace.steps)) == tokenizer.tokens(text), text


def test_a_list_that_makes_long_runs_first_replays_to_the_ids_of_its_library() -> None:
    """As Gemma's, which begins with the longest runs: a run of spaces grows from its left end, one at a time."""
    content = json.loads(library("gemma").to_str())
    model = content["model"]
    model["ignore_merges"], content["pre_tokenizer"] = False, None
    runs = [sign * length for length in range(31, 1, -1) for sign in ("\n", "▁", "\t")]
    for sign in ("\t", "\n", "▁", *runs):
        model["vocab"].setdefault(sign, len(model["vocab"]))
    first = [[run[:end], run[end:]] for run in runs for end in range(len(run) - 1, 0, -1)]
    model["merges"] = [*first, *(merge for merge in model["merges"] if merge not in first)]
    theirs = tokenizers.Tokenizer.from_str(json.dumps(content))
    theirs.add_tokens([AddedToken(token, normalized=False) for token in ("\n\n\n", "▁" * 4, "▁" * 5)])
    tokenizer = _open_tokenizer_json(theirs.to_str()).tokenizer
    text = "".join(
        f"{' ' * (number * 7 % 83)}the fox {number}{chr(9) * (number * 5 % 37)}{chr(10) * (number % 35)}"
        for number in range(120)
    )
    text += "\n\n\n    \n\n\n"  # a word that reads like an added token, which merges make elsewhere
    trace = bpe.replay(text, tokenizer)
    last = [trace.id_of(token) for token in trace.segment(text, len(trace.steps))]
    assert last == ids_of(theirs, text)
    assert max(map(len, trace.segment(text, len(trace.steps)))) == 31 * len("▁".encode())
    assert trace.replayed
    assert trace.replayed.reordered > 50
    for k in range(0, len(trace.steps) + 1, 9):
        assert sum(trace.token_counts(k).values()) == trace.tokens_total(k)
        assert trace.in_use(k) == trace.in_use_by_step()[k]


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
    tokenizer = _open_tokenizer_json(json.dumps({**content, "decoder": {"type": "CTC"}})).tokenizer
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
    tokenizer = _open_tokenizer_json(json.dumps(content)).tokenizer
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
    opened = _open_tokenizer_json(theirs.to_str())
    for text in ["Don't do not! Is it 's, what?", *STRINGS[::4]]:
        ids = ids_of(theirs, text)
        assert opened.tokenizer.decode(ids) == theirs.decode(ids, skip_special_tokens=False), text
    assert ("puts a space between tokens" in "".join(opened.ignored)) == (name == "none")


# SentencePiece models written as a tokenizer.json: Hugging Face's library gives the same ids, or a part is
# named.

FITS = ("identity", "as Llama 2")
NAMED = {
    "as the library does by default": "normalizer_spec.precompiled_charsmap",
    "a space behind": "precompiled_charsmap",
    "pieces of one's own": "precompiled_charsmap",
}


@pytest.mark.parametrize("name", [*FITS, "written by us"])
def test_the_library_gives_the_ids_of_the_model(name: str) -> None:
    content = write_model(ours("sentencepiece")) if name == "written by us" else trained(name)
    tokenizer = open_model(content).tokenizer
    written = write_tokenizer(tokenizer)
    library = tokenizers.Tokenizer.from_str(written)
    library.encode_special_tokens = True
    back = open_tokenizer({"tokenizer.json": written.encode()}).tokenizer
    for text in STRINGS:
        ids = tokenizer.encode(text)
        assert library.encode(text).ids == ids, text
        assert back.encode(text) == ids, text
        decoded = library.decode(ids, skip_special_tokens=False)
        assert decoded == back.decode(ids), text
        assert name != "as Llama 2" or decoded == tokenizer.decode(ids), text  # has bytes
    assert write_tokenizer(back) == written


@pytest.mark.parametrize("name", NAMED)
def test_a_part_that_the_file_cannot_hold_is_named(name: str) -> None:
    with pytest.raises(BPEError, match=NAMED[name]):
        write_tokenizer(open_model(trained(name)).tokenizer)


# What was opened is written again: equal, or with new merges and all other parts untouched.

FILES: dict[str, Callable[[], Any]] = {**{name: partial(library, name) for name in PIPELINES}, **MODEL_FILES}
LINES = texts.source()[40_000:41_500].split("\n")


def content_of(name: str) -> dict[str, Any]:
    theirs = FILES[name]()
    theirs.post_processor = processors.TemplateProcessing(
        single="<unk> $A", pair=None, special_tokens=[("<unk>", 0)]
    )
    content: dict[str, Any] = json.loads(theirs.to_str())
    return content


@pytest.mark.parametrize("name", FILES)
def test_an_opened_file_is_written_equal(name: str) -> None:
    content = content_of(name)
    content["model"]["merges"] = [tuple(merge) for merge in content["model"]["merges"]]
    written = json.loads(write_tokenizer(read_tokenizer(json.dumps(content))))
    content["model"]["merges"] = list(map(list, content["model"]["merges"]))
    assert written == content
    assert list(written["model"]) == list(content["model"])  # in the same order


def test_merges_stay_texts_if_the_file_has_texts() -> None:
    content = content_of("gpt2")
    content["model"]["merges"] = [" ".join(merge) for merge in content["model"]["merges"]]
    assert json.loads(write_tokenizer(read_tokenizer(json.dumps(content)))) == content


@pytest.mark.parametrize("name", sorted(FILES.keys() - {"bytes missing, no unknown token"}))
def test_a_continued_file_encodes_and_decodes_as_its_library(name: str) -> None:
    content = content_of(name)
    opened = read_tokenizer(json.dumps(content))
    trace = bpe.continue_training("\n".join(LINES), opened, merges=25)
    tokenizer = trace.tokenizer()
    assert len(tokenizer.merges) > len(opened.merges) + 20
    written = json.loads(write_tokenizer(tokenizer))
    theirs = tokenizers.Tokenizer.from_str(json.dumps(written))
    for text in [*LINES[:10], *one_in_six(STRINGS, name)]:
        ids = ids_of(theirs, text)
        assert ours_of(tokenizer, text) == ids, text
        if name != "lower case":  # there the library decodes an added token to its text in lower case
            assert tokenizer.decode(ids) == theirs.decode(ids, skip_special_tokens=False), text
    for part in content.keys() - {"model"}:
        assert written[part] == content[part]
    again = read_tokenizer(json.dumps(written))
    assert (again.vocabulary, again.merges) == (tuple(tokenizer.vocabulary), tuple(tokenizer.merges))


@pytest.mark.parametrize("name", ["gpt2", "llama 3", "starcoder", "deepseek", "gpt-neox"])
def test_superwords_take_the_place_of_the_splits(name: str) -> None:
    content = content_of(name)
    trace = bpe.continue_training(
        texts.SENTENCES * 9, read_tokenizer(json.dumps(content)), merges=60, second_pattern="lines"
    )
    tokenizer = trace.tokenizer()
    assert any(b" " in token.strip() for token in tokenizer.vocabulary[-60:])
    written = json.loads(write_tokenizer(tokenizer))
    theirs = tokenizers.Tokenizer.from_str(json.dumps(written))
    for text in [*texts.SENTENCES.split("\n"), *LINES[:80]]:
        assert ours_of(tokenizer, text) == ids_of(theirs, text), text
    for part in content.keys() - {"model", "pre_tokenizer"}:
        assert written[part] == content[part]


def test_superwords_of_a_file_that_leaves_text_out_name_the_part() -> None:
    tokenizer = read_tokenizer(json.dumps(content_of("clip")))
    trace = bpe.continue_training("a b a b", tokenizer, merges=1, second_pattern="lines")
    with pytest.raises(
        BPEError, match="superwords need a pre_tokenizer that keeps all text and ends with ByteLevel"
    ):
        write_tokenizer(trace.tokenizer())


@pytest.mark.parametrize("unit", ["bytes", "characters"])
def test_a_training_with_a_pattern_of_ones_own_is_a_tokenizer_json(unit: Any) -> None:
    variant = bpe.train("", "custom", pattern=LLAMA3, unit=unit, merges=0).variant
    corpus = "\n".join(LINES)
    trace = bpe.train(corpus, variant, merges=200, special_tokens=["<unk>"], unknown_token="<unk>")
    tokenizer = trace.tokenizer()
    theirs = tokenizers.Tokenizer.from_str(write_tokenizer(tokenizer))
    for text in [*LINES[:60], *STRINGS[:80]]:
        assert ours_of(tokenizer, text) == ids_of(theirs, text), text
        ids = ids_of(theirs, text)
        assert theirs.decode(ids, skip_special_tokens=False) == tokenizer.decode(ids), text
    back = read_tokenizer(write_tokenizer(tokenizer))
    assert [back.encode(text) for text in LINES] == [tokenizer.encode(text) for text in LINES]


def test_a_pattern_that_oniguruma_reads_otherwise_is_refused() -> None:
    tokenizer: Tokenizer = bpe.train("a b", "custom", pattern=r"\w+$|.", merges=1).tokenizer()
    with pytest.raises(BPEError, match=r"tokenizer\.json cannot hold the variant's pattern"):
        write_tokenizer(tokenizer)


# Added tokens are found where Hugging Face's library finds them, special ones only where they are allowed.

CODE = "def f(x):\n        return x\n\n\n\t\tx  =   1\n"
TEXTS = [
    *STRINGS,
    *texts.source()[:12_000].split("\n"),
    CODE,
    " " * 60 + "x",
    " <s>x</s> ",
    "x<mask> y  <mask>  z",
    "the other the, a the4 the fox THE  Fox",
    "<0x09>a\tb\u0000",
    "▁▁x  y ▁ 𒀀",
]


@pytest.mark.parametrize("name", MODEL_FILES)
def test_a_file_encodes_as_its_library_with_and_without_special_tokens(name: str) -> None:
    theirs = MODEL_FILES[name]()
    tokenizer = _open_tokenizer_json(theirs.to_str()).tokenizer
    for text in TEXTS:
        theirs.encode_special_tokens = False
        assert tokenizer.encode(text, allow_special=True) == ids_of(theirs, text), text
        theirs.encode_special_tokens = True  # "encode" them as other text
        assert tokenizer.encode(text) == ids_of(theirs, text), text


@pytest.mark.parametrize("name", MODEL_FILES)
def test_a_replay_and_the_units_of_a_text_have_the_same_tokens(name: str) -> None:
    tokenizer = _open_tokenizer_json(MODEL_FILES[name]().to_str()).tokenizer
    text = "\n".join(TEXTS[-80:])
    tokens = tokenizer.tokens(text)
    trace = bpe.replay(text, tokenizer)
    assert trace.segment(text, len(trace.steps)) == tokens
    assert trace.tokens_total(len(trace.steps)) == len(tokens)
    assert len(_encoded_text(tokenizer, text).starts) == len(tokens)
    assert [token for word in list(tokenizer.encode_steps(text))[-1].segmentation for token in word] == tokens


def test_a_run_of_spaces_is_one_token_in_every_way_to_look_at_a_text() -> None:
    tokenizer = _open_tokenizer_json(MODEL_FILES["gpt-neox"]().to_str()).tokenizer
    assert tokenizer.special_tokens == ("<unk>", "<|end|>")  # the runs are none
    run = tokenizer.encode(SPACES[0])
    assert tokenizer.decode(run) == SPACES[0]
    assert len(run) == 1
    for slug in ("rank", "rules", "longest", "prefix", "fewest"):
        assert b" " * 8 in tokenizer.tokens(CODE, slug), slug
    trace = bpe.continue_training(CODE * 9, tokenizer, merges=3, second_pattern="lines")
    assert b" " * 8 in trace.segment(CODE, len(trace.steps))  # no superword reaches across it


def test_a_symbol_that_the_vocabulary_lacks_is_dropped_before_its_neighbours_are_merged() -> None:
    opened = _open_tokenizer_json(MODEL_FILES["metaspace, no unknown token"]().to_str())
    assert opened.tokenizer.encode("t\u0000he") == opened.tokenizer.encode("the")
    assert opened.ignored == (
        "The file names no unknown token: as in the library, text that its vocabulary cannot spell is dropped.",
    )


@pytest.mark.parametrize("name", MODEL_FILES)
def test_every_view_of_a_text_holds_its_tokens(name: str) -> None:
    tokenizer = _open_tokenizer_json(MODEL_FILES[name]().to_str()).tokenizer
    tokens = tokenizer.tokens(CODE)
    trace = bpe.replay(CODE, tokenizer)
    rows = aligned_rows(CODE, tokenizer)
    assert [cell.symbol for cell in rows[-1].cells if cell.kind != "gap"] == tokens
    ids = tokenizer.encode(CODE)
    assert not [step for step in decode_steps(tokenizer, list(map(str, ids))) if step.problem]
    in_use = {entry.symbol for entry in entries(trace, len(trace.steps)) if entry.in_use}
    assert {token for token in tokens if token in tokenizer.ids} <= in_use
    assert len(tokenizer.offsets(CODE)) == len(tokens)
    assert document_curves(trace, {"code": CODE})[0].tokens[-1] == len(tokens)


def test_tokens_whose_characters_stand_for_no_byte_keep_their_ids() -> None:
    theirs = MODEL_FILES["command r"]()
    opened = _open_tokenizer_json(theirs.to_str())
    tokenizer = opened.tokenizer
    written = write_tokenizer(tokenizer)
    assert json.loads(written)["model"]["vocab"] == theirs.get_vocab()
    again = tokenizers.Tokenizer.from_str(written)
    theirs.encode_special_tokens = again.encode_special_tokens = True  # as other text
    for text in [*STRINGS, *UNSPELLED, "".join(UNSPELLED)]:
        encoding = again.encode(text)
        assert tokenizer.encode(text) == encoding.ids == theirs.encode(text).ids, text
        assert tokenizer.decode(encoding.ids) == theirs.decode(encoding.ids), text
        assert tokenizer.offsets(text) == encoding.offsets, text
        for encoder in ("longest", "fewest"):
            assert not {theirs.token_to_id(token) for token in UNSPELLED} & {*tokenizer.encode(text, encoder)}
    ids = [theirs.token_to_id(token) for token in UNSPELLED]
    assert tokenizer.decode([*ids, 70]) == theirs.decode([*ids, 70])
    assert opened.ignored == (
        "6 tokens are spelled with characters that stand for no byte: as in the library, no text gives them.",
    )
