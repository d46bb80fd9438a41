"""Files: the real libraries load them and encode the same, and reading them back gives the same tokenizer."""

import base64
import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tiktoken
import tokenizers
from subword_nmt.apply_bpe import BPE
from tokenizers import models

import bpe
from bpe import PRESETS, VARIANTS, BPEError, Tokenizer, Trace, train
from bpe.formats import BY_MARK, FORMATS
from bpe.formats.hugging_face.reading import _open_tokenizer_json, read_tokenizer
from bpe.formats.hugging_face.writing import write_tokenizer
from bpe.formats.merges_txt import read_merges
from bpe.formats.opened import File
from bpe.formats.tiktoken_ranks import read_ranks
from bpe.formats.vocab_json import read_vocabulary
from bpe.settings.alphabets import REMAPPED
from bpe.text.patterns import GPT2_PATTERN, GPT4_PATTERN
from tests.bpe.formats.hugging_face_files import changed
from tests.material import texts
from tests.material.hostile_texts import STRINGS

CORPUS = texts.SENTENCES + "\n" + "\n".join(texts.TOYS.values())
IN_JSON = ["bytes", "bytes-gpt2", "bytes-gpt4", "bytes-whitespace", "char-metaspace", "char-eow-attached"]


def trained(variant: str, **settings: Any) -> Tokenizer:
    return train(CORPUS, variant=variant, **{"merges": 200, **settings}).tokenizer()


def with_unknown(variant: str) -> Tokenizer:
    return trained(variant, special_tokens=["<pad>", "<unk>"], unknown_token="<unk>")


# Reading files back


@pytest.mark.parametrize("make", [trained, with_unknown], ids=["no special tokens", "special tokens"])
@pytest.mark.parametrize("variant", IN_JSON)
def test_a_tokenizer_json_is_read_as_it_was_written(variant: str, make: Any) -> None:
    tokenizer = make(variant)
    back = read_tokenizer(write_tokenizer(tokenizer))
    if tokenizer.variant.unit == "characters" and tokenizer.unknown is None:
        assert back.variant.drops_unknown  # as the library does: another variant
        assert back.encode(texts.SENTENCES) == tokenizer.encode(texts.SENTENCES)
        return
    for field in ("variant", "vocabulary", "merges", "special_tokens", "unknown", "normalization"):
        assert getattr(back, field) == getattr(tokenizer, field), field


@pytest.mark.parametrize("variant", sorted(VARIANTS.keys() - {"bytes"}))
def test_merges_and_vocabulary_are_read_as_they_were_written(variant: str) -> None:
    # In char-metaspace a line break is a character of a word, and merges.txt cannot hold one.
    text = " ".join(CORPUS.split())
    tokenizer = train(text, variant=variant, merges=200, special_tokens=["<pad>", "<unk>"]).tokenizer()
    merges, vocabulary = (FORMATS[slug].write(tokenizer) for slug in ("merges-txt", "vocab-json"))
    assert read_merges(merges, tokenizer.variant).merges == tokenizer.merges
    back = read_vocabulary(vocabulary, tokenizer.variant, merges, special_tokens=["<unk>", "<pad>"])
    assert (back.vocabulary, back.merges) == (tokenizer.vocabulary, tokenizer.merges)
    assert (back.special_tokens, back.special_ids) == (("<pad>", "<unk>"), (0, 1))


@pytest.mark.parametrize("variant", ["bytes", "bytes-gpt2", "bytes-gpt4", "bytes-whitespace"])
def test_ranks_are_read_with_their_merges(variant: str) -> None:
    tokenizer = trained(variant)
    back = read_ranks(FORMATS["tiktoken"].write(tokenizer), tokenizer.variant)
    assert (back.vocabulary, back.merges) == (tokenizer.vocabulary, tokenizer.merges)


def test_ranks_after_special_tokens_are_read_with_their_names() -> None:
    tokenizer = trained("bytes-gpt2", special_tokens=["<|end|>"])
    content = FORMATS["tiktoken"].write(tokenizer)
    assert read_ranks(content, tokenizer.variant, ["<|end|>"]).vocabulary == tokenizer.vocabulary
    with pytest.raises(BPEError, match="ranks begin at 1: name the 1 special tokens before it, got 0"):
        read_ranks(content, tokenizer.variant)


