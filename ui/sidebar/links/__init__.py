"""What a link holds: `link` the settings, `text_link` a short text, and `shown_link` shows it for copying.

`first_page`, `linked_step` and `asked` are the page, the step and the question that it opens. `start_file` is for
sessions that begin with the file of a command instead.
"""
