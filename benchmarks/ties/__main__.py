"""Run the study and write its results. Run: python -m benchmarks.ties [FILE ...] -o DIR."""

import argparse
import sys
from pathlib import Path

from benchmarks.ties.corpora import from_file, python_source, samples
from benchmarks.ties.figures import figures
from benchmarks.ties.page import page
from benchmarks.ties.results import JSON, Results, from_json, versions, write_files
from benchmarks.ties.study import LEAST_BYTES, Plan, measure
from command_line.shared.terminal import progress_reports

PAGE, FOLDER = "ties.md", "ties"


def main() -> None:
    """Measure, or read earlier results, and write DIR/ties.md with its figures and files in DIR/ties."""
    usual = Plan()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ties", description=__doc__)
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="further corpora: FILE or TITLE=FILE, in UTF-8"
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="a folder that exists"
    )
    parser.add_argument("--only", action="store_true", help="no corpora but the files")
    parser.add_argument(
        "--again", action="store_true", help="write the page again from DIR/ties/results.json"
    )
    parser.add_argument("--variant", default=usual.variant, help=f"how text is split ({usual.variant})")
    parser.add_argument("--merges", type=int, default=usual.merges, help=f"most merges ({usual.merges:,})")
    parser.add_argument("--seed", type=int, default=usual.seed, help="draws the held-out pieces (0)")
    parser.add_argument("--draws", type=int, default=usual.draws, help=f"random trainings ({usual.draws})")
    options = parser.parse_args()
    if not options.output.is_dir():
        parser.error(f"{options.output}: there is no such folder")
    folder: Path = options.output / FOLDER
    folder.mkdir(exist_ok=True)
    if options.again:
        results = from_json((folder / JSON).read_text("utf-8"))
    else:
        plan = Plan(options.variant, options.merges, seed=options.seed, draws=options.draws)
        corpora = [] if options.only else [*samples(), python_source()]
        try:
            corpora += map(from_file, options.files)
        except (OSError, UnicodeDecodeError) as error:
            parser.error(f"a file cannot be read: {error}")
        with progress_reports() as report:
            results = Results(plan, versions(), measure(corpora, plan, report))
        if not results.measurements.trainings:
            parser.error(f"no text is long enough: {LEAST_BYTES:,} bytes and a pair that occurs twice")
        write_files(results, folder)
    write_page(results, options.output)
    print(f"Written: {options.output / PAGE} and {folder}", file=sys.stderr)


def write_page(results: Results, output: Path) -> None:
    """Write the page of findings and its figures."""
    (output / PAGE).write_text(page(results, FOLDER), "utf-8")
    for name, figure in figures(results).items():
        (output / FOLDER / name).write_text(figure, "utf-8")


if __name__ == "__main__":
    main()
