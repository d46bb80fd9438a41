"""Comparisons: the held-out text, luck, the tables, colours and charts."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import permutations
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe import BPEError
from bpe.comparison import held_out, tables
from bpe.comparison.evidence import Evidence
from bpe.comparison.held_out import set_aside, text_overlap
from bpe.comparison.lanes import MOST, rules
from bpe.comparison.random_draws import random_draws
from film.training_feed import training_feed
from tests.app import LONGEST_RUN, run
from tests.ui.compare.compare_page import SAMPLE, compare
from tests.ui.gate import LONG_TEXT, Gate, ended, press
from tests.waiting import LONG
from ui.page_parts.compare import held_out_text, lanes
from ui.page_parts.compare.comparison import _measure
from ui.trainings import corpus as corpora
from ui.trainings.corpus import Corpus, from_words
from ui.trainings.long_work import SharedWork, WorkWatch, _watch
from ui.trainings.recipe import Recipe
from ui.trainings.running_training import Pace, _Steps
from ui.trainings.settings import FREE
from ui.view.text import csv_file
from ui.view.visit import COMPARED_TRAINERS

# The held-out text


@pytest.mark.parametrize(
    "slug", [slug for slug, sample in corpora.samples().items() if sample.kind == "text"]
)
def test_no_sample_is_held_out_from_itself(slug: str) -> None:
    corpus = corpora.from_sample(slug)
    chosen = held_out_text.other_text(corpus)
    assert text_overlap(chosen.documents, corpus.documents) <= held_out.MOST_OVERLAP
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


@pytest.mark.usefixtures("draws")
def test_for_a_short_text_the_evidence_holds_the_luck_of_the_chosen_recipe() -> None:
    text = " ".join(map("".join, permutations("abcde", 3)))
    comparison = compare("first", "last", text=text, test_text="low tower abe")
    shared = Recipe("hf-bytelevel", "bytes-gpt2", "ids-min", 15)
    work = Recorded("name", partial(_measure, comparison, shared))
    work.compute(work)
    reports = work.reports
    settings = {name: value for name, value in shared.settings.items() if name != "tie_break"}
    share, result = reports[-1]
    assert share == 1
    assert result is not None
    documents = comparison.held_out.documents
    assert result.luck
    *_, luck = random_draws(comparison.text, documents, result.luck.draws, **settings)
    assert result.luck == luck
    # The answer does not wait for them.
    assert any(one is not None and one.luck is None for _, one in reports)


def test_work_that_ended_before_its_end_is_not_complete() -> None:
    stopped: WorkWatch[str] = _watch("stopped", lambda work: work.report(0.5, "result"))
    stopped.work.job.patience = -1.0  # no page has looked for longer than that
    stopped.start()
    assert stopped.work.job.ended.wait(LONG)
    assert not stopped.work.is_complete
    assert stopped.work.result is None


# Tables, charts, parts


def test_the_merge_table_marks_differences_and_survives_csv() -> None:
    comparison = compare("first", "pair-max")
    table = tables._merges_table(comparison)
    assert [row[0] for row in table.rows if row[1]] == [0, 1, 3, 5, 6]
    assert table.rows[0][2:6] == ("e + s", "es", 9, 3)
    read = list(csv.reader(io.StringIO(csv_file(table.names, table.rows).decode("utf-8-sig"))))
    assert read[1][6] == "t + </w>"
    assert len(read) == 13


def test_tables_have_as_many_cells_as_columns() -> None:
    comparison = compare("first", "pair-max", "paper", test_text="low tower")
    for table in (
        tables._merges_table(comparison),
        tables.tokens_table(comparison),
        tables.words_table(comparison, comparison.corpus_words),
    ):
        assert {len(row) for row in table.rows} == {len(table.columns)}
        assert len(set(table.names)) == len(table.names)


def test_lanes_of_one_variant_have_the_same_cells_whatever_they_merge() -> None:
    text = "b b xy zw xy zw"  # only b is in the window; each lane merges other letters
    comparison = compare("first", "last", text=text, shared=Recipe(FREE, "bytes-gpt2", "first", 1))
    feeds = [training_feed(trace, text, start=0, size=3) for trace in comparison.traces]
    assert len({feed["symbols"]["hex"] for feed in feeds}) > 1
    assert len({feed["cells"] for feed in feeds}) == 1


# Lanes while they are trained: each one's state, the grids of those that can be played, and one Stop for all.

RULES = ("first", "last", "pair-max", "pair-min", "shortest")


def page(corpus: "Corpus", pace: "Pace", begin: "Callable[..., _Steps]") -> None:
    """Draw the lanes as Compare does, until all are ready. Streamlit runs its source alone."""
    import streamlit as st

    from ui.page_parts.compare import lanes, stage
    from ui.trainings import training
    from ui.trainings.recipe import Recipe
    from ui.trainings.settings import FREE

    shared = Recipe(FREE, "char-eow", "first", st.session_state["merges"])
    chosen = [lanes.read_lane(slug, shared) for slug in st.session_state["asked"]]
    progress = training.progress_of(corpus, [lane.recipe for lane in chosen], pace, begin)
    traces = stage.finished(corpus, chosen, progress)
    if traces:
        st.metric("merges", " ".join(str(len(trace.steps)) for trace in traces))


def asked(gate: Gate, merges: int, preview: float = 1000.0) -> AppTest:
    """Return the page when two trainings pause at the gate. The first merges can be played after `preview` seconds."""
    kwargs = {"corpus": LONG_TEXT, "pace": Pace(wait=0.2, preview=preview), "begin": gate.begin}
    app = AppTest.from_function(page, default_timeout=LONGEST_RUN, kwargs=kwargs)
    app.session_state["asked"], app.session_state["merges"] = RULES, merges
    run(app)
    gate.wait_for(merges, merges)
    return run(app)


def parts(app: AppTest) -> list[dict[str, Any]]:
    """Return the data of the components on the page."""
    sent = (element.proto for element in app.get("bidi_component"))
    return [json.loads(one.bytes) for one in sent if one.bytes]


def states(app: AppTest) -> list[str]:
    (told,) = (part["told"] for part in parts(app) if "told" in part)
    return [state["text"] for state in told["states"]]


def grids(app: AppTest) -> list[int]:
    """Return the places of the lanes that have a grid."""
    return [lane["index"] for part in parts(app) if "of" in part for lane in part["lanes"]]


def test_each_lane_says_how_far_it_is_and_the_ready_ones_can_be_played(gate: Gate) -> None:
    app = asked(gate, 41)
    assert states(app) == ["merge 20 of 41"] * 2 + ["waiting"] * 3
    assert app.progress[0].text == "Training: 0 of 5 lanes are ready."
    assert grids(app) == []
    assert not app.metric  # and so no verdict
    gate.wide_open.set()
    assert ended(app).metric[0].value == "41 41 41 41 41"


def test_the_first_merges_of_a_long_training_can_be_played(gate: Gate) -> None:
    app = run(asked(gate, 42, preview=-1.0))
    assert grids(app) == [0, 1]
    assert states(app)[:3] == ["merge 20 of 42", "merge 20 of 42", "waiting"]


def test_stop_ends_all_lanes_and_go_on_trains_the_rest(gate: Gate) -> None:
    app = run(asked(gate, 43))
    ended(press(app, "lanes_stop"))
    assert app.warning[0].value == (
        "Stopped. 0 of 5 lanes are ready. The answer needs all of them: go on, or remove the others."
    )
    assert states(app) == ["stopped at merge 21 of 43"] * 2 + ["stopped at merge 0 of 43"] * 3
    assert grids(app) == [0, 1]  # what was learned can be played
    gate.wide_open.set()
    assert ended(press(app, "lanes_go_on")).metric[0].value == "43 43 43 43 43"


def test_one_stop_ends_a_lane_that_was_added_before_the_page_was_drawn_again(gate: Gate) -> None:
    """Until then the page's Stop belongs to the lanes before, whether or not the new one has begun."""
    app = asked(gate, 44)
    app.session_state["asked"] = RULES[:2]
    run(app)
    app.session_state["asked"] = RULES[:3]
    ended(press(app, "lanes_stop"))
    assert states(app) == ["stopped at merge 21 of 44"] * 2 + ["stopped at merge 0 of 44"]
    gate.wide_open.set()
    assert ended(press(app, "lanes_go_on")).metric[0].value == "44 44 44"


