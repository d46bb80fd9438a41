"""The parts of the page that no measurement changes: what the tables hold, limits, earlier work, how to repeat it."""

INTRODUCTION = """\
When several pairs share the highest count, a rule decides which one becomes a token. This page says how often that
happens, when, and what depends on the rule. The command `python -m benchmarks.ties` measured all of it and wrote this
page. A test compares the page with the measurements, [{folder}/results.json]({folder}/results.json)."""

HOW_OFTEN = """\
The table shows how many of the first merges were tied, by the size of the training text. The last column is about all
merges of that training."""

COUNT = """\
A merge is tied if another pair has the same count. Few pairs occur often, so two frequent pairs seldom have the same
count. Many pairs occur rarely, so ties are common among them. The table shows how many merges were tied, by the count
of the merged pair, for the largest size of each corpus."""

OUTCOMES = """\
A tie is *harmless* if all tied pairs were merged while they had that count. It has *cascaded* if a merge used up
occurrences of another tied pair, so that its count fell. It is *open* if training ended before all tied pairs were
merged."""

RULES = """\
Each row compares the other rules with the first one and gives the lowest and the highest figure among them. All rules
are compared after the same number of merges, the largest that all of them reach. A held-out word is counted each time
it occurs in the held-out text."""

LIMITS = """\
- It used one way of splitting text, and texts of at most a megabyte. It did not measure vocabularies as large as those
  of language models, which are trained on much more text.
- The held-out text comes from the same corpus as the training text. Other kinds of text were not measured.
- It compares tokens, not models. Whether a model notices the difference was not measured.
- In a text without spaces, such as the made-up genome, a whole piece is one word. A single different boundary is
  enough for it to be split differently."""

EARLIER = """\
We found no paper that measures how often ties occur in BPE, or what a tie-breaking rule changes. In November 2026 we
searched stored copies of public web pages, documentation and GitHub threads for byte pair encoding together with ties,
tie-breaking, equal counts or frequencies, lexicographic order, random order of merges, and deterministic or
reproducible training. Such a search does not prove that there is no such paper. These come close:

- Sälevä and Lignos 2023, *What changes when you randomly choose BPE merge operations? Not much*
  (doi:10.18653/v1/2023.insights-1.7): merges chosen at random, and machine translation with them.
- Sawada and Goyal 2025, *Train It and Forget It: Merge Lists are Unnecessary for BPE Inference in Language Models*
  (arXiv:2508.06621): merge lists in random order or with merges left out, and language models with them.
- *Batching BPE Tokenization Merges* (arXiv:2408.04653): hundreds of merges at a time.
- Threads of people who ask about equal counts: huggingface/tokenizers issue 1065, karpathy/minbpe pull request 90."""

REPEAT = """\
One command measures everything and writes this page, its figures, and the measurements as JSON and CSV files. On one
core it needs about half a minute:

```sh
python -m benchmarks.ties "All Around the Moon=pg16457.txt" -o docs
```

The novel is public: *All Around the Moon* by Jules Verne, translated by Edward Roth, ebook 16457 of Project Gutenberg,
as plain text in UTF-8 with its header and licence. You can leave it out, or name files of your own instead. The corpus
“Python's standard library” comes from the Python that runs the command. These figures are from bpe {bpe}, Python
{python} and Unicode {unicode}. The hashes are those of the texts in UTF-8, without a byte-order mark."""
