"""The first characters of a lesson's text in rows from characters to tokens, for the stage “bytes”."""

from bpe import Trace
from bpe.analysis.text_rows.alignment import Row, aligned_rows
from bpe.encoding.tokenizer import Tokenizer
from ui.lessons import Beat, Lesson

MOST_SPELLED = 40  # characters
SPELLED = "The text from characters to tokens"


def spelled(lesson: Lesson, trace: Trace, beat: Beat) -> tuple[Tokenizer, list[Row]]:
    """Return the tokenizer of a beat, and the rows of the text's beginning."""
    tokenizer = lesson.tokenizer(trace, beat.step)
    return tokenizer, list(aligned_rows(lesson.corpus.reading_text[:MOST_SPELLED], tokenizer))
