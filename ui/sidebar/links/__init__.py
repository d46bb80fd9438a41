"""What a link holds: `link` the settings, `text_link` a short text, and `shown_link` shows it for copying.

`linked_step` and `asked` are the step that it opens and the question about it. `start_file` is for sessions that begin
with the file of a command instead.
"""
