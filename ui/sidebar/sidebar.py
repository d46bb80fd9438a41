"""The shared controls in the sidebar: which corpus, which recipe. Kept over reruns, pages, reloads, and in the link.

`app.py` calls `sidebar()` before every page; a page asks `chosen()`. Session values are slugs and numbers. The link
is read once, when a session begins, and written whenever a choice changes; no text to train on ever goes into it.
"""

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

import bpe
from ui.components.kept_text import kept_text
from ui.show.text import counted, in_markdown
from ui.sidebar import corpus_controls, share_file
from ui.sidebar import recipe as recipes
from ui.sidebar.controls import choose, choose_beside, number
from ui.sidebar.corpus import Corpus, samples
from ui.sidebar.recipe import FREE, Picks, Recipe, signature


@dataclass(frozen=True, slots=True)
class Choice:
    """What the sidebar says: a corpus, or the sentence that says why there is none, and a recipe."""

    source: str
    corpus: Corpus | None
    problem: str
    recipe: Recipe
    base: str  # names corpus, variant and rule, whatever the number of merges and the picks by hand
    step: int | None  # asked for by the link


def chosen() -> Choice:
    """The choice made in the sidebar of this run."""
    choice = st.session_state["_choice"]
    assert isinstance(choice, Choice)
    return choice


def sidebar() -> None:
    """Draw the controls, in the order text, recipe, stop rule, and note what they say."""
    _read_link()
    with st.sidebar:
        source = choose_beside("corpus_source", "Text")
        corpus, problem = corpus_controls.draw(source)
        _suggest(source)
        recipe = _recipe()
        base = "" if corpus is None else signature(corpus, recipe.without_end)
        recipe = _with_picks(base, recipe)
        if recipe.picks:
            taken = counted(len(recipe.picks), "merge")
            st.button(f"Undo {taken} taken by hand", key="no_picks", on_click=undo_pick, args=(0,))
        step = st.session_state.get("_step")
        st.session_state["_choice"] = Choice(source, corpus, problem, recipe, base, step)
        _write_link(source, recipe)
        share_file.controls(corpus, recipe, link_of_text=source == "sample")
        fields = {source: "corpus_text"} if source in corpus_controls.TYPED else {}
        fields |= {"pattern": "pattern"} if bpe.VARIANTS[recipe.variant].configure else {}
        kept_text(
            fields, (*corpus_controls.TYPED, "pattern"), key="_kept_text", restore=corpus_controls.restore
        )


def say_ignored() -> None:
    """On the page: what the link asked for in vain, until it was read."""
    notes = st.session_state.get("_ignored", [])
    if notes:
        row = st.container(horizontal=True, vertical_alignment="center")
        row.warning("  \n".join(notes))
        row.button("All right", key="link_read", on_click=lambda: st.session_state.update(_ignored=[]))


# The link


def _read_link() -> None:
    """Once a session, before any widget is drawn: a widget would only drop what it does not know."""
    if "_ignored" in st.session_state:
        return
    values, st.session_state["_ignored"] = recipes.read_link(st.query_params.to_dict())
    if "preset" not in values and ("variant" in values or "tie_break" in values):
        values["preset"] = FREE
    own = {"picks": "_link_picks", "step": "_step"}
    for key, value in values.items():
        st.session_state.setdefault(own.get(key, key), value)


def _write_link(source: str, recipe: Recipe) -> None:
    """Everything that differs from what a bare link would give; foreign parameters stay."""
    suggested = _suggestion(source)
    values: dict[str, Any] = {
        "corpus_source": source if source != "sample" else None,
        "corpus_sample": st.session_state.get("corpus_sample") if source == "sample" else None,
        "preset": recipe.preset if recipe.preset != suggested["preset"] else None,
        "variant": recipe.variant if recipe.preset == FREE else None,
        "tie_break": recipe.tie_break if recipe.preset == FREE else None,
        "merges": recipe.merges if recipe.merges != suggested["merges"] else None,
        "vocab_size": recipe.vocab_size,
        "min_count": recipe.min_count,
        "seed": recipe.seed or None,
        "pattern": recipe.pattern
        if bpe.VARIANTS[recipe.variant].configure and recipe.pattern != recipes.PATTERN
        else None,
        "unit": recipe.unit if bpe.VARIANTS[recipe.variant].configure and recipe.unit != "bytes" else None,
        "picks": recipes.written_picks(recipe.picks) or None,
    }
    if values["corpus_sample"] == next(iter(samples())):
        values["corpus_sample"] = None
    link = {key: str(value) for key, value in values.items() if value is not None}
    before = st.query_params.to_dict()
    after = {key: value for key, value in before.items() if key not in values and key != "step"} | link
    if before != after:
        st.query_params.from_dict(after)
    st.session_state["_link"] = link


