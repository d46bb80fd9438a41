"""Training for the pages: in a thread, with progress and a Stop. Traces and trainings are shared by content.

A page calls `required_traces(corpus, recipes)` and gets traces, or stops after showing why there are none.
Short trainings return at once. A long one shows what it has learned so far, so that its first merges can be
watched while the rest is learned; the page is run again when it ends.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe import Tokenizer, Trace
from bpe.text.display import counted
from ui.trainings import limits, long_work, running_training, shown_training, tokenizer_files
from ui.trainings.byte_cache import size_of
from ui.trainings.corpus import Corpus
from ui.trainings.long_work import POLLING, Says
from ui.trainings.recipe import Recipe, signature
from ui.trainings.running_training import (
    SHORT_TEXT,
    Begin,
    Pace,
    RunningTraining,
    TrainingWatch,
    begin,
    refused,
    replay,
    shared,
    wait_until_settled,
)
from ui.trainings.shown_training import ShownTraining
from ui.trainings.tokenizer_files import TokenizerFile
from ui.view.text import in_markdown
from ui.view.visit import LARGE, Slot, large

# How much memory the texts, tokenizers and trainings of one visitor may take, counted where a session stores them and
# before a long training begins. What several visitors share counts for each.
_MOST = limits.MEMORY.value() * 10**6 // 2  # bytes

# {name: trainings on their way or stopped, the oldest first}
_TRAININGS: Slot[dict[str, TrainingWatch]] = Slot("_trainings", dict)

# Those that the viewer has stopped since the page was last drawn
_JUST_STOPPED: Slot[Sequence[TrainingWatch]] = Slot("_just_stopped", tuple)

# Whether that was a Stop for all of them
_JUST_STOPPED_ALL: Slot[bool] = Slot("_just_stopped_all", bool)

# {name: complete traces of the page}
_TRACES: Slot[dict[str, Trace]] = large(Slot("_traces", dict))
_PACE = Pace()


def required_trace(corpus: Corpus, recipe: Recipe) -> Trace:
    """Return the trace of one recipe, as `required_traces` does."""
    return required_traces(corpus, [recipe])[0]


def required_traces(
    corpus: Corpus,
    recipes: Sequence[Recipe],
    pace: Pace | None = None,
    begin: Begin = begin,
    *,
    needs_all: bool = False,
) -> list[Trace]:
    """Return a trace for each recipe. If one is missing, draw progress or the reason, and end the page's run.

    A page that `needs_all` gets no trace of what was learned so far.
    """
    area = st.empty()  # always: what is drawn below would move to another place, and be drawn anew
    progress = progress_of(corpus, recipes, pace, begin, needs_all=needs_all)
    if _keep_old_picture(area, progress, pace or _PACE):
        progress = progress_of(corpus, recipes, pace, begin, needs_all=needs_all)
    missing = {id(one.watch): (one.watch, one.has_settled) for one in progress if one.watch is not None}
    for number, (watch, has_settled) in enumerate(missing.values()):
        _draw_state(watch, has_settled, f"_{number}" if number else "")
    learned = [one.trace for one in progress]
    if None in learned:
        st.stop()
    return [trace for trace in learned if trace is not None]


def _refusal(others: object) -> str:
    """Return the sentence why this session may not begin a long training; "" if it may.

    `others` is what it holds besides all that is `large`.
    """
    size = size_of([others, *(slot.read() for slot in LARGE)])
    if size <= _MOST:
        return ""
    return (
        f"Your texts, tokenizers and trainings take {size // 10**6:,} MB of memory, and one visitor may take "
        f"{_MOST // 10**6:,} MB. Use a shorter text or fewer lanes, or reload the page to start again."
    )


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the training of one recipe has come when the page is drawn."""

    trace: Trace | None  # complete, or what was learned so far
    watch: TrainingWatch | None  # None if the trace is complete
    has_settled: bool = True  # nothing changes any more unless somebody asks


