"""A trace in a notebook: a frame with its film, safe, bounded, and absent without the package `film`."""

import subprocess
import sys
from pathlib import Path

import bpe
from film import page
from tests import ROOT
from tests.film.pages.film_reader import data_of
from tests.film.pages.test_page import HOSTILE, Elements
from tests.material.texts import source

WITHOUT_FILM = """
import sys

class NoFilm:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "film":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NoFilm())
import bpe
trace = bpe.train("low lower", merges=2)
print(trace._repr_html_(), repr(trace))
"""


def film_of(trace: bpe.Trace) -> str:
    """Return the page in the frame of a trace."""
    (attributes,) = Elements(trace._repr_html_() or "").attributes
    return attributes["srcdoc"] or ""


def test_a_trace_is_one_frame_that_reaches_nothing_and_holds_no_markup_of_the_text() -> None:
    trace = bpe.train(HOSTILE, merges=9)
    elements = Elements(trace._repr_html_() or "")
    assert elements.tags == ["iframe"]
    assert elements.attributes[0]["sandbox"] == "allow-scripts"
    assert Elements(film_of(trace)).tags == Elements(film_of(bpe.train("low", merges=1))).tags


def test_the_film_shows_every_distinct_word_with_its_frequency() -> None:
    feed = data_of(film_of(bpe.train("low low lower", merges=2)))["lanes"][0]["feed"]
    assert (feed["whole"], feed["rows"], feed["last"]) == (True, True, 2)


def test_a_large_corpus_shows_its_most_frequent_words_and_says_so() -> None:
    trace = bpe.train(source()[:5_000], merges=10)
    (attributes,) = Elements(page.trace_frame(trace, most_characters=100) or "").attributes
    note = data_of(attributes["srcdoc"] or "")["note"]
    assert note.endswith(f"most frequent of {len(trace.pre_tokens):,} distinct words.")


def test_a_film_too_large_for_a_notebook_is_left_out() -> None:
    trace = bpe.train("low", merges=1)
    assert page.trace_frame(trace, most_page=1_000) is None
    assert page.trace_frame(trace)


def test_without_the_films_a_trace_is_a_line_of_text() -> None:
    command = [sys.executable, "-c", WITHOUT_FILM]
    done = subprocess.run(command, cwd=Path(ROOT), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "None <Trace: 2 merges, char-eow, first, merges>"
