"""Typed settings and records that survive a reload, and a click that leaves the page before a setting is sent.

The browser tab stores it, returns it to the next session, and types a text that never arrived into its field when this
is drawn again.

Streamlit lacks both: a reload begins an empty session (https://github.com/streamlit/streamlit/issues/11012). It can
go when widgets can store their values in the browser, also before they are sent.
"""

import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import streamlit as st

from ui.components import component as message
from ui.components.component import component
from ui.components.text_field import is_chosen
from ui.visit import Slot

# Keys of the components whose texts the browser has given back
RESTORED_FIELDS: Slot[set[str]] = Slot("_restored_fields", set)

MOST_CHARACTERS = 5_000_000  # what a tab's storage holds
DEVICE = "device"  # name under which a device holds "no" if nothing shall stay there

_COMPONENT = component("kept_text", Path(__file__).parent)


def kept_text(
    fields: Mapping[str, str],
    names: Sequence[str],
    *,
    key: str,
    restore: Callable[[dict[str, str]], None],
    suggestions: Mapping[str, str | None] = MappingProxyType({}),
    records: Mapping[str, str] = MappingProxyType({}),
    lasts: bool | None = None,
) -> None:
    """Store each widget's text in the browser tab, and call `restore` once a session with {name: text}.

    A text that was typed and never arrived is typed into its widget when this is drawn again, unless the widget has got
    another text since. So is a stored text whose widget has become empty although nobody has emptied it: a browser
    that goes through pages quickly reports a field as empty which it has not filled yet.

    fields: {name: widget key}.
    names: the names of all texts that may be stored, drawn or not.
    suggestions: {name: text of ours}, which a stored text replaces, as it replaces an empty one.
    records: {name: text} of things that have no field, such as scores. An empty text leaves the stored one as it is.
    lasts: whether the records stay on the device when the tab is closed; False removes them there, and only that choice
        stays, as DEVICE. None for texts that the tab alone keeps.
    Call it after the widgets are drawn.
    """

    def received() -> None:
        if key in RESTORED_FIELDS.read():
            return  # sent again before the answer came
        RESTORED_FIELDS.read().add(key)
        texts = message.read(st.session_state.get(key), "restored", message.texts(names, MOST_CHARACTERS))
        if texts:
            restore(texts)

    drawn = [_field(name, widget, suggestions.get(name)) for name, widget in fields.items()]
    _COMPONENT(
        key=key,
        data={
            "fields": drawn,
            "names": list(names),
            "records": dict(records),
            "lasts": lasts,
            "fresh": key not in RESTORED_FIELDS.read(),
        },
        on_restored_change=received,
        on_again_change=lambda: None,  # for a run only, which brings the texts of all fields
        height=1,
    )


def _field(name: str, widget: str, suggestion: str | None) -> dict[str, str | int | bool]:
    text = st.session_state.get(widget) or ""
    mark = _checksum(text)
    is_ours = text in ("", suggestion) and not is_chosen(name, text, suggestion)
    return {
        "name": name,
        "key": widget,
        "length": int(mark.partition("-")[0]),
        "checksum": mark,
        "replaceable": is_ours,
    }


def _checksum(text: str) -> str:
    """Return a text's length in UTF-16 code units and a checksum of these, as `unsent.js` computes them.

    >>> _checksum("low"), _checksum("")
    ('3-87556435', '0-1')
    """
    units = text.encode("utf-16-le", "surrogatepass")
    return f"{len(units) // 2}-{zlib.adler32(units)}"
