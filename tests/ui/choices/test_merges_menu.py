"""The menu Merges: what the text has become along a slider of numbers of merges, from the training itself."""

import time

import bpe
from bpe import Trace
from tests.app import open_app, row_titles, take_row
from ui.choices.merges_menu import _LEAST, _MOST_POINTS, _contents_of, numbers
from ui.trainings.corpus import from_sample
from ui.trainings.settings import MOST_MERGES
from ui.view.choice_list import Curve


def curve_of(trace: Trace, chosen: int) -> Curve:
    curve = _contents_of(trace, chosen).curve
    assert curve is not None
    return curve


def test_the_numbers_are_around_the_chosen_one_and_within_the_limit() -> None:
    for chosen in (0, 1, 7, 12, 200, 4_321, MOST_MERGES):
        offered = numbers(chosen)
        assert chosen in offered
        assert offered == sorted(set(offered))
        assert len(offered) <= 8
        assert 0 <= offered[0] <= offered[-1] <= MOST_MERGES


def test_each_point_of_a_curve_is_what_a_training_of_so_many_merges_gives() -> None:
    text = from_sample("story").training_text
    trace = bpe.train(text, "bytes-gpt2", merges=50)
    curve = curve_of(trace, 50)
    assert (curve.stride, curve.ends) == (1, None)
    assert curve.top > 50  # and nobody knows yet what comes after 50
    assert {len(values) for values in curve.curves.values()} == {51}
    for number in (0, 5, 20, 50):
        alone = bpe.train(text, "bytes-gpt2", merges=number)
        assert {name: values[number] for name, values in curve.curves.items()} == {
            "tokens": alone.tokens_total(number),
            "vocabulary": len(alone.vocabulary(number)),
            "ties": sum(step.tied > 1 for step in alone.steps),
        }
    assert curve.now == {name: values[50] for name, values in curve.curves.items()}


def test_a_long_curve_has_few_points_and_takes_60_milliseconds_of_the_server() -> None:
    trace = bpe.train(from_sample("story").training_text, "bytes-gpt2", merges=1_003)
    begun = time.thread_time()
    curve = curve_of(trace, 1_003)
    assert time.thread_time() - begun < 0.06
    assert {len(values) for values in curve.curves.values()} == {1_003 // curve.stride + 1}
    assert curve.top <= _MOST_POINTS * curve.stride
    assert curve.curves["tokens"][3] == trace.tokens_total(3 * curve.stride)
    assert curve.now["tokens"] == trace.tokens_total(1_003)  # which is between two points


def test_a_training_that_runs_out_of_pairs_says_where() -> None:
    curve = curve_of(bpe.train("ab ab", "bytes-whitespace", merges=9), 9)
    assert (curve.ends, curve.top, curve.now["tokens"]) == (1, 1, 2)
    curve = curve_of(bpe.train("abc", "bytes-whitespace", merges=0), 0)
    assert (curve.ends, curve.top) == (None, _LEAST)


def test_a_row_or_a_place_on_the_slider_sets_the_number_of_merges() -> None:
    app = open_app()
    assert row_titles(app, "merges") == [f"{n} merge{'s' * (n != 1)}" for n in numbers(12)]
    take_row(app, "merges", "5")
    assert app.number_input(key="merges").value == 5
    assert app.query_params["merges"] == "5"
    take_row(app, "merges", "7")  # which no row offers
    assert app.number_input(key="merges").value == 7
    for forged in ("7.5", "-1", "9" * 30, "x", "٣"):
        take_row(app, "merges", forged)
        assert app.number_input(key="merges").value == 7
