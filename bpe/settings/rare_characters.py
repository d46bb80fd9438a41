"""Rare characters: a training leaves them out of its alphabet, in the way of one library or of another.

Hugging Face's trainer takes them out of the words, so that their neighbours meet. SentencePiece's trainer writes a sign
in their place that is never merged, so they cut words.
"""

import struct
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping

from bpe.symbols import START_OF_WORD
from bpe.text.long_texts.counting import Counts
from bpe.text.variants import Variant

LeaveOut = Callable[[Mapping[str, int]], Counts]  # words with their frequencies, as a training gets them


def most_frequent(
    words: Mapping[str, int], limit: int, listed: Collection[str], variant: Variant
) -> LeaveOut:
    """Return the function that takes all but the most frequent characters out of words.

    Of equally rare characters, those with the smaller code points stay. `listed` ones stay before all others.

    >>> from bpe import VARIANTS
    >>> most_frequent({"low": 2, "lot": 1}, 3, (), VARIANTS["char-eow"])({"low": 2, "lot": 1})
    {'low': 2, 'lo': 1}
    """
    counts = _character_counts(words)
    counts.update(dict.fromkeys(listed, 0))
    order = _code_point(variant)
    stay = sorted(counts, key=lambda one: (one not in listed, -counts[one], order(one)))[:limit]
    rare = str.maketrans(dict.fromkeys(counts.keys() - set(stay)))
    return lambda words: _added_up((word.translate(rare), frequency) for word, frequency in words.items())


def covering(words: Mapping[str, int], coverage: float, variant: Variant) -> LeaveOut:
    """Return the function that cuts words at the characters beyond a share of the text.

    The most frequent characters are taken until they cover the share; of equally frequent ones, those with the smaller
    code points come first. As in the library, extra spaces do not count, and numbers have 32 bits.

    >>> from bpe import VARIANTS
    >>> covering({" lot": 1, " low": 2}, 0.7, VARIANTS["char-metaspace"])({" lot": 1, " low": 2})
    {' lo': 3}
    """
    extra = " " if variant.marker == START_OF_WORD else ""
    counts = _character_counts({word: frequency for word, frequency in words.items() if word != extra})
    order = _code_point(variant)
    total, covered, least = sum(counts.values()), 0, _in_32_bits(coverage)
    stay: set[str] = set()
    for character in sorted(counts, key=lambda one: (-counts[one], order(one))):
        if _in_32_bits(covered / total) >= least:
            break
        covered += counts[character]
        stay.add(character)
    rare = str.maketrans(dict.fromkeys(counts.keys() - stay, "\0"))
    return lambda words: _added_up(
        (part, frequency) for word, frequency in words.items() for part in word.translate(rare).split("\0")
    )


def _character_counts(words: Mapping[str, int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for word, frequency in words.items():
        for character, times in Counter(word).items():
            counts[character] += times * frequency
    return counts


def _code_point(variant: Variant) -> Callable[[str], int]:
    """Return the order of characters. A space that stands for the start-of-word marker counts as that."""
    space = ord(variant.marker_text) if variant.marker == START_OF_WORD else ord(" ")
    return lambda character: space if character == " " else ord(character)


def _in_32_bits(number: float) -> float:
    value: float = struct.unpack("f", struct.pack("f", number))[0]
    return value


def _added_up(parts: Iterable[tuple[str, int]]) -> Counts:
    counts: Counts = {}
    for part, frequency in parts:
        if part:
            counts[part] = counts.get(part, 0) + frequency
    return counts
