"""Opened files: a tokenizer that a library saved encodes here as it encodes there."""

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
import tiktoken
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from subword_nmt.apply_bpe import BPE
from subword_nmt.learn_bpe import learn_bpe
from tokenizers import models, processors

import bpe
from bpe import VARIANTS, BPEError, Tokenizer
from bpe.formats import FORMATS
from bpe.formats.hugging_face.reading import _open_tokenizer_json
from bpe.formats.opened import Opened
from bpe.formats.opening import open_tokenizer
from bpe.formats.tiktoken_ranks import ENCODINGS, O200K_PATTERN
from bpe.settings.alphabets import _REMAPPED_BYTES, REMAPPED
from bpe.text.patterns import GPT2_PATTERN, GPT4_PATTERN
from tests.bpe.formats.hugging_face_files import (
    CORPUS,
    MODEL_FILES,
    UNSPELLED,
    changed,
    ids_of,
    library,
    ours_of,
)
from tests.bpe.text.random_texts import examples
from tests.material.hostile_texts import STRINGS


def test_ids_may_stand_anywhere() -> None:
    content = json.loads(library("gpt2").to_str())
    shifted = {token: 2 * number + 7 for token, number in content["model"]["vocab"].items()}
    content["model"]["vocab"] = shifted
    content["added_tokens"] = [entry | {"id": shifted[entry["content"]]} for entry in content["added_tokens"]]
    content["added_tokens"].append(content["added_tokens"][0] | {"id": 5000, "content": "<far>"})
    theirs = tokenizers.Tokenizer.from_str(json.dumps(content))
    tokenizer = _open_tokenizer_json(json.dumps(content)).tokenizer
    for text in STRINGS:
        assert ours_of(tokenizer, text) == ids_of(theirs, text), text
    assert tokenizer.encode("<far>", allow_special=True) == theirs.encode("<far>").ids == [len(shifted)]
    with pytest.raises(BPEError, match="No token has the id 8"):
        tokenizer.decode([8])


# Entries of added_tokens: text, id and flags. The vocabulary is a, b, c and ab.
ADDED: dict[str, list[tuple[str, int, dict[str, bool]]]] = {
    "ids behind a gap": [("<x>", 10, {}), ("<y>", 12, {})],
    "ids in another order": [("<x>", 5, {}), ("<y>", 4, {})],
    "the id of another token": [("<x>", 1, {}), ("<y>", 5, {})],
    "one id for two": [("<x>", 4, {}), ("<y>", 4, {})],
    "the same token twice": [("<x>", 4, {}), ("<x>", 5, {}), ("<y>", 6, {})],
    "twice, with other flags": [("<x>", 4, {"lstrip": True}), ("<x>", 5, {"special": False}), ("<y>", 6, {})],
    "another id than the vocabulary's": [("b", 4, {}), ("<y>", 5, {})],
    "an empty one": [("", 4, {}), ("<y>", 5, {})],
    "in the vocabulary, between others": [("<x>", 9, {}), ("ab", 3, {}), ("<y>", 4, {})],
}


@pytest.mark.parametrize("name", ADDED)
def test_added_tokens_have_the_ids_that_the_library_gives_them(name: str) -> None:
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2, "ab": 3}, "merges": [["a", "b"]]}
    content = changed(
        **model,
        added_tokens=[{"content": text, "id": number, **flags, **own} for text, number, own in ADDED[name]],
    )
    theirs = tokenizers.Tokenizer.from_str(content)
    file = _open_tokenizer_json(content)
    for text in ("ab<x>c<y>", "<y><x>a <x>", "b", "a b<y> c<x>", "<x"):
        assert file.tokenizer.encode(text, allow_special=True) == theirs.encode(text).ids, text
    again = _open_tokenizer_json(FORMATS["tokenizer-json"].write(file.tokenizer)).tokenizer
    assert again.encode("ab<x>c<y>", allow_special=True) == theirs.encode("ab<x>c<y>").ids


