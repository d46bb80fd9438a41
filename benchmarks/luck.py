"""False alarms: how often lanes that are themselves random draws are said to differ by more than luck.

Run: python -m benchmarks.luck -o luck.json. It draws hundreds of trainings on each of a few samples, takes some of them
as lanes and others as the draws beside them, thousands of times, and judges them as Compare does. docs/ties.md shows
docs/ties/luck.json. The old rule, for comparison: more than the largest difference of any two of ten draws.
"""

import argparse
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import texts
from bpe.comparison.held_out import default_held_out
from bpe.comparison.random_draws import enough_draws, random_draws
from bpe.comparison.verdict import most_by_luck
from bpe.settings.presets import PRESETS
from command_line.terminal import progress_reports

SAMPLES = ("ties", "story", "maze", "languages")
LANES = (2, 3, 4, 5, 6)
DRAWN = 500  # trainings on each sample
TIMES = 12_000  # choices of lanes and draws among them
BEFORE = 10  # draws of the old rule

Matrix = np.ndarray[Any, np.dtype[np.float64]]


def differences(row: dict[str, Any]) -> tuple[str, tuple[Matrix, Matrix]]:
    """Return what was held out, and how far any two draws on a sample are apart, in words and in tokens."""
    text = (texts.SAMPLES / row["file"]).read_bytes().decode()
    rest, aside = default_held_out([text])
    settings = {name: value for name, value in PRESETS[row["preset"]].settings.items() if name != "tie_break"}
    with progress_reports() as report:
        for luck in random_draws(rest, aside.documents, DRAWN, **(settings | {"merges": row["merges"]})):
            report(f"{row['slug']}: {luck.draws} of {DRAWN} draws")
    words, tokens = (np.zeros((DRAWN, DRAWN)) for _ in range(2))
    pairs = ((one, other) for other in range(DRAWN) for one in range(other))
    for (one, other), same, more in zip(pairs, luck.same_splits, luck.more_tokens, strict=True):
        words[one, other] = words[other, one] = 1 - same
        tokens[one, other] = tokens[other, one] = more
    return aside.title, (words, tokens)


def alarms(
    apart: tuple[Matrix, Matrix], lanes: int, draws: int, random: np.random.Generator, times: int = TIMES
) -> Iterator[bool]:
    """Yield for many choices of lanes and draws whether some lanes seem to differ by more than luck."""
    pairs_of_lanes, pairs_of_draws = (np.triu_indices(number, 1) for number in (lanes, draws))
    most = 0 if draws == BEFORE else most_by_luck(len(pairs_of_draws[0]), len(pairs_of_lanes[0]))
    for _ in range(times):
        chosen = random.permutation(len(apart[0]))[: lanes + draws]
        of_lanes, of_draws = chosen[:lanes], chosen[lanes:]
        yield any(
            np.count_nonzero(measure[np.ix_(of_draws, of_draws)][pairs_of_draws] >= widest) <= most
            for measure in apart
            for widest in (measure[np.ix_(of_lanes, of_lanes)][pairs_of_lanes].max(),)
        )


def rows() -> Iterator[dict[str, Any]]:
    """Yield for each sample and number of lanes the share of false alarms, by both rules."""
    table = tomllib.loads((texts.SAMPLES / "samples.toml").read_text("utf-8"))["samples"]
    random = np.random.default_rng(0)
    for row in (row for row in table if row["slug"] in SAMPLES):
        held_out, apart = differences(row)
        for lanes in LANES:
            draws = enough_draws(lanes)
            yield {
                "text": row["title"],
                "held_out": held_out,
                "merges": row["merges"],
                "lanes": lanes,
                "draws": draws,
                "alarms": round(sum(alarms(apart, lanes, draws, random)) / TIMES, 5),
                "before": round(sum(alarms(apart, lanes, BEFORE, random)) / TIMES, 5),
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
