"""Byte pair encoding, traced: train, see any step again, encode, compare. Pure Python, no framework.

Read in this order: symbols, variants, tie_breaking, layout, levels, training, log, trace; then presets, counting,
encoders, tokenizer, formats and metrics as needed.
"""

from bpe.alphabets import ALPHABETS
from bpe.counting import count_words
from bpe.encode_steps import EncodeStep
from bpe.encoders import ENCODERS, Encoder
from bpe.presets import PRESETS, Preset
from bpe.steps import Step
from bpe.symbols import END_OF_WORD, START_OF_WORD, BPEError, Pair, Symbol, Word, count_pairs, merge_pair
from bpe.tie_breaking import TIE_BREAKS, TieBreak
from bpe.tokenizer import Tokenizer
from bpe.trace import Trace
from bpe.training import Training, train, train_steps
from bpe.variants import VARIANTS, Variant, custom_variant, uncovered

__all__ = [
    "ALPHABETS",
    "ENCODERS",
    "END_OF_WORD",
    "PRESETS",
    "START_OF_WORD",
    "TIE_BREAKS",
    "VARIANTS",
    "BPEError",
    "EncodeStep",
    "Encoder",
    "Pair",
    "Preset",
    "Step",
    "Symbol",
    "TieBreak",
    "Tokenizer",
    "Trace",
    "Training",
    "Variant",
    "Word",
    "count_pairs",
    "count_words",
    "custom_variant",
    "merge_pair",
    "train",
    "train_steps",
    "uncovered",
]
