"""Comparisons: the verdict, the tables behind it, the held-out text, luck, and charts."""

import csv
import io
import re
from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import pytest

import bpe
from bpe import BPEError
from bpe.analysis import default_held_out
from bpe.analysis.default_held_out import HeldOutText
from bpe.analysis.evidence import Evidence, evidence
from bpe.analysis.held_out import set_aside
from bpe.analysis.percentages import percent, percent_range
from bpe.analysis.random_draws import random_draws
from bpe.analysis.text_overlap import text_overlap
from film.shades import Shades
from film.training_feed import training_feed
from tests.waiting import LONG
from ui.compare import charts, held_out_text, lanes, luck, tables, verdict
from ui.compare.comparison import Comparison
from ui.compare.shared_work import WatchedWork, watch
from ui.first_visit import COMPARED_TRAINERS
from ui.show.text import csv_file
from ui.sidebar import corpus as corpora
from ui.sidebar.recipe import Recipe
from ui.sidebar.settings import FREE

WORDS = "low 5\nlower 2\nnewest 6\nwidest 3"
SHARED = Recipe(FREE, "char-eow", "first", 12)


def compare(*slugs: str, text: str = "", shared: Recipe = SHARED, test_text: str = "") -> Comparison:
    corpus = corpora.from_text(text) if text else corpora.from_words(WORDS)
    chosen = [lanes.read_lane(slug, shared) for slug in slugs]
    traces = [bpe.train(corpus.training_text, **lane.recipe.settings) for lane in chosen]
    held_out = HeldOutText("the text", (test_text or default_held_out.EXAMPLE,))
    return Comparison("name", corpus, tuple(chosen), tuple(traces), held_out)


# The verdict

SAMPLE = corpora.from_sample("ties").documents
VERDICTS: dict[str, tuple[dict[str, Any], str]] = {
    "too little text": (
        {"slugs": ("first", "pair-max"), "test_text": default_held_out.EXAMPLE},
        "Too little held-out text to tell. 1 of 17 words is split differently: “towers”.",
    ),
    "too little text, and no difference": (
        {"slugs": ("first", "pair-max"), "test_text": "lowest low widest"},
        "Too little held-out text to tell. All 3 words are split the same way.",
    ),
    "no word of the corpus": (
        {"slugs": ("first", "pair-max"), "text": "abc abc", "shared": Recipe(FREE, "char-eow", "first", 1)},
        "No similar held-out text. The only word of the training text is split differently.",
    ),
    "no word of the corpus, and no difference": (
        {"slugs": ("first", "pair-max"), "test_text": "hill"},
        "No similar held-out text. Every word of the training text is split the same way.",
    ),
    "equal lanes": (
        {"slugs": ("first", "ids-min"), "text": "aaab aaab", "shared": Recipe(FREE, "bytes", "first", 1)},
        "It does not matter: both lanes make the same merge.",
    ),
    "three equal lanes": (
        {"slugs": ("first", "ids-min", "last"), "text": "aaaa", "shared": Recipe(FREE, "bytes", "first", 2)},
        "It does not matter: all 3 lanes make the same 2 merges in the same order.",
    ),
    "nothing to merge": (
        {"slugs": ("first", "last"), "text": "a", "shared": Recipe(FREE, "bytes", "first", 5)},
        "It does not matter: there is nothing to merge.",
    ),
}


def measured(comparison: Comparison) -> Evidence:
    return evidence(
        comparison.traces, comparison.held_out.documents, comparison.corpus.training_text, resamples=200
    )


@pytest.mark.parametrize("case", VERDICTS)
def test_the_verdict_leads_with_the_answer(case: str) -> None:
    asked, expected = VERDICTS[case]
    comparison = compare(*asked["slugs"], **{name: value for name, value in asked.items() if name != "slugs"})
    assert verdict.answer(comparison, measured(comparison)) == expected