def progress_of(
    corpus: Corpus,
    recipes: Sequence[Recipe],
    pace: Pace | None = None,
    begin: Begin = begin,
    *,
    needs_all: bool = False,
) -> list[Progress]:
    """Ask for the trainings of these recipes, wait a moment, and return how far each has come."""
    pace = pace or _PACE
    watches = _TRAININGS.read()
    names = [signature(corpus, recipe) for recipe in recipes]
    _leave_all_but(names, watches)
    # A page that shows progress already need not wait once more before it shows what is new.
    until = time.monotonic() + (0.0 if any(name in watches for name in names) else pace.wait)
    # What is held here stays, even if the cache drops it for the trainings beside it.
    complete = {name: trace for name in names if (trace := running_training.find(name)) is not None}
    with st.spinner(_sentence(recipes)):
        for name, recipe in zip(names, recipes, strict=True):
            if name not in complete:
                _watch(watches, name, corpus, recipe, pace, begin)
        _stop_what_came_after([watches[name] for name in names if name in watches])
        for name in names:
            if name in watches:
                watches[name].needs_all = needs_all
                watches[name].ask()
        for name in dict.fromkeys(names):
            trace = complete.get(name) or _wait(watches[name], until)
            if trace is not None:
                complete[name] = trace
                watches.pop(name, None)
    _TRACES.write(complete)  # whatever the cache drops, a page need not learn again what it shows
    shown_training.note(
        corpus,
        (
            ShownTraining(name, recipe, complete[name])
            for name, recipe in zip(names, recipes, strict=True)
            if name in complete
        ),
    )
    missing = {name: watches[name] for name in dict.fromkeys(names) if name not in complete}
    # Ask before reading the traces: a training that ends between the two is then drawn once more.
    settled = {name: watch.has_settled for name, watch in missing.items()}
    return [
        Progress(complete[name], None)
        if name in complete
        else Progress(_trace_so_far(missing[name]), missing[name], settled[name])
        for name in names
    ]


def whole_trace(corpus: Corpus, recipe: Recipe) -> Trace:
    """Return the complete trace of one recipe. Until there is one, draw progress or the reason, and nothing else."""
    return required_traces(corpus, [recipe], needs_all=True)[0]


def _stop(watches: Sequence[TrainingWatch]) -> None:
    """Stop waiting for these trainings, and wait a moment until they have noticed it."""
    for watch in watches:
        watch.stop()
    _JUST_STOPPED.write(watches)
    wait_until_settled(watches)


def stop_all(watches: Sequence[TrainingWatch]) -> None:
    """Stop these trainings, and all others that the page starts in its next run: it has one Stop for all."""
    _JUST_STOPPED_ALL.write(True)
    _stop(watches)


def _keep_old_picture(area: DeltaGenerator, progress: Sequence[Progress], pace: Pace) -> bool:
    """Wait for the replays of a short text while the page keeps its old picture, and return whether it has waited.

    It ends as soon as there is something to draw. A click on its Stop ends this run of the page.
    """
    watches = [one.watch for one in progress if one.watch is not None]
    if any(one.has_settled or one.trace is not None for one in progress if one.watch is not None):
        return False
    replayed = [one for one in watches if one.training.listed is not None]
    if not replayed or len(replayed) < len(watches) or not all(one.training.job.is_short for one in watches):
        return False
    until = time.monotonic() + pace.keep
    row = area.container(horizontal=True, vertical_alignment="center", key="replay_state")
    said = row.empty()
    row.button("Stop", key="replay_stop", on_click=_stop, args=(watches,))
    while time.monotonic() < until and not any(one.has_news() for one in watches):
        said.caption(in_markdown(_progress(replayed[0]), most=300))  # here a click ends this run of the page
        replayed[0].training.job.ended.wait(POLLING)
        for one in watches:
            one.look()
    area.empty()
    return True


def _sentence(recipes: Sequence[Recipe]) -> str:
    """Return what the page does while it waits for these trainings."""
    files = [tokenizer_files.by_id(recipe.file) for recipe in recipes if recipe.file]
    if len(files) != 1 or len(recipes) != 1 or files[0] is None:
        return "Applying merges …" if files else "Learning merges …"
    return f"{in_markdown(_looking_up(files[0]), most=300)} …"


def _looking_up(file: TokenizerFile) -> str:
    merges = counted(len(file.tokenizer.merges), "merge")
    return f"Looking up which of {file.short_name}'s {merges} apply to the text"


def _leave_all_but(names: Sequence[str], watches: dict[str, TrainingWatch]) -> None:
    """Leave the trainings that the page no longer asks for. The last one is remembered, so that it can go on."""
    others = [name for name in watches if name not in names]
    for name in others:
        watches[name].leave()
    for name in others[:-1]:
        del watches[name]


