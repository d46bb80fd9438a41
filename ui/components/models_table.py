"""The table of models: a Components v2 component that joins a grid's presenter view."""

from collections.abc import Mapping
from typing import Any

from film.modules import BROWSER
from ui.components.component import component

_COMPONENT = component("models_table", BROWSER / "models_table")


def models_table(table: Mapping[str, Any], *, key: str, group: str) -> None:
    """Draw the table. `group` is that of the grid with which it enters the presenter view."""
    _COMPONENT(key=key, data={**table, "group": group}, height="content")