def on_the_story(*slugs: str, variant: str = "bytes-gpt2", merges: int = 150) -> Comparison:
    return compare(
        *slugs,
        text=corpora.from_sample("story").documents[0],
        shared=Recipe(FREE, variant, "first", merges),
        test_text=SAMPLE[0],
    )


def test_every_figure_under_the_answer_is_that_of_the_texts() -> None:
    """The words are split and compared here one by one, as a reader would."""
    comparison = on_the_story("first", "pair-max")
    result = measured(comparison)
    tokenizers = [trace.tokenizer() for trace in comparison.traces]
    split = comparison.traces[0].variant.split
    words = [
        word
        for line in SAMPLE[0].splitlines()
        for word in split(line)
        if any(character.isalnum() for character in word)
    ]
    differing = [word for word in words if len({tuple(one.word_tokens(word)) for one in tokenizers}) > 1]
    tokens = [len(one.tokens(SAMPLE[0])) for one in tokenizers]
    answer = verdict.answer(comparison, result)
    text = " ".join((answer, *verdict.brief(comparison, result)))
    assert f"{len(differing):,} of {len(words):,} held-out words (" in text
    assert f"({percent(len(differing) / len(words))}, interval" in text
    low, high = result.same_splits.interval or (0, 0)
    assert f", interval {percent_range(1 - high, 1 - low)}) are split differently" in text
    assert result.verdict.more
    more = percent((max(tokens) - min(tokens)) / min(tokens))
    shorter, longer = sorted((0, 1), key=tokens.__getitem__)
    assert answer == f"It may matter: one lane seems to need {more} more tokens than another."
    assert (
        f"“{comparison.lanes[longer].short}” needs more tokens than “{comparison.lanes[shorter].short}”"
        in text
    )
    rest = " ".join(verdict.rest(comparison, result))
    learned = [{left + right for left, right in trace.merges} for trace in comparison.traces]
    assert f"share {percent(len(learned[0] & learned[1]) / 150)} of the learned tokens" in rest
    known = set(split(corpora.from_sample("story").documents[0]))
    occur = percent(sum(word in known for word in words) / len(words))
    assert f"{occur} of the held-out words occur in the training text" in rest


@pytest.mark.parametrize("case", VERDICTS)
def test_nothing_under_the_answer_repeats_it(case: str) -> None:
    asked, answer = VERDICTS[case]
    comparison = compare(*asked["slugs"], **{name: value for name, value in asked.items() if name != "slugs"})
    result = measured(comparison)
    brief, rest = verdict.brief(comparison, result), verdict.rest(comparison, result)
    read = re.findall(r"[^.:]+[.:](?= |$)", " ".join((answer, *brief, *rest)))
    assert [sentence for sentence in read if read.count(sentence) > 1] == []
    if result.verdict.answer != "nothing to merge":
        assert brief[-1] == "Held out: the text."


def test_luck_is_compared_with_the_widest_difference_of_two_draws() -> None:
    comparison = on_the_story("first", "pair-max")
    *_, drawn = random_draws(comparison.corpus.training_text, SAMPLE, 3, "bytes-gpt2", merges=150)
    result = replace(measured(comparison), luck=drawn)
    (sentence,) = (one for one in verdict.brief(comparison, result) if "luck" in one)
    pair = result.pairs[0]
    more = abs(pair.more_tokens.value)
    is_more = pair.same_splits.value < min(drawn.same_splits) or more / (1 - more) > max(drawn.more_tokens)
    assert sentence.startswith(
        "The lanes differ by more than luck" if is_more else "The lanes differ by no more than luck"
    )
    for share in (1 - max(drawn.same_splits), 1 - min(drawn.same_splits), max(drawn.more_tokens)):
        assert f"{share:.1%}".removesuffix("%").removesuffix(".0") in sentence


