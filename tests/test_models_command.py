"""The command that trains models for the study of ties: all of it that needs no PyTorch. test_gpt.py has the rest."""

import json
from dataclasses import asdict, replace
from importlib.util import find_spec
from pathlib import Path

import pytest

import bpe
from benchmarks.model_setting import SETTINGS
from benchmarks.models import (
    HELD_OUT,
    HOW_TO_INSTALL,
    begin,
    drawn,
    main,
    planned,
    read_corpus,
    seeds_of,
    size_of,
    tokens,
    train_tokenizer,
    within,
)
from bpe import BPEError
from docs.model_study import read_results

PUBLISHED = read_results()
GPU = SETTINGS["gpu"]
TEXT = "".join(f"Line {number} has the number {number * 7919 % 1000}.\n" for number in range(900))


def test_the_gpu_s_setting_is_that_of_the_published_runs() -> None:
    names = ("bytes", "merges", "rule", "rule_seed", "sample")
    plan = [tuple(row[name] for name in names) for row in planned(GPU)]
    assert plan == [tuple(row[name] for name in names) for row in PUBLISHED["tokenizers"]]
    model = {name: PUBLISHED["model"][name] for name in asdict(GPU.model)}
    assert asdict(GPU.model) == model
    for row in PUBLISHED["tokenizers"]:  # of a seventh seed, one run is missing
        assert seeds_of(GPU, row) == min(len(row["bits_per_byte"]), 6)


def test_a_corpus_is_its_files_without_copies_and_without_what_is_no_text(tmp_path: Path) -> None:
    for number in range(120):
        (tmp_path / f"{number}.txt").write_text(f"Document {number}: é", "utf-8")
    (tmp_path / "copy.txt").write_text("Document 7: é", "utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff")
    corpus = read_corpus([str(tmp_path)], 10**6)
    assert len(corpus.held_out) == 120 // HELD_OUT
    both = [*corpus.training, *corpus.held_out]
    assert sorted(both) == sorted({f"Document {number}: é" for number in range(120)})
    described = corpus.described(10**6)
    assert described["training_bytes"] + described["held_out_bytes"] == size_of(both)
    assert read_corpus([str(tmp_path)], 10**6).described(10**6) == described
    assert size_of(read_corpus([str(tmp_path)], 500).training) < 500


def test_one_long_file_is_cut_into_pieces_and_a_short_one_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    file.write_text(TEXT, "utf-8")
    corpus = read_corpus([str(file)], 10**6)
    assert sorted("".join((*corpus.training, *corpus.held_out))) == sorted(TEXT)
    assert len(corpus.training) > 100
    file.write_text("low lower lowest", "utf-8")
    with pytest.raises(BPEError, match="at least 22 documents or pieces, got 1"):
        read_corpus([str(file)], 10**6)
    with pytest.raises(BPEError, match="cannot be read"):
        read_corpus([str(tmp_path / "missing.txt")], 10**6)


def test_a_sample_has_its_bytes_and_another_seed_draws_another() -> None:
    texts = [f"{number} é" * 9 for number in range(50)]
    samples = [within(drawn(texts, seed), 701) for seed in (0, 0, 1)]
    assert samples[0] == samples[1] != samples[2]
    assert all(700 <= size_of(sample) <= 701 for sample in samples)  # half an é is left out


def test_every_byte_is_in_one_token_and_each_document_follows_a_separator() -> None:
    corpus = read_corpus([str(Path(__file__))], 10**6)
    row = {**planned(SETTINGS["cpu"])[1], "bytes": 3_000, "merges": 60}
    tokenizer, tied = train_tokenizer(corpus, row)
    assert 0 < tied <= 60
    separator = 257 + 60 - 1
    read = tokens(tokenizer, corpus.held_out, separator, lambda: None)
    assert max(tokenizer.ids.values()) < separator
    assert read.ends[-1] == size_of(corpus.held_out)
    assert list(read.ids).count(separator) == len(corpus.held_out)
    assert read.ids[0] == separator
    decoded = tokenizer.decode([int(number) for number in read.ids if number != separator])
    assert decoded == "".join(corpus.held_out)


def test_a_study_goes_on_where_its_file_ends(tmp_path: Path) -> None:
    corpus = read_corpus([str(Path(__file__))], 10**6)
    file, setting = tmp_path / "models.json", SETTINGS["cpu"]
    model = {**asdict(setting.model), "device": "CPU"}
    study = begin(setting, corpus, model, file)
    runs = study.open_runs()
    assert len(runs) == 24
    assert [seed for seed, _ in runs] == [0] * 12 + [1] * 12  # a seed is a block
    assert not file.exists()
    for seed, row in runs[:13]:
        row["bits_per_byte"].append(2.5 + seed)
        study.save()
    again = begin(setting, corpus, model, file)
    assert [(seed, row["rule"]) for seed, row in again.open_runs()] == [
        (seed, row["rule"]) for seed, row in runs[13:]
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["models.json"]
    with pytest.raises(BPEError, match="another corpus, setting or device"):
        begin(replace(setting, most_bytes=9), corpus, model, file)
    with pytest.raises(BPEError, match="another corpus, setting or device"):
        begin(setting, corpus, {**model, "steps": 99}, file)
    file.write_text("[1]", "utf-8")
    with pytest.raises(BPEError, match="expected results of this command"):
        begin(setting, corpus, model, file)


def test_results_are_written_as_they_are_published() -> None:
    names = list(planned(GPU)[0])
    assert {*names, "tied", "tokens"} == PUBLISHED["tokenizers"][0].keys()
    assert {name for name, _ in PUBLISHED.items()} == {"corpus", "model", "tokenizers"}
    assert bpe.TIE_BREAKS.keys() >= {row["rule"] for row in PUBLISHED["tokenizers"]}
    assert json.loads(json.dumps(PUBLISHED)) == PUBLISHED


@pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is installed here")
def test_without_pytorch_the_command_says_how_to_install_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([__file__, "-o", "models.json"]) == 1
    assert HOW_TO_INSTALL in capsys.readouterr().err
