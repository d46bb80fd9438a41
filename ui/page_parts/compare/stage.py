"""The picture of Compare: all lanes and what is below them, as data for one component, also while lanes are trained."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial

import streamlit as st

import bpe
from bpe import Trace
from bpe.comparison.held_out import HeldOutText
from bpe.comparison.lanes import MOST
from film.feed import TrainingFeed
from film.html_page import Site
from film.live import live_recipe
from film.page import ALONE, MOST_CHARACTERS, FilmLane, FilmOptions, OwnWords, field_text, lanes_page, way_of
from film.training_feed import training_feed
from ui.choices import link
from ui.choices.choices import Choice
from ui.choices.share_file import draw_link
from ui.page_parts.compare import lane_menu, parts, verdict
from ui.page_parts.compare.comparison import PageComparison, comparison_of
from ui.page_parts.compare.lane_menu import add_picked, take_lane
from ui.page_parts.compare.lanes import ChosenLane, first_lanes, read_lane
from ui.shown.every_way import WatchedTraining, draw_every_way
from ui.shown.saving import save_film, save_picture
from ui.trainings import training
from ui.trainings.byte_cache import ByteCache
from ui.trainings.corpus import Corpus, from_sample, samples
from ui.trainings.long_work import follow
from ui.trainings.memory_budget import fragment
from ui.trainings.recipe import Recipe, signature
from ui.trainings.running_training import TrainingWatch
from ui.trainings.settings import decided_by
from ui.trainings.training import Progress
from ui.view import component as message
from ui.view.component import COMPONENTS, component
from ui.view.text import in_markdown
from ui.view.token_grid import Around, GridState, grid_data, tell_ties, token_grid, window_start
from ui.view.told import tell
from ui.view.visit import OPENING_SAMPLES

_VIEW = component("comparison", COMPONENTS / "comparison")
_KEY = "compare_stage"  # of the view, also while lanes are trained
_WINDOW = 2_000  # characters of the text in each lane
_FEW_WORDS = 12  # a corpus of at most so many distinct words is shown as a list of words
_FEEDS: ByteCache[TrainingFeed] = ByteCache(4_000_000)


@fragment
def draw(comparison: PageComparison, linked: int | None) -> None:
    """Draw the lanes and what is below them. They begin just before they diverge, or at the step of the link."""
    start = _start_step(comparison, linked)
    lanes = comparison.lanes
    grid = _draw_view(comparison, start, range(len(lanes)), len(lanes), _below(comparison))
    lane = message.read(grid.reported, "pick", _read_lane)
    if grid.pick is not None and lane is not None and lane < len(lanes):
        add_picked(comparison, lane, grid.pick)


def _read_lane(pick: object) -> int | None:
    return message.read(pick, "lane", message.whole_number(0, MOST))


def ways_tab(comparison: PageComparison) -> None:
    """Draw every way to break the ties, with a line for each lane."""
    trainings = [
        WatchedTraining(lane.title, lane.recipe, trace)
        for lane, trace in zip(comparison.lanes, comparison.traces, strict=True)
    ]
    draw_every_way(
        comparison.corpus,
        trainings,
        group=parts.GROUP,
        takes=partial(take_lane, comparison),
        who="A branch of “{}”",
        low=True,
    )


def shared_parts(
    comparison: PageComparison, choice: Choice, linked: int | None
) -> dict[str, Callable[[], None]]:
    """Return what Share offers."""
    start = _start_step(comparison, linked)
    return {
        "Link": lambda: draw_link(choice.corpus, choice.recipe, choice.fragment),
        "Film": lambda: save_film(lambda: comparison_film(comparison, start), start, comparison.merges),
        "Picture": lambda: save_picture(parts.GROUP, comparison.corpus.name_elsewhere),
    }


def comparison_film(comparison: PageComparison, step: int, *, title: str = "", site: Site = ALONE) -> str:
    """Return all lanes as one film."""
    lanes = _film_lanes(comparison)
    own = OwnWords(field_text(comparison.corpus.training_text))
    titles = [lane.title for lane in comparison.lanes]
    way = way_of(dict(zip(titles, comparison.traces, strict=True)))
    title = title or comparison.corpus.name_elsewhere
    return lanes_page(lanes, FilmOptions(title=title, step=step, site=site, own=own, way=way))


def finished(corpus: Corpus, lanes: Sequence[ChosenLane], progress: Sequence[Progress]) -> list[Trace] | None:
    """Return the traces of all lanes. While one is trained or missing, draw what there is and return None.

    Lanes that were stopped have the merges learned so far.
    """
    traces = [one.trace for one in progress if one.trace is not None]
    is_over = all(one.has_settled for one in progress)
    if is_over:
        _draw_ends(lanes, progress)
    if is_over and len(traces) == len(lanes):
        return traces
    _draw_lanes(corpus, lanes, progress, is_over)
    return None


@dataclass(frozen=True, slots=True)
class _LaneState:
    """How far the training of a lane has come."""

    title: str
    text: str  # "waiting", "merge 120 of 1,000", "ready"
    share: float  # of its merges, 0 to 1


def _states(lanes: Sequence[ChosenLane], progress: Sequence[Progress]) -> list[_LaneState]:
    """Return how far each lane is."""
    return [
        _LaneState(lane.title, *((("ready", 1.0)) if one.watch is None else _state(one.watch)))
        for lane, one in zip(lanes, progress, strict=True)
    ]


def _tell_states(states: Sequence[_LaneState]) -> None:
    tell(parts.GROUP, "states", [asdict(state) for state in states])


def _draw_view(
    comparison: PageComparison,
    start: int,
    positions: Sequence[int],
    count: int,
    below: Mapping[str, object] | None,
) -> GridState:
    """Draw the lanes of the comparison, which can be played. They stay when other lanes follow.

    positions: the positions of these lanes among all `count` lanes. The first lane is one of them.
    below: what is below all lanes: ui/view/comparison/main.js has the types.
    """
    feeds = _feeds(comparison, window_start(_KEY))
    names = [_lane_name(comparison, lane) for lane in comparison.lanes]
    grid = token_grid(
        feeds[0],
        key=_KEY,
        step=start,
        group=parts.GROUP,
        options=_options(comparison),
        linked=True,
        # The feed of a training's first merges is not that of all its merges, but the step stays.
        remembered_as=names[0],
        subject=names[0],
        around=Around(_VIEW, _around(comparison, feeds, positions, count, below)),
    )
    tell_ties(_KEY, parts.GROUP, list(zip(feeds, comparison.traces, strict=True)), grid.step)
    return grid


@cache
def first_view() -> dict[str, object]:
    """Return what the lanes show at an address without parameters: two rules on the sample that Compare begins with.

    It is the same for all visitors.
    """
    sample = samples()[OPENING_SAMPLES["compare"]]
    corpus = from_sample(sample.slug)
    recipe = Recipe.of({"merges": sample.merges, "preset": sample.preset, **decided_by(sample.preset)})
    chosen = [read_lane(slug, recipe) for slug in first_lanes(recipe)]
    traces = [bpe.train(corpus.training_text, **lane.recipe.settings) for lane in chosen]
    text = corpus.training_text
    comparison = PageComparison(tuple(chosen), tuple(traces), text, HeldOutText("", ()), "first", corpus)
    feeds, count = _feeds(comparison, 0), len(chosen)
    divergence = comparison.divergence
    data = grid_data(
        feeds[0],
        start=0 if divergence is None else divergence.rank,
        group=parts.GROUP,
        subject=_lane_name(comparison, chosen[0]),
        options=_options(comparison),
        linked=True,
        numbers=False,
    )
    return {**data, **_around(comparison, feeds, range(count), count, _below(comparison))}


def _around(
    comparison: PageComparison,
    feeds: Sequence[TrainingFeed],
    positions: Sequence[int],
    count: int,
    below: Mapping[str, object] | None,
) -> dict[str, object]:
    """Return what stands around the first lane: ui/view/comparison/main.js has its types."""
    lanes: list[dict[str, object]] = [
        {
            "key": _lane_name(comparison, lane),
            "title": lane.title,
            "subtitle": lane.about,
            "index": position,
        }
        for lane, position in zip(comparison.lanes, positions, strict=True)
    ]
    for lane, feed in zip(lanes[1:], feeds[1:], strict=True):  # that of the first one is there already
        lane["feed"] = feed
    return {"lanes": lanes, "of": count, "below": below}


def _lane_name(comparison: PageComparison, lane: ChosenLane) -> str:
    return f"{lane.slug} {signature(comparison.corpus, lane.recipe)}"


def _options(comparison: PageComparison) -> dict[str, str | bool]:
    return {"view": "words" if len(comparison.traces[0].pre_tokens) <= _FEW_WORDS else "text"}


def _below(comparison: PageComparison) -> dict[str, object]:
    # Tokenizers from files did not choose among the pairs of this text.
    divergence = None if comparison.has_files else parts.divergence(comparison)
    return {"caution": verdict.how_compared(comparison), "divergence": divergence}


def _film_lanes(comparison: PageComparison) -> list[FilmLane]:
    """Return the lanes of a film: as much of the text as a film holds."""
    lanes: list[FilmLane] = []
    for lane, trace in zip(comparison.lanes, comparison.traces, strict=True):
        feed = training_feed(trace, comparison.corpus.training_text, size=MOST_CHARACTERS, reasons=True)
        lanes.append(FilmLane(feed, lane.title, lane.about, live_recipe(trace)))
    return lanes


def _start_step(comparison: PageComparison, linked: int | None) -> int:
    if linked is not None and link.step_of(comparison.name) is not None:
        return min(linked, comparison.merges)
    divergence = comparison.divergence
    return 0 if divergence is None else divergence.rank


def _feeds(comparison: PageComparison, start: int) -> list[TrainingFeed]:
    """Return the lanes' feeds. Their window begins with the character `start`."""

    def feed(trace: Trace) -> TrainingFeed:
        text, picks = comparison.corpus.training_text, trace.origin.breaks_ties
        return training_feed(trace, text, start=start, size=_WINDOW, picks=picks, reasons=True)

    return [
        _FEEDS.get(f"{comparison.name} {number} {start}", partial(feed, trace))
        for number, trace in enumerate(comparison.traces)
    ]


