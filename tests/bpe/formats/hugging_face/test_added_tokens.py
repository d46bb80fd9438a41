"""Added tokens are found where Hugging Face's library finds them, special ones only where they are allowed."""

import json

import pytest
import tokenizers

import bpe
from bpe import VARIANTS
from bpe.analysis.alignment import aligned_rows
from bpe.analysis.audit import audit, remove_tokens
from bpe.analysis.decoding import decode_steps
from bpe.analysis.languages import document_curves
from bpe.analysis.spectrum import spectrum
from bpe.analysis.vocabulary import entries
from bpe.comparison.words import encoded_text
from bpe.formats.hugging_face.reading import open_tokenizer_json
from bpe.formats.hugging_face.writing import write_tokenizer
from tests.bpe.formats.hugging_face.model_files import MODEL_FILES, SPACES, UNSPELLED
from tests.bpe.formats.hugging_face.pipelines import ids_of
from tests.material import texts
from tests.material.many_strings import STRINGS

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
    tokenizer = open_tokenizer_json(theirs.to_str()).tokenizer
    for text in TEXTS:
        theirs.encode_special_tokens = False
        assert tokenizer.encode(text, allow_special=True) == ids_of(theirs, text), text
        theirs.encode_special_tokens = True  # "encode" them as other text
        assert tokenizer.encode(text) == ids_of(theirs, text), text


@pytest.mark.parametrize("name", MODEL_FILES)
def test_a_replay_and_the_units_of_a_text_have_the_same_tokens(name: str) -> None:
    tokenizer = open_tokenizer_json(MODEL_FILES[name]().to_str()).tokenizer
    text = "\n".join(TEXTS[-80:])
    tokens = tokenizer.tokens(text)
    trace = bpe.replay(text, tokenizer)
    assert trace.segment(text, len(trace.steps)) == tokens
    assert trace.tokens_total(len(trace.steps)) == len(tokens)
    assert sum(encoded_text(tokenizer, text).tokens_in(text.splitlines(keepends=True))) == len(tokens)
    assert [token for word in list(tokenizer.encode_steps(text))[-1].segmentation for token in word] == tokens


def test_a_run_of_spaces_is_one_token_in_every_way_to_look_at_a_text() -> None:
    tokenizer = open_tokenizer_json(MODEL_FILES["gpt-neox"]().to_str()).tokenizer
    assert tokenizer.special_tokens == ("<unk>", "<|end|>")  # the runs are none
    run = tokenizer.encode(SPACES[0])
    assert tokenizer.decode(run) == SPACES[0]
    assert len(run) == 1
    for slug in ("rank", "rules", "longest", "prefix", "fewest"):
        assert b" " * 8 in tokenizer.tokens(CODE, slug), slug
    trace = bpe.continue_training(CODE * 9, tokenizer, merges=3, second_pattern="lines")
    assert b" " * 8 in trace.segment(CODE, len(trace.steps))  # no superword reaches across it


def test_a_symbol_that_the_vocabulary_lacks_is_dropped_before_its_neighbours_are_merged() -> None:
    opened = open_tokenizer_json(MODEL_FILES["metaspace, no unknown token"]().to_str())
    assert opened.tokenizer.encode("t\u0000he") == opened.tokenizer.encode("the")
    assert opened.ignored == (
        "The file names no unknown token: as in the library, text that its vocabulary cannot spell is dropped.",
    )


@pytest.mark.parametrize("name", MODEL_FILES)
def test_every_view_of_a_text_holds_its_tokens(name: str) -> None:
    tokenizer = open_tokenizer_json(MODEL_FILES[name]().to_str()).tokenizer
    tokens = tokenizer.tokens(CODE)
    trace = bpe.replay(CODE, tokenizer)
    rows = aligned_rows(CODE, tokenizer)
    assert [cell.symbol for cell in rows[-1].cells if cell.kind != "gap"] == tokens
    level = spectrum(trace, tokenizer)[1].row(tokenizer.normalise(CODE))
    assert [cell.symbol for cell in level.cells if cell.kind != "gap"] == tokens
    ids = tokenizer.encode(CODE)
    assert not [step for step in decode_steps(tokenizer, list(map(str, ids))) if step.problem]
    in_use = {entry.symbol for entry in entries(trace, len(trace.steps)) if entry.in_use}
    assert {token for token in tokens if token in tokenizer.ids} <= in_use
    assert len(tokenizer.offsets(CODE)) == len(tokens)
    assert document_curves(trace, {"code": CODE})[0].tokens[-1] == len(tokens)


def test_tokens_whose_characters_stand_for_no_byte_keep_their_ids_and_are_audited() -> None:
    theirs = MODEL_FILES["command r"]()
    opened = open_tokenizer_json(theirs.to_str())
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
        "6 tokens are spelled with characters that stand for no byte: as in the library, no text leads to them.",
    )
    found = [one for one in audit(tokenizer, STRINGS)["unreachable"] if one.id in ids]
    assert [tokenizer.variant.label(one.symbol) for one in found] == [
        VARIANTS["bytes"].label(token.encode()) for token in UNSPELLED
    ]
    assert {one.because for one in found} == {"the file spells it with characters that stand for no byte"}
    smaller = remove_tokens(tokenizer, ids).tokenizer
    assert json.loads(write_tokenizer(smaller))["model"]["vocab"].keys() == theirs.get_vocab().keys() - {
        *UNSPELLED
    }
