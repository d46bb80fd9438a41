"""Presets: real trainers, each as the settings that reproduce it merge for merge.

fastBPE and YouTokenToMe have no preset: they break ties by the order of a hash map or of a stack, which no rule
reproduces.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Preset:
    """One real trainer."""

    slug: str
    title: str
    about: str  # one sentence: how it splits text, and which tied pair it merges
    source: str  # where the trainer is published
    checked: str  # the version it was compared with
    deviations: str  # everything in which the merges can differ, in one sentence; "" for nothing
    settings: Mapping[str, Any]  # keyword arguments of `bpe.train`
    stop: Literal["merges", "vocab_size"]  # the stop rule that its users choose


_MARKERS = "A text that spells out the marker differs: the library takes those characters for its marker."

_ROWS = (
    Preset(
        slug="paper",
        title="Paper (Sennrich et al. 2016)",
        about=(
            "Words between white space, spelled in characters and closed by </w>; the tied pair that "
            "occurs first wins."
        ),
        source=(
            "Sennrich, Haddow, Birch: Neural Machine Translation of Rare Words with Subword Units, 2016, "
            "algorithm 1"
        ),
        checked="an article's listing of the algorithm, run as published",
        deviations="",
        settings={"variant": "char-eow", "tie_break": "first"},
        stop="merges",
    ),
    Preset(
        slug="subword-nmt",
        title="subword-nmt",
        about=(
            "Lines cut at spaces, the last character of a word marked </w>; the greatest tied pair wins; "
            "rarer than 2 stops."
        ),
        source="rsennrich/subword-nmt, learn_bpe.py",
        checked="subword-nmt 0.3.8",
        deviations=_MARKERS,
        settings={"variant": "char-eow-lines", "tie_break": "pair-max", "min_count": 2},
        stop="merges",
    ),
    Preset(
        slug="hf-bytelevel",
        title="Hugging Face, byte level (GPT-2)",
        about=(
            "GPT-2's pattern and bytes; the tied pair with the smallest ids wins, bytes in the order of "
            "GPT-2's remapped characters."
        ),
        source="huggingface/tokenizers, ByteLevelBPETokenizer",
        checked="tokenizers 0.23.3",
        deviations="",
        settings={"variant": "bytes-gpt2", "tie_break": "ids-min", "alphabet": "gpt2-bytes", "min_count": 2},
        stop="vocab_size",
    ),
    Preset(
        slug="hf-metaspace",
        title="Hugging Face, metaspace",
        about=(
            "NFKC, then ▁ for every space and in front; the tied pair with the smallest ids wins, "
            "characters by code point."
        ),
        source="huggingface/tokenizers, SentencePieceBPETokenizer",
        checked="tokenizers 0.23.3",
        deviations=(
            "The library keeps only its 1,000 most frequent characters unless limit_alphabet is raised, reads a "
            "typed ▁ as its marker and a typed <unk> as that token, and has its own Unicode tables for NFKC."
        ),
        settings={
            "variant": "char-metaspace",
            "tie_break": "ids-min",
            "alphabet": "spelling",
            "min_count": 2,
            "normalization": "NFKC",
            "special_tokens": ("<unk>",),
            "unknown_token": "<unk>",
        },
        stop="vocab_size",
    ),
    Preset(
        slug="hf-char",
        title="Hugging Face, characters",
        about=(
            "Words between white space, the last character marked </w>; the tied pair with the smallest "
            "ids wins, marked characters after plain ones."
        ),
        source="huggingface/tokenizers, CharBPETokenizer(bert_normalizer=False, split_on_whitespace_only=True)",
        checked="tokenizers 0.23.3",
        deviations=(
            "The library numbers the marked characters by a random hash, so two runs of it differ (here they go by "
            "code point), does not cut at U+001C to U+001F, and reads a typed <unk> as that token."
        ),
        settings={
            "variant": "char-eow-attached",
            "tie_break": "ids-min",
            "alphabet": "unmarked-first",
            "min_count": 2,
            "special_tokens": ("<unk>",),
            "unknown_token": "<unk>",
        },
        stop="vocab_size",
    ),
    Preset(
        slug="sentencepiece",
        title="SentencePiece",
        about=(
            "Line by line, ▁ for every space and in front; the shortest tied token wins; no piece mixes "
            "scripts or is longer than 16 characters."
        ),
        source="google/sentencepiece, bpe_model_trainer.cc",
        checked="sentencepiece 0.2.3, identity normalization, character coverage 1.0",
        deviations=(
            "The library goes on adding pieces that occur 0 times when pairs run out, and we stop; its ids put merges "
            "before characters; it reads a typed ▁ as its marker, drops lines that hold ▅, never merges U+0000 or "
            "U+001F, drops extra blanks when encoding, and knows scripts by its own Unicode tables."
        ),
        settings={
            "variant": "char-metaspace",
            "tie_break": "shortest",
            "lines": True,
            "word_order": "frequency",
            "pieces": "sentencepiece",
            "special_tokens": ("<unk>", "<s>", "</s>"),
            "unknown_token": "<unk>",
        },
        stop="vocab_size",
    ),
    Preset(
        slug="minbpe-basic",
        title="minbpe, basic",
        about="The whole text as one run of bytes; the tied pair that occurs first wins.",
        source="karpathy/minbpe, BasicTokenizer",
        checked="minbpe at commit 1acefe8",
        deviations="The library raises an error when pairs run out; we stop.",
        settings={"variant": "bytes", "tie_break": "first"},
        stop="merges",
    ),
    Preset(
        slug="minbpe-regex",
        title="minbpe, GPT-4 pattern",
        about="GPT-4's pattern and bytes; the tied pair that occurs first wins.",
        source="karpathy/minbpe, RegexTokenizer",
        checked="minbpe at commit 1acefe8",
        deviations="The library raises an error when pairs run out; we stop.",
        settings={"variant": "bytes-gpt4", "tie_break": "first"},
        stop="merges",
    ),
    Preset(
        slug="tiktoken-educational",
        title="tiktoken, educational code",
        about="GPT-2's pattern and bytes; the tied pair that occurs first wins.",
        source="openai/tiktoken, tiktoken/_educational.py, bpe_train",
        checked="tiktoken 0.14.0",
        deviations="The library raises an error when pairs run out; we stop.",
        settings={"variant": "bytes-gpt2", "tie_break": "first"},
        stop="merges",
    ),
    Preset(
        slug="rustbpe",
        title="rustbpe",
        about="GPT-4's pattern and bytes; the tied pair with the smallest ids wins, bytes by value.",
        source="karpathy/rustbpe",
        checked="rustbpe 0.1.0, by token bytes: it does not show its pairs",
        deviations="",
        settings={"variant": "bytes-gpt4", "tie_break": "ids-min"},
        stop="merges",
    ),
    Preset(
        slug="cs336",
        title="Stanford CS336, assignment 1",
        about="Text cut at <|endoftext|>, then GPT-2's pattern and bytes; the greatest tied pair of byte strings wins.",
        source="stanford-cs336/assignment1-basics, the handout and its test fixture",
        checked="the fixture at commit 25a8a49",
        deviations="",
        settings={
            "variant": "bytes-gpt2",
            "tie_break": "pair-max",
            "special_tokens": ("<|endoftext|>",),
            "cut_special_tokens": True,
        },
        stop="vocab_size",
    ),
    Preset(
        slug="cs336-notes",
        title="CS336 study notes",
        about="Words between white space as bytes; the greatest pair of the code's internal names wins.",
        source="Study Notes: Stanford CS336 Language Modeling from Scratch [2], the listing",
        checked="the listing, run with its indentation restored",
        deviations="",
        settings={
            "variant": "bytes-whitespace",
            "tie_break": "names-max",
            "special_tokens": ("<|endoftext|>",),
        },
        stop="merges",
    ),
    Preset(
        slug="lecture-notes",
        title="Lecture notes with _",
        about=(
            "Words between white space, closed by _; the tied pair with the smallest ids wins, "
            "characters in order of appearance."
        ),
        source="Byte Pair Encoding (BPE), lecture notes, the worked example",
        checked="the worked example, by hand",
        deviations="The printed notes go on to merges that their own rule does not give.",
        settings={"variant": "char-underscore", "tie_break": "ids-min", "alphabet": "appearance"},
        stop="merges",
    ),
)

PRESETS: Mapping[str, Preset] = MappingProxyType({row.slug: row for row in _ROWS})
