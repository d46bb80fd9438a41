"""The problems as questions in GIFT, the text format that Moodle imports (docs.moodle.org, "GIFT format")."""

import html
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import bpe
from bpe import Pair, Symbol, Trace
from bpe.exercises.verdict import Piece
from bpe.settings.request import read_request
from bpe.text.display import counted, well_formed
from bpe.training.script import GAPS, training_script
from gallery.page import Addresses, footer, page_html
from ui.exercises import KINDS
from ui.lessons.contents import lessons
from ui.lessons.lesson import Beat, Lesson

# The exercises of the lessons as problems on paper: each with the words or merges that a reader needs to solve
# it.

MOST_WORDS = 12  # that a context lists
MOST_SYMBOLS = 60  # in one word
MOST_MERGES = 30  # that a context lists


@dataclass(frozen=True, slots=True)
class Problem:
    """One exercise with its context, all of it as plain text."""

    lesson: Lesson
    number: int  # of the beat, from 1
    context: tuple[str, ...]  # lines
    question: str
    drawn_as: str  # as of a kind of exercises
    # Each of them is right; of an order, the pairs in their order; of a text, an example.
    right: tuple[str, ...]
    wrong: tuple[str, ...]  # other options of a pair or a choice
    solution: str

    @property
    def title(self) -> str:
        """The lesson and the step, which name the problem."""
        return f"{self.lesson.title} ({self.number})"


def problems() -> Iterator[Problem]:
    """Yield the problems in the order of the course, without those whose context is too long for paper."""
    for lesson in lessons().values():
        if not any(beat.exercise for beat in lesson.beats):
            continue
        trace = bpe.train(lesson.corpus.training_text, **lesson.recipe.settings)
        for number, beat in enumerate(lesson.beats, start=1):
            if beat.exercise:
                problem = _problem(lesson, trace, beat, number)
                if problem is not None:
                    yield problem


def _problem(lesson: Lesson, trace: Trace, beat: Beat, number: int) -> Problem | None:
    assert beat.exercise is not None
    asked = lesson.question(trace, beat)
    drawn_as = KINDS[beat.exercise.kind].drawn_as
    step = beat.step if beat.exercise.step is None else beat.exercise.step
    context = CONTEXTS.get(beat.exercise.kind, _words)(lesson, beat, trace, step)
    if context is None:
        return None
    if drawn_as == "pair":
        options = [option["pair"] for option in asked.controls["options"]]
        right = tuple(_pair(trace, pair) for pair in asked.right)
        wrong = tuple(_pair(trace, pair) for pair in options if pair not in asked.right)
    elif drawn_as == "order":
        (learned,) = asked.right
        right, wrong = tuple(_pair(trace, pair) for pair in learned), ()
    elif drawn_as == "choice":
        splits = [split["tokens"] for split in asked.controls["splits"]]
        right = tuple(_spelled(trace, split) for split in asked.right)
        wrong = tuple(_spelled(trace, split) for split in splits if split not in asked.right)
    elif drawn_as == "tokens":
        (tokens,) = asked.right
        right, wrong = (_spelled(trace, tokens),), ()
    else:
        right, wrong = tuple(map(str, asked.right)), ()
    question = beat.question.replace("`", "") or _text(trace, asked.asks)
    say = beat.say.replace("`", "")
    solution = beat.answer.replace("`", "") or _text(trace, asked.solution)
    return Problem(lesson, number, (say, *context), question, drawn_as, right, wrong, solution)


def _words(lesson: Lesson, beat: Beat, trace: Trace, step: int) -> tuple[str, ...] | None:
    words = trace.words_at(step)
    if len(words) > MOST_WORDS or any(len(word) > MOST_SYMBOLS for word, _ in words):
        return None
    merges = (
        f"After {counted(step, 'merge')} the words are:" if step else "Before the first merge the words are:"
    )
    return (merges, *(f"{frequency} × {_spelled(trace, word)}" for word, frequency in words))


def _merges(lesson: Lesson, beat: Beat, trace: Trace, step: int) -> tuple[str, ...] | None:
    """Return the merges, which are all that a reader needs to split a new word; None for an encoder that draws."""
    encoder = lesson.encoder_of(beat)
    if lesson.vocabulary:
        return (f"The vocabulary is: {lesson.vocabulary}", f"The encoder is: {encoder.title}.")
    if step > MOST_MERGES or trace.variant.unit == "bytes" or encoder.settings:
        return None
    pairs = [_pair(trace, pair) for pair in trace.merges[:step]]
    rows = tuple(f"{rank}. {pair}" for rank, pair in enumerate(pairs, start=1))
    return (f"The merges, in the order in which they were learned. The encoder is: {encoder.title}.", *rows)


def _settings(lesson: Lesson, beat: Beat, trace: Trace, step: int) -> tuple[str, ...]:
    """Return how a text is split and spelled, which a reader needs to count its pairs."""
    return (f"Words and symbols: {trace.variant.title}.",)


# Kind of exercise -> what a reader needs besides the text; by default the words at its step.
Context = Callable[[Lesson, Beat, Trace, int], tuple[str, ...] | None]
CONTEXTS: Mapping[str, Context] = {
    "tokens": _merges,
    "find": _merges,
    "spot": _merges,
    "build": _settings,
    "beat": lambda *_: None,  # nobody trains 400 merges on paper
}


