"""The ways to apply merges to a word: by rank, one rule after the other, and for whole words."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import pairwise, repeat
from operator import gt
from typing import NamedTuple

from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.symbols import Pair, Symbol, Word
from bpe.text.variants import Variant

# In initial symbols. For a word up to this length, reading all ranks after each merge costs less than a heap.
SHORT_WORD = 200

# Merges that are ordered are applied in the order of their ranks, whatever else a word holds. So what a token looked
# like at any rank is known from the merges that make it. If none of the tokens' ends that stood side by side at some
# rank are a pair with a merge of that rank, no merge closes the boundary. And if that is so for every two neighbours
# of a list of tokens, each of which its own merges make, the list is how the word is encoded.
# Source: Alexander Neubeck, Hendrik van Antwerpen, 2024: So Many Tokens, So Little Time (github/rust-gems,
# crates/bpe).
NOT_MADE = -1  # in place of the rank of the merge that makes an initial symbol

# Both give the same tokens if the merges are in the order in which they were learned. They differ if a list was
# edited or imported with a merge before the merges that make its parts. Libraries differ for such a list too. Here,
# as in subword-nmt and minbpe, a merge is applied at all its positions before the next merge is chosen; `_one_by_one`
# chooses again after each position, as Hugging Face and tiktoken do.
# (rank of a pair that a merge created, rank of that merge) -> whether the pair may still be merged
_MayFollow = Callable[[int, int], bool]


@dataclass(frozen=True, slots=True)
class EncoderInput:
    """The data that an encoder works from: variant, vocabulary, merges and frequencies."""

    variant: Variant
    ids: Mapping[Symbol, int]  # symbol -> id, in id order; special tokens are left out
    merges: Sequence[Pair]  # by rank
    frequencies: Mapping[Symbol, int]  # token -> occurrences in the corpus; may be empty
    one_by_one: bool = False  # see bpe/encoding/merging.py
    whole_words: bool = False  # see bpe/encoding/merging.py
    equal_ranks: Mapping[Symbol, int] = field(default_factory=dict)  # see `_leftmost_of_equals`


class WordStep(NamedTuple):
    """One step of encoding a word: a token made or looked up, at one or several positions without overlap."""

    token: Symbol
    rank: int | None  # of the merge applied; None if the token was looked up in the vocabulary
    starts: Sequence[int]  # positions of the token's first initial symbols in the word, ascending
    closes: Sequence[int]  # boundaries that close; boundary b is the one after initial symbol b
    order_key: tuple[int, ...]  # of the next steps of several words, the one with the least key comes first


@dataclass(frozen=True, slots=True)
class WordEncoder:
    """An encoder, prepared for one vocabulary. Initial symbols that the vocabulary lacks are tokens of their own."""

    encode: Callable[[Word], Sequence[Symbol]]  # initial symbols -> tokens
    steps: Callable[[Word], Iterator[WordStep]]  # the steps that lead to the same tokens
    # What a word may join to that `encode` returns as one token, with its id; and what encodes the other words.
    whole: Mapping[Symbol, int] = field(default_factory=dict)
    others: Callable[[Word], Sequence[Symbol]] | None = None


def by_rank(known: EncoderInput) -> WordEncoder:
    """Return the encoder `rank`."""
    table = merge_table(known.merges)
    if known.equal_ranks:
        return _leftmost_of_equals(table, known.equal_ranks)
    # For an ordered list both give the same tokens, and the steps of the former are fewer.
    encoder = _one_by_one(table) if known.one_by_one and not table.ordered else _word_encoder(table, _always)
    if not known.whole_words:
        return encoder
    # A word that reads like an added token, and is none, is not looked up: the model does not know the token.
    own = known.variant.own_symbols
    tokens = (
        {symbol: number for symbol, number in known.ids.items() if symbol not in own} if own else known.ids
    )
    return _whole_words_first(encoder, tokens)


def by_rules(known: EncoderInput) -> WordEncoder:
    """Return the encoder `rules`."""
    return _word_encoder(merge_table(known.merges), gt)


@dataclass(frozen=True, slots=True)
class MergeTable:
    """The merges in the form of look-up tables."""

    merges: Sequence[Pair]
    rank_of: Mapping[Pair, int]
    symbols: Sequence[Symbol]  # rank -> the symbol that the merge makes
    no_rank: int  # greater than any rank
    ordered: bool  # every merge comes after the merges that make its parts


def merge_table(merges: Sequence[Pair]) -> MergeTable:
    """Return the table of a merge list."""
    symbols = [left + right for left, right in merges]
    ordered = out_of_order(enumerate(merges)) is None
    return MergeTable(merges, {pair: rank for rank, pair in enumerate(merges)}, symbols, len(merges), ordered)


def out_of_order(merges: Iterable[tuple[int, Pair]]) -> tuple[int, int] | None:
    """Return (rank of a merge, rank of a later merge that makes one of its parts), or None if there are no such two.

    `merges` are (rank, pair), by rank.

    >>> out_of_order([(0, (b"ab", b"c")), (1, (b"a", b"b"))])
    (0, 1)
    """
    ranked = list(merges)
    last_rank = {left + right: rank for rank, (left, right) in ranked}
    latest = last_rank.get
    for rank, (left, right) in ranked:
        if latest(left, -1) >= rank or latest(right, -1) >= rank:
            return rank, max(latest(left, -1), latest(right, -1))
    return None


def encode_short(table: MergeTable, word: Word) -> list[Symbol]:
    """Return the tokens of a word: apply the merge of lowest rank, leftmost first, one at a time, until none applies.

    For ordered merges this gives the same tokens as applying each merge everywhere, and as the encoder `rules`.
    """
    rank_of, no_rank = table.rank_of.get, table.no_rank
    symbols = list(word)
    ranks = list(map(rank_of, pairwise(symbols), repeat(no_rank)))  # ranks[i]: of the pair at i and i + 1
    while ranks and (rank := min(ranks)) < no_rank:
        i = ranks.index(rank)
        token = table.symbols[rank]
        symbols[i : i + 2] = (token,)
        del ranks[i]
        if i < len(ranks):
            ranks[i] = rank_of((token, symbols[i + 1]), no_rank)
        if i:
            ranks[i - 1] = rank_of((symbols[i - 1], token), no_rank)
    return symbols


def halves(table: MergeTable, made: Mapping[Symbol, int], text: Symbol) -> Pair | None:
    """Return the two tokens as which ordered merges leave a text of bytes, or None if they are not two."""
    for end in range(len(text) - 1, 0, -1):
        left, right = text[:end], text[end:]
        if left in made and right in made and _stay_apart(table, made, left, right):
            return left, right
    return None


def apply_steps(word: Word, steps: Iterable[WordStep]) -> list[Symbol]:
    """Return the word's tokens after the steps.

    >>> apply_steps((b"a", b"b", b"c"), [WordStep(b"ab", 0, [0], [0], (0,))])
    [b'ab', b'c']
    """
    closed = bytearray(len(word))
    for step in steps:
        for boundary in step.closes:
            closed[boundary] = 1
    tokens: list[Symbol] = []
    start = 0
    while start < len(word):
        end = closed.index(0, start) + 1
        tokens.append(b"".join(word[start:end]))
        start = end
    return tokens


def _one_by_one(table: MergeTable) -> WordEncoder:
    """Return the encoder `rank` as these libraries implement it.

    Hugging Face's tokenizers and tiktoken encode like this. The tokens differ from those of `by_merges` only if a merge
    comes before a merge that makes one of its parts, as in lists that were converted from a vocabulary.
    """

    def encode(word: Word) -> list[Symbol]:
        if len(word) <= SHORT_WORD:
            return encode_short(table, word)
        return apply_steps(word, _single_steps(table, word, table.rank_of.get))

    return WordEncoder(encode, lambda word: _single_steps(table, word, table.rank_of.get))


def _leftmost_of_equals(table: MergeTable, equal_ranks: Mapping[Symbol, int]) -> WordEncoder:
    """Return the encoder `rank` of merges some of which have equal ranks: of these, the leftmost is applied first.

    `equal_ranks`: token -> the number of its group. The merges of one group stand side by side in the list.
    SentencePiece encodes like this where pieces have equal scores.
    """
    first_of: dict[int, int] = {}
    order_of: dict[Pair, int] = {}
    for rank, (pair, symbol) in enumerate(zip(table.merges, table.symbols, strict=True)):
        group = equal_ranks.get(symbol)
        order_of[pair] = rank if group is None else first_of.setdefault(group, rank)

    def steps(word: Word) -> Iterator[WordStep]:
        return _single_steps(table, word, order_of.get)

    return WordEncoder(lambda word: apply_steps(word, steps(word)), steps)


def single_merges(word: Word, order_of: Callable[[Pair], int | None]) -> Iterator[tuple[Pair, int, int]]:
    """Yield (pair, start of the new token, boundary that closes) for every position that is merged, in order.

    The neighbours whose pair has the least order are merged next; among several such pairs, the leftmost one.
    `order_of` returns None for a pair that is not merged. Several pairs may have the same order.
    """
    symbols = list(word)  # symbols[i]: the token that starts at i; b"" inside a token
    end = len(word)
    following, preceding = array("i", range(1, end + 1)), array("i", range(-1, end - 1))
    pairs = enumerate(pairwise(with_checkpoints(word)))
    queue = [(order, i) for i, pair in pairs if (order := order_of(pair)) is not None]
    heapify(queue)
    while queue:
        checkpoint()
        order, start = heappop(queue)
        middle = following[start]
        if not symbols[start] or middle == end:
            continue
        pair = symbols[start], symbols[middle]
        if order_of(pair) != order:
            continue  # a neighbour was merged with one of the two symbols
        after = following[middle]
        symbols[start], symbols[middle] = pair[0] + pair[1], b""
        following[start] = after
        yield pair, start, middle - 1
        if after < end:
            preceding[after] = start
            if (next_order := order_of((symbols[start], symbols[after]))) is not None:
                heappush(queue, (next_order, start))
        before = preceding[start]
        if before >= 0 and (next_order := order_of((symbols[before], symbols[start]))) is not None:
            heappush(queue, (next_order, before))


def encode_by_rank(table: MergeTable, word: Word) -> list[Symbol]:
    """Return the word's tokens: apply the merge of lowest rank everywhere, and repeat until no merge applies."""
    return _encode(table, _always, word)


