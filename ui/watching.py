"""What Watch shows around the grid: tiles, charts, tables, the log, and the pairs taken by hand."""

import re
from collections.abc import Callable, Sequence

import streamlit as st

from bpe import Trace
from ui import charts, state, tables
from ui.recipe import Recipe, signature
from ui.state import Choice
from ui.tables import PairRow, pair_text
from ui.text import csv_file, in_markdown
from ui.token_grid import Pick
from ui.token_grid.feed import Feed, Text, training_feed

MOST_ROWS = 500  # of a table on the page; the CSV file has all
MOST_LOGGED = 200  # merges of the log on the page; the file has all
MOST_OFFERED = 12  # tied pairs offered as buttons
ENDINGS = {
    "merges": "as many as were asked for",
    "vocab_size": "the vocabulary has the size asked for",
    "no pairs": "no pair is left to merge",
    "min_count": "no pair counts as much as the minimum",
    "cancelled": "training was stopped",
}
SPLIT_AT_SPACES = (
    "char-eow",
    "char-underscore",
    "char-eow-attached",
    "char-eow-lines",
    "char-metaspace",
    "bytes-whitespace",
)
# Japanese, Chinese, Thai and Lao, Burmese, Khmer
UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
MOST_LOOKED_AT = 2_000  # distinct words, for telling the script