def _pair(trace: Trace, pair: Pair) -> str:
    left, right = map(trace.variant.label, pair)
    return f"{left} + {right}"


def _spelled(trace: Trace, tokens: tuple[Symbol, ...]) -> str:
    return " ".join(map(trace.variant.label, tokens))


def _text(trace: Trace, pieces: tuple[Piece, ...]) -> str:
    return "".join(piece if isinstance(piece, str) else trace.variant.label(piece) for piece in pieces)


FILE = "questions.gift"
# Scripts with a gap, one for each part of the algorithm: (name of the file, its title)
EXERCISES = {slug: (f"exercise-{slug}.py", gap.title) for slug, gap in GAPS.items()}
EXERCISE_TEXT, EXERCISE_SETTINGS = (
    "low low low low low lower lower newest newest newest widest",
    {"merges": 12},
)


def exercises() -> Iterator[tuple[str, str]]:
    """Yield (name of the file, script) of each exercise in code: a trainer with a gap, which says what is wrong."""
    request = read_request(merges=12)
    for slug, (file, _) in EXERCISES.items():
        yield file, training_script(EXERCISE_TEXT, request, gap=slug)


# GIFT puts a backslash before each of these signs, and writes a line end as \n, since an empty line ends a question.
SPECIAL = {**{ord(sign): f"\\{sign}" for sign in "\\~=#{}:"}, 0: "\ufffd", ord("\n"): "\\n", ord("\r"): "\\n"}


def questions(problems: Iterable[Problem]) -> str:
    """Return a file with one question for each problem, in categories by the part of the course."""
    lines: list[str] = []
    part = ""
    for problem in problems:
        if problem.lesson.part != part:
            part = problem.lesson.part
            lines.append(f"$CATEGORY: Byte pair encoding/{part}\n")
        lines.append(question(problem))
    return "\n".join(lines)


def question(problem: Problem) -> str:
    """Return one question. Its feedback is the solution."""
    asks = "\\n".join(map(escaped, (*problem.context, problem.question)))
    feedback = f"\t####{escaped(problem.solution)}\n"
    return f"::{escaped(problem.title)}::[plain]{asks} {{\n{_answers(problem)}{feedback}}}\n"


def escaped(text: str) -> str:
    r"""Return a text as GIFT writes it. U+FFFD stands for a lone surrogate, and for NUL.

    >>> print(escaped("l + o = {lo}"))
    l + o \= \{lo\}
    """
    return well_formed(text).replace("\r\n", "\n").translate(SPECIAL)


def _answers(problem: Problem) -> str:
    if problem.drawn_as == "text":
        return ""  # an essay: Moodle cannot train, and many answers are right
    if problem.drawn_as == "number":
        return f"\t#{problem.right[0]}\n"
    if problem.drawn_as == "order":
        rows = (f"\t={number}. -> {escaped(pair)}\n" for number, pair in enumerate(problem.right, start=1))
        return "".join(rows)
    right = "".join(f"\t={escaped(answer)}\n" for answer in problem.right)
    return right + "".join(f"\t~{escaped(answer)}\n" for answer in problem.wrong)


# The problem sheet: all problems on paper, and their solutions on pages of their own.

SHEET = "problems.html"
TITLE = "Byte pair encoding: problems"
DESCRIPTION = "Problems with everything that is needed to solve them on paper, and their solutions."


def problem_sheet(problems: Sequence[Problem], addresses: Addresses) -> str:
    """Return the page."""
    numbers = {id(problem): number for number, problem in enumerate(problems, start=1)}
    sections = []
    for part, group in groupby(problems, lambda problem: problem.lesson.part):
        rows = "".join(_problem_html(numbers[id(problem)], problem) for problem in group)
        sections.append(f"<section><h2>{html.escape(part)}</h2>{rows}</section>")
    solutions = "".join(
        f"<li value={number}>{html.escape(problem.solution)}</li>"
        for number, problem in enumerate(problems, start=1)
    )
    body = f"""<header><p><a href="index.html">← All films</a></p><h1>{TITLE}</h1>
<p class="lead">Solve them on paper: each question comes with the words and merges that you need. The
solutions begin on a page of their own.</p></header><main class="sheet">
{"".join(sections)}
<section class="solutions"><h2>Solutions</h2><ol>{solutions}</ol></section>
</main>
{footer(addresses)}"""
    return page_html(TITLE, DESCRIPTION, body, "problem_sheet.css", addresses, SHEET)


def _problem_html(number: int, problem: Problem) -> str:
    say, *rows = problem.context
    listed = "\n".join(map(html.escape, rows))
    options = [*problem.right, *problem.wrong] if problem.drawn_as in {"pair", "order", "choice"} else []
    chosen = "".join(f"<span>{html.escape(option)}</span>" for option in sorted(options))
    return (
        f"<article><h3>{number}. {html.escape(problem.lesson.title)}</h3><p>{html.escape(say)}</p>"
        f"<pre>{listed}</pre><p class='question'>{html.escape(problem.question)}</p>"
        f"<p class='options'>{chosen}</p></article>"
    )
