"""The page that trains in the browser alone: its stand-in for `regex`, and what it asks of Python."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import regex

import bpe
from bpe.formats.published import O200K_PATTERN
from bpe.text.patterns import GPT2_PATTERN, GPT4_PATTERN
from deploy.browser import build, regex_stand_in, session
from deploy.browser.regex_stand_in import translated
from tests import ROOT

SAMPLES = sorted((ROOT / "sample_corpora").glob("*.txt"))
PATTERNS = {
    "GPT-2": GPT2_PATTERN,
    "GPT-4": GPT4_PATTERN,
    "GPT-4o": O200K_PATTERN,
    "negated": r"\P{L}+|\p{^N}",
    "brackets": r"[]\s]+|[^]\p{L}]+|\]|\[",
    "white space": r"\s+|\S+",
}
WHITE = "a\x1cb\x1fc\x85d\xa0e\u2003f\u200bg\u3000h[]i]"


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_the_stand_in_splits_as_regex_does(pattern: str) -> None:
    real, ours = regex.compile(pattern), regex_stand_in.compile(pattern)
    for text in [WHITE, *(path.read_text("utf-8") for path in SAMPLES)]:
        assert ours.findall(text, concurrent=False) == real.findall(text)
        assert [match[0] for match in ours.finditer(text, timeout=1)] == real.findall(text)


@pytest.mark.parametrize("pattern", [r"\X", r"\p{Script=Latin}", r"\p{Alphabetic}", r"[\S]", r"[^\P{L}]"])
def test_what_the_stand_in_cannot_do_is_refused(pattern: str) -> None:
    with pytest.raises(regex_stand_in.error, match="needs the package regex"):
        translated(pattern)


def test_a_film_tells_its_progress_or_one_sentence() -> None:
    reports: list[int] = []
    answer = json.loads(session.film("low lower newest widest", "subword-nmt", 4, reports.append))
    assert answer["page"].startswith("<!doctype html>")
    slug = next(iter(bpe.PRESETS))
    for text, preset, merges in [
        (" ", slug, 4),
        ("a b", "none", 4),
        ("a b", slug, 0),
        ("a" * 1_000_001, slug, 4),
    ]:
        problem = json.loads(session.film(text, preset, merges, reports.append))["problem"]
        assert problem.endswith(".")
    assert [slug for slug, _ in json.loads(session.presets())] == [*bpe.PRESETS]


MERGES_OF_EVERY_PRESET = """
import json
import sys
from pathlib import Path
import bpe
from deploy.browser.session import presets

texts = [Path(path).read_text("utf-8") for path in sys.argv[1:]]
merges = {}
for slug, _ in json.loads(presets()):
    settings = {**bpe.PRESETS[slug].settings, "vocab_size": None, "merges": 400}
    merges[slug] = [[list(map(bytes.hex, pair)) for pair in bpe.train(text, **settings).merges] for text in texts]
print(json.dumps(merges))
"""
NAMED_IN_THE_DOCUMENT = ("story", "languages", "hard-cases")


def merges_of_every_preset(path: str) -> Any:
    """Return {slug: [merges on each of the samples]}, learned by a Python that looks for modules there."""
    texts = [str(ROOT / f"sample_corpora/{name}.txt") for name in NAMED_IN_THE_DOCUMENT]
    done = subprocess.run(
        [sys.executable, "-c", MERGES_OF_EVERY_PRESET, *texts],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_with_the_stand_in_every_preset_but_sentencepiece_learns_the_same_merges(tmp_path: Path) -> None:
    (tmp_path / "regex.py").write_text(Path(regex_stand_in.__file__).read_text("utf-8"), "utf-8")
    real = merges_of_every_preset(str(ROOT))
    ours = merges_of_every_preset(f"{tmp_path}{os.pathsep}{ROOT}")
    assert {*real} == {*bpe.PRESETS}
    assert {*real} - {*ours} == {"sentencepiece"}
    assert [slug for slug in ours if ours[slug] != real[slug]] == []
    document = (ROOT / "docs/in_the_browser.md").read_text("utf-8")
    assert f"{len(ours)} of {len(real)} presets learn the same merges" in document


def test_the_page_admits_the_scripts_of_a_film_and_nothing_from_elsewhere(tmp_path: Path) -> None:
    runtime = tmp_path / "pyodide"
    runtime.mkdir()
    for name in build.RUNTIME:
        (runtime / name).write_bytes(b"")
    sizes = build.build(tmp_path / "page", runtime)
    assert {"index.html", "page.js", "worker.js", "python.zip", "pyodide/pyodide.mjs"} <= {*sizes}
    page = (tmp_path / "page" / "index.html").read_text("utf-8")
    assert "http" not in build.policy()
    assert build.policy().count("sha256-") == 3  # a film's loader, its script and its style sheet
    assert page.count("sha256-") == 3
    with zipfile.ZipFile(tmp_path / "page" / "python.zip") as archive:
        names = set(archive.namelist())
    assert {"regex.py", "session.py", "bpe/__init__.py", "film/browser/film/main.js"} <= names
    assert not [name for name in names if name.startswith(("ui/", "pages/"))]
