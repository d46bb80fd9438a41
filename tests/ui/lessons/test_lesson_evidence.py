"""What a card shows beside its text: curves, patterns and models, computed or with a source."""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import tiktoken.model
import tiktoken_ext.openai_public as published

import bpe
from bpe import TIE_BREAKS, BPEError
from bpe.text.patterns import alternatives
from film.encoding_feed import MOST_LISTED
from film.lesson_page import DRAWN_BY
from film.modules import BROWSER
from tests import ROOT
from tests.app import without_tabs
from tests.film.readers import data_of, text_of
from tests.material.novel import PHRASE, compute, novel
from tests.ui.lessons.lesson_checks import SUBJECTS, kind_of, said, subject_of, trained
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.curriculum import paths
from ui.page_parts.lessons.evidence import (
    _MEANINGS,
    _Curve,
    _Model,
    _PatternView,
    _Runs,
    curve_box,
    losses_box,
    models,
    models_table,
    pattern_box,
    read_bars,
    read_losses,
    ways_picture,
)
from ui.page_parts.lessons.lesson import Beat, Lesson
from ui.page_parts.lessons.lesson_film import lesson_film
from ui.page_parts.lessons.moving_numbers import with_first_numbers
from ui.page_parts.lessons.stages import BeatContent, _rail_of
from ui.trainings.corpus import from_sample

# Curves


def test_a_curve_shows_the_tokens_of_both_texts_in_percent() -> None:
    lesson = lessons()["how-large"]
    trace = trained(lesson.slug, lesson.recipe)
    box = curve_box(_Curve((0, 100, 750), "ties"), trace, 750, lesson.corpus.reading_text)
    chart, new_text = box["chart"], from_sample("ties").reading_text
    at = chart["points"].index(750)
    own, other = (line["values"][at] for line in chart["lines"])
    assert own == round(100 * trace.tokens_total(750) / trace.tokens_total(0), 2)
    tokens = len(trace.tokenizer(750).encode(new_text))
    assert other == round(100 * tokens / len(new_text.encode()), 2)
    assert chart["points"][0] == 0
    assert chart["points"][-1] == len(trace.steps)
    for line in chart["lines"]:
        assert line["values"] == sorted(line["values"], reverse=True)
    rows = [row["items"][0] for row in box["rows"]]
    assert rows[:2] == ["The text of this lesson: 12,639 tokens after 0 merges", "merges 1 to 100 save 5,872"]
    assert len(rows) == 6


def test_a_curve_of_lines_compares_the_same_content() -> None:
    lesson = lessons()["many-languages"]
    trace = trained(lesson.slug, lesson.recipe)
    text = lesson.corpus.reading_text
    box = curve_box(_Curve((0, 400), lines={"English": 1, "Hindi": 10}), trace, 400, text)
    chart = box["chart"]
    english, hindi = (line["values"] for line in chart["lines"])
    lines = [text.split("\n")[number] for number in (0, 9)]
    assert hindi[0] == 100
    assert english[0] == round(100 * len(lines[0].encode()) / len(lines[1].encode()), 2)
    for point in (0, 400):
        at, tokenizer = chart["points"].index(point), trace.tokenizer(point)
        share = [round(100 * len(tokenizer.encode(line)) / len(lines[1].encode()), 2) for line in lines]
        assert [english[at], hindi[at]] == share
    assert box["rows"][0]["items"] == ["English: 344 tokens after 0 merges"]
    assert box["title"].endswith("of the longest line")


def test_a_curve_of_nothing_is_refused() -> None:
    with pytest.raises(BPEError, match="two or more numbers of merges"):
        _Curve((5, 3))
    with pytest.raises(BPEError, match="must be a sample"):
        _Curve((3, 5), "no-sample")


# Patterns


def test_every_alternative_of_the_two_patterns_has_a_meaning() -> None:
    for slug in ("bytes-gpt2", "bytes-gpt4"):
        assert set(alternatives(bpe.VARIANTS[slug].split_pattern)) <= _MEANINGS.keys()


