"""The encoders as textbooks print them: each in a few lines, one word at a time.

`bpe.encoding.encoders` gives the same tokens, with indexes in place of searching; each row there names its functions
here. The pages show them: `film.textbook_code`. `word` is a word, spelled in initial symbols; symbols that the
vocabulary lacks stay as they are. `ids` is the vocabulary with its ids; `tokens` is the vocabulary, the longest tokens
first, and among equally long ones the most frequent first.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from random import Random

from bpe.symbols import Pair, Symbol, Word, merge_pair


def lowest_rank_first(word: Word, merges: Sequence[Pair]) -> Word:
    """Return the tokens after the earliest-learned merge that fits, again and again.

    >>> lowest_rank_first((b"l", b"o", b"w", b"e", b"r"), [(b"l", b"o"), (b"lo", b"w"), (b"w", b"e")])
    (b'low', b'e', b'r')
    """
    rank_of = {pair: rank for rank, pair in enumerate(merges)}
    while known := [pair for pair in pairwise(word) if pair in rank_of]:
        earliest = min(known, key=rank_of.get)  # type: ignore[arg-type]  # `get` finds a rank for each of them
        word = merge_pair(word, earliest)
    return word


def whole_word_first(word: Word, merges: Sequence[Pair], ids: Collection[Symbol]) -> Word:
    """Return the word as one token if it is one, as a tokenizer with `whole_words` does."""
    whole = b"".join(word)
    return (whole,) if whole in ids else lowest_rank_first(word, merges)


def rules_in_order(word: Word, merges: Sequence[Pair]) -> Word:
    """Return the tokens after all merges, each applied once, in the order they were learned."""
    for pair in merges:
        word = merge_pair(word, pair)
    return word


def longest_first(word: Word, tokens: Sequence[Symbol]) -> Word:
    """Return the longest token in the word, with the tokens to the left and to the right of it.

    >>> longest_first((b"a", b"b", b"c", b"d"), [b"bc", b"a"])
    (b'a', b'bc', b'd')
    """
    for token in tokens:
        if place := find(word, token):
            start, end = place
            left, right = word[:start], word[end:]
            return (*longest_first(left, tokens), token, *longest_first(right, tokens))
    return word


def longest_in_use(word: Word, tokens: Sequence[Symbol], frequencies: Mapping[Symbol, int]) -> Word:
    """Return the tokens as `longest_first`, from those alone that are in use in the training text."""
    used = [token for token in tokens if frequencies.get(token)]
    return longest_first(word, used)


def longest_prefix(word: Word, ids: Collection[Symbol]) -> Word:
    """Return the longest token with which the word begins, then the same for the rest."""
    found: list[Symbol] = []
    while word:
        for end in range(len(word), 0, -1):
            token = b"".join(word[:end])
            if token in ids:
                break
        found.append(token)
        word = word[end:]
    return tuple(found)


def fewest_tokens(word: Word, ids: Collection[Symbol]) -> Word:
    """Return as few tokens as possible; among equals, longer ones come first."""
    best: dict[int, tuple[int, int, Word]] = {len(word): (0, 0, ())}
    for start in reversed(range(len(word))):
        ways = []
        for end in range(len(word), start, -1):
            token = b"".join(word[start:end])
            if token in ids or end == start + 1:
                unknown, number, rest = best[end]
                ways.append((unknown + (token not in ids), number + 1, (token, *rest)))
        best[start] = min(ways, key=lambda way: way[:2])
    return best[0][2]


def lowest_rank_with_dropout(word: Word, merges: Sequence[Pair], p: float, seed: int) -> Word:
    """Return the tokens after merges by rank, where each step drops the places that fit with probability p."""
    draw = Random(f"{seed}:".encode() + b"".join(word))
    while True:
        for pair in merges:
            fits = [at for at in range(len(word) - 1) if word[at : at + 2] == pair]
            kept = [at for at in fits if draw.random() >= p]
            if kept:
                break
        else:
            return word
        word = merge_at(word, kept)


def rare_tokens_undone(
    word: Word, merges: Sequence[Pair], frequencies: Mapping[Symbol, int], threshold: int
) -> Word:
    """Return the tokens of `lowest_rank_first`, with those that are rarer than `threshold` split into their parts."""
    parts = {left + right: (left, right) for left, right in reversed(merges)}
    tokens = lowest_rank_first(word, merges)
    while rare := [one for one in tokens if one in parts and frequencies.get(one, 0) < threshold]:
        at = tokens.index(rare[0])
        tokens = (*tokens[:at], *parts[rare[0]], *tokens[at + 1 :])
    return tokens


def symbols_of(ids: Iterable[int], vocabulary: Sequence[Symbol]) -> list[Symbol]:
    """Return the symbols of ids. The variant's `decode` makes a text of them."""
    return [vocabulary[number] for number in ids]


def find(word: Word, token: Symbol) -> tuple[int, int] | None:
    """Return (start, end) of the first symbols of the word that are a token together; None if there are none.

    >>> find((b"a", b"b", b"c"), b"bc")
    (1, 3)
    """
    for start in range(len(word)):
        for end in range(start + 1, len(word) + 1):
            if b"".join(word[start:end]) == token:
                return start, end
    return None


def merge_at(word: Word, places: Collection[int]) -> Word:
    """Return the word with the two symbols joined at each of the places, from left to right, without overlap.

    >>> merge_at((b"a", b"a", b"a", b"b"), [0, 1])
    (b'aa', b'a', b'b')
    """
    joined: list[Symbol] = []
    at = 0
    while at < len(word):
        width = 2 if at in places else 1
        joined.append(b"".join(word[at : at + width]))
        at += width
    return tuple(joined)
