"""What fills the stage of a beat that is not about a grid: a pattern, a curve, rows of tokens, one word."""

from typing import Any

from bpe.text.display import counted
from ui.lessons.beats.beat_content import BeatContent
from ui.lessons.beats.boxes import BOXES, Box

# Stage -> how the browser draws it.
KINDS = {"pattern": "pattern", "curve": "curve", "table": "rows", "runs": "rows", "word": "word"}


def subject_of(content: BeatContent) -> dict[str, Any]:
    """Return what fills the stage of a beat."""
    stage = content.beat.stage
    box = word_box(content) if stage == "word" else BOXES[stage](content)
    return {**box, "kind": KINDS[stage], "waits": content.beat.waits}


def word_box(content: BeatContent) -> Box:
    """Return the beat's word in its tokens."""
    trace, word = content.trace, content.beat.word
    number = trace.pre_tokens.index(word)
    tokens, frequency = trace.words_at(content.beat.step)[number]
    title = f"{word} in {counted(len(tokens), 'token')}, {counted(frequency, 'time')} in the text"
    return {"title": title, "rows": [{"items": [content.chip(token) for token in tokens]}], "more": ""}
