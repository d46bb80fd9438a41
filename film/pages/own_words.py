"""What a film holds so that it can train on the viewer's own words, without a server: data for `browser/film/own/`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from film.live import Live, live_settings
from film.pages.embeds import frame_code
from film.training_feed import Text

MOST_IN_FIELD = 2_000  # characters of a film's own text that the field for the viewer's words begins with


@dataclass(frozen=True, slots=True)
class OwnWords:
    """How a film lets its viewer train."""

    text: str = ""  # in the field at first
    opens: bool = False  # whether the field is there from the start; otherwise a button opens it


NO_WORDS = OwnWords()


class OwnData(TypedDict):
    """The same as data of the film."""

    text: str
    opens: bool
    live: Live
    page: str  # the HTML file of a film, with {title}, {style} and {scripts} in its gaps
    scripts: str  # its scripts, with {data}, {player} and {loader}
    frame: str  # the code that embeds a page, with {address} and {title}


def own_data(own: OwnWords, page: str, scripts: str) -> OwnData:
    """Return what the film's page needs."""
    return {
        "text": own.text,
        "opens": own.opens,
        "live": live_settings(),
        "page": page,
        "scripts": scripts,
        "frame": frame_code("{address}", "{title}"),
    }


def field_text(text: Text) -> str:
    r"""Return the text that the field begins with: a film's own, if it is short. Counted words are written out.

    >>> field_text(["low", "lower"]), field_text({"low": 2, "lower": 1})
    ('low\nlower', 'low low lower')
    """
    if isinstance(text, Mapping):
        if sum((len(word) + 1) * count for word, count in text.items()) > MOST_IN_FIELD:
            return ""
        text = " ".join(word for word, count in text.items() for _ in range(count))
    whole = text if isinstance(text, str) else "\n".join(text)
    return whole if len(whole) <= MOST_IN_FIELD else ""