def test_a_pattern_s_pieces_are_the_text_and_its_counts_add_up() -> None:
    view = _PatternView("bytes-gpt2", "It's 10,  no.", "digits, and one space before them")
    assert "".join(piece for piece, _ in view.pieces) == view.text
    text, *rows = pattern_box(view)["rows"]
    assert [chip[0] for chip in text["items"]] == ["It", "'s", "·10", ",", "·", "·no", "."]
    assert [chip[2] for chip in text["items"]].count("alternative") == 1  # the others are dimmed
    counts = [int(row["items"][1].rpartition(": ")[2].split()[0]) for row in rows]
    assert counts == [1, 2, 1, 2, 1, 0]
    assert [row["alternative"] for row in rows] == list(range(6))


def test_a_variant_without_a_pattern_or_an_unknown_meaning_is_refused() -> None:
    with pytest.raises(BPEError, match="must split by a pattern"):
        _PatternView("bytes", "low")
    with pytest.raises(BPEError, match="no alternative with this meaning"):
        _PatternView("bytes-gpt2", "low", "colours")


# Models


def test_every_model_has_a_source_and_its_preset_exists() -> None:
    assert len(models()) >= 12
    for model in models().values():
        assert model.source, model.name
        assert model.preset in ("", *bpe.PRESETS)
    with pytest.raises(BPEError, match="one of PRESETS"):
        _Model("x", "X", 2020, "BPE", "none", 1, "bytes", "nobody", preset="none", differs="all")


def test_the_sizes_of_openai_s_models_are_those_of_tiktoken(monkeypatch: pytest.MonkeyPatch) -> None:
    for loader in ("load_tiktoken_bpe", "data_gym_to_mergeable_bpe_ranks"):
        # The constructors would download the vocabularies. Their special tokens have the last ids.
        monkeypatch.setattr(published, loader, lambda *_arguments, **_options: {})

    def ids(model: str) -> int:
        name = tiktoken.model.encoding_name_for_model(model)
        encoding = published.ENCODING_CONSTRUCTORS[name]()
        return int(encoding.get("explicit_n_vocab", max(encoding["special_tokens"].values()) + 1))

    assert ids("gpt2") == ids("davinci") == models()["gpt-2"].size  # davinci is GPT-3
    assert ids("gpt-4") == ids("gpt-3.5") == models()["gpt-4"].size
    assert ids("gpt-4o") == models()["gpt-4o"].size
    assert ids("code-davinci-002") - ids("davinci") == 24  # Codex and its runs of spaces


def test_the_table_has_every_model_and_marks_those_of_the_beat() -> None:
    table = models_table(["xlnet", "gpt-2"])
    assert len(table["rows"]) == len(models())
    assert [table["rows"][at][0] for at in table["marked"]] == ["GPT-2, GPT-3", "XLNet"]
    links = {line["link"][1] for lines in table["below"] for line in lines if "link" in line}
    assert links == {"./?preset=hf-bytelevel", "./?preset=rustbpe", "./?preset=sentencepiece"}


# The novel


def test_the_table_of_the_novel_is_what_its_script_computes(tmp_path: Path) -> None:
    """The novel itself is too long to be kept here, so a short file takes its place."""
    file = tmp_path / "novel.txt"
    file.write_text("\ufeffTitle: A Tale\n" + "the then thin thaw " * 3, "utf-8")
    table = asdict(compute(file))
    assert table["title"] == "A Tale"
    assert table["first"] == [["t", "h"], ["th", "e"], ["n", "</w>"]]
    assert table["counts"] == [12, 6, 6]
    assert json.loads(json.dumps(table)) == table
    remaining = asdict(novel())
    for name, value in table.items():
        assert type(remaining[name]) is type(value), name
    assert remaining["counts"] == sorted(remaining["counts"], reverse=True)
    assert max(map(int, remaining["in_use_at"])) < remaining["falls_at"] < remaining["merges"]
    assert "".join(remaining["longest_first"]) == "".join(remaining["by_merges"]) == f"{PHRASE}</w>"


