"""Film: data from which a browser plays a training or an encoding by itself, and the JavaScript that plays it.

The layer needs the core and `rjsmin` only, so that a page of Streamlit, a notebook or a file on its own can show a
film.

    feed = film.training_feed(bpe.train(text, merges=100), text)
    script = film.join_scripts(film.BROWSER / "token_grid" / "main.js")

Read `feed` first: it defines the data. Then read `training_feed`, and `page` for the HTML file that holds a film.
"""

from film.encoding_feed import EncodingWindow, encoding_feed, encoding_window
from film.feed import EncodingFeed, Feed, TrainingFeed
from film.modules import BROWSER, ModuleError, join_scripts, join_styles
from film.page import FilmLane, FilmOptions, film_page, lanes_page, notebook_frame
from film.pair_rows import CountedPair, PairTable, counted_pairs, pair_table
from film.training_feed import training_feed

__all__ = [
    "BROWSER",
    "CountedPair",
    "EncodingFeed",
    "EncodingWindow",
    "Feed",
    "FilmLane",
    "FilmOptions",
    "ModuleError",
    "PairTable",
    "TrainingFeed",
    "counted_pairs",
    "encoding_feed",
    "encoding_window",
    "film_page",
    "join_scripts",
    "join_styles",
    "lanes_page",
    "notebook_frame",
    "pair_table",
    "training_feed",
]