def _stop_what_came_after(watches: Sequence[TrainingWatch]) -> None:
    """Stop the trainings of the page if the viewer has just stopped all, or one that the page no longer needs.

    Until the page is drawn with the new settings, its Stop belongs to the trainings before.
    """
    just_stopped = _JUST_STOPPED.read()
    is_changed = any(watch.training.trace is None and watch not in watches for watch in just_stopped)
    if is_changed or _JUST_STOPPED_ALL.read():
        for watch in watches:
            watch.stop()
    _JUST_STOPPED.forget()
    _JUST_STOPPED_ALL.forget()


def _watch(
    watches: dict[str, TrainingWatch], name: str, corpus: Corpus, recipe: Recipe, pace: Pace, begin: Begin
) -> TrainingWatch:
    """Return the session's watch of this training. Those of the page's last run are the last ones of the dict."""

    def new_training() -> RunningTraining:
        if not recipe.file:
            return RunningTraining(name, corpus, recipe, pace, begin)
        tokenizer = _tokenizer(recipe)
        listed = 0 if recipe.trains_like else len(tokenizer.merges)
        return RunningTraining(name, corpus, recipe, pace, replay(tokenizer), listed)

    if name not in watches and corpus.characters > SHORT_TEXT and (reason := _refusal(_unfinished(watches))):
        watches[name] = TrainingWatch(RunningTraining(name, corpus, recipe, pace, refused(reason)))
        return watches[name]
    watch = watches.pop(name) if name in watches else TrainingWatch(shared(name, new_training))
    watches[name] = watch
    return watch


def _tokenizer(recipe: Recipe) -> Tokenizer:
    file = tokenizer_files.by_id(recipe.file)
    assert file is not None
    return file.tokenizer


def _unfinished(watches: dict[str, TrainingWatch]) -> object:
    """Return what the trainings of the session that are not complete hold."""
    trainings = [watch.training for watch in watches.values()]
    return [(training.steps, training.preview, training.so_far) for training in trainings]


def _wait(watch: TrainingWatch, until: float) -> Trace | None:
    """Return the complete trace as soon as there is one; None if there is none before the deadline."""
    if not watch.has_settled:
        watch.training.job.ended.wait(max(0.0, until - time.monotonic()))
    return watch.training.trace or running_training.find(watch.training.name)


def _trace_so_far(watch: TrainingWatch) -> Trace | None:
    trace = watch.trace_so_far
    watch.has_drawn_trace = trace is not None
    return trace


def _draw_state(watch: TrainingWatch, has_settled: bool, suffix: str = "") -> None:
    """Draw why there is no result, or that it is not complete. `suffix` makes the keys of several unique."""
    says = Says(partial(_progress, watch), _stopped(watch) if has_settled else "", try_again="")
    long_work.draw_state(
        f"training{suffix}", watch, says, is_running=not has_settled, stop=partial(_stop, [watch])
    )


def _stopped(watch: TrainingWatch) -> str:
    training = watch.training
    trace = watch.trace
    rest = "This page needs them all." if watch.needs_all else "This is what was learned so far."
    if trace is None or not trace.steps:
        return "Stopped before the first merge."
    last = trace.steps[-1].list_rank
    if training.listed is not None and last is None:
        most = training.recipe.further_merges
        what = counted(most, "further merge" if training.listed else "merge")
        return f"Stopped after {trace.origin.learned:,} of {what}. {rest}"
    if training.listed is not None:
        return (
            f"Stopped after {trace.origin.reached:,} of the tokenizer's {counted(training.listed, 'merge')}."
        )
    most = training.recipe.merges
    return f"Stopped after {len(trace.steps):,} of {counted(most, 'merge')}. {rest}"


def _progress(watch: TrainingWatch) -> str:
    """Return the sentence beside the progress bar."""
    training, most = watch.training, watch.training.most
    if watch.is_stopped:
        return "Stopping …"
    if training.steps is None:
        file = tokenizer_files.by_id(training.recipe.file)
        doing = "Counting the words of the text" if file is None else _looking_up(file)
        return f"{doing}: {training.seconds:.0f} s."
    listed, further = training.listed, training.recipe.further_merges
    if not listed:  # all are learned
        progress = f"Learning merges: {training.learned:,} of {most:,}."
    elif training.learned <= listed:
        progress = f"Applying the tokenizer's merges: {training.learned:,} of {listed:,}."
    else:
        progress = f"Learning further merges: {training.learned - listed:,} of {further:,}."
    if training.preview is not None and not watch.needs_all:
        progress += f" You can already watch the first {len(training.preview.steps):,}."
    return progress
