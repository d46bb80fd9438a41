"""README.md's figures and claims agree with the code."""

import re
import tomllib

import regex

import bpe
from docs.animation import FIRST, LAST, MOST_BYTES
from tests import ROOT
from tests.bpe.training.presets.test_presets_live import COMPARISONS
from tests.corpora.test_sample_corpora import trained
from tests.house.test_architecture import RUN, TEST
from ui.lessons import lessons
from ui.sidebar.corpus import MOST_UPLOADED

README = regex.sub(r"\s+", " ", (ROOT / "README.md").read_text("utf-8"))
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def test_the_number_of_lessons() -> None:
    assert f"{len(lessons())} worked examples" in README


def test_the_share_of_ties_in_the_story() -> None:
    ties = [step.tied > 1 for step in trained("story").steps]
    sentence = f"In the sample story that happens in {sum(ties[:100])} of the first 100 merges"
    assert f"{sentence} and in {sum(ties[-100:])} of the last 100." in README


def test_the_presets_that_are_trained_beside_their_library() -> None:
    live = len(COMPARISONS)
    others = len(bpe.PRESETS) - live
    assert f"{len(bpe.PRESETS)} presets reproduce real trainers and published examples" in README
    assert f"The tests run {WORDS[live]} of them against the real library" in README
    assert f"The other {WORDS[others]} are compared" in README
    assert [slug for slug in COMPARISONS if slug.startswith("hf-")] == [
        "hf-bytelevel",
        "hf-metaspace",
        "hf-char",
    ]
    assert {*COMPARISONS} - {slug for slug in COMPARISONS if slug.startswith("hf-")} == {
        "sentencepiece",
        "subword-nmt",
        "tiktoken-educational",
        "rustbpe",
    }


def test_the_first_picture_is_a_short_animation_with_a_text_for_who_cannot_see_it() -> None:
    picture = re.search(r"!\[([^\]]+)\]\(([^)]+)\)", README)
    assert picture
    content = (ROOT / picture[2]).read_bytes()
    assert content.startswith(b"GIF89a")
    assert content.count(b"\x21\xf9\x04") == LAST - FIRST + 2  # a control block for each frame
    assert len(content) < MOST_BYTES
    assert len(picture[1]) > 60


def test_the_readme_begins_as_the_app_does() -> None:
    """What it is, the moving picture, where to try it, the two commands, what is different; then pages and ways in."""
    text = (ROOT / "README.md").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    address = project["tool"]["merge-by-merge"]["public-address"]
    invitation = [f"Try it in your browser: <{address}>"] if address else []
    parts = ["# Merge by Merge", "![Ten merges", *invitation, RUN, TEST, "## What makes it different"]
    parts += ["## The pages", "## Other ways to start", "| way | size | first merge |"]
    positions = [text.index(part) for part in parts]
    assert positions == sorted(positions)
    assert ("Try it in your browser" in text) is bool(address)


def test_the_most_that_can_be_uploaded() -> None:
    assert f"at most {MOST_UPLOADED // 1_000_000} MB in total" in README
