"""Replays of a tokenizer from a file: saved as films and files, and stopped before their end."""

from tokenizers import Tokenizer

import bpe
from bpe.formats import FORMATS
from film.page import film_page
from tests.film.readers import data_of
from tests.material.trained_tokenizers import hugging_face
from tests.ui.sidebar.tokenizer_uploads import JSON, MORE, TEXT
from ui.saving import refusals
from ui.sidebar import tokenizer_files
from ui.sidebar.corpus import from_text
from ui.sidebar.recipe import Recipe
from ui.trainings.running_training import RunningTraining, replay


def test_a_replay_can_be_saved_as_a_film_and_exported() -> None:
    file = tokenizer_files.open_files([("my.json", JSON)], "guess")
    trace = bpe.replay(TEXT, file.tokenizer)
    feed = data_of(film_page(trace, TEXT))["lanes"][0]["feed"]
    assert feed["replay"]["merges"] == len(file.tokenizer.merges)
    assert feed["rule"] == ""
    exported = FORMATS["tokenizer-json"].export(trace, len(trace.steps))
    assert Tokenizer.from_str(exported).encode(TEXT).ids == hugging_face(MORE).encode(TEXT).ids
    reasons = refusals(trace, 1)
    assert reasons["tokenizer-json"] is None
    assert "</w>" in str(reasons["subword-nmt"])
    assert refusals(trace, 1) is reasons
    assert refusals(trace, 0) is not reasons


def test_a_replay_shows_its_progress_and_can_be_stopped() -> None:
    file = tokenizer_files.open_files([("my.json", JSON)], "guess")
    training = RunningTraining(
        "a replay",
        from_text(TEXT),
        Recipe.of({"preset": "none", "variant": "bytes", "tie_break": "first", "merges": 3}),
    )
    training.begin, training.listed = replay(file.tokenizer), len(file.tokenizer.merges)
    training.job.look()
    training.job.stop()
    training._learn()
    assert training.trace is None
    assert training.so_far
    assert training.so_far.replayed
    first = training.so_far.steps[0].list_rank
    assert first is not None
    assert training.learned == first + 1
