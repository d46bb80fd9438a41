"""Results: measurements with all that is needed to repeat them, as one JSON file and a CSV file for each table."""

import csv
import json
import platform
import unicodedata
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import bpe
from benchmarks.ties.study import Measurements, Plan

JSON = "results.json"


@dataclass(frozen=True, slots=True)
class Results:
    """Measurements, the plan that made them, and the versions of what ran."""

    plan: Plan
    versions: dict[str, str]
    measurements: Measurements


def versions() -> dict[str, str]:
    """Return the versions on which figures may depend."""
    return {
        "bpe": bpe.__version__,
        "python": platform.python_version(),
        "unicode": unicodedata.unidata_version,
    }


def as_json(results: Results) -> str:
    """Return the results as JSON, with a line for each row of a table."""
    tables = asdict(results.measurements)
    parts = [f'"plan": {json.dumps(results.plan.settings)}', f'"versions": {json.dumps(results.versions)}']
    for name, rows in tables.items():
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        parts.append(f'"{name}": [\n{lines}\n]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def from_json(text: str) -> Results:
    """Return the results that `as_json` wrote."""
    content: dict[str, Any] = json.loads(text)
    tables = {field.name: content[field.name] for field in fields(Measurements)}
    return Results(Plan(**content["plan"]), content["versions"], Measurements(**tables))


def write_files(results: Results, folder: Path) -> None:
    """Write results.json and a CSV file for each table."""
    (folder / JSON).write_text(as_json(results), "utf-8")
    for name, rows in asdict(results.measurements).items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]) if rows else [])
            writer.writeheader()
            writer.writerows(rows)
