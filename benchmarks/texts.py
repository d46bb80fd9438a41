"""Texts of any size for measurements, made from the sample corpora, the same on every machine.

The words are invented: a Markov chain over the letters of the sample's words draws them. Their frequencies follow the
Zipf-Mandelbrot law, as those of natural text do. White space and punctuation are the sample's.
"""

import random
import re
import sysconfig
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from pathlib import Path

MEGABYTE = 1_000_000
SAMPLES = Path(__file__).resolve().parents[1] / "sample_corpora"
WORDS = 50_000  # different words to draw from: 1 MB of text then holds about as many as a novel does
CONTEXT = 2  # letters on which the next one depends


@cache
def english(size: int) -> str:
    """Return English-like text of about `size` bytes."""
    return _like((SAMPLES / "story.txt").read_text(encoding="utf-8"), size)


@cache
def languages(size: int) -> str:
    """Return about `size` bytes of words in several languages and scripts."""
    sample = (SAMPLES / "languages.txt").read_text(encoding="utf-8")
    return _like(sample, size)


@cache
def source(size: int) -> str:
    """Return `size` characters of Python source: the standard library, in order of file name."""
    folder = Path(sysconfig.get_path("stdlib"))
    files: list[str] = []
    length = 0
    for path in sorted(folder.rglob("*.py")):
        if length >= size:
            break
        if "site-packages" in path.parts or "test" in path.parts:
            continue
        files.append(path.read_text(encoding="utf-8", errors="ignore"))
        length += len(files[-1])
    return "".join(files)[:size]


def real(path: Path, size: int) -> str:
    """Return `size` bytes of a file; a shorter text is continued with words like its own."""
    text = path.read_text(encoding="utf-8", errors="ignore")
    missing = size - len(text.encode())
    return text + _like(text, missing) if missing > 0 else text.encode()[:size].decode(errors="ignore")


def _like(sample: str, size: int) -> str:
    """Return `size` bytes of invented words like those of the sample."""
    draw = random.Random(f"merge by merge {size}")
    words = re.findall(r"\w+", sample)
    blanks = re.findall(r"\W+", sample)
    follow: defaultdict[str, list[str]] = defaultdict(list)
    for word in words:
        spelled = "^" * CONTEXT + word + "$"
        for position in range(CONTEXT, len(spelled)):
            follow[spelled[position - CONTEXT : position]].append(spelled[position])

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
    choices = list(vocabulary)
    weights = list(accumulate(1 / (rank + 2.7) for rank in range(len(choices))))
    pieces: list[str] = []
    length = 0
    while length < size:
        for word, blank in zip(
            draw.choices(choices, cum_weights=weights, k=10_000), draw.choices(blanks, k=10_000), strict=True
        ):
            pieces += (word, blank)
            length += len(word.encode()) + len(blank)
    return "".join(pieces).encode()[:size].decode(errors="ignore")


def random_letters(size: int) -> str:
    """Return letters and spaces, all equally likely."""
    return "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz ", k=size))


def _fibonacci(size: int) -> str:
    earlier, later = "a", "ab"
    while len(later) < size:
        earlier, later = later, later + earlier
    return later[:size]


WORST_CASES: dict[str, Callable[[int], str]] = {
    "one letter": lambda size: "a" * size,
    "one sign": lambda size: "^" * size,
    "Fibonacci": _fibonacci,
    "random letters": random_letters,
    "distinct words": lambda size: " ".join(f"{number:x}w{number * 7919:x}" for number in range(size // 10)),
    "distinct characters": lambda size: " ".join(
        "".join(chr(0x4E00 + (7 * start + offset) % 20_000) for offset in range(5))
        for start in range(size // 5)
    ),
}
