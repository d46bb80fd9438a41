"""The shell around the pages: `whole_page` draws what all have, `navigation` registers and draws them, `step_slider`
chooses the step that they share.
"""
