"""Counting: texts and files of any size, in chunks, on any executor."""

import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bpe
from bpe import PRESETS, VARIANTS, BPEError, count_words, custom_variant, train
from bpe.settings.request import read_request
from bpe.text.counting import MOST_FUTURES, _count_text, _read_chunks, count_documents, split_into_chunks
from bpe.text.variants import Variant
from tests.bpe.text.random_texts import examples
from tests.material.texts import SENTENCES, languages, source

PLAIN = [variant for variant in VARIANTS.values() if variant.slug != "custom"]
BLANKS = st.lists(
    st.sampled_from([" ", "  ", "\n", "\t", "a", "b'll", "12345", "é", "!?", "\u3000", "\x1c", "\r\n"]),
    max_size=30,
)

each_variant = pytest.mark.parametrize("variant", PLAIN, ids=lambda variant: variant.slug)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Write three texts. The first begins with a byte-order mark, the last is empty."""
    texts = ["\ufeff" + languages(), source()[:20_000], ""]
    paths = [tmp_path / f"{number}.txt" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text.encode())
    return paths


@each_variant
@examples(25)
@given(parts=BLANKS)
@example(parts=["a", " ", "12345", " ", "!?", "  ", "a"])
def test_a_text_is_counted_as_its_pre_tokens_one_by_one(variant: Variant, parts: list[str]) -> None:
    row = VARIANTS[variant.slug]
    text = "".join(parts)
    assert list(_count_text(text, row).items()) == list(Counter(row.split(text)).items())


@each_variant
@pytest.mark.parametrize("size", [1, 7, 100, 5_000])
def test_chunks_cut_no_pre_token(variant: Variant, size: int, tmp_path: Path) -> None:
    row = VARIANTS[variant.slug]
    text = SENTENCES[:700] + "  two\n\n\tx  don't 12 345 \r\n a" + source()[:500]
    path = tmp_path / "text.txt"
    path.write_bytes(text.encode())
    parts = list(_read_chunks(path, row, size))
    assert "".join(parts) == text
    assert [pre_token for part in parts for pre_token in row.split(part)] == row.split(text)
    assert row.slug == "bytes" or len(parts) > 1 or size == 5_000


@each_variant
def test_files_are_counted_as_their_texts(variant: Variant, files: list[Path]) -> None:
    slug = variant.slug
    expected: Counter[str] = Counter()
    for path in files:
        expected.update(VARIANTS[slug].split(path.read_bytes().decode("utf-8-sig")))
    counted = count_words(files, slug)
    assert list(counted.items()) == list(expected.items())  # in order of first appearance


def test_one_file_may_be_given_as_it_is(files: list[Path]) -> None:
    assert count_words(files[0]) == count_words([files[0]]) == count_words(str(files[0]))


def test_progress_is_told_in_characters(files: list[Path]) -> None:
    sizes: list[int] = []
    count_words(files, on_chunk=sizes.append)
    assert sum(sizes) == len(languages()) + 20_000


def test_a_chunk_needs_a_character(files: list[Path]) -> None:
    with pytest.raises(BPEError, match="read_characters must be at least 1, got 0"):
        count_words(files, read_characters=0)


def test_training_on_counted_words_is_training_on_the_text(files: list[Path]) -> None:
    texts = [path.read_bytes().decode("utf-8-sig") for path in files]
    assert (
        train(count_words(files), "bytes-gpt2", merges=300).merges
        == train(texts, "bytes-gpt2", merges=300).merges
    )


# On other processes and machines: any executor gives the same words in the same order.


@pytest.mark.parametrize("executor", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_executor_counts_the_same(executor: type, files: list[Path]) -> None:
    alone = count_words(files)
    with executor(2) as pool:
        counted = count_words(files, executor=pool, read_characters=3_000)
    assert list(counted.items()) == list(alone.items())


def test_an_executor_is_told_the_pattern_of_ones_own(files: list[Path]) -> None:
    variant = custom_variant(r"\d+", "characters")
    with ThreadPoolExecutor(1) as pool:
        assert count_words(files, variant, pool) == count_words(files, variant)


class LateExecutor(Executor):
    """An executor that works only when a result is asked for; it counts the tasks that wait."""

    def __init__(self) -> None:
        self.waiting = self.most_waiting = 0

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Any:
        self.waiting += 1
        self.most_waiting = max(self.most_waiting, self.waiting)

        def result() -> object:
            self.waiting -= 1
            return function(*arguments, **named)

        return SimpleNamespace(result=result)


def test_only_so_many_chunks_wait_for_an_executor(files: list[Path]) -> None:
    late = LateExecutor()
    assert count_words(files, executor=late, read_characters=500) == count_words(files)
    assert late.most_waiting == MOST_FUTURES


@contextmanager
def plain_main() -> Iterator[None]:
    """Put a `__main__` without a file in place: workers run it again, and AppTest leaves a page's script there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "__main__", ModuleType("__main__"))
        yield


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
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
@pytest.mark.slow
def test_a_dask_cluster_counts_unchanged(cluster: Any, files: list[Path]) -> None:
    counted = count_words(files, executor=cluster.get_executor(), read_characters=5_000)
    assert list(counted.items()) == list(count_words(files).items())


