"""What a visitor has typed, in a link: in its fragment, the part after #, which browsers send to no server.

The fragment has parts, joined by &: `text=…` for a pasted text or `words=…` for a word list, `settings=…` for typed
settings of the choices, such as a pattern, and `typed=…` for the text fields of the page. Each is UTF-8, compressed by
DEFLATE, in base64. The page that the link opens reads the fragment and sends it over its connection, as it sends typed
text. The address bar holds the page's own part only: the browser tab keeps the chosen text.
"""

import base64
import binascii
import zlib
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st

from bpe import BPEError
from ui.gaps.run_context import page_hash
from ui.trainings.corpus import Corpus
from ui.view.component import COMPONENTS, component
from ui.view.text import SURROGATES
from ui.view.text_field import write_link
from ui.view.visit import MOST_LINKED, Slot

_MOST_CHARACTERS = 1_500
MOST_FRAGMENT = 12_000  # characters; a text of emoji that cannot be compressed takes 8,000
PAGE_TEXTS, LINES = "typed", "settings"  # names of the parts that hold several texts
_MOST_TEXTS = 20  # in such a part
_MOST_UNPACKED = 20_000  # bytes of such a part; three texts of MOST_LINKED letters take 10,800 at most
SOURCE_OF = {"text": "paste", "words": "words"}  # {name in the fragment: source of the text}
_LINK = component("link", COMPONENTS / "link")
_WHOLE_ONLY = "The link does not contain the whole text: copy all of it, to the last letter."
_TOO_LONG = f"The text in a link can have at most {_MOST_CHARACTERS:,} characters; this one has more."


def fragment_of(source: str, corpus: Corpus) -> str | None:
    """Return the fragment that a link to this text needs: "" for a sample, None if no link can hold the text.

    >>> from ui.trainings.corpus import from_text
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
    if len(text) > _MOST_CHARACTERS or SURROGATES.search(text):
        return None
    return _packed(name, text)


def _packed(name: str, text: str) -> str:
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(text.encode()) + packer.flush()
    return f"{name}={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def read_fragment(fragment: str) -> tuple[str, str]:
    """Return (source, text) of a fragment. Raises BPEError for one that this app did not write."""
    name, _, packed = fragment.partition("=")
    if len(fragment) > MOST_FRAGMENT:
        raise BPEError(_TOO_LONG)
    if name not in SOURCE_OF:
        raise BPEError(_WHOLE_ONLY)
    text = _unpacked(packed, 4 * _MOST_CHARACTERS)
    if len(text) > _MOST_CHARACTERS:
        raise BPEError(_TOO_LONG)
    return SOURCE_OF[name], text


def _unpacked(packed: str, most: int) -> str:
    """Return the text that was packed, of at most so many bytes."""
    unpacker = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    try:
        content = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        # A few bytes can unpack to gigabytes: no more than a text may have, and one to see that it has more.
        unpacked = unpacker.decompress(content, most + 1)
        if len(unpacked) > most:
            raise BPEError(_TOO_LONG)
        text = unpacked.decode()
    except (binascii.Error, ValueError, zlib.error) as error:
        raise error if isinstance(error, BPEError) else BPEError(_WHOLE_ONLY) from None
    if not unpacker.eof:
        raise BPEError(_WHOLE_ONLY)
    return text


def texts_part(name: str, texts: Mapping[str, str]) -> str:
    """Return the part of a fragment that holds {name: text}; "" without any.

    >>> read_texts(texts_part("typed", {"text": "low & lower", "find": "#"}))
    {'text': 'low & lower', 'find': '#'}
    """
    kept = {key: text for key, text in texts.items() if not SURROGATES.search(text)}
    return _packed(name, urlencode(kept)) if kept else ""


def read_texts(part: str) -> dict[str, str]:
    """Return {name: text} of a part that `texts_part` wrote. Raises BPEError for any other."""
    if len(part) > MOST_FRAGMENT:
        raise BPEError(_TOO_LONG)
    try:
        return dict(parse_qsl(_unpacked(part.partition("=")[2], _MOST_UNPACKED), max_num_fields=_MOST_TEXTS))
    except ValueError as error:
        raise error if isinstance(error, BPEError) else BPEError(_WHOLE_ONLY) from None


def joined(*parts: str) -> str:
    """Return a fragment of these parts, without the empty ones."""
    return "&".join(filter(None, parts))


# The texts of the page's own fields survive a reload in the address: (hash of the page, its part of the fragment)
_WRITTEN: Slot[tuple[str, str]] = Slot("_page_texts", lambda: ("", ""))


def write_texts(page: str, texts: Mapping[str, str | None]) -> None:
    """Put the page's texts into the fragment, and out of the query, where a link of an older release has them.

    page: its name in the address. None, or a text of more than MOST_LINKED characters, is left out.
    """
    for name in texts:
        if name in st.query_params:
            del st.query_params[name]
    part = texts_part(
        PAGE_TEXTS, {name: text for name, text in texts.items() if text and len(text) <= MOST_LINKED}
    )
    _WRITTEN.write((page_hash(), part))
    write_link(part, page)


def written() -> str:
    """Return the fragment's part of this page's texts; "" without any."""
    page, part = _WRITTEN.read()
    return part if page == page_hash() else ""


def link_code(
    parameters: Mapping[str, str | int], *, fragment: str | None, instead: str = "save a share file"
) -> bool:
    """Draw the page's address with these parameters, and a button that copies it, or why there is no link.

    Return whether there is one. On a page with a grid, the browser adds the step at which that is.

    fragment: as `fragment_of` returns it. It holds a short text of the viewer's own.
    instead: what to do for people who cannot reach this machine.
    """
    if not _explain(fragment, instead):
        return False
    here = urlsplit(st.context.url or "")
    path = f"{here.scheme}://{here.netloc}{here.path or '/'}" if here.netloc else "/"
    query = urlencode(parameters)
    address = f"{path}?{query}" if query else path
    _LINK(key="link_to_copy", data={"address": f"{address}#{fragment}" if fragment else address})
    return True


def _who_sees(address: str, instead: str) -> str:
    """Return a sentence that says who can open a link to this address.

    >>> _who_sees("http://127.0.0.1:8501/lessons", "save the film")
    'This link opens exactly this view, but only on this machine. For other people, save the film.'
    >>> _who_sees("https://example.org/watch", "save a share file")
    'Anyone who can reach this server will see exactly this view.'
    """
    if is_local(address):
        return f"This link opens exactly this view, but only on this machine. For other people, {instead}."
    return "Anyone who can reach this server will see exactly this view."


def is_local(address: str) -> bool:
    """Return whether only this machine reaches the address."""
    host = urlsplit(address).hostname or ""
    return host in {"localhost", "::1"} or host.startswith("127.")


def _explain(fragment: str | None, instead: str) -> bool:
    """Draw an explanation of the link, or why there is none. Return whether there is one."""
    seen = _who_sees(st.context.url or "", instead)
    if fragment is None:
        st.caption(
            f"A link can contain a text of at most {_MOST_CHARACTERS:,} characters, but no file. "
            "A share file contains the text."
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
