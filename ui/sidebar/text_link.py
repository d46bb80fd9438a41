"""A short text of the viewer's own in a link: in its fragment, the part after #, which browsers send to no server.

The text is UTF-8, compressed by DEFLATE, in base64: `#text=…` for a pasted text, `#words=…` for a word list. The page
that the link opens reads the fragment and sends it over its connection, as it sends typed text.
"""

import base64
import binascii
import zlib
from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

import streamlit as st

from bpe import BPEError
from ui.show.text import SURROGATES
from ui.sidebar.corpus import Corpus
from ui.visit import MOST_LINKED

MOST_CHARACTERS = 1_500
MOST_FRAGMENT = 12_000  # characters; a text of emoji that cannot be compressed takes 8,000
SOURCE_OF = {"text": "paste", "words": "words"}  # {name in the fragment: source of the text}
WHOLE_ONLY = "The link does not contain the whole text: copy all of it, to the last letter."
TOO_LONG = f"The text in a link can have at most {MOST_CHARACTERS:,} characters; this one has more."


def fragment_of(source: str, corpus: Corpus) -> str | None:
    """Return the fragment that a link to this text needs: "" for a sample, None if no link can hold the text.

    >>> from merge_by_merge.ui.sidebar.corpus import from_text
    >>> read_fragment(fragment_of("paste", from_text("low lower")))
    ('paste', 'low lower')
    """
    if source == "sample":
        return ""
    if source == "words" and corpus.frequencies is not None:
        lines = (f"{word} {frequency}" for word, frequency in corpus.frequencies.items())
        return _fragment("words", "\n".join(lines))
    return _fragment("text", corpus.documents[0]) if source == "paste" else None


def _fragment(name: str, text: str) -> str | None:
    if len(text) > MOST_CHARACTERS or SURROGATES.search(text):
        return None
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(text.encode()) + packer.flush()
    return f"{name}={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def read_fragment(fragment: str) -> tuple[str, str]:
    """Return (source, text) of a fragment. Raises BPEError for one that this app did not write."""
    name, _, packed = fragment.partition("=")
    if len(fragment) > MOST_FRAGMENT:
        raise BPEError(TOO_LONG)
    if name not in SOURCE_OF:
        raise BPEError(WHOLE_ONLY)
    unpacker = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    try:
        content = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        # A few bytes can unpack to gigabytes: no more than a text may have, and one to see that it has more.
        unpacked = unpacker.decompress(content, 4 * MOST_CHARACTERS + 1)
        if len(unpacked) > 4 * MOST_CHARACTERS:
            raise BPEError(TOO_LONG)
        text = unpacked.decode()
    except (binascii.Error, ValueError, zlib.error) as error:
        raise error if isinstance(error, BPEError) else BPEError(WHOLE_ONLY) from None
    if not unpacker.eof:
        raise BPEError(WHOLE_ONLY)
    if len(text) > MOST_CHARACTERS:
        raise BPEError(TOO_LONG)
    return SOURCE_OF[name], text


# The link as it is shown: in a popover, as code for copying, with who can open it, or why there is none.


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
