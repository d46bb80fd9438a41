"""What a page adds to the link: slugs, bounded numbers, short texts; read once, then written as they change."""

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

MOST_LINKED = 300  # characters of a text that go into the link; six names of branches do
TOO_LONG = (
    "A text of your own is too long for a link. A share file, saved in the sidebar, holds it and the recipe."
)
REPRODUCES = "This link reproduces the view, for whoever reaches this server."
SURROGATE = re.compile("[\ud800-\udfff]")

Read = Callable[[str], Any]  # what a parameter says -> the session's value, or None for what it must not be


def slug(*slugs: str) -> Read:
    """One of these."""
    return lambda said: said if said in slugs else None


def whole_number(low: int, high: int) -> Read:
    """A whole number within bounds.

    >>> whole_number(0, 9)("7"), whole_number(0, 9)("70")
    (7, None)
    """
    return lambda said: int(said) if re.fullmatch(r"[0-9]{1,9}", said) and low <= int(said) <= high else None


def short_text(said: str) -> str | None:
    """A text of at most MOST_LINKED characters."""
    return None if len(said) > MOST_LINKED or SURROGATE.search(said) else said


def read(page: str, parameters: Mapping[str, tuple[str, Read]]) -> None:
    """Give the session what the link says for {parameter: (session key, reader)}, once a session and page.

    Call it before the widgets are drawn. What the link asks for in vain is said and left out.
    """
    done = f"_{page}_link_read"
    if done in st.session_state:
        return
    st.session_state[done] = True
    for name, (key, reader) in parameters.items():
        said = st.query_params.get(name)
        if said is None:
            continue
        value = reader(said)
        if value is None:
            st.warning(f"The link's “{name}” asks for what there is not; it was ignored.")
        else:
            st.session_state[key] = value


def write(values: Mapping[str, str | int | None]) -> None:
    """Make the link say these; None, or a text too long for it, takes a parameter out."""
    for name, value in values.items():
        said = None if value is None or len(str(value)) > MOST_LINKED else str(value)
        if st.query_params.get(name) == said:
            continue
        if said is None:
            del st.query_params[name]
        else:
            st.query_params[name] = said


def led_here() -> bool:
    """Whether the session began on this page: then its link's step is this page's, and no other's."""
    context = get_script_run_ctx()
    page = context.page_script_hash if context else ""
    return bool(st.session_state.setdefault("_page_linked", page) == page)


def offer(*, of_sample: bool) -> None:
    """The whole link, to copy: call it when all of the page is written into it."""
    with st.popover("Link to this view", icon="🔗"):
        show(st.query_params.to_dict(), of_sample=of_sample)
        if of_sample:
            st.caption(f"A text of more than {MOST_LINKED} characters is left out of it.")


def show(parameters: Mapping[str, str | int], *, of_sample: bool) -> None:
    """The page's address with these parameters, to copy; a text of the viewer's own has none."""
    if not introduced(of_sample=of_sample):
        return
    here = urlsplit(st.context.url or "")
    path = f"{here.scheme}://{here.netloc}{here.path or '/'}" if here.netloc else "/"
    query = urlencode(parameters)
    st.code(f"{path}?{query}" if query else path, language=None, wrap_lines=True)


def introduced(*, of_sample: bool) -> bool:
    """Whether there is a link; says what it is, or why there is none."""
    st.caption(
        "This link reproduces the view, for whoever reaches this server."
        if of_sample
        else "A text of your own is too long for a link. A share file, saved in the sidebar, holds it and the recipe."
    )
    return of_sample
