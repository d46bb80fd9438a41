"""What is below the stage of Watch: every way to break the ties, the chart, tables of merges and pairs, and the log."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

import streamlit as st

from bpe import Trace
from bpe.analysis.compression import why_below_one
from bpe.sentences import NO_PAIRS
from bpe.text.display import counted
from film.labels import short_chip_label
from film.page import FilmOptions, film_page
from film.pair_rows import counted_pairs
from ui.choices.choices import Choice
from ui.page_parts.watch.grid_feed import link_to_step
from ui.shown.chart import draw_chart
from ui.shown.every_way import TakesPicks, WatchedTraining, draw_every_way, way_at_a_glance
from ui.shown.frames import all_merges, open_pairs, open_table, opening
from ui.shown.saving import export_tokenizer, save_film, save_picture, save_script
from ui.trainings.picks import take_picks
from ui.view import charts, tables
from ui.view.chip_table import Chips, Column, Kind, chip_table
from ui.view.downloads import csv_button, download_button
from ui.view.tables import MOST_ROWS, overview_of

_LONGEST_IN_CELL = 64  # bytes of a token
_MOST_MERGES = 100  # of the table of merges on the page: it is sent anew at every step; the file has all


def draw_listed_merges(trace: Trace) -> None:
    """Draw the merges of the tokenizer that apply to the text, in their order, with their numbers in its list.

    The table is the same at every step, and is sent once.
    """
    steps, listed = len(trace.steps), trace.origin.listed
    st.caption(
        f"**Merges that apply to this text**: {steps:,} of {listed:,}",
        help="A tokenizer applies the merges of its list. It counts nothing in your text.",
    )
    if not steps:
        return
    chips = _chips(trace)
    chip_table(
        (
            Column("merge", "number"),
            Column("rank", "number", "The merge's number in the tokenizer's own list"),
            Column("pair", "tokens"),
            Column("becomes", "tokens"),
        ),
        [
            (number, step.list_rank + 1, chips(*step.pair), chips(b"".join(step.pair)))
            for number, step in enumerate(trace.steps[:MOST_ROWS], start=1)
            if step.list_rank is not None
        ],
        chips,
        key="listed_merges",
        label="Merges of the tokenizer that apply to this text, in their order",
        height=420,  # pixels of the list of a tokenizer's merges beside the grid
    )
    if steps > MOST_ROWS and st.button(opening(steps, "merge"), key="whole_listed"):
        open_table("All merges", partial(all_merges, trace))


def draw(trace: Trace, choice: Choice, step: int) -> None:
    """Draw it for the step at which the grid rests."""
    training = watched(trace, choice)
    if way_at_a_glance(choice.corpus, training) is None:  # else it is on the stage
        # The picture tells the next merges: watch.css hides it, too.
        with st.container(key="watch_every_way"):
            draw_every_way(choice.corpus, [training], group="watch", takes=takes(choice))
        if way_at_a_glance(choice.corpus, training):  # it is listed now, and low enough for the stage
            st.rerun()
    _draw_curves(trace, step)
    _draw_tables(trace, step)


def shared_parts(trace: Trace, choice: Choice, step: int) -> dict[str, Callable[[], None]]:
    """Return what Share offers for the step at which the grid rests."""
    text, title = choice.corpus.training_text, choice.corpus.name_elsewhere
    parts: dict[str, Callable[[], None]] = {
        "Link": lambda: link_to_step(choice, step),
        "Film": lambda: save_film(
            lambda: film_page(trace, text, FilmOptions(title=title, step=step)), step, len(trace.steps)
        ),
        "Picture": lambda: save_picture("watch", f"{title} · {choice.recipe.title}"),
    }

    def draw_more() -> None:
        export_tokenizer(trace, step)
        st.divider()
        save_script(trace, text)

    if trace.origin.is_own:
        parts["More: tokenizer, code"] = draw_more
    else:
        parts["Tokenizer"] = lambda: export_tokenizer(trace, step)
    return parts


def _figures(trace: Trace, step: int) -> tuple[str, str]:
    """Return where the step is and how many tokens the text has there, and the rest: their length, the largest tie."""
    overview = overview_of(trace)
    where = f"After {step:,} of {counted(len(trace.steps), 'merge')}."
    tokens, sentences = where, ["The dotted line marks where you are."]
    if overview.tokens[step]:
        now, start = (overview.characters / overview.tokens[at] for at in (step, 0))
        text_has = f"The text has {counted(overview.tokens[step], 'token')} there"
        tokens = f"{where} {text_has}, {overview.in_use[step]:,} different ones."
        sentences += [
            f"A token has {now:.2f} characters on average"
            + (f", {start:.2f} at the start." if step else "."),
            why_below_one(trace.variant) if start < 1 else "",
        ]
    largest = max(overview.tied, default=0)
    if largest > 1 and trace.origin.breaks_ties:
        sentences.append(f"In the largest tie, {largest:,} pairs share the highest count.")
    return tokens, " ".join(filter(None, sentences))


def _draw_curves(trace: Trace, step: int) -> None:
    """Draw two numbers over all merges. They tell the next count, so watch.css hides them from who predicts it."""
    with st.container(key="watch_next_merge"):
        st.header("Over all merges", anchor=False)
        with st.container(key="watch_figures"):
            now, more = _figures(trace, step)
            st.caption(now, help=more)
        draw_chart(charts.curves(trace, step, dark=st.context.theme.type == "dark"), "curves")
    with st.container(key="watch_predicting"):
        st.caption("The chart, the picture of every way and the pairs are hidden while you guess.")


def _draw_tables(trace: Trace, step: int) -> None:
    """Draw merges, pairs and the log after `step` merges; only the open tab is computed.

    The first of the pairs is the next merge: watch.css hides them from who predicts it.
    """
    names = ("Merges", "Pairs", "Step log")
    contents: tuple[Callable[[Trace, int], None], ...] = (_merges, _pairs, _log)
    drawn = dict(zip(names, contents, strict=True))
    if not trace.origin.counts:
        del drawn["Pairs"]  # their counts decide nothing
    for tab, draw in zip(st.tabs(list(drawn), key="details", on_change="rerun"), drawn.values(), strict=True):
        if tab.open:
            with tab, st.container(key="watch_all_pairs") if draw is _pairs else nullcontext():
                draw(trace, step)


def _about_count(trace: Trace) -> str:
    return f"How often the pair occurred, overlaps {'included' if trace.request.overlaps else 'left out'}"


def _merges(trace: Trace, step: int) -> None:
    if not step:
        st.caption("No merges yet. Press → in the grid, or Play.")
        return
    ranks = range(step - 1, max(-1, step - 1 - _MOST_MERGES), -1)
    _caption(step, len(ranks), "merge done", "merges done, the latest first")
    columns = tables.merge_columns(trace)
    chips = _chips(trace)
    chip_table(
        [_merge_column(title, trace) for title in columns],
        [  # on the screen, merges count from 1
            [cell + 1 if title.startswith("rank") and isinstance(cell, int) else cell for title, cell in row]
            for row in (zip(columns, row, strict=True) for row in tables.merge_rows(trace, ranks, chips))
        ],
        chips,
        key="merges_table",
        label="Merges done, the latest first",
    )
    with st.container(horizontal=True):
        csv_button(
            "Download all merges (CSV)",
            columns,
            lambda: tables.merge_rows(trace, range(len(trace.steps))),
            name="merges",
            key="download_merges",
        )
        if st.button(opening(len(trace.steps), "merge"), key="whole_merges"):
            open_table("All merges", partial(all_merges, trace))


def _pairs(trace: Trace, step: int) -> None:
    rows, total = counted_pairs(trace, step, _MOST_MERGES)
    if not rows:
        st.caption(NO_PAIRS)
        return
    st.caption(f"{counted(total, 'pair')}{_shown(total, len(rows), 'the whole table')}")
    chips = _chips(trace)
    chip_table(
        (
            Column("rank", "number"),
            Column("left", "tokens"),
            Column("right", "tokens"),
            Column("becomes", "tokens"),
            Column("count", "number", _about_count(trace)),
            Column("change", "number", "How the last merge changed the count"),
            Column("tied", meaning="◆ if other pairs share the highest count with it"),
        ),
        [
            (
                row.rank,
                *map(chips, (*row.pair, b"".join(row.pair))),
                row.count,
                row.change or None,
                "◆" if row.tied else "",
            )
            for row in rows
        ],
        chips,
        key="pairs_table",
        label="Pairs, the most frequent first",
    )
    if st.button(opening(total, "pair"), key="whole_pairs"):
        open_pairs(trace, step)


def _chips(trace: Trace) -> Chips:
    return Chips(partial(short_chip_label, trace.variant, longest=_LONGEST_IN_CELL))


def _merge_column(title: str, trace: Trace) -> Column:
    meanings = {
        "count": _about_count(trace),
        "replaced": "How many were merged. Where a token meets itself, pairs overlap and not all can be merged.",
        "tied": "How many pairs had this count, this one included",
    }
    kinds: dict[str, Kind] = {
        "ids": "text",
        "decided by": "text",
        "left": "tokens",
        "right": "tokens",
        "token": "tokens",
    }
    return Column(title.replace("rank", "merge", 1), kinds.get(title, "number"), meanings.get(title, ""))


def _log(trace: Trace, step: int) -> None:
    ranks = range(max(0, step - 200), step)  # the file has all
    _caption(step, len(ranks), "merge done", "merges done")
    if step:
        st.code(
            "\n".join(tables.log_lines(trace, ranks)),
            language=None,
            height=min(420, 60 + 24 * len(ranks) * 5),
        )
    download_button(
        "Download the whole log",
        lambda: "".join(f"{line}\n" for line in tables.log_lines(trace, range(len(trace.steps)))).encode(),
        "merges-log.txt",
        mime="text/plain",
        key="download_log",
    )


def _caption(total: int, drawn: int, one: str, many: str) -> None:
    st.caption(f"{counted(total, one, many)}{_shown(total, drawn, 'the file')}")


def _shown(total: int, drawn: int, where: str) -> str:
    """Return the end of a sentence on the number of rows: how many are drawn, if not all, and what has all."""
    return "." if drawn == total else f". This table shows the first {drawn:,}; {where} has all."


def watched(trace: Trace, choice: Choice) -> WatchedTraining:
    """Return the training as the picture of every way knows it."""
    return WatchedTraining(trace.tie_break.title, choice.recipe, trace)


def takes(choice: Choice) -> TakesPicks:
    """Return what gives the training the picks of a place in the picture of every way."""
    return lambda _, picks: take_picks(choice.base, picks)
