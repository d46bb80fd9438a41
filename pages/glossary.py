"""Glossary: every term of the app in two short sentences, with the lesson about it."""

from ui import navigation, talk
from ui.lessons import glossary_page
from ui.lessons.glossary_pictures import trained_words
from ui.text_on_stage import OnStage, text_on_stage

navigation.enter()
talk.draw("glossary")
glossary_page.draw()
text_on_stage([OnStage(trained_words())])
