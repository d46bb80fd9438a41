"""Open CSV files of the app in LibreOffice: `python -m tests.ui.show.in_libreoffice`. It must show no formula.

It is no test, because LibreOffice takes 400 MB: install Debian's package `libreoffice-calc`. The script writes files of
hostile texts and a report of a comparison of them, opens each with four separators as spreadsheets of different
countries do, and prints every formula. A file with formulas that nobody has disarmed must show them.
"""

import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bpe.text.display import csv_file
from tests import ROOT
from tests.material import payloads

SEPARATORS = {"comma": 44, "semicolon": 59, "tab": 9, "vertical bar": 124}
# Quotation mark, UTF-8, first row, no column formats, no language, quoted cells may be other than text, detect numbers,
# values as stored, no export of formulas, no spaces removed, all sheets, evaluate formulas.
OPTIONS = "34,76,1,,0,false,true,false,false,false,-1,true"
FORMULA = re.compile(r'table:formula="([^"]*)"')
PARTS = [
    *(
        "=1+1",
        "@x",
        "-2",
        "+3",
        "＝1",
        "＋1",
        "＠x",
        "a",
        '"',
        "'",
        ";",
        ",",
        "\t",
        "|",
        "\n",
        "\r\n",
        "\r",
        " ",
    ),
    *("5", "\u00a0", "\u200b", "\u2028", "\x0b", "\x00", "\ufeff", '=HYPERLINK("http://127.0.0.1:9/","x")'),
]
TABLES = 200
CONTROL = "control.csv"


def write_files(folder: Path) -> list[Path]:
    """Write the control and all files that must show no formula. Return them."""
    chance = random.Random(1)

    def any_text() -> str:
        return "".join(chance.choices(PARTS, k=chance.randint(1, 8)))

    (folder / CONTROL).write_bytes(b'"a","b"\r\n"=1+1","x;=2+2"\r\n')
    rows = [[text, 5, text[::-1]] for text in (*payloads.FORMULAS, *payloads.MARKUP)]
    (folder / "payloads.csv").write_bytes(csv_file(["=1+1", "count", "@x"], rows))
    for number in range(TABLES):
        table = csv_file([any_text(), any_text()], [[any_text(), 5, any_text()] for _ in range(20)])
        (folder / f"random-{number}.csv").write_bytes(table)
    _write_report(folder)
    return sorted(folder.glob("*.csv"))


def _write_report(folder: Path) -> None:
    """Write the report of a comparison of hostile texts."""
    text, report = folder / "text.txt", folder / "report.csv"
    text.write_text(" ".join(payloads.FORMULAS * 3) + " low lower newest" * 20, "utf-8")
    names = ("--lanes", "first,last", "--title", "=1+1")
    command = [sys.executable, "-m", "bpe", "compare", str(text), *names, "-o", str(report)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def formulas(program: str, files: list[Path], separator: int, folder: Path) -> dict[str, list[str]]:
    """Return the formulas that LibreOffice sees in each of the files, by name."""
    target = folder / str(separator)
    subprocess.run(
        [
            *(program, f"-env:UserInstallation=file://{folder}/profile", "--headless"),
            *("--convert-to", "fods:OpenDocument Spreadsheet Flat XML"),
            *(f"--infilter=CSV:{separator},{OPTIONS}", "--outdir", str(target), *map(str, files)),
        ],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    opened = {file.name: (target / file.with_suffix(".fods").name).read_text("utf-8") for file in files}
    return {name: FORMULA.findall(sheet) for name, sheet in opened.items()}


def main() -> None:
    """Print what each separator shows; exit with 1 if it is a formula, or if the control shows none."""
    program = shutil.which("soffice")
    if program is None:
        sys.exit("This needs LibreOffice. Debian's package is libreoffice-calc.")
    problems = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = write_files(folder)
        for title, separator in SEPARATORS.items():
            seen = formulas(program, files, separator, folder)
            assert seen.pop(CONTROL), "LibreOffice must show the formulas of the control"
            live = {file: cells for file, cells in seen.items() if cells}
            problems += len(live)
            print(f"{title}: {len(seen)} files, {len(live)} of them with formulas {live or ''}")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
