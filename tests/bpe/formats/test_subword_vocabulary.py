"""subword-nmt's codes and the vocabulary beside them, opened together: the encoder `trimmed` then has its counts."""

import io
import random
from pathlib import Path

import pytest
from subword_nmt.apply_bpe import BPE, read_vocabulary

import bpe
from bpe import BPEError
from bpe.formats import FORMATS
from bpe.formats.opening import open_tokenizer
from command_line.commands import main
from tests.material.texts import SENTENCES, source

TEXT = source()[:20_000] + SENTENCES
NAMES = ("codes.txt", "vocab.txt")


def written() -> tuple[bytes, bytes]:
    trace = bpe.train(TEXT, merges=300, **bpe.PRESETS["subword-nmt"].settings)
    return tuple(
        FORMATS[slug].trace_content(trace, 300) for slug in ("subword-nmt", "subword-nmt-vocabulary")
    )  # type: ignore[return-value]  # two


@pytest.mark.parametrize("names", [NAMES, NAMES[::-1]], ids=["codes first", "vocabulary first"])
@pytest.mark.parametrize("threshold", [1, 5, 40])
def test_rare_tokens_are_undone_as_in_subword_nmt(names: tuple[str, str], threshold: int) -> None:
    files = dict(zip(NAMES, written(), strict=True))
    opened = open_tokenizer({name: files[name] for name in names})
    assert opened.kind == "subword-nmt codes and vocabulary"
    codes, vocabulary = (io.StringIO(files[name].decode()) for name in NAMES)
    theirs = BPE(codes, vocab=read_vocabulary(vocabulary, threshold), separator="@@")
    encoder = bpe.ENCODERS["trimmed"].using(threshold=threshold)
    words = [*dict.fromkeys(TEXT.split()), "unseen", "lowering", "zzyzx", "42"]
    for word in random.Random(3).sample(words, 300) + words[-4:]:
        symbols = opened.tokenizer.tokens(word, encoder)
        pieces = [symbol.removesuffix(bpe.END_OF_WORD).decode() for symbol in symbols]
        assert pieces == theirs.process_line(word).replace("@@", "").split(), word


REFUSED = {
    "a wrong line": (b"low 5\nlo\n" + b"a@@ 1\n" * 20, "Expected vocab.json and merges.txt"),
    "a late wrong line": (
        b"low 5\n" * 30 + b"lo\n",
        "v.txt, line 31: expected a token and its count, got 'lo'",
    ),
    "of other codes": ("ж 5\n".encode(), "v.txt: expected the vocabulary of these codes, but they make none"),
}


@pytest.mark.parametrize(("vocabulary", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_vocabulary_of_the_codes_is_refused(vocabulary: bytes, message: str) -> None:
    with pytest.raises(BPEError) as error:
        open_tokenizer({"c.txt": written()[0], "v.txt": vocabulary})
    assert message in str(error.value)


def test_the_command_reads_the_files_that_it_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_text(TEXT, "utf-8")
    train = ["train", "text.txt", "--preset", "subword-nmt", "--merges", "100", "--format"]
    assert main([*train, "subword-nmt", "-o", "codes.txt"]) == 0
    assert main([*train, "subword-nmt-vocabulary", "-o", "vocab.txt"]) == 0
    encode = ["encode", "-t", "codes.txt", "-t", "vocab.txt", "text.txt", "--tokens"]
    capsys.readouterr()
    assert main([*encode, "--encoder", "trimmed", "--trimmed-threshold", "30"]) == 0
    trimmed = capsys.readouterr().out.split()
    assert main(encode) == 0
    assert len(trimmed) > len(capsys.readouterr().out.split())
