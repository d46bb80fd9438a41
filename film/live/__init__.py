"""A living film: what a page needs to train by itself, as `film/browser/trainer/` reads it.

`settings` writes the rows of the registries, with Python's sentences and limits, and a trace's settings as a recipe.
`js_pattern` writes patterns for JavaScript, and `character_table` the classes of all characters.
"""

from film.live.settings import Live, Recipe, live_recipe, live_settings

__all__ = ["Live", "Recipe", "live_recipe", "live_settings"]