def positions_by_rank(table: MergeTable, word: Word) -> dict[int, list[int]]:
    """Return, for each merge that fits in the word, its rank and the positions where its pair starts."""
    positions: dict[int, list[int]] = {}
    for start, rank in enumerate(map(table.rank_of.get, pairwise(with_checkpoints(word)))):
        if rank is not None:
            positions.setdefault(rank, []).append(start)
    return positions


def _stay_apart(table: MergeTable, made: Mapping[Symbol, int], left: Symbol, right: Symbol) -> bool:
    """Return whether ordered merges that make these two tokens leave them apart, when they are neighbours.

    `made`: token -> the rank of the last merge that makes it of its own initial symbols; NOT_MADE for these symbols.
    """
    rank_of, merges, no_rank = table.rank_of.get, table.merges, table.no_rank
    left_made, right_made = made[left], made[right]
    left_gone = right_gone = no_rank  # the ranks at which these ends become parts of longer ones
    while True:
        rank = rank_of((left, right))
        # If pairs with the same symbols overlap, the leftmost one is merged.
        if rank is not None and rank < left_gone and rank <= right_gone:
            return False
        if left_made > right_made:
            left_gone, left = left_made, merges[left_made][1]
            left_made = made[left]
        elif right_made >= 0:
            right_gone, right = right_made, merges[right_made][0]
            right_made = made[right]
        else:
            return True