def step_to_begin_with(trace: Trace, choice: Choice) -> int:
    """Where it was last seen; else where the link says; else a sample mid-way before a tie, an own text untouched.

    Whoever opens a sample comes to see something, whoever brings a text comes to see it from the start.
    """
    ties = (step.rank for step in trace.steps if step.tied > 1 and step.rank >= 1)
    alive = next(ties, len(trace.steps) // 3) if choice.source == "sample" else 0
    step = st.session_state.get("_steps", {}).get(choice.base, alive if choice.step is None else choice.step)
    return min(int(step), len(trace.steps))


def remember(choice: Choice, step: int) -> None:
    """The step, for this corpus, variant and rule: another number of merges or a pick by hand does not move it."""
    st.session_state.setdefault("_steps", {})[choice.base] = step


def feed(trace: Trace, choice: Choice, start: int) -> Feed:
    """What the grid is fed with, from this character of the text on."""
    assert choice.corpus is not None
    name = f"{signature(choice.corpus, choice.recipe)} {len(trace.steps)} {trace.stopped}"
    return _feed(name, start, trace, choice.corpus.training_text)


@st.cache_resource(max_entries=24, show_spinner=False)
def _feed(name: str, start: int, _trace: Trace, _text: Text) -> Feed:
    return training_feed(_trace, _text, start=start, picks=True)


def tiles(trace: Trace, step: int) -> None:
    """Five numbers, each saying what it counts."""
    now, start = tables.numbers(trace, step), tables.numbers(trace, 0)
    most = max((step.tied for step in trace.steps), default=1)
    by = "by the last merge" if step else "no merge is done yet"
    shown = (
        (
            "Tokens in the corpus",
            f"{now.tokens:,}",
            _signed(now.tokens_change),
            by,
            "Tokens in all words, each word as often as it occurs.",
        ),
        (
            "Vocabulary",
            f"{now.vocabulary:,}",
            _signed(1 if step else 0),
            by,
            "Special tokens, initial symbols and one token for each merge. It never shrinks.",
        ),
        (
            "Tokens in use",
            f"{now.in_use:,}",
            _signed(now.in_use_change),
            by,
            "Different tokens the corpus holds now. A merge adds one and may use up its parts.",
        ),
        (
            "Characters per token",
            f"{now.characters_per_token:.2f}",
            f"{start.characters_per_token:.2f}",
            "before merge 0",
            "Characters of all words, markers not counted, divided by the tokens in the corpus.",
        ),
        (
            "Merges decided by a tie",
            f"{now.tied_steps:,} of {now.steps:,}",
            f"{most:,}",
            "pairs at most",
            "Merges for which several pairs shared the highest count, so that the tie-breaking rule chose.",
        ),
    )
    with st.container(key="tiles"):
        for label, value, change, of_what, explained in shown:
            st.metric(
                label,
                value,
                change,
                delta_color="off",
                delta_arrow="off",
                delta_description=of_what,
                border=True,
                height="stretch",
                help=explained,
            )


def _signed(change: int) -> str:
    return f"{change:+,}".replace("-", "−") if change else "±0"


def notes(trace: Trace) -> None:
    """What a reader must know: why training ended, what the variant loses, words that are whole sentences."""
    steps = len(trace.steps)
    said = [
        f"Training ended after {steps:,} {'merge' if steps == 1 else 'merges'}: {ENDINGS[trace.stopped]}."
    ]
    if trace.variant.loses:
        said.append(f"The grid shows the text as this variant keeps it; lost is {trace.variant.loses}.")
    if trace.variant.slug in SPLIT_AT_SPACES and _unspaced(trace):
        said.append(
            "White space does not separate words in this text, so a “word” here is a whole phrase: "
            "a variant in bytes shows it better."
        )
    st.caption(in_markdown("  ".join(said), most=2000))


def _unspaced(trace: Trace) -> bool:
    """Most of the text's beginning is in a script that puts no space between words."""
    beginning = "".join(trace.pre_tokens[:MOST_LOOKED_AT])
    return 2 * len(UNSPACED.findall(beginning)) > len(beginning)


def take(trace: Trace, pick: Pick | None) -> None:
    """Train again with the tied pair that the viewer took in the grid or the pair table."""
    if pick is None or pick.rank >= len(trace.steps):
        return
    tied, pair = trace.tied_pairs(pick.rank), (pick.left, pick.right)
    if pair in tied and pair != trace.steps[pick.rank].pair:
        state.pick(pick.rank, tied.index(pair))
        st.rerun()


def picked(trace: Trace, recipe: Recipe) -> None:
    """The merges taken by hand, each with its way back."""
    if not recipe.picks:
        return
    row = st.container(horizontal=True, vertical_alignment="center", key="picks")
    row.caption("Taken by hand:", width="content")
    for rank, _ in recipe.picks:
        if rank < len(trace.steps):
            text = in_markdown(pair_text(trace, trace.steps[rank].pair))
            row.button(
                f"Undo merge {rank}: {text}",
                key=f"undo_{rank}",
                on_click=_undo,
                args=(rank,),
                icon="↩️",
                help="Gives this merge back to the rule; picks after it fall away with it.",
            )


def what_if(trace: Trace, step: int) -> None:
    """The other tied pairs of the next merge, each a button that takes it instead."""
    if step >= len(trace.steps) or trace.steps[step].tied < 2:
        return
    chosen, tied = trace.steps[step].pair, trace.tied_pairs(step)
    row = st.container(horizontal=True, vertical_alignment="center", key="what_if")
    row.caption(f"What if merge {step} took another of the {len(tied):,} tied pairs?", width="content")
    for number, pair in enumerate(tied[:MOST_OFFERED]):
        if pair != chosen:
            text = in_markdown(pair_text(trace, pair))
            row.button(text, key=f"take_{step}_{number}", on_click=_take, args=(step, number))
    if len(tied) > MOST_OFFERED:
        row.caption(f"and {len(tied) - MOST_OFFERED:,} more", width="content")


def _take(rank: int, number: int) -> None:
    state.pick(rank, number)
    st.rerun()  # of the whole page: the button stands in a fragment, the training does not


def _undo(rank: int) -> None:
    state.undo_pick(rank)
    st.rerun()


def curves(trace: Trace, rows: Sequence[PairRow], step: int) -> None:
    """Counts of the pairs now, and three numbers over all merges."""
    dark = st.context.theme.type == "dark"
    left, right = st.columns(2, gap="large")
    quiet = {"displayModeBar": False}
    with left:
        st.subheader("Most frequent pairs")
        st.caption("Occurrences in the corpus now. ◆ tied with the pair that is merged next.")
        st.plotly_chart(charts.pair_bars(trace, rows, dark=dark), theme=None, config=quiet, key="pair_bars")
    with right:
        st.subheader("Over all merges")
        st.caption(f"The line stands after {step:,} of {len(trace.steps):,} merges.")
        st.plotly_chart(charts.curves(trace, step, dark=dark), theme=None, config=quiet, key="curves")


def details(trace: Trace, step: int) -> None:
    """Merges, words, tokens and the log after `step` merges; only the open tab is worked out."""
    names = ("Merges", "Words", "Tokens in use", "Step log")
    shown: tuple[Callable[[Trace, int], None], ...] = (_merges, _words, _tokens, _log)
    for tab, show in zip(st.tabs(names, key="details", on_change="rerun"), shown, strict=True):
        if tab.open:
            with tab:
                show(trace, step)


def _merges(trace: Trace, step: int) -> None:
    if not step:
        st.caption("No merge is done yet: press → in the grid, or Play.")
        return
    ranks = range(step - 1, max(-1, step - 1 - MOST_ROWS), -1)
    _caption(step, len(ranks), "merge done", "merges done, the latest first")
    st.dataframe(
        tables.frame(tables.MERGE_COLUMNS, list(tables.merge_rows(trace, ranks))),
        hide_index=True,
        key="merges_table",
        column_config={
            "merge": st.column_config.NumberColumn(help="Rank, from 0"),
            "count": st.column_config.NumberColumn(help="Occurrences of the pair, overlapping ones included"),
            "replaced": st.column_config.NumberColumn(
                help="Places merged: fewer than counted where a token meets itself"
            ),
            "tied": st.column_config.NumberColumn(help="Pairs that had this count, this one included"),
        },
    )
    _download(
        "merges",
        lambda: csv_file(tables.MERGE_COLUMNS, tables.merge_rows(trace, range(len(trace.steps)))),
        "all merges",
    )


def _words(trace: Trace, step: int) -> None:
    rows = tables.word_rows(trace, step, MOST_ROWS)
    _caption(
        len(trace.pre_tokens),
        len(rows),
        "distinct word, as it is cut now",
        "distinct words, in order of first appearance, as they are cut now",
    )
    st.dataframe(tables.frame(tables.WORD_COLUMNS, rows), hide_index=True, key="words_table")
    _download(
        "words",
        lambda: csv_file(tables.WORD_COLUMNS, tables.word_rows(trace, step)),
        f"all words after {step} merges",
    )


def _tokens(trace: Trace, step: int) -> None:
    rows = tables.token_rows(trace, step)
    _caption(
        len(rows),
        min(len(rows), MOST_ROWS),
        "token in use",
        "different tokens in use, the most frequent first",
    )
    st.dataframe(
        tables.frame(tables.TOKEN_COLUMNS, rows[:MOST_ROWS]),
        hide_index=True,
        key="tokens_table",
        column_config={
            "count": st.column_config.NumberColumn(help="Occurrences in the corpus now"),
            "share": st.column_config.NumberColumn(format="percent", help="Of all tokens in the corpus now"),
            "made by merge": st.column_config.NumberColumn(
                help="Rank of the merge; none for an initial symbol"
            ),
        },
    )
    _download(
        "tokens",
        lambda: csv_file(tables.TOKEN_COLUMNS, tables.token_rows(trace, step)),
        f"all tokens after {step} merges",
    )


def _log(trace: Trace, step: int) -> None:
    ranks = range(max(0, step - MOST_LOGGED), step)
    _caption(step, len(ranks), "merge done", "merges done")
    if step:
        st.code(
            "\n".join(tables.log_lines(trace, ranks)),
            language=None,
            height=min(420, 60 + 24 * len(ranks) * 5),
        )
    st.download_button(
        "Download the whole log",
        data=lambda: "\n".join(tables.log_lines(trace, range(len(trace.steps)))) + "\n",
        file_name="merges-log.txt",
        on_click="ignore",
        key="download_log",
    )


def _caption(there: int, shown: int, one: str, many: str) -> None:
    said = f"{there:,} {one if there == 1 else many}"
    st.caption(f"{said}." if shown == there else f"{said}; {shown:,} are shown here, the file has all.")


def _download(name: str, content: Callable[[], bytes], what: str) -> None:
    st.download_button(
        f"Download {what} (CSV)",
        data=content,
        file_name=f"{name}.csv",
        mime="text/csv",
        on_click="ignore",
        key=f"download_{name}",
    )


def teach(problem: str) -> None:
    """In place of a result: what is missing, what will happen then, and a way on."""
    st.info(in_markdown(problem, most=500), icon="✍️")
    st.markdown(
        "1. Every word is spelled in its smallest pieces: characters or bytes.\n"
        "2. All pairs of neighbours are counted, and the most frequent pair becomes one token, everywhere.\n"
        "3. Again, until a stop rule holds. When several pairs share the highest count, a rule decides: a tie."
    )
    st.button("Show me a sample instead", on_click=lambda: st.session_state.update(corpus_source="sample"))
