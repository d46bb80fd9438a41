"""Give a talk: talks of 10 to 90 minutes, step by step with a clicker."""

from ui.page_parts.lessons import curriculum
from ui.shown import navigation

navigation.enter()
curriculum.draw()
