"""Glossary: every term of the app, in two sentences."""

from ui import navigation
from ui.lessons import glossary_page

navigation.enter()
glossary_page.draw()