# The stage of every beat can be drawn, and holds what the beat's text names.


def contents(*stages: str) -> Iterator[tuple[str, BeatContent]]:
    """Yield the content of every beat on one of these stages, with its name."""
    for lesson in lessons().values():
        for number, beat in enumerate(lesson.beats, start=1):
            if beat.stage in stages:
                trace = trained(lesson.slug, lesson.recipe)
                yield f"{lesson.slug}, beat {number}", BeatContent(lesson, trace, beat)


@pytest.mark.parametrize("stage", SUBJECTS)
def test_every_subject_has_rows(stage: str) -> None:
    for name, content in contents(stage):
        assert subject_of(content)["rows"], name


def test_a_rail_lists_the_merges_in_order_and_of_many_only_those_that_are_used() -> None:
    seen = set()
    for name, content in contents("encoding"):
        rail = _rail_of(content)
        if rail is None or content.lesson.vocabulary:
            continue
        ids = [row["id"] for row in rail["rows"]]
        assert ids == sorted(ids), name
        used = {
            content.ids[one.token]
            for one in content.tokenizer.encode_steps(content.beat.encode, content.encoder)
        }
        if content.beat.step > MOST_LISTED:
            assert rail["hides"], name
            assert set(ids) <= used, name
        else:
            assert len(ids) == content.beat.step, name
        seen.add(rail["hides"])
    assert seen == {True, False}


def test_one_word_stands_in_its_tokens_with_its_frequency() -> None:
    lesson: Lesson = lessons()["count-merge-repeat"]
    beat = Beat(step=4, show="words", say="", shown={"word": "hugs"}, stage="word")
    subject = subject_of(BeatContent(lesson, trained(lesson.slug, lesson.recipe), beat))
    assert subject["title"] == "hugs in 2 tokens, 5 times in the text"
    assert [chip[0] for chip in subject["rows"][0]["items"]] == ["hug", "s"]


def test_a_table_that_goes_on_has_the_rows_of_the_tables_before_it() -> None:
    drawn = [
        subject_of(content) for _, content in contents("table") if content.lesson.slug == "a-short-history"
    ]
    names = [[row["name"] for row in subject["rows"]] for subject in drawn]
    assert [len(rows) for rows in names] == [1, 2, 3, 4, 6, 7]
    assert all(later[: len(rows)] == rows for rows, later in pairwise(names))
    years = [int(rows[-1][:4]) for rows in names if rows[-1][:4].isdigit()]
    assert years == sorted(years)


def test_bars_have_their_numbers_and_are_lit_where_the_text_speaks_of_them() -> None:
    ((_, content),) = [
        one for one in contents("bars") if one[1].lesson.slug == "many-languages" and not one[1].beat.waits
    ]
    rows = subject_of(content)["rows"]
    passages = from_sample("languages").named
    assert {row["name"]: row["amounts"] for row in rows} == {
        name: [len(text.strip().encode())] for name, text in passages.items()
    }
    assert [row["name"] for row in rows if row["lit"]] == ["English", "Hindi"]
    parts = [row for _, one in contents("bars") for row in subject_of(one)["rows"] if len(row["amounts"]) > 1]
    assert [sum(row["amounts"]) for row in parts] == [2607]
    with pytest.raises(BPEError, match="a number or a text"):
        read_bars({"title": "Words", "rows": [{"name": "Both", "is": 3, "text": "the"}]})


