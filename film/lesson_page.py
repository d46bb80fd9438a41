"""The film of a lesson: its beats with their stages as one HTML file that plays in any browser, without any request.

A stage is the grid of a training, of an encoding or of two trainings, or a picture without a grid: a pattern, a curve,
rows of tokens, bytes, the table of models, or every way to break the ties. The hash of the address sets the beat:
`#beat=3`, or `#step=12`.

Beats on the training's grid offer it on the viewer's own words, as other films do.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from film.feed import Feed
from film.html_page import Site
from film.live import Recipe
from film.page import ALONE, OwnWords, field_text, own_part, page_of, site_data, style_of
from film.training_feed import Text

# What a film can put on its stage.
STAGES = ("grid", "encoding", "compare", "subject", "bytes", "models", "every-way")
PLAYER = "lesson_film/main.js"
# Style sheet in the film -> the component that it is from.
STYLES = {
    "token-grid": "token_grid",
    "pair-table": "pair_table",
    "picture": "picture",
    "subject": "subject",
    "aligned-rows": "aligned_rows",
    "models-table": "models_table",
    "every-way": "every_way",
    "lesson-film": "lesson_film",
}


def lesson_page(
    beats: Sequence[Mapping[str, Any]],
    stages: Sequence[Mapping[str, Any]],
    feeds: Sequence[Feed],
    text: Text,
    recipe: Recipe | None,
    *,
    title: str,
    start: int = 0,
    marker: str = "",
    lights: bool = True,
    note: str = "",
    site: Site = ALONE,
) -> str:
    """Return the film as an HTML file.

    beats, stages: as `film/browser/lesson_film/lesson.js` describes them. The first stage is the training's grid.
    text, recipe: the training's, which the viewer's own words begin with; None if a page cannot train in the same way.
    start: the beat to begin with, from 0.
    lights: whether the ids of the beats are those of the grids.
    """
    used = {stage["kind"] for stage in stages}
    needed = {
        "token-grid",
        "pair-table",
        "picture",
        "lesson-film",
        *(name for name, kind in _NEEDED.items() if kind in used),
    }
    data = {
        "title": title,
        "start": start,
        "note": note,
        "marker": marker,
        "lights": lights,
        "beats": list(beats),
        "stages": list(stages),
        "feeds": list(feeds),
        "site": site_data(site),
        "own": own_part(OwnWords(field_text(text)), PLAYER),
        "recipe": recipe,
        "styles": {name: style_of(STYLES[name]) for name in sorted(needed)},
    }
    return page_of(data, PLAYER, title, site)


_NEEDED = {"subject": "subject", "aligned-rows": "bytes", "models-table": "models", "every-way": "every-way"}
