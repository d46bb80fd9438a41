"""A lesson as a film: its training, with a caption for each beat."""

from bpe import Trace
from film.page import ALONE, Caption, film_page
from film.site import Site
from ui.lessons import Beat, Lesson


def lesson_film(lesson: Lesson, trace: Trace, beat: Beat, *, note: str = "", site: Site = ALONE) -> str:
    """Return the lesson's film as an HTML file that begins at the step of a beat."""
    return film_page(
        trace,
        lesson.corpus.training_text,
        title=lesson.title,
        step=beat.step,
        captions=[caption for beat in lesson.beats for caption in _captions(beat)],
        note=note,
        site=site,
    )


def _captions(beat: Beat) -> list[Caption]:
    """Return the captions of a beat: its text and question, then the answer."""
    texts = [f"{beat.say} {beat.question}".strip(), beat.answer]
    return [Caption(beat.step, text.replace("`", "")) for text in texts if text]