def test_ids_of_added_tokens_that_the_file_says_otherwise_are_named() -> None:
    def notes(*added: tuple[str, int]) -> tuple[str, ...]:
        entries = [{"content": text, "id": number} for text, number in added]
        return _open_tokenizer_json(changed(added_tokens=entries)).ignored[: len(added)]

    size = len(json.loads(changed())["model"]["vocab"])
    assert not any("added" in note for note in notes(("<x>", size), ("<y>", size + 1)))
    assert notes(("<x>", 9_000), ("<y>", 9_001))[0] == (
        f'As in the library, 2 added tokens have other ids than the file says: "<x>" has {size}, not 9000.'
    )
    assert notes(("<x>", size), ("", 3), ("<x>", 7))[:2] == (
        "added_tokens[1] is ignored: it is empty.",
        'added_tokens[2] repeats the token "<x>": as in the library, the last one counts.',
    )
    with pytest.raises(
        BPEError, match=r'added_tokens\[0\]: the library gives "<x>" the id 2, since model\.vocab has 2'
    ):
        _open_tokenizer_json(
            changed(vocab={"a": 0, "b": 2}, merges=[], added_tokens=[{"content": "<x>", "id": 7}])
        )


def test_what_is_ignored_is_named() -> None:
    theirs = library("gpt2")
    theirs.decoder = tokenizers.decoders.ByteLevel()
    theirs.post_processor = processors.ByteLevel()
    assert _open_tokenizer_json(theirs.to_str()).ignored == ()
    theirs.post_processor = processors.TemplateProcessing("<|end|> $A", special_tokens=[("<|end|>", 1)])
    theirs.enable_truncation(5)
    theirs.decoder = tokenizers.decoders.CTC()
    content = json.loads(theirs.to_str()) | {"author": "x"}
    assert _open_tokenizer_json(json.dumps(content)).ignored == (
        "truncation is ignored: a text is encoded whole.",
        "post_processor TemplateProcessing is ignored: no special tokens are added around a text.",
        "decoder CTC is ignored: text is joined from the tokens.",
        '"author" is ignored: we do not know this part of a tokenizer.json.',
    )


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("pre_tokenizer", {"type": "UnicodeScripts"}, r'pre_tokenizer: "UnicodeScripts" is not supported'),
        ("pre_tokenizer", {"type": "Sequence", "pretokenizers": [{"type": "X"}]}, r'pretokenizers\[0\]: "X" is not'),
        ("pre_tokenizer", {"type": "Split", "pattern": {"Regex": r"\w+$"}, "behavior": "Isolated"},
         r"pre_tokenizer.pattern: the pattern has '\\\\w\+\$' at position 0, which other libraries"),
        ("pre_tokenizer", {"type": "Split", "pattern": {"Regex": "a{9}{999}"}, "behavior": "Isolated"},
         "expected repeats of at most 1,000 in all, got 8,991"),
        ("pre_tokenizer", {"type": "Split", "pattern": {"Regex": "(a"}, "behavior": "Isolated"}, "does not compile"),
        ("pre_tokenizer", {"type": "Split", "pattern": {"String": "a"}, "behavior": "No"}, "behavior: expected one of"),
        ("normalizer", {"type": "Nmt"}, 'normalizer: "Nmt" is not supported'),
        ("normalizer", {"type": "Sequence", "normalizers": [{"type": "Nmt"}]}, r'normalizers\[0\]: "Nmt" is not'),
        ("model", {"type": "WordLevel"}, "model.type: expected BPE, got \"WordLevel\""),
        ("model", {"dropout": 1.5}, "model.dropout: expected a number from 0 to 1"),
    ],
)  # fmt: skip
def test_what_would_change_tokens_and_is_not_supported_is_refused(
    part: str, value: Any, message: str
) -> None:
    content = json.loads(library("gpt2", 300).to_str())
    content[part] = {**content["model"], **value} if part == "model" else value
    with pytest.raises(BPEError, match=message):
        _open_tokenizer_json(json.dumps(content))


# Other files


def opened(variant: str | None = None, **files: str) -> Opened:
    contents = {name.replace("_", "."): content.encode() for name, content in files.items()}
    return open_tokenizer(contents, VARIANTS[variant] if variant else None)


