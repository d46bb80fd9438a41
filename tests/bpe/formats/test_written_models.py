"""Models that we write: SentencePiece reads them and gives the same ids, and so do we."""

import base64
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tiktoken
import tokenizers

import bpe
from bpe import BPEError, Tokenizer
from bpe.formats import FORMATS
from bpe.formats.hugging_face.reading import read_tokenizer
from bpe.formats.opening import open_tokenizer
from bpe.formats.sentencepiece.opening import open_model
from bpe.formats.sentencepiece.writing import write_model
from command_line.commands import main
from tests.material import texts
from tests.material.hostile_texts import STRINGS
from tests.material.texts import SENTENCES
from ui.trainings.corpus import from_sample

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


# tekken.json: opened, it encodes as tiktoken does with the same ranks and pattern.

PATTERN = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
SPECIALS = 30


def written() -> dict[str, Any]:
    """Return the JSON of a file with the tokens of a training, and ten more that are not used."""
    tokenizer = bpe.train(SENTENCES, "custom", pattern=PATTERN, merges=150, min_count=1).tokenizer()
    tokens = list(tokenizer.ids)
    unused = [b"zq" + bytes([65 + number]) for number in range(10)]
    return {
        "config": {
            "pattern": PATTERN,
            "num_vocab_tokens": len(tokens) + len(unused),
            "default_vocab_size": len(tokens) + SPECIALS,
            "default_num_special_tokens": SPECIALS,
            "version": "v3",
        },
        "vocab": [
            {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
            for rank, token in enumerate([*tokens, *unused])
        ],
    }


def library(whole: dict[str, Any]) -> tiktoken.Encoding:
    config = whole["config"]
    listed = whole["vocab"][: config["default_vocab_size"] - config["default_num_special_tokens"]]
    ranks = {base64.b64decode(entry["token_bytes"]): entry["rank"] for entry in listed}
    return tiktoken.Encoding("tekken", pat_str=config["pattern"], mergeable_ranks=ranks, special_tokens={})


def test_it_encodes_as_the_library_does() -> None:
    whole = written()
    result, oracle = open_tokenizer({"tekken.json": json.dumps(whole).encode()}), library(whole)
    for text in STRINGS:
        # mistral-common puts the special tokens before the ranks of tiktoken.
        assert result.tokenizer.encode(text) == [SPECIALS + rank for rank in oracle.encode_ordinary(text)]
        assert result.tokenizer.decode(result.tokenizer.encode(text)) == text
    assert result.tokenizer.special_tokens[:3] == ["<unk>", "<s>", "</s>"]
    assert result.tokenizer.special_tokens[29] == "<SPECIAL_29>"
    assert "The last 10 tokens of the list are not used" in result.ignored[0]


def change(path: str, value: object) -> Callable[[dict[str, Any]], None]:
    def apply(whole: dict[str, Any]) -> None:
        *outer, last = path.split(".")
        part: Any = whole
        for key in outer:
            part = part[int(key) if key.isdecimal() else key]
        part[last] = value

    return apply


REFUSED_TEKKEN = {
    "pattern": (change("config.pattern", "("), "config.pattern: The pattern does not compile"),
    "size": (change("config.default_vocab_size", 10**9), "config.default_vocab_size: expected a number"),
    "specials": (change("config.default_num_special_tokens", -1), "config.default_num_special_tokens"),
    "too few": (change("config.default_num_special_tokens", 0), r"vocab: expected at least \d+ tokens"),
    "rank": (change("vocab.7.rank", 8), r"vocab\[7\].rank: expected 7, got 8"),
    "base64": (change("vocab.9.token_bytes", "%"), r"vocab\[9\].token_bytes: expected a token in base64"),
    "twice": (change("vocab.256.token_bytes", "AA=="), r"vocab\[256\].token_bytes: the same token as vocab\[0\]"),
    "names": (change("special_tokens", [{"rank": 0, "token_str": 5}]), r"special_tokens\[0\].token_str"),
    "one name": (change("special_tokens", [{"rank": 0, "token_str": "<SPECIAL_1>"}]), "special_tokens: expected each"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED_TEKKEN)
def test_a_wrong_field_is_named(name: str) -> None:
    whole = written()
    apply, sentence = REFUSED_TEKKEN[name]
    apply(whole)
    with pytest.raises(BPEError, match=f"^mine.json, {sentence}"):
        open_tokenizer({"mine.json": json.dumps(whole).encode()})


def test_half_a_character_in_a_special_token_is_refused_with_its_field() -> None:
    whole = written() | {"special_tokens": [{"rank": 0, "token_str": "\ud800"}]}
    with pytest.raises(BPEError, match=r"^tekken\.json: .*lone surrogates.* special_tokens\[0\]\.token_str"):
        open_tokenizer({"tekken.json": json.dumps(whole).encode()})


def test_a_pattern_that_is_no_text_is_named_once() -> None:
    whole = written()
    whole["config"]["pattern"] = 3
    with pytest.raises(BPEError, match=r"^mine.json, config.pattern: expected a string, got 3.$"):
        open_tokenizer({"mine.json": json.dumps(whole).encode()})
