"""Texts of any size to measure on, made from the sample corpora: the same ones on every machine.

A text of words that never were, drawn letter by letter as the sample's words go, in the frequencies that natural
text has (Zipf-Mandelbrot), between the sample's own blanks and punctuation. Real text of one's own does as well.
"""

import random
import re
import sysconfig
from collections import Counter, defaultdict
from functools import cache
from itertools import accumulate
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[1] / "sample_corpora"
WORDS = 50_000  # to draw from; a text of 1 MB then holds about as many different ones as a novel does
CONTEXT = 2  # letters that the next one depends on


@cache
def english(size: int) -> str:
    """English-like: about `size` bytes."""
    return _like((SAMPLES / "story.txt").read_text(encoding="utf-8"), size)


@cache
def languages(size: int) -> str:
    """Several languages and scripts, each with its own words, line by line: about `size` bytes."""
    sample = (SAMPLES / "languages.txt").read_text(encoding="utf-8")
    return _like(sample, size)


@cache
def source(size: int) -> str:
    """Python source: the standard library of the Python that runs this, in order of file name."""
    folder = Path(sysconfig.get_path("stdlib"))
    found: list[str] = []
    length = 0
    for path in sorted(folder.rglob("*.py")):
        if length >= size:
            break
        if "site-packages" in path.parts or "test" in path.parts:
            continue
        found.append(path.read_text(encoding="utf-8", errors="ignore"))
        length += len(found[-1])
    return "".join(found)[:size]


def real(path: Path, size: int) -> str:
    """A text of one's own, cut to `size` bytes; a shorter one is gone on with in words like its own."""
    text = path.read_text(encoding="utf-8", errors="ignore")
    missing = size - len(text.encode())
    return text + _like(text, missing) if missing > 0 else text.encode()[:size].decode(errors="ignore")


def _like(sample: str, size: int) -> str:
    draw = random.Random(f"merge by merge {size}")
    words = re.findall(r"\w+", sample)
    blanks = re.findall(r"\W+", sample)
    follow: defaultdict[str, list[str]] = defaultdict(list)
    for word in words:
        spelled = "^" * CONTEXT + word + "$"
        for place in range(CONTEXT, len(spelled)):
            follow[spelled[place - CONTEXT : place]].append(spelled[place])

    def new_word() -> str:
        letters = "^" * CONTEXT
        while not letters.endswith("$"):
            letters += draw.choice(follow[letters[-CONTEXT:]])
        return letters[CONTEXT:-1]

    vocabulary = dict.fromkeys(word for word, _ in Counter(words).most_common())  # in order of rank
    for _ in range(4 * WORDS):
        if len(vocabulary) == WORDS:
            break
        vocabulary[new_word()] = None
    drawn = list(vocabulary)
    weights = list(accumulate(1 / (rank + 2.7) for rank in range(len(drawn))))
    parts: list[str] = []
    length = 0
    while length < size:
        for word, blank in zip(
            draw.choices(drawn, cum_weights=weights, k=10_000), draw.choices(blanks, k=10_000), strict=True
        ):
            parts += (word, blank)
            length += len(word.encode()) + len(blank)
    return "".join(parts).encode()[:size].decode(errors="ignore")


WORST_CASES = {
    "one letter": lambda size: "a" * size,
    "one sign": lambda size: "^" * size,
    "Fibonacci": lambda size: _fibonacci(size),
    "random letters": lambda size: random_letters(size),
    "distinct words": lambda size: " ".join(f"{number:x}w{number * 7919:x}" for number in range(size // 10)),
    "distinct characters": lambda size: " ".join(
        "".join(chr(0x4E00 + (7 * start + place) % 20_000) for place in range(5))
        for start in range(size // 5)
    ),
}


def random_letters(size: int) -> str:
    """Letters and spaces drawn evenly."""
    return "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz ", k=size))


def _fibonacci(size: int) -> str:
    earlier, later = "a", "ab"
    while len(later) < size:
        earlier, later = later, later + earlier
    return later[:size]
