"""Give a talk: the paths through the lessons, each with a button that begins it on stage."""

from ui import navigation
from ui.lessons import curriculum

navigation.enter()
curriculum.draw()
