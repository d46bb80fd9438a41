"""Conditions: which settings are shown, by the values of those before them."""

import bpe
from ui.sidebar.recipes.setting import Values

TRAIN, AS_PUBLISHED, FROM_FILE = "train", "published", "file"  # where the merges come from
REPLAY, GO_ON = "replay", "continue"  # what is done with a tokenizer from a file
ONE_STAGE, OWN_PATTERN = "one", "own"  # beside the slugs of SECOND_PATTERNS


def is_replay(values: Values) -> bool:
    """Return whether the merges are those of a tokenizer, published or from a file."""
    return values.get("recipe_source") in (AS_PUBLISHED, FROM_FILE)


def goes_on(values: Values) -> bool:
    """Return whether further merges are learned after those of a tokenizer."""
    return is_replay(values) and values.get("file_use") == GO_ON


def is_learning(values: Values) -> bool:
    """Return whether any merge is learned."""
    return not is_replay(values) or goes_on(values)


def has_second_stage(values: Values) -> bool:
    """Return whether superwords are chosen, in a training or after a file."""
    return values.get("second_stage", ONE_STAGE) != ONE_STAGE


def may_have_second_stage(values: Values) -> bool:
    """Return whether superwords are learned."""
    return is_learning(values) and has_second_stage(values)


def has_pattern(values: Values) -> bool:
    """Return whether the variant splits text with a pattern that the viewer types."""
    return bpe.VARIANTS[str(values["variant"])].configure is not None
