"""The shell around the pages: `navigation` registers and draws them, `step_slider` chooses the step that they share."""
