"""A film: a training as one HTML file that plays in any browser, from disk, without any request to a server.

The file holds the grid's own scripts and styles and one feed for each lane, compressed. A Content-Security-Policy with
the hashes of the script and of its loader forbids everything else. The hash of the address sets the first step and
playback: `#step=12`, `#play=1`, `#from=3&to=9&play=1`.

Unless it is fixed, a film also trains on the viewer's own words (`live.py`), which its address then holds.
"""

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any, TypedDict

from bpe import BPEError, Trace
from film.every_way import every_way_of
from film.feed import EveryWay, TrainingFeed
from film.html_page import (
    EMBED_HEIGHT,
    SITE_NAME,
    Site,
    card_tags,
    frame_code,
    hash_of,
    html_page,
    packed_text,
)
from film.live import Live, Recipe, live_recipe, live_settings
from film.modules import BROWSER, part_styles, shipped_script
from film.textbook_code import code_lines
from film.training_feed import ShownText, training_feed
from film.windows import FILM_WINDOW

_MOST_IN_FIELD = 2_000  # characters of a film's own text that the field for the viewer's words begins with
MOST_CHARACTERS = FILM_WINDOW  # of the text; a film leaves out the rest
ALONE = Site()  # of a film that is a single file

# The script of a film that trains on the viewer's own words, and that of one that only plays its recording.
_LIVING, _FIXED = "film/main.js", "film/fixed.js"
_NO_SCRIPT = "<noscript>This film needs JavaScript. It loads nothing from the network.</noscript>"
_THEMES = '<meta name="color-scheme" content="light dark">'  # the colour of the page before the loader runs
_SCRIPTS = """\
<script type="text/plain" id="film">{data}</script>
<script type="text/plain" id="player">{player}</script>
<script type="module" id="loader">{loader}</script>"""
_MOST_PAGE = 1_000_000  # characters of a film that is stored in a notebook; 50,000 merges need about half


class OfferedWay(TypedDict):
    """The picture of every way for a text that a page offers, under a variant and a rule."""

    text: str
    variant: str  # slug
    rule: str  # slug
    way: EveryWay


@dataclass(frozen=True, slots=True)
class OwnWords:
    """How a film lets its viewer train."""

    text: str = ""  # in the field at first
    opens: bool = False  # whether the field is there from the start; otherwise a button opens it
    ways: Sequence[OfferedWay] = ()


_NO_WORDS = OwnWords()


@dataclass(frozen=True, slots=True)
class FilmOptions:
    """What a film has besides its trainings."""

    title: str = ""
    step: int = 0  # merges that are made when it opens
    note: str = ""  # a sentence below it; one about a text that is cut is added
    site: Site = ALONE  # what the page has besides the film, if it is one of a website
    # how it trains on the viewer's own words; None: it only plays the recording
    own: OwnWords | None = _NO_WORDS
    way: EveryWay | None = None  # every way to break the ties of the lanes, as `way_of` returns it


_PLAIN = FilmOptions()


def film_page(trace: Trace, text: ShownText, options: FilmOptions = _PLAIN, *, fixed: bool = False) -> str:
    """Return the training as an HTML file: grid, transport, keys, tie badge and pair table.

    `text` is the text to show, usually the training text; only its first `MOST_CHARACTERS` are shown. The film rests
    after `options.step` merges until someone plays it or the address says otherwise. A fixed film only plays the
    recording; others also train on the viewer's own words, which `text` gives, as it gives `options.way`.
    """
    feed = training_feed(trace, text, size=MOST_CHARACTERS, reasons=True)
    lane = FilmLane(feed, trace.tie_break.title, recipe=live_recipe(trace))
    own = None if fixed else OwnWords(field_text(text))
    return lanes_page([lane], replace(options, own=own, way=way_of({trace.tie_break.title: trace})))


def way_of(traces: Mapping[str, Trace]) -> EveryWay | None:
    """Return the picture of every way for a film of trainings, by title; None if there is none."""
    try:
        return every_way_of(traces)
    except BPEError:
        return None


@dataclass(frozen=True, slots=True)
class FilmLane:
    """One training in a film. Several lanes are placed side by side and share the playhead."""

    feed: TrainingFeed
    title: str = ""
    subtitle: str = ""
    recipe: Recipe | None = None  # of the training, if a page can train in the same way


def lanes_page(lanes: Sequence[FilmLane], options: FilmOptions = _PLAIN) -> str:
    """Return several trainings of one text as an HTML file in which all lanes play together."""
    site = options.site
    card = card_tags(options.title, site.description, site.address, site.picture)
    return _page(options.title or SITE_NAME, film_parts(lanes, options), card)


def field_text(text: ShownText) -> str:
    r"""Return the text that the field begins with: a film's own, if it is short. Counted words are written out.

    >>> field_text(["low", "lower"]), field_text({"low": 2, "lower": 1})
    ('low\nlower', 'low low lower')
    """
    if isinstance(text, Mapping):
        if sum((len(word) + 1) * count for word, count in text.items()) > _MOST_IN_FIELD:
            return ""
        text = " ".join(word for word, count in text.items() for _ in range(count))
    whole = text if isinstance(text, str) else "\n".join(text)
    return whole if len(whole) <= _MOST_IN_FIELD else ""


@dataclass(frozen=True, slots=True)
class _FilmParts:
    """What a page needs to play a film. An element with the id `film-stage` holds it, or else the page's end."""

    style: str  # for a page that holds more; what is drawn of the film brings it along
    scripts: str  # HTML elements: data, player and loader
    script_hashes: str  # of the scripts that run, for the page's Content-Security-Policy


