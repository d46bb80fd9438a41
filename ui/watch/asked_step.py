"""Ask this step: a link or a file that opens Watch at a step with the next merge hidden, and asks about it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

import streamlit as st

from bpe import BPEError, Symbol, Trace
from bpe.text.display import counted, merge_name
from film.labels import chip_label, token_number
from ui import exercises, visit
from ui.choices import link, text_link
from ui.choices import link as asked
from ui.choices.choices import Choice
from ui.choices.link import PARAMETER
from ui.choices.share_file import share_file
from ui.components.exercise import asked_step as asked_card
from ui.components.token_grid import grid_transport, token_grid, window_start
from ui.exercises import KINDS, Exercise, Question, Situation, drawn_controls, drawn_sentence, question_of
from ui.watch.grid_feed import grid_feed
from ui.work.memory_budget import fragment

GROUP = "watch"
LINK = {PARAMETER: (asked.KEY, visit.slug(*asked.KINDS))}
TITLES = {"pair": "Which pair is merged next?", "count": "How often does the next pair occur?"}


def current(trace: Trace, choice: Choice) -> _AskedStep | None:
    """Return the question that the link or the file asks. None without one, and for every other training."""
    if not asked.is_asked():
        return None
    kind, step = asked.asked_kind(choice.base), choice.step or 0
    problem = _problem(trace, step)
    if not kind or problem:
        if problem:
            _refuse(problem)
        _leave()
        return None
    visit.write({PARAMETER: kind})
    situation = Situation(trace, choice.corpus.training_text, step, trace.tokenizer(step), "")
    try:
        question = question_of(Exercise(kind), situation)
    except BPEError as error:
        _refuse(str(error))
    return _AskedStep(kind, step, f"{choice.base}/{kind}/{step}", question)


def _leave() -> None:
    """Ask nothing any more."""
    asked.leave()
    visit.write({PARAMETER: None})


@fragment
def follow(trace: Trace, choice: Choice, step: _AskedStep) -> None:
    """Draw the grid with the next merge hidden, and the question beside it."""
    stage = st.container(key="watch_stage")  # its styles arrange its three parts
    with stage.container():
        token_grid(
            grid_feed(trace, choice, window_start(GROUP)),
            key=GROUP,
            step=step.step,
            beatwise=True,
            trace=trace,
            remembered_as=choice.base,
        )
    with stage.container():
        grid_transport(GROUP, key="watch_transport")
    with stage.container():
        asked_card(_drawn(trace, step), key="asked_step", receive=partial(_receive, step), leave=_leave_page)


def can_ask(trace: Trace, step: int) -> bool:
    """Return whether the training has a merge after `step` to ask about."""
    return not trace.replayed and step < len(trace.steps)


def draw_link(trace: Trace, choice: Choice, step: int) -> None:
    """Draw a link that asks about the merge after `step`; for a long text, a file."""
    st.write(
        f"A question about {merge_name(step)}: it opens with the answer hidden, and checks what people answer."
    )
    kind = st.radio("Question", asked.KINDS, format_func=lambda kind: TITLES[kind], key="ask_kind")
    kind = kind if kind in KINDS else asked.KINDS[0]
    if choice.fragment is not None:
        parameters = link.current() | {"step": str(step), PARAMETER: kind}
        text_link.link_code(parameters, fragment=choice.fragment)
        return
    st.caption("This text is too long for a link. People can open the question with “Open a share file”.")
    st.download_button(
        "Save the question",
        data=lambda: share_file(choice.corpus, choice.recipe, ask=(kind, step)),
        file_name="merge-by-merge-question.json",
        mime="application/json",
        key="save_question",
        on_click="ignore",
    )


@dataclass(frozen=True, slots=True)
class _AskedStep:
    """A question about merge `step` of a training."""

    kind: str
    step: int
    name: str  # of the attempts at it
    question: Question


def _refuse(sentence: str) -> NoReturn:
    """Say above the page why nothing is asked, until the viewer has read it."""
    _leave()
    link.warn(sentence)
    st.rerun()


def _problem(trace: Trace, step: int) -> str:
    if trace.replayed:
        return "The link asks about a training, but these merges come from a file: the question was ignored."
    if step >= len(trace.steps):
        merges = counted(len(trace.steps), "merge")
        return f"The link asks about {merge_name(step)}, but this training has {merges}: the question was ignored."
    return ""


def _receive(step: _AskedStep, answer: object) -> None:
    if answer is None:
        exercises.open_answer(step.name)
    elif (verdict := step.question.judge(answer)) is not None:
        exercises.record(step.name, verdict)


def _leave_page() -> None:
    _leave()
    st.rerun()


def _drawn(trace: Trace, step: _AskedStep) -> dict[str, Any]:
    """Return the question as data for the card."""

    def chip(symbol: Symbol) -> list[Any]:
        return [chip_label(trace.variant, symbol), token_number(trace, symbol), ""]

    attempt = exercises.attempts().get(step.name)
    last = attempt.last if attempt else None
    closed = attempt is None or not (attempt.right_at or attempt.opened)
    return {
        "name": step.name,
        "group": GROUP,
        "marker": trace.variant.marker_text,
        "question": drawn_sentence((f"{merge_name(step.step).capitalize()}. ", *step.question.asks), chip),
        "exercise": drawn_controls(step.question, step.kind, chip),
        "verdict": attempt
        and last
        and {
            "right": last.right,
            "sentence": drawn_sentence(last.sentence, chip),
            "tries": attempt.tries,
            "answers": attempt.answers,
        },
        "solution": None if closed else drawn_sentence(step.question.solution, chip),
    }
