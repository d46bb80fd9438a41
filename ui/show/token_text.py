"""A token's bytes as text, for tables."""

from bpe import Symbol, Variant


def bytes_text(variant: Variant, token: Symbol) -> str:
    """The token's bytes in hexadecimal; its marker, which is no byte of the text, by its spelling.

    >>> import bpe
    >>> bytes_text(bpe.VARIANTS["char-eow"], b"t" + bpe.END_OF_WORD)
    '74 </w>'
    """
    if variant.marker is None:
        return token.hex(" ").upper()
    parts = [part.hex(" ").upper() for part in token.split(variant.marker)]
    return f" {variant.marker_text} ".join(parts).strip()
