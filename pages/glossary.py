"""Glossary: every term of the app, in two sentences."""

from ui.page_parts.lessons import glossary_page
from ui.shown import navigation

navigation.enter()
glossary_page.draw()
