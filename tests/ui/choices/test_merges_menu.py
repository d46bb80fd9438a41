"""The menu Merges: what the text has become after some numbers of merges, from the training itself."""

import time

import bpe
from tests.app import open_app, row_titles, take_row
from ui.choices.corpus import from_sample
from ui.choices.merges_menu import contents_of, numbers
from ui.choices.settings import MOST_MERGES


def test_the_numbers_are_around_the_chosen_one_and_within_the_limit() -> None:
    for chosen in (0, 1, 7, 12, 200, 4_321, MOST_MERGES):
        offered = numbers(chosen)
        assert chosen in offered
        assert offered == sorted(set(offered))
        assert len(offered) <= 8
        assert 0 <= offered[0] <= offered[-1] <= MOST_MERGES


def test_each_number_shows_what_a_training_of_so_many_merges_gives() -> None:
    text = from_sample("story").training_text
    trace = bpe.train(text, "bytes-gpt2", merges=50)
    begun = time.thread_time()
    figures = contents_of(trace, [5, 20, 50, 100]).figures
    assert time.thread_time() - begun < 0.06
    assert figures.keys() == {"5", "20", "50"}  # nobody knows yet what comes later
    for number in (5, 20, 50):
        alone = bpe.train(text, "bytes-gpt2", merges=number)
        ties = sum(step.tied > 1 for step in alone.steps)
        assert figures[str(number)] == (
            f"{alone.tokens_total(number):,} tokens · vocabulary {alone.vocabulary_size(number):,} · "
            f"{ties} {'tie' if ties == 1 else 'ties'}"
        )


def test_a_training_that_runs_out_of_pairs_says_where() -> None:
    trace = bpe.train("ab ab", "bytes-whitespace", merges=9)
    assert contents_of(trace, [1, 9]).figures["9"] == "ends after 1"


def test_a_row_sets_the_number_of_merges() -> None:
    app = open_app()
    assert row_titles(app, "merges") == [f"{n} merge{'s' * (n != 1)}" for n in numbers(12)]
    take_row(app, "merges", "5")
    assert app.number_input(key="merges").value == 5
    assert app.query_params["merges"] == "5"
    take_row(app, "merges", "7")  # which no row offers
    assert app.number_input(key="merges").value == 5
