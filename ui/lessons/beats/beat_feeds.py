"""The feeds of a beat's grids: the lesson's training, another one beside it, and the encoding of a new text."""

import bpe
from bpe import Trace
from film.encoding_feed import encoding_feed, encoding_window
from film.feed import EncodingFeed, TrainingFeed
from film.packing import packed
from film.training_feed import training_feed
from ui.lessons import Beat, Lesson
from ui.sidebar.recipes.recipe import Recipe

WHOLE = 20_000  # characters: more than any lesson's text has, so that no grid shows a part of it


def own_feed(lesson: Lesson, trace: Trace) -> TrainingFeed:
    """Return the feed of a lesson's training."""
    return training_feed(trace, lesson.corpus.training_text, size=WHOLE)


def feed_beside(recipe: Recipe, lesson: Lesson, trace: Trace) -> TrainingFeed:
    """Return the feed of another recipe on the lesson's corpus. Equal tokens have the colours of the first grid."""
    other = bpe.train(lesson.corpus.training_text, **recipe.settings)
    own = len(trace.special_tokens) + len(trace.symbols)
    shades = [0] * len(other.special_tokens)
    number_of = {symbol: trace.id_of(symbol) for symbol in trace.symbols}
    shades += [number_of.setdefault(symbol, own + len(number_of)) for symbol in other.symbols]
    return {**training_feed(other, lesson.corpus.training_text, size=WHOLE), "shades": packed(shades)}


def feed_of_encoding(lesson: Lesson, trace: Trace, beat: Beat) -> EncodingFeed:
    """Return the feed of a beat's new text."""
    tokenizer = lesson.tokenizer(trace, beat.step)
    window = encoding_window(beat.encode, tokenizer)
    return encoding_feed(tokenizer, window, lesson.encoder_of(beat))[0]
