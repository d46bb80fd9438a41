"""The report that Compare saves: its manifest names the page's lanes, texts and tokenizer files."""

import hashlib
import json
from typing import Any

import bpe
from bpe.comparison.evidence import evidence
from bpe.comparison.held_out import HeldOutText
from film.report import manifest, report_json
from film.report_page import report_html
from ui.compare import lanes
from ui.compare.comparison import PageComparison
from ui.compare.lane_grids import film_lanes, report_of
from ui.compare.lanes import ChosenLane
from ui.sidebar import corpus as corpora
from ui.sidebar.corpus import Corpus
from ui.sidebar.recipe import Recipe
from ui.sidebar.settings import FREE, FROM_FILE
from ui.sidebar.tokenizer_files import TokenizerFile, open_files

SHARED = Recipe(FREE, "char-eow", "first", 12)
WORDS = "low 5\nlower 2\nnewest 6\nwidest 3"
HELD_OUT = HeldOutText("the text that you typed", ("the newest towers", "are lower"))
CODES = (("codes.txt", b"#version: 0.2\nl o\nlo w</w>\n"),)


def compare(corpus: Corpus, *chosen: ChosenLane, file: TokenizerFile | None = None) -> PageComparison:
    traces = [
        bpe.replay(corpus.training_text, file.tokenizer)
        if file and lane.recipe.file
        else bpe.train(corpus.training_text, **lane.recipe.settings)
        for lane in chosen
    ]
    return PageComparison(chosen, tuple(traces), corpus.training_text, HELD_OUT, "name", corpus)


def manifest_of(comparison: PageComparison, files: dict[str, TokenizerFile] | None = None) -> dict[str, Any]:
    corpus = comparison.corpus.training_text
    measured = evidence(comparison.traces, HELD_OUT.documents, corpus, resamples=200)
    content = report_of(comparison, measured, film_lanes(comparison), files or {})
    assert json.loads(report_json(content))["manifest"] == manifest(content)
    assert content.evidence.verdict.answer in report_json(content)
    assert report_html(content).count("<h1") == 1
    return manifest(content)


def rules(*slugs: str) -> list[ChosenLane]:
    return [lanes.read_lane(slug, SHARED) for slug in slugs]


def test_the_manifest_has_the_texts_and_lanes_of_the_page() -> None:
    chosen = rules("first", "random_s7", "hf-bytelevel")
    content = manifest_of(compare(corpora.from_text("low lower lowest"), *chosen))
    assert [lane["title"] for lane in content["lanes"]] == [lane.title for lane in chosen]
    assert [lane["settings"]["tie_break"] for lane in content["lanes"]] == ["first", "random", "ids-min"]
    assert content["lanes"][1]["settings"]["seed"] == 7
    (text,) = content["training_texts"]
    assert text["sha256"] == hashlib.sha256(b"low lower lowest").hexdigest()
    assert [text["name"] for text in content["held_out_texts"]] == [
        "the text that you typed, document 1",
        "the text that you typed, document 2",
    ]


def test_files_keep_their_names_and_a_word_list_is_hashed_line_by_line() -> None:
    files = corpora.from_files([("a.txt", b"low lower"), ("b.txt", b"newest widest")])
    content = manifest_of(compare(files, *rules("first", "last")))
    assert [text["name"] for text in content["training_texts"]] == ["a.txt", "b.txt"]
    assert content["training_texts"][1]["sha256"] == hashlib.sha256(b"newest widest").hexdigest()
    words = manifest_of(compare(corpora.from_words(WORDS), *rules("first", "last")))
    assert words["training_texts"][0]["sha256"] == hashlib.sha256(WORDS.encode()).hexdigest()


def test_picks_by_hand_are_in_the_settings() -> None:
    content = manifest_of(compare(corpora.from_words(WORDS), *rules("first", "first_0.2")))
    assert content["lanes"][1]["settings"]["picks"] == {"0": 2}


def test_a_lane_of_a_file_names_the_file_and_its_hash() -> None:
    file = open_files(CODES, "char-eow-lines")
    replayed = ChosenLane(
        "file", "codes.txt", "2 merges", SHARED.changed(recipe_source=FROM_FILE, file=file.id)
    )
    comparison = compare(corpora.from_text("low lower lowest"), replayed, *rules("last"), file=file)
    lane = manifest_of(comparison, {file.id: file})["lanes"][0]
    assert lane["settings"] == {"variant": "char-eow-lines"}
    assert [text["sha256"] for text in lane["tokenizer_files"]] == [hashlib.sha256(CODES[0][1]).hexdigest()]
