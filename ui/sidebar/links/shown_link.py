"""The link as it is shown: in a popover, as code for copying, with who can open it, or why there is none."""

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

import streamlit as st

from ui.sidebar.links.text_link import MOST_CHARACTERS
from ui.visit import MOST_LINKED


def link_popover(*, fragment: str | None) -> None:
    """Draw a popover with the whole link. Call it after the page has written all its parameters."""
    with st.popover("Link to this view", icon=":material/link:"):
        link_code(st.query_params.to_dict(), fragment=fragment)
        if fragment is not None:
            st.caption(
                f"A field of this page with more than {MOST_LINKED} characters is left out of the link."
            )


def link_code(parameters: Mapping[str, str | int], *, fragment: str | None) -> None:
    """Draw the page's address with these parameters, for copying, or why there is no link.

    fragment: as `fragment_of` returns it. It holds a short text of the viewer's own.
    """
    if not explain_link(fragment):
        return
    here = urlsplit(st.context.url or "")
    path = f"{here.scheme}://{here.netloc}{here.path or '/'}" if here.netloc else "/"
    query = urlencode(parameters)
    address = f"{path}?{query}" if query else path
    st.code(f"{address}#{fragment}" if fragment else address, language=None, wrap_lines=True)


def who_sees(address: str) -> str:
    """Return a sentence that says who can open a link to this address.

    >>> who_sees("http://127.0.0.1:8501/watch")
    'This link opens exactly this view, but only on this machine. For other people, save a share file.'
    >>> who_sees("https://example.org/watch")
    'Anyone who can reach this server will see exactly this view.'
    """
    host = urlsplit(address).hostname or ""
    if host in {"localhost", "::1"} or host.startswith("127."):
        return "This link opens exactly this view, but only on this machine. For other people, save a share file."
    return "Anyone who can reach this server will see exactly this view."


def explain_link(fragment: str | None) -> bool:
    """Draw an explanation of the link, or why there is none. Return whether there is one."""
    seen = who_sees(st.context.url or "")
    if fragment is None:
        st.caption(
            f"A link can contain a text of at most {MOST_CHARACTERS:,} characters, but no file. "
            "Save a share file in the sidebar instead: it contains the text."
        )
    elif fragment:
        st.caption(f"{seen} Your text is in the part after #, which browsers keep out of their requests.")
    else:
        st.caption(seen)
    if fragment is not None and "recipe_source" in st.query_params:
        st.caption(
            "It does not contain the tokenizer: people who open the link need the tokenizer's file too."
        )
    return fragment is not None
