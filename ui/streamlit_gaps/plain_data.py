"""Lists and dictionaries that a component gets are plain data.

Streamlit asks pandas and pyarrow of each of them whether it is a table, and loads both for this: 0.3 s of a processor
when the first page opens, and 58 MB of the server's memory.

Streamlit lacks a way to say that data is plain; no issue of Streamlit's is about it. This file can go when
`tests/ui/test_streamlit_gaps.py` passes without it.
"""

from streamlit.components.v2.bidi_component import serialization
from streamlit.dataframe_util import is_dataframe_like

from ui.streamlit_gaps.put_before import GoneError


def take_data_as_it_is() -> None:
    """Stop Streamlit from taking lists and dictionaries for tables. Calling this twice changes nothing.

    Raises GoneError if Streamlit asks in another way.
    """
    if "is_dataframe_like" not in vars(serialization):
        raise GoneError("Streamlit's check for tables in the data of components has another name")
    vars(serialization)["is_dataframe_like"] = _is_table


def _is_table(value: object) -> bool:
    return not isinstance(value, (list, dict)) and is_dataframe_like(value)
