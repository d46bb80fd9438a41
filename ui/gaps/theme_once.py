"""The theme is made into a message once, and not at each step of each visitor.

Streamlit 1.67 tells the browser the whole theme whenever the page or a part of it runs. It reads about 300 options for
that and spells each name anew: a fifth of what a step on Watch costs the server. This can go when Streamlit
keeps the message.
"""

from functools import cache, wraps
from typing import Any

from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session


def keep_theme() -> None:
    """Let Streamlit make each section of the theme once. Raises AttributeError if that is impossible."""
    make = app_session._populate_theme_msg

    @cache
    def made(section: str) -> tuple[Any, bool]:
        """Return a section of the theme, and whether it has any options."""
        around = CustomThemeConfig()
        make(around.light, section)
        return around.light, around.HasField("light")

    @wraps(make)
    def add(msg: Any, section: str = "theme") -> None:
        theme, has_options = made(section)
        if has_options:
            msg.MergeFrom(theme)
            msg.SetInParent()

    config.on_config_parsed(
        made.cache_clear, force_connect=True
    )  # when somebody changes the file of the options
    app_session._populate_theme_msg = add
