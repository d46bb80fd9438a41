"""The page Languages: what named texts cost under finished tokenizers, and after every merge of a training.

In the order of the page: `choices` are its controls, `tokenizers` what they offer, and `own_files` opens more;
`counting` measures the texts, `dots` is the chart, `results` draws the answer, the chart, the table and the files, and
`curves` the costs merge by merge.
"""