# The recipe


def _suggestion(source: str) -> dict[str, str | int]:
    """The preset and number of merges that show this corpus best."""
    sample = samples().get(st.session_state.get("corpus_sample", "")) if source == "sample" else None
    first = next(iter(samples().values()))
    if sample is None:
        return {"preset": first.preset, "merges": recipes.OWN_MERGES}
    return {"preset": sample.preset, "merges": sample.merges}


def _suggest(source: str) -> None:
    """Follow the corpus wherever the viewer has not chosen otherwise."""
    before, now = st.session_state.get("_suggested", {}), _suggestion(source)
    for key, value in now.items():
        if key not in st.session_state or st.session_state[key] == before.get(key):
            st.session_state[key] = value
    st.session_state["_suggested"] = now


def _recipe() -> Recipe:
    preset = choose("preset", "Preset")
    if preset == FREE:
        st.caption("Variant and rule are yours to choose; they start as the preset before had them.")
    else:
        row = bpe.PRESETS[preset]
        st.caption(in_markdown(row.about, most=500))
        with st.expander("Where this comes from"):
            st.caption(in_markdown(f"Source: {row.source}", most=500))
            st.caption(in_markdown(f"Checked against: {row.checked}", most=500))
            if row.deviations:
                st.caption(in_markdown(f"Differs: {row.deviations}", most=1000))
        st.session_state["variant"] = row.settings["variant"]
        st.session_state["tie_break"] = row.settings["tie_break"]
    variant = choose("variant", "Tokenizer variant", disabled=preset != FREE)
    st.caption(in_markdown(bpe.VARIANTS[variant].about, most=500))
    pattern, unit = _custom() if bpe.VARIANTS[variant].configure else ("", "bytes")
    tie_break = choose("tie_break", "When pairs tie", disabled=preset != FREE)
    st.caption(in_markdown(bpe.TIE_BREAKS[tie_break].about, most=500))
    seed = number("seed", "Seed of the draw", value=0) if bpe.TIE_BREAKS[tie_break].seeded else 0
    merges = number("merges", "Stop after (merges)")
    left, right = st.columns(2)
    with left:
        vocab_size = number("vocab_size", "Vocabulary size", value=None, placeholder="any")
    with right:
        own = 1 if preset == FREE else bpe.PRESETS[preset].settings.get("min_count", 1)
        min_count = number("min_count", "Minimum count", value=None, placeholder=str(own))
    st.caption(
        "Training ends at the first of these: so many merges, so large a vocabulary, no pair counts enough."
    )
    return Recipe(preset, variant, tie_break, merges or 0, vocab_size, min_count, seed or 0, pattern, unit)


def _custom() -> tuple[str, str]:
    st.session_state.setdefault("pattern", recipes.PATTERN)
    pattern = st.text_input("Pattern", key="pattern", max_chars=recipes.MOST_PATTERN, persist_state="session")
    st.caption("A regular expression; each match becomes a pre-token. What no match covers is lost.")
    return pattern, choose("unit", "Initial symbols")


# What if: pairs taken by hand


def _with_picks(base: str, recipe: Recipe) -> Recipe:
    """The recipe with the picks made for this very corpus, variant and rule; a link's belong to the first."""
    if not base:
        return recipe
    made = _picks()
    if "_link_picks" in st.session_state:
        made[base] = st.session_state.pop("_link_picks")
    return replace(recipe, picks=made.get(base, ()))


def pick(rank: int, number: int) -> None:
    """Take the tied pair of this number at this merge; later picks fall away: their ties may not come to pass."""
    undo_pick(rank)
    made, base = _picks(), chosen().base
    made[base] = (*made[base], (rank, number))


def undo_pick(rank: int) -> None:
    """Give the merge back to the rule; the picks after it fall away with it."""
    made, base = _picks(), chosen().base
    made[base] = tuple(pick for pick in made.get(base, ()) if pick[0] < rank)


def _picks() -> dict[str, Picks]:
    picks: dict[str, Picks] = st.session_state.setdefault("_picks", {})
    return picks
