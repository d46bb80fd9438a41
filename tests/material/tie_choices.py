"""Every way to break every tie: an exhaustive search for small corpora."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise

import bpe
from bpe import Pair, Symbol, Variant, Word, count_pairs, merge_pair

Words = tuple[Word, ...]
Text = str | Sequence[str] | Mapping[str, int]


class Choices:
    """A corpus in which every tied pair may be merged."""

    def __init__(self, text: Text, variant: str | Variant) -> None:
        trace = bpe.train(text, variant, merges=0)
        self.start: Words = tuple(word for word, _ in trace.words_at(0))
        self.frequencies = trace.frequencies

    def tied(self, words: Words) -> list[tuple[Pair, int]]:
        """Return the most frequent pairs with their count; none if no pair is left."""
        counts = count_pairs(zip(words, self.frequencies, strict=True))
        most = max(counts.values(), default=0)
        return [(pair, count) for pair, count in counts.items() if count == most]

    def sequences(self, merges: int) -> Iterator[list[tuple[Pair, int]]]:
        """Yield every sequence of so many merges, each with its count, that some choice among ties makes."""
        todo: list[tuple[Words, list[tuple[Pair, int]]]] = [(self.start, [])]
        while todo:
            words, sequence = todo.pop()
            if len(sequence) == merges:
                yield sequence
                continue
            todo += [(merged(words, step[0]), [*sequence, step]) for step in self.tied(words)]

    def tokens(self) -> set[Symbol]:
        """Return every token that some choice makes, down to the last merge."""
        results, todo, tokens = {self.start}, [self.start], set[Symbol]()
        while todo:
            words = todo.pop()
            for pair, _ in self.tied(words):
                tokens.add(pair[0] + pair[1])
                after = merged(words, pair)
                if after not in results:
                    results.add(after)
                    todo.append(after)
        return tokens

    def length(self, words: Words) -> int:
        """Return the number of tokens of the corpus when its words are split like this."""
        return sum(len(word) * frequency for word, frequency in zip(words, self.frequencies, strict=True))

    def all_sequences(self, merges: int) -> Iterator[tuple[list[Pair], Words]]:
        """Yield every sequence of so many merges, frequent or not, with the words after it."""
        todo: list[tuple[Words, list[Pair]]] = [(self.start, [])]
        while todo:
            words, sequence = todo.pop()
            if len(sequence) == merges:
                yield sequence, words
                continue
            pairs = dict.fromkeys(chain.from_iterable(map(pairwise, words)))
            todo += [(merged(words, pair), [*sequence, pair]) for pair in pairs]


def merged(words: Words, pair: Pair) -> Words:
    """Return the words after a merge."""
    return tuple(merge_pair(word, pair) for word in words)