def test_of_many_special_tokens_the_first_three_are_named_and_the_rest_counted() -> None:
    tokens = ["a", "b", "ab", *(f"<{number}>" for number in range(5))]
    vocabulary = json.dumps({token: number for number, token in enumerate(tokens)})
    both = opened("bytes-whitespace", vocab_json=vocabulary, merges_txt="#version: 0.2\na b\n")
    assert any('"<0>", "<1>", "<2>" and 2 more.' in note for note in both.ignored)


def test_vocab_json_and_merges_txt_encode_as_their_library(tmp_path: Path) -> None:
    theirs = tokenizers.ByteLevelBPETokenizer()
    theirs.train_from_iterator([CORPUS], vocab_size=900, special_tokens=["<s>", "<unk>"], show_progress=False)
    theirs.save_model(str(tmp_path))
    vocabulary, merges = ((tmp_path / name).read_text("utf-8") for name in ("vocab.json", "merges.txt"))
    both = opened(vocab_json=vocabulary, merges_txt=merges)
    assert both.tokenizer.special_tokens == ("<s>", "<unk>")
    assert [number for text in STRINGS for number in ours_of(both.tokenizer, text)] == [
        number for text in STRINGS for number in theirs.encode(text).ids
    ]
    assert both.ignored == (
        "The file does not say how text is split; it is split as in “Bytes, GPT-2 pattern”.",
        'vocab.json does not say which tokens are special. No merge makes these, so they are: "<s>", "<unk>".',
        "Tokens that were added later are not in these files. If there is an added_tokens.json, open it with them.",
    )
    without_version = merges.partition("\n")[2]
    for content in (merges, without_version):
        alone = opened(merges_txt=content).tokenizer
        assert [alone.tokens(text) for text in STRINGS] == [both.tokenizer.tokens(text) for text in STRINGS]


def folder(tmp_path: Path) -> tuple[Any, dict[str, bytes]]:
    """Return a tokenizer as Phi-2's, with added runs of spaces, and the files of its folder."""
    theirs = tokenizers.ByteLevelBPETokenizer()
    theirs.train_from_iterator(
        [CORPUS], vocab_size=700, special_tokens=["<|endoftext|>"], show_progress=False
    )
    theirs.save_model(str(tmp_path))
    files = {name: (tmp_path / name).read_bytes() for name in ("vocab.json", "merges.txt")}
    size = theirs.get_vocab_size()
    spaces = [" " * length for length in (8, 4, 3)]
    added = {"<|im_start|>": size + 3, **{run: size + number for number, run in enumerate(spaces)}}
    theirs.add_tokens([tokenizers.AddedToken(run, normalized=False) for run in spaces])
    theirs.add_special_tokens([tokenizers.AddedToken("<|im_start|>", normalized=False)])
    files["added_tokens.json"] = json.dumps(added).encode()
    files["special_tokens_map.json"] = json.dumps(
        {"bos_token": "<|endoftext|>", "additional_special_tokens": [{"content": "<|im_start|>"}]}
    ).encode()
    return theirs, files


def test_the_files_of_a_folder_open_together(tmp_path: Path) -> None:
    theirs, files = folder(tmp_path)
    file = open_tokenizer(files)
    texts = [*STRINGS, "if x:\n        return 1\n    y", "<|im_start|>a   b", "<|endoftext|>"]
    for text in texts:
        assert ours_of(file.tokenizer, text) == list(theirs.encode(text).ids), text
    assert file.tokenizer.special_tokens == ("<|endoftext|>", "<|im_start|>")
    assert not any("added_tokens.json" in note for note in file.ignored)
    config = {"added_tokens_decoder": {
        str(number): {"content": token, "special": token.startswith("<")}
        for token, number in json.loads(files.pop("added_tokens.json")).items()
    }}  # fmt: skip
    del files["special_tokens_map.json"]
    by_config = open_tokenizer({**files, "tokenizer_config.json": json.dumps(config).encode()}).tokenizer
    assert [ours_of(by_config, text) for text in texts] == [ours_of(file.tokenizer, text) for text in texts]
    whole = {**files, "tokenizer.json": theirs._tokenizer.to_str().encode()}
    both = open_tokenizer(whole)
    assert ours_of(both.tokenizer, texts[-2]) == theirs.encode(texts[-2]).ids
    assert both.ignored[0].startswith(
        "tokenizer.json says everything about the tokenizer: merges.txt and vocab.json"
    )


