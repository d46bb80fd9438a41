"""Charts: plotly accepts every figure that the pages draw. The pages send them without plotly's own checks."""

from collections.abc import Iterator

import plotly.graph_objects as go
import pytest

import bpe
from bpe.analysis.ties import tie_map
from bpe.analysis.vocabulary import entries
from ui.compare import charts as compared
from ui.show import charts
from ui.show.charts import Figure
from ui.vocabulary import figures

TRACES = {
    "a training": bpe.train("low low lower newest newest widest 1e5 <b>", merges=12),
    "no merges": bpe.train("a", merges=3),
}


def drawn(trace: bpe.Trace, *, dark: bool) -> Iterator[Figure]:
    """Yield all figures of a trace, halfway through it."""
    step = len(trace.steps) // 2
    vocabulary = entries(trace, step)
    sizes = [trace.vocabulary_size(k) for k in range(len(trace.steps) + 1)]
    yield charts.curves(trace, step, dark=dark)
    yield figures.growth(trace, step, dark=dark)
    yield figures.lengths(vocabulary, trace.variant.unit, dark=dark)
    yield figures.frequencies(vocabulary, dark=dark)
    ratios = {"text": figures.ratios(9, trace.tokens_by_step())}
    yield figures.compression(ratios, sizes, step, dark=dark)
    yield compared.ties(tie_map(trace), dark=dark)


@pytest.mark.parametrize("name", TRACES)
@pytest.mark.parametrize("dark", [False, True])
def test_plotly_accepts_every_figure(name: str, dark: bool) -> None:
    for figure in drawn(TRACES[name], dark=dark):
        go.Figure(figure)  # raises ValueError, with the name of the property
        assert figure["layout"]["height"] > 0
