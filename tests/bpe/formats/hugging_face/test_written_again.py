"""What was opened is written again: equal, or with new merges and all other parts untouched."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import tokenizers
from tokenizers import processors

import bpe
from bpe import BPEError, Tokenizer
from bpe.formats.hugging_face.reading import read_tokenizer
from bpe.formats.hugging_face.writing import write_tokenizer
from tests.bpe.formats.hugging_face.model_files import MODEL_FILES
from tests.bpe.formats.hugging_face.pipelines import LLAMA3, PIPELINES, ids_of, library, ours_of
from tests.material import texts
from tests.material.many_strings import STRINGS, one_in_six

FILES: dict[str, Callable[[], Any]] = {**{name: partial(library, name) for name in PIPELINES}, **MODEL_FILES}
LINES = texts.source()[40_000:46_000].split("\n")


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
    for text in [*LINES[:20], *one_in_six(STRINGS, name)]:
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
