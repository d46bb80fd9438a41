"""Counting: files of any size, in chunks, on any executor; and the command line that uses it."""

import json
import signal
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe import PRESETS, VARIANTS, BPEError, count_words, custom_variant, train
from bpe.__main__ import main
from bpe.settings.request import read_request
from bpe.text.counting import chunks, count_text
from tests import ROOT
from tests.texts import SENTENCES, languages, source

PLAIN = [variant for variant in VARIANTS.values() if variant.slug != "custom"]
BLANKS = st.lists(
    st.sampled_from([" ", "  ", "\n", "\t", "a", "b'll", "12345", "é", "!?", "\u3000", "\x1c", "\r\n"]),
    max_size=30,
)

each_variant = pytest.mark.parametrize("variant", PLAIN, ids=lambda variant: variant.slug)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Three texts of which the first begins with a byte-order mark and the last is empty."""
    texts = ["\ufeff" + languages(), source()[:20_000], ""]
    paths = [tmp_path / f"{number}.txt" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text.encode())
    return paths


@each_variant
@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(parts=BLANKS)
@example(parts=["a", " ", "12345", " ", "!?", "  ", "a"])
def test_a_text_is_counted_as_its_pre_tokens_one_by_one(variant: object, parts: list[str]) -> None:
    row = VARIANTS[variant.slug]
    text = "".join(parts)
    assert list(count_text(text, row).items()) == list(Counter(row.split(text)).items())


@each_variant
@pytest.mark.parametrize("size", [1, 7, 100, 5_000])
def test_chunks_cut_no_pre_token(variant: object, size: int, tmp_path: Path) -> None:
    row = VARIANTS[variant.slug]
    text = SENTENCES[:700] + "  two\n\n\tx  don't 12 345 \r\n a" + source()[:500]
    path = tmp_path / "text.txt"
    path.write_bytes(text.encode())
    parts = list(chunks(path, row, size))
    assert "".join(parts) == text
    assert [pre_token for part in parts for pre_token in row.split(part)] == row.split(text)
    assert row.slug == "bytes" or len(parts) > 1 or size == 5_000


@each_variant
def test_files_are_counted_as_their_texts(variant: object, files: list[Path]) -> None:
    slug = variant.slug
    expected: Counter[str] = Counter()
    for path in files:
        expected.update(VARIANTS[slug].split(path.read_bytes().decode("utf-8-sig")))
    counted = count_words(files, slug)
    assert list(counted.items()) == list(expected.items())  # in order of first appearance


def test_one_file_may_be_given_as_it_is(files: list[Path]) -> None:
    assert count_words(files[0]) == count_words([files[0]]) == count_words(str(files[0]))


def test_progress_is_told_in_characters(files: list[Path]) -> None:
    told: list[int] = []
    count_words(files, on_chunk=told.append)
    assert sum(told) == len(languages()) + 20_000


def test_training_on_counted_words_is_training_on_the_text(files: list[Path]) -> None:
    texts = [path.read_bytes().decode("utf-8-sig") for path in files]
    assert (
        train(count_words(files), "bytes-gpt2", merges=300).merges
        == train(texts, "bytes-gpt2", merges=300).merges
    )


# On other processes and machines: any executor gives the same words in the same order.


@pytest.mark.parametrize("executor", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_executor_counts_the_same(
    executor: type, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe.text.counting.chunks.__defaults__", (3_000, None))
    alone = count_words(files)
    with executor(2) as pool:
        assert list(count_words(files, executor=pool).items()) == list(alone.items())


def test_an_executor_is_told_the_pattern_of_ones_own(files: list[Path]) -> None:
    variant = custom_variant(r"\d+", "characters")
    with ThreadPoolExecutor(1) as pool:
        assert count_words(files, variant, pool) == count_words(files, variant)


@contextmanager
def plain_main() -> Iterator[None]:
    """A `__main__` without a file: workers run it again, and AppTest leaves the script of a page in its place."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "__main__", ModuleType("__main__"))
        yield


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from distributed import Client, LocalCluster

        with (
            plain_main(),
            LocalCluster(n_workers=2, processes=True, threads_per_worker=1, dashboard_address=None) as local,
            Client(local) as client,
        ):
            yield client


