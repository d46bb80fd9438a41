"""Glossary: every term of the app in two short sentences, with the lesson about it."""

from ui import navigation, talk
from ui.lessons import glossary_page

navigation.enter()
talk.draw("glossary")
glossary_page.draw()
