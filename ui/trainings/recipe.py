"""Recipes: everything that decides a training besides the corpus, as slugs and bounded numbers that a link can hold."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import bpe
from bpe import BPEError, Trace
from bpe.text.display import counted, merge_name
from ui.trainings import tokenizer_files
from ui.trainings.corpus import Corpus
from ui.trainings.picks import Picks
from ui.trainings.settings import (
    FREE,
    GO_ON,
    LIKE,
    ONE_STAGE,
    OWN_PATTERN,
    SETTINGS,
    TRAIN,
    Number,
    Value,
    decided_by,
    half_of,
    of_part,
    preset_value,
)


@dataclass(frozen=True, slots=True)
class Recipe:
    """One way to train: a value for every row of SETTINGS, the merges picked by hand, or the file to replay instead.

    A row that some code reads by name has a field. The values of all other rows are in `more`.
    """

    preset: str
    variant: str
    tie_break: str
    merges: int
    vocab_size: int | None = None
    min_count: int | None = None
    seed: int = 0
    pattern: str = ""
    unit: str = "bytes"
    picks: Picks = ()
    recipe_source: str = TRAIN
    file: str = ""  # id of the tokenizer file whose merges are replayed; "" for a training
    more: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Recipe":
        """Return the recipe with these values, by key. All other settings have their defaults.

        Raises BPEError for a key that is no row of SETTINGS.

        >>> Recipe.of({"preset": "none", "variant": "bytes", "tie_break": "first", "merges": 3}).unit
        'bytes'
        """
        unknown = values.keys() - SETTINGS.keys() - _FIELDS
        if unknown:
            raise BPEError(f"A recipe must hold settings of SETTINGS only, got {', '.join(sorted(unknown))}.")
        named = {key: value for key, value in values.items() if key in _FIELDS}
        others = SETTINGS.keys() - _FIELDS
        more = tuple((key, value) for key, value in values.items() if key in others)
        return cls(**named, more=tuple(item for item in more if item[1] != SETTINGS[item[0]].default))

    @property
    def values(self) -> dict[str, Value]:
        """The value of every row of SETTINGS, by key."""
        more = dict(self.more)
        return {
            key: getattr(self, key) if key in _FIELDS else more.get(key, row.default)
            for key, row in SETTINGS.items()
        }

    def changed(self, **values: Any) -> "Recipe":
        """Return the recipe with other values for some keys."""
        return Recipe.of({**self.values, "picks": self.picks, "file": self.file, **values})

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments of `bpe.train`."""
        settings: dict[str, Any] = {} if self.preset == FREE else dict(bpe.PRESETS[self.preset].settings)
        values = self.values
        for row in of_part("words", "ties", "stop"):
            if row.is_chosen_freely(values) and values[row.key] is not None:
                settings[row.key] = values[row.key]
        if self._second_pattern is not None:
            after = values["second_after"]
            settings["second_pattern"] = self._second_pattern
            settings["second_after"] = half_of(values) if after is None else after
            settings |= self._second_words
        if self.picks:
            settings["picks"] = dict(self.picks)
        return settings

    @property
    def goes_on(self) -> bool:
        """Whether merges are learned with the tokenizer of a file: after its own, or in their place."""
        return bool(self.file) and self.values["file_use"] in (GO_ON, LIKE)

    @property
    def trains_like(self) -> bool:
        """Whether all merges are learned, and all else is that of the tokenizer of a file."""
        return bool(self.file) and self.values["file_use"] == LIKE

    @property
    def further_merges(self) -> int:
        """How many merges are learned with the tokenizer of a file."""
        return int(self.values["further_merges"] or 0) if self.goes_on else 0

    @property
    def further(self) -> dict[str, Any]:
        """The arguments of `bpe.continue_training`, or of `bpe.train_like`."""
        settings: dict[str, Any] = {
            "merges": self.further_merges,
            "tie_break": self.values["further_tie_break"],
        }
        if self._second_pattern is not None and not self.trains_like:
            settings["second_pattern"] = self._second_pattern
            settings |= self._second_words
        return settings

    @property
    def _second_words(self) -> dict[str, Any]:
        """The limit of words in a superword as an argument; empty if there is none."""
        most = self.values["second_words"]
        return {} if most is None else {"second_words": most}

    @property
    def _second_pattern(self) -> str | None:
        """The looser pattern of a second stage, or its slug; None if there is no second stage."""
        values = self.values
        slug = str(values["second_stage"])
        if slug == ONE_STAGE:
            return None
        return str(values["second_own"]) if slug == OWN_PATTERN else slug

    @property
    def trained(self) -> "Recipe":
        """The recipe for a training with the same settings."""
        if not self.file:
            return self.changed(recipe_source=TRAIN)
        return self.changed(recipe_source=TRAIN, file="", second_stage=ONE_STAGE)

    @property
    def without_end(self) -> "Recipe":
        """The same recipe without stop rules and picks."""
        least: dict[str, Any] = {
            row.key: row.kind.low if row.required and isinstance(row.kind, Number) else row.default
            for row in of_part("stop")
        }
        return self.changed(**least, picks=())

    @property
    def stop_rules(self) -> dict[str, Value]:
        """The values of the stop rules, by key; the preset's own if the viewer chose none."""
        values = self.values
        return {
            row.key: preset_value(self.preset, row.key) if values[row.key] is None else values[row.key]
            for row in of_part("stop")
        }

    def with_preset(self, preset: str) -> "Recipe":
        """Return a preset's recipe. Of this recipe it keeps only the stop rules that the viewer chose."""
        values = self.values
        return Recipe.of(
            {"preset": preset, **decided_by(preset), **{row.key: values[row.key] for row in of_part("stop")}}
        )

    @property
    def words(self) -> tuple[Value, ...]:
        """The values that decide how the text is split into words, and thus which pairs tie."""
        values = self.values
        return tuple(values[row.key] for row in of_part("words"))

    @property
    def title(self) -> str:
        """The preset's title, or the variant's and the rule's."""
        return self.titled(bpe.VARIANTS[self.variant].title)

    def titled(self, variant: str) -> str:
        """Return the title, with this one for the variant."""
        if self.file:
            known = tokenizer_files.find(self.file)
            name = known.title if known else "a file"
            if self.trains_like:
                return f"Like {name}"
            return f"{name}, continued" if self.goes_on else name
        if self.preset != FREE:
            return bpe.PRESETS[self.preset].title
        return f"{variant}, {bpe.TIE_BREAKS[self.tie_break].title.lower()}"


_FIELDS = frozenset(field.name for field in fields(Recipe)) - {"more"}


def signature(corpus: Corpus, recipe: Recipe) -> str:
    """Return a hash that identifies this training or replay. Neither text nor recipe can be recovered from it."""
    what = f"file {recipe.file}" if recipe.file else recipe
    if recipe.goes_on:
        what = f"{what} {recipe.values['file_use']} {recipe.further}"
    return hashlib.sha256(f"{corpus.digest} {what}".encode()).hexdigest()[:32]


def check_picks(recipe: Recipe, trace: Trace) -> None:
    """Raise BPEError if the training ended before a merge picked by hand, unless the number of merges ended it."""
    late = [rank for rank, _ in recipe.picks if rank >= len(trace.steps)]
    if late and trace.stopped != "merges":
        raise BPEError(
            f"You picked the pair for {merge_name(late[0])}, but this training ends after "
            f"{counted(len(trace.steps), 'merge')}: undo that pick."
        )