def _draw_ends(lanes: Sequence[ChosenLane], progress: Sequence[Progress]) -> None:
    """Draw why lanes have failed, which were stopped, and a button that lets these go on."""
    stopped: list[TrainingWatch] = []
    for lane, one in zip(lanes, progress, strict=True):
        if one.watch is None:
            continue
        if one.watch.is_stopped:
            stopped.append(one.watch)
        else:
            st.error(in_markdown(f"{lane.title}: {one.watch.training.job.problem}", most=500))
    if stopped:
        row = st.container(horizontal=True, vertical_alignment="center")
        row.warning(_stopped_text(lanes, progress))
        row.button("Go on", key="lanes_go_on", on_click=_go_on, args=(stopped,))


def _stopped_text(lanes: Sequence[ChosenLane], progress: Sequence[Progress]) -> str:
    ready = sum(one.watch is None for one in progress)
    text = f"Stopped. {ready} of {len(lanes)} lanes {'is' if ready == 1 else 'are'} ready."
    missing = sum(one.trace is None for one in progress)
    if missing:
        return f"{text} The answer needs all of them: go on, or remove the others."
    return f"{text} The others show the merges learned so far."


def _draw_lanes(
    corpus: Corpus, lanes: Sequence[ChosenLane], progress: Sequence[Progress], is_over: bool
) -> None:
    with st.container(key="verdict"):
        st.header("Does it matter?", anchor=False)
        st.caption("You get the answer when all lanes are ready. You can already play those that are.")
    if is_over:
        _tell_states(_states(lanes, progress))
    else:
        _follow_lanes(lanes, progress)
    # The first lane has the transport. It is trained first, so the others hardly ever wait for it.
    positions = [position for position, one in enumerate(progress) if one.trace is not None]
    if positions[:1] != [0]:
        nothing_yet = {
            "group": parts.GROUP,
            "lanes": [],
            "of": len(lanes),
            "start": 0,
            "linked": False,
            "options": {},
            "below": None,
        }
        _VIEW(key="compare_waiting", data=nothing_yet)
        return
    traces = [one.trace for one in progress if one.trace is not None]
    playable = lane_menu.with_names([lanes[position] for position in positions], traces)
    comparison = comparison_of(corpus, playable, traces, HeldOutText("", ()))
    _draw_view(comparison, _start_step(comparison, None), positions, len(lanes), None)


