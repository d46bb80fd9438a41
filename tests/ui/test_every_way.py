"""The picture of every way on the pages: which trainings have a line, and what is there without a picture."""

import pytest
from streamlit.testing.v1 import AppTest

from bpe import BPEError
from bpe.analysis.tie_graph import tie_graph
from tests.app import open_app, open_page

PAPER = {"corpus_sample": "low-lower-newest-widest"}


def captions(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption)


def test_lanes_that_cut_other_words_have_no_line_and_the_page_says_so() -> None:
    app = open_page("compare", PAPER | {"lanes": "first~pair-max~hf-bytelevel"})
    assert "has no line here" in captions(app)


def test_lanes_that_differ_by_their_rule_alone_have_a_line_each() -> None:
    app = open_page("compare", PAPER | {"lanes": "first~pair-max"})
    assert "no line here" not in captions(app)


def test_where_all_ways_cannot_be_listed_the_page_says_why() -> None:
    with pytest.raises(BPEError) as problem:
        tie_graph("low lower", merges=3, second_pattern="lines", second_after=1)
    app = open_app({"corpus_sample": "story", "second_stage": "lines"})
    assert str(problem.value) in [info.value for info in app.info]
