"""Write it yourself: a notebook in which a reader writes a BPE trainer that checks itself against `bpe.train`."""

import json

FILE = "write-it-yourself.ipynb"

WORDS = '{"low": 5, "lower": 2, "newest": 6, "widest": 3}'

INTRODUCTION = """# Write a BPE trainer

Byte pair encoding fits into some 25 lines. You write three functions, and a cell below each
of them checks it. At the end your trainer must learn the merges that `bpe.train` learns.

You need Merge by Merge: run the notebook in a clone of it, or install it with `pip install .` there."""

SET_UP = f"""from merge_by_merge import bpe

FREQUENCIES = {WORDS}
# Each word as a list of tokens. The marker </w> ends a word.
words = [([*word, "</w>"], frequency) for word, frequency in FREQUENCIES.items()]
words"""

COUNT_TEXT = """## 1. Count the pairs

Return a dict: each pair of neighbours and how often it occurs. A pair in a word that occurs 5 times is counted 5
times."""
COUNT_STUB = """def count_pairs(words):
    counts = {}
    # Go through the words, and in each word through its pairs.
    return counts"""
COUNT_SOLUTION = """def count_pairs(words):
    counts = {}
    for tokens, frequency in words:
        for pair in zip(tokens, tokens[1:]):
            counts[pair] = counts.get(pair, 0) + frequency
    return counts"""
COUNT_CHECK = """counts = count_pairs(words)
if counts.get(("e", "s")) == 9 and len(counts) == 14:
    print("Right: e + s occurs 9 times, and there are 14 different pairs.")
else:
    print(f"Not yet. e + s should occur 9 times; you have {counts.get(('e', 's'), 0)}.")
    print(f"There should be 14 different pairs; you have {len(counts)}.")"""

MERGE_TEXT = """## 2. Merge one pair in one word

Go from left to right. Where the two tokens of the pair are neighbours, put one new token in their place."""
MERGE_STUB = """def merge(tokens, pair):
    merged = []
    # Look at one token after the other. Is it the left one of the pair, and is the right one next to it?
    return merged"""
MERGE_SOLUTION = """def merge(tokens, pair):
    merged = []
    for token in tokens:
        if merged and (merged[-1], token) == pair:
            merged[-1] += token
        else:
            merged.append(token)
    return merged"""
MERGE_CHECK = """for tokens, pair, right in [
    (["e", "s", "t"], ("e", "s"), ["es", "t"]),
    (["a", "a", "a"], ("a", "a"), ["aa", "a"]),
    (["l", "o"], ("e", "s"), ["l", "o"]),
]:
    answer = merge(tokens, pair)
    print("Right:" if answer == right else f"Not yet, it should be {right}:", tokens, "->", answer)"""

TRAIN_TEXT = """## 3. Train

Count, take the most frequent pair, merge it in all words, and begin again. If several pairs tie, take the one that
occurs first in the text. (A dict keeps the order in which its keys were added, and
`max` returns the first of several.)"""
TRAIN_STUB = """def train(words, merges):
    learned = []
    # Use count_pairs and merge.
    return learned"""
TRAIN_SOLUTION = """def train(words, merges):
    learned = []
    for _ in range(merges):
        counts = count_pairs(words)
        if not counts:
            break
        best = max(counts, key=counts.get)
        words = [(merge(tokens, best), frequency) for tokens, frequency in words]
        learned.append(best)
    return learned"""
TRAIN_CHECK = """trace = bpe.train(FREQUENCIES, variant="char-eow", merges=12)
right = [tuple(trace.variant.label(token) for token in pair) for pair in trace.merges]
yours = train(words, 12)
if yours == right:
    print("Right: your trainer learns the 12 merges that bpe.train learns.")
else:
    agree = next((i for i, (a, b) in enumerate(zip(yours, right)) if a != b), min(len(yours), len(right)))
    mine = yours[agree] if agree < len(yours) else "nothing"
    print(f"Not yet: merge {agree + 1} should be {right[agree]}, yours is {mine}.")"""

END = """## And now

* Change the rule for ties: take the pair that comes last in dictionary order. Which merge is the first to differ?
* Your trainer counts all pairs again at every step. How long does it take for a whole book?
  What could it remember to be faster?
* The notebook's last cell holds one solution."""


def notebook() -> str:
    """Return the notebook as JSON: the cells to fill in, a check below each, and one solution in the last cell."""
    solution = "\n\n".join(("# One solution", COUNT_SOLUTION, MERGE_SOLUTION, TRAIN_SOLUTION))
    cells = [
        _text(INTRODUCTION),
        _code(SET_UP),
        *(_text(COUNT_TEXT), _code(COUNT_STUB), _code(COUNT_CHECK)),
        *(_text(MERGE_TEXT), _code(MERGE_STUB), _code(MERGE_CHECK)),
        *(_text(TRAIN_TEXT), _code(TRAIN_STUB), _code(TRAIN_CHECK)),
        _text(END),
        _code("\n".join(f"# {line}".rstrip() for line in solution.splitlines())),
    ]
    for number, cell in enumerate(cells, start=1):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return json.dumps(
        {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}, indent=1
    )


def _text(source: str) -> dict[str, object]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def _code(source: str) -> dict[str, object]:
    return {"cell_type": "code", "metadata": {}, "source": source, "execution_count": None, "outputs": []}
