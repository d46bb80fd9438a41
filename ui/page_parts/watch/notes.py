"""The notes below Watch: why training ended, what the variant drops, and a warning if words are whole sentences."""

import re
from collections.abc import Sequence
from itertools import islice

import streamlit as st

import bpe
from bpe import Trace
from bpe.analysis.compression import ending
from bpe.text.display import counted, merge_name
from bpe.text.normalizing import NORMALIZATIONS, normalized
from bpe.text.superwords import spans_words
from ui.choices.choices import Choice
from ui.shown.token_count import TokenCount
from ui.view.origin import words_of
from ui.view.text import in_markdown, shortened

# Watch on a replay says how many tokens the tokenizer makes of this text. If the replay is not complete, or goes on
# learning, a line says whose merges apply, and how many the counts of the text would have chosen.


def draw_replay(trace: Trace, choice: Choice) -> None:
    """Draw the line. Nothing for a training, and where the number of tokens is known."""
    with st.container(
        key="watch_answer"
    ):  # always: the stage below would move to another place, and be drawn anew
        if choice.file and not token_count(trace, choice):
            st.caption(f"**{in_markdown(choice.file.name, 80)}**: {in_markdown(_sentence(trace), 600)}")


def token_count(trace: Trace, choice: Choice) -> TokenCount | None:
    """Return how many tokens the text has at the end of a replay: as many as the tokenizer makes of it.

    None for a training, and for a replay that is not complete or goes on learning.
    """
    file, corpus = choice.finished, choice.corpus
    if not file or trace.stopped == "cancelled":
        return None
    known = file.tokenizer.ids
    tokens = trace.token_counts(len(trace.steps))
    return TokenCount(
        file.short_name,
        sum(tokens.values()),
        corpus.characters,
        corpus.documents,
        sum(number for token, number in tokens.items() if token not in known),
    )


def _sentence(trace: Trace) -> str:
    """Return how many merges come from the tokenizer, how many of them the counts would choose, and what is learned."""
    origin = trace.origin
    listed, steps, learned = origin.listed, origin.applied, origin.learned
    if not listed and not learned:
        return "it has no merges."
    if not listed:
        return (
            f"{counted(learned, 'new merge')}, learned from this text. All else is this tokenizer's: how it changes "
            "and splits a text, its added tokens, and how it decodes."
        )
    return " ".join(filter(None, (_from_file(trace, listed, steps), _learned(trace, steps, learned))))


def _learned(trace: Trace, steps: int, learned: int) -> str:
    if not learned:
        return ""
    what = f"{counted(learned, 'further merge')} {'is' if learned == 1 else 'are'} learned from this text"
    text = f"From {merge_name(steps)} on, {what}."
    return text if trace.variant.first is None else f"{text} {_spanning(trace, steps)}"


def _spanning(trace: Trace, after: int) -> str:
    """Return how many merges of the second stage, from step `after` on, make a token that spans several words."""
    first = trace.variant.first
    assert first
    tokens = [left + right for left, right in trace.merges[after:]]
    across = sum(spans_words(token, first) for token in tokens)
    return f"{across:,} of {counted(len(tokens), 'new token')} {'spans' if across == 1 else 'span'} several words."


def _from_file(trace: Trace, listed: int, steps: int) -> str:
    if not steps:
        return f"none of its {counted(listed, 'merge')} applies to this text."
    apply = "applies" if steps == 1 else "apply"
    text = f"{steps:,} of its {counted(listed, 'merge')} {apply} to this text."
    if not trace.origin.is_complete:
        text = f"{steps:,} of its {counted(listed, 'merge')} {apply} to this text so far."
    elif steps < listed:
        text += " The others stay in its vocabulary and encode other texts."
    if trace.origin.reordered:
        text += f" {_reordered(trace.origin.reordered)}"
    chosen = sum(step.tied > 0 for step in trace.steps[:steps])
    return f"{text} Training on this text could have chosen {chosen:,} of these {steps:,} too."


def _reordered(number: int) -> str:
    """Return why so many steps come later than the list says."""
    what = "1 of them needs" if number == 1 else f"{number:,} of them need"
    return (
        f"{what} a token that a later merge of the list makes. In this tokenizer a rank only says which merge goes "
        "first where several fit. So such a merge is played after the one that it needs, and only where the tokenizer "
        "makes it."
    )


# Japanese, Chinese, Thai and Lao, Burmese, Khmer
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
# distinct words read to recognise the script, and of a word list to find what is lost
_MOST_LOOKED_AT = 2_000
_MOST_NORMALIZED = 100_000  # characters of each text that are normalized to find what is lost