def test_the_figures_of_the_corpus_on_the_textbook_corpus() -> None:
    assert verdict.figures(compare("first", "pair-max", test_text="cow")) == (
        "The rules first differ at merge 1. In the end, 8 of 12 learned tokens are the same. Every word of the "
        "training text is split the same way."
    )
    trainers = compare(
        *COMPARED_TRAINERS, text="DCBBABCDCBABCD", shared=Recipe("hf-bytelevel", "bytes-gpt2", "ids-min", 4)
    )
    assert verdict.figures(trainers).startswith(
        "The trainers first differ at merge 1. In the end, 0 of 4 learned tokens are the same in all 6 lanes, markers "
        "included."
    )
    assert "Tokens are compared as written" in verdict.how_compared(trainers)
    first = [trace.merges[0] for trace in trainers.traces]
    assert first == [(b"A", b"B"), *[(b"D", b"C")] * 3, (b"A", b"B"), (b"D", b"C")]


def test_the_numbers_of_the_verdict_are_in_the_tables() -> None:
    comparison = on_the_story("first", "pair-max")
    sentence = verdict.figures(comparison)
    rows = list(tables.token_rows(comparison))
    shared = sum(row[1] == 2 for row in rows)
    totals = [trace.tokens_total(150) for trace in comparison.traces]
    last = list(tables.step_rows(comparison))[-1]
    assert [last[1], last[4]] == totals
    assert last[7] == shared
    result = measured(comparison)
    share = f"share {percent(shared / 150)} of the learned tokens."
    assert " ".join(verdict.rest(comparison, result)).count(share) == 1
    assert "learned tokens" not in sentence  # the share is said once
    assert [last[2], last[5]] == [lane.tokens for lane in result.lanes]
    assert [row[1] for row in tables.lane_rows(comparison, result)] == [last[2], last[5]]
    (pair,) = tables.pair_rows(comparison, result)
    low, high = result.same_splits.interval or (0, 0)
    assert pair[2] == f"{100 * result.same_splits.value:.2f} ({100 * low:.2f} to {100 * high:.2f})"


def test_the_hall_sees_words_of_both_texts() -> None:
    comparison = on_the_story("first", "pair-max")
    words = verdict.words_for_a_hall(comparison, measured(comparison), 3)
    assert [of.endswith("held-out text") for _, of in words] == [False, False, True]


# The held-out text


@pytest.mark.parametrize(
    "slug", [slug for slug, sample in corpora.samples().items() if sample.kind == "text"]
)
def test_no_sample_is_held_out_from_itself(slug: str) -> None:
    corpus = corpora.from_sample(slug)
    chosen = held_out_text.other_text(corpus)
    overlap = text_overlap(chosen.documents, corpus.documents)
    assert overlap is not None
    assert overlap.share <= default_held_out.MOST_OVERLAP
    pasted = held_out_text.other_text(corpora.from_text(f"{corpus.documents[0]} and more"))
    assert set(pasted.documents).isdisjoint(corpus.documents)


def test_a_story_in_english_gets_a_held_out_story() -> None:
    assert held_out_text.other_text(corpora.from_sample("story")).documents == SAMPLE


def test_a_part_that_is_set_aside_is_not_trained_on() -> None:
    lines = [f"line {number} of the text" for number in range(200)]
    rest, aside = set_aside(["\n".join(lines)])
    assert "".join(rest).splitlines() == [line for number, line in enumerate(lines, 1) if number % 10]
    (one,) = aside  # of one document
    assert one.splitlines() == lines[9::10]
    with pytest.raises(BPEError, match="20 different lines"):
        set_aside(["three\nshort\nlines"])


# Luck


