"""Models that we write: SentencePiece reads them and gives the same ids, and so do we."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tokenizers

import bpe
from bpe import BPEError, Tokenizer
from bpe.formats import FORMATS
from bpe.formats.hugging_face.reading import read_tokenizer
from bpe.formats.sentencepiece.opening import open_model
from bpe.formats.sentencepiece.writing import write_model
from command_line.commands import main
from tests.material import texts
from tests.material.many_strings import STRINGS
from ui.sidebar.corpus import from_sample

CORPUS = texts.SENTENCES + "\naaaa aaa aaaaaaa aaaaa\n" + texts.languages()
TRAININGS = {
    "sentencepiece": {"merges": 400, **bpe.PRESETS["sentencepiece"].settings},
    "metaspace": {"merges": 400, **bpe.PRESETS["hf-metaspace"].settings, "normalization": None},
    "another rule": {
        "merges": 150,
        **bpe.PRESETS["sentencepiece"].settings,
        "tie_break": "last",
        "pieces": "any",
    },
    "coverage": {"merges": 200, "character_coverage": 0.99, **bpe.PRESETS["sentencepiece"].settings},
    "no merges": {"merges": 0, **bpe.PRESETS["sentencepiece"].settings},
}


def trained(name: str) -> Tokenizer:
    return bpe.train(CORPUS, **TRAININGS[name]).tokenizer()


def as_the_library_reads(text: str) -> str:
    """Return the text without extra spaces, which the library drops."""
    return " ".join(part for part in text.split(" ") if part)


@pytest.mark.parametrize("name", TRAININGS)
def test_sentencepiece_gives_the_ids_of_the_tokenizer(name: str) -> None:
    tokenizer = trained(name)
    content = write_model(tokenizer)
    library = sentencepiece.SentencePieceProcessor(model_proto=content)
    back = open_model(content).tokenizer
    assert library.vocab_size() == len(tokenizer.vocabulary)
    alike = 0
    for text in [*STRINGS, *CORPUS.split("\n")]:
        ids = library.encode(text)
        assert back.encode(text) == ids, text
        assert back.decode(ids) == library.decode(ids)
        plain = tokenizer.encode(as_the_library_reads(text))
        # The library joins neighbours that are unknown, and reads a typed ▁ as its marker.
        joins = tokenizer.variant.joins_unknown or tokenizer.unknown not in plain
        if joins and "▁" not in text:
            assert plain == ids, text
            alike += 1
    assert alike > 100 or name == "coverage"


@pytest.mark.parametrize("coverage", [0.98, 0.99, 1.0])
def test_a_run_of_unknown_characters_is_one_token_in_the_app_in_files_and_in_the_library(
    coverage: float,
) -> None:
    story = from_sample("story").reading_text
    settings: dict[str, Any] = {**bpe.PRESETS["sentencepiece"].settings, "character_coverage": coverage}
    trace = bpe.train(story, merges=200, **settings)
    tokenizer, written = trace.tokenizer(), io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(filter(None, story.split("\n"))),
        model_writer=written,
        model_type="bpe",
        vocab_size=len(tokenizer.vocabulary),
        character_coverage=coverage,
        normalization_rule_name="identity",
        minloglevel=2,
    )
    library = sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())
    content = FORMATS["tokenizer-json"].write(tokenizer)
    assert json.loads(content)["model"]["fuse_unk"] is True
    hugging_face, opened = tokenizers.Tokenizer.from_str(content), read_tokenizer(content)
    runs = 0
    for line in [*story.split("\n"), *texts.SENTENCES.split("\n"), *texts.source().split("\n")[:80]]:
        text = " ".join(line.split())
        ids, pieces = tokenizer.encode(text), library.encode(text, out_type=str)
        assert library.encode(text).count(library.unk_id()) == ids.count(tokenizer.unknown or 0), text
        tokens = tokenizer.tokens(text)
        assert [tokenizer.variant.spelled(token).decode() for token in tokens] == pieces, text
        assert hugging_face.encode(text).ids == opened.encode(text) == ids, text
        assert trace.segment(text, len(trace.steps)) == tokens
        assert sum(rank < 0 for rank in trace.boundaries(text)) == max(0, len(tokens) - 1)
        runs += any(token not in tokenizer.ids and len(token.decode()) > 1 for token in tokens)
    assert runs > 5


REFUSED = {
    "bytes": (bpe.train("low low", "bytes", merges=1).tokenizer(), "holds characters with ▁ for spaces"),
    "marked ends": (bpe.train("low low", merges=1).tokenizer(), "no “Characters, end-of-word symbol”"),
    "normalization": (
        bpe.train("low low", merges=1, **bpe.PRESETS["hf-metaspace"].settings).tokenizer(),
        "cannot say here that NFKC comes first",
    ),
    "no unknown token": (
        bpe.train("low low", "char-metaspace", merges=1).tokenizer(),
        "needs a token for unknown characters",
    ),
    "other pairs": (
        Tokenizer(
            bpe.VARIANTS["char-metaspace"],
            [b"<unk>", *[bytes([letter]) for letter in b"abc"], b"ab", b"bc", b"abc"],
            [(b"a", b"b"), (b"b", b"c"), (b"a", b"bc")],
            ["<unk>"],
            0,
        ),
        "merge 3 would become ab [+] c; tokenizer.json can hold these merges",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_model_cannot_hold_is_refused_by_its_part(name: str) -> None:
    tokenizer, sentence = REFUSED[name]
    with pytest.raises(BPEError, match=sentence):
        write_model(tokenizer)


def test_command_line_and_save_write_models(tmp_path: Path) -> None:
    text, model, saved = (tmp_path / name for name in ("text.txt", "m.model", "tokenizer.model"))
    text.write_text(CORPUS, "utf-8")
    assert main(["train", str(text), "--preset", "sentencepiece", "--merges", "50", "-o", str(model)]) == 0
    tokenizer = bpe.train(CORPUS, merges=50, **bpe.PRESETS["sentencepiece"].settings).tokenizer()
    tokenizer.save(saved)
    assert saved.read_bytes() == model.read_bytes() == FORMATS["sentencepiece"].content(tokenizer)
    assert Tokenizer.from_file(model).encode("low lower") == tokenizer.encode("low lower")