def _single_steps(
    table: MergeTable, word: Word, order_of: Callable[[Pair], int | None]
) -> Iterator[WordStep]:
    """Yield the merges in order. Consecutive positions of the same rank form one step."""
    starts: list[int] = []
    closes: list[int] = []
    last_rank = -1
    for pair, start, boundary in single_merges(word, order_of):
        rank = table.rank_of[pair]
        if rank != last_rank and starts:
            yield WordStep(table.symbols[last_rank], last_rank, sorted(starts), sorted(closes), (last_rank,))
            starts, closes = [], []
        last_rank = rank
        starts.append(start)
        closes.append(boundary)
    if starts:
        yield WordStep(table.symbols[last_rank], last_rank, sorted(starts), sorted(closes), (last_rank,))


def _whole_words_first(by_merges: WordEncoder, tokens: Mapping[Symbol, int]) -> WordEncoder:
    """Return the encoder that looks a word up before it applies merges.

    tiktoken encodes like this, and Hugging Face's tokenizers where a file says `ignore_merges`, as Llama 3's does.

    Its steps are the merges if they lead to the same token, otherwise one step that looks up the token.
    """

    def encode(word: Word) -> Sequence[Symbol]:
        whole = b"".join(word)
        return [whole] if whole in tokens else by_merges.encode(word)

    def steps(word: Word) -> Iterator[WordStep]:
        whole = b"".join(word)
        if whole in tokens and len(by_merges.encode(word)) > 1:
            return iter([WordStep(whole, None, [0], range(len(word) - 1), (0,))])
        return by_merges.steps(word)

    return WordEncoder(encode, steps, tokens, by_merges.encode)


