"""What a notebook shows for a trace: the picture that a layer above makes, if it is installed."""

import pkgutil

# Takes a trace and returns HTML, or None for a trace that it cannot draw. A name, so that the core imports no layer
# above it: a notebook calls a method of the trace itself, and nobody else could tell the trace who draws it.
PICTURE = f"{__name__.removesuffix('bpe.trace.notebook')}film.page:trace_frame"


def notebook_html(trace: object) -> str | None:
    """Return the picture of a trace as HTML; None if nobody can draw it or it would be too large."""
    try:
        draw = pkgutil.resolve_name(PICTURE)
    except ModuleNotFoundError as error:
        if error.name not in _packages(PICTURE):
            raise
        return None
    html: str | None = draw(trace)
    return html


def _packages(name: str) -> set[str]:
    """Return the module of an object's name, and the packages around it.

    >>> sorted(_packages("a.b:c"))
    ['a', 'a.b']
    """
    parts = name.partition(":")[0].split(".")
    return {".".join(parts[: n + 1]) for n in range(len(parts))}
