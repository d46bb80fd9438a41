"""Give a talk: talks of 10 to 90 minutes, step by step with a clicker."""

from ui import navigation
from ui.lessons import curriculum

navigation.enter()
curriculum.draw()
