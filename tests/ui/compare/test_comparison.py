"""Comparisons: the held-out text, luck, the tables, colours and charts."""

import csv
import io
from dataclasses import dataclass, field
from functools import partial
from itertools import permutations

import plotly.graph_objects as go
import pytest

from bpe import BPEError
from bpe.comparison import held_out, tables
from bpe.comparison.evidence import Evidence
from bpe.comparison.held_out import set_aside, text_overlap
from bpe.comparison.lanes import MOST, rules
from bpe.comparison.random_draws import every_way, random_draws
from film.labels import Shades
from film.training_feed import training_feed
from tests.ui.compare.comparisons import SAMPLE, compare
from tests.waiting import LONG
from ui.compare import charts, details, held_out_text
from ui.compare import comparison as measuring
from ui.show.text import csv_file
from ui.sidebar import corpus as corpora
from ui.sidebar.recipe import Recipe
from ui.sidebar.settings import FREE
from ui.work.long_work import SharedWork, Watch, watch

# The held-out text


@pytest.mark.parametrize(
    "slug", [slug for slug, sample in corpora.samples().items() if sample.kind == "text"]
)
def test_no_sample_is_held_out_from_itself(slug: str) -> None:
    corpus = corpora.from_sample(slug)
    chosen = held_out_text.other_text(corpus)
    overlap = text_overlap(chosen.documents, corpus.documents)
    assert overlap is not None
    assert overlap.share <= held_out.MOST_OVERLAP
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


@dataclass(slots=True, eq=False)
class Recorded(SharedWork[Evidence]):
    """Work that remembers what it has reported."""

    reports: list[tuple[float, Evidence | None]] = field(default_factory=list)

    def report(self, share: float, result: Evidence | None = None) -> None:
        self.reports.append((share, result))


@pytest.mark.parametrize(
    "text", ["", " ".join(map("".join, permutations("abcde", 3)))], ids=["few ways", "many"]
)
def test_for_a_short_text_the_evidence_holds_the_luck_of_the_sidebars_recipe(text: str) -> None:
    comparison = compare("first", "last", text=text, test_text="low tower abe")
    shared = Recipe("hf-bytelevel", "bytes-gpt2", "ids-min", 15 if text else 5)
    work = Recorded("name", partial(measuring._measure, comparison, shared))
    work.compute(work)
    reports = work.reports
    settings = {name: value for name, value in shared.settings.items() if name != "tie_break"}
    share, result = reports[-1]
    assert share == 1
    assert result is not None
    documents = comparison.held_out.documents
    if result.luck is None:
        assert result.ways == every_way(
            comparison.traces,
            comparison.text,
            documents,
            **settings,
            between_spaces=not result.words_are_pre_tokens,
        )
    else:
        *_, luck = random_draws(comparison.text, documents, result.luck.draws, **settings)
        assert result.luck == luck
        assert any(
            one is not None and one.luck is None for _, one in reports
        )  # the answer does not wait for them
    assert (result.luck is None) == (not text)


def test_work_that_ended_before_its_end_is_not_complete() -> None:
    stopped: Watch[str] = watch("stopped", lambda work: work.report(0.5, "result"))
    stopped.work.job.patience = -1.0  # no page has looked for longer than that
    stopped.start()
    assert stopped.work.job.ended.wait(LONG)
    assert not stopped.work.is_complete
    assert stopped.work.result is None


# Tables, charts, parts


def test_the_merge_table_marks_differences_and_survives_csv() -> None:
    comparison = compare("first", "pair-max")
    table = tables.merges_table(comparison)
    assert [row[0] for row in table.rows if row[1]] == [0, 1, 3, 5, 6]
    assert table.rows[0][2:6] == ("e + s", "es", 9, 3)
    read = list(csv.reader(io.StringIO(csv_file(table.names, table.rows).decode("utf-8-sig"))))
    assert read[1][6] == "t + </w>"
    assert len(read) == 13


def test_tables_have_as_many_cells_as_columns() -> None:
    comparison = compare("first", "pair-max", "paper", test_text="low tower")
    for table in (
        tables.merges_table(comparison),
        tables.tokens_table(comparison),
        tables.steps_table(comparison),
        tables.words_table(comparison, comparison.corpus_words),
        tables.ties_of_lane_table(comparison, 0, range(comparison.merges)),
    ):
        assert {len(row) for row in table.rows} == {len(table.columns)}
        assert len(set(table.names)) == len(table.names)


def test_the_tiles_over_the_tie_map_count_the_merges_that_tied() -> None:
    tiles = list(details.tie_summary(compare("first", "pair-max").tie_maps[0]).items())
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
    comparison = compare(*rules()[:MOST], text="<b>x</b> " * 3)
    for dark in (False, True):
        figure = charts.curves(comparison, dark=dark)
        go.Figure(figure)  # raises ValueError for what plotly does not know
        assert len(figure["data"]) == 4 * (MOST - 1)
        lines = {(trace["line"]["color"], trace["line"]["dash"]) for trace in figure["data"]}
        assert len(lines) == MOST - 1
        assert "<b>" not in str(figure["layout"])
        assert charts.ties(comparison.tie_maps[0], dark=dark)["data"]
