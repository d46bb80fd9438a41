"""The manifest of a report: the hashes of its texts, the versions of what ran, and every setting of every lane."""

import platform
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from inspect import Parameter, signature
from typing import Any

import regex

import bpe
from bpe import Trace
from bpe.comparison.intervals import CONFIDENCE
from bpe.settings.request import read_request
from film.report.comparison import ComparedLane, Comparison

Json = dict[str, Any]


def manifest(comparison: Comparison) -> Json:
    """Return all that is needed to repeat the comparison, as JSON. It names the texts and does not hold them."""
    evidence = comparison.evidence
    return {
        "made_with": versions(),
        "training_texts": [asdict(text) for text in comparison.training],
        "trained_characters": sum(text.characters for text in comparison.training)
        if comparison.trained_characters is None
        else comparison.trained_characters,
        "held_out_texts": [asdict(text) for text in comparison.held_out],
        "lanes": [_lane(lane) for lane in comparison.lanes],
        "note": comparison.note,
        "bootstrap": {
            "resamples": evidence.resamples,
            "seed": evidence.seed,
            "confidence": CONFIDENCE,
            "units": evidence.held_out.kind,
            "number_of_units": len(evidence.held_out.units),
        },
        "random_draws": None
        if evidence.luck is None
        else {
            "draws": evidence.luck.draws,
            "seeds": list(range(evidence.luck.draws)),
            "variant": evidence.luck.variant,
        },
    }


def versions() -> Json:
    """Return the versions on which results may depend."""
    return {
        "bpe": bpe.__version__,
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "unicode": unicodedata.unidata_version,  # of normalizations
        "regex": regex.__version__,  # decides how patterns split text: it has its own tables of Unicode
    }


def _lane(lane: ComparedLane) -> Json:
    trace = lane.trace
    return {
        "title": lane.title,
        "about": lane.about,
        "settings": {"variant": trace.variant.slug} if trace.replayed else all_settings(trace),
        "tokenizer_files": [asdict(file) for file in lane.files],
        "trained_on": "unknown: the merges come from a file" if trace.replayed else "the training texts",
        "merges": len(trace.steps),
        "stopped": trace.stopped,
    }


def all_settings(trace: Trace) -> Json:
    """Return every setting of a training, those at their default too.

    >>> settings = all_settings(bpe.train("low", merges=1))
    >>> settings["variant"], settings["merges"], settings["min_count"], settings["seed"]
    ('char-eow', 1, 1, 0)
    """
    parameters = signature(read_request).parameters.values()
    defaults = {row.name: row.default for row in parameters if row.default is not Parameter.empty}
    return {name: _plain(value) for name, value in (defaults | trace.settings).items()}


def _plain(value: object) -> object:
    """Return a setting as JSON holds it; bytes are written in hexadecimal."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return value