def _follow_lanes(lanes: Sequence[ChosenLane], progress: Sequence[Progress]) -> None:
    """Draw how far the lanes are, and a Stop for all."""
    watches = [one.watch for one in progress if one.watch is not None]
    with st.container(key="above_lanes"):
        row = st.container(horizontal=True, vertical_alignment="center")
        bar = row.progress(0.0)
        # Not in the fragment: its clicks wait until the page is drawn.
        row.button("Stop", key="lanes_stop", on_click=training.stop_all, args=(watches,))

    def draw() -> None:
        now = _states(lanes, progress)
        ready = sum(one.watch is None for one in progress)
        text = f"Training: {ready} of {len(lanes)} lanes {'is' if ready == 1 else 'are'} ready."
        bar.progress(sum(state.share for state in now) / len(now), text=text)
        _tell_states(now)

    follow([one.watch for one in progress if one.watch and not one.has_settled], draw)


def _state(watch: TrainingWatch) -> tuple[str, float]:
    """Return the state of a training in words, and the share of its merges that is learned."""
    learning = watch.training
    most, share = max(1, learning.most), learning.share
    if watch.is_stopped:
        return f"stopped at merge {learning.learned:,} of {most:,}", share
    if learning.job.ended.is_set():
        return ("failed", 0.0) if learning.job.problem else ("ready", 1.0)
    if learning.job.ahead:
        return "waiting", 0.0
    if learning.steps is None:
        return "counting words", 0.0
    return f"merge {learning.learned:,} of {most:,}", share


def _go_on(watches: Sequence[TrainingWatch]) -> None:
    for watch in watches:
        watch.go_on()
