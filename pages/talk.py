"""Give a talk: the paths through the lessons, each with a button that begins it on stage."""

from ui import navigation, talk
from ui.lessons import curriculum

navigation.enter()
talk.draw("talk")
curriculum.draw()
