"""What is compared: `comparison` holds the traces and measures, `held_out_text` is what they are measured on.

`measuring` computes the evidence in a thread, which sessions share (`ui/work/jobs.py`). `verdict` puts it in
sentences, `tables` in rows, `charts` in pictures, `save_report` in a file.
"""
