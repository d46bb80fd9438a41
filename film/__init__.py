"""Film: data from which a browser plays a training or an encoding by itself, and the JavaScript that plays it.

The layer needs the core and `regex` only, so that a page of Streamlit, a notebook or a file on its own can show a film.

    feed = film.training_feed(bpe.train(text, merges=100), text)
    script = film.join_scripts(film.BROWSER / "token_grid" / "main.js")

Read `feed` first: it defines the data. Then read `training_feed` and `encoding_feed`, which make the two kinds of feed.
They use `windows` (which part of a long text is shown), `window_words`, `stages` (where a second stage begins),
`token_numbers`, `characters`, `packing` and `digests`. `choosers` adds who chose each merge, and `shades` the colours
of several lanes. `pair_rows` makes the pair table, and `modules` joins the files in `browser/`.

`page` puts everything into one HTML file, `lesson_page` a lesson with its stages, `site` and `embeds` put that on a
website and into slides, `notebook` shows it in a notebook, and `report` is the same for a comparison. `live` is what a
page needs to train by itself, and `own_words` what a film needs besides to train on its viewer's own words.
"""

from film.encoding_feed import EncodingWindow, encoding_feed, encoding_window
from film.feed import EncodingFeed, Feed, PairTable, TrainingFeed
from film.modules import BROWSER, ModuleError, join_scripts, join_styles
from film.page import Caption, Lane, film_page, lanes_page, notebook_frame
from film.pair_rows import CountedPair, counted_pairs, pair_table
from film.training_feed import training_feed

__all__ = [
    "BROWSER",
    "Caption",
    "CountedPair",
    "EncodingFeed",
    "EncodingWindow",
    "Feed",
    "Lane",
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