@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_counts_unchanged(
    cluster: object, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe.text.counting.chunks.__defaults__", (5_000, None))
    counted = count_words(files, executor=cluster.get_executor())
    assert list(counted.items()) == list(count_words(files).items())


@pytest.mark.parametrize("preset", PRESETS)
def test_a_presets_way_of_reading_holds_for_files_too(
    preset: str, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe.text.counting.chunks.__defaults__", (1_000, None))
    recipe = read_request(**PRESETS[preset].settings)
    texts = [path.read_bytes().decode("utf-8-sig") for path in files]
    assert recipe.count(count_words(files, recipe.variant, prepare=recipe.documents)) == recipe.count(texts)


LOOKS_AHEAD = {  # where a cut, right in the text as it is, would be wrong once the text is prepared
    "special token after blanks": ("x  <|endoftext|>y", PRESETS["cs336"].settings),
    "special token with a space": (
        "x <a b> y",
        {**PRESETS["cs336"].settings, "special_tokens": ["<a b>"]},
    ),
    "carriage return inside a line": ("a\r b", PRESETS["sentencepiece"].settings),
    "a character that becomes a space": ("  \u037aa", {"variant": "bytes-gpt2", "normalization": "NFKC"}),
    "a number that becomes a full stop": ("\u2488\na", {"variant": "bytes-gpt4", "normalization": "NFKC"}),
}


@pytest.mark.parametrize(("text", "reading"), LOOKS_AHEAD.values(), ids=LOOKS_AHEAD)
def test_no_cut_is_made_where_preparing_looks_across_it(
    text: str, reading: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe.text.counting.AROUND", 16)
    recipe = read_request(**{"tie_break": "first", **reading})
    whole = f"one two {text} three four five {text} six"
    path = tmp_path / "text.txt"
    path.write_bytes(whole.encode())
    for size in range(1, len(whole)):
        parts = list(chunks(path, recipe.variant, size, recipe.documents))
        assert len(parts) > 1 or size > 20
        monkeypatch.setattr("bpe.text.counting.chunks.__defaults__", (size, None))
        counted = count_words(path, recipe.variant, prepare=recipe.documents)
        assert counted == dict(read_request(**{**reading, "tie_break": "first"}).count(whole)), size


@pytest.mark.parametrize("slug", ["bytes-gpt2", "bytes-gpt4"])
def test_a_list_of_words_is_cut_at_its_lines(slug: str, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("alpha\nbeta\n" * 500, encoding="utf-8")
    assert max(map(len, chunks(path, VARIANTS[slug], 100))) < 200


def test_a_special_token_is_cut_out_before_the_text_is_normalised() -> None:
    trace = train(
        "ﬁ<①>ﬁ", "bytes", merges=1, normalization="NFKC", special_tokens=["<①>"], cut_special_tokens=True
    )
    assert dict(zip(trace.pre_tokens, trace.frequencies, strict=True)) == {"fi": 2}


# What cannot be read.


def test_a_file_that_is_not_there_or_not_utf_8_is_named(tmp_path: Path) -> None:
    with pytest.raises(BPEError, match=r"nowhere\.txt: cannot be read: No such file"):
        count_words([tmp_path / "nowhere.txt"])
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9 au lait")
    with pytest.raises(BPEError, match=r"latin\.txt: expected UTF-8, got the byte 0xE9"):
        count_words([tmp_path / "latin.txt"])
    with pytest.raises(BPEError, match="variant must be one of"):
        count_words([tmp_path / "latin.txt"], "words")
    for name in ("a\0b", "\ud800"):
        with pytest.raises(BPEError, match="is no name of a file"):
            count_words(name)
    for files in (None, 3, [3]):
        with pytest.raises(BPEError, match="path"):
            count_words(files)
    executor: Any = 3
    with pytest.raises(BPEError, match="executor must be"):
        count_words([], executor=executor)


# The command line.


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


@pytest.mark.parametrize("workers", [1, 2])
def test_count_writes_the_words_as_json(
    workers: int, files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "counts.json"
    assert run("count", *files, "-o", output, "--workers", workers) == 0
    assert json.loads(output.read_text(encoding="utf-8")) == count_words(files)
    said = capsys.readouterr()
    assert said.out == ""
    assert "distinct words" in said.err


def test_train_goes_on_from_the_counts(files: list[Path], tmp_path: Path) -> None:
    counts, merges, trace = tmp_path / "counts.json", tmp_path / "merges.txt", tmp_path / "trace.json"
    assert run("count", *files, "-o", counts) == 0
    assert run("train", counts, "--merges", 50, "-o", merges) == 0
    assert run("train", *files, "--merges", 50, "-o", trace) == 0
    learned = train(count_words(files), "bytes-gpt2", merges=50)
    assert len(merges.read_text(encoding="utf-8").splitlines()) == 51  # a line for the version
    told = json.loads(trace.read_text(encoding="utf-8"))
    assert [step[2:] for step in told["steps"]] == [
        [step.count, step.tied, step.replaced] for step in learned.steps
    ]
    symbols = [bytes.fromhex(symbol) for symbol, _ in told["symbols"]]
    assert [(symbols[left], symbols[right]) for left, right, *_ in told["steps"]] == learned.merges
    assert told["stopped"] == "merges"


@pytest.mark.parametrize("preset", PRESETS)
def test_train_knows_every_preset(preset: str, files: list[Path], tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    assert run("train", *files, "--preset", preset, "--merges", 20, "-o", trace) == 0
    texts = [path.read_bytes().decode("utf-8-sig") for path in files]
    learned = train(texts, merges=20, **PRESETS[preset].settings)
    told = json.loads(trace.read_text(encoding="utf-8"))
    symbols = [bytes.fromhex(symbol) for symbol, _ in told["symbols"]]
    assert [(symbols[left], symbols[right]) for left, right, *_ in told["steps"]] == learned.merges


REFUSED = {
    "no file": (["count", "nowhere.txt", "-o", "c.json"], "nowhere.txt: cannot be read"),
    "no folder": (["count", "a.txt", "-o", "nowhere/c.json"], "there is no folder"),
    "no format": (["train", "a.txt", "-o", "learned"], "name one with --format"),
    "a number too small": (
        ["train", "a.txt", "-o", "t.json", "--merges", "-1"],
        "merges must be at least 0, got -1",
    ),
    "counted for another variant": (
        ["train", "c.json", "-o", "t.json", "--preset", "paper"],
        "' b' is no pre-token",
    ),
    "no counts": (["train", "list.json", "-o", "t.json"], "expected an object {word: frequency}, got list"),
    "no JSON": (["train", "broken.json", "-o", "t.json"], "expected JSON"),
    "no frequency": (["train", "odd.json", "-o", "t.json"], "'a' must be at least 1, got 0"),
    "no pattern": (
        ["count", "a.txt", "-o", "c.json", "--variant", "custom", "--pattern", "("],
        "does not compile",
    ),
}


@pytest.mark.parametrize(("arguments", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_done_is_said_with_exit_code_2_and_nothing_is_written(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    contents = {
        "a.txt": "a b",
        "c.json": '{" b": 1}',
        "list.json": "[]",
        "broken.json": "{",
        "odd.json": '{"a": 0}',
    }
    for name, content in contents.items():
        Path(name).write_text(content, encoding="utf-8")
    assert run(*arguments) == 2
    assert said in capsys.readouterr().err
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == contents


@pytest.mark.parametrize(
    "arguments", [[], ["train"], ["count", "a.txt", "-o", "c.json", "--workers", "0"], ["learn"]]
)
def test_a_wrong_command_line_ends_with_exit_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "usage: python -m bpe" in capsys.readouterr().err


def test_what_a_format_cannot_hold_is_kept_as_a_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text("a\u2028b a\u2028b", encoding="utf-8")
    arguments = [
        "train",
        tmp_path / "a.txt",
        "--variant",
        "char-eow-lines",
        "--format",
        "tiktoken",
        "-o",
        tmp_path / "x",
    ]
    assert run(*arguments) == 2
    kept = json.loads((tmp_path / "x.trace.json").read_text(encoding="utf-8"))
    assert len(kept["steps"]) == 2
    assert not (tmp_path / "x").exists()


def test_ctrl_c_leaves_what_was_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextmanager
    def pressing_ctrl_c() -> Iterator[Callable[[str], None]]:
        def report(message: str) -> None:
            if message.startswith("20 merges"):
                signal.raise_signal(signal.SIGINT)

        yield report

    monkeypatch.setattr("bpe.cli.commands.reporting", pressing_ctrl_c)
    (tmp_path / "a.txt").write_text(source()[:5_000], encoding="utf-8")
    assert run("train", tmp_path / "a.txt", "--merges", 100, "-o", tmp_path / "trace.json") == 130
    told = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))
    assert (len(told["steps"]), told["stopped"]) == (20, "cancelled")
    assert "20 merges learned; stopped: cancelled" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_module_runs_and_tells_its_exit_code(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("low lower", encoding="utf-8")
    for file, code in (("a.txt", 0), ("b.txt", 2)):
        command = [
            sys.executable,
            "-m",
            "bpe",
            "count",
            str(tmp_path / file),
            "-o",
            str(tmp_path / "counts.json"),
        ]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == code
        assert done.stdout == ""
        assert done.stderr
        assert "Traceback" not in done.stderr
