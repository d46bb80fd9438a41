"""The sentences about a comparison: `verdict_text` is what pages, commands and reports call.

Those of `headline` are the answer, those of `evidence_text` what it rests on. `headlined_figure` is
the number in the answer, and `percentages` writes shares.
"""
