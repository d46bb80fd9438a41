"""A film of merges that texts chose names the text of every merge."""

import bpe
from bpe.analysis.parity_aware import parity_aware
from film.packing import packed
from film.training_feed import training_feed, with_choosers


def test_every_merge_has_its_chooser() -> None:
    documents = {"en": "low low low", "de": "tief tief tief"}
    result = parity_aware(documents, merges=3)
    feed = training_feed(result.trace, list(documents.values()), picks=False)
    film = with_choosers(feed, [step.document for step in result.steps])
    assert film["replay"]["choosers"] == ["de", "en"]
    assert film["replay"]["chosen"] == packed([0, 1, 0])
    assert {key: value for key, value in film.items() if key != "replay"} == {
        key: value for key, value in feed.items() if key != "replay"
    }
    assert result.trace.merges == bpe.replay(list(documents.values()), result.trace.tokenizer()).merges
