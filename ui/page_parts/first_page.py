"""What the page of an address holds, so that its first screen is alive before Streamlit has started."""

import html
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st
from starlette.routing import Route

from ui.page_parts.compare import stage as comparison
from ui.page_parts.lessons import card
from ui.page_parts.watch import stage
from ui.shown import navigation
from ui.view import served
from ui.view.visit import OPENING_SAMPLES

_Address = tuple[tuple[str, str], ...]


def _plain_only(
    view: Callable[[], Mapping[str, object]],
) -> Callable[[_Address], Mapping[str, object] | None]:
    """Return the view of a page that begins early only at its plain address."""
    return lambda address: None if address else view()


@dataclass(frozen=True, slots=True)
class _First:
    """What a page shows first: its title, its sentence, and the data of a component, which the script draws."""

    title: str
    sentence: str
    script: str  # name of the component's file
    # Of an address's parameters; None where only Streamlit's page knows what the visit shows
    view: Callable[[_Address], Mapping[str, object] | None]
    opens: str = ""  # the parameters that Streamlit gives to the address


_WATCH = _First("Watch", "Press Play. Lesson 1 explains it.", "stage", stage.first_view)
# By the name of the page; "" is the first one.
_FIRSTS = {
    "": _WATCH,
    "watch": _WATCH,
    "compare": _First(
        "Compare",
        "See what the rule for ties, or the trainer, changes.",
        "comparison",
        _plain_only(comparison.first_view),
        f"corpus_sample={OPENING_SAMPLES['compare']}",
    ),
    "lessons": _First("Lessons", card.first_sentence(), "lesson_card", _plain_only(card.first_view)),
}


def routes() -> list[Route]:
    """Return what the server answers: see `navigation.routes`."""
    return navigation.routes(first_parts())


def first_parts() -> Mapping[str, Callable[[Mapping[str, str]], str]]:
    """Return what makes the beginning of a page's body, by the page's name; it is called with the address's parameters.

    The result is "" where only Streamlit's page knows what the visit shows. It is the same for all visitors. The
    browser draws nothing early where the tab asks for something else.
    """

    def part_of(first: _First) -> Callable[[Mapping[str, str]], str]:
        return lambda query: _part(first, tuple(query.items()))

    return {name: part_of(first) for name, first in _FIRSTS.items()}


def _part(first: _First, address: _Address) -> str:
    view = first.view(address)
    if view is None:
        return ""
    data = json.dumps(view).replace("<", "\\u003c")
    script = f"./{served.file_of(first.script)}"
    return (
        f"<style>{_styles()}</style>"
        f'<main id="mbm-first" data-testid="early-stage" data-script="{first.script}" data-opens="{first.opens}" '
        f'data-address="{html.escape(urlencode(address))}">'
        f"<header><h1>{html.escape(first.title)}</h1><p>{html.escape(first.sentence)}</p></header></main>"
        f'<script type="application/json" id="mbm-first-data">{data}</script>'
        f'<script type="module" async crossorigin src="{html.escape(script)}"></script>'
    )


_COLOURS = {
    "background-color": "backgroundColor",
    "secondary-background-color": "secondaryBackgroundColor",
    "text-color": "textColor",
    "border-color": "borderColor",
    "primary-color": "primaryColor",
}


def _styles() -> str:
    """Return the style sheet of this part, with the colours that the options of Streamlit's themes name."""
    light, dark = (
        " ".join(
            f"--st-{name}: {st.get_option(f'theme.{theme}.{option}')};" for name, option in _COLOURS.items()
        )
        for theme in ("light", "dark")
    )
    return (
        f"#mbm-first {{ {light} }}\n"
        f"{_STYLE}"
        f'#mbm-first[data-theme="dark"], body:has(#mbm-first[data-theme="dark"]) {{ {dark} }}\n'
    )


# Where Streamlit's page has the title, its sentence and the stage, below its menu; tests compare the two.
_STYLE = """
#mbm-first {
  --st-font: "Source Sans", sans-serif; --st-code-font: "Source Code Pro", monospace;
  --head: 164px;
  --above: var(--head);
  position: fixed; inset: 0; z-index: 1; overflow: hidden auto; box-sizing: border-box;
  padding: var(--above) max((100vw - 96rem) / 2, 0px) 0;
  pointer-events: none; color-scheme: light; color: var(--st-text-color);
}
#mbm-first[data-theme="dark"] { color-scheme: dark; }
body:has(#mbm-first[data-theme="dark"]) { background: var(--st-background-color); }
#mbm-first > * { margin: 0 clamp(1rem, 2.4vw, 2.5rem); padding: 0; }
#mbm-first > header {
  display: flex; align-items: center; gap: 0.75rem; position: absolute; top: 40px; height: 48px; visibility: hidden;
}
#mbm-first[data-theme] > header { visibility: visible; }
#mbm-first h1 { margin: 0; padding: 0; font: 650 28px/33.6px var(--st-font); }
#mbm-first p { margin: 0; font: 15px/24px var(--st-font); }
#mbm-first > .early { background: var(--st-background-color); pointer-events: auto; }
body:has([data-testid="stMain"] h1) #mbm-first > header { visibility: hidden; }
@media (max-height: 760px) {
  #mbm-first { --head: 136px; }
  #mbm-first > header { height: 36px; }
}
/* The place of the answer is above the lanes, as compare.css says for two. */
#mbm-first[data-script="comparison"] {
  --above: calc(var(--head) + 225px);
}
@media (max-height: 760px) { #mbm-first[data-script="comparison"] { --above: calc(var(--head) + 211px); } }
@media (max-width: 900px) { #mbm-first[data-script="comparison"] { --above: calc(var(--head) + 409px); } }
@media (max-width: 767px), print { #mbm-first { display: none; } }
"""
