"""A hash of several values, in which the end of one is never taken for the beginning of the next."""

import hashlib


def digest_of(*values: object) -> str:
    """Return a hash of the values, for keys of caches and widgets. A name may hold any character, so none separates.

    >>> digest_of("a", "b c") == digest_of("a b", "c")
    False
    """
    digest = hashlib.sha256()
    for value in values:
        content = repr(value).encode("utf-8", "backslashreplace")
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.hexdigest()
