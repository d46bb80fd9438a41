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
        captions=[caption for beat in lesson.beats for caption in captions_of(lesson, trace, beat)],
        note=note,
        site=site,
    )


def captions_of(lesson: Lesson, trace: Trace, beat: Beat) -> list[Caption]:
    """Return the captions of a beat: its text and question, then the answer, until which the next merge is hidden."""
    answer = _answer(lesson, trace, beat)
    asks = bool(beat.question and answer)
    captions = [Caption(beat.step, _plain(f"{beat.say} {beat.question}"), asks)]
    return [*captions, Caption(beat.step, _plain(answer))] if answer else captions


def _answer(lesson: Lesson, trace: Trace, beat: Beat) -> str:
    """Return the answer of a beat; the solution of its exercise if the lesson's author wrote none."""
    if beat.answer or beat.exercise is None:
        return beat.answer
    label = trace.variant.label
    solution = lesson.question(trace, beat).solution
    return "".join(piece if isinstance(piece, str) else label(piece) for piece in solution)


def _plain(sentence: str) -> str:
    return sentence.replace("`", "").strip()
