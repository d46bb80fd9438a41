"""BPE training as textbooks print it: count all pairs, take the most frequent one, merge it everywhere, repeat.

This is the whole algorithm. `bpe.training.merge_loop` learns the same merges with the rule "first", hundreds of times
faster: it updates the counts near each merge instead of counting the whole corpus again.

Source: Sennrich, Haddow and Birch, Neural Machine Translation of Rare Words with Subword Units, 2016, algorithm 1.
"""

from collections.abc import Mapping

from bpe.symbols import Pair, Word, count_pairs, merge_pair


def textbook_train(words: Mapping[Word, int], merges: int, *, overlaps: bool = True) -> list[Pair]:
    """Return at most `merges` merges, in the order they are learned.

    `words` maps each word to its frequency. If several pairs have the highest count, the one that occurs first wins.
    `overlaps` is that of `count_pairs`.

    >>> textbook_train({(b"l", b"o", b"w"): 5, (b"n", b"e", b"w"): 6, (b"l", b"o"): 2}, merges=3)
    [(b'l', b'o'), (b'n', b'e'), (b'ne', b'w')]
    """
    corpus = list(words.items())
    learned: list[Pair] = []
    for _ in range(merges):
        counts = count_pairs(corpus, overlaps=overlaps)
        if not counts:
            break
        # If several have this count, `max` takes the first: counts are in order of first occurrence.
        best = max(counts, key=counts.__getitem__)
        corpus = [(merge_pair(word, best), frequency) for word, frequency in corpus]
        learned.append(best)
    return learned