def film_parts(lanes: Sequence[FilmLane], options: FilmOptions) -> _FilmParts:
    """Return the parts of a film, for this page or one that holds more."""
    part = any(lane.feed["text"]["total"] > lane.feed["text"]["end"] for lane in lanes)
    cut = f"This film shows the first {MOST_CHARACTERS:,} characters of the text." if part else ""
    own = options.own
    data = {
        "note": f"{cut} {options.note}".strip(),
        "title": options.title,
        "step": options.step,
        "lanes": [asdict(lane) for lane in lanes],
        "way": options.way,
        "code": code_lines(),
        "site": site_data(options.site),
        "own": own and own_part(own, _LIVING),
        # The longest comes last: gzip knows the 32 kB before, and all of them begin alike.
        "styles": {
            name: style_of(name)
            for name in ("base", "picture", "film", "pair-table", "every-way", "token-grid")
        },
    }
    return _parts(data, _LIVING if own else _FIXED)


class _OwnData(TypedDict):
    """The same as data of the film."""

    text: str
    opens: bool
    ways: list[OfferedWay]
    live: Live
    page: str  # the HTML file of a film, with {title} and {scripts} in its gaps
    scripts: str  # its scripts, with {data}, {player} and {loader}
    frame: str  # the code that embeds a page, with {address} and {title}


def own_part(own: OwnWords, player: str, absent: frozenset[str] = frozenset()) -> _OwnData:
    """Return what a film with this player needs to train on its viewer's own words; see `page_of`."""
    page = _page("{title}", _FilmParts("", "{scripts}", _script_hashes(player, absent)))
    return {
        "text": own.text,
        "opens": own.opens,
        "ways": list(own.ways),
        "live": live_settings(),
        "page": page,
        "scripts": _SCRIPTS,
        "frame": frame_code("{address}", "{title}"),
    }


def site_data(site: Site) -> dict[str, Any]:
    """Return what surrounds a film on a website, as its player reads it."""
    return {
        "home": site.home and asdict(site.home),
        "before": site.before and asdict(site.before),
        "after": site.after and asdict(site.after),
        "embeds": [asdict(embed) for embed in site.embeds],
    }


def page_of(data: Mapping[str, Any], player: str, absent: frozenset[str], title: str, site: Site) -> str:
    """Return a page that holds data for another player: the script at this path in `film/browser`.

    absent: paths of modules there that the player does not need for these data.
    """
    card = card_tags(title, site.description, site.address, site.picture)
    return _page(title, _parts(data, player, absent), card)


def notebook_frame(page: str) -> str:
    """Return an isolated frame around the film, for notebooks. It can run scripts but cannot send requests."""
    return (
        f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" title="Film of the merges" '
        f'style="width: 100%; height: {EMBED_HEIGHT}px; border: 0; border-radius: 12px"></iframe>'
    )


@cache
def style_of(name: str) -> str:
    """Return the style sheet of a component, or that of all parts, "base"."""
    return part_styles(
        BROWSER / ("shared/base.css" if name == "base" else f"{name.replace('-', '_')}/main.css")
    )


def trace_frame(
    trace: Trace, *, most_characters: int = MOST_CHARACTERS, most_page: int = _MOST_PAGE
) -> str | None:
    """Return a frame with the film of a trace, from the first merge on; None if the film would be too large.

    A trace does not store the running text, so the film shows the distinct words with their frequencies.
    """
    words = dict(zip(trace.pre_tokens, trace.frequencies, strict=True))
    frequent = _most_frequent(words, most_characters)
    note = (
        f"This film shows the {len(frequent):,} most frequent of {len(words):,} distinct words."
        if len(frequent) < len(words)
        else ""
    )
    lane = FilmLane(training_feed(trace, frequent), recipe=live_recipe(trace))
    title = f"{trace.variant.title}, {trace.tie_break.title.lower()}"
    page = lanes_page([lane], FilmOptions(title=title, note=note))
    return notebook_frame(page) if len(page) <= most_page else None


def _parts(data: Mapping[str, Any], entry: str, absent: frozenset[str] = frozenset()) -> _FilmParts:
    scripts = _SCRIPTS.format(
        data=packed_text(json.dumps(data, separators=(",", ":"))),
        player=_player(entry, absent).packed,
        loader=_loader(),
    )
    return _FilmParts(style_of("film"), scripts, _script_hashes(entry, absent))


def _page(title: str, film: _FilmParts, card: str = "") -> str:
    """Return a film's page. It is empty until its script runs, which also unpacks its style sheet."""
    body = f"{_NO_SCRIPT}\n{film.scripts}"
    return html_page(title, body, script_hashes=film.script_hashes, head=f"{_THEMES}\n{card}".rstrip())


def _script_hashes(entry: str, absent: frozenset[str]) -> str:
    return f"'{hash_of(_loader())}' '{_player(entry, absent).hash}'"


@dataclass(frozen=True, slots=True)
class _Player:
    """The film's script, packed, and the hash that admits it."""

    packed: str
    hash: str


@cache
def _player(entry: str, absent: frozenset[str]) -> _Player:
    script = shipped_script(BROWSER / entry, [BROWSER / path for path in absent])
    return _Player(packed_text(script), hash_of(script))


@cache
def _loader() -> str:
    return shipped_script(BROWSER / "film" / "loader.js")


def _most_frequent(words: Mapping[str, int], most: int) -> dict[str, int]:
    """Return the most frequent words, of `most` characters together, in their given order.

    >>> _most_frequent({"low": 1, "new": 3, "est": 2}, most=7)
    {'new': 3, 'est': 2}
    """
    chosen: set[str] = set()
    size = 0
    for word in sorted(words, key=words.__getitem__, reverse=True):
        size += len(word)
        if size > most:
            break
        chosen.add(word)
    return {word: frequency for word, frequency in words.items() if word in chosen}