def test_pieces_of_several_texts_have_a_row_for_each_text_and_recipe() -> None:
    drawn = [content for _, content in contents("runs") if content.lesson.slug == "no-spaces"]
    content = drawn[1]
    rows = subject_of(content)["rows"]
    assert [len(row["items"]) for row in rows] == [1, 6, 1, 6]
    assert [row["name"].split(",")[0] for row in rows] == ["Chinese", "Chinese", "Japanese", "Japanese"]
    first = subject_of(drawn[0])
    assert [row["text"] for row in first["rows"]] == content.lesson.corpus.reading_text.split("\n")[:4]
    assert [len(row["items"]) for row in first["rows"]] == [15, 1, 1, 1]
    with pytest.raises(BPEError, match="Each of 2 rows must have a name, got 1 names"):
        _Runs("pieces", content.beat.shown["runs"].under[:1], ("a", "b"), ("one",))


def test_a_row_of_losses_says_how_far_its_models_lie_apart_where_the_text_does() -> None:
    drawn = [losses_box(content.beat.shown["losses"]) for _, content in contents("losses")]
    one, several, *others = ([row["dots"]["spread"] for row in picture["rows"]] for picture in drawn)
    assert [{*spreads} for spreads in others] == [{""}, {""}]
    assert one == ["0.37%"]
    spreads = sorted(several)
    assert (spreads[0], spreads[-1]) == ("0.35%", "0.94%")


def test_a_long_talk_ends_with_its_words_before_the_merges_and_after_them_and_a_new_word() -> None:
    ends = [content for _, content in contents("summary") if content.beat is content.lesson.beats[-1]]
    lasts = {path.stops[-1].lesson.slug for path in paths() if path.minutes >= 30}
    assert {content.lesson.slug for content in ends} == lasts
    subject = subject_of(next(one for one in ends if one.lesson.slug == "does-it-matter"))
    rows = [
        [item if item == "|" else without_tabs(item[0]) for item in row["items"]] for row in subject["rows"]
    ]
    assert ["".join(row) for row in rows] == ["low</w>|lower</w>|newest</w>|widest</w>"] * 2 + ["lowest</w>"]
    before, after, new = ([item for item in row if item != "|"] for row in rows)
    assert len(before) == len("lowlowernewestwidest") + 4
    assert (after, new) == (
        ["low</w>", "low", "e", "r", "</w>", "newest</w>", "widest</w>"],
        ["low", "est</w>"],
    )


# The film of a lesson holds its beats, each with the stage of the app, and only lessons that it can tell have
# one.


def film_data(slug: str) -> dict[str, Any]:
    """Return what the film of a lesson holds. No film is large, and it has the scripts of its own stages only."""
    lesson = lessons()[slug]
    page = lesson_film(lesson, trained(slug, lesson.recipe), lesson.beats[0])
    assert len(page.encode()) <= 235_000
    data, script = data_of(page), text_of(page, "player")
    drawn = {stage["kind"] for stage in data["stages"] if stage["data"]}
    drawn |= {"every_way"} if data["way"] else set()
    for kind, path in DRAWN_BY.items():
        (create,) = re.findall(
            r"^export function (create\w+)", (BROWSER / path).read_text("utf-8"), re.MULTILINE
        )
        assert (f"function {create}(" in script) is (kind in drawn)
    return data


@pytest.mark.parametrize(
    "slug",
    [
        "lowest-rank-first",
        "does-it-matter",
        "how-large",
        "which-tokenizer",
        "bytes",
        "a-pattern",
        "does-a-model-notice",
    ],
)
def test_every_beat_of_a_film_has_the_stage_of_the_app(slug: str) -> None:
    data, lesson = film_data(slug), lessons()[slug]
    for beat, drawn in zip(lesson.beats, data["beats"], strict=True):
        stage = data["stages"][drawn["stage"]]
        assert stage["kind"] == kind_of(beat)
        assert (stage["kind"] == "grid") is (drawn["stage"] == 0)
        assert all(lane["feed"] < len(data["feeds"]) for lane in stage["lanes"])
        say = with_first_numbers(beat.say, lambda: trained(slug, lesson.recipe), beat.step)
        assert said(drawn["say"]) == say.replace("`", "")
        assert bool(drawn["question"]) is bool(drawn["answer"]) is bool(beat.question)


