"""The menu Ties: each rule with the pair that it would merge where the grid is, computed from the training itself."""

from itertools import count

import pytest

import bpe
from bpe import Trace
from bpe.analysis.ties import picks_at
from tests.app import component_id, open_app, open_page, run, send_event, sent, take_row, without_tabs
from ui.choices import tie_menu
from ui.choices.tie_menu import _contents_at, _ways
from ui.trainings.corpus import from_sample, samples
from ui.view.choice_list import Contents

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
OFFERED = [slug for slug, rule in bpe.TIE_BREAKS.items() if rule.menu]


def trained(merges: int = 12, **settings: object) -> Trace:
    return bpe.train(WORDS, "char-eow", merges=merges, **settings)  # type: ignore[arg-type]  # one value each


def shown_pairs(contents: Contents) -> dict[str, list[str]]:
    """Return {rule: the labels of its pair and of the merged token}."""
    labels = [without_tabs(label) for label in contents.tokens]
    return {slug: [labels[at] for at in pair] for slug, pair in contents.pairs.items()}


def test_at_a_tie_each_rule_shows_its_pair_and_rules_that_agree_stand_together() -> None:
    trace = trained()
    contents = _contents_at(trace, 0)
    assert contents.headline == ("3 pairs tie at 9.", "What each rule merges next:")
    shown = shown_pairs(contents)
    assert shown["first"] == ["e", "s", "es"]
    assert shown["last"] == ["t", "</w>", "t</w>"]
    assert shown.keys() == bpe.TIE_BREAKS.keys()
    for slug, (left, right) in picks_at(trace, 0).items():
        assert shown[slug] == [trace.variant.label(symbol) for symbol in (left, right, left + right)]
    groups = [{tuple(shown[slug]) for slug in group} for group in contents.groups]
    assert [len(group) for group in groups] == [1] * len(groups)
    assert len(set.union(*groups)) == len(groups) == 3
    assert sorted(slug for group in contents.groups for slug in group) == sorted(shown)
    assert contents.action
    assert contents.foot == "Every one of 432 ways to break the ties splits these words the same way."


def test_a_slow_machine_hides_no_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count(0, 1000)  # a thousand seconds pass between two looks at it
    monkeypatch.setattr("bpe.analysis.tie_bounds.monotonic", lambda: next(clock))
    assert _ways(trained()) == "Every one of 432 ways to break the ties splits these words the same way."
    assert _ways(bpe.train(from_sample("story").training_text, "char-eow", merges=400)) == ""


def test_a_number_of_ways_that_nobody_can_read_is_a_power_of_ten() -> None:
    words = {chr(0x4E00 + left) + chr(0x4E01 + left): 2 for left in range(0, 120, 2)}
    assert _ways(bpe.train(words, "char-eow")) == (
        "Every one of about 10¹⁹⁹ ways to break the ties splits these words the same way."
    )


def test_without_a_tie_the_next_one_is_shown_and_at_the_end_the_last_one() -> None:
    trace = trained()
    ties = [step.rank for step in trace.steps if step.tied > 1]
    untied = next(step.rank for step in trace.steps if step.tied < 2)
    following = next(rank for rank in ties if rank > untied)
    bold, rest = _contents_at(trace, untied).headline
    assert bold == f"No tie at merge {untied + 1}: all rules merge the same pair."
    assert f"At merge {following + 1}, the next tie, {trace.steps[following].tied} pairs tie" in rest
    assert shown_pairs(_contents_at(trace, untied)) == shown_pairs(_contents_at(trace, following))
    end = _contents_at(trace, 12)
    assert end.headline[0] == "Training ends here."
    assert f"At merge {ties[-1] + 1}, the last tie," in end.headline[1]


def test_a_training_without_ties_shows_the_pair_that_all_rules_take() -> None:
    trace = bpe.train({"ab": 2}, "bytes-whitespace")
    contents = _contents_at(trace, 0)
    assert contents.headline == (
        "No pairs tie in this training.",
        "Every rule merges the same pairs, such as:",
    )
    assert {tuple(pair) for pair in shown_pairs(contents).values()} == {("a", "b", "ab")}
    assert not contents.action
    assert _contents_at(trace, 1).pairs == {}


def test_a_pick_by_hand_is_that_of_the_rule_by_hand() -> None:
    pick = (b"t", b"\xff")
    contents = _contents_at(trained(picks={0: pick}), 0)
    assert "You picked one by hand." in contents.headline[1]
    assert shown_pairs(contents)["manual"] == ["t", "</w>", "t</w>"]
    assert shown_pairs(contents)["first"] == ["e", "s", "es"]


def test_what_is_not_known_of_all_ways_is_not_said() -> None:
    sample = samples()["story"]
    trace = bpe.train(from_sample("story").training_text, merges=50, **bpe.PRESETS[sample.preset].settings)
    assert _contents_at(trace, 0).foot == ""
    two = bpe.train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, merges=6)
    assert _contents_at(two, 0).foot.startswith("From merge 4 on, there are two different splits")


def test_a_row_trains_under_its_rule_and_an_unknown_one_changes_nothing() -> None:
    app = open_app()
    take_row(app, "tie_break", "pair-max")
    assert (app.session_state["tie_break"], app.session_state["preset"]) == ("pair-max", "none")
    assert app.query_params["tie_break"] == "pair-max"
    take_row(app, "tie_break", "no such rule")
    assert app.session_state["tie_break"] == "pair-max"
    assert not app.exception


def test_rules_of_no_trainer_are_named_last_and_can_be_taken() -> None:
    listed = tie_menu.rows(OFFERED)
    of_no_trainer = [slug for slug in OFFERED if bpe.TIE_BREAKS[slug].for_contrast]
    assert len(of_no_trainer) > 1
    assert [row.slug for row in listed[-len(of_no_trainer) :]] == of_no_trainer
    assert [row.slug for row in listed if row.section] == of_no_trainer[:1]
    assert sorted(row.slug for row in listed) == sorted(OFFERED)
    app = take_row(open_app(), "tie_break", "longest")
    assert app.session_state["tie_break"] == "longest"


def test_a_list_hears_of_a_question_that_the_whole_page_ran_over() -> None:
    """That run knows no answer. What it sends must differ, or the browser would not ask again."""
    app = send_event(open_app(), "tie_break_list", "asked", '{"number": 3, "step": 0}')
    shown = sent(app, "tie_break_list")
    assert (shown["heard"], shown["answers"], shown["contents"]) == (3, 0, None)


def test_a_closed_menu_has_computed_nothing() -> None:
    before = len(tie_menu._CONTENTS._results)
    app = run(open_app())
    assert component_id(app, "tie_break_list")
    assert len(tie_menu._CONTENTS._results) == before


def test_the_button_leads_to_a_comparison_of_the_rules_that_differ() -> None:
    three, toy = ["first", "last", "random"], {"corpus_sample": "low-lower-newest-widest"}
    app = open_app(toy)
    app.session_state[tie_menu._DIFFERING.key] = three
    send_event(app, "tie_break_list", "acted", "true")
    assert app.session_state["lanes"] == three
    assert open_page("compare", toy).session_state["lanes"] != three