# Lanes of Compare: their slugs in a link, what a slug means, and the lanes to begin with.

SHARED = Recipe(FREE, "char-eow", "first", 12)


@pytest.mark.parametrize("slug", [*rules(), *bpe.PRESETS, "first_0.2", "random_s7_0.1-3.0", "cs336_4.1"])
def test_every_lane_survives_a_link(slug: str) -> None:
    assert lanes.read_link(lanes.write_link([slug, "last"]), SHARED) == (
        list(dict.fromkeys([slug, "last"])),
        [],
    )


@pytest.mark.parametrize(
    "slug", ["", "firstt", "manual", "first_s3", "first_0", "first~", "<b>", "first_0.1_0.2"]
)
def test_a_slug_that_names_no_lane_is_refused(slug: str) -> None:
    with pytest.raises(BPEError):
        lanes.read_lane(slug, SHARED)


def test_valid_lanes_of_a_link_are_kept_and_others_reported() -> None:
    slugs, ignored = lanes.read_link("first~nonsense~first~pair-max", SHARED)
    assert slugs == ["first", "pair-max"]
    assert len(ignored) == 1
    assert "nonsense" in ignored[0]


def test_a_link_with_too_many_lanes_is_shortened() -> None:
    nine = list(bpe.PRESETS)[: MOST + 1]
    assert lanes.read_link(lanes.write_link(nine[:-1]), SHARED) == (nine[:-1], [])
    slugs, ignored = lanes.read_link(lanes.write_link(nine), SHARED)
    assert slugs == nine[:-1]
    assert ignored == ["The link contains 9 lanes. No more than 8 fit: the first 8 are shown."]