def test_a_tokenizer_whose_special_ids_come_last_keeps_them() -> None:
    tokenizer = trained("bytes-gpt2")
    content = json.loads(write_tokenizer(tokenizer))
    content["added_tokens"] = [{"id": len(tokenizer.vocabulary), "content": "<|endoftext|>", "special": True}]
    back = read_tokenizer(json.dumps(content))
    assert back.special_ids == (len(tokenizer.vocabulary),)
    assert back.encode("the") == tokenizer.encode("the")
    assert read_tokenizer(write_tokenizer(back)).vocabulary == back.vocabulary


# Loading files with the libraries


def test_hugging_face_finds_special_tokens_before_it_normalises_too() -> None:
    tokenizer = trained("bytes-gpt2", normalization="NFKC", special_tokens=["<ﬁn>"])
    theirs = tokenizers.Tokenizer.from_str(write_tokenizer(tokenizer))
    text = "ﬁne<ﬁn> ﬁne <fin>"
    ids = tokenizer.encode(text, allow_special=True)
    assert theirs.encode(text).ids == ids
    assert ids.count(0) == 1
    assert tokenizer.decode(ids) == "fine<ﬁn> fine <fin>"


def test_older_ways_to_write_a_tokenizer_json_are_read() -> None:
    tokenizer = read_tokenizer(changed(merges=["l o"], vocab={"l": 0, "o": 1, "lo": 2}, ignore_merges=True))
    assert tokenizer.tokens("lo") == [b"lo"]
    own = [{"type": "Split", "pattern": {"Regex": r"\d|\D+"}, "behavior": "Isolated"}, {"type": "ByteLevel",
            "add_prefix_space": False, "use_regex": False}]  # fmt: skip
    tokenizer = read_tokenizer(changed(pre_tokenizer={"type": "Sequence", "pretokenizers": own}))
    assert tokenizer.variant.split("ab12") == ["ab", "1", "2"]


def test_remapped_bytes_are_those_of_gpt2() -> None:
    tokenizer = trained("bytes-gpt2", alphabet="gpt2-bytes")
    assert list(json.loads(FORMATS["vocab-json"].write(tokenizer)))[:256] == list(REMAPPED.values())
    assert "Ġt" in FORMATS["merges-txt"].write(tokenizer).replace(" ", "")


# Exports: what every preset writes, the real library loads, and encodes 200 strings alike.

# One line: a token with a line break would not fit into merges.txt.
ONE_LINE = " ".join(texts.languages().split())
BYTES = {
    "hf-bytelevel", "minbpe-basic", "minbpe-regex", "tiktoken-educational", "rustbpe", "boundless-bpe", "cs336",
    "cs336-notes",
}  # fmt: skip
METASPACE = {"hf-metaspace", "sentencepiece"}
# format -> the presets that fit into it; the others are refused
FITS = {
    "tokenizer-json": BYTES | METASPACE | {"hf-char"},
    "merges-txt": set(PRESETS),
    "subword-nmt": {"paper", "subword-nmt", "hf-char"},
    "subword-nmt-vocabulary": {"subword-nmt", "hf-char"},
    "vocab-json": set(PRESETS),
    "tiktoken": BYTES,
    "sentencepiece": {"sentencepiece"},
    "trace-json": set(PRESETS),
}
PATTERNS = {
    "bytes": r"[\s\S]+",
    "bytes-gpt2": GPT2_PATTERN,
    "bytes-gpt4": GPT4_PATTERN,
    "bytes-whitespace": r"[^\s\x1c-\x1f]+",
}
STEPS = 250


@cache
def trace_of(slug: str) -> Trace:
    return bpe.train(ONE_LINE, merges=STEPS + 50, **PRESETS[slug].settings)


def exported(format_slug: str, slug: str) -> str:
    return FORMATS[format_slug].trace_content(trace_of(slug), STEPS).decode()


def strings_for(slug: str) -> list[str]:
    """Return the strings without characters that the library takes for its marker (the presets' `deviations`)."""
    return [text for text in STRINGS if "▁" not in text or slug not in METASPACE]


def test_every_preset_fits_or_is_refused_in_a_sentence() -> None:
    assert FITS.keys() == FORMATS.keys()
    for format_slug, fits in FITS.items():
        refusals = {slug: FORMATS[format_slug].refusal(trace_of(slug), STEPS) for slug in PRESETS}
        assert {slug for slug, refusal in refusals.items() if refusal is None} == fits, format_slug
        for refusal in filter(None, refusals.values()):
            assert refusal.endswith(".")
            assert len(refusal) < 300


