"""Files of pairs of ids, such as minbpe's .model, and other files that are known by their first lines."""

import json
from itertools import pairwise

import pytest
import regex

from bpe import BPEError, Tokenizer, train
from bpe.formats.id_pairs import open_minbpe
from bpe.formats.opened import File, Opened
from bpe.formats.opening import open_tokenizer
from bpe.text.patterns import GPT4_PATTERN
from tests.material.hostile_texts import STRINGS
from tests.material.texts import SENTENCES


def opened(name: str, content: str) -> Opened:
    return open_tokenizer({name: content.encode()})


def minbpe_model(tokenizer: Tokenizer, pattern: str, special: dict[str, int]) -> str:
    """Return the file that minbpe's Tokenizer.save writes for these merges."""
    ids = {bytes([value]): value for value in range(256)}
    lines = [
        "minbpe v1",
        pattern,
        str(len(special)),
        *(f"{token} {number}" for token, number in special.items()),
    ]
    for left, right in tokenizer.merges:
        lines.append(f"{ids[left]} {ids[right]}")
        ids[left + right] = len(ids)
    return "".join(line + "\n" for line in lines)


def as_minbpe(model: str, text: str) -> list[int]:
    """Return the ids of a text, as minbpe's Tokenizer.load and encode_ordinary give them."""
    _, pattern, special, *lines = model.rstrip("\n").split("\n")
    pairs = [tuple(map(int, line.split())) for line in lines[int(special) :]]
    merges = {pair: 256 + number for number, pair in enumerate(pairs)}
    ids: list[int] = []
    for chunk in regex.findall(pattern, text) if pattern else [text]:
        part = list(chunk.encode())
        while len(part) > 1:
            pair = min(pairwise(part), key=lambda pair: merges.get(pair, 1 << 40))
            if pair not in merges:
                break
            merged, at = [], 0
            while at < len(part):
                both = at + 1 < len(part) and (part[at], part[at + 1]) == pair
                merged.append(merges[pair] if both else part[at])
                at += 1 + both
            part = merged
        ids += part
    return ids


@pytest.mark.parametrize("pattern", ["", GPT4_PATTERN, r"\p{L}+|\P{L}+"], ids=["basic", "regex", "own"])
def test_a_model_of_minbpe_encodes_as_minbpe(pattern: str) -> None:
    learned = train(SENTENCES, "bytes-gpt4" if pattern else "bytes", merges=300).tokenizer()
    model = minbpe_model(learned, pattern, {"<|endoftext|>": 100257, "<|end of prompt|>": 100276})
    file = opened("my.model", model)
    assert (file.kind, file.ignored, file.says_split) == ("minbpe's .model", (), True)
    tokenizer = file.tokenizer
    for text in [*STRINGS, SENTENCES[:2000]]:
        assert tokenizer.encode(text) == as_minbpe(model, text), text
    assert tokenizer.encode("a<|end of prompt|>", allow_special=True) == [97, 100276]
    if pattern == GPT4_PATTERN:
        assert tokenizer.variant.slug == "bytes-gpt4"


MODEL = "minbpe v1\n\n0\n108 111\n256 119\n"


def test_a_list_of_pairs_of_ids_is_read_with_and_without_the_new_ids() -> None:
    expected = ((b"l", b"o"), (b"lo", b"w"))
    split = "The file does not say how text is split; it is split as in “Bytes, GPT-4 pattern”."
    plain = opened("merges.txt", "108 111\n256 119\n")
    assert (plain.tokenizer.merges, plain.tokenizer.encode("low"), plain.ignored) == (
        expected,
        [257],
        (split,),
    )
    after_special = opened("merges.txt", "108 111 257\r\n257 119 258\r\n")
    assert (after_special.tokenizer.merges, after_special.tokenizer.encode("low")) == (expected, [258])
    counts = opened("merges.txt", "108 111 9\n256 119 7\n")
    assert (counts.tokenizer.encode("low"), counts.ignored) == (
        [257],
        (split, "The third number of a line is not used: it is not the id of the new token."),
    )


def test_merges_of_digits_are_no_ids() -> None:
    file = opened("codes.txt", "#version: 0.2\n1 0\n10 0</w>\n")
    assert file.tokenizer.merges == ((b"1", b"0"), (b"10", b"0\xff"))
    assert opened("merges.txt", "1 0\n10 0\n").tokenizer.merges == ((b"1", b"0"), (b"10", b"0"))


def test_a_vocabulary_by_id_is_read_as_one_by_token() -> None:
    merges = "Ġ t\nĠt h\n"
    tokens = ["Ġ", "t", "h", "e", "Ġt", "Ġth"]
    by_token = {token: number for number, token in enumerate(tokens)}
    by_id = dict(enumerate(tokens))
    pair = [
        open_tokenizer({"vocab.json": json.dumps(one).encode(), "merges.txt": merges.encode()})
        for one in (by_token, by_id)
    ]
    assert pair[0].tokenizer.encode(" the") == pair[1].tokenizer.encode(" the") == [5, 3]
    with pytest.raises(BPEError, match=r"vocab\.json: .*got a vocabulary: add the merges"):
        opened("vocab.json", json.dumps(by_id))


REFUSED = {
    "an id that nothing makes": (
        "108 111\n257 119\n",
        r"line 2: expected ids of bytes, 0 to 255, or of .*; got 257",
    ),
    "a token twice": ("97 97\n97 97\n", "line 2: makes the same token as line 1"),
    "no ids further down": ("108 111\n" + "256 119\nx\n", r"line 3: expected two|merges\.txt"),
    "counts of tokens": (
        "the 50\nth@@ 20\n",
        r"got a vocabulary with counts \(50 times 'the'\), as subword-nmt",
    ),
    "counts of signs": (
        ", 50\n. 20\nthe 3\n",
        r"got a vocabulary with counts \(50 times ','\), as subword-nmt",
    ),
    "another format": ("bpe v2\na b\n", "got one of the format 'bpe v2', which is not known here"),
    "minbpe, no number": ("minbpe v1\n\nx\n1 2\n", "line 3: expected the number of special tokens"),
    "minbpe, a special token alone": (
        "minbpe v1\n\n1\n<s>\n97 98\n",
        "line 4: expected a special token and its id",
    ),
    "minbpe, an id taken": (
        "minbpe v1\n\n1\n<s> 256\n97 98\n",
        "an id of its own for the special token '<s>', got 256",
    ),
    "minbpe, an id far away": (
        "minbpe v1\n\n1\n<s> 999999999\n97 98\n",
        "an id of its own for the special token",
    ),
    "minbpe, no merges": ("minbpe v1\n\n0\n", "expected at least one merge, got none"),
    "minbpe, a wrong pattern": ("minbpe v1\n(a\n0\n97 98\n", "line 2: .*pattern"),
    "minbpe, a merge of words": ("minbpe v1\n\n0\na b\n", "line 4: expected two ids, got 'a b'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_list_is_refused_by_its_line(name: str) -> None:
    content, message = REFUSED[name]
    with pytest.raises(BPEError, match=message):
        opened("merges.txt", content)


def test_a_model_of_minbpe_names_its_own_kind_in_errors() -> None:
    with pytest.raises(BPEError, match=r"minbpe\.model, line 6: expected two ids"):
        open_minbpe(File("x", (MODEL + "1 2 x\n").encode()))
