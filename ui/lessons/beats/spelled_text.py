"""Words of a lesson's text, or its first characters, in rows from characters to tokens: the stage “bytes”."""

from bpe import Trace
from bpe.analysis.text_rows.alignment import Row, aligned_rows
from bpe.encoding.tokenizer import Tokenizer
from ui.lessons import Beat, Lesson

MOST_SPELLED = 40  # characters
SPELLED = "The text from characters to tokens"


def spelled(lesson: Lesson, trace: Trace, beat: Beat) -> tuple[Tokenizer, list[Row]]:
    """Return the tokenizer of a beat, and the rows of the words that it names, or of the text's beginning."""
    tokenizer = lesson.tokenizer(trace, beat.step)
    text = beat.spells or lesson.corpus.reading_text[:MOST_SPELLED]
    return tokenizer, list(aligned_rows(text, tokenizer))
