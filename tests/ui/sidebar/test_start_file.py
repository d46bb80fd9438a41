"""`merge-by-merge FILE`: every session begins with the file, and what cannot be opened gets one sentence."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from merge_by_merge.__main__ import main
from tests.app import open_app, run
from ui.sidebar import read_start_file, start_file
from ui.sidebar.recipe import Recipe
from ui.sidebar.share_file import FORMAT, read_share_file, share_file

TEXT = "low lower lowest"
PAPER = Recipe.of({"preset": "paper", "variant": "char-eow", "tie_break": "first", "merges": 3})


@pytest.fixture(autouse=True)
def no_start_file() -> Iterator[None]:
    """End each test without a file."""
    yield
    start_file.start_with(None)


def begin_with(folder: Path, name: str, content: bytes) -> None:
    """Write a file and start with it, as the command does."""
    (folder / name).write_bytes(content)
    start_file.start_with(read_start_file.read_start_file(folder / name))


def captions(app: AppTest) -> str:
    """Return all captions of the app's sidebar."""
    return " ".join(caption.value for caption in app.sidebar.caption)


def test_a_session_begins_with_the_text_also_after_a_reload_unless_its_link_names_another(
    tmp_path: Path,
) -> None:
    begin_with(tmp_path, "words.txt", TEXT.encode())
    app = open_app()
    assert app.session_state["corpus_source"] == "upload"
    assert "Using words.txt, the file that the app was started with." in captions(app)
    app.session_state["corpus_source"] = "sample"
    assert "words.txt" not in captions(run(app))  # the viewer's own choice stays
    assert "words.txt" in captions(open_app({"corpus_source": "upload", "merges": "3"}))  # a reload
    linked = open_app({"corpus_sample": "aaabdaaabac"})  # a link names its text
    assert linked.session_state["corpus_source"] == "sample"
    assert "words.txt" not in captions(open_app({"corpus_source": "words"}))


def test_a_share_file_and_a_tokenizer_are_opened_as_what_they_are(tmp_path: Path) -> None:
    recipe = {"preset": "none", "variant": "char-eow", "tie_break": "last", "merges": 3}
    corpus = {"title": "Shared", "documents": [TEXT]}
    begin_with(
        tmp_path, "share.json", json.dumps({"format": FORMAT, "recipe": recipe, "corpus": corpus}).encode()
    )
    app = open_app()
    assert (app.session_state["corpus_text"], app.session_state["tie_break"]) == (TEXT, "last")
    begin_with(tmp_path, "codes.txt", b"#version: 0.2\nl o\nlo w\n")
    app = open_app()
    assert app.session_state["recipe_source"] == "file"
    assert "**codes.txt**" in captions(app)


def test_a_file_name_of_any_bytes_can_be_shown_and_shared(tmp_path: Path) -> None:
    file = tmp_path / os.fsdecode(b"caf\xe9.txt")
    file.write_bytes(TEXT.encode())
    corpus = read_start_file.read_start_file(file).corpus
    assert corpus
    assert corpus.title == "caf\ufffd.txt"
    assert read_share_file(share_file(corpus, PAPER)).corpus.title == corpus.title


def test_a_share_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    recipe = {"preset": "none", "variant": "char-eow", "tie_break": "last", "merges": 3}
    file = {"format": FORMAT, "recipe": recipe, "corpus": {"title": "Shared", "documents": [TEXT]}}
    begin_with(tmp_path, "share.json", json.dumps(file).encode("utf-8-sig"))
    assert open_app().session_state["corpus_text"] == TEXT


def test_json_that_is_neither_is_a_text(tmp_path: Path) -> None:
    begin_with(tmp_path, "poems.json", b'{"poem": "low low lower"}')
    assert "Using poems.json" in captions(open_app())


REFUSED: dict[str, tuple[str, bytes | None, str]] = {
    "no such file": ("nowhere.txt", None, "There is no file"),
    "a folder": (".", None, "is a folder: name one file"),
    "a device": ("/dev/zero", None, "is not a regular file"),
    "a picture": ("picture.txt", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, ""),
    "nothing": ("empty.txt", b" \n", "nothing but white space"),
    "a broken share file": ("share.json", f'{{"format": "{FORMAT}"}}'.encode(), "“recipe” must contain"),
    "a broken tokenizer": ("tokenizer.json", b"{}", "tokenizer.json"),
    "too large a text": ("large.txt", b"low " * 6_000_000, "at most 20 MB in total"),
    "too large a file": ("larger.txt", b"low " * 11_000_000, "at most 40 MB can be opened"),
}


@pytest.mark.parametrize(("name", "content", "sentence"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_cannot_be_opened_ends_the_command_with_a_sentence(
    name: str,
    content: bytes | None,
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SystemExit) as ended:
        main([name])
    error = capsys.readouterr().err
    assert ended.value.code == 2
    assert error.startswith("merge-by-merge: ")
    assert error.count("\n") == 1
    assert sentence in error
