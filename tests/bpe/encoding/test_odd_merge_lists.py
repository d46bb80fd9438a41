"""Merge lists that no training makes: what the libraries make of them is what we make of them, or we refuse."""

import base64

import tiktoken
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import models

import bpe
from bpe import BPEError
from bpe.formats.hugging_face.reading import read_tokenizer
from bpe.formats.tiktoken_ranks import read_ranks
from tests.bpe.text.random_texts import examples

parts = st.text("ab", min_size=1, max_size=4)
merge_lists = st.lists(st.tuples(parts, parts), max_size=14, unique=True)
corpora = st.lists(st.text("ab", max_size=30), min_size=1, max_size=4)
token_lists = st.lists(st.text("ab", min_size=2, max_size=6), max_size=12, unique=True)


@examples(100)
@given(merges=merge_lists, strings=corpora, ignore_merges=st.booleans())
def test_any_merge_list_encodes_as_in_hugging_face(
    merges: list[tuple[str, str]], strings: list[str], ignore_merges: bool
) -> None:
    tokens = dict.fromkeys(["a", "b", *(token for pair in merges for token in (*pair, "".join(pair)))])
    vocab = {token: number for number, token in enumerate(tokens)}
    theirs = tokenizers.Tokenizer(models.BPE(vocab=vocab, merges=merges, ignore_merges=ignore_merges))
    tokenizer = read_tokenizer(theirs.to_str())
    for text in strings:
        assert tokenizer.encode(text) == theirs.encode(text).ids
        check_replay(tokenizer, text)


@examples(100)
@given(tokens=token_lists, strings=corpora)
def test_any_ranks_encode_as_in_tiktoken_or_are_refused(tokens: list[str], strings: list[str]) -> None:
    ranks = {token: rank for rank, token in enumerate([*map(single, range(256)), *map(str.encode, tokens)])}
    content = "".join(f"{base64.b64encode(token).decode()} {rank}\n" for token, rank in ranks.items())
    try:
        tokenizer = read_ranks(content, bpe.VARIANTS["bytes"])
    except BPEError:
        return
    theirs = tiktoken.Encoding("odd", pat_str=r"[\s\S]+", mergeable_ranks=ranks, special_tokens={})
    for text in strings:
        assert tokenizer.encode(text) == theirs.encode_ordinary(text)
        check_replay(tokenizer, text)


def single(value: int) -> bytes:
    return bytes([value])


def check_replay(tokenizer: bpe.Tokenizer, text: str) -> None:
    try:
        trace = bpe.replay(text, tokenizer)
    except BPEError:
        return
    assert trace.segment(text, len(trace.steps)) == tokenizer.tokens(text)
