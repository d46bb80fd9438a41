"""Tokenizers are opened, saved and used for many texts at once."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import bpe
from bpe import BPEError, Tokenizer
from bpe.encoding.batch import TASKS
from bpe.formats.hugging_face.reading import read_tokenizer
from bpe.formats.opened import Opened
from tests.bpe.formats.hugging_face.model_files import MODEL_FILES
from tests.material import texts

TEXTS = [*texts.SENTENCES.split(". "), "", "<s>  x", texts.source()[:3_000]] * 3


@pytest.fixture(scope="module")
def opened() -> Tokenizer:
    return read_tokenizer(MODEL_FILES["gpt-neox"]().to_str())


def test_a_batch_is_encoded_text_by_text(opened: Tokenizer) -> None:
    for special in (False, True):
        each = [opened.encode(text, allow_special=special) for text in TEXTS]
        assert opened.encode_batch(TEXTS, allow_special=special) == each
        for executor in (ThreadPoolExecutor(2), ProcessPoolExecutor(2, mp_context=get_context("spawn"))):
            with executor:
                assert opened.encode_batch(TEXTS, allow_special=special, executor=executor) == each
                assert opened.encode_batch(iter([]), executor=executor) == []
    dropout = bpe.ENCODERS["dropout"].using(p=0.5, seed=3)
    with ThreadPoolExecutor(2) as executor:
        in_threads = opened.encode_batch(TEXTS, dropout, executor=executor)
    assert in_threads == [opened.encode(text, dropout) for text in TEXTS]


def test_no_more_tasks_than_so_many_are_sent(opened: Tokenizer) -> None:
    class Counting(ThreadPoolExecutor):
        tasks = 0

        def submit(self, *arguments: Any, **named: Any) -> Any:
            Counting.tasks += 1
            return super().submit(*arguments, **named)

    for batch in (["one text"] * 500, ["x", *[""] * 500]):
        Counting.tasks = 0
        with Counting(2) as executor:
            assert len(opened.encode_batch(batch, executor=executor)) == len(batch)
        assert 1 < Counting.tasks <= TASKS


@pytest.mark.parametrize(
    ("texts", "executor", "message"),
    [
        ("one text", None, "texts must be a list of texts, got 'one text'"),
        (["a", b"b"], None, "The text number 2 of the batch must be a str, got bytes"),
        (["a"], 2, "executor must be a concurrent.futures.Executor or None, got 2"),
    ],
)
def test_a_wrong_batch_is_refused(opened: Tokenizer, texts: Any, executor: Any, message: str) -> None:
    with pytest.raises(BPEError, match=message):
        opened.encode_batch(texts, executor=executor)


@pytest.mark.parametrize("name", ["tokenizer.json", "ranks.tiktoken"])
def test_a_saved_tokenizer_is_the_same_when_it_is_opened(name: str, tmp_path: Path) -> None:
    tokenizer = bpe.train(texts.SENTENCES, "bytes-gpt4", merges=90).tokenizer()
    tokenizer.save(tmp_path / name)
    again = Tokenizer.from_file(tmp_path / name)
    assert (again.vocabulary, again.merges) == (tokenizer.vocabulary, tokenizer.merges)
    assert again.encode_batch(TEXTS) == tokenizer.encode_batch(TEXTS)


def test_two_files_are_one_tokenizer(tmp_path: Path) -> None:
    tokenizer = bpe.train(texts.SENTENCES, "bytes-gpt2", merges=90).tokenizer()
    files = [tmp_path / "vocab.json", tmp_path / "merges.txt"]
    for file in files:
        tokenizer.save(file)
    assert Tokenizer.from_file(*map(str, files)).encode_batch(TEXTS) == tokenizer.encode_batch(TEXTS)


def test_an_opened_file_is_saved_as_it_was(opened: Tokenizer, tmp_path: Path) -> None:
    opened.save(tmp_path / "neox.json")
    assert Tokenizer.from_file(tmp_path / "neox.json").encode(TEXTS[-1]) == opened.encode(TEXTS[-1])


def test_what_cannot_be_saved_or_opened_is_said_in_a_sentence(opened: Tokenizer, tmp_path: Path) -> None:
    with pytest.raises(
        BPEError, match=r"x\.bin: the name does not tell the format; choose one of tokenizer-json"
    ):
        opened.save("x.bin")
    with pytest.raises(BPEError, match="format must be one of tokenizer-json"):
        opened.save("x.json", format="yaml")
    with pytest.raises(BPEError, match="cannot be written: No such file or directory"):
        opened.save(tmp_path / "none" / "tokenizer.json")
    with pytest.raises(BPEError, match="cannot be read: No such file or directory"):
        Tokenizer.from_file(tmp_path / "none.json")
    with pytest.raises(BPEError, match="A tokenizer needs the paths of its files"):
        Tokenizer.from_file()
    opened.save(tmp_path / "words", format="tokenizer-json")
    assert repr(Tokenizer.from_file(tmp_path / "words")) == repr(opened)


def test_the_representation_is_short(opened: Tokenizer) -> None:
    assert (
        repr(opened) == f"<Tokenizer: {len(opened.vocabulary):,} tokens, {len(opened.merges):,} merges, file>"
    )


def test_an_id_that_no_token_has_is_not_counted() -> None:
    tokenizer = Tokenizer(bpe.VARIANTS["bytes"], [b"a", b"", b"b"], gaps=frozenset({1}))
    assert repr(tokenizer) == "<Tokenizer: 2 tokens, 0 merges, bytes>"
    assert Opened(tokenizer).about == "tokenizer.json; 0 merges, 2 tokens"
