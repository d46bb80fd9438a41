"""The figures of the novel that two lessons quote: `python -m tests.material.novel FILE` computes novel.json.

The novel is All Around the Moon by Jules Verne, number 16457 of Project Gutenberg, in UTF-8. It is too long to be kept
here, so the lessons and their tests read the table.
"""

import hashlib
import json
import sys
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import bpe
from tests import ROOT

TABLE = ROOT / "tests/material/novel.json"
FIRST = 3  # merges whose counts are listed
STOPS = (1_000, 10_000)  # the article's numbers of merges
PHRASE = "Ilikeeatingapples!"


@dataclass(frozen=True)
class Novel:
    """What training on the novel gives."""

    title: str
    file_sha256: str  # of the file, so that another edition is noticed
    first: list[list[str]]  # tokens of each of the first pairs
    counts: list[int]  # of the first pairs
    in_use: list[int]  # tokens in use before each of the first merges, and after the last of them
    in_use_at: dict[str, int]  # {number of merges: tokens in use after them}
    merges: int  # until no pair is left
    # the merge, counted from 1, after which the number of tokens in use never reaches its highest value again
    falls_at: int
    longest_first: list[str]  # tokens of the phrase after the article's 10,000 merges, longest token first
    by_merges: list[str]  # the same with the encoder that applies the merges


def compute(path: Path) -> Novel:
    """Train on the file of the novel as the article does, and return the figures."""
    content = path.read_bytes()
    text = content.decode("utf-8-sig")
    trace = bpe.train(text, **bpe.PRESETS["paper"].settings)
    label = trace.variant.label
    in_use = [trace.in_use(step) for step in range(len(trace.steps) + 1)]
    most = max(in_use)
    stops = [min(stop, len(trace.steps)) for stop in STOPS]
    tokenizer = trace.tokenizer(stops[-1])
    longest, by_merges = (
        [label(token) for token in tokenizer.tokens(PHRASE, encoder)] for encoder in ("longest", "rank")
    )
    return Novel(
        title=next(line for line in text.splitlines() if line.startswith("Title:")).removeprefix("Title: "),
        file_sha256=hashlib.sha256(content).hexdigest(),
        first=[list(map(label, pair)) for pair in trace.merges[:FIRST]],
        counts=[step.count for step in trace.steps[:FIRST]],
        in_use=in_use[: FIRST + 1],
        in_use_at={str(stop): in_use[stop] for stop in stops},
        merges=len(trace.steps),
        falls_at=len(in_use) - in_use[::-1].index(most),
        longest_first=longest,
        by_merges=by_merges,
    )


@cache
def novel() -> Novel:
    """Return the table. Raises TypeError if its names are not those of Novel."""
    return Novel(**json.loads(TABLE.read_text("utf-8")))


def main() -> None:
    """Compute the table from the file that the command line names."""
    table = json.dumps(asdict(compute(Path(sys.argv[1]))), ensure_ascii=False, indent=1)
    TABLE.write_text(table + "\n", "utf-8")


if __name__ == "__main__":
    main()