def _word_encoder(table: MergeTable, may_follow: _MayFollow) -> WordEncoder:
    return WordEncoder(partial(_encode, table, may_follow), partial(_steps, table, may_follow))


def _always(rank: int, applied: int) -> bool:
    return True


def _encode(table: MergeTable, may_follow: _MayFollow, word: Word) -> list[Symbol]:
    if table.ordered and len(word) <= SHORT_WORD:
        return encode_short(table, word)
    return apply_steps(word, _steps(table, may_follow, word))


def _steps(table: MergeTable, may_follow: _MayFollow, word: Word) -> Iterator[WordStep]:
    """Yield every merge that applies, with all its positions. Linear in the word's length, except for sorting.

    Positions are filed under the rank of the pair that starts there. When a rank is processed, a position may be stale:
    one of the pair's two symbols was merged with another neighbour. Such a position is dropped, since symbols only grow
    and the pair cannot come back.
    """
    rank_of = table.rank_of.get
    symbols = list(word)  # symbols[i]: the token that starts at i; b"" inside a token
    end = len(word)
    following, preceding = array("i", range(1, end + 1)), array("i", range(-1, end - 1))
    positions = positions_by_rank(table, word)
    queue = list(positions)
    heapify(queue)

    def file_position(pair: Pair, start: int, applied: int) -> None:
        rank = rank_of(pair)
        if rank is None or not may_follow(rank, applied):
            return
        if rank in positions:
            positions[rank].append(start)
        else:
            positions[rank] = [start]
            heappush(queue, rank)

    while queue:
        checkpoint()
        rank = heappop(queue)
        left, right = table.merges[rank]
        token = table.symbols[rank]
        starts: list[int] = []
        closes: list[int] = []
        for start in sorted(positions.pop(rank)):
            middle = following[start]
            if symbols[start] != left or middle == end or symbols[middle] != right:
                continue
            after = following[middle]
            symbols[start], symbols[middle] = token, b""
            following[start] = after
            starts.append(start)
            closes.append(middle - 1)
            if after < end:
                preceding[after] = start
                file_position((token, symbols[after]), start, rank)
            before = preceding[start]
            if before >= 0:
                file_position((symbols[before], token), before, rank)
        if starts:
            yield WordStep(token, rank, starts, closes, (rank,))