@pytest.mark.parametrize("slug", sorted(FITS["tokenizer-json"]))
def test_hugging_face_loads_tokenizer_json(slug: str) -> None:
    content = exported("tokenizer-json", slug)
    theirs = tokenizers.Tokenizer.from_str(content)
    ours = trace_of(slug).tokenizer(STEPS)
    again = _open_tokenizer_json(content).tokenizer
    for text in strings_for(slug):
        ids = ours.encode(text, allow_special=True)
        assert theirs.encode(text).ids == ids, text
        assert again.encode(text, allow_special=True) == ids, text
        if ours.variant.unit == "bytes" or ours.unknown not in ids:
            assert theirs.decode(ids, skip_special_tokens=False) == ours.decode(ids), text


@pytest.mark.parametrize("slug", sorted(FITS["tokenizer-json"]))
def test_hugging_face_loads_vocab_json_and_merges_txt(slug: str, tmp_path: Path) -> None:
    files = []
    for format_slug in ("vocab-json", "merges-txt"):
        files.append(tmp_path / FORMATS[format_slug].file_name)
        files[-1].write_text(exported(format_slug, slug), "utf-8")
    ours = trace_of(slug).tokenizer(STEPS)
    # These two files leave it to their reader whether a run of unknown characters is one token.
    options: dict[str, Any] = {"fuse_unk": ours.variant.joins_unknown}
    options |= {} if ours.unknown is None else {"unk_token": ours.special_tokens[ours.unknown]}
    if slug == "hf-char":
        options["end_of_word_suffix"] = "</w>"
    theirs = tokenizers.Tokenizer(models.BPE.from_file(*map(str, files), **options))
    whole = tokenizers.Tokenizer.from_str(exported("tokenizer-json", slug))
    theirs.pre_tokenizer = whole.pre_tokenizer
    if ours.normalization:
        theirs.normalizer = whole.normalizer
    for text in strings_for(slug):
        assert theirs.encode(text).ids == ours.encode(text), text


@pytest.mark.parametrize("slug", sorted(FITS["tiktoken"]))
def test_tiktoken_loads_ranks(slug: str) -> None:
    ours = trace_of(slug).tokenizer(STEPS)
    lines = exported("tiktoken", slug).splitlines()
    ranks = {base64.b64decode(token): int(rank) for token, rank in map(str.split, lines)}
    special = dict(zip(ours.special_tokens, ours.special_ids, strict=True))
    theirs = tiktoken.Encoding(
        slug, pat_str=PATTERNS[ours.variant.slug], mergeable_ranks=ranks, special_tokens=special
    )
    for text in STRINGS:
        assert theirs.encode_ordinary(text) == ours.encode(text), text
        assert theirs.encode(text, allowed_special="all") == ours.encode(text, allow_special=True), text


@pytest.mark.parametrize("format_slug", ["subword-nmt", "merges-txt"])
@pytest.mark.parametrize("slug", sorted(FITS["subword-nmt"]))
def test_subword_nmt_loads_codes(slug: str, format_slug: str) -> None:
    theirs = BPE(io.StringIO(exported(format_slug, slug)))
    ours = trace_of(slug).tokenizer(STEPS)
    assert theirs.version == ((0, 1) if ours.variant.marker_is_symbol else (0, 2))
    for text in STRINGS:
        # Characters that it takes for its marker, and white space that it does not split at: see `deviations`.
        words = [word for word in text.split() if "</w>" not in word]
        expected = []
        for word in words:
            tokens = [ours.variant.spelled(token).decode() for token in ours.word_tokens(word)]
            expected += [token.removesuffix("</w>") for token in tokens if token != "</w>"]
        pieces = theirs.segment(" ".join(words)).split(" ") if words else []
        assert [piece.removesuffix("@@") for piece in pieces] == expected, text


