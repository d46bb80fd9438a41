"""A lesson as a film: its training, with a caption for each beat."""

from bpe import Trace
from film.page import Caption, film_page
from ui.lessons import Beat, Lesson


def lesson_film(lesson: Lesson, trace: Trace, beat: Beat) -> str:
    """Return the lesson's film as an HTML file that begins at the step of a beat."""
    captions = [caption for beat in lesson.beats for caption in _captions(beat)]
    return film_page(
        trace, lesson.corpus.training_text, title=lesson.title, step=beat.step, captions=captions
    )


def _captions(beat: Beat) -> list[Caption]:
    """Return the captions of a beat: its text and question, then the answer."""
    texts = [f"{beat.say} {beat.question}".strip(), beat.answer]
    return [Caption(beat.step, text.replace("`", "")) for text in texts if text]
