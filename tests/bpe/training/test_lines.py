"""A text that is read line by line gives what the libraries learn from files."""

import json
from pathlib import Path
from typing import Any

import pytest
from tokenizers import ByteLevelBPETokenizer, SentencePieceBPETokenizer

import bpe
from bpe import BPEError
from bpe.formats import FORMATS
from command_line.commands import main
from tests.material import texts

# Spaces at the ends of lines, empty lines, carriage returns: where line by line and as a whole differ
ENDS = "low \nlow \nlow  \nlower \r\nlower \r\nnew\n\n\nnew\n\n\n  x\n  x\n" * 3
TEXTS = {"line ends": ENDS, "source": texts.source()[:90_000], "languages": texts.languages()[:20_000]}
LIBRARIES = {"hf-bytelevel": ByteLevelBPETokenizer, "hf-metaspace": SentencePieceBPETokenizer}


def merges_of(content: str) -> list[list[str]]:
    merges: list[list[str]] = json.loads(content)["model"]["merges"]
    return merges


def learned_from_file(preset: str, path: Path, size: int = 800) -> list[list[str]]:
    library: Any = LIBRARIES[preset]()
    library.train([str(path)], vocab_size=size, min_frequency=2, show_progress=False)
    return merges_of(library.to_str())


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("preset", LIBRARIES)
def test_lines_give_what_the_library_learns_from_a_file(preset: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_bytes(TEXTS[name].encode())
    theirs = learned_from_file(preset, path)
    settings = bpe.PRESETS[preset].settings
    trace = bpe.train(TEXTS[name], merges=len(theirs), lines="ended", **settings)
    assert merges_of(FORMATS["tokenizer-json"].export(trace, len(trace.steps))) == theirs
    whole = bpe.train(TEXTS[name], merges=len(theirs), **settings)
    assert name == "languages" or whole.merges != trace.merges  # so the setting matters


@pytest.mark.parametrize("preset", LIBRARIES)
def test_the_command_line_reads_a_long_file_line_by_line(preset: str, tmp_path: Path) -> None:
    path, output = tmp_path / "corpus.txt", tmp_path / "tokenizer.json"
    path.write_bytes((TEXTS["source"] * 2).encode())  # several chunks
    theirs = learned_from_file(preset, path)
    arguments = ["train", str(path), "--preset", preset, "--lines", "--merges", str(len(theirs))]
    assert main([*arguments, "-o", str(output)]) == 0
    assert merges_of(output.read_text("utf-8")) == theirs


def test_a_trainer_that_reads_lines_in_its_own_way_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_bytes(ENDS.encode())
    traces = []
    for number, lines in enumerate(([], ["--lines"])):
        output = tmp_path / f"{number}.trace.json"
        assert main(["train", str(path), "--preset", "sentencepiece", *lines, "-o", str(output)]) == 0
        traces.append(output.read_bytes())
    assert traces[0] == traces[1]


def test_another_way_to_read_lines_is_refused() -> None:
    with pytest.raises(BPEError, match="lines must be True, False, 'whole', 'ended' or 'bare', got 'some'"):
        bpe.train("a", lines="some")
