"""False alarms: how often lanes that are themselves random draws are said to differ by more than luck.

Run: python -m benchmarks.luck -o luck.json. It draws hundreds of trainings on each of a few samples, takes some of them
as lanes and others as the draws beside them, many times, and judges them as Compare does. docs/ties.md shows
docs/ties/luck.json.
"""

import argparse
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import texts
from bpe.comparison.evidence import RARE
from bpe.comparison.held_out import default_held_out, held_out
from bpe.comparison.random_draws import _draw, _Measured, enough_draws, groups_of
from bpe.settings.presets import PRESETS
from bpe.settings.request import read_request
from command_line.terminal import progress_reports

SAMPLES = ("ties", "story", "maze", "languages")
LANES = (2, 3, 4, 5, 6)
DRAWN = 220  # trainings on each sample
TIMES = 300  # choices of lanes and draws among them

Matrix = np.ndarray[Any, np.dtype[np.signedinteger[Any]]]


def drawn(row: dict[str, Any]) -> tuple[str, Matrix, Matrix]:
    """Return what was held out, the split of each word in each draw, as a number, and the words' frequencies.

    Words that all draws split the same way are left out, and words that always part together are one.
    """
    text = (texts.SAMPLES / row["file"]).read_bytes().decode()
    rest, aside = default_held_out([text])
    settings = {**PRESETS[row["preset"]].settings, "merges": row["merges"], "tie_break": "random"}
    measured = _Measured(held_out(aside.documents), None, False)
    splits: list[list[int]] = []
    numbers: dict[Any, int] = {}
    with progress_reports() as report:
        for seed in range(DRAWN):
            request = read_request(**settings, seed=seed)
            draw, counts = _draw(request, request.count(rest), measured)
            splits.append([numbers.setdefault(tuple(split), len(numbers)) for split in draw.words])
            report(f"{row['slug']}: {seed + 1} of {DRAWN} draws")
    matrix = np.array(splits)
    first_seen = np.array([np.unique(column, return_inverse=True)[1] for column in matrix.T]).T
    kinds, kind_of = np.unique(
        first_seen, axis=1, return_inverse=True
    )  # words that always part together are one
    weights = np.bincount(kind_of.ravel(), weights=counts).astype(np.int64)
    varied = (kinds != kinds[0]).any(axis=0)
    return aside.title, kinds[:, varied].astype(np.int16), weights[varied]


def alarms(
    splits: Matrix, counts: Matrix, lanes: int, random: np.random.Generator, times: int = TIMES
) -> Iterator[bool]:
    """Yield for many choices of lanes and draws whether the lanes seem to differ by more than luck."""
    groups = np.array(groups_of(enough_draws(lanes), lanes))

    def apart(of: Matrix) -> Matrix:
        """Return how many words each row of draws does not split in one way."""
        differ = np.zeros((len(of), splits.shape[1]), bool)
        for column in range(1, lanes):
            differ |= splits[of[:, column]] != splits[of[:, 0]]
        return np.asarray(differ @ counts)

    for _ in range(times):
        chosen = random.permutation(len(splits))[: lanes + enough_draws(lanes)]
        (own,) = apart(chosen[None, :lanes])
        yield bool((apart(chosen[lanes:][groups]) >= own).sum() <= int(RARE * len(groups)))


def rows() -> Iterator[dict[str, Any]]:
    """Yield for each sample and number of lanes the share of false alarms."""
    table = tomllib.loads((texts.SAMPLES / "samples.toml").read_text("utf-8"))["samples"]
    random = np.random.default_rng(0)
    for row in (row for row in table if row["slug"] in SAMPLES):
        title, splits, counts = drawn(row)
        for lanes in LANES:
            yield {
                "text": row["title"],
                "held_out": title,
                "merges": row["merges"],
                "lanes": lanes,
                "draws": enough_draws(lanes),
                "alarms": round(sum(alarms(splits, counts, lanes, random)) / TIMES, 5),
                "times": TIMES,
                "drawn": DRAWN,
            }


def main() -> None:
    """Measure, and write the rows as JSON."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.luck", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="a JSON file")
    file: Path = parser.parse_args().output
    lines = ",\n ".join(json.dumps(row, ensure_ascii=False) for row in rows())
    file.write_text(f"[\n {lines}\n]\n", "utf-8")


if __name__ == "__main__":
    main()