@pytest.mark.parametrize("preset", PRESETS)
def test_a_presets_way_of_reading_holds_for_files_too(preset: str, files: list[Path]) -> None:
    recipe = read_request(**PRESETS[preset].settings)
    texts = [path.read_bytes().decode("utf-8-sig") for path in files]
    counted = count_words(files, recipe.variant, prepare=recipe.documents, read_characters=1_000)
    assert recipe.count(counted) == recipe.count(texts)


LOOKS_AHEAD = {  # texts in which a safe cut is no longer safe once the text is prepared
    "special token after blanks": ("x  <|endoftext|>y", PRESETS["cs336"].settings),
    "special token with a space": ("x <a b> y", {**PRESETS["cs336"].settings, "special_tokens": ["<a b>"]}),
    "carriage return inside a line": ("a\r b", PRESETS["sentencepiece"].settings),
    "a character that becomes a space": ("  \u037aa", {"variant": "bytes-gpt2", "normalization": "NFKC"}),
    "a number that becomes a full stop": ("\u2488\na", {"variant": "bytes-gpt4", "normalization": "NFKC"}),
}


@pytest.mark.parametrize(("text", "reading"), LOOKS_AHEAD.values(), ids=LOOKS_AHEAD)
def test_no_cut_is_made_where_preparing_looks_across_it(
    text: str, reading: dict[str, Any], tmp_path: Path
) -> None:
    recipe = read_request(**{"tie_break": "first", **reading})
    whole = f"one two {text} three four five {text} six"
    path = tmp_path / "text.txt"
    path.write_bytes(whole.encode())
    for size in range(1, len(whole)):
        parts = list(_read_chunks(path, recipe.variant, size, recipe.documents, context=16))
        assert len(parts) > 1 or size > 20
        documents = (document for part in parts for document in recipe.documents(part))
        counted = count_documents(documents, recipe.variant)
        assert counted == dict(read_request(**{**reading, "tie_break": "first"}).count(whole)), size


@pytest.mark.parametrize("slug", ["bytes-gpt2", "bytes-gpt4"])
def test_a_list_of_words_is_cut_at_its_lines(slug: str, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("alpha\nbeta\n" * 500, encoding="utf-8")
    assert max(map(len, _read_chunks(path, VARIANTS[slug], 100))) < 200


def test_a_special_token_is_cut_out_before_the_text_is_normalised() -> None:
    trace = train(
        "ﬁ<①>ﬁ", "bytes", merges=1, normalization="NFKC", special_tokens=["<①>"], cut_special_tokens=True
    )
    assert dict(zip(trace.pre_tokens, trace.frequencies, strict=True)) == {"fi": 2}


# Files that cannot be read


def test_a_file_that_is_not_there_or_not_utf_8_is_named(tmp_path: Path) -> None:
    with pytest.raises(BPEError, match=r"nowhere\.txt: cannot be read: No such file"):
        count_words([tmp_path / "nowhere.txt"])
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9 au lait")
    with pytest.raises(BPEError, match=r"latin\.txt: expected UTF-8, got the byte 0xE9"):
        count_words([tmp_path / "latin.txt"])
    with pytest.raises(BPEError, match="variant must be one of"):
        count_words([tmp_path / "latin.txt"], "words")
    for name in ("a\0b", "\ud800"):
        with pytest.raises(BPEError, match="is not the name of a file"):
            count_words(name)
    no_files: list[Any] = [None, 3, [3]]
    for files in no_files:
        with pytest.raises(BPEError, match="path"):
            count_words(files)
    executor: Any = 3
    with pytest.raises(BPEError, match="executor must be"):
        count_words([], executor=executor)


# Safe cuts: the chunks join to the text, and have its pre-tokens.

TEXT = "It's  12,345 words\n\n over\tlines 標記 and so on.\n" * 5


@pytest.mark.parametrize("slug", bpe.VARIANTS)
@pytest.mark.parametrize("size", [1, 7, 50])
def test_chunks_hold_the_text_and_its_pre_tokens(slug: str, size: int) -> None:
    variant = bpe.VARIANTS[slug]
    chunks = list(split_into_chunks(TEXT, variant, size))
    assert "".join(chunks) == TEXT
    if variant.slug == "char-metaspace":  # adds a space in front of a chunk without one
        assert all(chunk.startswith(" ") for chunk in chunks[1:])
    assert [word for chunk in chunks for word in variant.split(chunk)] == variant.split(TEXT)


def test_an_empty_text_has_no_chunks() -> None:
    assert list(split_into_chunks("", bpe.VARIANTS["bytes"], 5)) == []