def draw_nothing_to_watch(trace: Trace) -> None:
    """Say what to change if no merge was asked for. Nothing if there are merges, or no pair to merge."""
    if not trace.steps and trace.stopped == "merges":
        st.info("You asked for 0 merges, so nothing moves. Set Merges above to 1 or more.")


def draw_notes(trace: Trace, choice: Choice) -> None:
    """Draw the sentences that apply to this training, in one caption."""
    work = words_of(trace.origin).this_work
    notes = [_sentence(trace)] if choice.finished and trace.stopped != "cancelled" else []
    if trace.stopped != "merges":  # the limit that the viewer has chosen is on the page already
        notes.append(f"{work} has {counted(len(trace.steps), 'merge')}: {_ending(trace)}.")
    if trace.log.second_after is not None:
        after = trace.log.second_after
        notes.append(f"The second stage begins at {merge_name(after)}. {_spanning(trace, after)}")
    texts = choice.corpus.documents or list(islice(choice.corpus.frequencies or (), _MOST_LOOKED_AT))
    gaps = _gaps(trace, texts)
    if lost := _losses(trace, texts, gaps):
        notes.insert(0, f"From these tokens, decoding cannot restore everything. Lost: {lost}.")
    if choice.corpus.frequencies is not None:
        notes.append(_whole_words(trace))
    elif (trace.variant.first or trace.variant).pattern:
        notes.append(_coverage(gaps))
    if trace.variant.words_between_spaces and trace.variant.first is None and _mostly_unspaced(trace):
        notes.append(
            "White space does not separate words in this text, so a “word” here can be a whole phrase. "
            "Only a variant that reads the whole text as one word avoids this."
        )
    notes = [in_markdown(note, most=2000) for note in notes if note]
    for first, *more in [note.partition(". ") for note in notes]:
        st.caption(f"{first.rstrip('.')}.", help=more[1] or None)


def _gaps(trace: Trace, texts: Sequence[str]) -> list[str]:
    """Return the parts of the texts that a pattern leaves out. None for other variants."""
    variant = trace.variant.first or trace.variant
    if not variant.pattern or variant.lossless:
        return []
    return [gap for text in texts for _, gap in bpe.uncovered(variant, text)]


def _losses(trace: Trace, texts: Sequence[str], gaps: Sequence[str]) -> str:
    """Return what decoding cannot restore, in words; "" if nothing is known that it cannot.

    A pattern and a normalizer lose something only if they leave out, or change, a part of these texts.
    """
    variant, form = trace.variant, trace.request.normalization
    lost = [] if (variant.first or variant).pattern and not gaps else [variant.loses]
    if form and any(normalized(text, form) != text for text in texts):
        lost.append(f"what {NORMALIZATIONS[form].name} changed")
    change = trace.request.normalizer
    if change and not variant.loses:  # which speaks of the normalizer, too
        beginnings = [text[:_MOST_NORMALIZED] for text in texts]
        if any(change.apply(text, True) != text for text in beginnings):
            lost.append("what the tokenizer's normalizer changed")
    return "; and ".join(filter(None, lost))


def _whole_words(trace: Trace) -> str:
    """Return a sentence on the words of a word list that encoding splits, though each was trained whole; or ""."""
    split = trace.variant.split
    words = trace.pre_tokens[:_MOST_LOOKED_AT]
    divided = [word for word in words if split(word) not in ([word], [f" {word}"])]
    if not divided:
        return ""
    return (
        f"A word list is trained word by word. Encoding splits {counted(len(divided), 'word')} of it further, "
        f"starting with “{shortened(divided[0], 20)}”."
    )


def _ending(trace: Trace) -> str:
    if trace.origin.replays and trace.stopped == "cancelled":
        return "it was stopped"
    return ending(trace)


def _coverage(gaps: Sequence[str]) -> str:
    """Return a sentence on how much of the text the pattern does not match."""
    if not gaps:
        return "The pattern covers the whole text."
    characters = sum(map(len, gaps))
    return f"The pattern leaves out {counted(characters, 'character')}, starting with “{shortened(gaps[0], 20)}”."


def _mostly_unspaced(trace: Trace) -> bool:
    """Return whether most of the text's beginning is in a script that puts no space between words."""
    beginning = "".join(trace.pre_tokens[:_MOST_LOOKED_AT])
    return 2 * len(_UNSPACED.findall(beginning)) > len(beginning)