@pytest.mark.parametrize("slug", PRESETS)
def test_a_trace_can_be_rebuilt_from_its_json(slug: str) -> None:
    trace = trace_of(slug)
    content = json.loads(exported("trace-json", slug))
    assert (content["schema"], content["version"], content["stopped"]) == (
        "merge-by-merge trace",
        1,
        "cancelled",
    )
    symbols = [bytes.fromhex(symbol) for symbol, _ in content["symbols"]]
    assert symbols == trace.vocabulary(STEPS)
    assert [(symbols[left], symbols[right]) for left, right, *_ in content["steps"]] == trace.merges[:STEPS]
    assert [symbols[number] for number in content["made"]] == [a + b for a, b in trace.merges[:STEPS]]
    assert content["words"] == [
        [word, count] for word, count in zip(trace.pre_tokens, trace.frequencies, strict=True)
    ]
    again = bpe.train(dict(content["words"]), merges=STEPS, **PRESETS[slug].settings)
    assert [[step.count, step.tied, step.replaced] for step in again.steps] == [
        step[2:] for step in content["steps"]
    ]


def test_the_trace_of_a_replay_names_the_ranks_of_the_list() -> None:
    tokenizer = trace_of("hf-bytelevel").tokenizer()
    trace = bpe.replay("the lazy dog 字", tokenizer)
    content = json.loads(FORMATS["trace-json"].trace_content(trace, 3).decode())
    assert content["list_ranks"] == [step.list_rank for step in trace.steps[:3]]
    assert [bytes.fromhex(content["symbols"][number][0]) for number in content["made"]] == [
        b"".join(pair) for pair in trace.merges[:3]
    ]
    assert content["symbols"].count(["", ""]) > 0  # tokens that later merges make keep their ids


def test_settings_of_any_kind_are_json() -> None:
    trace = bpe.train("ab ab", "char-eow", "manual", merges=1, alphabet=[b"b", "a"], picks={0: (b"a", b"b")})
    settings = json.loads(FORMATS["trace-json"].trace_content(trace, 1).decode())["settings"]
    assert settings["alphabet"] == [{"hex": "62"}, "a"]
    assert settings["picks"] == {"0": [{"hex": "61"}, {"hex": "62"}]}


@pytest.mark.parametrize("format_slug", ["tokenizer-json", "merges-txt", "vocab-json", "tiktoken"])
def test_an_opened_tokenizer_is_exported_from_any_step(format_slug: str) -> None:
    opened = _open_tokenizer_json(exported("tokenizer-json", "hf-bytelevel")).tokenizer
    trace = bpe.replay(ONE_LINE[:2000], opened)
    for k in (0, 40, len(trace.steps)):
        content = FORMATS[format_slug].trace_content(trace, k).decode()
        if format_slug == "tokenizer-json":
            theirs = tokenizers.Tokenizer.from_str(content)
            for text in STRINGS[:60]:
                assert theirs.encode(text).ids == trace.tokenizer(k).encode(text)


def test_a_file_has_the_mark_of_one_format_at_most() -> None:
    """A list of merges has none: what no other format knows is read as one."""
    trace = bpe.train("low lower lowest", merges=3, **PRESETS["hf-bytelevel"].settings)
    pieces = bpe.train("low lower lowest", merges=3, **PRESETS["sentencepiece"].settings)
    files = {
        slug: FORMATS[slug].trace_content(trace, 3) for slug in ("tokenizer-json", "merges-txt", "tiktoken")
    }
    files["sentencepiece"] = FORMATS["sentencepiece"].trace_content(pieces, 3)
    files["tekken"] = b'{"config": {"pattern": "."}, "vocab": []}'
    for slug, content in files.items():
        file = File("a file", content)
        rows = [row for row in BY_MARK if not row.is_text or slug != "sentencepiece"]
        assert [row.slug for row in rows if row.sniff(file)] == ([] if slug == "merges-txt" else [slug])


def test_a_row_reads_back_what_it_writes_and_says_what_it_cannot() -> None:
    """Text or bytes, as the format is."""
    trace = bpe.train("low lower lowest", merges=3, **PRESETS["sentencepiece"].settings)
    model, alone = FORMATS["sentencepiece"], trace.tokenizer()
    assert model.read(model.content(alone), alone.variant).encode("lower") == alone.encode("lower")
    with pytest.raises(BPEError, match=r"^tokenizer\.model is not text: write its bytes\.$"):
        model.write(alone)
    for slug in ("trace-json", "subword-nmt-vocabulary"):
        row = FORMATS[slug]
        with pytest.raises(BPEError, match="needs the counts of a text, and a tokenizer alone has none"):
            row.content(alone)
        with pytest.raises(BPEError, match="holds no tokenizer that can be read"):
            row.read("", alone.variant)
    assert not [row for row in FORMATS.values() if row.endings and row.opener is None]
