"""BPE training as textbooks print it: count all pairs, take the most frequent one, merge it everywhere, repeat.

This is the whole algorithm. `bpe.training.merge_loop` learns the same merges with the rule "first", hundreds of times
faster: it updates the counts near each merge instead of counting the whole corpus again.

Source: Sennrich, Haddow and Birch, Neural Machine Translation of Rare Words with Subword Units, 2016, algorithm 1.
"""

from collections.abc import Mapping
from itertools import pairwise

from bpe.symbols import Pair, Word, merge_pair, pairs_apart


def textbook_train(words: Mapping[Word, int], most: int, *, overlaps: bool = True) -> list[Pair]:
    """Return at most `most` merges, in the order they are learned.

    `words` maps each word, spelled in initial symbols, to its frequency. If several pairs have the highest count, the
    one that occurs first wins. `overlaps` is that of `count_pairs`. The pages show the loop: `film.textbook_code`.

    >>> textbook_train({(b"l", b"o", b"w"): 5, (b"n", b"e", b"w"): 6, (b"l", b"o"): 2}, 3)
    [(b'l', b'o'), (b'n', b'e'), (b'ne', b'w')]
    """
    pairs_of = pairwise if overlaps else pairs_apart
    merges: list[Pair] = []
    while len(merges) < most:
        counts: dict[Pair, int] = {}
        for word, frequency in words.items():
            for pair in pairs_of(word):
                counts[pair] = counts.get(pair, 0) + frequency
        if not counts:
            break
        # If several have this count, `max` takes the first: counts are in order of first occurrence.
        best = max(counts, key=counts.get)  # type: ignore[arg-type]  # `get` finds a count for each of the pairs
        words = {merge_pair(word, best): n for word, n in words.items()}
        merges.append(best)
    return merges
