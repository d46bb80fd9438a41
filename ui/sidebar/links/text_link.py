"""A short text of the viewer's own in a link: in its fragment, the part after #, which browsers send to no server.

The text is UTF-8, compressed by DEFLATE, in base64: `#text=…` for a pasted text, `#words=…` for a word list. The page
that the link opens reads the fragment and sends it over its connection, as it sends typed text.
"""

import base64
import binascii
import zlib

from bpe import BPEError
from ui.show.text import SURROGATES
from ui.sidebar.texts.corpus import Corpus

MOST_CHARACTERS = 1_500
MOST_FRAGMENT = 12_000  # characters; a text of emoji that cannot be compressed takes 8,000
SOURCE_OF = {"text": "paste", "words": "words"}  # {name in the fragment: source of the text}
WHOLE_ONLY = "The link does not contain the whole text: copy all of it, to the last letter."
TOO_LONG = f"The text in a link can have at most {MOST_CHARACTERS:,} characters; this one has more."


def fragment_of(source: str, corpus: Corpus) -> str | None:
    """Return the fragment that a link to this text needs: "" for a sample, None if no link can hold the text.

    >>> from ui.sidebar.texts.corpus import from_text
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