def test_the_files_of_a_folder_are_refused_by_their_names(tmp_path: Path) -> None:
    _, files = folder(tmp_path)
    with pytest.raises(BPEError, match=r"got one that lies beside it: add vocab\.json and merges\.txt"):
        open_tokenizer({"added_tokens.json": files["added_tokens.json"]})
    with pytest.raises(
        BPEError, match=r"with or without added_tokens\.json; got added_tokens\.json and vocab\.json"
    ):
        open_tokenizer({name: files[name] for name in ("vocab.json", "added_tokens.json")})
    with pytest.raises(BPEError, match=r'added_tokens\.json, "x": expected a whole number, got "y"'):
        open_tokenizer({**files, "added_tokens.json": b'{"x": "y"}'})
    with pytest.raises(
        BPEError, match=r"tokenizer_config\.json, added_tokens_decoder: expected an id, got .x."
    ):
        open_tokenizer({**files, "tokenizer_config.json": b'{"added_tokens_decoder": {"x": {}}}'})
    with pytest.raises(BPEError, match=r"added_tokens\.json: Added tokens cannot be opened with the split “"):
        open_tokenizer(
            {**files, "merges.txt": files["merges.txt"].partition(b"\n")[2]}, VARIANTS["char-underscore"]
        )


def test_the_list_of_clips_own_code_opens_as_far_as_the_code_reads_it() -> None:
    """The first line names the file, and lines behind merge 48,894 are never read."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    pairs = [f"{left} {right}" for left in letters for right in letters]
    longer = [f"{left}{right} {last}" for left in letters for right in letters for last in letters]
    longest = [f"{part.replace(' ', '')} {last}" for part in longer for last in letters]
    lines = [*pairs, *longer, *longest][:60_000]
    listed = opened(
        bpe_simple_vocab_txt='"bpe_simple_vocab_16e6.txt#version: 0.2\n' + "\n".join(lines) + "\n"
    )
    read = lines[: 49_152 - 256 - 2]
    assert [f"{left.decode()} {right.decode()}" for left, right in listed.tokenizer.merges] == read
    assert len(listed.tokenizer.vocabulary) == 49_152 + 256
    assert listed.tokenizer.ids[b"aa"] == 512
    assert listed.tokenizer.special_ids == (49_406, 49_407)
    last = lines[len(read)].replace(" ", "")
    assert listed.tokenizer.tokens(f"{last}x")[0] != last.encode()


def test_vocab_json_and_merges_txt_of_command_r_encode_as_their_library() -> None:
    """Its vocabulary has tokens with characters that stand for no byte, so no text gives them."""
    model = json.loads(MODEL_FILES["command r"]().to_str())["model"]
    both = opened(
        vocab_json=json.dumps(model["vocab"]),
        merges_txt="#version: 0.2\n" + "".join(f"{left} {right}\n" for left, right in model["merges"]),
    )
    merges = [(left, right) for left, right in model["merges"]]
    theirs = tokenizers.Tokenizer(tokenizers.models.BPE(model["vocab"], merges))
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.decoder = tokenizers.decoders.ByteLevel()
    assert "\u200d" in both.tokenizer.special_tokens
    for text in [*STRINGS, *UNSPELLED, "".join(UNSPELLED)]:
        encoding = theirs.encode(text)
        assert both.tokenizer.encode(text) == encoding.ids, text
        assert both.tokenizer.offsets(text) == encoding.offsets, text
        assert both.tokenizer.decode(encoding.ids) == theirs.decode(encoding.ids), text


def clip_library() -> Any:
    """Return a tokenizer of the library that is made as that of CLIP, with the ids that CLIP gives."""
    theirs = library("clip", 1500)
    pairs: list[list[str]] = json.loads(theirs.to_str())["model"]["merges"]
    letters = [REMAPPED[value] for value in _REMAPPED_BYTES]
    tokens = [*letters, *(letter + "</w>" for letter in letters), *map("".join, pairs)]
    specials = ["<|startoftext|>", "<|endoftext|>"]
    vocabulary = {token: number for number, token in enumerate([*dict.fromkeys(tokens), *specials])}
    model = tokenizers.models.BPE(
        vocabulary, [(left, right) for left, right in pairs], end_of_word_suffix="</w>", unk_token=specials[1]
    )
    made = tokenizers.Tokenizer(model)
    made.normalizer, made.pre_tokenizer = theirs.normalizer, theirs.pre_tokenizer
    made.decoder = tokenizers.decoders.ByteLevel()
    made.add_special_tokens(specials)
    made.encode_special_tokens = True
    return made


@pytest.mark.parametrize("has_vocabulary", [True, False])
def test_merges_of_bytes_that_end_words_open_as_clip(has_vocabulary: bool) -> None:
    theirs = clip_library()
    model = json.loads(theirs.to_str())["model"]
    merges = "#version: 0.2\n" + "".join(f"{left} {right}\n" for left, right in model["merges"])
    files = {"merges_txt": merges, **({"vocab_json": json.dumps(model["vocab"])} if has_vocabulary else {})}
    both = opened(**files)
    assert both.kind.endswith("as in CLIP")
    written = tokenizers.Tokenizer.from_str(FORMATS["tokenizer-json"].write(both.tokenizer))
    written.encode_special_tokens = True
    assert len(STRINGS) >= 100
    for text in STRINGS:
        encoding = theirs.encode(text, add_special_tokens=False)
        assert both.tokenizer.encode(text) == encoding.ids == written.encode(text).ids, text
        assert both.tokenizer.offsets(text) == encoding.offsets, text
        decoded = both.tokenizer.decode(encoding.ids)
        assert decoded == written.decode(encoding.ids, skip_special_tokens=False)
        assert decoded.strip() == theirs.decode(encoding.ids).replace("</w>", " ").strip()
    assert both.tokenizer.special_tokens == ("<|startoftext|>", "<|endoftext|>")
    trace = bpe.replay(CORPUS[:3000], both.tokenizer)
    assert trace.segment(CORPUS[:3000], len(trace.steps)) == both.tokenizer.tokens(CORPUS[:3000])


@pytest.mark.parametrize("text", [
    "für größere Vögel über Häuser schön wären früher fünf Bären",
    "naïve élèves préférés déjà où cœur été café créée",
    "low lower lowest newest widest",
])  # fmt: skip
def test_codes_with_letters_of_latin_1_are_no_bytes(text: str) -> None:
    codes = io.StringIO()
    learn_bpe(io.StringIO("\n".join([text] * 5)), codes, 60)
    assert opened(codes_txt=codes.getvalue()).tokenizer.variant.slug == "char-eow-lines"


def as_subword_nmt(codes: str, text: str) -> str:
    """Return the text as subword-nmt segments it with these codes."""
    return str(BPE(io.StringIO(codes)).process_line(text))


def in_continued_form(tokenizer: Tokenizer, text: str) -> str:
    """Return the tokens as subword-nmt writes them: @@ behind each that does not end its word."""
    spelled = [tokenizer.variant.spelled(token).decode() for token in tokenizer.tokens(text)]
    return " ".join(one.removesuffix("</w>") if one.endswith("</w>") else f"{one}@@" for one in spelled)


CODES = {
    "a merge twice": "#version: 0.2\ne n\nn d</w>\ne n\nd i\n",
    "two files in one": "#version: 0.2\nt h\nth e</w>\ni n\n#version: 0.2\nd i\ndi e</w>\ni n\n",
    "a space behind a merge": "#version: 0.2\nt h \n th e</w>\ni n</w>\n",
}


@pytest.mark.parametrize("name", CODES)
def test_odd_codes_segment_as_subword_nmt(name: str) -> None:
    tokenizer = opened(codes_txt=CODES[name]).tokenizer
    for text in ("the end", "the die in", "end den in the inn", "thee endie"):
        assert in_continued_form(tokenizer, text) == as_subword_nmt(CODES[name], text), text


def test_lines_of_codes_that_are_no_merges_are_named() -> None:
    assert opened(codes_txt=CODES["a merge twice"]).ignored[1:] == (
        "1 of 4 merges repeats another one: as in subword-nmt, the first copy counts.",
    )
    assert opened(codes_txt=CODES["two files in one"]).ignored[1:] == (
        "1 of 6 merges repeats another one: as in subword-nmt, the first copy counts.",
        "A second line with a version: the file seems to be several, one after the other.",
    )


@examples(60)
@given(
    merges=st.lists(
        st.tuples(*[st.sampled_from(["a", "b", "ab", "ba", "abb"])] * 2), min_size=1, max_size=12
    ),
    words=st.lists(st.text("ab", min_size=1, max_size=12), min_size=1, max_size=5),
)
def test_the_last_copy_of_a_merge_counts_in_hugging_face_and_the_first_in_subword_nmt(
    merges: list[tuple[str, str]], words: list[str]
) -> None:
    merges = [*merges, merges[0]]
    tokens = dict.fromkeys(["a", "b", *(token for pair in merges for token in (*pair, "".join(pair)))])
    vocab = {token: number for number, token in enumerate(tokens)}
    theirs = tokenizers.Tokenizer(models.BPE(vocab=vocab, merges=merges))
    content = json.loads(theirs.to_str())
    content["model"]["merges"] = list(map(list, merges))
    theirs = tokenizers.Tokenizer.from_str(json.dumps(content))
    file = _open_tokenizer_json(json.dumps(content))
    lines = "\n".join(map(" ".join, merges))
    pair = opened("bytes", vocab_json=json.dumps(vocab), merges_txt=lines).tokenizer
    for word in words:
        assert file.tokenizer.encode(word) == pair.encode(word) == theirs.encode(word).ids
    copies = len(merges) - len(set(merges))
    assert f"{copies} of {len(merges)} merges repeat" in file.ignored[0]
    codes = "#version: 0.2\n" + "\n".join(f"{left} {right}" for left, right in merges)
    nmt = FORMATS["subword-nmt"].read(codes, VARIANTS["char-eow-lines"])
    assert in_continued_form(nmt, " ".join(words)) == as_subword_nmt(codes, " ".join(words))


def test_codes_of_fastbpe_are_merges_with_counts() -> None:
    file = opened(codes="l o 9\nlo w</w> 7\nn e 4\nl o 0\nn e 0\n")
    assert file.kind == "fastBPE codes"
    assert file.tokenizer.merges == ((b"l", b"o"), (b"lo", b"w\xff"), (b"n", b"e"))
    assert in_continued_form(file.tokenizer, "low new") == "low ne@@ w"
    assert file.ignored[1:] == ("2 lines have the count 0: they repeat earlier merges and are left out.",)
    broken = "l o 9\n" * 30 + "l o\n"
    with pytest.raises(BPEError, match="codes, line 31: expected two symbols and a count, got 'l o'"):
        opened(codes=broken)


def test_codes_of_subword_nmt_segment_as_the_library() -> None:
    codes = io.StringIO()
    learn_bpe(io.StringIO(CORPUS), codes, 600)
    theirs = BPE(io.StringIO(codes.getvalue()))
    tokenizer = opened(codes_txt=codes.getvalue()).tokenizer
    assert tokenizer.variant.slug == "char-eow-lines"
    for text in STRINGS:
        for line in text.split("\n"):
            words = [word for word in line.strip("\r\n ").split(" ") if word]
            cut = [
                token.removesuffix(b"\xff").decode() if token.endswith(b"\xff") else token.decode() + "@@"
                for token in tokenizer.tokens(line)
            ]
            assert " ".join(cut).split() == theirs.segment(" ".join(words)).split(), line


def ranks_of(tokenizer: Tokenizer) -> dict[bytes, int]:
    return {symbol: rank for rank, symbol in enumerate(tokenizer.ids)}


def ranks_file(ranks: dict[bytes, int]) -> str:
    return "".join(f"{base64.b64encode(token).decode()} {rank}\n" for token, rank in ranks.items())


@pytest.mark.parametrize(
    ("variant", "pattern"), [("bytes-gpt2", GPT2_PATTERN), ("bytes-gpt4", GPT4_PATTERN), (None, GPT4_PATTERN)]
)
def test_ranks_encode_as_tiktoken(variant: str | None, pattern: str) -> None:
    ranks = ranks_of(bpe.train(CORPUS, variant=variant or "bytes-gpt4", merges=900).tokenizer())
    # Tokens that no merges make: tiktoken takes such a word whole, and makes them of any two tokens that join to them.
    for token in (b" unreachable", b"Zwxq", b" qzq"):
        ranks[token] = len(ranks)
    theirs = tiktoken.Encoding("ours", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    tokenizer = opened(variant, ranks_tiktoken=ranks_file(ranks)).tokenizer
    for text in [*STRINGS, " unreachable Zwxq qzq", "xZwxqx unreachables"]:
        assert tokenizer.encode(text) == theirs.encode_ordinary(text), text
    text = " unreachable Zwxq the " + CORPUS[:3000]
    trace = bpe.replay(text, tokenizer)
    assert trace.segment(text, len(trace.steps)) == tokenizer.tokens(text)


def test_an_empty_token_of_ranks_is_an_id_that_no_token_has() -> None:
    # Whisper's multilingual.tiktoken ends with such a line, and its special tokens begin after it.
    ranks = {**ranks_of(bpe.train(CORPUS, variant="bytes-gpt2", merges=700).tokenizer()), b"": 956}
    content = ranks_file(ranks).replace("\n 956", "\n= 956")
    assert content.endswith("\n= 956\n")
    assert base64.b64decode("=") == b""
    theirs = tiktoken.Encoding("ours", pat_str=GPT2_PATTERN, mergeable_ranks=ranks, special_tokens={})
    tokenizer = opened("bytes-gpt2", ranks_tiktoken=content).tokenizer
    assert len(STRINGS) >= 100
    for text in STRINGS:
        ids = theirs.encode_ordinary(text)
        assert tokenizer.encode(text) == ids, text
        assert tokenizer.decode(ids) == theirs.decode(ids) == text
    assert len(tokenizer.vocabulary) == theirs.n_vocab == 957
    with pytest.raises(BPEError, match="No token has the id 956"):
        tokenizer.decode([956])
    assert FORMATS["tiktoken"].write(tokenizer) == content
    assert opened(tokenizer_json=FORMATS["tokenizer-json"].write(tokenizer)).tokenizer.ids == tokenizer.ids
    with pytest.raises(BPEError, match="line 958: expected a token in base64, got '=='"):
        opened("bytes", ranks_tiktoken=content + "== 957\n")


def js_ranks(ranks: dict[bytes, int], **parts: Any) -> str:
    """Return the JSON that js-tiktoken loads: lines of at most 100 tokens behind "!" and the first rank."""
    tokens = [base64.b64encode(token).decode() for token in ranks]
    lines = [" ".join(("!", str(at), *tokens[at : at + 100])) for at in range(0, len(tokens), 100)]
    return json.dumps({"bpe_ranks": "\n".join(lines), **parts})


def test_ranks_of_js_tiktoken_encode_as_tiktoken() -> None:
    ranks = ranks_of(bpe.train(CORPUS, variant="bytes-gpt4", merges=800).tokenizer())
    special = {"<|endoftext|>": 1056, "<|fim|>": 1060}
    theirs = tiktoken.Encoding("ours", pat_str=O200K_PATTERN, mergeable_ranks=ranks, special_tokens=special)
    content = js_ranks(ranks, pat_str=O200K_PATTERN, special_tokens=special, explicit_n_vocab=None)
    both = opened(ranks_json=content)
    assert (both.kind, both.says_split) == ("js-tiktoken's JSON", True)
    assert len(STRINGS) >= 100
    again = opened(tokenizer_json=FORMATS["tokenizer-json"].write(both.tokenizer)).tokenizer
    for text in [*STRINGS, "a<|fim|>b<|endoftext|>"]:
        ids = theirs.encode(text, allowed_special="all")
        assert (
            both.tokenizer.encode(text, allow_special=True) == ids == again.encode(text, allow_special=True)
        )
        assert both.tokenizer.decode(ids) == theirs.decode(ids)
        starts = theirs.decode_with_offsets(theirs.encode_ordinary(text))[1]
        assert [start for start, _ in both.tokenizer.offsets(text)] == starts, text


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({}, "pat_str: expected a string, got null"),
        ({"pat_str": "("}, "ranks.json, pat_str: "),
        ({"pat_str": "a", "special_tokens": {"x": 3}}, 'special_tokens: expected an id of its own for "x"'),
        ({"bpe_ranks": "! x IQ=="}, "bpe_ranks, line 1: expected the first rank, got 'x'"),
        ({"bpe_ranks": 3}, "bpe_ranks: expected a string, got 3"),
    ],
)
def test_a_broken_file_of_js_tiktoken_is_refused_with_its_field(parts: dict[str, Any], message: str) -> None:
    ranks = {bytes([value]): value for value in range(256)}
    with pytest.raises(BPEError, match=message):
        opened(ranks_json=json.dumps({**json.loads(js_ranks(ranks)), **parts}))


def test_the_patterns_of_published_encodings_split_as_tiktoken_does() -> None:
    # Their files are not at hand: 256 bytes alone show how a pattern splits, since merges are made within its matches.
    ranks = ranks_of(bpe.train(CORPUS, variant="bytes", merges=2_000).tokenizer())
    from tiktoken_ext import openai_public  # it reads nothing before a constructor is called

    patterns = {row.name: row for row in ENCODINGS}
    assert openai_public.r50k_pat_str
    for name, theirs_pattern in {
        "r50k_base": openai_public.r50k_pat_str,
        "o200k_base": O200K_PATTERN,
    }.items():
        theirs = tiktoken.Encoding("ours", pat_str=theirs_pattern, mergeable_ranks=ranks, special_tokens={})
        merges = bpe.train(CORPUS, variant="bytes", merges=2_000).tokenizer().merges
        ours = Tokenizer(patterns[name].variant, tuple(ranks), merges, one_by_one=True, whole_words=True)
        assert [ours.encode(text) for text in STRINGS] == [theirs.encode_ordinary(text) for text in STRINGS]


def test_published_encodings_have_the_hashes_and_special_tokens_of_tiktoken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tiktoken_ext import openai_public

    hashes: list[str] = []

    def load(_address: str, *, expected_hash: str) -> dict[bytes, int]:
        hashes.append(expected_hash)
        return {}

    # Only the files come from another machine. What tiktoken makes of them is its own code's.
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", load)
    for row in ENCODINGS[:4]:
        theirs = getattr(openai_public, row.name)()
        assert (row.sha256, dict(row.special_tokens)) == (hashes[-1], theirs["special_tokens"]), row.name
    assert [row.name for row in ENCODINGS[4:]] == ["multilingual, of Whisper"]


def test_a_token_that_joins_in_two_ways_has_the_pair_that_tiktoken_joins() -> None:
    # As in Llama 3's tokenizer.model: `.:.:` is .: + .: and .:. + : , and only the second comes about.
    ranks = [*(bytes([value]) for value in range(256)), b":.", b".:", b".:.:", b".:."]
    file = opened("bytes", ranks_tiktoken=ranks_file({token: rank for rank, token in enumerate(ranks)}))
    assert file.tokenizer.encode(".:.:") == [258]
    assert file.tokenizer.merges == ((b":", b"."), (b".", b":"), (b".:.", b":"), (b".", b":."))


def test_an_empty_list_of_merges_beside_a_vocabulary_is_refused_by_its_name() -> None:
    files = {"my-vocab.json": b'{"a": 0}', "my-merges.txt": b"\n"}
    with pytest.raises(BPEError, match=r"my-merges\.txt: expected a list of merges, got an empty file"):
        open_tokenizer(files)
    with pytest.raises(
        BPEError, match=r"my-vocab\.json, line 1, column 2: expected JSON, but the file ends here"
    ):
        open_tokenizer(files | {"my-vocab.json": b"{", "my-merges.txt": b"a b"})