def test_rules_take_the_chosen_variant_and_presets_bring_their_own() -> None:
    assert lanes.read_lane("last", SHARED).recipe.variant == "char-eow"
    assert lanes.read_lane("minbpe-basic", SHARED).recipe.variant == "bytes"
    shared = Recipe("subword-nmt", "char-eow-lines", "pair-max", 9)
    assert lanes.read_lane("first", shared).recipe.settings["min_count"] == 2


@pytest.mark.parametrize("slug", COMPARED_TRAINERS)
def test_a_trainer_s_lane_names_its_rule_source_and_version(slug: str) -> None:
    lane, preset = lanes.read_lane(slug, SHARED), bpe.PRESETS[slug]
    assert lane.title == preset.title
    for fact in (bpe.TIE_BREAKS[preset.settings["tie_break"]].title, preset.source, preset.checked):
        assert fact in lane.about


@pytest.mark.parametrize("preset", [FREE, *bpe.PRESETS])
def test_there_are_two_lanes_to_begin_with(preset: str) -> None:
    settings = (
        bpe.PRESETS[preset].settings if preset != FREE else {"variant": "bytes", "tie_break": "pair-max"}
    )
    shared = Recipe(preset, settings["variant"], settings["tie_break"], 10)
    first = lanes.first_lanes(shared)
    assert len(set(first)) == 2
    assert [lanes.read_lane(slug, shared).slug for slug in first] == first


def test_a_branch_takes_a_pair_by_hand_and_the_rule_decides_the_rest() -> None:
    lane = lanes.read_lane("first", SHARED)
    assert lanes.branch_slug(lane, 0, 2) == "first_0.2"
    again = lanes.read_lane("first_0.2-5.1", SHARED)
    assert lanes.branch_slug(again, 3, 1) == "first_0.2-3.1"  # without the later pick
    branch = lanes.read_lane("first_0.2", SHARED)
    trace = bpe.train(
        from_words("low 5\nlower 2\nnewest 6\nwidest 3").training_text, **branch.recipe.settings
    )
    assert trace.merges[:2] == [(b"t", b"\xff"), (b"e", b"s")]


def test_a_recipe_with_picks_is_compared_with_itself_without_them() -> None:
    assert lanes.first_lanes(Recipe("paper", "char-eow", "first", 12, picks=((0, 1),))) == [
        "first",
        "first_0.1",
    ]
