"""Byte pair encoding with a trace: train, look at any step, encode, compare. Pure Python, needs only `regex`.

Reading order: `symbols` (the glossary), `training` (begins with the textbook algorithm), `text`, `settings`, `trace`,
`encoding`; then `analysis`, `comparison`, `exercises` and `formats` as needed. `pair_ids`, `checks`,
`checkpoints` and `remake` are small and used in many places. `__main__` starts the command line.
"""

import sys
from importlib import import_module

# `python -m bpe` loads this package before it runs `__main__`.
if sys.argv[:1] == ["-m"] and __name__ in sys.orig_argv:
    import_module(f"{__name__.removesuffix('bpe')}command_line.ctrl_c").end_at_once()

from bpe.analysis.tie_graph import TieGraph, tie_graph
from bpe.encoding.encode_steps import EncodeStep
from bpe.encoding.encoders import ENCODERS, Encoder
from bpe.encoding.tokenizer import Tokenizer
from bpe.settings.alphabets import ALPHABETS
from bpe.settings.presets import PRESETS, Preset
from bpe.settings.tie_breaking import TIE_BREAKS, TieBreak
from bpe.symbols import END_OF_WORD, START_OF_WORD, BPEError, Pair, Symbol, Word, count_pairs, merge_pair
from bpe.text.counting import count_words
from bpe.text.superwords import SECOND_PATTERNS, SecondPattern
from bpe.text.variants import VARIANTS, Variant, custom_variant, uncovered
from bpe.trace.merge_log import Step
from bpe.trace.trace import Trace
from bpe.training.replay import (
    continue_training,
    continue_training_steps,
    replay,
    replay_steps,
    train_like,
    train_like_steps,
)
from bpe.training.trainer import Training, train, train_steps

__version__ = "0.2.0"

__all__ = [
    "ALPHABETS",
    "ENCODERS",
    "END_OF_WORD",
    "PRESETS",
    "SECOND_PATTERNS",
    "START_OF_WORD",
    "TIE_BREAKS",
    "VARIANTS",
    "BPEError",
    "EncodeStep",
    "Encoder",
    "Pair",
    "Preset",
    "SecondPattern",
    "Step",
    "Symbol",
    "TieBreak",
    "TieGraph",
    "Tokenizer",
    "Trace",
    "Training",
    "Variant",
    "Word",
    "__version__",
    "continue_training",
    "continue_training_steps",
    "count_pairs",
    "count_words",
    "custom_variant",
    "merge_pair",
    "replay",
    "replay_steps",
    "tie_graph",
    "train",
    "train_like",
    "train_like_steps",
    "train_steps",
    "uncovered",
]
