"""The film of a lesson: its beats with their stages as one HTML file that plays in any browser, without any request.

A stage is the grid of a training, of an encoding or of two trainings, or a component without a grid, by its folder in
`film/browser`. The hash of the address sets the beat: `#beat=3`, or `#step=12`.

Beats on the training's grid offer it on the viewer's own words, as other films do.
"""

from collections.abc import Mapping
from typing import Any

from film.feed import EveryWay
from film.html_page import Site
from film.live import Recipe
from film.page import ALONE, OwnWords, field_text, own_part, page_of, site_data, style_of
from film.training_feed import ShownText

_PLAYER = "lesson_film/main.js"

# Style sheet in every film -> the component that it is from. A stage adds that of the component that fills it.
_STYLES = {
    "base": "base",
    "film": "film",
    "token-grid": "token_grid",
    "pair-table": "pair_table",
    "picture": "picture",
    "lesson": "lesson",
    "layout": "lesson_film",
}

# Stage without a grid -> the module that draws it. Films of lessons without such a stage do not have it. The picture of
# every way is also below the viewer's own words, if they begin with a text that has one.
DRAWN_BY = {
    "aligned_rows": "aligned_rows/rows.js",
    "code": "code/listing.js",
    "every_way": "every_way/picture.js",
    "models_table": "models_table/models.js",
    "subject": "subject/subject.js",
}


def lesson_page(
    lesson: Mapping[str, Any],
    text: ShownText,
    recipe: Recipe | None,
    way: EveryWay | None,
    *,
    start: int = 0,
    note: str = "",
    site: Site = ALONE,
    shares_script: bool = False,
) -> str:
    """Return the film as an HTML file.

    lesson: as `LessonData` in `film/browser/lesson/lesson.js`. The first stage is the training's grid.
    text, recipe: the training's, which the viewer's own words begin with; None if a page cannot train in the same way.
    way: every way to break its ties.
    start: the beat to begin with, from 0.
    shares_script: whether the script also draws the stages of other lessons, since their films are in the same page.
    """
    kinds = {stage["kind"] for stage in lesson["stages"] if stage["data"]} | ({"every_way"} if way else set())
    styles = _STYLES | {kind: kind for kind in kinds}
    if "every_way" in kinds:
        styles["every-way"] = "every_way"  # below the viewer's words
    drawn = DRAWN_BY.keys() if shares_script else kinds
    absent = frozenset(module for kind, module in DRAWN_BY.items() if kind not in drawn)
    data = {
        **lesson,
        "start": start,
        "note": note,
        "site": site_data(site),
        "own": own_part(OwnWords(field_text(text)), _PLAYER, absent),
        "recipe": recipe,
        "way": way,
        "styles": {name: style_of(folder) for name, folder in sorted(styles.items())},
    }
    return page_of(data, _PLAYER, absent, lesson["title"], site)