def test_luck_draws_until_all_are_done_or_it_is_stopped() -> None:
    comparison = compare("first", "last", test_text="low tower")
    draws = luck.begin(comparison, Recipe("hf-bytelevel", "bytes-gpt2", "ids-min", 5), 50)
    job = draws.work.work.job
    assert job.ended.wait(LONG)
    assert draws.luck is not None
    assert (draws.luck.draws, job.problem, draws.work.work.is_complete) == (50, "", True)
    stopped: WatchedWork[str] = watch("stopped", lambda report: report(0.5, "result"))
    stopped.work.job.patience = -1.0  # no page has looked for longer than that
    stopped.start()
    assert stopped.work.job.ended.wait(LONG)
    assert not stopped.work.is_complete
    assert stopped.work.result is None


# Tables, charts, parts


def test_the_merge_table_marks_differences_and_survives_csv() -> None:
    comparison = compare("first", "pair-max")
    rows = list(tables.merge_rows(comparison))
    assert [row[0] for row in rows if row[1]] == [0, 1, 3, 5, 6]
    assert rows[0][2:6] == ("e + s", "es", 9, 3)
    read = list(csv.reader(io.StringIO(csv_file(tables.merge_columns(comparison), rows).decode("utf-8-sig"))))
    assert read[1][6] == "t + </w>"
    assert len(read) == 13


def test_tables_have_as_many_cells_as_columns() -> None:
    comparison = compare("first", "pair-max", "paper", test_text="low tower")
    for columns, rows in (
        (tables.merge_columns(comparison), tables.merge_rows(comparison)),
        (tables.token_columns(comparison), tables.token_rows(comparison)),
        (tables.step_columns(comparison), tables.step_rows(comparison)),
        (tables.word_columns(comparison), tables.word_rows(comparison, comparison.corpus_words)),
        (tables.TIE_COLUMNS, tables.tie_rows(comparison, 0, range(comparison.merges))),
    ):
        assert {len(row) for row in rows} == {len(columns)}
        assert len(set(columns)) == len(columns)


def test_the_tiles_over_the_tie_map_count_the_merges_that_tied() -> None:
    tiles = list(tables.tie_summary(compare("first", "pair-max").tie_maps[0]).items())
    assert tiles[:2] == [("7 of 12 merges had a tie", "58%"), ("Largest tie", "3 pairs")]


def test_a_token_has_one_colour_in_all_lanes() -> None:
    comparison = compare("first", "pair-max")
    shades = Shades(comparison.traces)
    for lane, trace in enumerate(comparison.traces):
        numbers = shades.of_lane(lane)
        for symbol in trace.symbols:
            assert numbers[trace.id_of(symbol)] == shades.of_name(symbol)
    assert len({shades.of_name(learned.token) for learned in comparison.learned_by}) == len(
        comparison.learned_by
    )
    # The first lane has the colours of Watch.
    assert shades.of_lane(0) == list(range(len(comparison.traces[0].vocabulary(12))))


def test_lanes_of_one_variant_have_the_same_cells_whatever_they_merge() -> None:
    text = "b b xy zw xy zw"  # only b is in the window; each lane merges other letters
    comparison = compare("first", "last", text=text, shared=Recipe(FREE, "bytes-gpt2", "first", 1))
    feeds = [training_feed(trace, text, start=0, size=3) for trace in comparison.traces]
    assert len({feed["symbols"]["hex"] for feed in feeds}) > 1
    assert len({feed["cells"] for feed in feeds}) == 1


def test_charts_draw_every_lane_and_escape_user_text() -> None:
    comparison = compare(*lanes.rules()[: lanes.MOST], text="<b>x</b> " * 3)
    for dark in (False, True):
        figure = charts.curves(comparison, dark=dark)
        go.Figure(figure)  # raises ValueError for what plotly does not know
        assert len(figure["data"]) == 4 * (lanes.MOST - 1)
        lines = {(trace["line"]["color"], trace["line"]["dash"]) for trace in figure["data"]}
        assert len(lines) == lanes.MOST - 1
        assert "<b>" not in str(figure["layout"])
        assert charts.ties(comparison.tie_maps[0], dark=dark)["data"]