def test_a_film_keeps_the_tokens_of_its_text_as_chips() -> None:
    answer = film_data("lowest-rank-first")["beats"][1]["answer"]
    assert [piece[0] for piece in answer if piece[1] is not None] == ["b", "ug"]


def test_a_second_lane_is_at_a_step_of_its_own_in_a_film_too() -> None:
    data = film_data("does-it-matter")
    keepers = data["stages"][data["beats"][5]["stage"]]
    assert [lane["ahead"] for lane in keepers["lanes"]] == [0, 1]


def test_a_film_holds_the_recipe_and_the_text_that_the_viewer_s_own_words_begin_with() -> None:
    data = film_data("the-first-tie")
    settings = lessons()["the-first-tie"].recipe.settings
    assert {
        name: data["recipe"][name] for name in settings if name in data["recipe"]
    }.items() <= settings.items()
    assert data["recipe"]["merges"] == settings["merges"]
    assert data["own"]["text"] == lessons()["the-first-tie"].corpus.training_text
    assert film_data("superwords")["recipe"] is None


def test_a_film_has_no_link_to_a_page_of_the_app() -> None:
    below = film_data("which-tokenizer")["stages"][-1]["data"]["below"]
    assert {line["kind"] for lines in below for line in lines} == {"note", "source"}


def test_a_picture_of_ways_has_a_line_for_each_rule_and_ends_with_its_recipe() -> None:
    lesson = lessons()["does-the-tie-matter"]
    ways = [beat.shown["ways"] for beat in lesson.beats if "ways" in beat.shown]
    pictures = [ways_picture(one, lesson.corpus, lesson.recipe) for one in ways]
    assert [picture["until"] for picture in pictures] == [3, 3, 12, 6, 6]
    titles = [TIE_BREAKS[rule].title for rule in ("first", "pair-max")]
    assert [[line["title"] for line in picture["lines"]] for picture in pictures] == [titles] * len(pictures)
    for one, other in pairwise(ways):
        if (one.sample, one.recipe) == (other.sample, other.recipe):
            assert one.end == other.begin  # a picture goes on where it was


def test_losses_are_drawn_from_the_study_and_all_on_one_axis() -> None:
    lesson = lessons()["does-a-model-notice"]
    views = [beat.shown["losses"] for beat in lesson.beats if "losses" in beat.shown]
    pictures = [losses_box(view) for view in views]
    assert [len(picture["rows"]) for picture in pictures] == [1, 9, 12, 12]
    assert all(picture["ticks"] == pictures[0]["ticks"] for picture in pictures)
    last = pictures[-1]["rows"]
    for picture in pictures:
        for row, same in zip(picture["rows"], last, strict=False):
            assert row == {**same, "dots": {**same["dots"], "spread": row["dots"]["spread"]}}
    low, *_, high = (float(tick["text"]) for tick in pictures[0]["ticks"])
    study = json.loads((ROOT / "docs" / "ties" / "models.json").read_text("utf-8"))["tokenizers"]
    small = [row for row in study if row["bytes"] == 60_000]
    runs = [row["bits_per_byte"][: 3 if row["sample"] else 6] for row in small]
    for row, bits in zip(last, runs, strict=True):
        mean = sum(bits) / len(bits)
        drawn = [low + (high - low) * place / 100 for place in (*row["dots"]["places"], row["dots"]["mean"])]
        assert drawn == pytest.approx([*bits, mean], abs=1e-5)
        assert f"mean {mean:.4f}" in row["dots"]["says"]
    assert [row["kind"] for row in last] == ["way"] * 9 + ["sample"] * 3


@pytest.mark.parametrize(
    "table", [{"ways": 0}, {"ways": 10}, {"ways": 9, "samples": 4}, {"ways": 1, "bytes": 5}]
)
def test_losses_that_the_study_lacks_are_refused(table: dict[str, int]) -> None:
    with pytest.raises(BPEError, match="The study must have these losses"):
        read_losses({"bytes": 60_000, **table})
