"""Presets: real trainers, each as the settings that reproduce it merge for merge.

fastBPE and YouTokenToMe have no preset. fastBPE merges the tied pair with the smallest ids, but numbers its characters
in the order of a hash map; YouTokenToMe merges the one on top of a stack. No rule reproduces that.
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
    about: str  # how it splits text, and which tied pair it merges
    source: str  # where the trainer is published
    checked: str  # the version it was compared with
    deviations: str  # everything in which the merges can differ; "" for nothing
    settings: Mapping[str, Any]  # keyword arguments of `bpe.train`
    stop: Literal["merges", "vocab_size"]  # the stop rule that its users choose
    brief: str = ""  # `about` in one short line
    # reads a file line by line, and other sources as whole texts: see the setting `lines`
    reads_lines: bool = False


_BY_LINES = (
    "The library's train(files) reads files line by line, and its train_from_iterator([text]) reads a text as a whole. "
    "So does this preset. With the setting lines=“ended”, it learns what train(files) learns."
)

_ROWS = (
    Preset(
        slug="paper",
        title="Paper (Sennrich et al. 2016)",
        brief="Characters and </w>; first occurrence.",
        about=(
            "Splits at white space and ends each word with </w>. Ties go to the pair that appears first in the text."
        ),
        source=(
            "Sennrich, Haddow, Birch: Neural Machine Translation of Rare Words with Subword Units, 2016, "
            "algorithm 1"
        ),
        checked="an article's listing of the algorithm, run as published",
        deviations=(
            "The paper's Figure 1 learns r·, lo, low and er· from low, lowest, newer and wider. This preset gives lo, "
            "low, er and er</w>, and no other rule of the menu gives the figure either, except a lucky draw. The "
            "paper's listing broke ties by the order of a hash table; only since Python 3.7 is that the first pair."
        ),
        settings={"variant": "char-eow", "tie_break": "first"},
        stop="merges",
    ),
    Preset(
        slug="subword-nmt",
        title="subword-nmt",
        brief="</w> marks; last in dictionary order.",
        about=(
            "Splits lines at spaces and marks the last character of a word with </w>. Ties go to the last pair in "
            "dictionary order. Stops when no pair occurs twice."
        ),
        source="rsennrich/subword-nmt, learn_bpe.py",
        checked="subword-nmt 0.3.8",
        deviations="If the text itself spells out the marker, the library reads those characters as its marker.",
        settings={"variant": "char-eow-lines", "tie_break": "pair-max", "min_count": 2},
        stop="merges",
    ),
    Preset(
        slug="hf-bytelevel",
        title="Hugging Face, byte level (GPT-2)",
        brief="GPT-2's pattern and bytes; smallest ids.",
        about=(
            "GPT-2's pattern, then bytes. Ties go to the smallest ids, with bytes in the order of "
            "GPT-2's remapped characters. Stops when no pair occurs twice."
        ),
        source="huggingface/tokenizers, ByteLevelBPETokenizer",
        checked="tokenizers 0.23.3",
        deviations=_BY_LINES,
        settings={"variant": "bytes-gpt2", "tie_break": "ids-min", "alphabet": "gpt2-bytes", "min_count": 2},
        reads_lines=True,
        stop="vocab_size",
    ),
    Preset(
        slug="hf-metaspace",
        title="Hugging Face, metaspace",
        brief="Characters, ▁ for spaces; smallest ids.",
        about=(
            "Applies NFKC and writes ▁ for every space and in front of the text. Ties go to the smallest ids, with "
            "characters in code point order. Stops when no pair occurs twice."
        ),
        source="huggingface/tokenizers, SentencePieceBPETokenizer",
        checked="tokenizers 0.23.3",
        deviations=(
            "The library keeps only its 1,000 most frequent characters unless limit_alphabet is raised, reads a "
            f"typed ▁ as its marker and a typed <unk> as that token, and has its own Unicode tables for NFKC. "
            f"{_BY_LINES}"
        ),
        reads_lines=True,
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
        brief="Characters with </w>; smallest ids.",
        about=(
            "Splits at white space and marks the last character of a word with </w>. Ties go to the smallest ids, "
            "with marked characters after plain ones. Stops when no pair occurs twice."
        ),
        source="huggingface/tokenizers, CharBPETokenizer(bert_normalizer=False, split_on_whitespace_only=True)",
        checked="tokenizers 0.23.3",
        deviations=(
            "The library numbers the marked characters by a random hash, so two runs of it differ; we use code point "
            "order. It does not split at U+001C to U+001F, and it reads a typed <unk> as that token."
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
        brief="Characters, ▁ for spaces; shortest token.",
        about=(
            "Reads line by line and writes ▁ for every space and in front. Ties go to the shortest token. No token "
            "mixes scripts or is longer than 16 characters."
        ),
        source="google/sentencepiece, bpe_model_trainer.cc",
        checked="sentencepiece 0.2.3, identity normalization, character coverage 0.98 to 1",
        deviations=(
            "When pairs run out, the library goes on with pieces that occur 0 times; we stop. Its ids put merges "
            "before characters. It reads a typed ▁ as its marker, drops lines that contain ▅, never merges U+0000 or "
            "U+001F, and drops extra blanks when encoding."
        ),
        settings={
            "variant": "char-metaspace",
            "tie_break": "shortest",
            "lines": "bare",
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
        brief="The whole text as bytes; first occurrence.",
        about="Reads the whole text as one run of bytes. Ties go to the pair that appears first in the text.",
        source="karpathy/minbpe, BasicTokenizer",
        checked="minbpe at commit 1acefe8",
        deviations="The library raises an error when pairs run out; we stop.",
        settings={"variant": "bytes", "tie_break": "first"},
        stop="merges",
    ),
    Preset(
        slug="minbpe-regex",
        title="minbpe, GPT-4 pattern",
        brief="GPT-4's pattern, bytes; first occurrence.",
        about="GPT-4's pattern, then bytes. Ties go to the pair that appears first in the text.",
        source="karpathy/minbpe, RegexTokenizer",
        checked="minbpe at commit 1acefe8",
        deviations="The library raises an error when pairs run out; we stop.",
        settings={"variant": "bytes-gpt4", "tie_break": "first"},
        stop="merges",
    ),
    Preset(
        slug="tiktoken-educational",
        title="tiktoken, educational code",
        brief="GPT-2's pattern, bytes; first occurrence.",
        about="GPT-2's pattern, then bytes. Ties go to the pair that appears first in the text.",
        source="openai/tiktoken, tiktoken/_educational.py, bpe_train",
        checked="tiktoken 0.14.0",
        deviations="The library raises an error when pairs run out; we stop.",
        settings={"variant": "bytes-gpt2", "tie_break": "first"},
        stop="merges",
    ),
    Preset(
        slug="rustbpe",
        title="rustbpe",
        brief="GPT-4's pattern and bytes; smallest ids.",
        about="GPT-4's pattern, then bytes. Ties go to the smallest ids, with bytes by value.",
        source="karpathy/rustbpe",
        checked="rustbpe 0.1.0, by token bytes: it does not show its pairs",
        deviations="",
        settings={"variant": "bytes-gpt4", "tie_break": "ids-min"},
        stop="merges",
    ),
    Preset(
        slug="boundless-bpe",
        title="BoundlessBPE, its plain BPE",
        brief="GPT-2's pattern; overlaps counted once.",
        about=(
            "GPT-2's pattern, then bytes. Overlapping pairs count once: aaaa has the pair a + a twice. Ties go to the "
            "first pair in dictionary order."
        ),
        source="kensho-technologies/boundlessbpe, bpetrain.py, with GPT2_SPLIT_PATTERN and method count",
        checked="boundlessbpe at commit 9c7ef2e",
        deviations=(
            "This is the plain BPE that BoundlessBPE is compared with, without its superwords and deletions. The "
            "code's own script splits with another pattern, GPT-4o's. The code fails on fewer than ten different "
            "pre-tokens, and when two merges make the same token; we go on. It begins with the 243 bytes that UTF-8 "
            "uses, we with all 256: for the same merges, its vocabulary is 13 tokens smaller and its ids differ."
        ),
        settings={"variant": "bytes-gpt2", "tie_break": "pair-min", "overlaps": "skip"},
        stop="vocab_size",
    ),
    Preset(
        slug="cs336",
        title="Stanford CS336, assignment 1",
        brief="GPT-2's pattern; last in dictionary order.",
        about=(
            "Splits the text at <|endoftext|>, then with GPT-2's pattern, then into bytes. Ties go to the last pair in "
            "dictionary order."
        ),
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
        brief="Words as bytes; greatest internal name.",
        about="Splits at white space, then into bytes. Ties go to the greatest pair of the code's internal names.",
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
        brief="Characters and _; smallest ids.",
        about=(
            "Splits at white space and ends each word with _. Ties go to the smallest ids, with characters in order of "
            "appearance."
        ),
        source="Byte Pair Encoding (BPE), lecture notes, the worked example",
        checked="the worked example, by hand",
        deviations="The printed notes go on to merges that their own rule does not give.",
        settings={"variant": "char-underscore", "tie_break": "ids-min", "alphabet": "appearance"},
        stop="merges",
    ),
)

PRESETS: Mapping[str, Preset] = MappingProxyType({row.slug: row for row in _ROWS})
