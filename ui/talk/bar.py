"""The line of a talk on a page, which takes the keys from stop to stop."""

from ui.components.talk import talk_bar
from ui.lessons import to_watch
from ui.lessons.beats.card import GROUP
from ui.talk import moving
from ui.talk.position import Position, on_page

# Page of a stop -> the group of its grids.
GROUPS = {"": GROUP, "watch": "watch", "compare": "compare", "encode": "encode"}


def draw(page: str) -> None:
    """Draw the line on a page that is the talk's stop, after going to another stop if the viewer asked for it."""
    moving.follow()
    moving.catch_up(page)
    position = on_page(page)
    if position is not None:
        draw_at(position)


def draw_on_watch() -> None:
    """Draw the line on Watch, or without a talk the way back to the lesson that opened it."""
    if on_page("watch") is None:
        to_watch.draw_way_back()
    draw("watch")


def draw_at(position: Position) -> None:
    """Draw the line of a stop."""
    stop, following = position.stop, position.moved(1)
    data = {
        "title": stop.title,
        "number": position.number + 1,
        "of": len(position.path.stops),
        "minutes": position.path.minutes,
        "before": sum(other.minutes for other in position.path.stops[: position.number]),
        "notes": stop.notes,
        "next": following.stop.title if following else "",
        "group": GROUPS[stop.page],
        "merges": stop.merges,
        "keys": bool(stop.page),
    }
    talk_bar(data, moving.request, moving.end)
