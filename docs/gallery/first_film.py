"""The film on the gallery's first page: an example with a tie, and the field in which visitors type their own words."""

import bpe
from film.live import live_recipe
from film.page import FilmLane, FilmParts, OwnWords, film_parts
from film.training_feed import training_feed

EXAMPLE = "the cat sat on the mat with the hat"  # its first merge is a tie of three pairs
MERGES = 100  # at most; the example has fewer


def first_film() -> FilmParts:
    """Return the film."""
    trace = bpe.train(EXAMPLE, "char-eow", merges=MERGES)
    lane = FilmLane(training_feed(trace, EXAMPLE), recipe=live_recipe(trace))
    return film_parts([lane], own=OwnWords(EXAMPLE, opens=True))
