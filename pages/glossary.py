"""Glossary: every term of the app in two short sentences, with the lesson about it."""

from ui import navigation
from ui.lessons import glossary_page

navigation.enter()
glossary_page.draw()
