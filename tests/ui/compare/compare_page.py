"""The page Compare for its tests."""

from streamlit.testing.v1 import AppTest

import bpe
from bpe.comparison.evidence import Evidence, evidence
from bpe.comparison.held_out import EXAMPLE, HeldOutText
from tests import ROOT
from tests.app import LONGEST_RUN
from ui.gaps.first_frame import DRAWS_AT_ONCE
from ui.page_parts.compare import lanes
from ui.page_parts.compare.comparison import PageComparison
from ui.trainings import corpus as corpora
from ui.trainings.recipe import Recipe
from ui.trainings.settings import FREE

SCRIPT = f"""
import runpy
from ui.choices import choices
from ui.choices import link

choices.draw()
link.show_warnings()
runpy.run_path({str(ROOT / "pages" / "compare.py")!r})
"""  # like app.py, with the page chosen


def page(**link: str) -> AppTest:
    app = AppTest.from_string(SCRIPT, default_timeout=LONGEST_RUN)
    app.session_state[DRAWS_AT_ONCE.key] = True
    for key, value in link.items():
        app.query_params[key] = value
    return app.run()


# Comparisons of small texts, for tests.

WORDS = "low 5\nlower 2\nnewest 6\nwidest 3"
SAMPLE = corpora.from_sample("ties").documents
SHARED = Recipe(FREE, "char-eow", "first", 12)


def compare(
    *slugs: str, text: str = "", sample: str = "", shared: Recipe = SHARED, test_text: str = ""
) -> PageComparison:
    corpus = corpora.from_text(text) if text else corpora.from_words(WORDS)
    if sample:
        corpus = corpora.from_sample(sample)
    chosen = [lanes.read_lane(slug, shared) for slug in slugs]
    traces = [bpe.train(corpus.training_text, **lane.recipe.settings) for lane in chosen]
    held_out = HeldOutText("the text", (test_text or EXAMPLE,))
    return PageComparison(tuple(chosen), tuple(traces), corpus.training_text, held_out, "name", corpus)


def on_the_story(*slugs: str, variant: str = "bytes-gpt2", merges: int = 150) -> PageComparison:
    return compare(
        *slugs,
        sample="story",
        shared=Recipe(FREE, variant, "first", merges),
        test_text=SAMPLE[0],
    )


def measured(comparison: PageComparison) -> Evidence:
    return evidence(comparison.traces, comparison.held_out.documents, comparison.corpus.training_text)
